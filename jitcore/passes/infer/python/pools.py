"""Lists that are items of lists of run-time length: their items lie in pools, and such a list is its number there.

A pool has the items of all lists of one form, one list behind the other, and where each begins, how long it is, and how
much room it has: four growable lists (`python.pool_programs`). So a list keeps its identity whatever holds it, however
long it becomes. A program is inferred with pools once it was found to need them (`begin_pools`): then lists move
to a pool as they become items (`adopt`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.domain import abstract, array_operations, mixed, representations
from jitcore.passes.infer.domain.assumptions import Lists
from jitcore.passes.infer.domain.columns import EMPTY
from jitcore.passes.infer.domain.forms import (
    CompositeForm,
    Form,
    MixedForm,
    NumberForm,
    PooledForm,
)
from jitcore.passes.infer.domain.given_lists import Given
from jitcore.passes.infer.domain.list_forms import Pool
from jitcore.passes.infer.domain.values import (
    Array,
    Buffer,
    Path,
    PooledItems,
    PoolRow,
    PythonError,
    Reference,
    Restart,
    Slice,
    Static,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.python import buffers, pool_programs
from jitcore.primitives.ops import copying
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_ROWS_CHOSEN: Final = 3
"""More lists than these in a list are not told apart one by one where the run says which is meant."""


def begin_for_rows(infer: Infer, found: Sequence[Value]) -> None:
    """Start anew with pools, if many lists are chosen from by the run."""
    if len(found) > _ROWS_CHOSEN and all(isinstance(v, Reference) and _may_move(infer, v) for v in found):
        infer.assumptions.begin_pools()


@representations.pools_of_program.model
def made(infer: Infer) -> list[Pool]:
    """The pools that the program was found to need, empty."""
    number = NumberForm(INT)
    return [
        Pool(element, *(_empty(infer, form) for form in (number, number, number, element)))
        for element, _ in infer.assumptions.pools
    ]


def _empty(infer: Infer, element: Form) -> Reference:
    return infer.heap.new(list, buffers.emptied(infer, Buffer(Static(0), element, ())))


# --- moving to a pool -------------------------------------------------------------------------------


@representations.settle_pooled.model
def settle(infer: Infer, values: Sequence[Value], place: object = None) -> None:
    """What an operation at a place has made: lists of lists are lists of run-time length, and lists known to need it
    are in a pool."""
    for value in values:
        if not isinstance(value, Reference) or not _may_move(infer, value):
            continue
        contents = infer.heap.get(value.key)
        if isinstance(contents, tuple) and any(isinstance(v, Reference) and v.kind is list for v in contents):
            adopt_all(infer, contents)
            element = buffers.common_form(infer, contents)
            if element is not None and _is_poolable(element):
                infer.heap.store(value.key, buffers.of_form(infer, value, element))
        if place in infer.assumptions.births:
            adopt(infer, value)


@representations.adopt_all.model
def adopt_all(infer: Infer, values: Sequence[Value]) -> None:
    """Values become items of a list of run-time length: lists that they are, or that tuples among them hold, move to a
    pool."""
    for value in values:
        if isinstance(value, Tuple):
            adopt_all(infer, value.items)
        elif isinstance(value, Reference):
            adopt(infer, value)


@representations.adopt_list.model
def adopt(infer: Infer, value: Reference) -> None:
    """Move a list to a pool, if its items have a form in common."""
    if not _may_move(infer, value):
        return
    contents = infer.heap.get(value.key)
    place = infer.pooling.births.get(value.key, infer.place())
    if isinstance(contents, Buffer):
        element = contents.element
    else:
        adopt_all(infer, contents)
        element = buffers.common_form(infer, contents)
        if element is None and contents:
            return
    if element is None:
        element = infer.assumptions.elements.get(place)
    if element is not None and not _is_poolable(element):
        return
    if value.key < infer.scope_from:  # on this path only, or in each round
        if place in infer.assumptions.births or value.key not in infer.pooling.births:
            raise infer.unsupported("a list that becomes the item of another one on some paths only")
        infer.assumptions.births.add(place)
        raise Restart
    if element is None:
        infer.heap.state[value.key] = PoolRow(PooledForm(-1, frozenset([place])), Static(0))
        return
    pool = _pool(infer, element)
    row = infer.heap.new(list, buffers.of_form(infer, value, infer.pooling.pools[pool].element))
    number = _run(infer, pool_programs.add, infer.pooling.pools[pool], row)
    infer.heap.state[value.key] = PoolRow(PooledForm(pool), number)


def _may_move(infer: Infer, value: Reference) -> bool:
    if value.kind is not list or value.path is not None or infer.heap.is_frozen(value):
        return False
    return isinstance(infer.heap.get(value.key), tuple | Buffer)


def _is_poolable(element: Form) -> bool:
    if isinstance(element, CompositeForm) and element.kind is Tuple:
        return all(map(_is_poolable, element.items))
    return isinstance(element, MixedForm | PooledForm) or mixed.kind_of(element) is not None


def _pool(infer: Infer, element: Form, *, is_given: bool = False) -> int:
    """The pool for items of a form. Lists of the call's have pools of their own, unless they are found to be in one
    list with others."""
    known, group = infer.assumptions.pools, is_given and infer.assumptions.lists is Lists.POOLED
    fitting = [k for k, (items, given) in enumerate(known) if given is group and _is_for(items, element)]
    if not fitting:
        known.append((element, group))
        raise Restart
    return max(fitting, key=lambda k: len(mixed.members_of(known[k][0])))


def _is_for(items: Form, element: Form) -> bool:
    return items == element or (mixed.has_mixed(items) and mixed.admits(items, element))


@representations.join_pooled.model
def joined(infer: Infer, a: PooledForm, b: PooledForm) -> PooledForm | None:
    """The form of lists of two pools: one of which nothing is known is of the other's."""
    if a.pool < 0 and b.pool < 0:
        return PooledForm(-1, a.origins | b.origins)
    unknown, known = (a, b) if a.pool < 0 else (b, a)
    element = infer.pooling.pools[known.pool].element
    wide = None if unknown.pool < 0 else mixed.joined(infer.pooling.pools[unknown.pool].element, element)
    if unknown.pool < 0:
        if not _is_decided(infer, unknown):
            _decide(infer, unknown, element)
    elif infer.assumptions.lists is Lists.POOLED and _is_like(
        infer, infer.pooling.pools[unknown.pool].element, element
    ):
        infer.assumptions.join_pools()
    elif wide is not None and wide != element:
        _widen(infer, known.pool, wide)
    return None


def _is_like(infer: Infer, a: Form, b: Form) -> bool:
    """Whether the items of two pools have one form, but for the pools that they are in themselves."""
    if isinstance(a, PooledForm) and isinstance(b, PooledForm) and a.pool >= 0 and b.pool >= 0:
        return _is_like(infer, infer.pooling.pools[a.pool].element, infer.pooling.pools[b.pool].element)
    return a == b or mixed.joined(a, b) is not None


def _decide(infer: Infer, unknown: PooledForm, element: Form) -> NoReturn:
    """Lists that were always empty so far have items of a form: start anew, with that known."""
    if _is_decided(infer, unknown):
        raise infer.unsupported("items of several types in a list that is an item of another one")
    infer.assumptions.elements.update((place, element) for place in unknown.origins)
    raise Restart


def _is_decided(infer: Infer, unknown: PooledForm) -> bool:
    return all(place in infer.assumptions.elements for place in unknown.origins)


@representations.element_of_pool.model
def element_of(infer: Infer, form: PooledForm) -> Form:
    """The form of the items of lists in a pool."""
    if form.pool < 0:  # which never had any
        _decide(infer, form, NumberForm(INT))
    return infer.pooling.pools[form.pool].element


def _run(infer: Infer, program: Callable[..., Any], pool: Pool | None, *args: Value) -> Value:
    result = abstract.call(infer, Static(program), [*(() if pool is None else pool.parts), *args], {})
    if pool is not None:
        _require_element(infer, pool, _buffer(infer, pool.items))
    return result


def _require_element(infer: Infer, pool: Pool, items: Buffer) -> None:
    """Start anew with a pool for what its lists have been found to hold, if that is numbers of other types, too."""
    if items.element is not None and items.element != pool.element and mixed.has_mixed(items.element):
        _widen(infer, infer.pooling.pools.index(pool), items.element)


def _widen(infer: Infer, pool: int, element: Form) -> NoReturn:
    infer.assumptions.pools[pool] = (element, infer.assumptions.pools[pool][1])
    infer.assumptions.widened += 1
    raise Restart


# --- lists of the call's ----------------------------------------------------------------------------


@representations.list_of_argument.model
def of_argument(infer: Infer, parts: Sequence[Buffer], path: Path) -> Reference:
    """An argument that is a list of lists, or of tuples, from the columns that it is passed as
    (`jitcore.runtime.list_arguments`)."""
    if len(parts) == 1:
        return infer.heap.new_captured(list, parts[0], path)
    if not infer.pooling.is_used:
        infer.assumptions.begin_pools()
        raise infer.unsupported("a long list of lists as an argument", "an array")
    contents = parts[-1]
    for depth in range(len(parts) // 2, 0, -1):
        places, lengths = parts[2 * depth - 2], parts[2 * depth - 1]
        pool = _pool(infer, contents.element, is_given=True)
        held = (infer.heap.new(list, lengths), infer.heap.new(list, contents))
        first = _run(infer, pool_programs.add_all, infer.pooling.pools[pool], *held)
        infer.pooling.given.append(Given(pool, first, (*path, ("rows", depth))))
        if not (isinstance(first, Static) and first.value == 0):
            moved = _run(infer, pool_programs.moved, None, infer.heap.new(list, places), first)
            assert isinstance(moved, Reference)
            places = _buffer(infer, moved)
        contents = Buffer(places.length, PooledForm(pool), places.columns)
    return infer.heap.new_captured(list, contents, path)


# --- lists in pools ---------------------------------------------------------------------------------


def _buffer(infer: Infer, part: Reference) -> Buffer:
    found = infer.heap.buffer(part)
    assert found is not None
    return found


@representations.contents_of_pooled.model
def view(infer: Infer, row: PoolRow) -> Buffer:
    """What a list in a pool holds now, to be read."""
    if row.form.pool < 0:
        return EMPTY
    pool = infer.pooling.pools[row.form.pool]
    starts, lengths, items = (_buffer(infer, part) for part in (pool.starts, pool.lengths, pool.items))

    def start() -> Value:
        return representations.item_of_list(infer, starts, row.number)

    def length() -> Value:
        return representations.item_of_list(infer, lengths, row.number)

    def columns() -> tuple[Atom, ...]:
        return tuple(infer.emit(copying.copy, infer.read(part)) for part in _trimmed(infer, made))

    made = PooledItems(items, start, length, columns)
    return made


@representations.item_of_list.model_of(PooledItems)
def _item(infer: Infer, found: PooledItems, index: Value) -> Value:
    """The item at a position that there is."""
    return representations.item_of_list(infer, found.pool, numbers.binary(infer, "+", found.start, index))


@representations.items_of_list.model_of(PooledItems)
def _trimmed(infer: Infer, found: PooledItems) -> tuple[Array, ...]:
    """Just the rows of the columns that hold the items, as arrays."""
    start = found.start
    end = numbers.binary(infer, "+", start, found.length)
    made: list[Array] = []
    for column in found.pool.columns:
        part = array_operations.getitem(infer, Array(column, "ndarray"), Slice(start, end, Static(None)))
        assert isinstance(part, Array)
        made.append(part)
    return tuple(made)


@representations.set_pooled_item.model
def set_(infer: Infer, row: PoolRow, key: Value, value: Value) -> None:
    """`list[key] = value`."""
    found = view(infer, row)
    position = buffers.position_of(infer, found, key, "list assignment index out of range", "put")
    if not isinstance(found, PooledItems):
        raise PythonError(IndexError("list assignment index out of range"))
    infer.pooling.changed.add(row.form.pool)
    items = infer.pooling.pools[row.form.pool].items
    changed = buffers.with_item(infer, found.pool, numbers.binary(infer, "+", found.start, position), value)
    _require_element(infer, infer.pooling.pools[row.form.pool], changed)
    infer.heap.store(items.key, changed)


def append(infer: Infer, row: PoolRow, value: Value) -> None:
    """`list.append(value)`."""
    adopt_all(infer, [value])
    if row.form.pool < 0:
        element = buffers.common_form(infer, [value])
        if element is None or not _is_poolable(element):
            raise infer.unsupported("items of this type in a list that is an item of another one")
        _decide(infer, row.form, element)
    infer.pooling.changed.add(row.form.pool)
    _run(infer, pool_programs.append, infer.pooling.pools[row.form.pool], row.number, value)


def drop_last(infer: Infer, row: PoolRow, length: Value) -> None:
    """Leave the last item out; `length` is that of the list without it."""
    infer.pooling.changed.add(row.form.pool)
    lengths = infer.pooling.pools[row.form.pool].lengths
    infer.heap.store(lengths.key, buffers.with_item(infer, _buffer(infer, lengths), row.number, length))


@representations.replace_pooled.model
def replace(infer: Infer, row: PoolRow, contents: Any) -> None:
    """Give a list other contents."""
    infer.pooling.changed.add(row.form.pool)
    values = infer.heap.new(list, contents)
    if row.form.pool < 0:
        element = contents.element if isinstance(contents, Buffer) else buffers.join_all(infer, contents)
        if element is None:  # it stays empty
            return
        _decide(infer, row.form, element)
    buffers.at_run_time(infer, values)
    _run(infer, pool_programs.replace, infer.pooling.pools[row.form.pool], row.number, values)


def as_array(infer: Infer, found: Buffer) -> Value:
    """The array NumPy makes of a list of lists, which has items."""
    held, extents = infer.heap.new(list, found), [found.length]
    while isinstance(found.element, PooledForm):
        first = infer.heap.buffer(representations.item_of_list(infer, found, Static(0)))
        assert first is not None
        flat = abstract.call(infer, Static(pool_programs.flat), [held, Tuple(tuple(extents))], {})
        assert isinstance(flat, Reference)
        extents.append(first.length)
        held, found = flat, _buffer(infer, flat)
    array = representations.array_of_list(infer, found)
    return abstract.call(infer, Static(pool_programs.reshaped), [array, Tuple(tuple(extents))], {})


def same(infer: Infer, x: PoolRow, y: PoolRow) -> Value:
    """Whether two lists are one."""
    if x.form != y.form:
        return Static(False)
    if x.form.pool < 0:
        raise infer.unsupported("'is' between lists that never have any items")
    return numbers.compare(infer, "==", x.number, y.number)
