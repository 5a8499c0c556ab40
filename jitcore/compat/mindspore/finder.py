"""The import hook: modules named `mindspore…` whose attributes are looked up in jitcore when they are first used."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any, Final

from jitcore.compat.mindspore.missing import Missing, missing
from jitcore.compat.mindspore.modules import MODULES, Contents

_ROOT: Final = "mindspore"
_ABSENT: Final = object()
_GENERATED: Final = "mindspore.ops.auto_generate"


class CompatModule(ModuleType):
    """A module of MindSpore by jitcore's means."""

    __jitcore_constant__: Final = True
    """Compiled code takes its attributes for constants: a name means one thing for good."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # what `from … import *` takes
            return self.names()
        if name.startswith("__") and name not in _contents(self.__name__).own:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = self._find(name)
        self.__dict__[name] = value
        return value

    def _find(self, name: str) -> Any:
        contents = _contents(self.__name__)
        if name in contents.own:
            home, _, attribute = contents.own[name].partition(":")
            found = getattr(_home(home), attribute, _ABSENT)
            if found is not _ABSENT:
                return found
        path = f"{self.__name__}.{name}"
        if path in MODULES:
            return importlib.import_module(path)
        found = _at_home(contents, name)
        if found is not _ABSENT:
            return found
        if name.endswith("_op") and self.__name__.startswith(_GENERATED):  # a Primitive made for the operator
            return getattr(self, name.removesuffix("_op"))
        if contents.has(name):
            return missing(path)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def names(self) -> list[str]:
        """The public names that jitcore has, without MindSpore's that it has not."""
        contents = _contents(self.__name__)
        found = set(contents.own) | {path[len(self.__name__) + 1 :] for path in _children(self.__name__)}
        for home in contents.homes:
            found.update(name for name in _exported(home) if _public(home, name) is not _ABSENT)
        return sorted(name for name in found if not name.startswith("_"))

    def __dir__(self) -> list[str]:
        return self.names()


def _contents(name: str) -> Contents:
    """What a module has; one below a module of the table has what that has, and any name besides."""
    if name in MODULES:
        return MODULES[name]
    parent = name.rpartition(".")[0]
    while parent not in MODULES:
        parent = parent.rpartition(".")[0]
    above = MODULES[parent]
    return Contents(above.own, above.homes, opaque=True)


def _at_home(contents: Contents, name: str) -> Any:
    """What the modules that a module draws on mean by a name; `_ABSENT` if none does."""
    found = (_public(home, name) for home in contents.homes)
    return next((value for value in found if value is not _ABSENT), _ABSENT)


def _children(name: str) -> Iterable[str]:
    return (path for path in MODULES if path.rpartition(".")[0] == name)


def _exported(home: str) -> Iterable[str]:
    module = _home(home)
    return () if module is None else getattr(module, "__all__", None) or dir(module)


def _home(name: str) -> ModuleType | None:
    """A module of jitcore; None if this jitcore has none of that name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def _public(home: str, name: str) -> Any:
    """What a module of jitcore means by a name; `_ABSENT` if nothing, or only something that it has imported from
    elsewhere."""
    if name.startswith("_"):
        return _ABSENT
    found = getattr(_home(home), name, _ABSENT)
    if isinstance(found, ModuleType):
        return _ABSENT
    origin = getattr(found, "__module__", None)
    if isinstance(origin, str) and origin.partition(".")[0] not in ("jitcore", "numpy", "functools"):
        return _ABSENT
    return found


def is_ours(module: ModuleType) -> bool:
    """Whether a module named mindspore is one of these."""
    return isinstance(module, CompatModule)


def is_provided(module: str, name: str) -> bool:
    """Whether jitcore has what one of MindSpore's modules, which need not be imported, means by a name."""
    contents = _contents(module)
    if name.endswith("_op") and module.startswith(_GENERATED):
        name = name.removesuffix("_op")
    return name in contents.own or f"{module}.{name}" in MODULES or _at_home(contents, name) is not _ABSENT


def is_named(module: str, name: str) -> bool:
    """Whether one of MindSpore's modules has a name, be it in jitcore or not."""
    return is_provided(module, name) or _contents(module).has(name)


def lacks(module: ModuleType, name: str) -> bool:
    """Whether MindSpore's module, whose names are listed, has none of that name, although it stands for something
    here."""
    contents = _contents(module.__name__)
    return isinstance(getattr(module, name), Missing) and bool(contents.known) and name not in contents.known


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return CompatModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        contents = _contents(module.__name__)
        module.__doc__ = f"{module.__name__} by jitcore's means: {', '.join(contents.homes) or 'none of it'}."


class Finder(importlib.abc.MetaPathFinder):
    """Finds `mindspore` and its submodules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module of MindSpore's; None for every other."""
        del path, target
        if not is_module(fullname):
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(), origin="jitcore", is_package=True)


def is_module(fullname: str) -> bool:
    """Whether MindSpore has this module: one of the table, or anything below one that is internal to it."""
    if fullname in MODULES:
        return True
    parent, _, name = fullname.rpartition(".")
    while parent:
        contents = MODULES.get(parent)
        if contents is not None:
            return contents.opaque or name.startswith("_")
        parent, _, name = parent.rpartition(".")
    return False


def loaded() -> list[str]:
    """The names of the modules imported so far."""
    return [name for name, module in sys.modules.items() if is_ours(module)]
