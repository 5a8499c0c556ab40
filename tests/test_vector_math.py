"""The vector math functions: errors in ULP on dense samples, special values, and the same bits at every width.

References are NumPy's functions in a wider format: f64 for f32, x87's long double for f64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from kernel_runner import Compiled

from jitcore.backends.llvm.math.functions import FUNCTIONS
from jitcore.backends.native.engine import engine
from jitcore.backends.native.ir.target import Target
from jitcore.kernel.build import ArrayLayout, KernelBuilder
from jitcore.kernel.scalar import OPS
from jitcore.types import DType, f32, f64

_WIDE = {f32: np.float64, f64: np.longdouble}
_LONG = np.finfo(np.longdouble).nmant >= 63
UNARY = [op for op in FUNCTIONS if OPS[op].arity == 1]
DTYPES = [f32, pytest.param(f64, marks=pytest.mark.skipif(not _LONG, reason="no wider float to compare with"))]


def _sigmoid(x: np.ndarray) -> np.ndarray:
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def _erfc_of_positive(a: np.ndarray) -> np.ndarray:
    """By erf's series below 1 (Abramowitz and Stegun 7.1.6), beyond by erfc's continued fraction (7.1.14)."""
    root_pi = np.sqrt(np.longdouble("3.14159265358979323846264338327950288"))
    z, far = np.minimum(a, 1), np.maximum(a, 1)
    term = total = z
    for k in range(1, 40):
        term = term * z * z * 2 / (2 * k + 1)
        total = total + term
    near = 1 - 2 / root_pi * np.exp(-z * z) * total
    fraction = far
    for k in range(300, 0, -1):
        fraction = far + np.longdouble(k) / 2 / fraction
    head = np.rint(far * 2**20) / 2**20  # whose square is exact
    tail = np.exp(-head * head) * np.exp((head - far) * (head + far)) / root_pi / fraction
    return np.where(a < 1, near, tail)


def _erfc(x: np.ndarray) -> np.ndarray:
    size = _erfc_of_positive(np.minimum(np.abs(x.astype(np.longdouble)), 110))
    return np.where(x < 0, 2 - size, size).astype(x.dtype)


def _erf(x: np.ndarray) -> np.ndarray:
    a = np.abs(x.astype(np.longdouble))
    series = sum((-1) ** k / np.longdouble(math.factorial(k) * (2 * k + 1)) * a ** (2 * k + 1) for k in range(30))
    small = series * 2 / np.sqrt(np.longdouble("3.14159265358979323846264338327950288"))
    return np.copysign(np.where(a < 0.5, small, 1 - _erfc_of_positive(np.minimum(a, 110))), x).astype(x.dtype)


_REFERENCE: dict[str, Callable[..., np.ndarray]] = {
    "sigmoid": _sigmoid, "softplus": lambda x: np.logaddexp(x.dtype.type(0), x), "erf": _erf, "erfc": _erfc, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "pow": np.power,
}  # fmt: skip


def reference(op: str, dtype: DType, *args: np.ndarray) -> np.ndarray:
    """The function in the wider format."""
    with np.errstate(all="ignore"):
        return _REFERENCE.get(op, getattr(np, op, np.exp))(*(a.astype(_WIDE[dtype]) for a in args))


def targets() -> Iterator[Target]:
    """This machine, and the least one of its kind: no FMA, 16-byte vectors."""
    yield engine.host()
    if engine.host().architecture == "x86_64":
        yield engine.make_target(engine.host().triple, "x86-64", {})


def compiled(op: str, dtype: DType, size: int, target: Target | None = None) -> Compiled:
    """out = op(a…) over arrays of a size."""
    names = "ab"[: OPS[op].arity]
    layout = ArrayLayout.contiguous(dtype, (size,))
    k = KernelBuilder(f"{op}_{dtype}", dict.fromkeys((*names, "out"), layout))
    (i,) = k.axes((size,))
    k.store("out", (i,), k(op, dtype, *(k.load(n, (i,)) for n in names)))
    return Compiled(k.finish()[0], target)


def run(op: str, dtype: DType, *args: np.ndarray, target: Target | None = None) -> np.ndarray:
    """op(a…)."""
    out = np.zeros(args[0].size, dtype.numpy)
    compiled(op, dtype, args[0].size, target)({**dict(zip("ab", args, strict=False)), "out": out})
    return out


def errors(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Errors in ULP; infinite where one is finite or a number and the other is not."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        error = np.abs(got.astype(want.dtype) - want) / np.spacing(np.abs(rounded)).astype(want.dtype)
    special = ~np.isfinite(rounded)
    same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
    return np.where(special, np.where(same, 0, np.inf), np.where(np.isnan(error), np.inf, error)).astype("f8")


def samples(dtype: DType) -> np.ndarray:
    """All magnitudes, and densely where functions are interesting."""
    rng = np.random.default_rng(3)
    unsigned = np.uint32 if dtype is f32 else np.uint64
    bits = rng.integers(0, np.iinfo(unsigned).max, 60_000, dtype=unsigned, endpoint=True).view(dtype.numpy)
    spans = [np.linspace(-s, s, 40_001) for s in (1, 3, 10, 110, 800)]
    small = np.concatenate([np.logspace(-30, 5, 20_001), -np.logspace(-30, 5, 20_001)])
    return np.concatenate([bits, *(s.astype(dtype.numpy) for s in (*spans, small))])


SPECIALS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 1.5, -1.5, math.inf, -math.inf, math.nan, 1e-30, -1e-30,
    1e30, -1e30, 88.8, -88.0, -100.0, 104.5, 709.5, 710.5, -745.0, -746.5, 2.0**24 + 2, -(2.0**53),
]  # fmt: skip


def specials(dtype: DType) -> np.ndarray:
    """Numbers at the edges: largest, smallest, subnormal."""
    info = np.finfo(dtype.numpy)
    edges = [info.max, -info.max, info.tiny, -info.tiny, info.smallest_subnormal, -info.smallest_subnormal]
    return np.array([*SPECIALS, *edges], dtype.numpy)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("op", UNARY)
def test_errors_stay_within_the_table(op: str, dtype: DType) -> None:
    x = samples(dtype)
    if op in ("erf", "erfc"):
        x = np.concatenate([x[::40], np.linspace(-6.5, 28, 5_001).astype(dtype.numpy)])
    bound = OPS[op].ulp[dtype is f64]
    for target in targets():
        found = errors(run(op, dtype, x, target=target), reference(op, dtype, x))
        worst = int(np.argmax(found))
        assert found[worst] <= bound, f"{op}({x[worst]!r}) is {found[worst]} ULP off on {target.cpu}"


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("op", UNARY)
def test_special_values(op: str, dtype: DType) -> None:
    x = specials(dtype)
    want = reference(op, dtype, x)
    for target in targets():
        got = run(op, dtype, x, target=target)
        found = errors(got, want)
        worst = int(np.argmax(found))
        assert found[worst] <= OPS[op].ulp[dtype is f64] + 1, f"{op}({x[worst]!r}) = {got[worst]!r} on {target.cpu}"
        zero = want == 0
        np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("op", ["pow", "atan2"])
def test_binary_special_values(op: str, dtype: DType) -> None:
    x, y = (v.ravel() for v in np.meshgrid(specials(dtype), specials(dtype)))
    want = reference(op, dtype, x, y)
    for target in targets():
        got = run(op, dtype, x, y, target=target)
        found = errors(got, want)
        worst = int(np.argmax(found))
        assert found[worst] <= 2, f"{op}({x[worst]!r}, {y[worst]!r}) = {got[worst]!r}, not {want[worst]!r}"
        with np.errstate(all="ignore"):
            zero = want.astype(dtype.numpy) == 0
        np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_power_near_one_and_far(dtype: DType) -> None:
    rng = np.random.default_rng(4)
    scale = 1e-5 if dtype is f64 else 1e-3
    x = np.concatenate([1 + rng.normal(0, scale, 20_000), rng.uniform(0, 3, 20_000), np.exp(rng.normal(0, 5, 20_000))])
    y = np.concatenate([rng.normal(0, 1 / scale, 20_000), rng.uniform(-300, 300, 20_000), rng.normal(0, 20, 20_000)])
    x, y = x.astype(dtype.numpy), y.astype(dtype.numpy)
    for target in targets():
        found = errors(run("pow", dtype, x, y, target=target), reference("pow", dtype, x, y))
        assert found.max() <= OPS["pow"].ulp[dtype is f64]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_angles_all_around(dtype: DType) -> None:
    rng = np.random.default_rng(5)
    y = (rng.normal(0, 1, 40_000) * np.exp(rng.normal(0, 10, 40_000))).astype(dtype.numpy)
    x = rng.normal(0, 1, 40_000).astype(dtype.numpy)
    found = errors(run("atan2", dtype, y, x), reference("atan2", dtype, y, x))
    assert found.max() <= OPS["atan2"].ulp[dtype is f64]


@pytest.mark.parametrize("dtype", [f32, f64], ids=str)
@pytest.mark.parametrize("op", ["sin", "cos", "tan"])
def test_huge_arguments_reduce_exactly(op: str, dtype: DType) -> None:
    """The C library's answers, to the last place or two; some lanes huge, others not."""
    rng = np.random.default_rng(6)
    x = np.concatenate([np.exp(rng.uniform(9, 80, 500)), rng.uniform(-4, 4, 500)]).astype(dtype.numpy)
    rng.shuffle(x)
    want = np.array([getattr(math, op)(float(v)) for v in x])
    found = errors(run(op, dtype, x), want.astype(_WIDE[dtype]))
    assert found.max() <= OPS[op].ulp[dtype is f64] + 1


@pytest.mark.parametrize("dtype", [f32, f64], ids=str)
@pytest.mark.parametrize("op", list(FUNCTIONS))
def test_every_lane_gives_the_same_bits(op: str, dtype: DType) -> None:
    """Alone, in a tail or within a vector: an element's result depends on the element only."""
    x = np.concatenate([specials(dtype), np.linspace(-5, 5, 67).astype(dtype.numpy)])
    args = (x, x[::-1].copy())[: OPS[op].arity]
    together = run(op, dtype, *args)
    single = compiled(op, dtype, 1)
    for k in range(0, x.size, 5):
        out = np.zeros(1, dtype.numpy)
        single({**{n: a[k : k + 1] for n, a in zip("ab", args, strict=False)}, "out": out})
        np.testing.assert_array_equal(out[0], together[k])


@pytest.mark.parametrize("op", ["tanh", "erf"])
def test_bounded_functions_stay_bounded(op: str) -> None:
    x = np.concatenate([np.linspace(1, 12, 200_001), np.logspace(1, 30, 99)]).astype("f4")
    got = run(op, f32, x)
    assert got.max() <= 1
    assert got[-1] == 1
    np.testing.assert_array_equal(run(op, f32, -x), -got)
