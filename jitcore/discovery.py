"""Modules that are found by being in a package's folder: what they declare is declared by importing them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType


def modules_in(package: str, path: Iterable[str]) -> list[ModuleType]:
    """The modules in a package's folder (its `__name__` and `__path__`) in the order of their names, imported. Packages
    in it are left out."""
    names = [found.name for found in pkgutil.iter_modules(path) if not found.ispkg]
    return [importlib.import_module(f"{package}.{name}") for name in names]


def modules_below(package: str, path: Iterable[str]) -> list[ModuleType]:
    """The modules in the folders of a package's folder, imported; those beside the folders are left out."""
    folders = [
        importlib.import_module(f"{package}.{found.name}") for found in pkgutil.iter_modules(path) if found.ispkg
    ]
    return [module for folder in folders for module in modules_in(folder.__name__, folder.__path__)]
