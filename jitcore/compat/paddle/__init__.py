"""Paddle scripts on jitcore: while it is active, `import paddle` and its submodules resolve to jitcore.

    python -m jitcore.compat.paddle script.py [arguments]
    pytest -p jitcore.compat.paddle
    from jitcore.compat import paddle; paddle.install()

What Paddle has and jitcore has not can be imported and raises NotImplementedError when it is used; what Paddle never
had is an ImportError, as it would be there.
"""

from __future__ import annotations

from types import ModuleType

from jitcore.compat import entry
from jitcore.compat.paddle.modules import PADDLE

__all__ = ["install", "is_installed", "package", "uninstall"]


def install() -> None:
    """Make `import paddle` resolve to jitcore in this process. Raises RuntimeError if Paddle itself is imported
    already."""
    entry.install(PADDLE)


def uninstall() -> None:
    """Undo `install`: later imports of paddle find what is installed, if anything."""
    entry.uninstall(PADDLE)


def is_installed() -> bool:
    """Whether `import paddle` resolves to jitcore."""
    return entry.is_installed(PADDLE)


def package() -> ModuleType:
    """Paddle's package by jitcore's means as a module of its own, `jitcore_paddle`: `import paddle` finds what it
    found before.

    >>> ours = package()
    >>> ours.to_tensor([1.0, 2.0]).dtype == ours.float32
    True
    """
    return entry.beside(PADDLE, "jitcore_paddle")


def pytest_addoption(parser: object) -> None:
    """The hook by which `pytest -p` activates it: before any conftest is read."""
    del parser
    install()
