"""MindSpore scripts on jitcore: while it is active, `import mindspore` and its submodules resolve to jitcore.

    python -m jitcore.compat.mindspore script.py [arguments]
    pytest -p jitcore.compat.mindspore
    from jitcore.compat import mindspore; mindspore.install()

Names are looked up in jitcore when they are first used (`modules`). What MindSpore has and jitcore has not can be
imported and raises NotImplementedError when it is used; what MindSpore never had is an ImportError, as it would be
there.
"""

from __future__ import annotations

import importlib
from typing import Any

from jitcore.compat import entry
from jitcore.compat.mindspore import older_numpy
from jitcore.compat.mindspore.modules import MINDSPORE

__all__ = ["install", "is_installed", "uninstall"]


def install() -> None:
    """Make `import mindspore` resolve to jitcore in this process: its Tensors, Cells and compiled functions follow
    MindSpore's rules. Raises RuntimeError if MindSpore itself is imported already."""
    entry.install(MINDSPORE)
    importlib.import_module("jitcore.compat.mindspore.refusals.followed")
    older_numpy.provide()


def uninstall() -> None:
    """Undo `install`: later imports of mindspore find what is installed, if anything."""
    older_numpy.withdraw()
    entry.uninstall(MINDSPORE)


def is_installed() -> bool:
    """Whether `import mindspore` resolves to jitcore."""
    return entry.is_installed(MINDSPORE)


def pytest_addoption(parser: Any) -> None:
    """The hook by which `pytest -p` activates it: before any conftest is read."""
    del parser
    install()
