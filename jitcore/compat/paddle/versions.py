"""`paddle.version`, and what `paddle.utils` has about what is installed."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Final, cast

from jitcore.compat.paddle.constants import __version__

full_version: Final = "3.3.1"
major, minor, patch, rc = "3", "3", "1", "0"


def cuda() -> str:
    """The version of CUDA: there is none."""
    return "False"


cudnn = xpu = cuda


def show() -> None:
    """Print the version."""
    for name, part in {"full_version": full_version, "major": major, "minor": minor, "patch": patch, "rc": rc}.items():
        print(f"{name}: {part}")
    print(f"jitcore: {__version__}")


def run_check() -> None:
    """Print that it works, as this call shows."""
    print("Running verify PaddlePaddle program ...\nPaddlePaddle works well on 1 CPU, by jitcore's means.")


def try_import(module_name: str, err_msg: str | None = None) -> ModuleType:
    """A module. Raises ImportError with `err_msg`, or one that says how to get it."""
    try:
        return importlib.import_module(module_name)
    except ImportError:
        told = f"Failed importing {module_name}. This likely means that some modules require it: install it by pip"
        raise ImportError(told if err_msg is None else err_msg) from None


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise Exception unless Paddle's version, which is 3.3.1 here, is within bounds; TypeError for what is no text."""
    for version in (min_version, max_version or ""):
        if not isinstance(cast("object", version), str):
            raise TypeError(f"The versions of require_version must be str, but received {type(version)}.")
    own = _numbers(full_version)
    if own < _numbers(min_version) or (max_version is not None and own > _numbers(max_version)):
        bounds = f"[{min_version}, {'…' if max_version is None else max_version}]"
        raise Exception(f"VersionError: PaddlePaddle version in {bounds} required, but {full_version} installed.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
