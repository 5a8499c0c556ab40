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
    from jitcore.passes.infer.engine.core import Infer


@modelled
def call(infer: Infer, callee: Value, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`callee(*args, **keywords)`."""
    raise NotImplementedError


@modelled
def attribute(infer: Infer, value: Value, name: str) -> Value:
    """`value.name`."""
    raise NotImplementedError


@modelled
def set_attribute(infer: Infer, target: Value, name: str, value: Value) -> None:
    """`target.name = value`."""
    raise NotImplementedError


@modelled
def item(infer: Infer, container: Value, key: Value) -> Value:
    """`container[key]`."""
    raise NotImplementedError


@modelled
def set_item(infer: Infer, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`."""
    raise NotImplementedError


@modelled
def truth(infer: Infer, value: Value) -> Value:
    """`bool(value)` as `if` does it."""
    raise NotImplementedError


@modelled
def not_(infer: Infer, value: Value) -> Value:
    """The negation of a truth value."""
    raise NotImplementedError


@modelled
def compare(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` for any comparison."""
    raise NotImplementedError


@modelled
def binary(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y`."""
    raise NotImplementedError


@modelled
def index(infer: Infer, value: Value) -> Value:
    """A value as Python's `__index__` gives it."""
    raise NotImplementedError


@modelled
def int_(infer: Infer, value: Value) -> Value:
    """`int(value)`."""
    raise NotImplementedError


@modelled
def float_(infer: Infer, value: Value) -> Value:
    """`float(value)`."""
    raise NotImplementedError


@modelled
def iterable(infer: Infer, value: Value) -> Value:
    """What a `for` goes over: for objects of user classes, what their `__iter__` gives."""
    raise NotImplementedError


@modelled
def as_list(infer: Infer, values: Value) -> Value:
    """`list(values)`."""
    raise NotImplementedError


@modelled
def class_of(infer: Infer, value: Value) -> type:
    """The Python class of a value."""
    raise NotImplementedError


# --- going through values -----------------------------------------------------------------------------


@modelled
def iterate_static(infer: Infer, value: Value) -> tuple[Value, ...] | None:
    """The items of an iterable whose length is known now; None where it is not."""
    raise NotImplementedError


@modelled
def spread(
    infer: Infer, values: list[Value], stars: tuple[int, ...], subject: str = "Value after *"
) -> tuple[Value, ...]:
    """Items of a display or call with `*x` items (at the positions `stars`) spread out. A message says of the `subject`
    that it is no iterable; "": Python's otherwise."""
    raise NotImplementedError


@modelled
def entries_of(infer: Infer, value: Value) -> dict[Any, Value]:
    """The entries of a mapping."""
    raise NotImplementedError


@modelled
def unpack(infer: Infer, value: Value, before: int, star: bool, after: int) -> list[Value]:
    """`a, *b, c = value`."""
    raise NotImplementedError


@dispatched
def items_left(infer: Infer, value: Value) -> tuple[Value, ...] | None:
    """The items that an iterator has left, where that is known; None where it is not."""
    raise NotImplementedError


@dispatched
def sequence(infer: Infer, value: Value) -> Sequence_:
    """What an iterator has left, or a list of run-time length, as something whose length may be known only at run
    time."""
    raise NotImplementedError


@dispatched
def following(infer: Infer, value: Value, default: Value | None = None) -> Value:
    """`next(value, default)` of an iterator that computes its items as they are taken."""
    raise NotImplementedError


# --- objects of the user's, text, and what is raised ---------------------------------------------------


@modelled
def call_method_of(infer: Infer, value: Value) -> Value | None:
    """The `__call__` of an object of a user's class; None if it has none."""
    raise NotImplementedError


@modelled
def new_object(infer: Infer, cls: type, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`cls(*args, **keywords)` of a user's class."""
    raise NotImplementedError


@modelled
def format_value(infer: Infer, value: Value, conversion: str | None, spec: str) -> Text:
    """A replacement field of an f-string."""
    raise NotImplementedError


@modelled
def text_method(infer: Infer, of: str, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`of.format(*args, **keywords)` or `of.join(args[0])`."""
    raise NotImplementedError


@modelled
def generated(
    infer: Infer, cls: type, name: str, value: Value, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call the method `name` of a class that `dataclass` generated."""
    raise NotImplementedError


@modelled
def described_exception(infer: Infer, raised: Raised) -> tuple[Any, Text]:
    """What a check needs for an exception: a built-in one's name, a class or a Raising; and its message."""
    raise NotImplementedError


@modelled
def before_raise(infer: Infer, primitive: Primitive, args: Sequence[Atom], params: dict[str, Any]) -> None:
    """A primitive that may raise is about to be emitted inside a `try`."""
    raise NotImplementedError
