"""Eager operators as compiled code: one primitive is one program, so that both modes compute with the same kernels.

A program is compiled for a primitive, its params, and the dtypes and extents of its operands; for elementwise
operations and reductions the extents are symbols, so that one serves all sizes. Its code is kept on disk. What has no
kernel (views, Python numbers, LAPACK) or only moves elements is computed by the primitive's NumPy reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from jitcore.backends import lookup
from jitcore.config import settings
from jitcore.forking import process_lock
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Module
from jitcore.primitives.core.long_calls import reference_of
from jitcore.primitives.core.registry import Decomposition, Elementwise, KernelTemplate, Primitive, Reduce
from jitcore.runtime.interrupts import carried, is_from_handler
from jitcore.source import CompileError
from jitcore.types import Shape, TensorType, Type, dtype_of, symbol

if TYPE_CHECKING:
    from jitcore.backends.protocol import LoadedProgram

Arrays: TypeAlias = "Sequence[np.ndarray[Any, Any]]"

_SYMBOLIC: Final = (Elementwise, Reduce)
_COMPILED: Final = (Elementwise, Reduce, KernelTemplate, Decomposition)
_MOST_PATTERNS: Final = 2048
"""How many operators are kept compiled."""
_MOST_SHAPES: Final = 8192
"""How many exact operand shapes are remembered; beyond, they are looked up anew."""


class Operator:
    """A primitive compiled for operands of certain types."""

    __slots__ = ("_results", "loaded")

    def __init__(self, loaded: LoadedProgram, results: Sequence[TensorType]) -> None:
        self.loaded = loaded
        self._results = tuple((type_.rank, type_.dtype.numpy) for type_ in results)

    def __call__(self, arrays: Arrays) -> Any:
        """The result, or a tuple of results."""
        words: list[int] = []
        for array in arrays:
            words += (array.ctypes.data, id(array) | 1, *array.shape, *array.strides)
        left = self.loaded.run(np.array(words, np.int64).view(np.uint64)).view(np.int64).tolist()
        made: list[Any] = []
        at = 0
        for rank, dtype in self._results:
            made.append(_result(left, at, rank, dtype))
            at += 2 + 2 * rank
        return made[0] if len(made) == 1 else tuple(made)


def _result(words: Sequence[int], at: int, rank: int, dtype: np.dtype[Any]) -> Any:
    """The array that a program left, which owns its memory; one that shares an operand's is copied."""
    owner = words[at + 1]
    shape = tuple(words[at + 2 : at + 2 + rank])
    strides = tuple(words[at + 2 + rank : at + 2 + 2 * rank])
    interface = {"data": (words[at], False), "shape": shape, "strides": strides, "typestr": dtype.str, "version": 3}
    if owner and not owner & 1:
        holder = lookup(settings.device_target).holder(owner, interface)
        return np.empty(shape, dtype) if 0 in shape else np.asarray(holder)
    return np.empty(shape, dtype) if 0 in shape else np.array(_Window(interface))


class _Window:
    """Memory seen through NumPy's array interface."""

    __slots__ = ("__array_interface__",)

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


_by_shape: dict[Any, Operator | None] = {}
_by_pattern: dict[Any, Operator | None] = {}
_lock = process_lock()


def execute(primitive: Primitive, values: Sequence[Any], params: Mapping[str, Any]) -> Any:
    """Compute a primitive on ndarrays by its compiled operator, or by its reference if it has none."""
    operator = None
    lowering = primitive.lowering
    moves = isinstance(lowering, KernelTemplate) and lowering.moves
    if isinstance(lowering, _COMPILED) and primitive.effects.pure and not moves:
        arrays = [v if type(v) is np.ndarray and v.flags.aligned else np.array(v) for v in values]
        operator = _operator(primitive, arrays, params)
        if operator is not None:
            return operator(arrays)
    with np.errstate(all="ignore"):
        return reference_of(primitive, values, params)


def _operator(primitive: Primitive, arrays: Arrays, params: Mapping[str, Any]) -> Operator | None:
    try:
        exact = (primitive, *params.items(), *((a.dtype, a.shape, a.flags.c_contiguous) for a in arrays))
        if exact in _by_shape:
            return _by_shape[exact]
    except TypeError as error:  # params that cannot be a key: an array among them
        if is_from_handler(error):
            raise
        return None
    primitive.types([TensorType(dtype_of(a.dtype), a.shape) for a in arrays], params)  # raises what does not fit
    with _lock:
        pattern = _pattern(primitive, arrays)
        contiguous = [a.flags.c_contiguous for a in arrays]
        key = (primitive, *params.items(), *pattern, *contiguous)
        if key not in _by_pattern:
            made = carried(lambda: _compiled(primitive, pattern, params, contiguous))
            if len(_by_pattern) >= _MOST_PATTERNS:
                _by_pattern.clear()
                _by_shape.clear()
            _by_pattern[key] = made
        if len(_by_shape) >= _MOST_SHAPES:
            _by_shape.clear()
        found = _by_shape[exact] = _by_pattern[key]
    return found


def _pattern(primitive: Primitive, arrays: Arrays) -> tuple[TensorType, ...]:
    """The types to compile for: in elementwise operations and reductions equal extents are one symbol (0 and 1 are
    themselves)."""
    if not isinstance(primitive.lowering, _SYMBOLIC):
        return tuple(TensorType(dtype_of(a.dtype), a.shape) for a in arrays)
    names: dict[int, str] = {}
    types: list[TensorType] = []
    for array in arrays:
        shape: Shape = tuple(n if n < 2 else symbol(names.setdefault(n, f"n{len(names)}")) for n in array.shape)
        types.append(TensorType(dtype_of(array.dtype), shape))
    return tuple(types)


def _compiled(
    primitive: Primitive, types: Sequence[TensorType], params: Mapping[str, Any], contiguous: Sequence[bool]
) -> Operator | None:
    """The operator; None if there is no kernel for these dtypes."""
    from jitcore.passes.fuse import Fuse
    from jitcore.passes.pipeline import OPTIMISATIONS
    from jitcore.passes.plan import ArgLayout, plan
    from jitcore.passes.registry import run_passes

    builder = GraphBuilder(primitive.name)
    operands = [builder.param(f"x{k}", type_) for k, type_ in enumerate(types)]
    outs = builder.emit(primitive, operands, params)
    results: list[Type | None] = [out.type for out in outs]
    arrays = [type_ for type_ in results if isinstance(type_, TensorType)]
    if len(arrays) != len(results):
        return None
    module = Module(primitive.name, {primitive.name: builder.finish(outs)})
    try:
        module = run_passes(run_passes(module, OPTIMISATIONS), (Fuse(),))
        backend = lookup(settings.device_target)
        program = plan(module, [ArgLayout(c) for c in contiguous], backend.memory)
    except CompileError:
        return None
    return Operator(backend.load(program, keep=True), arrays)
