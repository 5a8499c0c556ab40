"""What `tests/support_matrix.py` asks of a primitive for a dtype: its sample run one way, and compared with another.

A check gives None where all is well, or what differs in a few words.
"""

from __future__ import annotations

import cmath
import copy
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from jitcore import Tensor
from jitcore.backends import lookup
from jitcore.backends.interpreter.anf import run
from jitcore.config import settings
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Graph, Module
from jitcore.kernel.scalar import OPS
from jitcore.passes.fuse import Fuse
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.plan import ArgLayout, plan
from jitcore.passes.registry import run_passes
from jitcore.passes.transforms.grad import Reverse
from jitcore.passes.transforms.jvp import ForwardMode
from jitcore.passes.transforms.vmap import Vmap
from jitcore.primitives.core.registry import (
    Decomposition,
    Elementwise,
    KernelTemplate,
    Place,
    Primitive,
    Reduce,
    Sample,
    StackSample,
)
from jitcore.testing.numpy_evaluator import type_of_value
from jitcore.types import DType, RefType, ScalarType, TensorType, Type, c64, c128, f16, f32, f64

WIDER = {f16: f64, f32: f64, c64: c128}
ROWS = 3
STEP = 1e-6


def results_of(made: object, types: Sequence[Type]) -> tuple[Any, ...]:
    """What a call gave as a tuple, whatever the number of its results."""
    if made is None:
        return ()
    return made if isinstance(made, tuple) and len(types) != 1 else (made,)


def operands(sample: Sample) -> list[Any]:
    """The sample's arguments as references take them, for one call."""
    made: list[Any] = []
    for arg in sample.args:
        value = list(arg.entries) if isinstance(arg, StackSample) else arg.array if isinstance(arg, Place) else arg
        made.append(copy.deepcopy(value))
    return made


def by_reference(primitive: Primitive, sample: Sample) -> tuple[Any, ...]:
    """The results of a primitive's reference; the sample's arrays stay as they are."""
    with np.errstate(all="ignore"):
        made = primitive.reference(*operands(sample), **sample.params)
    return results_of(made, result_types(primitive, sample))


def result_types(primitive: Primitive, sample: Sample) -> tuple[Type, ...]:
    return primitive.types([type_of_value(a) for a in sample.args], sample.params)


# --- how far apart results may be ---------------------------------------------------------------------


def bound(primitive: Primitive) -> float:
    """How many units in the last place kernels and references may differ by, as the primitive's declaration says.

    Nothing where IEEE 754 fixes the bits, where elements are moved, and where the reference itself is run; for one of
    the kernels' operations its worst error, and 4 units that NumPy may be off; for what is composed, or a sum in
    another order, 64 units of the largest element.
    """
    match primitive.lowering:
        case Elementwise(exact=True) | KernelTemplate(moves=True):
            return 0
        case Elementwise(emit=str() as name):
            return max(OPS[name].ulp) + 4
        case Elementwise() | Reduce() | KernelTemplate() | Decomposition():
            return 64
        case _:
            return 0


def difference(have: object, want: object, ulps: float) -> str | None:
    """How arrays or numbers differ by more than some units in the last place of the largest of them."""
    a, b = np.asarray(have), np.asarray(want)
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return f"{a.dtype}{list(a.shape)} for {b.dtype}{list(b.shape)}"
    if b.dtype.kind not in "fc":
        return None if np.array_equal(a, b) else "other values"
    if not ulps:
        same = np.array_equal(a, b, equal_nan=True) and np.array_equal(_signs(a), _signs(b))
        return None if same else "other bits"
    wide = np.clongdouble if b.dtype.kind == "c" else np.longdouble
    return _far_apart(a.astype(wide), b.astype(wide), ulps * float(np.finfo(b.dtype).eps))


def _signs(x: np.ndarray) -> np.ndarray:
    parts = np.stack([np.real(x), np.imag(x)])
    return np.signbit(parts[~np.isnan(parts)])


def _far_apart(a: np.ndarray, b: np.ndarray, relative: float) -> str | None:
    finite = np.isfinite(b)
    if not np.array_equal(np.isfinite(a), finite):
        return "finite where the other is not"
    if a.dtype.kind == "f" and not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return "other infinities"
    a, b = a[finite], b[finite]
    if not b.size:
        return None
    worst = float(np.max(np.abs(a - b)))
    return None if worst <= relative * max(float(np.max(np.abs(b))), 1e-30) else f"off by {worst:.3g}"


def first_difference(have: Sequence[object], want: Sequence[object], ulps: float) -> str | None:
    """The first difference between results."""
    if len(have) != len(want):
        return f"{len(have)} results for {len(want)}"
    return next(filter(None, (difference(a, b, ulps) for a, b in zip(have, want, strict=True))), None)


# --- the reference, line by line, compiled -------------------------------------------------------------


def check_reference(primitive: Primitive, sample: Sample) -> str | None:
    """The reference gives what the type rule says."""
    types = result_types(primitive, sample)
    for made, type_ in zip(by_reference(primitive, sample), types, strict=True):
        if isinstance(type_, TensorType):
            found = type_of_value(made)
            if not isinstance(found, TensorType) or (found.dtype, found.rank) != (type_.dtype, type_.rank):
                return f"{found!r} for {type_!r}"
        elif isinstance(type_, ScalarType) and type_of_value(made) is not type_:
            return f"{type_of_value(made)!r} for {type_!r}"
    return None


def check_eager(primitive: Primitive, sample: Sample) -> str | None:
    """Called with Tensors where nothing is compiled around it, it gives what the reference gives."""
    args = [Tensor(a.copy()) if isinstance(a, np.ndarray) else a for a in sample.args]
    made = primitive(*args, **sample.params)
    results = results_of(made, result_types(primitive, sample))
    have = [r.asnumpy() if isinstance(r, Tensor) else r for r in results]
    return first_difference(have, by_reference(primitive, sample), bound(primitive))


def check_compiled(primitive: Primitive, sample: Sample) -> str | None:
    """As the only operation of a program, in machine code, it gives what the reference gives, and writes the same."""
    given = operands(sample)
    graph = of_one(primitive, sample)
    layouts = [ArgLayout(not isinstance(a, np.ndarray) or a.flags.c_contiguous) for a in given]
    have = run_compiled(Module("main", {"main": graph}), given, layouts)
    written = operands(sample)
    with np.errstate(all="ignore"):
        made = primitive.reference(*written, **sample.params)
    want = results_of(made, graph.result_types)
    places = [k for k, a in enumerate(sample.args) if isinstance(a, Place)]
    return first_difference(
        [*have, *(given[k] for k in places)], [*want, *(written[k] for k in places)], bound(primitive)
    )


def of_one(primitive: Primitive, sample: Sample) -> Graph:
    """The graph of one binding."""
    builder = GraphBuilder("main")
    params = [builder.param(f"x{k}", type_of_value(a)) for k, a in enumerate(sample.args)]
    return builder.finish(builder.emit(primitive, params, sample.params))


def run_compiled(module: Module, args: Sequence[object], layouts: Sequence[ArgLayout]) -> list[Any]:
    """The results of a module's machine code for arrays and numbers; places are written to."""
    backend = lookup(settings.device_target)
    optimised = run_passes(run_passes(module, OPTIMISATIONS), (Fuse(),))
    loaded = backend.load(plan(optimised, layouts, backend.memory))
    words = np.concatenate([np.zeros(0, np.uint64), *map(_words, args)])
    left = iter(loaded.run(words).tolist())
    return [_value(left, type_) for type_ in module.main.result_types]


def _words(value: object) -> np.ndarray:
    """An argument as the words of a call (`program.nodes`)."""
    if isinstance(value, np.ndarray):
        words = [value.ctypes.data, id(value) | 1, *value.shape, *value.strides]
        return np.array(words, np.int64).view(np.uint64)
    assert isinstance(value, bool | int | float | complex)
    dtype = np.complex128 if isinstance(value, complex) else np.float64 if isinstance(value, float) else np.int64
    return np.array([value], dtype).view(np.uint64)


def _value(words: Iterator[int], type_: Type | None) -> Any:
    """The result that the next words are."""
    if isinstance(type_, ScalarType):
        count = 2 if type_.dtype is c128 else 1
        held = np.array([next(words) for _ in range(count)], np.uint64)
        if type_.dtype.kind == "b":
            return bool(held[0])
        return held.view(type_.dtype.numpy)[0].item()
    assert isinstance(type_, TensorType | RefType)
    array = type_.target if isinstance(type_, RefType) else type_
    address, owner = next(words), next(words)
    shape = tuple(next(words) for _ in range(array.rank))
    strides = tuple(np.array([next(words) for _ in range(array.rank)], np.uint64).view(np.int64).tolist())
    if 0 in shape:
        return np.empty(shape, array.dtype.numpy)
    interface = {
        "data": (address, False), "shape": shape, "strides": strides, "typestr": array.dtype.numpy.str, "version": 3,
    }  # fmt: skip
    if owner and not owner & 1:
        return np.array(np.asarray(lookup(settings.device_target).holder(owner, interface)))
    return np.array(_Window(interface))


class _Window:
    """Memory seen through NumPy's array interface."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


# --- derivatives ---------------------------------------------------------------------------------------


def differentiable(type_: Type | None) -> bool:
    """Whether values of a type have derivatives."""
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.is_differentiable


def widened(sample: Sample) -> Sample:
    """A sample with doubles for narrower floats, in its arguments and its static dtypes."""
    args = tuple(_wide(a) for a in sample.args)
    params = {k: WIDER.get(v, v) if isinstance(v, DType) else v for k, v in sample.params.items()}
    return replace(sample, args=args, params=params)


def _wide(value: object) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        return value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)
    return value


def direction(value: object, seed: int) -> Any:
    """A tangent or cotangent of a value, the same every time."""
    rng = np.random.default_rng(seed)
    array = np.asarray(value)
    made = rng.normal(size=array.shape)
    if array.dtype.kind == "c":
        made = made + 1j * rng.normal(size=array.shape)
    cast = np.asarray(made).astype(array.dtype)
    return cast.item() if type(value) in (float, complex) else cast


def pairing(cotangents: Sequence[object], tangents: Sequence[object]) -> float:
    """The real part of the sum of products; what is None is zero."""
    pairs = [(a, b) for a, b in zip(cotangents, tangents, strict=True) if a is not None and b is not None]
    products = [np.sum(np.asarray(a, np.complex128) * np.asarray(b, np.complex128)).real for a, b in pairs]
    return float(reduce(operator.add, products, 0.0))


def backward(primitive: Primitive, sample: Sample, cotangents: Sequence[object]) -> list[Any]:
    """The cotangents of the arguments, by reverse mode over a graph; None for zero."""
    row = of_one(primitive, sample)
    builder = GraphBuilder("entry")
    args = [builder.param(f"x{k}", p.type) for k, p in enumerate(row.params)]  # type: ignore[arg-type]
    given = [None if c is None else builder.param("c", type_of_value(c)) for c in cotangents]
    reverse = Reverse(builder, {})
    found = reverse.run_backward(reverse.run_forward(row, args), given)
    return _run_some(builder, found, [*sample.args, *(c for c in cotangents if c is not None)])


def forward(primitive: Primitive, sample: Sample, tangents: Sequence[object]) -> list[Any]:
    """The tangents of the results, by forward mode over a graph; None for zero."""
    row = of_one(primitive, sample)
    builder = GraphBuilder("entry")
    args = [builder.param(f"x{k}", p.type) for k, p in enumerate(row.params)]  # type: ignore[arg-type]
    given = [None if t is None else builder.param("t", type_of_value(t)) for t in tangents]
    _, found = ForwardMode(builder, {}).run(row, args, given)
    return _run_some(builder, found, [*sample.args, *(t for t in tangents if t is not None)])


def _run_some(builder: GraphBuilder, atoms: Sequence[Atom | None], args: Sequence[object]) -> list[Any]:
    module = Module("entry", {"entry": builder.finish([a for a in atoms if a is not None])})
    with np.errstate(all="ignore"):
        values = iter(run(module, copy.deepcopy(list(args))))
    return [None if a is None else next(values) for a in atoms]


def _cotangents(primitive: Primitive, sample: Sample) -> list[Any]:
    """A cotangent for every result that has one."""
    types = result_types(primitive, sample)
    results = by_reference(primitive, sample)
    return [direction(r, 99 + k) if differentiable(t) else None for k, (r, t) in enumerate(zip(results, types))]  # noqa: B905


def _tangents(sample: Sample) -> list[Any]:
    return [direction(a, k) if differentiable(type_of_value(a)) else None for k, a in enumerate(sample.args)]


def has_gradient(primitive: Primitive, sample: Sample) -> bool:
    """Whether an argument and a result can have derivatives."""
    return any(t is not None for t in _tangents(sample)) and any(map(differentiable, result_types(primitive, sample)))


def check_gradient(primitive: Primitive, sample: Sample) -> str | None:
    """Reverse mode on doubles agrees with differences; on narrower floats with itself on doubles."""
    wide = widened(sample)
    cotangents = _cotangents(primitive, wide)
    found = backward(primitive, wide, cotangents)
    tangents = _tangents(wide)
    have, want = pairing(found, tangents), _slope(primitive, wide, tangents, cotangents)
    if not cmath.isclose(have, want, rel_tol=1e-5, abs_tol=1e-5):
        return f"{have:.6g} for a slope of {want:.6g}"
    for argument, cotangent in zip(wide.args, found, strict=True):
        if cotangent is not None and type_of_value(cotangent) is not type_of_value(argument):
            return f"a cotangent of type {type_of_value(cotangent)!r} for {type_of_value(argument)!r}"
    return _narrow_gradient(primitive, sample, wide)


def _narrow_gradient(primitive: Primitive, sample: Sample, wide: Sample) -> str | None:
    if all(a is b or type_of_value(a) is type_of_value(b) for a, b in zip(sample.args, wide.args, strict=True)):
        return None
    cotangents = _cotangents(primitive, sample)
    exact = backward(primitive, wide, [None if c is None else _wide(c) for c in cotangents])
    for have, want, argument in zip(backward(primitive, sample, cotangents), exact, sample.args, strict=True):
        if (have is None) != (want is None):
            return "no cotangent"
        if have is not None and (found := difference(have, np.asarray(want).astype(np.asarray(argument).dtype), 256)):
            return found
    return None


def _slope(primitive: Primitive, sample: Sample, tangents: Sequence[Any], cotangents: Sequence[object]) -> float:
    def at(step: float) -> list[Any]:
        moved = tuple(a if t is None else a + step * t for a, t in zip(sample.args, tangents, strict=True))
        made = by_reference(primitive, replace(sample, args=moved))
        return [None if c is None else np.asarray(m, np.complex128) for m, c in zip(made, cotangents, strict=True)]

    slopes = [None if a is None else (a - b) / (2 * STEP) for a, b in zip(at(STEP), at(-STEP), strict=True)]
    return pairing(cotangents, slopes)


def check_jvp(primitive: Primitive, sample: Sample) -> str | None:
    """Forward mode is the transpose of reverse mode."""
    cotangents, tangents = _cotangents(primitive, sample), _tangents(sample)
    have = pairing(cotangents, forward(primitive, sample, tangents))
    want = pairing(backward(primitive, sample, cotangents), tangents)
    narrowest = max(float(np.finfo(np.asarray(t).dtype).eps) for t in (*tangents, *cotangents) if t is not None)
    close = cmath.isclose(have, want, rel_tol=256 * narrowest, abs_tol=256 * narrowest)
    return None if close else f"{have:.6g} for {want:.6g}"


# --- batches -------------------------------------------------------------------------------------------


def rows_of(primitive: Primitive, value: object, vary: bool) -> np.ndarray:
    """Rows of an argument: floats scaled, integers of elementwise operations in other orders, the value itself else."""
    array = np.asarray(value)
    if not vary:
        return np.stack([array] * ROWS)
    if array.dtype.kind in "fc":
        return np.stack([array * scale for scale in (1.0, 0.875, 0.75)]).astype(array.dtype)
    if isinstance(primitive.lowering, Elementwise):
        return np.stack([np.roll(array.reshape(-1), k).reshape(array.shape) for k in range(ROWS)])
    return np.stack([array] * ROWS)


def check_vmap(primitive: Primitive, sample: Sample) -> str | None:
    """A batch gives what the reference gives of row after row."""
    rows, want = _row_by_row(primitive, sample)
    row = of_one(primitive, sample)
    builder = GraphBuilder("entry")
    params: list[Atom] = [builder.param("x", TensorType(type_of_value(r).dtype, r.shape)) for r in rows]  # type: ignore[union-attr]
    made, _ = Vmap(builder, {}).run(row, params, ROWS)
    with np.errstate(all="ignore"):
        have = run(Module("entry", {"entry": builder.finish(made)}), copy.deepcopy(rows))
    ulps = bound(primitive) or (0 if primitive.batch is None else 64)
    return first_difference(have, want, ulps)


def _row_by_row(primitive: Primitive, sample: Sample) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Rows of the arguments, and what the reference gives of them; equal rows where others raise."""
    error: Exception | None = None
    for vary in (True, False):
        rows = [rows_of(primitive, a, vary) for a in sample.args]
        try:
            found = [by_reference(primitive, _row(sample, rows, k)) for k in range(ROWS)]
        except (ArithmeticError, ValueError, IndexError) as raised:
            error = raised
            continue
        return rows, [np.stack(each) for each in zip(*found, strict=True)]
    assert error is not None
    raise error


def _row(sample: Sample, rows: Sequence[np.ndarray], k: int) -> Sample:
    args = tuple(r[k] if isinstance(a, np.ndarray) else r[k].item() for a, r in zip(sample.args, rows, strict=True))
    return replace(sample, args=tuple(np.asarray(a) if isinstance(a, np.generic) else a for a in args))


Check = Callable[[Primitive, Sample], str | None]

CHECKS: dict[str, Check] = {
    "reference": check_reference,
    "eager": check_eager,
    "compiled": check_compiled,
    "gradient": check_gradient,
    "jvp": check_jvp,
    "vmap": check_vmap,
}
