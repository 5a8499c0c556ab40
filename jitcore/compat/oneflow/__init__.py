"""OneFlow scripts on jitcore: while it is active, `import oneflow` and its submodules resolve to jitcore, and those of
`flowvision` that OneFlow's documents use.

    python -m jitcore.compat.oneflow script.py [arguments]
    pytest -p jitcore.compat.oneflow
    from jitcore.compat import oneflow; oneflow.install()

What OneFlow has and jitcore has not can be imported and raises NotImplementedError when it is used; what OneFlow never
had is an ImportError, as it would be there.
"""

from __future__ import annotations

from jitcore.compat import entry
from jitcore.compat.flowvision.modules import FLOWVISION
from jitcore.compat.oneflow.modules import ONEFLOW

__all__ = ["install", "is_installed", "uninstall"]


def install() -> None:
    """Make `import oneflow` and `import flowvision` resolve to jitcore in this process. Raises RuntimeError if OneFlow
    itself is imported already."""
    entry.install(ONEFLOW)
    entry.install(FLOWVISION)


def uninstall() -> None:
    """Undo `install`: later imports find what is installed, if anything."""
    entry.uninstall(ONEFLOW)
    entry.uninstall(FLOWVISION)


def is_installed() -> bool:
    """Whether `import oneflow` resolves to jitcore."""
    return entry.is_installed(ONEFLOW)


def pytest_addoption(parser: object) -> None:
    """The hook by which `pytest -p` activates it: before any conftest is read."""
    del parser
    install()
