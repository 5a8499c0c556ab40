"""Checkpoints are NumPy `.npz` files, whatever they are called: an array for each Parameter, by its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor

Name = str | os.PathLike[str]


def _named(save_obj: Any) -> dict[str, Any]:
    """What is saved, by name."""
    if isinstance(save_obj, Cell):
        return dict(save_obj.parameters_dict())
    if isinstance(save_obj, Mapping):
        return dict(cast("Mapping[str, Any]", save_obj))
    if isinstance(save_obj, list) and all(isinstance(i, Mapping) for i in cast("list[Any]", save_obj)):
        return {str(i["name"]): i["data"] for i in cast("list[Mapping[str, Any]]", save_obj)}
    raise TypeError(
        f"what is saved is a Cell, a dict of Parameters or a list of {{'name', 'data'}}, not {type(save_obj).__name__}"
    )


def _with_suffix(name: Name) -> Path:
    path = Path(name)
    return path if path.suffix else path.with_name(path.name + ".ckpt")


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: Name,
    integrated_save: bool = True,
    async_save: bool = False,
    append_dict: Mapping[str, Any] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    **_: Any,
) -> None:
    """Save the Parameters of a Cell, a dict of them, or a list of {'name', 'data'} to a file (`.ckpt` unless it has a suffix);
    it is replaced as a whole or not at all. `append_dict`: more values; `choice_func(name)`: which Parameters."""
    parameters = {n: v for n, v in _named(save_obj).items() if choice_func is None or choice_func(n)}
    parameters |= append_dict or {}
    target = _with_suffix(ckpt_file_name)
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            np.savez(file, **{name: np.asarray(value) for name, value in parameters.items()})  # pyright: ignore[reportArgumentType]
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _prefixes(given: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return None if given is None else (given,) if isinstance(given, str) else tuple(given)


class CheckpointNotFoundError(FileNotFoundError, ValueError):
    """There is no such file. (A ValueError, too, as MindSpore has it.)"""


def load_checkpoint(
    ckpt_file_name: Name,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | Iterable[str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | Iterable[str] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    **_: Any,
) -> dict[str, Parameter]:
    """The Parameters in a file, by name; with `net` they are loaded into it too.

    Those that begin with `filter_prefix` are left out, as are those that do not begin with `specify_prefix`. Raises ValueError for
    another kind of file, or one that is encrypted.
    """
    del dec_mode
    if dec_key is not None:
        raise ValueError("checkpoints are not encrypted: dec_key must be None")
    if not isinstance(ckpt_file_name, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"a checkpoint is named by a string or a path, not {ckpt_file_name!r}")
    left, only = _prefixes(filter_prefix), _prefixes(specify_prefix)
    path = Path(ckpt_file_name)
    if not path.exists():
        path = _with_suffix(path)
    if not path.exists():
        raise CheckpointNotFoundError(f"the checkpoint {ckpt_file_name} does not exist")
    with path.open("rb") as file:
        if file.read(2) != b"PK":
            raise ValueError(f"{ckpt_file_name} is no checkpoint of jitcore")
        file.seek(0)
        loaded = np.load(file, allow_pickle=False)
        names = [
            n
            for n in loaded.files
            if not (left and n.startswith(left))
            and (only is None or n.startswith(only))
            and (choice_func is None or choice_func(n))
        ]
        found = {name: Parameter(loaded[name], name=name) for name in names}
    if net is not None:
        load_param_into_net(net, found, strict_load)
    return found


def load_param_into_net(
    net: Cell, parameter_dict: Mapping[str, Any], strict_load: bool = False, remove_redundancy: bool = False
) -> tuple[list[str], list[str]]:
    """Write Parameters into those of a Cell that have the same names.

    Gives the names that the Cell has and the dict has not, and the other way round. Without `strict_load`, if names of the
    Cell are missing, and the longest of them is in the dict behind a prefix, all are looked for behind that prefix. Raises
    RuntimeError where shapes differ, or kinds of dtype, or with `strict_load` dtypes.
    """
    del remove_redundancy
    if not isinstance(net, Cell):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"Parameters are loaded into a Cell, not {type(net).__name__}")
    if not isinstance(parameter_dict, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"what is loaded is a dict of Parameters, not {type(parameter_dict).__name__}")
    own = net.parameters_dict()
    for name, given in parameter_dict.items():
        if not isinstance(given, Parameter):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"what is loaded is a dict of Parameters; {name!r} is a {type(given).__name__}")
    places = {name: name for name in own if name in parameter_dict}
    missing = [name for name in own if name not in places]
    if missing and not strict_load:
        longest = max(missing, key=len)
        prefix = next((n.removesuffix(longest) for n in parameter_dict if n.endswith(longest)), "")
        places.update({name: prefix + name for name in missing if prefix and prefix + name in parameter_dict})
    for name, place in places.items():
        _load(own[name], parameter_dict[place], strict_load)
    used = set(places.values())
    return [n for n in own if n not in places], [n for n in parameter_dict if n not in used]


def _load(parameter: Any, given: Tensor, strict: bool) -> None:
    have, found = parameter.dtype, given.dtype
    if tuple(given.shape) != tuple(parameter.shape):
        raise RuntimeError(
            f"Parameter {parameter.name!r} has shape {parameter.shape}; {given.shape} of what is loaded is another"
        )
    if have is not found and (strict or have.kind != found.kind):
        raise RuntimeError(f"Parameter {parameter.name!r} is of {have}, what is loaded of {found}")
    parameter.set_data(given if have is found else given.astype(have))
