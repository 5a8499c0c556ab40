"""Going through what has a length known only at run time: folds, extremes, lists of all there is, sorting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.domain import abstract, boxed, forms, mixed, representations, string_forms
from jitcore.passes.infer.domain.values import (
    Buffer,
    Handle,
    Number,
    PythonError,
    Reference,
    Sequence,
    Static,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.passes.infer.python import buffers, pool_programs, sorting
from jitcore.primitives.ops import conversions, generators, growing
from jitcore.types import INT, TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def fold(
    infer: Infer, name: str, sequence: Sequence, start: Value, step: Callable[[Value, Value], Value], first: int = 0
) -> Value:
    """`step(…step(start, item), item …)` over a sequence, from the item numbered `first` on."""

    def body(values: list[Value]) -> list[Value]:
        index = numbers.binary(infer, "+", values[0], Static(first)) if first else values[0]
        return [step(values[1], sequence.item(index))]

    length = numbers.binary(infer, "-", sequence.length, Static(first)) if first else sequence.length
    return run_loop(infer, Loop(name, body, None, infer.number_atom(length, INT)), [start])[0]


def extreme(
    infer: Infer, op: str, builtin: Any, sequence: Sequence, key: Callable[[Value], Value] | None, default: Value | None
) -> Value:
    """`min` or `max` of a sequence, by keys that are made once for each item."""

    def better(best: Value, member: Value) -> Value:
        candidate = keyed(member)
        mine, most = (v.items[1] if isinstance(v, Tuple) and key is not None else v for v in (candidate, best))
        wins = abstract.truth(infer, abstract.compare(infer, op, mine, most))
        return numbers.choose(infer, wins, candidate, best)

    def keyed(member: Value) -> Value:
        return member if key is None else Tuple((member, key(member)))

    def found() -> Value:
        best = fold(infer, "extreme", sequence, keyed(sequence.item(Static(0))), better, 1)
        return best.items[0] if key is not None and isinstance(best, Tuple) else best

    some = infer.truth(numbers.compare(infer, ">", sequence.length, Static(0)))
    if some is True or (some is not False and default is None):
        if some is not True:
            message = _of_nothing(builtin)
            infer.emit_all(conversions.check, some, exception="ValueError", message=message)
        return found()
    if some is False:
        if default is None:
            raise PythonError(ValueError(_of_nothing(builtin)))
        return default
    return branching.branch(infer, some, lambda: [found()], lambda: [default] if default is not None else [])[0]


def _of_nothing(builtin: Any) -> str:
    try:
        builtin(())
    except ValueError as error:
        return str(error)
    raise AssertionError


def filtered(infer: Infer, sequence: Sequence, wanted: Callable[[Value], Value]) -> Sequence:
    """The items of a sequence that are wanted."""
    empty = Buffer(Static(0), None, ())
    made = boxed.display(infer, list, (), ()) if infer.uses_boxes else infer.heap.new(list, empty)

    def keep(member: Value) -> list[Value]:
        if isinstance(made, Reference):
            held = infer.heap.buffer(made)
            assert held is not None
            infer.heap.store(made.key, buffers.append(infer, held, member))
        else:
            abstract.call(infer, abstract.attribute(infer, made, "append"), [member], {})
        return []

    def body(values: list[Value]) -> list[Value]:
        member = sequence.item(values[0])
        known = infer.truth(abstract.truth(infer, wanted(member)))
        if known is True:
            keep(member)
        elif known is not False:
            branching.branch(infer, known, lambda: keep(member), list)
        return []

    run_loop(infer, Loop("filter", body, None, infer.number_atom(sequence.length, INT)), [])
    return buffers.sequence(infer, made) if isinstance(made, Reference) else abstract.sequence(infer, made)


# --- sorting ----------------------------------------------------------------------------------------


def sort(infer: Infer, target: Reference, key: Callable[[Value], Value], reverse: Value) -> None:
    """`list.sort`, by keys that are numbers or tuples of them; of lists of static structure, too."""
    descending = infer.need_static(reverse, "sort's reverse")
    static = infer.heap.buffer(target) is None
    length = len(infer.heap.contents(target.key)) if static else 0
    held = buffers.at_run_time(infer, target)
    if held.element is None:
        return
    keys = infer.heap.new(list, Buffer(Static(0), None, ()))
    given = buffers.sequence(infer, target)
    buffers.extend(infer, keys, Sequence(given.length, lambda i: key(given.item(i))))
    _reorder(infer, target, held, _order(infer, keys, bool(descending)), length if static else None)


def shuffle(infer: Infer, target: Reference, generator: Handle | None) -> bool:
    """`random.shuffle`: the order that a generator (None: the module's) draws for as many items is the list's; nothing
    raises after that, so it may be a list of the code outside. False where the items cannot be taken by positions of
    the run."""
    static = infer.heap.buffer(target) is None
    length = len(infer.heap.contents(target.key)) if static else 0
    held = buffers.at_run_time(infer, target)
    columns = [c.atom for c in representations.items_of_list(infer, held)] if held.element is not None else []
    if not columns:
        return False
    if generator is None:
        order = infer.emit(generators.host_order, columns[0], module=generators.PYTHON)
    else:
        cls = generators.name_of(generator.cls)
        order = infer.emit(generators.host_order, generator.atom, columns[0], module=cls)
    _reorder(infer, target, held, order, length if static else None)
    return True


def _reorder(infer: Infer, target: Reference, held: Buffer, order: Atom, length: int | None) -> None:
    """Give a list the items that were at some places; `length` is that of a list of static structure."""
    count = held.length

    def item(index: Value) -> Value:
        atom = infer.emit(growing.pick_row, order, infer.number_atom(index, INT))
        position = Number(infer.emit(conversions.to_scalar, atom), INT)
        return representations.item_of_list(infer, held, position)

    if length is not None:
        infer.heap.store(target.key, tuple(item(Static(k)) for k in range(length)))
        return
    infer.heap.store(target.key, buffers.emptied(infer, held))
    buffers.extend(infer, target, Sequence(count, item))


def _order(infer: Infer, keys: Reference, descending: bool) -> Atom:
    held = infer.heap.buffer(keys)
    assert held is not None
    columns = [c.atom for c in representations.items_of_list(infer, held)]
    if (values := mixed.of_one_dtype(held.element, columns)) is not None:
        columns = [values]
    elif (
        sorting.is_of_objects(held.element)
        or string_forms.has_parts(held.element)
        or forms.has_pooled(held.element)
        or mixed.has_mixed(held.element)
    ):
        made = abstract.call(infer, Static(pool_programs.order), [keys, Static(descending)], {})
        found = infer.heap.buffer(made)
        assert found is not None
        return representations.items_of_list(infer, found)[0].atom
    if not columns or any(not isinstance(c.type, TensorType) or c.type.rank != 1 for c in columns):
        raise infer.unsupported("sorting by keys that are no numbers", "keys that are numbers or tuples of numbers")
    return infer.emit(growing.sorted_order, *columns, descending=descending)
