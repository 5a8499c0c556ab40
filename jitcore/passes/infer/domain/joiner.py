"""Joins of forms: what a value must look like that is one thing on one path and another on the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.analysis import symbols_in
from jitcore.ir.nodes import type_of
from jitcore.passes.infer.domain import boxed, elements, mixed, representations, string_forms
from jitcore.passes.infer.domain.composition import decompose, is_captured_by
from jitcore.passes.infer.domain.extent_names import ExtentNames, extents_of
from jitcore.passes.infer.domain.forms import (
    SCALARS,
    ArrayForm,
    BoxedForm,
    CompositeForm,
    Form,
    ListForm,
    MaybeForm,
    MixedForm,
    NotOneFormError,
    NumberForm,
    PooledForm,
    Same,
    UnionForm,
    atom_types,
    fits_word,
    rows_of,
    same_value,
    target,
)
from jitcore.passes.infer.domain.heap import HeapKey
from jitcore.passes.infer.domain.list_forms import has_lists, is_list, items_of, lengths_differ, list_form
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
    ListItems,
    Maybe,
    Moved,
    Number,
    PartOf,
    Raised,
    Range,
    Reference,
    Restart,
    Row,
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
from jitcore.types import (
    Dim,
    RefType,
    TensorType,
    fresh_symbol,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


_MANY_MEMBERS: Final = 4
"""Of a union of lists: beyond this it is better to have lists that keep their identity."""
_MOST_MEMBERS: Final = 16


class Joiner(ExtentNames):
    """Joins values; keeps the inference it is for, to read containers and ask for restarts."""

    def __init__(self, infer: State, new_keys_from: int, *, grows: bool = False) -> None:
        super().__init__()
        self.infer = infer
        self.grows = grows
        """Whether new lists of unlike lengths become one of run-time length (or else a union)."""
        self.new_keys_from = new_keys_from
        self.shared: set[HeapKey] = set()
        self.knows_sharing = False
        """Whether `shared` has all that several values hold."""
        self.place = infer.place()
        self.states: tuple[dict[Any, Any], dict[Any, Any]] | None = None
        """What the heap holds on either path. Where it is given, an object whose place another one may take is moved:
        it goes on as a new one, made of its attributes or the other's (`values.Moved`)."""
        self.moves: set[HeapKey] = set()
        """The objects moved."""
        self.in_loop = False
        """Whether an object may take the place of another that there was before, too: then both are moved."""
        self.moves_arguments = False
        """Whether every object is moved: into a call."""
        self.moves_lists = False
        """Whether lists are moved, too."""
        self._open: set[HeapKey] = set()

    def look_for_sharing(self, values: Iterable[Value]) -> None:
        """Note the new lists, dicts, sets and objects that several of the values hold (with the heap as it is)."""
        self.knows_sharing = True
        seen: set[HeapKey] = set()
        for value in values:
            for key in self._new_keys(value):
                (self.shared if key in seen else seen).add(key)

    def _new_keys(self, value: Value) -> Iterator[HeapKey]:
        match value:
            case Reference() if value.key < self.new_keys_from:
                pass
            case Reference():
                yield value.key
                if self.infer.heap.buffer(value) is None:
                    for item in decompose(self.infer, value)[2]:
                        yield from self._new_keys(item)
            case Instance() if value.key < self.new_keys_from or value.key in self._open:
                pass
            case Instance():
                yield value.key
                if self.infer.heap.row(value) is not None:
                    return
                self._open.add(value.key)
                for item in self.infer.heap.fields(value).values():
                    yield from self._new_keys(item)
                self._open.remove(value.key)
            case Tuple() | Slice() | Range() | Bound() | Text() | Raised() | Deferred():
                for item in decompose(self.infer, value)[2]:
                    yield from self._new_keys(item)
            case Maybe():
                yield from self._new_keys(value.value)
            case Union():
                for member in value.members:
                    yield from self._new_keys_of_form(member)
            case _:
                pass

    def _new_keys_of_form(self, form: Form) -> Iterator[HeapKey]:
        match form:
            case Same():
                yield from self._new_keys(form.value)
            case CompositeForm():
                for item in form.items:
                    yield from self._new_keys_of_form(item)
            case UnionForm():
                for member in form.members:
                    yield from self._new_keys_of_form(member)
            case MaybeForm():
                yield from self._new_keys_of_form(form.form)
            case _:
                pass

    def _outlasting(self, form: Form) -> Form:
        """The form of a union's member as it can be where its new lists, dicts and sets are not known."""
        match form:
            case Same(Reference(path=None) | Instance() as value) if value.key >= self.new_keys_from:
                return self.form_of(value, runtime=False)
            case Same(Function() as value):
                return self.form_of(value, runtime=False)
            case CompositeForm():
                return CompositeForm(form.kind, form.extra, tuple(map(self._outlasting, form.items)), form.shared)
            case UnionForm():
                return UnionForm(tuple(map(self._outlasting, form.members)))
            case MaybeForm():
                return MaybeForm(self._outlasting(form.form))
            case _:
                return form

    def form_of(self, value: Value, *, runtime: bool) -> Form:
        """The form of one value; with `runtime` static numbers become runtime numbers (what a loop changes)."""
        match value:
            case Static() if runtime and type(value.value) in SCALARS and fits_word(value.value):
                return NumberForm(SCALARS[type(value.value)])
            case Number():
                return NumberForm(value.type)
            case Boxed():
                return BoxedForm(value.kind)
            case Array():
                type_ = type_of(value.atom)
                assert isinstance(type_, TensorType | RefType)
                return ArrayForm(type_, value.category, value.origins)
            case Union():
                merged = self._merged(value, runtime=runtime)
                return UnionForm(self._apart(map(self._outlasting, value.members))) if merged is None else merged
            case Maybe():
                return MaybeForm(self.form_of(value.value, runtime=runtime))
            case IteratorValue() if value.key < self.new_keys_from or not isinstance(value.source, Tuple):
                return Same(value)
            case Function() if value.key < self.new_keys_from or is_captured_by(value, value):
                return Same(value)
            case Stream() if value.key < self.new_keys_from and not (self.moves_lists and self._may_move(value)):
                return Same(value)
            case (
                Tuple() | Slice() | Range() | Bound() | Function() | Text() | Raised() | IteratorValue() | Deferred()
                | Stream() | String() | Char() | Handle()
            ):  # fmt: skip
                kind, extra, items = decompose(self.infer, value)
                if isinstance(value, Stream) and value.key < self.new_keys_from:
                    self._note_move(value)
                return CompositeForm(kind, extra, tuple(self.form_of(i, runtime=runtime) for i in items))
            case Buffer():
                return list_form(value, reference=False)
            case Reference() if (pooled := self.infer.heap.pooled(value)) is not None:
                return pooled.form
            case Reference() if value.key >= self.new_keys_from or (self.moves_lists and self._may_move(value)):
                if value.key < self.new_keys_from:
                    self._note_move(value)
                buffer = self.infer.heap.buffer(value)
                shared = value.key in self.shared
                if buffer is not None:
                    return list_form(buffer, reference=True, shared=shared)
                kind, extra, items = decompose(self.infer, value)
                return CompositeForm(kind, extra, tuple(self.form_of(i, runtime=runtime) for i in items), shared)
            case Instance() if value.key >= self.new_keys_from or (self.moves_arguments and self._may_move(value)):
                return self._form_of_object(value, runtime=runtime)
            case _:
                return Same(value)

    def _merged(self, value: Union, *, runtime: bool) -> Form | None:
        """One of several new objects of a class, none of which anything else holds, as the one object that it is from
        here on."""
        found = [m.value for m in value.members if isinstance(m, Same) and isinstance(m.value, Instance)]
        if not self.knows_sharing or len(found) < len(value.members) or not all(map(self._is_held_here_alone, found)):
            return None
        merged = self._form_of_object(found[0], runtime=runtime)
        for other in found[1:]:
            form = self._form_of_object(other, runtime=runtime)
            if not self._are_alike(merged, form):
                return None
            merged = self.join(merged, form)
        return merged if isinstance(merged, CompositeForm) else None

    def _is_held_here_alone(self, value: Instance) -> bool:
        heap, key = self.infer.heap, value.key
        if key < self.new_keys_from or key in self.shared or key in self._open:
            return False
        return not heap.is_frozen(value) and heap.row(value) is None

    def _form_of_object(self, value: Instance, *, runtime: bool) -> Form:
        if value.key in self._open:
            raise self.infer.unsupported("an object that holds itself, where control flow joins")
        if value.key < self.new_keys_from:
            self._note_move(value)
        self._open.add(value.key)
        try:
            kind, extra, items = decompose(self.infer, value)
            made = tuple(self.form_of(i, runtime=runtime) for i in items)
        finally:
            self._open.remove(value.key)
        self._require_list(kind, extra)
        if kind is Row:
            return CompositeForm(kind, extra, made)
        shared = value.key in self.shared or self.infer.heap.is_frozen(value)
        return CompositeForm(kind, extra, made, shared)

    def _require_list(self, kind: Any, extra: Any) -> None:
        if kind is Row and extra[1] >= self.new_keys_from:  # whose list is another one after the join
            self.infer.assumptions.kept.add("rows")
            raise Restart

    def _with_objects_moved(self, a: Form, b: Form) -> tuple[Form, Form]:
        """Two objects of one class, lists or generators, of which not both were there before, as what they are made
        of."""
        old = [f.value for f in (a, b) if isinstance(f, Same) and isinstance(f.value, Instance | Reference | Stream)]
        if self.states is None or not old or not all(map(self._may_move, old)) or (len(old) == 2 and not self.in_loop):
            return a, b
        made = [self._as_moved(f, state) for f, state in zip((a, b), self.states, strict=True)]
        one, other = made
        if one is None or other is None or not self._are_alike(one, other):
            return a, b
        for value in old:
            self._note_move(value)
        return one, other

    def _are_alike(self, a: Form, b: Form) -> bool:
        """Whether what two objects are made of has one form, whatever they hold, or two lists are one of run-time
        length."""
        if not is_list(a) or not is_list(b):
            if not isinstance(a, CompositeForm) or not isinstance(b, CompositeForm):
                return False
            return a.kind is b.kind and a.extra == b.extra
        if lengths_differ(a, b):
            try:
                self._join_lists(a, b)
            except NotOneFormError:
                return False
        return True

    def _may_move(self, value: Instance | Reference | Stream) -> bool:
        if isinstance(value, Reference) and (value.kind is not list or value.path is not None):
            return False
        if value.key in self.infer.heap.arguments:
            return False
        is_frozen = not isinstance(value, Instance) and self.infer.heap.is_frozen(value)
        return value.key >= self.infer.moves_from and self.place not in self.infer.assumptions.kept and not is_frozen

    def _note_move(self, value: Instance | Reference | Stream) -> None:
        key = value.source.state_key if isinstance(value, Stream) else value.key
        if key in self.moves:  # it has two names, which both go on
            self.infer.assumptions.kept.add(self.place)
            raise Restart
        self.moves.add(key)

    def forms_of_carries(self, values: Sequence[Value]) -> list[Form]:
        """The forms of the variables that a loop assigns to: objects that only one of them holds are moved."""
        inner = [value.value if isinstance(value, Maybe) else value for value in values]
        held = [value.key for value in inner if isinstance(value, Instance | Reference | Stream)]
        made: list[Form] = []
        for value, kept in zip(values, inner, strict=True):
            alone = isinstance(kept, Instance | Reference | Stream) and held.count(kept.key) == 1
            self.moves_arguments = self.moves_lists = alone
            made.append(self.form_of(value, runtime=True))
        self.moves_arguments = self.moves_lists = False
        return made

    def _as_moved(self, form: Form, state: dict[Any, Any]) -> CompositeForm | ListForm | None:
        """What an object is made of on a path; None if the form is none of an object."""
        if isinstance(form, CompositeForm):
            return form if form.kind in (Instance, Row, Stream) or form.extra == (list,) else None
        if isinstance(form, ListForm):
            return form if form.reference else None
        if not isinstance(form, Same) or not isinstance(form.value, Instance | Reference | Stream):
            return None
        heap, value = self.infer.heap, form.value
        before, heap.state = heap.state, state
        try:
            buffer = heap.buffer(value)
            if buffer is not None:
                return list_form(buffer, reference=True)
            kind, extra, items = decompose(self.infer, value)
            parts = tuple(self.form_of(v, runtime=self.in_loop) for v in items)
        finally:
            heap.state = before
        self._require_list(kind, extra)
        return CompositeForm(kind, extra, parts, heap.is_frozen(value))

    def move(self, state: dict[Any, Any]) -> None:
        """Note in a heap that the objects moved are not to be used any more."""
        state.update((key, Moved(self.place)) for key in self.moves)

    def join_all(self, a: Sequence[Form], b: Sequence[Form]) -> list[Form]:
        """The forms of what two paths leave. Lists that could be one of run-time length only if their items were of one
        type stay unlike ones."""
        try:
            return [self.join(one, other) for one, other in zip(a, b, strict=True)]
        except NotOneFormError:
            if not self.grows:
                raise
            self.grows = False
            self.moves.clear()
            return self.join_all(a, b)

    def join(self, a: Form, b: Form) -> Form:
        """The form both fit."""
        if a == b or (isinstance(a, Same) and isinstance(b, Same) and same_value(a.value, b.value)):
            return a
        if _is_undefined(a) or _is_undefined(b) or isinstance(a, MaybeForm) or isinstance(b, MaybeForm):
            return self._join_maybe(a, b)
        if isinstance(a, Same) and isinstance(a.value, Moved):
            return a
        if isinstance(b, Same) and isinstance(b.value, Moved):
            return b
        one, other = self._with_objects_moved(a, b)
        if (one is not a or other is not b) and is_list(one) and is_list(other):
            return self._join_lists(one, other) if lengths_differ(one, other) else self.join(one, other)
        a, b = one, other
        if isinstance(a, BoxedForm) or isinstance(b, BoxedForm):
            of_boxes = boxed.joined(self.infer, a, b)
            if of_boxes is not None:
                return of_boxes
        if (of_strings := self._join_strings(a, b)) is not None:
            return of_strings
        if self.grows and is_list(a) is not is_list(b):
            a, b = self._as_new_list(a), self._as_new_list(b)
        if self._are_lists_of_run_time(a, b):
            return self._join_lists(a, b)
        if isinstance(a, Same) and isinstance(a.value, Static):
            a = self.form_of(a.value, runtime=True)
        if isinstance(b, Same) and isinstance(b.value, Static):
            b = self.form_of(b.value, runtime=True)
        match a, b:
            case NumberForm(), NumberForm() if a.type is b.type:
                return a
            case PooledForm(), PooledForm() if (pooled := self._join_pooled(a, b)) is not None:
                return pooled
            case ArrayForm(), ArrayForm():
                joined = self._join_arrays(a, b)
                if joined is not None:
                    return joined
            case CompositeForm(), CompositeForm():
                if a.kind is b.kind and a.extra == b.extra and len(a.items) == len(b.items):
                    return CompositeForm(a.kind, a.extra, tuple(map(self.join, a.items, b.items)), a.shared or b.shared)
            case _:
                pass
        if self.infer.of_elements and (number := elements.joined(a, b)) is not None:
            return number
        return self._union(a, b)

    def _join_strings(self, a: Form, b: Form) -> Form | None:
        if isinstance(a, CompositeForm) and isinstance(b, CompositeForm) and a.kind is b.kind and a.extra == b.extra:
            return None  # joined as others made of values are
        return string_forms.joined(self, a, b)

    def _join_pooled(self, a: PooledForm, b: PooledForm) -> PooledForm | None:
        return representations.join_pooled(self.infer, a, b)

    def _join_maybe(self, a: Form, b: Form) -> Form:
        kept = self._maybe_extents.intersection(extents_of(a.form)) if isinstance(a, MaybeForm) else set[Dim]()
        a, b = (f.form if isinstance(f, MaybeForm) else f for f in (a, b))
        if _is_undefined(a) and _is_undefined(b):
            return a
        inner = b if _is_undefined(a) else a if _is_undefined(b) else self.join(a, b)
        return MaybeForm(self._apart_from_others(inner, {dim: dim for dim in kept}))

    def _join_arrays(self, a: ArrayForm, b: ArrayForm) -> ArrayForm | None:
        ta, tb = target(a.type), target(b.type)
        if a.category != b.category or ta.dtype is not tb.dtype or ta.rank != tb.rank:
            return None
        origins = a.origins | b.origins
        places = isinstance(a.type, RefType), isinstance(b.type, RefType)
        if places[0] is not places[1]:
            self.infer.mark_refs(b.origins if places[0] else a.origins)
        self.infer.join_origins(origins)
        shape = tuple(map(self._join_extent, ta.shape, tb.shape))
        joined = TensorType(ta.dtype, shape)
        return ArrayForm(RefType(joined) if any(places) else joined, a.category, origins)

    def _as_new_list(self, form: Form) -> Form:
        """A list from before, where others may take its place, as a copy of it."""
        if not isinstance(form, Same) or not isinstance(form.value, Reference) or form.value.kind is not list:
            return form
        buffer = self.infer.heap.buffer(form.value)
        if buffer is not None:
            return list_form(buffer, reference=True, shared=True)
        items = tuple(self.form_of(i, runtime=True) for i in self.infer.heap.items(form.value))
        return CompositeForm(Reference, (list,), items, True)

    def _are_lists_of_run_time(self, a: Form, b: Form) -> bool:
        if not (is_list(a) and is_list(b)):
            return False
        if isinstance(a, ListForm) or isinstance(b, ListForm):
            return True
        assert isinstance(a, CompositeForm)
        assert isinstance(b, CompositeForm)
        return len(a.items) != len(b.items) and (self.grows or a.kind is not Reference)

    def _join_lists(self, a: Form, b: Form) -> ListForm:
        """A list of run-time length that holds what either may hold. Raises NotOneFormError if its items are of several
        types."""
        element: Form | None = None
        # other lists can stay unlike ones
        mixes = self.in_loop or any(
            isinstance(f, ListForm) or (isinstance(f, CompositeForm) and f.extra is ListItems) for f in (a, b)
        )
        for form in (a, b):
            parts = (form.element,) if isinstance(form, ListForm) else items_of(form)
            for part in parts:
                if part is not None:
                    element = self.join_items(element, part, mixes=mixes)
        count = 0 if element is None else len(atom_types(element))
        known = [
            f.columns for f in (a, b) if isinstance(f, ListForm) and f.element is not None and len(f.columns) == count
        ]
        reference = a.reference if isinstance(a, ListForm) else isinstance(a, CompositeForm) and a.kind is Reference
        shared = any(form.shared for form in (a, b) if isinstance(form, ListForm | CompositeForm))
        return ListForm(element, self._columns(element, known), reference, shared)

    def join_items(self, a: Form | None, b: Form, *, mixes: bool = True) -> Form:
        """The form of a list's items, from what is known of it and another item's; `mixes`: numbers may be of several
        types. Raises NotOneFormError."""
        b = self._at_run_time(b)
        if a is None:
            return b
        joined = mixed.in_items(self.join(a, b))
        if not mixed.admits(joined, a) or not mixed.admits(joined, b) or (mixed.has_mixed(joined) and not mixes):
            self._use_pools(a, b)
            raise NotOneFormError
        return joined

    def _use_pools(self, *found: Form) -> None:
        """Start anew with pools, if that is what such items of a list need."""
        if any(map(has_lists, found)):
            self.infer.assumptions.begin_pools()

    def _at_run_time(self, form: Form) -> Form:
        """The form of an item of a list: its numbers are run-time values."""
        match form:
            case Same(Static(str() as value)) if len(value) == 1:
                return string_forms.CHARACTER
            case Same(Static() as value):
                return mixed.NONE if value.value is None else self.form_of(value, runtime=True)
            case CompositeForm() if form.kind in (Char, PartOf, Handle):
                return form
            case Same(Instance() as value) if not self._is_known_by_place(value):
                kind, extra, items = decompose(self.infer, value)
                parts = tuple(self._at_run_time(self.form_of(i, runtime=True)) for i in items)
                return CompositeForm(kind, extra, parts, True)
            case NumberForm() | ArrayForm() | PooledForm() | MixedForm() if not _is_place(form):
                return form
            case UnionForm() if (found := mixed.joined(form)) is not None:
                return found
            case CompositeForm() if form.kind in (Tuple, Slice, Range):
                return CompositeForm(form.kind, form.extra, tuple(map(self._at_run_time, form.items)))
            case CompositeForm() if form.kind is Reference and form.extra[0] in (list, dict):
                return CompositeForm(form.kind, form.extra, tuple(map(self._at_run_time, form.items)), True)
            case CompositeForm() if form.kind is Instance:
                return CompositeForm(form.kind, form.extra, tuple(map(self._at_run_time, form.items)), True)
            case _:
                self._use_pools(form)
                raise NotOneFormError

    def _is_known_by_place(self, value: Instance) -> bool:
        return value.key in self.infer.heap.arguments or self.infer.heap.row(value) is not None

    def _columns(self, element: Form | None, known: list[tuple[TensorType, ...]]) -> tuple[TensorType, ...]:
        if element is None:
            return ()
        made: list[TensorType] = []
        for k, row in enumerate(rows_of(element)):
            if self.in_loop and not self.differing.isdisjoint(symbols_in(row)):  # each round has items of another shape
                raise NotOneFormError
            extents = [columns[k].shape[0] for columns in known]
            extent = next((e for e in extents if e in self.widened), None)
            if extent is None:
                extent = fresh_symbol()
                self.widened.add(extent)
            made.append(TensorType(row.dtype, (extent, *row.shape)))
        return tuple(made)

    def _union(self, a: Form, b: Form) -> UnionForm:
        members = list(mixed.members_of(a))
        for member in mixed.members_of(b):
            for k, known in enumerate(members):
                joined = self._join_alike(known, member)
                if joined is not None:
                    members[k] = joined
                    break
            else:
                members.append(member)
        if len(members) > _MANY_MEMBERS:
            self._use_pools(*members)
        if len(members) > _MOST_MEMBERS:
            raise self.infer.unsupported(
                f"a value of one of more than {_MOST_MEMBERS} kinds, as the path says",
                "containers of the same lengths and types on all paths",
            )
        return UnionForm(self._apart(members))

    def _join_alike(self, a: Form, b: Form) -> Form | None:
        """The join of two members of a union if they need no union themselves."""
        if isinstance(a, ListForm) and isinstance(b, ListForm):
            try:
                return self._join_lists(a, b)
            except NotOneFormError:
                return None
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
                return CompositeForm(a.kind, a.extra, tuple(map(self.join, a.items, b.items)), a.shared or b.shared)
            case _:
                return None


def _is_place(form: Form) -> bool:
    return isinstance(form, ArrayForm) and isinstance(form.type, RefType)


def _is_undefined(form: Form) -> bool:
    return isinstance(form, Same) and isinstance(form.value, Undefined)
