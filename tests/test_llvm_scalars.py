"""Operations on scalars in programs, against NumPy and Python: every dtype, specials, conversions, the C library's bits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from program_builder import Writer, as_floats, imm, load, make

from jitcore.kernel.scalar import OPS
from jitcore.program import nodes as n
from jitcore.types import (
    DTYPES,
    DType,
    bool_,
    c64,
    c128,
    f16,
    f32,
    f64,
    i64,
    u32,
)
from tests.program_builder import to_words

# --- scalar operations ------------------------------------------------------------------------------


def elementwise(op: str, dtype: DType, arg_types: Sequence[DType]) -> n.Program:
    """A loop that applies an operation to arrays: in = count, addresses of the arguments, address of the result."""
    w = Writer()
    count = w.read(0)
    arrays = [w.read(1 + k, None) for k in range(len(arg_types) + 1)]

    def body(i: n.Reg) -> list[n.Operand]:
        args: list[n.Operand] = []
        for array, t in zip(arrays, arg_types, strict=False):
            args.append(w.load(w.offset(array, w("mul", i64, i, t.itemsize)), t))
        w.store(w.offset(arrays[-1], w("mul", i64, i, dtype.itemsize)), w(op, dtype, *args))
        return []

    w.range_(count, [], body)
    return make(w, 2 + len(arg_types), 0)


def apply(op: str, dtype: DType, *arrays: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    types = [next(d for d in DTYPES.values() if d.numpy == a.dtype) for a in arrays]
    arrays = tuple(np.ascontiguousarray(a) for a in arrays)
    out = np.zeros(arrays[0].shape, dtype.numpy)
    addresses = [a.ctypes.data for a in (*arrays, out)]
    load(elementwise(op, dtype, types)).run(to_words([out.size, *addresses]))
    return out


def samples(dtype: DType) -> np.ndarray[Any, Any]:
    """Numbers of a dtype, extremes and specials among them."""
    random = np.random.default_rng(5)
    if dtype is bool_:
        return np.array([False, True])
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        edge = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 7, info.max // 2]
        if dtype.kind == "i":
            edge += [-1, -2, -3, -7]
        return np.concatenate([np.array(edge, dtype.numpy), random.integers(info.min, info.max, 30, dtype.numpy)])
    if dtype.kind == "c":
        part = samples({c64: f32, c128: f64}[dtype])[:16]
        a, b = np.meshgrid(part, part)
        out = np.empty(a.size, dtype.numpy)
        out.real, out.imag = a.ravel(), b.ravel()
        return out
    info = np.finfo(dtype.numpy)
    edge = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, np.inf, -np.inf, np.nan, info.max, info.tiny, 3.0, -7.25]
    edge += [info.smallest_subnormal, -info.max, 2.0**31 if dtype is not f16 else 9.0, 1e4, 0.1]
    return np.concatenate([np.array(edge, dtype.numpy), (random.standard_normal(30) * 5).astype(dtype.numpy)])


def pairs(dtype: DType) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    x = samples(dtype)
    a, b = np.meshgrid(x, x)
    return a.ravel(), b.ravel()


def check_same(found: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], *args: np.ndarray[Any, Any]) -> None:
    """Equal bit for bit, but for the bits of NaN and, where NumPy leaves it open, a zero's sign."""
    wanted = wanted.astype(found.dtype)
    same = (found == wanted) | ((found != found) & (wanted != wanted))
    if found.dtype.kind == "c":  # NaN in one part says nothing of the other
        parts = [(found.real, wanted.real), (found.imag, wanted.imag)]
        same = np.logical_and.reduce([(f == g) | ((f != f) & (g != g)) for f, g in parts])
    bad = np.flatnonzero(~same)
    shown = [(tuple(a[k] for a in args), found[k], wanted[k]) for k in bad[:5]]
    assert not bad.size, f"{bad.size} of {found.size} differ: {shown}"


INTEGERS = [d for d in DTYPES.values() if d.is_integer]
FLOATS = [f16, f32, f64]
BINARY = {
    "add": [bool_, *INTEGERS, *FLOATS, c64, c128],
    "sub": [*INTEGERS, *FLOATS, c64, c128],
    "mul": [bool_, *INTEGERS, *FLOATS],
    "div": [*FLOATS, c64, c128],
    "floordiv": [*INTEGERS, *FLOATS],
    "mod": [*INTEGERS, *FLOATS],
    "fmod": [*INTEGERS, *FLOATS],
    "max": [bool_, *INTEGERS, *FLOATS],
    "min": [bool_, *INTEGERS, *FLOATS],
    "copysign": FLOATS,
    "and": [bool_, *INTEGERS],
    "or": [bool_, *INTEGERS],
    "xor": [bool_, *INTEGERS],
    "shl": INTEGERS,
    "shr": INTEGERS,
}


@pytest.mark.parametrize("op", BINARY)
def test_binary_operations(op: str) -> None:
    for dtype in BINARY[op]:
        a, b = pairs(dtype)
        with np.errstate(all="ignore"):
            wanted = OPS[op].reference(a, b)
        found = apply(op, dtype, a, b)
        check_same(found, wanted, a, b)
        if dtype.is_float and op not in ("max", "min"):
            zero = (found == 0) & (wanted == 0)
            assert (np.signbit(found[zero]) == np.signbit(wanted[zero])).all()


def test_complex_products_are_pythons() -> None:
    """Unfused, as CPython computes them; NumPy's loops over arrays fuse where the CPU can."""
    a, b = pairs(c128)
    wanted = [
        complex(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)
        for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    check_same(apply("mul", c128, a, b), np.array(wanted), a, b)


UNARY = {
    "neg": [*INTEGERS, *FLOATS, c64, c128],
    "abs": [bool_, *INTEGERS, *FLOATS],
    "sign": [*INTEGERS, *FLOATS],
    "sqrt": FLOATS,
    "floor": [*INTEGERS, *FLOATS],
    "ceil": [*INTEGERS, *FLOATS],
    "trunc": [*INTEGERS, *FLOATS],
    "rint": FLOATS,
    "not": [bool_, *INTEGERS],
}


@pytest.mark.parametrize("op", UNARY)
def test_unary_operations(op: str) -> None:
    for dtype in UNARY[op]:
        a = samples(dtype)
        check_same(apply(op, dtype, a), OPS[op].reference(a), a)


@pytest.mark.parametrize("op", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_comparisons(op: str) -> None:
    for dtype in DTYPES.values():
        a, b = pairs(dtype)
        with np.errstate(all="ignore"):
            wanted = OPS[op].reference(a, b)
        check_same(apply(op, bool_, a, b), wanted, a, b)


@pytest.mark.parametrize("op", ["isnan", "isinf", "isfinite"])
def test_classes_of_numbers(op: str) -> None:
    for dtype in DTYPES.values():
        a = samples(dtype)
        check_same(apply(op, bool_, a), OPS[op].reference(a), a)


@pytest.mark.parametrize("op", ["add_overflows", "sub_overflows", "mul_overflows"])
def test_overflow_predicates(op: str) -> None:
    a, b = pairs(i64)
    check_same(apply(op, bool_, a, b), OPS[op].reference(a, b), a, b)


@pytest.mark.parametrize("source", DTYPES.values(), ids=str)
def test_conversions(source: DType) -> None:
    a = samples(source)
    if source.is_float:
        limits = [2.0**k + d for k in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)]
        with np.errstate(all="ignore"):
            edges = np.array([*limits, *(-x for x in limits), 65519.99999, 65520.0, 1.0 + 2.0**-11], np.float64)
            a = np.concatenate([a, edges.astype(source.numpy)])
    for dtype in DTYPES.values():
        wanted = a.real if source.kind == "c" and dtype.kind != "c" and dtype is not bool_ else a
        with np.errstate(all="ignore"):
            if dtype is u32:  # past its range NumPy's loops over many elements differ from those over one
                wanted = np.array([x.astype(np.uint32) for x in wanted.reshape(-1, 1)]).ravel()
            else:
                wanted = wanted.astype(dtype.numpy)
        check_same(apply("cast", dtype, a), wanted, a)


def test_complex_parts() -> None:
    a = samples(c128)
    check_same(apply("real", f64, a), a.real, a)
    check_same(apply("imag", f64, a), a.imag, a)
    check_same(apply("abs", f64, a), np.array([math.hypot(z.real, z.imag) for z in a.tolist()]), a)
    x, y = pairs(f32)
    check_same(apply("complex", c64, x, y), _complex(x, y), x, y)


def _complex(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    out = np.empty(x.shape, np.complex64)
    out.real, out.imag = x, y
    return out


LIBM_ONE = [name.removeprefix("libm.") for name, op in OPS.items() if name.startswith("libm.") and op.arity == 1]


def _python(function: Callable[..., float], *args: float) -> float | None:
    """What Python computes; None where it raises."""
    try:
        return function(*args)
    except (ValueError, OverflowError):
        return None


@pytest.mark.parametrize("name", LIBM_ONE)
def test_libm_has_the_bits_of_python(name: str) -> None:
    random = np.random.default_rng(3)
    a = np.concatenate(
        [samples(f64), random.uniform(-1, 1, 400), random.uniform(-30, 30, 400), random.lognormal(0, 20, 400)]
    )
    found = apply(f"libm.{name}", f64, a)
    function = getattr(math, name)
    compared = 0
    for x, y in zip(a.tolist(), found.tolist(), strict=True):
        wanted = _python(function, x)
        if wanted is not None:
            compared += 1
            assert np.float64(y).tobytes() == np.float64(wanted).tobytes() or (y != y and wanted != wanted), (
                x,
                y,
                wanted,
            )
    assert compared > 300


@pytest.mark.parametrize("name", ["pow", "atan2", "fmod", "hypot"])
def test_libm_of_two_arguments(name: str) -> None:
    function = (lambda x, y: abs(complex(x, y))) if name == "hypot" else getattr(math, name)
    a, b = pairs(f64)
    found = apply(f"libm.{name}", f64, a, b)
    for x, y, z in zip(a.tolist(), b.tolist(), found.tolist(), strict=True):
        wanted = _python(function, x, y)
        if wanted is not None:
            assert np.float64(z).tobytes() == np.float64(wanted).tobytes() or (z != z and wanted != wanted), (x, y)


@pytest.mark.parametrize(
    "op", ["exp", "tanh", "sigmoid", "log1p", "sin", "atan", "erf", "erfc", "softplus", "pow", "atan2"]
)
def test_functions_in_registers(op: str) -> None:
    """What kernels approximate is approximated in registers too, within the stated error."""
    for dtype, worst in zip((f32, f64), OPS[op].ulp, strict=True):
        x = np.random.default_rng(2).uniform(-0.9, 3, (2, 500)).astype(dtype.numpy)
        args = (abs(x[0]), x[1])[: OPS[op].arity]
        found = apply(op, dtype, *args).astype(np.longdouble)
        wanted = OPS[op].reference(*(a.astype(np.float64 if op in ("erf", "erfc") else np.longdouble) for a in args))
        spacing = np.spacing(abs(wanted).astype(dtype.numpy)).astype(np.longdouble)
        assert (abs(found - wanted) / spacing).max() <= worst + 1


def test_a_constant_power_is_not_rewritten_as_a_product() -> None:
    w = Writer()
    w.write(0, w("libm.pow", f64, w.read(0, f64), imm(2.0)))
    program = load(make(w, 1, 1))
    values = np.random.default_rng(0).uniform(0.1, 1e3, 2000)
    for x in values.tolist():
        assert as_floats(program.run(to_words([x])).tolist()) == [math.pow(x, 2.0)]


def test_no_contraction() -> None:
    w = Writer()
    a, b, c = (w.read(k, f64) for k in range(3))
    w.write(0, w("add", f64, w("mul", f64, a, b), c))
    program = load(make(w, 3, 1))
    rng = np.random.default_rng(1)
    for x, y, z in rng.uniform(-1, 1, (500, 3)).tolist():
        assert as_floats(program.run(to_words([x, y, z])).tolist()) == [x * y + z]
