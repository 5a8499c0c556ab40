"""Names of extents where control flow joins: of those that differ, and of what is there on some paths only."""

from __future__ import annotations

from collections.abc import Iterable

from jitcore.passes.infer.domain.forms import (
    ArrayForm,
    CompositeForm,
    Form,
    ListForm,
    MaybeForm,
    UnionForm,
    target,
)
from jitcore.types import Dim, DimExpr, RefType, TensorType, fresh_symbol


class ExtentNames:
    """Gives extents names, the same ones when what has them is joined again."""

    def __init__(self) -> None:
        self.widened: set[Dim] = set()
        """The extents introduced where shapes differed: they stay when a loop's shapes are joined again."""
        self.differing: set[str] = set()
        """Those of them that arrays have whose shapes differ, from one round of a loop to the next, too."""
        self._union_extents: dict[tuple[Dim, int, int], Dim] = {}
        """The names that lists' extents have in members of unions."""
        self._maybe_extents: set[Dim] = set()
        """The names that extents have in what may have no value."""

    def _join_extent(self, a: Dim, b: Dim) -> Dim:
        if a is b or a in self.widened or (isinstance(a, int) and isinstance(b, int) and a == b):
            return a
        widened = fresh_symbol()
        self.widened.add(widened)
        self.differing.add(str(widened))
        return widened

    def _apart_from_others(self, form: Form, names: dict[Dim, Dim]) -> Form:
        """What may have no value, with extents of names of its own: where it has none they are 0, which must not be
        what else has these extents. `names` are those given so far."""
        match form:
            case ArrayForm():
                own = self._with_own_names(target(form.type), names)
                return ArrayForm(RefType(own) if isinstance(form.type, RefType) else own, form.category, form.origins)
            case CompositeForm():
                items = tuple(self._apart_from_others(item, names) for item in form.items)
                return CompositeForm(form.kind, form.extra, items, form.shared)
            case ListForm():
                columns = tuple(self._with_own_names(column, names) for column in form.columns)
                return ListForm(form.element, columns, form.reference, form.shared)
            case _:
                return form

    def _with_own_names(self, type_: TensorType, names: dict[Dim, Dim]) -> TensorType:
        for dim in type_.shape:
            if isinstance(dim, DimExpr) and dim not in names:
                names[dim] = fresh_symbol()
                self.widened.add(names[dim])
                self._maybe_extents.add(names[dim])
        return TensorType(type_.dtype, tuple(d if isinstance(d, int) else names[d] for d in type_.shape))

    def _apart(self, members: Iterable[Form]) -> tuple[Form, ...]:
        """A union's members, each of which is there on some paths only: the extents of their lists have names of their
        own."""
        taken: set[Dim] = set()
        return tuple(self._with_own_extents(member, k, taken) for k, member in enumerate(members))

    def _with_own_extents(self, form: Form, member: int, taken: set[Dim]) -> Form:
        match form:
            case ArrayForm():
                own = self._own_type(target(form.type), member, taken)
                return ArrayForm(RefType(own) if isinstance(form.type, RefType) else own, form.category, form.origins)
            case CompositeForm():
                items = tuple(self._with_own_extents(item, member, taken) for item in form.items)
                return CompositeForm(form.kind, form.extra, items, form.shared)
            case UnionForm():
                return UnionForm(tuple(self._with_own_extents(m, member, taken) for m in form.members))
            case MaybeForm():
                return MaybeForm(self._with_own_extents(form.form, member, taken))
            case ListForm():
                columns = tuple(self._own_type(column, member, taken) for column in form.columns)
                return ListForm(form.element, columns, form.reference, form.shared)
            case _:
                return form

    def _own_type(self, type_: TensorType, member: int, taken: set[Dim]) -> TensorType:
        shape = tuple(d if isinstance(d, int) else self._own_extent(d, member, taken) for d in type_.shape)
        return TensorType(type_.dtype, shape)

    def _own_extent(self, extent: Dim, member: int, taken: set[Dim]) -> Dim:
        own, k = extent, 0
        while own in taken or own not in self._union_extents.values():
            own = self._union_extents.get((extent, member, k))
            if own is None:
                own = self._union_extents[extent, member, k] = fresh_symbol()
                self.widened.add(own)
            k += 1
        taken.add(own)
        return own


def extents_of(form: Form) -> list[Dim]:
    """The extents of what a form is made of."""
    match form:
        case ArrayForm():
            return list(target(form.type).shape)
        case CompositeForm():
            return [dim for item in form.items for dim in extents_of(item)]
        case ListForm():
            return [dim for column in form.columns for dim in column.shape]
        case _:
            return []
