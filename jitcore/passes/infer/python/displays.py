"""What displays of tuples, lists, sets and dicts make."""

from __future__ import annotations

from typing import Any

from jitcore.ir.nodes import Binding
from jitcore.ir.python import ELLIPSIS_KEY
from jitcore.passes.infer.domain import boxed, texts
from jitcore.passes.infer.domain.values import Static, Tuple, Value
from jitcore.passes.infer.engine.core import Infer
from jitcore.passes.infer.engine.handlers import Env, handles
from jitcore.passes.infer.python import containers, methods


@handles("py_tuple", unions=True)
def _tuple(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return Tuple(containers.spread(infer, values, b.params.get("stars", ())))


@handles("py_list", unions=True)
def _list(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    stars = b.params.get("stars", ())
    if infer.uses_boxes:
        return boxed.display(infer, list, values, stars)
    if any(infer.heap.buffer(values[k]) is not None or texts.of_run(values[k]) for k in stars):
        made = infer.heap.new(list, ())
        for k, value in enumerate(values):
            part = value if k in stars else infer.heap.new(list, (value,))
            methods.extend(infer, made, part)
        return made
    return infer.heap.new(list, containers.spread(infer, values, stars))


@handles("py_set", unions=True)
def _set(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    if infer.uses_boxes:
        return boxed.display(infer, set, values, b.params.get("stars", ()))
    return containers.new_set(infer, containers.spread(infer, values, b.params.get("stars", ()), ""))


@handles("py_dict", unions=True)
def _dict(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    if infer.uses_boxes:
        stars = tuple(k for k, v in enumerate(values) if isinstance(v, Static) and v.value is ELLIPSIS_KEY)
        return boxed.display(infer, dict, values, stars)
    entries: dict[Any, Value] = {}
    for key, value in zip(values[::2], values[1::2], strict=True):
        if isinstance(key, Static) and key.value is ELLIPSIS_KEY:
            entries.update(containers.entries_of(infer, value))
        else:
            entries[containers.static_key(infer, key)] = value
    return infer.heap.new(dict, entries)
