"""How a program comes to run on jitcore in a framework's place: `install()`, `python -m jitcore.compat.FRAMEWORK
script.py` (`-m module`, `-c text` too), `pytest -p jitcore.compat.FRAMEWORK`."""

from __future__ import annotations

import functools
import importlib
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from jitcore.compat.finder import Finder, Framework


def is_installed(framework: Framework) -> bool:
    """Whether importing the framework resolves to jitcore."""
    return any(isinstance(f, Finder) and f.framework is framework for f in sys.meta_path)


def install(framework: Framework) -> None:
    """Make importing the framework resolve to jitcore in this process. Raises RuntimeError if the framework itself is
    imported already."""
    present = sys.modules.get(framework.package)
    if present is not None and not framework.is_ours(present):
        raise RuntimeError(f"{framework.package} is imported already: install jitcore's names for it first")
    if not is_installed(framework):
        sys.meta_path.insert(0, Finder(framework))


def uninstall(framework: Framework) -> None:
    """Undo `install`: later imports find what is installed, if anything."""
    sys.meta_path[:] = [f for f in sys.meta_path if not (isinstance(f, Finder) and f.framework is framework)]
    for name in framework.loaded():
        del sys.modules[name]


@functools.cache
def beside(framework: Framework, name: str) -> ModuleType:
    """The framework's package by jitcore's means under another name: importing the framework still finds itself."""
    sys.meta_path.insert(0, Finder(framework.under(name)))
    return importlib.import_module(name)


def main(framework: Framework, install: Callable[[], None], arguments: list[str]) -> int:
    """Run what the arguments name as `__main__`; the exit code of a mistake in them."""
    usage = f"usage: python -m jitcore.compat.{framework.package} (script.py | -m module | -c text) [arguments]"
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    first, rest = arguments[0], arguments[1:]
    if first in ("-m", "-c"):
        if not rest:
            print(usage, file=sys.stderr)
            return 2
        install()
        sys.path[0] = ""
        if first == "-m":
            sys.argv = rest
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv = ["-c", *rest[1:]]
            exec(compile(rest[0], "<string>", "exec"), sys.modules["__main__"].__dict__)
        return 0
    script = Path(first)
    if not script.exists():
        print(f"there is no file {first}\n{usage}", file=sys.stderr)
        return 2
    install()
    sys.argv = arguments
    sys.path[0] = str(script.parent.resolve())
    runpy.run_path(first, run_name="__main__")
    return 0
