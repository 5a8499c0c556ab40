"""The signatures of recursive functions' specialisations: which calls fit one, and wider ones where arguments shrink or
grow.

A wider signature has symbols of its own in place of extents that differed, and lists of run-time length in place of
lists of several lengths. Extents that were equal in both signatures it was made of have one symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import extents_in, symbols_in
from jitcore.passes.infer.domain import composition, forms
from jitcore.passes.infer.domain.forms import (
    ArrayForm,
    CompositeForm,
    Form,
    ListForm,
    MaybeForm,
    NotOneFormError,
    UnionForm,
    target,
)
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.values import Union, Value
from jitcore.structs import replace
from jitcore.types import Dim, RefType, TensorType, fresh_symbol, substitute_dims

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Dims = dict[Dim, Dim]


def widened(infer: Infer, a: Sequence[Form], b: Sequence[Form]) -> tuple[tuple[Form, ...], frozenset[Dim]] | None:
    """A signature that both fit, and the symbols it has of its own; None if there is none."""
    made = _Widening(infer)
    try:
        joined = tuple(made.join(x, y) for x, y in zip(a, b, strict=True))
    except NotOneFormError:
        return None
    return joined, frozenset(made.symbols.values())


class _Widening:
    """The symbols given to pairs of extents so far."""

    def __init__(self, infer: Infer) -> None:
        self.joiner = Joiner(infer, infer.heap.next_key + 1, grows=True)
        self.symbols: dict[tuple[Dim, Dim], Dim] = {}

    def join(self, a: Form, b: Form) -> Form:
        """The form of one argument. Raises NotOneFormError."""
        if a == b:
            return a
        if isinstance(a, ArrayForm) and isinstance(b, ArrayForm) and _are_alike(a, b):
            shape = tuple(map(self.extent, target(a.type).shape, target(b.type).shape))
            type_ = TensorType(target(a.type).dtype, shape)
            return ArrayForm(
                RefType(type_) if isinstance(a.type, RefType) else type_, a.category, a.origins | b.origins
            )
        if _is_list(a) and _is_list(b):
            joined = self.joiner.join(a, b)
            if isinstance(joined, ListForm):
                return joined
        if isinstance(a, CompositeForm) and isinstance(b, CompositeForm) and _have_one_structure(a, b):
            return CompositeForm(a.kind, a.extra, tuple(map(self.join, a.items, b.items)), a.shared or b.shared)
        raise NotOneFormError

    def extent(self, a: Dim, b: Dim) -> Dim:
        if a == b:
            return a
        return self.symbols.setdefault((a, b), fresh_symbol())


def fitted(
    infer: Infer, signature: Sequence[Form], own: frozenset[Dim], given: Sequence[Form], values: Sequence[Value]
) -> tuple[Sequence[Form], Dims] | None:
    """The forms in which arguments are passed to a specialisation, and what its own symbols stand for; None if they do
    not fit."""
    dims: Dims = {}
    passed: list[Form] = []
    for wanted, form, value in zip(signature, given, values, strict=True):
        there = _passed(infer, wanted, form, value, own, dims)
        if there is None:
            return None
        passed.append(there)
    return passed, dims


def _passed(infer: Infer, wanted: Form, form: Form, value: Value, own: frozenset[Dim], dims: Dims) -> Form | None:
    """The form in which one argument is passed: lists, those in tuples and objects too, may have any length where
    `wanted` says so."""
    if isinstance(wanted, ListForm) and _is_list(form):
        return wanted if forms.fits(infer, wanted, value) else None
    if _fits(wanted, form, own, dims):
        return form
    if not isinstance(wanted, CompositeForm) or not isinstance(form, CompositeForm) or isinstance(value, Union):
        return None
    if not _have_one_structure(wanted, form) or not any(map(_has_lists, wanted.items)):
        return None
    items = composition.decompose(infer, value)[2]
    found = [_passed(infer, *parts, own, dims) for parts in zip(wanted.items, form.items, items, strict=True)]
    there = tuple(item for item in found if item is not None)
    return replace(form, items=there) if len(there) == len(items) else None


def _has_lists(form: Form) -> bool:
    return isinstance(form, ListForm) or (isinstance(form, CompositeForm) and any(map(_has_lists, form.items)))


def with_own_lists(form: Form, made: Callable[[], Dim] = fresh_symbol) -> Form:
    """A form of what a specialisation is given, whose lists have any length: those of the first call may be computed
    from what it alone knows. `made` gives the symbols."""
    match form:
        case ListForm():
            columns = tuple(TensorType(c.dtype, (made(), *c.shape[1:])) for c in form.columns)
            return replace(form, columns=columns)
        case CompositeForm() if _has_lists(form):
            return replace(form, items=tuple(with_own_lists(item, made) for item in form.items))
        case _:
            return form


def _fits(wanted: Form, form: Form, own: frozenset[Dim], dims: Dims) -> bool:
    if wanted == form:
        return True
    if isinstance(wanted, ArrayForm) and isinstance(form, ArrayForm):
        if not _are_alike(wanted, form):
            return False
        pairs = zip(target(wanted.type).shape, target(form.type).shape, strict=True)
        return all(dims.setdefault(w, have) == have if w in own else w == have for w, have in pairs)
    if isinstance(wanted, CompositeForm) and isinstance(form, CompositeForm) and _have_one_structure(wanted, form):
        return all(_fits(w, f, own, dims) for w, f in zip(wanted.items, form.items, strict=True))
    return False


def _are_alike(a: ArrayForm, b: ArrayForm) -> bool:
    one, other = target(a.type), target(b.type)
    is_place = isinstance(a.type, RefType)
    same = (a.category, one.dtype, one.rank) == (b.category, other.dtype, other.rank)
    return same and is_place is isinstance(b.type, RefType)


def _is_list(form: Form) -> bool:
    return isinstance(form, ListForm) or (isinstance(form, CompositeForm) and form.extra == (list,))


def _have_one_structure(a: CompositeForm, b: CompositeForm) -> bool:
    return a.kind is b.kind and a.extra == b.extra and len(a.items) == len(b.items)


def results_there(found: Sequence[Form], anew: set[Dim], dims: Dims) -> tuple[Form, ...]:
    """The forms of the results of a call: with `dims` in place of the extents of the specialisation, and with new names
    for the extents that each call finds `anew`, and for those of lists, which may have become longer."""
    own = [_with_own_columns(form) for form in found]
    symbols = {d for form in own for t in forms.atom_types(form) for d in extents_in(t) if d in anew}
    names = {str(dim): there for dim, there in {**{dim: fresh_symbol() for dim in symbols}, **dims}.items()}
    return tuple(_with_extents(form, lambda dim: substitute_dims(dim, names)) for form in own)


def has_extents_of(found: Sequence[Form], given: Sequence[Form]) -> bool:
    """Whether the extents of results are all known from the arguments: others must get names that callers know."""
    known = {symbol for form in given for symbol in _symbols_in(form)}
    return all(symbol in known for form in found for symbol in _symbols_in(form))


def _symbols_in(form: Form) -> Iterator[str]:
    match form:
        case ArrayForm():
            yield from symbols_in(target(form.type))
        case CompositeForm():
            for item in form.items:
                yield from _symbols_in(item)
        case UnionForm():
            for member in form.members:
                yield from _symbols_in(member)
        case MaybeForm():
            yield from _symbols_in(form.form)
        case ListForm():  # whose lengths are of each call
            for column in form.columns:
                yield from symbols_in(TensorType(column.dtype, column.shape[1:]))
        case _:
            pass


def _with_own_columns(form: Form) -> Form:
    """A form, the extents of whose lists' columns are theirs alone."""
    match form:
        case CompositeForm():
            return replace(form, items=tuple(map(_with_own_columns, form.items)))
        case UnionForm():
            return UnionForm(tuple(map(_with_own_columns, form.members)))
        case MaybeForm():
            return MaybeForm(_with_own_columns(form.form))
        case ListForm():
            columns = tuple(TensorType(c.dtype, (fresh_symbol(), *c.shape[1:])) for c in form.columns)
            return replace(form, columns=columns)
        case _:
            return form


def _with_extents(form: Form, change: Callable[[Dim], Dim]) -> Form:
    match form:
        case ArrayForm():
            type_ = _mapped(target(form.type), change)
            return replace(form, type=RefType(type_) if isinstance(form.type, RefType) else type_)
        case CompositeForm():
            return replace(form, items=tuple(_with_extents(item, change) for item in form.items))
        case UnionForm():
            return UnionForm(tuple(_with_extents(member, change) for member in form.members))
        case MaybeForm():
            return MaybeForm(_with_extents(form.form, change))
        case ListForm():
            element = None if form.element is None else _with_extents(form.element, change)
            return replace(form, element=element, columns=tuple(_mapped(c, change) for c in form.columns))
        case _:
            return form


def _mapped(type_: TensorType, change: Callable[[Dim], Dim]) -> TensorType:
    return TensorType(type_.dtype, tuple(map(change, type_.shape)))


def key_of_columns(columns: Sequence[TensorType]) -> Any:
    """What tells the columns of lists of run-time length apart, whose lengths any call may bring."""
    return tuple((c.dtype, c.shape[1:]) for c in columns)
