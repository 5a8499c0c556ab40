"""`dataclass`, as the standard library has it, made in a fifth of the time: a process makes some two hundred of them.

The methods of a class are compiled together and fewer are compiled at all; frozen instances are also filled faster,
each field by its slot. What comes out is a dataclass: `dataclasses.fields`, `replace`, `copy`, `pickle` and `match`
work on it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    field, replace = dataclasses.field, dataclasses.replace

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """See `dataclasses.dataclass`."""

        def make(cls):
            return _made(cls, frozen, slots, eq)

        return make if cls is None else make(cls)


_MISSING: Final = dataclasses.MISSING
_OWN: Final = ("__init__", "__repr__", "__eq__", "__hash__")


def _made(cls: type, frozen: bool, slots: bool, eq: bool) -> type:
    own = set(cls.__dict__)
    if cls.__dict__.get("__hash__", _MISSING) is None and "__eq__" in own:
        own.discard("__hash__")  # Python put it there
    # those that derive from a frozen one must be made as such, which takes longer
    derived = any(getattr(base, "__dataclass_params__", None) is not None for base in cls.__mro__[1:])
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, frozen=frozen and derived)(cls)
    fields = dataclasses.fields(made)
    if any(f.kw_only or f.hash is not None for f in fields):
        raise TypeError(f"{cls.__qualname__}: fields with kw_only or hash are for dataclasses.dataclass")
    methods = _compiled(made, fields, frozen, slots, eq)
    for name in _OWN:
        if name not in own and name in methods:
            setattr(made, name, methods[name])
            if methods[name] is not None:
                methods[name].__qualname__ = f"{made.__qualname__}.{name}"
    if frozen and not derived:
        _freeze(made, frozenset(f.name for f in fields))
        if slots:
            made.__getstate__, made.__setstate__ = _getstate, _setstate
    params = made.__dataclass_params__
    params.init = params.repr = True
    params.eq, params.frozen = eq, frozen
    return made


def _compiled(
    made: Any, fields: tuple[dataclasses.Field[Any], ...], frozen: bool, slots: bool, eq: bool
) -> dict[str, Any]:
    """The methods of a class, compiled as one text."""
    scope: dict[str, Any] = {"_MISSING": _MISSING, "_set": object.__setattr__}
    params: list[str] = []
    lines: list[str] = []
    for f in fields:
        value = f.name
        if f.default is not _MISSING:
            scope[f"_default_{f.name}"] = f.default
            params += [f"{f.name}=_default_{f.name}"] if f.init else []
            value = f.name if f.init else f"_default_{f.name}"
        elif f.default_factory is not _MISSING:
            scope[f"_make_{f.name}"] = f.default_factory
            params += [f"{f.name}=_MISSING"] if f.init else []
            value = f"_make_{f.name}() if {f.name} is _MISSING else {f.name}" if f.init else f"_make_{f.name}()"
        elif f.init:
            params.append(f.name)
        else:
            continue
        if not frozen:
            lines.append(f"  self.{f.name} = {value}")
        elif slots:
            scope[f"_set_{f.name}"] = getattr(made, f.name).__set__
            lines.append(f"  _set_{f.name}(self, {value})")
        else:
            lines.append(f"  _set(self, {f.name!r}, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("  self.__post_init__()")
    text = [f"def __init__({', '.join(['self', *params])}):", *(lines or ["  pass"])]
    if eq:
        compared = [f.name for f in fields if f.compare]
        mine, other = (f"({''.join(f'{who}.{name}, ' for name in compared)})" for who in ("self", "other"))
        text += [
            "def __eq__(self, other):",
            f"  return {mine} == {other} if other.__class__ is self.__class__ else NotImplemented",
        ]
        if frozen:
            text += ["def __hash__(self):", f"  return hash({mine})"]
        else:
            scope["__hash__"] = None
    exec("\n".join(text), scope)
    scope["__repr__"] = _repr(tuple(f.name for f in fields if f.repr))
    return scope


def _repr(names: tuple[str, ...]) -> Callable[[Any], str]:
    @recursive_repr("...")
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _freeze(made: Any, names: frozenset[str]) -> None:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    made.__setattr__, made.__delattr__ = __setattr__, __delattr__


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for f, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
