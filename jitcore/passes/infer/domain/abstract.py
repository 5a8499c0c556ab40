"""Python's operations on abstract values, as CPython's abstract objects layer has them: declared here, below all that
needs them, and modelled above, in the modules that know the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom
from jitcore.modelled import dispatched, modelled
from jitcore.passes.infer.domain.values import Raised, Text, Value
from jitcore.passes.infer.domain.values import Sequence as Sequence_
from jitcore.primitives.core.registry import Primitive

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


@modelled
def call(infer: State, callee: Value, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`callee(*args, **keywords)`."""
    raise NotImplementedError


@modelled
def attribute(infer: State, value: Value, name: str) -> Value:
    """`value.name`."""
    raise NotImplementedError


@modelled
def set_attribute(infer: State, target: Value, name: str, value: Value) -> None:
    """`target.name = value`."""
    raise NotImplementedError


@modelled
def item(infer: State, container: Value, key: Value) -> Value:
    """`container[key]`."""
    raise NotImplementedError


@modelled
def set_item(infer: State, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`."""
    raise NotImplementedError


@modelled
def truth(infer: State, value: Value) -> Value:
    """`bool(value)` as `if` does it."""
    raise NotImplementedError


@modelled
def not_(infer: State, value: Value) -> Value:
    """The negation of a truth value."""
    raise NotImplementedError


@modelled
def compare(infer: State, op: str, x: Value, y: Value) -> Value:
    """`x op y` for any comparison."""
    raise NotImplementedError


@modelled
def binary(infer: State, op: str, x: Value, y: Value) -> Value:
    """`x op y`."""
    raise NotImplementedError


@modelled
def index(infer: State, value: Value) -> Value:
    """A value as Python's `__index__` gives it."""
    raise NotImplementedError


@modelled
def int_(infer: State, value: Value) -> Value:
    """`int(value)`."""
    raise NotImplementedError


@modelled
def float_(infer: State, value: Value) -> Value:
    """`float(value)`."""
    raise NotImplementedError


@modelled
def iterable(infer: State, value: Value) -> Value:
    """What a `for` goes over: for objects of user classes, what their `__iter__` gives."""
    raise NotImplementedError


@modelled
def as_list(infer: State, values: Value) -> Value:
    """`list(values)`."""
    raise NotImplementedError


@modelled
def class_of(infer: State, value: Value) -> type:
    """The Python class of a value."""
    raise NotImplementedError


# --- going through values -----------------------------------------------------------------------------


@modelled
def iterate_static(infer: State, value: Value) -> tuple[Value, ...] | None:
    """The items of an iterable whose length is known now; None where it is not."""
    raise NotImplementedError


@modelled
def spread(
    infer: State, values: list[Value], stars: tuple[int, ...], subject: str = "Value after *"
) -> tuple[Value, ...]:
    """Items of a display or call with `*x` items (at the positions `stars`) spread out. A message says of the `subject`
    that it is no iterable; "": Python's otherwise."""
    raise NotImplementedError


@modelled
def entries_of(infer: State, value: Value) -> dict[Any, Value]:
    """The entries of a mapping."""
    raise NotImplementedError


@modelled
def unpack(infer: State, value: Value, before: int, star: bool, after: int) -> list[Value]:
    """`a, *b, c = value`."""
    raise NotImplementedError


@dispatched
def items_left(infer: State, value: Value) -> tuple[Value, ...] | None:
    """The items that an iterator has left, where that is known; None where it is not."""
    raise NotImplementedError


@dispatched
def sequence(infer: State, value: Value) -> Sequence_:
    """What an iterator has left, or a list of run-time length, as something whose length may be known only at run
    time."""
    raise NotImplementedError


@dispatched
def following(infer: State, value: Value, default: Value | None = None) -> Value:
    """`next(value, default)` of an iterator that computes its items as they are taken."""
    raise NotImplementedError


# --- objects of the user's, text, and what is raised ---------------------------------------------------


@modelled
def call_method_of(infer: State, value: Value) -> Value | None:
    """The `__call__` of an object of a user's class; None if it has none."""
    raise NotImplementedError


@modelled
def new_object(infer: State, cls: type, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`cls(*args, **keywords)` of a user's class."""
    raise NotImplementedError


@modelled
def format_value(infer: State, value: Value, conversion: str | None, spec: str) -> Text:
    """A replacement field of an f-string."""
    raise NotImplementedError


@modelled
def text_method(infer: State, of: str, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`of.format(*args, **keywords)` or `of.join(args[0])`."""
    raise NotImplementedError


@modelled
def generated(
    infer: State, cls: type, name: str, value: Value, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call the method `name` of a class that `dataclass` generated."""
    raise NotImplementedError


@modelled
def described_exception(infer: State, raised: Raised) -> tuple[Any, Text]:
    """What a check needs for an exception: a built-in one's name, a class or a Raising; and its message."""
    raise NotImplementedError


@modelled
def before_raise(infer: State, primitive: Primitive, args: Sequence[Atom], params: dict[str, Any]) -> None:
    """A primitive that may raise is about to be emitted inside a `try`."""
    raise NotImplementedError
