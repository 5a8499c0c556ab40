"""NumPy's signatures of library functions that have MindSpore's, or take options that only NumPy has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.values import as_operand, category, shape_of
from jitcore.library.math import elementwise

Function = Callable[..., Any]


def split(x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    parts = shapes.split(x, indices_or_sections, axis)
    return parts if category(x) == "tensor" else list(parts)


def where(condition: Any, *choices: Any) -> Any:
    if not choices:
        return indexing.nonzero(condition)
    if len(choices) != 2:
        raise ValueError("either both or neither of x and y should be given")
    return elementwise.where(condition, *choices)


def by_keyword(count: int, function: Function) -> Function:
    """A function whose NumPy namesake has other parameters than MindSpore's after the first `count`: they go by
    keyword."""

    def call(x: Any, *args: Any, **keywords: Any) -> Any:
        if category(x) != "tensor":
            if len(args) >= count:
                raise TypeError(f"{function.__name__} of more than {count} arguments by position")
            axis = args[0] if args else keywords.get("axis")
            if isinstance(axis, tuple) and not axis:  # none: not all, as in MindSpore
                raise TypeError(f"{function.__name__} over no axes")
        return function(x, *args, **keywords)

    return call


def transpose(a: Any, axes: Any = None) -> Any:
    return shapes.transpose(a) if axes is None else shapes.transpose(a, axes)


def clip(a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    return elementwise.clip(a, a_min if min is None else min, a_max if max is None else max)


def clip_method(x: Any, min: Any = None, max: Any = None) -> Any:
    return elementwise.clip(x, min, max)


def identity(n: Any, dtype: Any = None) -> Any:
    return creation.eye(n, dtype=dtype)


def tri(function: Function) -> Function:
    def triangle(m: Any, k: Any = 0) -> Any:
        a = as_operand(m)
        if category(m) != "tensor" and len(shape_of(a)) == 1:  # every row of a matrix
            a = shapes.broadcast_to(a, shape_of(a) * 2)
        return function(a, k)

    return triangle


def meshgrid(*xi: Any, indexing: str = "xy", sparse: Any = False, copy: Any = True) -> Any:
    del copy
    vectors = [shapes.ravel(as_operand(x)) for x in xi]
    if not sparse:
        return tuple(creation.meshgrid(*vectors, indexing=indexing))
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) >= 2:
        order[0], order[1] = 1, 0
    return tuple(
        shapes.reshape(v, *(-1 if k == place else 1 for k in range(len(vectors))))
        for place, v in zip(order, vectors, strict=True)
    )


def several(function: Function) -> Function:
    """A function of one array as NumPy's of several, which gives them in a tuple."""

    def call(*arys: Any) -> Any:
        made = tuple(function(a) for a in arys)
        return made[0] if len(made) == 1 else made

    return call
