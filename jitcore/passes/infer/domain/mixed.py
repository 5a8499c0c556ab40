"""Items of lists of run-time length that are numbers (or Tensors without axes) of one of several types, or None
(`forms.MixedForm`).

A column has the kind of each item, by a number that means the same in all lists, and one column for each dtype has its
value. What is read of such a list is a union; what is stored is one of its members, or a union of some. A list gets
these columns when it first holds a second kind (`converted`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Atom, Literal, Var
from jitcore.passes.infer.domain import forms, representations
from jitcore.passes.infer.domain.columns import extent_of, shape_of, zero, zeros
from jitcore.passes.infer.domain.forms import ArrayForm, CompositeForm, Form, MixedForm, NumberForm, Same, UnionForm
from jitcore.passes.infer.domain.values import Buffer, Origin, Reference, Static, Tuple, Union, Value
from jitcore.primitives.ops import conversions, joining, python_ints
from jitcore.types import BOOL, COMPLEX, DTYPES, FLOAT, INT, Dim, DType, ScalarType, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State

_PYTHON: Final = (BOOL, INT, FLOAT, COMPLEX)
_PYTHON_OF: Final[Mapping[DType, ScalarType]] = {t.dtype: t for t in _PYTHON}
_NUMPY: Final = tuple(DTYPES.values())
NONE: Final = Same(Static(None))
"""The form of items that are None: one object, as values are equal to themselves alone."""


# --- kinds ------------------------------------------------------------------------------------------


def kind_of(form: Form) -> int | None:
    """The number of a kind of items: None, Python's numbers, NumPy's scalars, Tensors without axes. None if a form is
    of no such kind."""
    match form:
        case Same(Static() as value):
            return 0 if value.value is None else None
        case NumberForm():
            return 1 + _PYTHON.index(form.type)
        case ArrayForm(TensorType(dtype, ()), "npscalar" | "tensor" as category):
            return 1 + len(_PYTHON) + 2 * _NUMPY.index(dtype) + (category == "tensor")
        case _:
            return None


def members_of(form: Form) -> tuple[Form, ...]:
    """What a value of a form may be."""
    return form.members if isinstance(form, UnionForm | MixedForm) else (form,)


def joined(*found: Form) -> Form | None:
    """The form of items of any of these forms; None if they are not all of such kinds."""
    members: dict[int, Form] = {}
    for form in (member for given in found for member in members_of(given)):
        kind = kind_of(form)
        if kind is None:
            return None
        members[kind] = _plain(form, members.get(kind))
    made = tuple(members[kind] for kind in sorted(members))
    return made[0] if len(made) == 1 else MixedForm(made)


def _plain(form: Form, other: Form | None) -> Form:
    """A form of a kind as it is in lists, joined with another one of the kind."""
    if isinstance(form, ArrayForm):
        origins = other.origins if isinstance(other, ArrayForm) else frozenset[Origin]()
        return ArrayForm(form.type, form.category, form.origins | origins if form.is_tensor else origins)
    return NONE if isinstance(form, Same) else form


def in_items(form: Form) -> Form:
    """The form of a list's items, with mixed forms for its unions of such kinds."""
    if isinstance(form, UnionForm):
        return joined(form) or form
    if isinstance(form, CompositeForm) and form.kind is Tuple:
        return CompositeForm(form.kind, form.extra, tuple(map(in_items, form.items)), form.shared)
    return form


def has_mixed(form: Form | None) -> bool:
    """Whether values of a form are of one of several kinds, or have parts that are."""
    return isinstance(form, MixedForm) or (isinstance(form, CompositeForm) and any(map(has_mixed, form.items)))


@representations.admits.model
def admits(new: Form, old: Form) -> bool:
    """Whether items of one form can be items of another, their columns being converted if need be."""
    if new == old:
        return True
    if isinstance(new, MixedForm):
        return set(map(kind_of, members_of(old))) <= set(map(kind_of, new.members))
    if isinstance(new, CompositeForm) and has_mixed(new):
        if not isinstance(old, CompositeForm) or (new.kind, new.extra) != (old.kind, old.extra):
            return False
        return len(new.items) == len(old.items) and all(map(admits, new.items, old.items))
    return forms.atom_types(new) == forms.atom_types(old)


# --- parts ------------------------------------------------------------------------------------------


def _part(member: Form) -> Type | None:
    """The type of the part that has the value of a member."""
    if isinstance(member, NumberForm):
        return member.type
    if isinstance(member, ArrayForm):
        dtype = member.type.dtype if isinstance(member.type, TensorType) else None
        return _PYTHON_OF.get(dtype, member.type) if dtype is not None else member.type
    return None


@representations.types_of_mixed.model
def part_types(form: MixedForm) -> tuple[Type, ...]:
    """The types of the parts of an item: its kind, and a value of each dtype."""
    found = (_part(member) for member in form.members)
    return INT, *dict.fromkeys(part for part in found if part is not None)


def is_stored_whole(infer: State, target: Value | None, value: Value) -> bool:
    """Whether a union becomes an item of a list of run-time length as it is: what it may be need not be told apart."""
    if not isinstance(value, Union) or not isinstance(target, Reference) or target.kind is not list:
        return False
    buffer = infer.heap.buffer(target)
    if buffer is None or any(kind_of(member) is None for member in value.members):
        return False
    return buffer.element is not None and joined(buffer.element) is not None


@representations.flatten_mixed.model
def flatten(infer: State, form: MixedForm, value: Value) -> list[Atom]:
    """The parts of an item."""
    types = part_types(form)
    if isinstance(value, Union) and (known := infer.parts_of_items.get(value.atom)) is not None and known[0] == form:
        return list(known[1])
    if isinstance(value, Union):
        return list(infer.switch_union(value, lambda member: flatten(infer, form, member), types))
    member = next(m for m in form.members if forms.fits(infer, m, value))
    own, atoms = _part(member), forms.flatten(infer, member, value)
    if isinstance(member, ArrayForm) and isinstance(own, ScalarType):
        atoms = [infer.emit(conversions.to_scalar, atoms[0])]
    kind = Literal(kind_of(member), INT)
    return [kind, *(atoms[0] if type_ == own else zero(type_) for type_ in types[1:])]


@representations.unflatten_mixed.model
def unflatten(infer: State, form: MixedForm, atoms: Iterator[Var]) -> Union:
    """The item that has these parts."""
    kind = next(atoms)
    parts = {type_: next(atoms) for type_ in part_types(form)[1:]}
    union = UnionForm(form.members)

    def is_member(k: int) -> Atom:
        return infer.emit(python_ints.int_eq, kind, Literal(kind_of(form.members[k]), INT))

    def atoms_of(k: int) -> list[Atom]:
        member = form.members[k]
        own = _part(member)
        if own is None:
            return []
        part = parts[own]
        if isinstance(member, ArrayForm) and isinstance(own, ScalarType):
            return [infer.emit(conversions.from_scalar, part, dtype=own.dtype)]
        return [part]

    made = Union(forms.union_by(infer, union, is_member, atoms_of), forms.union_type(union), union.members)
    infer.parts_of_items[made.atom] = (form, (kind, *parts.values()))
    return made


# --- columns ----------------------------------------------------------------------------------------


def converted(infer: State, buffer: Buffer, element: Form) -> Buffer:
    """A buffer of the same items that may hold those of a form, too."""
    if buffer.element is None or buffer.element == element:
        return buffer
    if not has_mixed(element):
        return Buffer(buffer.length, element, buffer.columns)
    columns = buffer.columns
    extent = shape_of(columns[0])[0] if columns else extent_of(infer, buffer.length)
    made = _columns(infer, buffer.element, element, iter(columns), extent)
    return Buffer(buffer.length, element, tuple(made))


def _columns(infer: State, old: Form, new: Form, columns: Iterator[Atom], extent: Dim) -> list[Atom]:
    if isinstance(new, CompositeForm) and isinstance(old, CompositeForm):
        pairs = zip(old.items, new.items, strict=True)
        return [column for a, b in pairs for column in _columns(infer, a, b, columns, extent)]
    own = [next(columns) for _ in forms.atom_types(old)]
    if not isinstance(new, MixedForm) or old == new:
        return own
    if isinstance(old, MixedForm):
        kinds, parts = own[0], dict(zip(part_types(old)[1:], own[1:], strict=True))
    else:
        kind = Literal(kind_of(old), TensorType(INT.dtype, ()))
        kinds, part = infer.emit(joining.full, kind, shape=(extent,)), _part(old)
        parts = {} if part is None else {part: own[0]}
    made = [kinds]
    for type_ in part_types(new)[1:]:
        made.append(parts[type_] if type_ in parts else _zeros(infer, type_, extent))
    return made


def _zeros(infer: State, type_: Type, extent: Dim) -> Atom:
    assert isinstance(type_, ScalarType | TensorType)
    return zeros(infer, TensorType(type_.dtype, (extent,)))


def of_one_dtype(form: Form | None, columns: Sequence[Atom]) -> Atom | None:
    """The column of the values of items whose kinds are all numbers of one dtype; None for others."""
    if not isinstance(form, MixedForm) or len(columns) != 2 or isinstance(form.members[0], Same):
        return None
    return columns[1]


def kinds_in(form: MixedForm) -> Mapping[int, tuple[int, DType | None, str]]:
    """By kind: which part has the value (0: None has none), and the dtype and category of an array (None for Python's
    numbers)."""
    types = part_types(form)
    made: dict[int, tuple[int, DType | None, str]] = {}
    for member in form.members:
        part, kind = _part(member), kind_of(member)
        assert kind is not None
        dtype, category = (
            (forms.target(member.type).dtype, member.category) if isinstance(member, ArrayForm) else (None, "")
        )
        made[kind] = (0 if part is None else types.index(part, 1), dtype, category)
    return made


def dtypes_of(form: MixedForm) -> dict[int, DType | None]:
    """By kind: the dtype of its values; None has none."""
    types = [t.dtype if isinstance(t, ScalarType | TensorType) else None for t in part_types(form)]
    return {kind: types[place] if place else None for kind, (place, _, _) in kinds_in(form).items()}
