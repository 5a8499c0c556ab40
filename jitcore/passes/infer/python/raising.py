"""How exceptions that a program raises are made when it does: from constants and the values of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.domain import abstract, templates
from jitcore.passes.infer.domain.values import Array, Boxed, Char, Number, Raised, Static, String, Text, Tuple, Value
from jitcore.passes.infer.engine.failures import fits_check, named
from jitcore.primitives.ops.conversions import Filled, Raising

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@abstract.described_exception.model
def describe(infer: Infer, raised: Raised) -> tuple[Any, Text]:
    """What a check needs for an exception: a built-in one's name, a class or a Raising; and its message."""
    (argument,) = raised.args if len(raised.args) == 1 else (None,)
    if raised.cause is None and (not raised.args or (argument is not None and templates.is_text(argument))):
        message = templates.as_text(argument) if argument is not None else Text("", ())
        if fits_check(message.values) and (message.template or not raised.args):
            return named(raised.cls), message
    parts: list[Text] = []
    made = _raising(infer, raised, parts)
    shown = templates.join_texts(parts)
    return made, shown


def _raising(infer: Infer, raised: Raised | Static, parts: list[Text]) -> Raising:
    if isinstance(raised, Static):
        return Raising(raised.value)
    args = tuple(_argument(infer, a, parts) for a in raised.args)
    cause = raised.cause
    if cause is None:
        return Raising(raised.cls, args)
    assert isinstance(cause, Raised | Static)
    return Raising(raised.cls, args, _raising(infer, cause, parts))


def _argument(infer: Infer, value: Value, parts: list[Text]) -> Any:
    """An argument of an exception: a constant, or filled in from the values that `parts` collects."""
    if isinstance(value, Static):
        return value.value
    if isinstance(value, Number | Array | String | Char | Boxed):
        parts.append(Text("{0}", (value,)))
        return Filled(_count(parts) - 1)
    if isinstance(value, Text):
        parts.append(value)
        return Filled(templates.renumbered(value.template, _count(parts) - len(value.values)))
    if isinstance(value, Tuple) and value.cls is tuple:
        return tuple(_argument(infer, v, parts) for v in value.items)
    raise infer.unsupported(
        "this value as an argument of an exception", "a number, a string, an array or a tuple of those"
    )


def _count(parts: Sequence[Text]) -> int:
    return sum(len(p.values) for p in parts)
