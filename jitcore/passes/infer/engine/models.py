"""The registry of models: what calling a function of Python's or of its libraries does to abstract values.

    @models(ord)
    def ordinal(infer: Infer, text: Value) -> Value: ...

Modules register the models of what they know; calls look them up by the object that is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from jitcore.passes.infer.domain.values import Value
from jitcore.primitives.core.dialects import meant

Model: TypeAlias = Callable[..., Value]
"""Called with the state of inference and the abstract arguments; its parameters have the function's names."""
F = TypeVar("F", bound=Callable[..., Any])

_MODELS: dict[Any, Model] = {}
_ITERABLES: dict[Any, slice] = {}
_FAMILIES: list[Callable[[object], Model | None]] = []


def models(*objects: object, iterables: slice | None = None) -> Callable[[F], F]:
    """Register a function as the model of what it models; `iterables`: which arguments are gone through."""

    def register(function: F) -> F:
        register_models(dict.fromkeys(objects, function), iterables=iterables)
        return function

    return register


def register_models(found: Mapping[Any, Model], *, iterables: slice | None = None) -> None:
    """Register several models."""
    _MODELS.update(found)
    if iterables is not None:
        _ITERABLES.update(dict.fromkeys(found, iterables))


def models_family(function: Callable[[object], Model | None]) -> Callable[[object], Model | None]:
    """Register what finds the models of a family of functions, by the function."""
    _FAMILIES.append(function)
    return function


def model_of(obj: object) -> Model | None:
    """The model of an object that is called; None if it has none."""
    try:
        found = _MODELS.get(meant(obj))
    except TypeError:  # unhashable
        return None
    return found or next(filter(None, (family(obj) for family in _FAMILIES)), None)


def iterables_of(obj: object, args: Sequence[Value]) -> slice:
    """Which of its arguments a modelled function goes through."""
    return slice(1) if obj in (max, min) and len(args) == 1 else _ITERABLES.get(obj, slice(0))
