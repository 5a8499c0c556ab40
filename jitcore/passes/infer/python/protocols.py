"""Python's iteration protocols, written in Python and compiled as the user's code is: `__next__`, and `__getitem__` by
position."""

from __future__ import annotations

from collections.abc import Generator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Instance, PythonError, Static, Value
from jitcore.passes.infer.engine import classes
from jitcore.passes.infer.python import objects

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def _by_next(iterator: Any) -> Generator[Any]:
    while True:
        try:
            item = iterator.__next__()
        except StopIteration:
            return
        yield item


def _by_position(container: Any) -> Generator[Any]:
    k = 0
    while True:
        try:
            item = container[k]
        except IndexError:
            return
        yield item
        k += 1


def _next_or(iterator: Any, default: Any) -> Any:
    try:
        return iterator.__next__()
    except StopIteration:
        return default


def _holds(items: Any, wanted: Any) -> bool:
    return any(item is wanted or item == wanted for item in items)


def contains(infer: Infer, container: Instance, wanted: Value) -> Value:
    """`wanted in container` for an object without a `__contains__`."""
    if not has(container, "__iter__") and not has(container, "__getitem__"):
        raise PythonError(TypeError(f"argument of type '{container.cls.__name__}' is not iterable"))
    return abstract.call(infer, Static(_holds), [iterated(infer, container), wanted], {})


def has(value: Value, name: str) -> bool:
    """Whether a value is an object whose class has a special method written in Python."""
    cls = classes.class_of(value)
    return cls is not None and any(isinstance(base.__dict__.get(name), FunctionType) for base in cls.__mro__)


def iterated(infer: Infer, value: Instance) -> Value:
    """What going through an object made in compiled code goes through."""
    made = objects.special(infer, value, "__iter__")
    if made is None and has(value, "__getitem__"):
        return abstract.call(infer, Static(_by_position), [value], {})
    if made is None:
        raise PythonError(TypeError(f"'{value.cls.__name__}' object is not iterable"))
    if isinstance(made, Instance):
        if not has(made, "__next__"):
            raise PythonError(TypeError(f"iter() returned non-iterator of type '{made.cls.__name__}'"))
        return abstract.call(infer, Static(_by_next), [made], {})
    return abstract.iterable(infer, made)


def iterator(infer: Infer, value: Instance) -> Value:
    """`iter(value)`."""
    made = objects.special(infer, value, "__iter__")
    return iterated(infer, value) if made is None else made


def following(infer: Infer, value: Instance, default: Value | None) -> Value:
    """`next(value, default)`."""
    if not has(value, "__next__"):
        raise PythonError(TypeError(f"'{value.cls.__name__}' object is not an iterator"))
    if default is not None:
        return abstract.call(infer, Static(_next_or), [value, default], {})
    made = objects.special(infer, value, "__next__")
    assert made is not None
    return made
