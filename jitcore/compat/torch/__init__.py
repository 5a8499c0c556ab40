"""PyTorch scripts on jitcore: while it is active, `import torch` and its submodules resolve to jitcore.

    python -m jitcore.compat.torch script.py [arguments]
    pytest -p jitcore.compat.torch
    from jitcore.compat import torch; torch.install()

What PyTorch has and jitcore has not can be imported and raises NotImplementedError when it is used; what PyTorch never
had is an ImportError, as it would be there.
"""

from __future__ import annotations

from types import ModuleType

from jitcore.compat import entry
from jitcore.compat.torch.modules import TORCH

__all__ = ["install", "is_installed", "package", "uninstall"]


def install() -> None:
    """Make `import torch` resolve to jitcore in this process. Raises RuntimeError if PyTorch itself is imported
    already."""
    entry.install(TORCH)


def uninstall() -> None:
    """Undo `install`: later imports of torch find what is installed, if anything."""
    entry.uninstall(TORCH)


def is_installed() -> bool:
    """Whether `import torch` resolves to jitcore."""
    return entry.is_installed(TORCH)


def package() -> ModuleType:
    """PyTorch's package by jitcore's means as a module of its own, `jitcore_torch`: `import torch` finds what it found
    before.

    >>> ours = package()
    >>> ours.nn.functional.relu(ours.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return entry.beside(TORCH, "jitcore_torch")


def pytest_addoption(parser: object) -> None:
    """The hook by which `pytest -p` activates it: before any conftest is read."""
    del parser
    install()
