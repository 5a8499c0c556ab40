"""The import hook: modules named as a framework's, whose attributes are looked up in jitcore when they are first used.

TORCH = Framework("torch", "PyTorch", {"torch": Contents(…), "torch.nn": Contents(…)})
sys.meta_path.insert(0, Finder(TORCH))
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from jitcore.compat.missing import Missing, missing
from jitcore.structs import dataclass

_ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Contents:
    """A module of a framework: names that mean `module:attribute` of jitcore, then the modules where other names are
    looked up, then the names that the framework has besides; of an opaque one (internal to it), any."""

    own: dict[str, str]
    homes: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    opaque: bool = False

    def has(self, name: str) -> bool:
        """Whether the framework's module has a name."""
        return self.opaque or name in self.known or name.startswith("_")


def _itself(value: object) -> object:
    return value


def _same(module: str, name: str) -> str:
    del module
    return name


@dataclass(frozen=True, slots=True, eq=False)
class Framework:
    """A framework by jitcore's means: the name of its package, what people call it, and its modules by name. `alias`
    gives what a name of a module stands for, in the same module."""

    package: str
    title: str
    modules: Mapping[str, Contents]
    alias: Callable[[str, str], str] = _same
    adopted: Callable[[Any], Any] = _itself
    """What its modules mean by a function or class of jitcore's."""

    def under(self, package: str) -> Framework:
        """The same modules below a package of another name, which stands beside the framework itself."""

        def renamed(name: str, old: str, new: str) -> str:
            return new + name[len(old) :]

        modules = {renamed(name, self.package, package): contents for name, contents in self.modules.items()}
        return Framework(
            package,
            self.title,
            modules,
            lambda module, name: self.alias(renamed(module, package, self.package), name),
            self.adopted,
        )

    def contents(self, name: str) -> Contents:
        """What a module has; one below a module of the table has what that has, and any name besides."""
        if name in self.modules:
            return self.modules[name]
        parent = name.rpartition(".")[0]
        while parent not in self.modules:
            parent = parent.rpartition(".")[0]
        above = self.modules[parent]
        return Contents(above.own, above.homes, opaque=True)

    def is_module(self, fullname: str) -> bool:
        """Whether the framework has this module: one of the table, or anything below one that is internal to it."""
        if fullname in self.modules:
            return True
        parent, _, name = fullname.rpartition(".")
        while parent:
            contents = self.modules.get(parent)
            if contents is not None:
                return contents.opaque or name.startswith("_")
            parent, _, name = parent.rpartition(".")
        return False

    def is_provided(self, module: str, name: str) -> bool:
        """Whether jitcore has what one of the framework's modules, which need not be imported, means by a name."""
        contents = self.contents(module)
        name = self.alias(module, name)
        return name in contents.own or f"{module}.{name}" in self.modules or _at_home(contents, name) is not _ABSENT

    def is_named(self, module: str, name: str) -> bool:
        """Whether one of the framework's modules has a name, be it in jitcore or not."""
        return self.is_provided(module, name) or self.contents(module).has(name)

    def is_ours(self, module: ModuleType) -> bool:
        """Whether a module is the framework's by jitcore's means."""
        return isinstance(module, CompatModule) and module.__jitcore_framework__ is self

    def loaded(self) -> list[str]:
        """The names of the modules imported so far."""
        return [name for name, module in sys.modules.items() if self.is_ours(module)]


class CompatModule(ModuleType):
    """A module of a framework by jitcore's means."""

    __jitcore_constant__: Final = True
    """Compiled code takes its attributes for constants: a name means one thing for good."""
    __jitcore_framework__: Framework

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # what `from … import *` takes
            return self.names()
        contents = self.__jitcore_framework__.contents(self.__name__)
        if name.startswith("__") and name not in contents.own:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = self.__jitcore_framework__.adopted(self._find(contents, name))
        self.__dict__[name] = value
        return value

    def _find(self, contents: Contents, name: str) -> Any:
        framework = self.__jitcore_framework__
        if name in contents.own:
            home, _, attribute = contents.own[name].partition(":")
            found = getattr(_home(home), attribute, _ABSENT)
            if found is not _ABSENT:
                return found
        path = f"{self.__name__}.{name}"
        if path in framework.modules:
            return importlib.import_module(path)
        found = _at_home(contents, name)
        if found is not _ABSENT:
            return found
        known_as = framework.alias(self.__name__, name)
        if known_as != name:
            return getattr(self, known_as)
        if contents.has(name):
            return missing(path, framework.title)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def names(self) -> list[str]:
        """The public names that jitcore has, without the framework's that it has not."""
        contents = self.__jitcore_framework__.contents(self.__name__)
        found = set(contents.own) | {path[len(self.__name__) + 1 :] for path in self._children()}
        for home in contents.homes:
            found.update(name for name in _exported(home) if _public(home, name) is not _ABSENT)
        return sorted(name for name in found if not name.startswith("_"))

    def _children(self) -> Iterable[str]:
        return (path for path in self.__jitcore_framework__.modules if path.rpartition(".")[0] == self.__name__)

    def __dir__(self) -> list[str]:
        return self.names()


def _at_home(contents: Contents, name: str) -> Any:
    """What the modules that a module draws on mean by a name; `_ABSENT` if none does."""
    found = (_public(home, name) for home in contents.homes)
    return next((value for value in found if value is not _ABSENT), _ABSENT)


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


def lacks(module: ModuleType, name: str) -> bool:
    """Whether a framework's module, whose names are listed, has none of that name, although it stands for something
    here."""
    assert isinstance(module, CompatModule)
    contents = module.__jitcore_framework__.contents(module.__name__)
    return isinstance(getattr(module, name), Missing) and bool(contents.known) and name not in contents.known


class _Loader(importlib.abc.Loader):
    def __init__(self, framework: Framework) -> None:
        self._framework = framework

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        made = CompatModule(spec.name)
        made.__jitcore_framework__ = self._framework
        return made

    def exec_module(self, module: ModuleType) -> None:
        contents = self._framework.contents(module.__name__)
        module.__doc__ = f"{module.__name__} by jitcore's means: {', '.join(contents.homes) or 'none of it'}."


class Finder(importlib.abc.MetaPathFinder):
    """Finds a framework's package and its submodules."""

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module of the framework's; None for every other."""
        del path, target
        if not self.framework.is_module(fullname):
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(self.framework), origin="jitcore", is_package=True)
