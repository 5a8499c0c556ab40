"""Emitting what raises exceptions and prints."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import abstract, forms, representations
from jitcore.passes.infer.domain.values import Array, Boxed, Char, Number, Raised, String, Text, Unreachable, Value
from jitcore.primitives.ops import conversions, state
from jitcore.program.boxes import BOX
from jitcore.types import BOOL, FLOAT, INT, values_of_text

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def named(cls: type[BaseException]) -> Any:
    """An exception class by its name if it is built in."""
    return cls.__name__ if getattr(builtins, cls.__name__, None) is cls else cls


def _categories(infer: Infer, values: Sequence[Value]) -> dict[str, Any]:
    """What tells host code which objects the arrays among the values it gets stand for."""
    found = tuple(_category(infer, v) for v in values)
    return {"categories": found} if any(c != "number" for c in found) else {}


def _category(infer: Infer, value: Value) -> str:
    if isinstance(value, Boxed):
        return f"{int(value.kind.kind)}{BOX}"
    if isinstance(value, String | Char):
        return "character" if isinstance(value, Char) else value.cls.__name__
    buffer = infer.heap.buffer(value)
    if buffer is not None:
        return "list of npscalars" if isinstance(buffer.element, forms.ArrayForm) else "list of numbers"
    return value.category if isinstance(value, Array) else "number"


def raise_error(infer: Infer, error: BaseException, values: Sequence[Atom] = ()) -> None:
    """Emit the raising of an exception; control does not get past it."""
    cls, args = type(error), error.args
    if values or not args or (len(args) == 1 and type(args[0]) is str and args[0]):
        message = str(args[0]) if args else ""
        if not values:
            message = message.replace("{", "{{").replace("}", "}}")
        message, dims = values_of_text(message, len(values))
        _emit_failure(infer, named(cls), message, [*values, *infer.extent_atoms(dims)])
    kind = cls if cls.__module__ == "builtins" else error
    _emit_failure(
        infer,
        conversions.Raising(kind, args if kind is cls else ()),
        str(error).replace("{", "{{").replace("}", "}}"),
        (),
    )


def emit_raise(infer: Infer, raised: Raised) -> NoReturn:
    """Emit the raising of an exception object."""
    made, message = abstract.described_exception(infer, raised)
    if isinstance(made, conversions.Raising) and not fits_check(message.values):
        params = {"exception": made, **_categories(infer, message.values)}
        infer.emit_all(state.raise_, *value_atoms(infer, message.values), **params)
        raise Unreachable
    _emit_failure(infer, made, message.template, value_atoms(infer, message.values))


def _emit_failure(infer: Infer, exception: Any, message: str, values: Sequence[Atom]) -> NoReturn:
    if len(values) > conversions.MOST_VALUES:
        cls = conversions.exception_class(exception) if isinstance(exception, str) else exception
        infer.emit_all(state.raise_, *values, exception=conversions.Raising(cls, (conversions.Filled(message),)))
        raise Unreachable
    infer.emit_all(conversions.check, Literal(False, BOOL), *values, exception=exception, message=message)
    raise Unreachable


def emit_print(infer: Infer, text: Text) -> None:
    """Emit the printing of a string."""
    params = {"template": text.template, **_categories(infer, text.values)}
    infer.emit_all(state.print_, *value_atoms(infer, text.values), **params)


def value_atoms(infer: Infer, values: Sequence[Value]) -> list[Atom]:
    """The atoms of run-time values that go into a message."""
    atoms: list[Atom] = []
    for value in values:
        if isinstance(value, Array):
            atoms.append(infer.read(value))
        elif isinstance(value, Number | String | Char | Boxed):
            atoms.append(value.atom)
        elif (held_items := infer.heap.buffer(value)) is not None:
            atoms.append(representations.column_of_list(infer, held_items))
        else:
            raise infer.unsupported("this value in a message", "a number or an array")
    return atoms


def fits_check(values: Sequence[Value]) -> bool:
    """Whether a check can hold these values until its exception is made (a bool would come out as an int)."""
    return len(values) <= conversions.MOST_VALUES and all(
        isinstance(v, Number) and v.type in (INT, FLOAT) for v in values
    )
