"""Calls of Cells, and of what gradients and other transforms make: compiled, or line by line on a tape."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from jitcore.config import PYNATIVE_MODE, settings
from jitcore.primitives.core.dialects import Dialect, dialect_of
from jitcore.primitives.transforms import Gradient, Transform
from jitcore.runtime import custom, eager_transforms, gradients, hooks, tape
from jitcore.runtime.callables import known_to_users
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import distinct_leaves
from jitcore.structs import dataclass

# --- Cells and gradients ------------------------------------------------------------------------------


def call_cell(cell: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call a Cell: compiled in GRAPH_MODE, line by line in PYNATIVE_MODE and where a gradient is being recorded."""
    if settings.mode == PYNATIVE_MODE or not settings.jit or tape.recording():
        if tape.recording() and hasattr(type(cell), "bprop"):
            used = getattr(cell, "used_bprop_inputs", None)
            weights = getattr(cell, "internal_params", ())
            return custom.call(cell.construct, cell.bprop, args, keywords, used, weights, dialect=dialect_of(cell))
        return cell.construct(*args, **keywords)
    if hooks.exist() and hooks.any_of(
        itertools.chain((leaf for arg in args for leaf in distinct_leaves(arg)), cell.get_parameters())
    ):
        return cell.construct(*args, **keywords)  # gradients that it takes would not call them
    compiled: CompiledFunction | None = cell.__dict__.get("_compiled")
    own = cell.__dict__.get("construct")
    construct = type(cell).construct if own is None else own
    function = construct.__jitcore_function__ if isinstance(construct, CompiledFunction) else construct
    if compiled is None or compiled.__jitcore_function__ is not function:
        compiled = cell.__dict__["_compiled"] = CompiledFunction(function, by_mode=True, dialect=dialect_of(cell))
    return compiled(cell, *args, **keywords) if own is None else compiled(*args, **keywords)


def call_gradient(function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call a gradient function: compiled in GRAPH_MODE, under a tape in PYNATIVE_MODE.

    A tape follows Tensors only: in PYNATIVE_MODE too, gradients by Python numbers and ndarrays are compiled.
    """
    request: Gradient = function.__jitcore_gradient__
    if tape.recording() or not settings.jit or (settings.mode == PYNATIVE_MODE and _on_tensors(request, args)):
        return gradients.evaluate(request, args, keywords)
    if hooks.any_of(leaf for arg in (*args, request.weights or ()) for leaf in distinct_leaves(arg)):
        return gradients.evaluate(request, args, keywords)
    return compiled_gradient(request, dialect_of(function))(function, *args, **keywords)


def _on_tensors(request: Gradient, args: Sequence[Any]) -> bool:
    chosen = args if request.positions is None else [args[k] for k in request.positions if -len(args) <= k < len(args)]
    return all(isinstance(leaf, Tensor) for arg in chosen for leaf in distinct_leaves(arg)) or request.positions is None


@dataclass(frozen=True, slots=True, eq=False)
class _GradientKey:
    """A request by what it asks for, so that equal ones share their compiled code."""

    request: Gradient
    dialect: Dialect | None

    def _parts(self) -> tuple[Any, ...]:
        r = self.request
        weights = None if r.weights is None else tuple(map(id, r.weights))
        return (
            r.function,
            r.positions,
            r.single,
            weights,
            r.with_value,
            r.has_aux,
            r.sens,
            r.integers,
            r.single_weight,
            r.numbers,
            self.dialect,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _GradientKey) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


def _call_it(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(*args, **keywords)


def caller_of(function: object) -> FunctionType:
    """A function of its own that calls what it is given, under the name of what that is made of: the one users know."""
    made = FunctionType(_call_it.__code__, _call_it.__globals__)
    known = known_to_users(function)
    if isinstance(known, FunctionType):
        functools.update_wrapper(made, known, ("__name__", "__qualname__"), ())
    return made


def _on_tape(function: Any, *args: Any, **keywords: Any) -> Any:
    return gradients.evaluate(function.__jitcore_gradient__, args, keywords)


def compiled_gradient(request: Gradient, dialect: Dialect | None = None) -> CompiledFunction:
    """What compiles the calls of a gradient function, given as the first argument, of a dialect."""
    return _compiled_gradient(_GradientKey(request, dialect))


@functools.lru_cache(maxsize=256)
def _compiled_gradient(key: _GradientKey) -> CompiledFunction:
    return CompiledFunction(caller_of(key.request.function), _on_tape, by_mode=True, dialect=key.dialect)


# --- other transforms ---------------------------------------------------------------------------------


def call_transform(function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call what a transform makes: compiled, or computed by eager operators where a gradient is being recorded."""
    request: Transform = function.__jitcore_transform__
    if tape.recording() or not settings.jit:
        return eager_transforms.evaluate(request, args, keywords)
    return compiled_transform(request, dialect_of(function))(function, *args, **keywords)


def compiled_transform(request: Transform, dialect: Dialect | None = None) -> CompiledFunction:
    """What compiles the calls of what a transform makes, given as the first argument, of a dialect."""
    return _compiled_transform(request.key(), request.function, dialect)


def _transform_uncompiled(function: Any, *args: Any, **keywords: Any) -> Any:
    return eager_transforms.evaluate(function.__jitcore_transform__, args, keywords)


@functools.lru_cache(maxsize=256)
def _compiled_transform(key: tuple[Any, ...], function: object, dialect: Dialect | None) -> CompiledFunction:
    del key  # it makes the difference between one and another
    return CompiledFunction(caller_of(function), _transform_uncompiled, by_mode=True, dialect=dialect)
