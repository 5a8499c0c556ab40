"""Branches: each path is inferred into a graph of its own, and what the paths leave is joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Graph
from jitcore.passes.infer.domain import forms
from jitcore.passes.infer.domain.assumptions import NeedsStaticError
from jitcore.passes.infer.domain.forms import Form
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.values import (
    UNDEFINED,
    Array,
    Buffer,
    Fields,
    ListItems,
    Moved,
    PythonError,
    SetItems,
    Tuple,
    Unreachable,
    Value,
)
from jitcore.passes.infer.engine import failures, known_values, rows
from jitcore.source import Problem
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


class StructuresDifferError(NeedsStaticError):
    """A container has other items, or other keys, depending on the path that control took."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Stands as the class of a Tuple that holds a dict's values."""

    keys: tuple[Any, ...]


@dataclass(slots=True)
class Trial:
    """What one path of control wrote: its graph so far, the values it leaves (None: it never ends) and the heap."""

    builder: GraphBuilder
    values: list[Value] | None
    heap: dict[Any, Any]


def trial(infer: Infer, name: str, run: Callable[[], list[Value]], params: Callable[[], None] | None = None) -> Trial:
    """Run something into a graph of its own, on the heap as it is now; the heap is left as it was."""
    outer, before, span, binding = infer.builder, infer.heap.snapshot(), infer.builder.span, infer.binding
    infer.builder = GraphBuilder(name, span)
    scope, infer.scope_from = infer.scope_from, infer.heap.next_key + 1
    try:
        if params is not None:
            params()
        values: list[Value] | None = None
        try:
            values = run()
        except Unreachable:
            pass
        except PythonError as error:
            with suppress(Unreachable):
                failures.raise_error(infer, error.error)
        return Trial(infer.builder, values, infer.heap.state)
    finally:
        infer.builder, infer.binding, infer.scope_from = outer, binding, scope
        infer.builder.span = span
        infer.heap.restore(before)


def branch(infer: Infer, pred: Atom, then: Callable[[], list[Value]], orelse: Callable[[], list[Value]]) -> list[Value]:
    """What one of two paths leaves, decided at run time."""
    new_keys_from = infer.heap.next_key + 1
    span = infer.builder.span
    one, other = trial(infer, "then", then), trial(infer, "orelse", orelse)
    infer.builder.span = span
    if one.values is None or other.values is None:
        return _branch_with_dead_end(infer, pred, one, other)
    joiner = Joiner(infer, new_keys_from, grows=infer.recursions.is_inside)  # where each level may make a list longer
    joiner.states = states = (one.heap, other.heap)
    before = infer.heap.state
    keys = changed_keys(before, states)
    moved = {k: v for state in states for k in keys if isinstance(v := state.get(k), Moved)}
    keys = [k for k in keys if k not in moved]
    align(infer, keys, states)
    both: list[list[Form]] = []
    lists = (one.values + held(one.heap, keys), other.values + held(other.heap, keys))
    for path, values in zip((one, other), lists, strict=True):
        infer.heap.state = path.heap
        joiner.look_for_sharing(values)
        both.append([joiner.form_of(v, runtime=False) for v in values])
    try:
        joined = joiner.join_all(*both)
    except forms.NotOneFormError:
        raise _structures_differ(infer, "list changes its length") from None
    for k, (a, b) in enumerate(zip(*lists, strict=True)):
        if a is b and isinstance(a, Array) and a.is_ref:  # the place itself, which its gradients go to
            joined[k] = forms.Same(a)
    graphs = tuple(finish_trial(infer, t, joined, values) for t, values in zip((one, other), lists, strict=True))
    infer.heap.restore(before)
    infer.heap.next_key = max(infer.heap.next_key, new_keys_from)
    outs = iter(infer.builder.emit(COND, (pred,), graphs=graphs, names=()))
    values = [forms.unflatten(infer, f, outs) for f in joined]
    count = len(one.values)
    restore_held(infer, keys, values[count:])
    infer.heap.state.update(moved)
    joiner.move(infer.heap.state)
    return values[:count]


def align(infer: Infer, keys: Sequence[Any], states: Sequence[dict[Any, Any]]) -> bool:
    """Have objects the same attributes on several paths; whether they had not."""
    rows.require_alike(infer, keys, states)
    return align_fields(keys, states)


def _branch_with_dead_end(infer: Infer, pred: Atom, one: Trial, other: Trial) -> list[Value]:
    """One path raises for certain: it becomes a conditional without results, the other goes on from here."""
    dead = (one.values is None, other.values is None)
    graphs = tuple(
        (t.builder if is_dead else GraphBuilder(t.builder.name, infer.span)).finish(())
        for t, is_dead in zip((one, other), dead, strict=True)
    )
    infer.builder.emit(COND, (pred,), graphs=graphs)
    if all(dead):
        raise Unreachable
    alive = other if dead[0] else one
    infer.builder.body.extend(alive.builder.body)
    infer.heap.state = alive.heap
    assert alive.values is not None
    return alive.values


def finish_trial(infer: Infer, trial: Trial, joined: list[Form], values: list[Value]) -> Graph:
    """The graph of a path, ending in the atoms of its values in the joined forms."""
    outer, state = infer.builder, infer.heap.state
    infer.builder, infer.heap.state = trial.builder, trial.heap
    try:
        atoms = [a for f, v in zip(joined, values, strict=True) for a in forms.flatten(infer, f, v)]
        return trial.builder.finish(atoms)
    finally:
        infer.builder, infer.heap.state = outer, state


def changed_keys(before: dict[Any, Any], states: Sequence[dict[Any, Any]]) -> list[Any]:
    changed: dict[Any, None] = {}
    for after in states:
        changed.update((k, None) for k, c in before.items() if after.get(k) is not c)
        changed.update((k, None) for k in after if isinstance(k, tuple) and k not in before)
    return list(changed)


def restore_held(infer: Infer, keys: Sequence[Any], values: Sequence[Value]) -> None:
    """Put what joined paths left in containers, cells and attributes back into the heap."""
    for key, value in zip(keys, values, strict=True):
        held_before = infer.heap.state.get(key)
        if isinstance(value, Moved):
            infer.heap.state[key] = value
        elif isinstance(value, Tuple) and value.cls is ListItems:
            infer.heap.store(key, value.items)
        elif isinstance(held_before, SetItems) and isinstance(value, Tuple):
            infer.heap.store(key, SetItems(value.items))
        elif isinstance(held_before, dict | tuple) and not isinstance(value, Buffer):
            if not isinstance(value, Tuple):
                kind = "dict changes its keys" if isinstance(held_before, dict) else "list changes its length"
                raise _structures_differ(infer, kind)
            entries = value.cls if isinstance(value.cls, Entries) else None
            items = value.items if entries is None else dict(zip(entries.keys, value.items, strict=True))
            if isinstance(held_before, Fields) and isinstance(items, dict):
                items = Fields(items)
            infer.heap.store(key, items)
        else:
            infer.heap.store(key, value)


def _structures_differ(infer: Infer, change: str) -> StructuresDifferError:
    hint = "change it on both paths alike, or build it after the branch"
    problem = Problem(infer.span, f"a {change} on one path only", hint)
    return StructuresDifferError([problem], "cannot be compiled", known_values.decisive(infer))


def held(state: dict[Any, Any], keys: Sequence[Any]) -> list[Value]:
    """What containers hold, each as one value."""
    values: list[Value] = []
    for key in keys:
        contents = state.get(key, UNDEFINED)
        if isinstance(contents, dict):
            contents = Tuple(tuple(contents.values()), Entries(tuple(contents)))  # type: ignore[arg-type]
        elif isinstance(contents, SetItems):
            contents = Tuple(contents)
        elif isinstance(contents, tuple):
            contents = Tuple(contents, ListItems)
        values.append(contents)
    return values


def align_fields(keys: Sequence[Any], states: Sequence[dict[Any, Any]]) -> bool:
    """Give objects that get attributes on some paths only those on all of them, without values; whether there were
    any."""
    aligned = False
    for key in keys:
        found = [fields for state in states if isinstance(fields := state.get(key), Fields)]
        if len(found) == len(states) and len({tuple(fields) for fields in found}) > 1:
            names = dict.fromkeys(name for fields in found for name in fields)
            for state, fields in zip(states, found, strict=True):
                state[key] = Fields({name: fields.get(name, UNDEFINED) for name in names})
            aligned = True
    return aligned
