"""What inference asks of values in boxes, modelled in `passes.infer.boxed`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jitcore.ir.nodes import Atom
from jitcore.modelled import modelled
from jitcore.passes.infer.domain.cells import AnyKind, BoxOf
from jitcore.passes.infer.domain.values import Boxed, Path, Value

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.forms import Form
    from jitcore.passes.infer.domain.signature import Arg
    from jitcore.passes.infer.domain.state import State


def class_of(value: Boxed) -> type:
    """The Python class of a value in a box."""
    return value.kind.cls if isinstance(value.kind, BoxOf) else str


@modelled
def address(infer: State, kind: AnyKind, value: Value) -> Atom:
    """The address of a value as a box of this kind."""
    raise NotImplementedError


@modelled
def fits(infer: State, kind: AnyKind, value: Value) -> bool:
    """Whether a value is, or can be put into, a box of this kind."""
    raise NotImplementedError


@modelled
def joined(infer: State, a: Form, b: Form) -> Form | None:
    """The form of two values, one of them in a box, where they meet; None: they are told apart."""
    raise NotImplementedError


@modelled
def argument(infer: State, arg: Arg, path: Path) -> Value | None:
    """A list, dict or set that is an argument, or a str, in a box; None for what goes into none."""
    raise NotImplementedError


@modelled
def captured(infer: State, obj: object, path: Path) -> Value | None:
    """A list, dict or set of the code outside in a box; None for what goes into none."""
    raise NotImplementedError


@modelled
def called(infer: State, callee: object, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value | None:
    """A call of Python's function or class that gives a box, or is given some; None: it is as others are."""
    raise NotImplementedError


@modelled
def length(infer: State, value: Boxed) -> Value:
    """`len(value)`."""
    raise NotImplementedError


@modelled
def contains(infer: State, container: Boxed, item: Value) -> Value:
    """`item in container`."""
    raise NotImplementedError


@modelled
def delete(infer: State, container: Boxed, key: Value) -> None:
    """`del container[key]`."""
    raise NotImplementedError


@modelled
def inplace(infer: State, op: str, target: Boxed, operand: Value) -> Value:
    """`target op= operand`."""
    raise NotImplementedError


@modelled
def unary(infer: State, op: str, value: Boxed) -> Value:
    """`op value`."""
    raise NotImplementedError


@modelled
def display(infer: State, cls: type, items: Sequence[Value], stars: Sequence[int]) -> Value:
    """A list, set or dict (keys and values by turns) that the program makes; items at the positions `stars` are gone
    through, or stand before a mapping whose entries are put in."""
    raise NotImplementedError


@modelled
def settled(infer: State, value: Value) -> Value:
    """A string that was put together, as a box; other values as they are."""
    raise NotImplementedError


@modelled
def given_back(infer: State, value: Value) -> Atom:
    """The address of the Python object that a value in a box is made into as a result."""
    raise NotImplementedError


@modelled
def has_boxes(infer: State, value: Value) -> bool:
    """Whether a value is a union with boxes among its members, or in them."""
    raise NotImplementedError


@modelled
def require_raised(infer: State, callee: Value, args: Sequence[Value], keywords: Mapping[str, Value]) -> None:
    """Raise CompileError where a call that is found to raise an exception may not do so: what is no function of the
    program's is given boxes, of which it may not know what to make."""
    raise NotImplementedError
