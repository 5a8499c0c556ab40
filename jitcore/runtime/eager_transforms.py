"""Transforms of functions run line by line, where a gradient is being recorded or nothing is compiled.

A directional derivative is the transpose of the gradient, which is linear in its cotangent: jvp(f, x)(t) is the
gradient by u of vjp(f, x)(u) · t. Both gradients are taken by tapes, so that those around see all of it.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import creation, shapes
from jitcore.primitives.transforms import AuxError, Composed, Jvp, Recompute, Transform, Vmap
from jitcore.runtime import tape as tapes
from jitcore.runtime.gradients import _alias
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import leaves, map_leaves


def evaluate(request: Transform, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What calling a transformed function gives; see `primitives.transforms`."""
    match request:
        case Jvp():
            return _jvp(request, *args, **keywords)
        case Vmap():
            return _vmap(request, args, keywords)
        case Recompute():
            return request.function(*args, **keywords)
        case Composed():
            return request.implementation(request.function, request.options, *args, **keywords)
        case _:
            raise TypeError(f"{type(request).__name__} cannot be evaluated line by line")


def _jvp(request: Jvp, primals: Any, tangents: Any) -> Any:
    given, along = _arguments(primals), _arguments(tangents)
    if len(given) != len(along):
        raise TypeError(f"there are {len(given)} primals and {len(along)} tangents")
    _require_tensors(given)
    inputs = map_leaves(_alias, given)
    tape = tapes.Tape()
    pairs = [
        (tape.watch(p), t if isinstance(t, Tensor) else Tensor(t, p._dtype))
        for p, t in zip(leaves(inputs), leaves(along), strict=True)
        if isinstance(p, Tensor) and p._dtype.kind in "fc" and t is not None
    ]
    with tapes.active(tape):
        result = request.function(*inputs)
    value, aux = _parts(request, result)
    second = tapes.Tape()
    seeds: list[tuple[int, Any]] = []
    watched: dict[int, int] = {}
    outs = leaves(value)
    for k, out in enumerate(outs):
        node = tape.node_of(out) if isinstance(out, Tensor) else None
        if node is not None:
            cotangent = creation.zeros_like(out)
            watched[k] = second.watch(cotangent)
            seeds.append((node, cotangent))
    with tapes.active(second):
        found = tape.gradients(seeds, [node for node, _ in pairs])
    targets = [
        (node, t)
        for g, (_, t) in zip(found, pairs, strict=True)
        if g is not None and (node := second.node_of(g)) is not None
    ]
    made = dict(zip(watched, second.gradients(targets, list(watched.values())), strict=True))
    stream = iter([_or_zero(made.get(k), out) for k, out in enumerate(outs)])
    tangent = map_leaves(lambda _: next(stream), value)
    return (value, tangent, *aux)


def _arguments(given: Any) -> list[Any]:
    return list(cast("Sequence[Any]", given)) if isinstance(given, tuple | list) else [given]


def _require_tensors(given: Sequence[Any]) -> None:
    for leaf in leaves(list(given)):
        if isinstance(leaf, float) or (not isinstance(leaf, Tensor) and getattr(leaf, "dtype", None) is not None):
            raise TypeError(f"a directional derivative that is not compiled is by Tensors, not {type(leaf).__name__}")


def _parts(request: Jvp, result: Any) -> tuple[Any, tuple[Any, ...]]:
    if not request.has_aux:
        return result, ()
    if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) < 2:
        raise AuxError()
    items = cast("tuple[Any, ...]", result)
    return items[0], (items[1] if len(items) == 2 else items[1:],)


def _or_zero(tangent: Any, out: Any) -> Any:
    if tangent is not None:
        return tangent
    if isinstance(out, Tensor):
        return creation.zeros_like(out)
    return type(out)(0) if isinstance(out, bool | int | float | complex) else out


# --- batches ----------------------------------------------------------------------------------------


def _vmap(request: Vmap, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """One row after the other."""
    axes = list(cast("Sequence[Any]", request.in_axes)) if isinstance(request.in_axes, tuple | list) else None
    if axes is not None and len(axes) != len(args):
        raise ValueError(f"in_axes has {len(axes)} items for {len(args)} arguments")
    given = [*args, *keywords.values()]
    each = [*(axes if axes is not None else [request.in_axes] * len(args)), *(0 for _ in keywords)]
    leaves(
        [value for value, axis in zip(given, each, strict=True) if axis is not None]
    )  # raises if there is no end to them
    sizes: list[int] = []
    rows = [_rows(value, axis, sizes) for value, axis in zip(given, each, strict=True)]
    if not sizes:
        raise ValueError("vmap needs an argument with rows: an axis in in_axes that is not None")
    for size in sizes:
        if size != sizes[0]:
            raise ValueError(f"the arguments of a function under vmap must have as many rows: {sizes[0]} is not {size}")
    if sizes[0] == 0:
        raise ValueError("vmap over no rows, run line by line, cannot know what its results look like: compile it")
    results: list[Any] = []
    for k in range(sizes[0]):
        values = [row(k) for row in rows]
        named = dict(zip(keywords, values[len(args) :], strict=True))
        results.append(request.function(*values[: len(args)], **named))
    return _stacked(results, request.out_axes)


def _rows(value: Any, axis: Any, sizes: list[int]) -> Callable[[int], Any]:
    """The function that gives an argument's k-th row; the numbers of rows are added to `sizes`."""
    if axis is None or value is None:
        return lambda _: value
    if isinstance(value, dict):
        entries = cast("dict[Any, Any]", value)
        inner = list(cast("dict[Any, Any]", axis).values()) if isinstance(axis, dict) else [axis] * len(entries)
        made = {k: _rows(v, a, sizes) for (k, v), a in zip(entries.items(), inner, strict=True)}
        return lambda k: {name: row(k) for name, row in made.items()}
    if isinstance(value, tuple | list):
        items = cast("Sequence[Any]", value)
        inner = list(cast("Sequence[Any]", axis)) if isinstance(axis, tuple | list) else [axis] * len(items)
        if len(inner) != len(items):
            raise ValueError(f"axes for {len(inner)} items, but there are {len(items)}")
        rows = [_rows(v, a, sizes) for v, a in zip(items, inner, strict=True)]
        if hasattr(type(value), "_fields"):
            return lambda k: type(value)(*(row(k) for row in rows))  # type: ignore[call-arg]
        return lambda k: type(value)([row(k) for row in rows])  # type: ignore[call-arg]
    if not isinstance(value, Tensor | np.ndarray):
        raise ValueError("a value that is no array has no rows: its place in in_axes must be None")
    array = cast("Any", value)
    if not isinstance(axis, int):
        raise ValueError("in_axes has the structure of a container where the argument is an array")
    if not -array.ndim <= axis < array.ndim:
        raise ValueError(f"there is no axis {axis} of rows in an array with {array.ndim} dimensions")
    sizes.append(array.shape[axis])
    before = (slice(None),) * (axis % array.ndim)
    return lambda k: array[(*before, k)]


def _stacked(rows: list[Any], axes: Any) -> Any:
    """Rows of results as arrays."""
    first = rows[0]
    if isinstance(first, dict):
        each: dict[Any, Any] = axes if isinstance(axes, dict) else dict.fromkeys(cast("dict[Any, Any]", first), axes)
        return {k: _stacked([r[k] for r in rows], each[k]) for k in cast("dict[Any, Any]", first)}
    if isinstance(first, tuple | list):
        items = cast("Sequence[Any]", first)
        inner = list(cast("Sequence[Any]", axes)) if isinstance(axes, tuple | list) else [axes] * len(items)
        if len(inner) != len(items):
            raise ValueError(f"out_axes has {len(inner)} items for {len(items)} results")
        made = [_stacked([r[k] for r in rows], a) for k, a in enumerate(inner)]
        return type(first)(*made) if hasattr(type(first), "_fields") else type(first)(made)  # type: ignore[call-arg]
    if axes is None:
        if any(not np.array_equal(np.asarray(r), np.asarray(first)) for r in rows):
            raise ValueError("out_axes is None for a result that differs from row to row")
        return first
    if isinstance(first, Tensor | np.ndarray | np.generic):
        return shapes.stack(rows, axes) if any(isinstance(r, Tensor) for r in rows) else np.stack(rows, axes)
    if isinstance(first, bool | int | float | complex):
        return Tensor(np.array(rows))
    return first
