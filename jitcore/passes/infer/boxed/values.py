"""Values as the two words that containers hold, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import abstract, boxed, cells, forms, texts
from jitcore.passes.infer.domain.cells import AnyKind, BoxOf, Factory, Kinds, Plain, TooManyKindsError, TupleOf
from jitcore.passes.infer.domain.forms import ArrayForm, BoxedForm, CompositeForm, Form, NumberForm, Same, UnionForm
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    NO_ORIGINS,
    Array,
    Boxed,
    Char,
    Number,
    Static,
    String,
    Text,
    Tuple,
    Union,
    Unreachable,
    Value,
)
from jitcore.passes.infer.engine import failures
from jitcore.primitives.core.code_points import column_of
from jitcore.primitives.ops import boxes, conversions, elementwise, python_ints
from jitcore.program import boxes as boxes_of_program
from jitcore.program.boxes import Kind
from jitcore.source import CompileError
from jitcore.structs import replace
from jitcore.types import BOOL, FLOAT, INT, DType, ScalarType, TensorType, i64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

NUMBER_KINDS: Final = {BOOL: cells.BOOL, INT: cells.INT, FLOAT: cells.FLOAT}
_TYPES: Final = {Kind.BOOL: BOOL, Kind.INT: INT, Kind.FLOAT: FLOAT}
_DTYPES: Final = {plain.kind: dtype for dtype, plain in cells.NUMPY.items()}
_TEXT_HEADER: Final = 4
"""Words before a string's code points."""
_SIMPLER: Final = "a container for each type, or fewer levels"


def look(infer: Infer, function: str, *args: Atom | int, type: ScalarType = INT) -> Atom:
    """What a function of the library that only looks at boxes gives."""
    op = boxes.box_pure if function in boxes.PURE else boxes.box_read
    return infer.emit(op, *map(_atom, args), function=function, type=type)


def act(infer: Infer, function: str, *args: Atom | int) -> Atom:
    """What a function of the library that makes or changes boxes gives."""
    op = boxes.box_pure if function in boxes.PURE else boxes.box_change
    return infer.emit(op, *map(_atom, args), function=function)


def _atom(given: Atom | int) -> Atom:
    return Literal(int(given), INT) if isinstance(given, int) else given


def number(infer: Infer, atom: Atom) -> Number:
    """An int that the program computed."""
    return Number(atom, INT)


def flag(infer: Infer, atom: Atom) -> Number:
    """A word that is 0 or 1 as a bool."""
    return Number(infer.emit(python_ints.int_ne, atom, Literal(0, INT)), BOOL)


# --- kinds


def add(infer: Infer, cell: int, kinds: Kinds, part: int = cells.KEYS) -> None:
    """What a cell may hold; what was read of it in this attempt may have been too little."""
    known = infer.assumptions.cells
    before = known.growth
    try:
        known.add(cell, kinds, part)
    except TooManyKindsError as error:
        raise infer.unsupported(error.message, _SIMPLER) from None
    infer.is_stale = infer.is_stale or known.growth > before


def unify(infer: Infer, a: BoxOf, b: BoxOf) -> BoxOf:
    """Two boxes that one variable may be hold the same."""
    known = infer.assumptions.cells
    before = known.growth
    try:
        cell = known.unify(a.cell, b.cell)
    except TooManyKindsError as error:
        raise infer.unsupported(error.message, _SIMPLER) from None
    infer.is_stale = infer.is_stale or known.growth > before
    return replace(a, cell=cell)


def new_kind(infer: Infer, kind: Kind, cls: type, label: str = "", factory: Factory | None = None) -> BoxOf:
    """The kind of a container that is made at this place."""
    return BoxOf(kind, cls, infer.assumptions.cells.at((label, cls, factory, infer.place())), factory)


def kinds_of(infer: Infer, value: Value) -> Kinds:
    """What kinds a value is of."""
    match value:
        case Static() if value.value is None:
            return (cells.NONE,)
        case Static() if type(value.value) in forms.SCALARS and forms.SCALARS[type(value.value)] in NUMBER_KINDS:
            return (NUMBER_KINDS[forms.SCALARS[type(value.value)]],)
        case Static() if type(value.value) is tuple:
            return kinds_of(infer, Tuple(tuple(map(Static, value.value))))
        case Number() if value.type in NUMBER_KINDS:
            return (NUMBER_KINDS[value.type],)
        case Array() | Static() if (plain := numpy_kind(value)) is not None:
            return (plain,)
        case Boxed():
            return infer.assumptions.cells.resolved((value.kind,))
        case Tuple() if value.cls is tuple:
            return (TupleOf(tuple, tuple(kinds_of(infer, item) for item in value.items)),)
        case Union():
            found: Kinds = ()
            for member in value.members:
                found = infer.assumptions.cells.join(found, _kinds_of_form(infer, member))
            return found
        case _ if is_text(value):
            return (cells.STR,)
        case _:
            raise _unboxable(infer, type_name(value))


def numpy_kind(value: Value) -> Plain | None:
    """The kind of a number of NumPy's that goes into boxes; None for other values."""
    if isinstance(value, Static):
        known = boxes_of_program.NUMPY.get(type(value.value))
        return None if known is None else Plain(known)
    return cells.NUMPY.get(value.type.dtype) if isinstance(value, Array) and value.category == "npscalar" else None


def _unboxable(infer: Infer, what: str) -> CompileError:
    hint = "numbers, strings, None, and tuples, lists, dicts and sets of them; or constants as keys, known lengths"
    if what.startswith("numpy.") and what != "numpy.ndarray":
        hint = "int(…), float(…) or bool(…) of it"
    return infer.unsupported(f"a value of type {what} in a container of the run", hint)


def _kinds_of_form(infer: Infer, form: Form) -> Kinds:
    match form:
        case Same():
            return kinds_of(infer, form.value)
        case NumberForm() if form.type in NUMBER_KINDS:
            return (NUMBER_KINDS[form.type],)
        case ArrayForm(TensorType(dtype), "npscalar") if dtype in cells.NUMPY:
            return (cells.NUMPY[dtype],)
        case BoxedForm():
            return infer.assumptions.cells.resolved((form.kind,))
        case CompositeForm() if form.kind is Tuple and form.extra is tuple:
            return (TupleOf(tuple, tuple(_kinds_of_form(infer, item) for item in form.items)),)
        case CompositeForm() if form.kind in (Char, String):
            return (cells.STR,)
        case UnionForm():
            found: Kinds = ()
            for member in form.members:
                found = infer.assumptions.cells.join(found, _kinds_of_form(infer, member))
            return found
        case _:
            raise _unboxable(infer, "that differs from path to path")


def is_text(value: Value) -> bool:
    """Whether a value is a str, in a box or not."""
    if isinstance(value, Boxed):
        return value.kind == cells.STR
    return isinstance(value, Text) or texts.class_of(value) is str


# --- to words


def text(infer: Infer, value: Value) -> Atom:
    """The box of a str."""
    match value:
        case Boxed():
            return value.atom
        case Static():
            return _constant(infer, value.value)
        case Char():
            return act(infer, "text_of_code", value.atom)
        case Text():
            settled = boxed.settled(infer, value)
            assert isinstance(settled, Boxed)
            return settled.atom
        case String():
            return infer.emit(boxes.box_text, value.atom)
        case _:
            raise infer.unsupported(f"a value of type {type_name(value)} in the place of a string of the run")


def _constant(infer: Infer, value: str) -> Atom:
    """A constant string as a box that the program has."""
    points = column_of(value)
    words = boxes.constant_text(points)
    return infer.emit(boxes.box_constant, Literal(words, TensorType(i64, words.shape)))


def words(infer: Infer, value: Value) -> tuple[Atom, Atom]:
    """The kind and the payload of a value."""
    match value:
        case Static() if value.value is None:
            return Literal(int(Kind.NONE), INT), Literal(0, INT)
        case Static() if type(value.value) is tuple:
            return words(infer, Tuple(tuple(map(Static, value.value))))
        case Static() if type(value.value) in forms.SCALARS and type(value.value) is not complex:
            type_ = forms.SCALARS[type(value.value)]
            return _kind(NUMBER_KINDS[type_]), infer.number_atom(value, type_)
        case Number() if value.type in NUMBER_KINDS:
            return _kind(NUMBER_KINDS[value.type]), value.atom
        case Static() if (plain := numpy_kind(value)) is not None:
            item: object = np.asarray(value.value).item()
            return _kind(plain), infer.number_atom(Static(item), forms.SCALARS[type(item)])
        case Array() if (plain := numpy_kind(value)) is not None:
            return _kind(plain), infer.emit(conversions.to_scalar, infer.read(value))
        case Boxed():
            return _kind(value.kind), value.atom
        case Tuple():
            return Literal(int(Kind.TUPLE), INT), new_tuple(infer, value.items)
        case Union():
            made = infer.switch_union(value, lambda member: list(_plain_words(infer, member)), (INT, INT))
            return made[0], made[1]
        case _ if is_text(value):
            return Literal(int(Kind.STR), INT), text(infer, value)
        case _:
            raise _unboxable(infer, type_name(value))


def _kind(kind: AnyKind) -> Literal:
    return Literal(int(Kind.TUPLE if isinstance(kind, TupleOf) else kind.kind), INT)


def _plain_words(infer: Infer, value: Value) -> tuple[Atom, Atom]:
    """As `words`, the payload as an int whatever it is."""
    kind, payload = words(infer, value)
    return kind, payload if payload.type is INT else look(infer, "same", payload)


def new_tuple(infer: Infer, items: Sequence[Value]) -> Atom:
    """The box of a tuple."""
    return act(infer, "tuple_of", *(word for item in items for word in words(infer, item)))


# --- from words

Payload = Callable[[ScalarType], Atom]


def read(infer: Infer, kinds: Kinds, kind: Callable[[], Atom], payload: Payload) -> Value:
    """The value that two words are, which is of one of these kinds."""
    kinds = infer.assumptions.cells.resolved(kinds)
    if not kinds:  # nothing is ever put there, or nothing that this attempt knows of
        failures.raise_error(infer, RuntimeError("an item of a container that never has one"))
        raise Unreachable
    if len(kinds) == 1:
        return _of_kind(infer, kinds[0], payload)
    form = UnionForm(tuple(map(form_of, kinds)))
    tag, lengths = kind(), [len(k.items) for k in kinds if isinstance(k, TupleOf)]

    def is_member(k: int) -> Atom:
        member = kinds[k]
        same = infer.emit(python_ints.int_eq, tag, _kind(member))
        if not isinstance(member, TupleOf) or len(lengths) < 2:
            return same
        box = infer.emit(python_ints.int_select, same, payload(INT), Literal(0, INT))
        length = look(infer, "tuple_length_or_0", box)
        return infer.emit(python_ints.bool_and, same, infer.emit(python_ints.int_eq, length, _atom(len(member.items))))

    def atoms_of(k: int) -> list[Atom]:
        return forms.flatten(infer, form.members[k], _of_kind(infer, kinds[k], payload))

    return Union(forms.union_by(infer, form, is_member, atoms_of), forms.union_type(form), form.members)


def form_of(kind: AnyKind) -> Form:
    """The form of values of a kind."""
    match kind:
        case TupleOf():
            return CompositeForm(Tuple, kind.cls, tuple(map(_form_of_item, kind.items)))
        case Plain(Kind.NONE):
            return Same(Static(None))
        case Plain() if kind.kind in _TYPES:
            return NumberForm(_TYPES[kind.kind])
        case Plain() if kind.kind in _DTYPES:
            return ArrayForm(TensorType(_DTYPES[kind.kind], ()), "npscalar", NO_ORIGINS)
        case _:
            return BoxedForm(kind)


def _form_of_item(kinds: Kinds) -> Form:
    made = tuple(map(form_of, kinds))
    return made[0] if len(made) == 1 else UnionForm(made)


def _of_kind(infer: Infer, kind: AnyKind, payload: Payload) -> Value:
    match kind:
        case Plain(Kind.NONE):
            return Static(None)
        case Plain() if kind.kind in _TYPES:
            type_ = _TYPES[kind.kind]
            return Number(payload(type_), type_)
        case Plain() if kind.kind in _DTYPES:
            return Array(_numpy_number(infer, _DTYPES[kind.kind], payload), "npscalar")
        case TupleOf():
            box = payload(INT)
            return Tuple(tuple(_item(infer, box, k, kinds) for k, kinds in enumerate(kind.items)), kind.cls)
        case _:
            return Boxed(payload(INT), kind)


def _numpy_number(infer: Infer, dtype: DType, payload: Payload) -> Atom:
    if dtype.kind not in "iu":
        return infer.emit(conversions.from_scalar, payload(BOOL if dtype.kind == "b" else FLOAT), dtype=dtype)
    made = infer.emit(conversions.from_scalar, payload(INT), dtype=i64)
    return made if dtype is i64 else infer.emit(elementwise.cast, made, dtype=dtype)  # it fits


def _item(infer: Infer, box: Atom, k: int, kinds: Kinds) -> Value:
    return read(
        infer,
        kinds,
        lambda: look(infer, "tuple_kind", box, k),
        lambda type_: look(infer, "tuple_item", box, k, type=type_),
    )


def held(infer: Infer, kinds: Kinds, where: str, *args: Atom) -> Value:
    """The value at a place of a container: functions `where`_kind and `where` of the library read it."""
    kind = where.replace("_item", "_kind") if where in ("list_item", "tuple_item") else f"{where}_kind"
    return read(infer, kinds, lambda: look(infer, kind, *args), lambda type_: look(infer, where, *args, type=type_))


# --- where control flow joins


@boxed.address.model
def address(infer: Infer, kind: AnyKind, value: Value) -> Atom:
    """See `domain.boxed.address`."""
    if isinstance(value, Union):
        return infer.switch_union(value, lambda member: [address(infer, kind, member)], (INT,))[0]
    if kind == cells.STR:
        return text(infer, value)
    assert isinstance(value, Boxed)
    return value.atom


@boxed.fits.model
def fits(infer: Infer, kind: AnyKind, value: Value) -> bool:
    """See `domain.boxed.fits`."""
    if kind == cells.STR:
        return is_text(value)
    if not isinstance(value, Boxed) or not isinstance(value.kind, BoxOf) or not isinstance(kind, BoxOf):
        return False
    if value.kind.family != kind.family:
        return False
    unify(infer, kind, value.kind)
    return True


@boxed.joined.model
def joined(infer: Infer, a: Form, b: Form) -> Form | None:
    """See `domain.boxed.joined`."""
    one, other = (_kind_of_form(form) for form in (a, b))
    if one is None or other is None:
        return None
    if one == other:
        return BoxedForm(one)
    if isinstance(one, BoxOf) and isinstance(other, BoxOf) and one.family == other.family:
        return BoxedForm(unify(infer, one, other))
    return None


def _kind_of_form(form: Form) -> AnyKind | None:
    match form:
        case BoxedForm():
            return form.kind
        case Same(Static(str())):
            return cells.STR
        case Same(Boxed() as value):
            return value.kind
        case CompositeForm() if form.kind in (Char, Text) or (form.kind is String and form.extra is str):
            return cells.STR
        case UnionForm() if all(_kind_of_form(member) == cells.STR for member in form.members):
            return cells.STR
        case _:
            return None


@boxed.given_back.model
def given_back(infer: Infer, value: Value) -> Atom:
    """See `domain.boxed.given_back`."""
    return act(infer, "object_given", *words(infer, value))


@boxed.has_boxes.model
def has_boxes(infer: Infer, value: Value) -> bool:
    """See `domain.boxed.has_boxes`."""
    return isinstance(value, Union) and any(map(_has_boxes, value.members))


def _has_boxes(form: Form) -> bool:
    match form:
        case BoxedForm():
            return True
        case Same():
            return isinstance(form.value, Boxed)
        case CompositeForm():
            return any(map(_has_boxes, form.items))
        case UnionForm():
            return any(map(_has_boxes, form.members))
        case _:
            return False


def distributed(infer: Infer, value: Value, compute: Callable[[Value], Value]) -> Value:
    """What is computed of a value, of each of its members if it is a union."""
    if not isinstance(value, Union):
        return compute(value)
    return infer.distribute([value], lambda vs: [compute(vs[0])])[0]


def index(infer: Infer, value: Value) -> Atom:
    """An int of Python's, as what indices are."""
    return infer.number_atom(abstract.index(infer, value), INT)
