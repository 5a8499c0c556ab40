"""`math.fsum`, `math.hypot`, `math.dist` and the functions of `statistics` on numbers of the run."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, rank_of, require_equal, shape_of
from jitcore.library.math import elementwise
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Array, PythonError, Static, Value
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.models import models_family, register_models
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.passes.infer.python import list_arrays
from jitcore.passes.infer.stdlib import mathematics
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops.float_lists import NAMES, of_floats
from jitcore.types import BOOL, FLOAT, INT, f64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Handler = Callable[..., Value]

_OF_FLOATS_ALONE: Final = frozenset(["median", "median_low", "median_high"])
"""Functions that give one of the numbers as it is, an int if it is one."""


def _compute(name: str, known: Any, infer: Infer, values: Value) -> Value:
    """`known(values)`, by the primitive for the function of the name."""
    if not isinstance(values, Array) and abstract.iterate_static(infer, values) is None:
        values = abstract.as_list(infer, values)
    items = None if isinstance(values, Array) else abstract.iterate_static(infer, values)
    if items is not None:
        if all(isinstance(v, Static) for v in items):
            return numbers.fold(known, [v.value for v in items if isinstance(v, Static)])
        kinds = [numbers.type_of_number(v) for v in items]
        if any(kind not in (BOOL, INT, FLOAT) for kind in kinds) and not all(isinstance(v, Array) for v in items):
            raise refusal(infer, f"{name} of these", known, values)
        ints = [kind in (BOOL, INT) for kind in kinds]
        if name not in ("fsum", "hypot", "fmean") and any(ints) and (all(ints) or name in _OF_FLOATS_ALONE):
            raise infer.unsupported(f"statistics.{name} of ints, whose result may be an int", "floats")
        atoms = [infer.number(numbers.convert(infer, v, FLOAT), v) if not isinstance(v, Array) else v for v in items]
        return call_library(infer, _of_numbers, [Static(name), *atoms], {})
    buffer = infer.heap.buffer(values)
    array = values if buffer is None else list_arrays.as_array(infer, buffer)
    return call_library(infer, _of_array, [Static(name), array], {})


@library("raw")
def _of_numbers(name: str, *values: Any) -> Any:
    return _applied(evaluator().constant(list(values), f64), name)


@library("raw")
def _of_array(name: str, values: Any) -> Any:
    a = as_array(values)
    if rank_of(a) != 1 or dtype_of_value(a).kind not in ("biuf" if name in ("fsum", "hypot", "fmean") else "f"):
        raise TypeError(f"{name} of such an array")
    return _applied(elementwise.astype(a, f64), name)


def _applied(values: Any, name: str) -> Any:
    return conversions.to_scalar(of_floats(values, name=name))


def _handler(name: str, known: Any) -> Handler:
    def call(infer: Infer, values: Value, /, **options: Value) -> Value:
        if options:
            raise infer.unsupported(f"{name} with options")
        if name in ("fsum", "fmean") or not isinstance(values, Array):
            return _compute(name, known, infer, values)
        raise infer.unsupported(f"statistics.{name} of an array", "numpy's function")

    return call


def _hypot(infer: Infer, *coordinates: Value) -> Value:
    if len(coordinates) == 2:
        return mathematics.HANDLERS[math.hypot](infer, *coordinates)
    if all(isinstance(v, Static) for v in coordinates):
        return numbers.fold(math.hypot, *(v.value for v in coordinates if isinstance(v, Static)))
    return _compute("hypot", lambda xs: math.hypot(*xs), infer, infer.heap.new(list, tuple(coordinates)))


def _dist(infer: Infer, p: Value, q: Value, /) -> Value:
    pairs = [abstract.iterate_static(infer, v) if not isinstance(v, Array) else None for v in (p, q)]
    left, right = pairs
    if left is None or right is None:
        return call_library(infer, _distance, [p, q], {})
    if len(left) != len(right):
        raise PythonError(ValueError("both points must have the same number of dimensions"))
    return _hypot(infer, *(numbers.binary(infer, "-", a, b) for a, b in zip(left, right, strict=True)))


@library("raw")
def _distance(p: Any, q: Any) -> Any:
    a, b = (as_array(as_array(v), f64) for v in (p, q))
    require_equal(shape_of(a)[0], shape_of(b)[0], "both points must have the same number of dimensions")
    return _applied(elementwise.subtract(a, b), "hypot")


register_models({math.fsum: _handler("fsum", math.fsum), math.hypot: _hypot, math.dist: _dist})


@models_family
def _of_statistics(function: object) -> Handler | None:
    """What calling a function of `statistics` does; None for any other."""
    if not isinstance(function, FunctionType) or function.__module__ != "statistics" or function.__name__ not in NAMES:
        return None
    return _handler(function.__name__, function)
