"""Declarations of primitives, a family a file: importing this package declares those of every file in its folder."""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
