"""NumPy's numbers in boxes: where they are not as Python's are.

A NaN is found where it is the same object, and which object a number is is not known here: a call that needs it begins
anew in the interpreter (of Python's floats: where they are looked for, not where lists of them are compared). A number
that is compared with a list or tuple gives an array: that is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.boxed.values import flag, kinds_of, look, words
from jitcore.passes.infer.domain import cells
from jitcore.passes.infer.domain.cells import KEYS, VALUES, AnyKind, BoxOf, Cells, Kinds, Plain, TupleOf
from jitcore.passes.infer.domain.values import Number, Value
from jitcore.primitives.ops import conversions, python_floats, python_ints
from jitcore.program.boxes import Kind
from jitcore.program.words import NAN_AS_OBJECT
from jitcore.types import BOOL, FLOAT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_FLOATS: Final = frozenset([Plain(Kind.NP_FLOAT64), Plain(Kind.NP_FLOAT32)])
_ALL_FLOATS: Final = _FLOATS | {cells.FLOAT}
_NUMBERS: Final = frozenset(cells.NUMPY.values())
_BROADCAST: Final = (Kind.LIST, Kind.DEQUE)


def parts(known: Cells, kind: AnyKind) -> tuple[Kinds, ...]:
    """What the items, keys and values of a kind may be."""
    match kind:
        case TupleOf():
            return kind.items
        case BoxOf():
            return known.kinds(kind.cell, KEYS), known.kinds(kind.cell, VALUES)
        case Plain():
            return ()


def _within(known: Cells, kinds: Kinds) -> Iterator[AnyKind]:
    """Kinds, and those of all that is in them."""
    seen: set[AnyKind] = set()
    left = list(kinds)
    while left:
        kind = left.pop()
        if kind not in seen:
            seen.add(kind)
            yield kind
            left += [inner for part in parts(known, kind) for inner in part]


def have_numbers(infer: Infer, kinds: Kinds) -> bool:
    """Whether there are NumPy's numbers among values of kinds, or in them."""
    return any(kind in _NUMBERS for kind in _within(infer.assumptions.cells, kinds))


def sought(infer: Infer, value: Value) -> tuple[Atom, Atom]:
    """The kind and the payload of a value that is looked for, by its hash or by `==`."""
    given = words(infer, value)
    _require_no_nan(infer, kinds_of(infer, value), *given, _ALL_FLOATS)
    return given


def sorted_in(infer: Infer, value: Value, given: tuple[Atom, Atom]) -> tuple[Atom, Atom]:
    """The words of a value that is compared with others by `<`, which asks of the items of tuples whether they are the
    same."""
    found = kinds_of(infer, value)
    if any(isinstance(kind, TupleOf) for kind in found):
        require_no_nan(infer, found, *given)
    return given


def require_no_nan(infer: Infer, kinds: Kinds, kind: Atom, payload: Atom) -> None:
    """Begin the call anew where a value of these kinds, given as words, is or holds a NaN of NumPy's: it matters which
    object it is."""
    _require_no_nan(infer, kinds, kind, payload, _FLOATS)


def _require_no_nan(infer: Infer, kinds: Kinds, kind: Atom, payload: Atom, floats: frozenset[Plain]) -> None:
    if not any(found in floats for found in _within(infer.assumptions.cells, kinds)):
        return
    if payload.type is FLOAT:
        nan = Number(infer.emit(python_floats.float_is_nan, payload), BOOL)
    else:
        nan = flag(infer, look(infer, "has_nan", kind, payload, int(cells.FLOAT in floats), 0))
    fine = infer.emit(python_ints.bool_not, nan.atom)
    infer.emit_all(conversions.check, fine, exception="OverflowError", message=NAN_AS_OBJECT)


def require_comparable(infer: Infer, a: Kinds, b: Kinds) -> None:
    """Refuse to ask whether values are equal where one may be a number of NumPy's and the other a list or tuple."""
    if _meet(infer.assumptions.cells, a, b, set()):
        raise infer.unsupported(
            "asking whether a number of NumPy's and a list or tuple in a container of the run are equal",
            "int(…), float(…) or bool(…) of the number, or a container for each type",
        )


def _meet(known: Cells, a: Kinds, b: Kinds, seen: set[tuple[AnyKind, AnyKind]]) -> bool:
    for one in a:
        for other in b:
            if (one, other) in seen:
                continue
            seen.add((one, other))
            if (one in _NUMBERS and _is_sequence(other)) or (other in _NUMBERS and _is_sequence(one)):
                return True
            if any(_meet(known, x, y, seen) for x, y in zip(parts(known, one), parts(known, other), strict=False)):
                return True
    return False


def _is_sequence(kind: AnyKind) -> bool:
    return isinstance(kind, TupleOf) or (isinstance(kind, BoxOf) and kind.kind in _BROADCAST)
