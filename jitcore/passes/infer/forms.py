"""Forms: what a value must look like where control flow joins, and its translation to atoms and back.

    form = join(value on one path, value on the other)
    atoms = flatten(infer, form, value)        # at the end of each path, in its graph
    value = unflatten(infer, form, outputs)    # after the join

A form that is the same `Value` on every path has no atoms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from jitcore.ir.nodes import Atom, Literal, Var, type_of
from jitcore.passes.infer.values import (
    Array,
    Bound,
    Maybe,
    Number,
    Origin,
    Raised,
    Range,
    Reference,
    Slice,
    Static,
    Text,
    Tuple,
    Undefined,
    Union,
    Value,
)
from jitcore.primitives import unions
from jitcore.structs import dataclass
from jitcore.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    Dim,
    RefType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    fresh_symbol,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

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


@dataclass(frozen=True, slots=True)
class CompositeForm:
    """A value made of values: `kind` is Tuple's class, Slice, Range, Bound, Text or a list/dict/set Reference."""

    kind: Any
    extra: Any
    items: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class UnionForm:
    members: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class MaybeForm:
    """A variable that may have no value: a flag and a placeholder."""

    form: Form


Form: TypeAlias = "Same | NumberForm | ArrayForm | CompositeForm | UnionForm | MaybeForm"


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
        case Number() | Array() | Union(), Number() | Array() | Union():
            return a.atom is b.atom or (
                isinstance(a.atom, Literal)
                and isinstance(b.atom, Literal)
                and equal_statics(a.atom.value, b.atom.value)
            )
        case Tuple(), Tuple():
            return a.cls is b.cls and len(a.items) == len(b.items) and all(map(same_value, a.items, b.items))
        case Reference(), Reference():
            return a.key == b.key
        case _:
            return False


class Joiner:
    """Joins values; keeps the inference it is for, to read containers and ask for restarts."""

    def __init__(self, infer: Infer, new_keys_from: int) -> None:
        self.infer = infer
        self.new_keys_from = new_keys_from
        self.widened: set[Dim] = set()
        """The extents introduced where shapes differed: they stay when a loop's shapes are joined again."""

    def form_of(self, value: Value, *, runtime: bool) -> Form:
        """The form of one value; with `runtime` static numbers become runtime numbers (what a loop changes)."""
        match value:
            case Static() if runtime and type(value.value) in SCALARS and _fits(value.value):
                return NumberForm(SCALARS[type(value.value)])
            case Number():
                return NumberForm(value.type)
            case Array():
                type_ = type_of(value.atom)
                assert isinstance(type_, TensorType | RefType)
                return ArrayForm(type_, value.category, value.origins)
            case Union():
                return UnionForm(value.members)
            case Maybe():
                return MaybeForm(self.form_of(value.value, runtime=runtime))
            case Tuple() | Slice() | Range() | Bound() | Text() | Raised():
                kind, extra, items = decompose(self.infer, value)
                return CompositeForm(kind, extra, tuple(self.form_of(i, runtime=runtime) for i in items))
            case Reference() if value.key >= self.new_keys_from:
                kind, extra, items = decompose(self.infer, value)
                return CompositeForm(kind, extra, tuple(self.form_of(i, runtime=runtime) for i in items))
            case _:
                return Same(value)

    def join(self, a: Form, b: Form) -> Form:
        """The form both fit."""
        if a == b or (isinstance(a, Same) and isinstance(b, Same) and same_value(a.value, b.value)):
            return a
        if _is_undefined(a) or _is_undefined(b) or isinstance(a, MaybeForm) or isinstance(b, MaybeForm):
            return self._join_maybe(a, b)
        if isinstance(a, Same) and isinstance(a.value, Static):
            a = self.form_of(a.value, runtime=True)
        if isinstance(b, Same) and isinstance(b.value, Static):
            b = self.form_of(b.value, runtime=True)
        match a, b:
            case NumberForm(), NumberForm() if a.type is b.type:
                return a
            case ArrayForm(), ArrayForm():
                joined = self._join_arrays(a, b)
                if joined is not None:
                    return joined
            case CompositeForm(), CompositeForm():
                if a.kind is b.kind and a.extra == b.extra and len(a.items) == len(b.items):
                    return CompositeForm(a.kind, a.extra, tuple(map(self.join, a.items, b.items)))
            case _:
                pass
        return self._union(a, b)

    def _join_maybe(self, a: Form, b: Form) -> Form:
        a, b = (f.form if isinstance(f, MaybeForm) else f for f in (a, b))
        if _is_undefined(a):
            return MaybeForm(b) if not _is_undefined(b) else a
        return MaybeForm(a if _is_undefined(b) else self.join(a, b))

    def _join_arrays(self, a: ArrayForm, b: ArrayForm) -> ArrayForm | None:
        ta, tb = target(a.type), target(b.type)
        if a.category != b.category or ta.dtype is not tb.dtype or ta.rank != tb.rank:
            return None
        origins = a.origins | b.origins
        if isinstance(a.type, RefType) is not isinstance(b.type, RefType):
            self.infer.restart_with_refs(a.origins if isinstance(b.type, RefType) else b.origins)
        shape = tuple(map(self._join_extent, ta.shape, tb.shape))
        joined = TensorType(ta.dtype, shape)
        return ArrayForm(RefType(joined) if isinstance(a.type, RefType) else joined, a.category, origins)

    def _join_extent(self, a: Dim, b: Dim) -> Dim:
        if a is b or a in self.widened or (isinstance(a, int) and isinstance(b, int) and a == b):
            return a
        widened = fresh_symbol()
        self.widened.add(widened)
        return widened

    def _union(self, a: Form, b: Form) -> UnionForm:
        members = list(a.members if isinstance(a, UnionForm) else (a,))
        for member in b.members if isinstance(b, UnionForm) else (b,):
            for k, known in enumerate(members):
                joined = self._join_alike(known, member)
                if joined is not None:
                    members[k] = joined
                    break
            else:
                members.append(member)
        return UnionForm(tuple(members))

    def _join_alike(self, a: Form, b: Form) -> Form | None:
        """The join of two members of a union if they need no union themselves."""
        joined = None if type(a) is not type(b) else self._try_join(a, b)
        return None if isinstance(joined, UnionForm) else joined

    def _try_join(self, a: Form, b: Form) -> Form | None:
        match a, b:
            case Same(), Same():
                return a if same_value(a.value, b.value) else None
            case NumberForm(), NumberForm():
                return a if a.type is b.type else None
            case ArrayForm(), ArrayForm():
                return self._join_arrays(a, b)
            case CompositeForm(), CompositeForm() if (
                a.kind is b.kind and a.extra == b.extra and len(a.items) == len(b.items)
            ):
                return CompositeForm(a.kind, a.extra, tuple(map(self.join, a.items, b.items)))
            case _:
                return None


def _fits(value: Any) -> bool:
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def target(type_: TensorType | RefType) -> TensorType:
    """The array type of a value or a place."""
    return type_.target if isinstance(type_, RefType) else type_


def _is_undefined(form: Form) -> bool:
    return isinstance(form, Same) and isinstance(form.value, Undefined)


def decompose(infer: Infer, value: Value) -> tuple[Any, Any, tuple[Value, ...]]:
    """(kind, what else tells it apart, items) of a composite value."""
    match value:
        case Tuple():
            return Tuple, value.cls, value.items
        case Slice():
            return Slice, None, (value.start, value.stop, value.step)
        case Range():
            return Range, None, (value.start, value.stop, value.step)
        case Bound():
            names = tuple(k for k, _ in value.keywords)
            return (
                Bound,
                (len(value.arguments), names),
                (value.function, *value.arguments, *(v for _, v in value.keywords)),
            )
        case Text():
            return Text, value.template, value.values
        case Raised():
            return Raised, value.cls, value.args
        case Reference():
            contents = infer.heap.contents(value.key)
            if value.kind is dict:
                return Reference, (dict, tuple(contents)), tuple(contents.values())
            return Reference, (value.kind,), tuple(contents)
        case _:
            raise TypeError(f"{value!r} is not made of values")


def compose(infer: Infer, kind: Any, extra: Any, items: tuple[Value, ...]) -> Value:
    """The inverse of `decompose`; a list, dict or set is a new one."""
    if kind is Tuple:
        return Tuple(items, extra)
    if kind is Slice:
        return Slice(*items)
    if kind is Range:
        return Range(*items)
    if kind is Text:
        return Text(extra, items)
    if kind is Raised:
        return Raised(extra, items)
    if kind is Bound:
        count, names = extra
        return Bound(items[0], items[1 : 1 + count], tuple(zip(names, items[1 + count :], strict=True)))
    if extra[0] is dict:
        return infer.heap.new(dict, dict(zip(extra[1], items, strict=True)))
    return infer.heap.new(extra[0], items)


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
        case MaybeForm():
            return (BOOL, *atom_types(form.form))


def union_type(form: UnionForm) -> UnionType:
    """The IR type of a union."""
    members: list[Type] = []
    for member in form.members:
        types = atom_types(member)
        members.append(types[0] if len(types) == 1 else TupleType(types))
    return UnionType(tuple(members))


def flatten(infer: Infer, form: Form, value: Value) -> list[Atom]:
    """The atoms of `value` in the shape of `form`, converting where needed (in the graph being built)."""
    match form:
        case Same():
            return []
        case NumberForm():
            return [infer.number_atom(value, form.type)]
        case ArrayForm():
            assert isinstance(value, Array)
            return [_with_extents(infer, value.atom, form.type)]
        case CompositeForm():
            _, _, items = decompose(infer, value)
            return [a for f, v in zip(form.items, items, strict=True) for a in flatten(infer, f, v)]
        case UnionForm():
            return [_flatten_union(infer, form, value)]
        case MaybeForm():
            if isinstance(value, Undefined):
                return [Literal(False, BOOL), *placeholders(infer, form.form)]
            if isinstance(value, Maybe):
                return [value.defined, *flatten(infer, form.form, value.value)]
            return [Literal(True, BOOL), *flatten(infer, form.form, value)]


def placeholders(infer: Infer, form: Form) -> list[Atom]:
    """Atoms to stand where a form's value is missing; extents not known now are 0."""
    return [_placeholder(infer, type_) for type_ in atom_types(form)]


def _placeholder(infer: Infer, type_: Type) -> Atom:
    from jitcore.primitives.joining import full
    from jitcore.primitives.state import ref_new
    from jitcore.primitives.widening import widen

    match type_:
        case ScalarType():
            return Literal(type_.dtype.numpy.type(0).item(), type_)
        case TensorType():
            shape = tuple(d if isinstance(d, int) else 0 for d in type_.shape)
            zero = Literal(type_.dtype.numpy.type(0).item(), TensorType(type_.dtype, ()))
            made = infer.emit(full, zero, shape=shape) if shape else zero
            return made if shape == type_.shape else infer.emit(widen, made, shape=type_.shape)
        case RefType():
            return infer.emit(ref_new, _placeholder(infer, type_.target))
        case UnionType():
            parts = [_placeholder(infer, t) for t in unions.member_types(type_.members[0])]
            return infer.emit(unions.union_make, *parts, type=type_, tag=0)
        case _:
            raise TypeError(f"no placeholder for {type_!r}")


def _with_extents(infer: Infer, atom: Atom, type_: TensorType | RefType) -> Atom:
    from jitcore.primitives.widening import widen

    return atom if atom.type is type_ else infer.emit(widen, atom, shape=target(type_).shape)


def _flatten_union(infer: Infer, form: UnionForm, value: Value) -> Atom:
    type_ = union_type(form)
    if isinstance(value, Union):
        if value.type is type_:
            return value.atom

        def convert(member: Value) -> list[Atom]:
            return [_flatten_union(infer, form, member)]

        return infer.switch_union(value, convert, (type_,))[0]
    for tag, member in enumerate(form.members):
        if fits(infer, member, value):
            return infer.emit(unions.union_make, *flatten(infer, member, value), type=type_, tag=tag)
    raise AssertionError(f"{value!r} fits no member of {form!r}")


def fits(infer: Infer, form: Form, value: Value) -> bool:
    """Whether a value can be flattened as `form`."""
    match form:
        case Same():
            return same_value(form.value, value)
        case NumberForm():
            if isinstance(value, Static):
                return SCALARS.get(type(value.value)) is form.type
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
        case CompositeForm():
            if not isinstance(value, Tuple | Slice | Range | Bound | Text | Raised | Reference):
                return False
            kind, extra, items = decompose(infer, value)
            same = kind is form.kind and extra == form.extra and len(items) == len(form.items)
            return same and all(fits(infer, f, v) for f, v in zip(form.items, items, strict=True))
        case UnionForm():
            return isinstance(value, Union) or any(fits(infer, m, value) for m in form.members)
        case MaybeForm():
            inner = value.value if isinstance(value, Maybe) else value
            return isinstance(inner, Undefined) or fits(infer, form.form, inner)


def unflatten(infer: Infer, form: Form, atoms: Iterator[Var]) -> Value:
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
            return compose(infer, form.kind, form.extra, items)
        case UnionForm():
            return Union(next(atoms), union_type(form), form.members)
        case MaybeForm():
            return Maybe(next(atoms), unflatten(infer, form.form, atoms))


def narrow(infer: Infer, union: Union, tag: int) -> Value:
    """The value of a union known to hold member `tag`."""
    member = union.members[tag]
    if not atom_types(member):
        return unflatten(infer, member, iter(()))
    parts = infer.emit_all(unions.union_get, union.atom, index=tag)
    return unflatten(infer, member, iter(parts))
