"""Forms: what a value must look like where control flow joins, and its translation to atoms and back.

    form = join(value on one path, value on the other)
    atoms = flatten(infer, form, value)        # at the end of each path, in its graph
    value = unflatten(infer, form, outputs)    # after the join

A form that is the same `Value` on every path has no atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Graph, Literal, Var, type_of
from jitcore.passes.infer.domain import boxed, representations
from jitcore.passes.infer.domain.columns import zero
from jitcore.passes.infer.domain.composition import compose, decompose, is_captured_by
from jitcore.passes.infer.domain.values import (
    Array,
    Bound,
    Boxed,
    Buffer,
    Char,
    Deferred,
    Function,
    Handle,
    Instance,
    Maybe,
    Number,
    Origin,
    Part,
    PartOf,
    PoolRow,
    Raised,
    Range,
    Reference,
    Slice,
    Static,
    Stream,
    String,
    Text,
    Tuple,
    Undefined,
    Union,
    Value,
)
from jitcore.passes.infer.domain.values import (
    Iterator as IteratorValue,
)
from jitcore.primitives.core import dialects
from jitcore.primitives.ops import unions
from jitcore.primitives.ops.joining import full
from jitcore.primitives.ops.state import ref_new
from jitcore.primitives.ops.widening import widen
from jitcore.structs import dataclass
from jitcore.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    DimExpr,
    RefType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State

SCALARS: dict[type, ScalarType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


@dataclass(frozen=True, slots=True)
class Same:
    """The very same value on every path."""

    value: Value


@dataclass(frozen=True, slots=True)
class NumberForm:
    type: ScalarType


@dataclass(frozen=True, slots=True)
class ArrayForm:
    type: TensorType | RefType
    category: str
    origins: frozenset[Origin]

    @property
    def is_tensor(self) -> bool:
        return dialects.is_tensor(self.category)


@dataclass(frozen=True, slots=True)
class CompositeForm:
    """A value made of values: `kind` is Tuple's class, Slice, Range, Bound, Function, Text, an Instance or a
    list/dict/set Reference.

    `shared`: a list, dict, set or object that something else holds, too: what is made of the form is a copy, not to be
    changed.
    """

    kind: Any
    extra: Any
    items: tuple[Form, ...]
    shared: bool = False


@dataclass(frozen=True, slots=True)
class UnionForm:
    members: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class MixedForm:
    """An item of a list of run-time length that is a number of one of several types, or None (`infer.mixed`)."""

    members: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class MaybeForm:
    """A variable that may have no value: a flag and a placeholder."""

    form: Form


@dataclass(frozen=True, slots=True)
class ListForm:
    """A list whose length is known only at run time: the form of its items (None: it never had one) and its columns'
    types. `reference`: whether the value is the list, or what a list holds (`values.Buffer`)."""

    element: Form | None
    columns: tuple[TensorType, ...]
    reference: bool
    shared: bool = False


@dataclass(frozen=True, slots=True)
class PooledForm:
    """A list that is in a pool (`python.pools`), of which there is one for each form of items. Lists that were always
    empty so far are in none (-1): then `origins` are the places where they were made."""

    pool: int
    origins: frozenset[Any] = frozenset()


@dataclass(frozen=True, slots=True)
class BoxedForm:
    """A value in a box (`values.Boxed`) of one kind."""

    kind: Any


Form: TypeAlias = (
    Same
    | NumberForm
    | BoxedForm
    | ArrayForm
    | CompositeForm
    | UnionForm
    | MixedForm
    | MaybeForm
    | ListForm
    | PooledForm
)


class NotOneFormError(Exception):
    """The items of a list have no form in common that its columns could have."""


def equal_statics(a: Any, b: Any) -> bool:
    """Whether two Python objects may be taken for each other: the same object, or equal plain constants."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return repr(a) == repr(b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal_statics, a, b))
    if isinstance(a, set | frozenset):
        return {(type(v), repr(v) if isinstance(v, float) else v) for v in a} == {
            (type(v), repr(v) if isinstance(v, float) else v) for v in b
        }
    return isinstance(a, int | str | bytes | slice | range | complex) and a == b


def same_value(a: Value, b: Value) -> bool:
    """Whether two abstract values are certainly the same value."""
    if a is b or (isinstance(a, Undefined) and isinstance(b, Undefined)):
        return True
    match a, b:
        case Static(), Static():
            return equal_statics(a.value, b.value)
        case Array(), Array() if a.viewed or b.viewed:
            return False
        case Part(), Part():
            return a.span[0] is b.span[0] and all(map(same_value, a.span[1:], b.span[1:]))
        case Part(), _:
            return False
        case _, Part():
            return False
        case (
            Number() | Array() | Union() | String() | Char() | Handle() | Boxed(),
            Number() | Array() | Union() | String() | Char() | Handle() | Boxed(),
        ):
            return a.atom is b.atom or (
                isinstance(a.atom, Literal)
                and isinstance(b.atom, Literal)
                and equal_statics(a.atom.value, b.atom.value)
            )
        case Tuple(), Tuple():
            return a.cls is b.cls and len(a.items) == len(b.items) and all(map(same_value, a.items, b.items))
        case Reference() | Instance(), Reference() | Instance():
            return a.key == b.key
        case _:
            return False


def has_pooled(form: Form | None) -> bool:
    """Whether values of a form are lists that are in a pool, or tuples with some in them."""
    return isinstance(form, PooledForm) or (isinstance(form, CompositeForm) and any(map(has_pooled, form.items)))


def rows_of(element: Form) -> tuple[TensorType, ...]:
    """The types of the rows of the columns of a list with items of this form."""
    rows: list[TensorType] = []
    for type_ in atom_types(element):
        if not isinstance(type_, ScalarType | TensorType):
            raise NotOneFormError
        rows.append(TensorType(type_.dtype, ()) if isinstance(type_, ScalarType) else type_)
    return tuple(rows)


def fits_word(value: Any) -> bool:
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def target(type_: TensorType | RefType) -> TensorType:
    """The array type of a value or a place."""
    return type_.target if isinstance(type_, RefType) else type_


def atom_types(form: Form) -> tuple[Type, ...]:
    """The types of the atoms of a form, in order."""
    match form:
        case Same():
            return ()
        case NumberForm():
            return (form.type,)
        case ArrayForm():
            return (form.type,)
        case CompositeForm():
            return tuple(t for item in form.items for t in atom_types(item))
        case UnionForm():
            return (union_type(form),)
        case MixedForm():
            return representations.types_of_mixed(form)
        case MaybeForm():
            return (BOOL, *atom_types(form.form))
        case ListForm():
            return (INT, *form.columns)
        case PooledForm() | BoxedForm():
            return (INT,)


def union_type(form: UnionForm) -> UnionType:
    """The IR type of a union."""
    members: list[Type] = []
    for member in form.members:
        types = atom_types(member)
        members.append(types[0] if len(types) == 1 else TupleType(types))
    return UnionType(tuple(members))


def flatten(infer: State, form: Form, value: Value) -> list[Atom]:
    """The atoms of `value` in the shape of `form`, converting where needed (in the graph being built)."""
    match form:
        case Same():
            return []
        case NumberForm():
            return [infer.number_atom(value, form.type)]
        case ArrayForm():
            if infer.of_elements and (atom := representations.as_element(infer, form.type, value)) is not None:
                return [atom]
            assert isinstance(value, Array)
            return [_with_extents(infer, _as_place(infer, value.atom, form.type), form.type)]
        case CompositeForm() if isinstance(value, Union):
            return list(infer.switch_union(value, lambda member: flatten(infer, form, member), atom_types(form)))
        case CompositeForm():
            is_string = form.kind in (String, Char, PartOf)
            items = representations.parts_of_string(infer, form, value) if is_string else decompose(infer, value)[2]
            return [a for f, v in zip(form.items, items, strict=True) for a in flatten(infer, f, v)]
        case UnionForm():
            return [_flatten_union(infer, form, value)]
        case MixedForm():
            return representations.flatten_mixed(infer, form, value)
        case MaybeForm():
            if isinstance(value, Undefined):
                return [Literal(False, BOOL), *placeholders(infer, form.form)]
            if isinstance(value, Maybe):
                return [value.defined, *flatten(infer, form.form, value.value)]
            return [Literal(True, BOOL), *flatten(infer, form.form, value)]
        case ListForm():
            return _flatten_list(infer, form, value)
        case PooledForm():
            row = infer.heap.pooled(value)
            assert row is not None
            return [infer.number_atom(row.number, INT)]
        case BoxedForm():
            return [boxed.address(infer, form.kind, value)]


def _as_place(infer: State, atom: Atom, type_: Type) -> Atom:
    """An array as a place, where it met one in an attempt that is stale: in the next one it is a place from the
    start."""
    if not infer.is_stale or not isinstance(type_, RefType) or isinstance(atom.type, RefType):
        return atom
    return infer.emit(ref_new, atom)


def _flatten_list(infer: State, form: ListForm, value: Value) -> list[Atom]:
    buffer = representations.buffer_of(infer, value, form.element)
    columns = [_with_extents(infer, c, t) for c, t in zip(buffer.columns, form.columns, strict=True)]
    return [infer.number_atom(buffer.length, INT), *columns]


def placeholders(infer: State, form: Form) -> list[Atom]:
    """Atoms to stand where a form's value is missing; extents not known now are 0."""
    return [_placeholder(infer, type_) for type_ in atom_types(form)]


def _placeholder(infer: State, type_: Type) -> Atom:
    match type_:
        case ScalarType():
            return zero(type_)
        case TensorType():
            shape = tuple(d if isinstance(d, int) else 0 for d in type_.shape)
            nothing = zero(TensorType(type_.dtype, ()))
            made = infer.emit(full, nothing, shape=shape) if shape else nothing
            return made if shape == type_.shape else infer.emit(widen, made, shape=type_.shape)
        case RefType():
            return infer.emit(ref_new, _placeholder(infer, type_.target))
        case UnionType():
            members = [
                [_placeholder(infer, t) for t in unions.member_types(m)] for m in type_.members
            ]  # all their extents
            return infer.emit(unions.union_make, *members[0], type=type_, tag=0)
        case _:
            raise TypeError(f"no placeholder for {type_!r}")


def _symbolic(types: Iterable[Type]) -> list[TensorType]:
    """Those of types that have extents known at run time only."""
    arrays = [target(t) for t in types if isinstance(t, TensorType | RefType)]
    return [t for t in arrays if any(isinstance(d, DimExpr) for d in t.shape)]


def _with_extents(infer: State, atom: Atom, type_: TensorType | RefType) -> Atom:
    return atom if atom.type is type_ else infer.emit(widen, atom, shape=target(type_).shape)


def _flatten_union(infer: State, form: UnionForm, value: Value) -> Atom:
    type_ = union_type(form)
    if isinstance(value, Union):
        if value.type is type_ and value.members == form.members:
            return value.atom

        def convert(member: Value) -> list[Atom]:
            return [_flatten_union(infer, form, member)]

        return infer.switch_union(value, convert, (type_,))[0]
    same_first = sorted(enumerate(form.members), key=lambda m: not isinstance(m[1], Same))
    for tag, member in same_first:
        if fits(infer, member, value):
            own = _symbolic_of(member)
            for other in _symbolic_of(*(other for other in form.members if other is not member)):
                if other not in own:
                    _placeholder(infer, other)  # which introduces its extents
            atoms = [_rebound(infer, a, own) for a in flatten(infer, member, value)]
            return infer.emit(unions.union_make, *atoms, type=type_, tag=tag)
    raise AssertionError(f"{value!r} fits no member of {form!r}")


def _symbolic_of(*members: Form) -> list[TensorType]:
    """The types of the arrays that forms are made of, lists' columns too, whose extents are known at run time only."""
    return _symbolic(t for member in members for t in _array_types(member))


def _array_types(form: Form) -> list[TensorType]:
    match form:
        case ArrayForm():
            return [target(form.type)]
        case CompositeForm():
            return [t for item in form.items for t in _array_types(item)]
        case UnionForm():
            return [t for member in form.members for t in _array_types(member)]
        case MaybeForm():
            return _array_types(form.form)
        case ListForm():
            return list(form.columns)
        case _:
            return []


def _rebound(infer: State, atom: Atom, types: Sequence[TensorType]) -> Atom:
    """An array whose extents have their names again: others that are not there may have had them since."""
    type_ = type_of(atom)
    if not isinstance(type_, TensorType | RefType) or target(type_) not in types:
        return atom
    return infer.emit(widen, atom, shape=target(type_).shape)


def fits(infer: State, form: Form, value: Value) -> bool:
    """Whether a value can be flattened as `form`."""
    match form:
        case Same():
            return same_value(form.value, value)
        case NumberForm():
            if isinstance(value, Static):
                return SCALARS.get(type(value.value)) is form.type and fits_word(value.value)
            return isinstance(value, Number) and value.type is form.type
        case ArrayForm():
            if (
                not isinstance(value, Array)
                or value.category != form.category
                or value.is_ref != isinstance(form.type, RefType)
            ):
                return False
            want = target(form.type)
            return value.type.dtype is want.dtype and value.type.rank == want.rank
        case CompositeForm(kind) if kind is Instance and isinstance(value, Union):
            return all(isinstance(m, Same) and fits(infer, form, m.value) for m in value.members)
        case CompositeForm(kind) if kind in (String, Char, PartOf):
            return representations.fits_string(infer, form, value)
        case CompositeForm():
            if not isinstance(
                value,
                Tuple
                | Slice
                | Range
                | Bound
                | Function
                | Text
                | Raised
                | Reference
                | IteratorValue
                | Stream
                | Deferred
                | Handle
                | Instance,
            ):
                return False
            if infer.heap.buffer(value) is not None or (isinstance(value, Function) and is_captured_by(value, value)):
                return False
            kind, extra, items = decompose(infer, value)
            same = kind is form.kind and extra == form.extra and len(items) == len(form.items)
            return same and all(fits(infer, f, v) for f, v in zip(form.items, items, strict=True))
        case UnionForm():
            if isinstance(value, Union):
                return all(_holds(infer, form, m) for m in value.members)
            return any(fits(infer, m, value) for m in form.members)
        case MixedForm():
            return (
                all(representations.admits(form, m) for m in value.members)
                if isinstance(value, Union)
                else any(fits(infer, m, value) for m in form.members)
            )
        case MaybeForm():
            inner = value.value if isinstance(value, Maybe) else value
            return isinstance(inner, Undefined) or fits(infer, form.form, inner)
        case ListForm():
            return representations.fits_list(infer, form, value)
        case PooledForm():
            row = infer.heap.pooled(value)
            return row is not None and row.form == form
        case BoxedForm():
            return boxed.fits(infer, form.kind, value)


def _holds(infer: State, form: Form, other: Form) -> bool:
    """Whether what is of another form fits, as far as forms tell."""
    match other:
        case Same():
            return fits(infer, form, other.value)
        case UnionForm() | MixedForm():
            return all(_holds(infer, form, m) for m in other.members)
        case _:
            pass
    match form:
        case UnionForm():
            return any(_holds(infer, m, other) for m in form.members)
        case Same() | NumberForm():
            return form == other
        case ArrayForm():
            return isinstance(other, ArrayForm) and _class_of(form) == _class_of(other)
        case CompositeForm(kind) if kind not in (String, Char, PartOf):
            if not isinstance(other, CompositeForm) or (kind, form.extra) != (other.kind, other.extra):
                return False
            pairs = zip(form.items, other.items, strict=False)
            return len(form.items) == len(other.items) and all(_holds(infer, f, o) for f, o in pairs)
        case ListForm():
            return _holds_list(infer, form, other)
        case _:
            return True


def _holds_list(infer: State, form: ListForm, other: Form) -> bool:
    element = form.element
    if isinstance(other, ListForm):
        inner = other.element
        fitting = inner is None or (element is not None and representations.admits(element, inner))
        return fitting and form.reference == other.reference
    if not isinstance(other, CompositeForm):
        return False
    is_list = other.kind is Reference and other.extra == (list,) if form.reference else other.kind is Tuple
    return is_list and (element is None or all(_holds(infer, element, item) for item in other.items))


def _class_of(form: ArrayForm) -> tuple[Any, ...]:
    """What is the same of all arrays that fit."""
    type_ = target(form.type)
    return form.category, isinstance(form.type, RefType), type_.dtype, type_.rank


def unflatten(infer: State, form: Form, atoms: Iterator[Var]) -> Value:
    """The value that `flatten` took apart."""
    match form:
        case Same():
            return form.value
        case NumberForm():
            return Number(next(atoms), form.type)
        case ArrayForm():
            return Array(next(atoms), form.category, form.origins)
        case CompositeForm():
            items = tuple(unflatten(infer, f, atoms) for f in form.items)
            made = compose(infer, form.kind, form.extra, items)
            return infer.heap.freeze(made) if form.shared else made
        case UnionForm():
            return Union(next(atoms), union_type(form), form.members)
        case MixedForm():
            return representations.unflatten_mixed(infer, form, atoms)
        case MaybeForm():
            return Maybe(next(atoms), unflatten(infer, form.form, atoms))
        case ListForm():
            length = Number(next(atoms), INT)
            buffer = Buffer(length, form.element, tuple(next(atoms) for _ in form.columns))
            if not form.reference:
                return buffer
            made = infer.heap.new(list, buffer)
            return infer.heap.freeze(made) if form.shared else made
        case PooledForm():
            return infer.heap.new_pooled(PoolRow(form, Number(next(atoms), INT)))
        case BoxedForm():
            return Boxed(next(atoms), form.kind)


def union_by(
    infer: State, form: UnionForm, is_member: Callable[[int], Atom], atoms_of: Callable[[int], list[Atom]], k: int = 0
) -> Var:
    """The union that holds the member for which `is_member` says so when the program runs, made of its atoms; `k` is
    the first that it may be."""
    if k == len(form.members) - 1:
        return infer.emit(unions.union_make, *atoms_of(k), type=union_type(form), tag=k)
    pred = is_member(k)
    outer, graphs = infer.builder, list[Graph]()
    for name in ("then", "orelse"):
        infer.builder = GraphBuilder(name, outer.span)
        try:
            if name == "then":
                made = infer.emit(unions.union_make, *atoms_of(k), type=union_type(form), tag=k)
            else:
                made = union_by(infer, form, is_member, atoms_of, k + 1)
            graphs.append(infer.builder.finish([made]))
        finally:
            infer.builder = outer
    (out,) = infer.builder.emit(COND, (pred,), graphs=tuple(graphs))
    return out


def narrow(infer: State, union: Union, tag: int) -> Value:
    """The value of a union known to hold member `tag`. Its lists, dicts and sets are copies, not to be changed, unless
    they are older than the union."""
    member = union.members[tag]
    parts: Sequence[Var] = infer.emit_all(unions.union_get, union.atom, index=tag) if atom_types(member) else ()
    with infer.heap.freezing():
        return unflatten(infer, member, iter(parts))
