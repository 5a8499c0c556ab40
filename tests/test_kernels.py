"""Compiled kernels against the reference evaluator: layouts, sizes, dtypes, reductions, masks, addresses, threads."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from grouped import grouped
from kernel_runner import Compiled, run_both

from jitcore.backends.llvm.kernels.lowering import lower_kernel
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.kernel.build import ArrayLayout, Index, KernelBuilder, Value
from jitcore.kernel.nodes import Kernel
from jitcore.kernel.printer import print_kernel
from jitcore.kernel.reference import evaluate
from jitcore.kernel.scalar import OPS
from jitcore.types import DTYPES, DType, bool_, c64, c128, dtype_of, f16, f32, f64, i8, i32, i64, symbol, u8

RNG = np.random.default_rng(7)


check_same = np.testing.assert_array_equal
"""Equal, NaNs too."""


def check_close(got: np.ndarray, want: np.ndarray) -> None:
    """What a few approximated operations of f32 may differ by."""
    np.testing.assert_allclose(got, want, rtol=2e-6, atol=2e-6)


def random_array(dtype: DType, size: int) -> np.ndarray:
    """Numbers of all kinds of a dtype, small ones mostly."""
    if dtype is bool_:
        return RNG.integers(0, 2, size).astype(bool)
    if dtype.is_integer:
        low = -9 if dtype.kind == "i" else 0
        found = RNG.integers(low, 10, size).astype(dtype.numpy)
        info = np.iinfo(dtype.numpy)
        found[::7] = RNG.choice(np.array([info.min, info.max, 0, 1, info.max // 2], dtype.numpy), len(found[::7]))
        return found
    found = RNG.normal(0, 3, size)
    found[::5] = RNG.choice([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.5], len(found[::5]))
    if dtype.kind == "c":
        both = np.zeros(size, dtype.numpy)
        both.real, both.imag = found, RNG.permutation(found)
        return both
    return found.astype(dtype.numpy)


def elementwise(op: str, source: DType, result: DType, shape: tuple[int, ...]) -> Kernel:
    """out = op(a, b …)."""
    arity = OPS[op].arity
    names = "abc"[:arity]
    layouts = {n: ArrayLayout.contiguous(source, shape) for n in names}
    if op == "select":
        layouts["a"] = ArrayLayout.contiguous(bool_, shape)
    k = KernelBuilder("kernel", {**layouts, "out": ArrayLayout.contiguous(result, shape)})
    point = k.axes(shape)
    k.store("out", point, k(op, result, *(k.load(n, point) for n in names)))
    return k.finish()[0]


# --- every operation and dtype ----------------------------------------------------------------------

_EXACT_ANY = ("add", "sub", "mul", "max", "min", "eq", "ne", "lt", "le", "gt", "ge")
_EXACT_REAL = ("neg", "abs", "sign", "floordiv", "mod", "fmod")
_EXACT_FLOAT = ("div", "copysign", "sqrt", "floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite")
_EXACT_INT = ("and", "or", "xor", "not", "shl", "shr")
_NUMERIC = [d for d in DTYPES.values() if d.kind in "iuf"]


def _cases() -> list[tuple[str, DType]]:
    cases = [(op, d) for op in (*_EXACT_ANY, *_EXACT_REAL) for d in _NUMERIC if (op, d.kind) != ("neg", "u")]
    cases += [(op, d) for op in _EXACT_FLOAT for d in (f16, f32, f64)]
    cases += [(op, d) for op in _EXACT_INT for d in _NUMERIC if d.is_integer]
    cases += [(op, bool_) for op in ("and", "or", "xor", "not", "eq", "ne", "lt", "ge", "max", "min", "add", "mul")]
    cases += [(op, d) for op in ("add", "sub", "mul", "eq", "ne", "lt", "ge", "neg") for d in (c64, c128)]
    cases += [(f"{op}_overflows", i64) for op in ("add", "sub", "mul")]
    cases += [("select", d) for d in DTYPES.values()]
    return cases


@grouped(("op", "dtype"), _cases())
def test_exact_operations(op: str, dtype: DType) -> None:
    result = bool_ if OPS[op].kind == "compare" else dtype
    size = 77
    kernel = elementwise(op, dtype, result, (size,))
    buffers = {n: random_array(dtype, size) for n in "abc"[: OPS[op].arity]}
    if op == "select":
        buffers["a"] = random_array(bool_, size)
    if op in ("shl", "shr"):
        buffers["b"] = RNG.integers(0, dtype.itemsize * 8 + 3, size).astype(dtype.numpy)
    fused = dtype.kind == "c" and op == "mul"  # NumPy multiplies complex numbers with FMA where it can
    if fused:
        buffers = {n: np.nan_to_num(v, posinf=2, neginf=3) for n, v in buffers.items()}
    buffers["out"] = np.zeros(size, result.numpy)
    got, want = run_both(kernel, buffers)
    (check_close if fused else check_same)(got["out"], want["out"])


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("source", DTYPES.values(), ids=str)
@pytest.mark.parametrize("result", DTYPES.values(), ids=str)
def test_casts(source: DType, result: DType) -> None:
    size = 70
    value = random_array(source, size)
    if source.kind in "fc" and result.is_integer:  # out of range is the machine's affair, but not undefined
        value = np.nan_to_num(value.real, nan=1, posinf=7, neginf=9)
        value = (np.abs(value) if result.kind == "u" else value).astype(source.numpy)
    buffers = {"a": value, "out": np.zeros(size, result.numpy)}
    got, want = run_both(elementwise("cast", source, result, (size,)), buffers)
    check_same(got["out"], want["out"])


def test_casts_to_half_round_once() -> None:
    value = np.concatenate([RNG.uniform(-70000, 70000, 999), RNG.normal(0, 1e-5, 999), 2.0**-25 * np.arange(999)])
    value[0] = 2049.0 + 2.0**-30
    for source in (f32, f64):
        data = value.astype(source.numpy)
        kernel = elementwise("cast", source, f16, (len(data),))
        got, want = run_both(kernel, {"a": data, "out": np.zeros(len(data), "f2")})
        check_same(got["out"], want["out"])


@pytest.mark.parametrize("op", ["div", "abs", "sign", "exp", "log", "sqrt", "sin", "tanh", "pow", "expm1"])
@pytest.mark.parametrize("dtype", [c64, c128], ids=str)
def test_complex_functions(op: str, dtype: DType) -> None:
    size = 19
    result = {c64: f32, c128: f64}[dtype] if op == "abs" else dtype
    buffers = {n: (RNG.normal(0, 1, size) + 1j * RNG.normal(0, 1, size)).astype(dtype.numpy) for n in "ab"}
    buffers["out"] = np.zeros(size, result.numpy)
    got, want = run_both(elementwise(op, dtype, result, (size,)), buffers)
    np.testing.assert_allclose(got["out"], want["out"], rtol=2e-6 if dtype is c64 else 1e-14)


def test_integer_power_wraps() -> None:
    base, exponent = (v.ravel().astype("i8") for v in np.meshgrid([-3, -1, 0, 1, 2, 7, 100], [0, 1, 2, 3, 5]))
    buffers = {"a": base, "b": exponent, "out": np.zeros(len(base), "i1")}
    buffers = {n: v.astype("i1") for n, v in buffers.items()}
    got, want = run_both(elementwise("pow", i8, i8, (len(base),)), buffers)
    check_same(got["out"], want["out"])


# --- layouts and sizes ------------------------------------------------------------------------------


def _mixed(shape: tuple[int, ...], layouts: dict[str, ArrayLayout]) -> Kernel:
    """out = exp(x) * y + x."""
    k = KernelBuilder("mixed", layouts)
    point = k.axes(shape)
    x, y = k.load("x", point), k.load("y", point)
    k.store("out", point, k("add", f32, k("mul", f32, k("exp", f32, x), y), x))
    return k.finish()[0]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 100, 255])
def test_sizes(size: int) -> None:
    layout = ArrayLayout.contiguous(f32, (size,))
    buffers = {n: RNG.normal(size=size).astype("f4") for n in ("x", "y")}
    buffers["out"] = np.full(size + 40, -7, "f4")
    got, want = run_both(_mixed((size,), {"x": layout, "y": layout, "out": layout}), buffers)
    check_close(got["out"], want["out"])
    assert np.all(got["out"][size:] == -7)


def _strided(array: np.ndarray) -> tuple[np.ndarray, ArrayLayout]:
    """The flat memory of a view, and its layout in it."""
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    flat = base.reshape(-1)
    item = array.itemsize
    offset = (array.__array_interface__["data"][0] - flat.__array_interface__["data"][0]) // item
    strides = tuple(s // item for s in array.strides)
    return flat, ArrayLayout(dtype_of(array.dtype), array.shape, strides, offset)


VIEWS = {
    "transposed": lambda a: a.T,
    "reversed": lambda a: a[::-1, ::-1],
    "every second": lambda a: a[:, ::2],
    "rows": lambda a: a[::3],
    "broadcast rows": lambda a: np.broadcast_to(a[:1], a.shape),
    "broadcast columns": lambda a: np.broadcast_to(a[:, :1], a.shape),
    "one column": lambda a: a[:, 3:4],
    "one row": lambda a: a[2:3],
}


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("shape", [(6, 11), (13, 40)])
def test_views(name: str, shape: tuple[int, int]) -> None:
    x = VIEWS[name](RNG.normal(size=shape).astype("f4"))
    y = RNG.normal(size=x.shape).astype("f4")
    flat_x, layout = _strided(x)
    plain = ArrayLayout.contiguous(f32, x.shape)
    for layouts in ({"x": layout, "y": plain, "out": plain}, {"x": plain, "y": layout, "out": plain}):
        buffers = {"x": flat_x, "y": flat_x, "out": np.zeros(x.size, "f4")}
        buffers["y" if layouts["y"] is plain else "x"] = y.ravel()
        got, want = run_both(_mixed(x.shape, layouts), buffers)
        check_close(got["out"], want["out"])


def test_writing_through_strides() -> None:
    target = np.zeros((9, 40), "f4")
    _, layout = _strided(target[::2, 1::3])
    shape = layout.shape
    plain = ArrayLayout.contiguous(f32, shape)
    size = int(np.prod(shape))
    buffers = {"x": RNG.normal(size=size).astype("f4"), "y": RNG.normal(size=size).astype("f4"), "out": target.ravel()}
    got, want = run_both(_mixed(tuple(map(int, shape)), {"x": plain, "y": plain, "out": layout}), buffers)
    check_close(got["out"], want["out"])


def test_same_bits_in_every_layout() -> None:
    """Tails and strided lanes run the same polynomial."""
    x = RNG.normal(size=(5, 37)).astype("f4")
    results: list[np.ndarray] = []
    for view in (x, np.asfortranarray(x).T.T, np.repeat(x, 2, axis=1)[:, ::2]):
        flat, layout = (view.ravel(), ArrayLayout.contiguous(f32, x.shape)) if view is x else _strided(view)
        plain = ArrayLayout.contiguous(f32, x.shape)
        out = np.zeros(x.size, "f4")
        Compiled(_mixed(x.shape, {"x": layout, "y": layout, "out": plain}))({"x": flat, "y": flat, "out": out})
        results.append(out)
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


def test_in_place() -> None:
    layout = ArrayLayout.contiguous(f32, (53,))
    k = KernelBuilder("inplace", {"w": layout, "g": layout, "out": layout}, {"out": ("w",)})
    (i,) = k.axes((53,))
    w, g = k.load("w", (i,)), k.load("g", (i,))
    k.store("out", (i,), k("sub", f32, w, k("mul", f32, g, k.const(f32, 0.5))))
    compiled = Compiled(k.finish()[0])
    data, gradient = RNG.normal(size=53).astype("f4"), RNG.normal(size=53).astype("f4")
    want = data - gradient * np.float32(0.5)
    compiled({"w": data, "g": gradient, "out": data})
    np.testing.assert_array_equal(data, want)


def test_rank_zero_and_scalars() -> None:
    layout = ArrayLayout.contiguous(f64, ())
    k = KernelBuilder("zero", {"x": layout, "out": layout})
    k.store("out", (), k("mul", f64, k("tanh", f64, k.load("x", ())), k.scalar("s", f64)))
    buffers = {"x": np.array([0.3]), "out": np.zeros(1)}
    got, want = run_both(k.finish()[0], buffers, {"s": 2.5})
    check_close(got["out"], want["out"])


@pytest.mark.parametrize("dtype", [bool_, i8, i32, i64, f32, f64], ids=str)
def test_scalar_params(dtype: DType) -> None:
    layout = ArrayLayout.contiguous(dtype, (11,))
    k = KernelBuilder("param", {"out": layout})
    (i,) = k.axes((11,))
    k.store("out", (i,), k.scalar("s", dtype))
    value = True if dtype is bool_ else 5
    got, want = run_both(k.finish()[0], {"out": np.zeros(11, dtype.numpy)}, {"s": value})
    check_same(got["out"], want["out"])


def test_mixed_dtypes_in_one_kernel() -> None:
    size = 45
    layouts = {"a": f32, "b": i64, "c": bool_, "d": f64, "out": f64, "flag": bool_, "small": u8}
    k = KernelBuilder("mix", {n: ArrayLayout.contiguous(d, (size,)) for n, d in layouts.items()})
    (i,) = k.axes((size,))
    a, b, c, d = (k.load(n, (i,)) for n in "abcd")
    total = k("add", f64, k.cast(f64, k("exp", f32, a)), k("mul", f64, k.cast(f64, b), d))
    k.store("out", (i,), k("select", f64, c, total, d))
    k.store("flag", (i,), k("xor", bool_, c, k("lt", bool_, total, d)))
    k.store("small", (i,), k.cast(u8, k("and", i64, b, k.const(i64, 127))))
    buffers = {n: random_array(d, size) for n, d in layouts.items()}
    buffers |= {n: np.nan_to_num(buffers[n], posinf=1, neginf=2) for n in "ad"}
    got, want = run_both(k.finish()[0], buffers)
    for name in ("flag", "small"):
        check_same(got[name], want[name])
    check_close(got["out"], want["out"])


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (16, 24), (33, 100), (130, 67)])
@pytest.mark.parametrize("dtype", [f32, f64, u8, c64], ids=str)
def test_transposing(shape: tuple[int, int], dtype: DType) -> None:
    rows, columns = shape
    k = KernelBuilder(
        "transpose",
        {"x": ArrayLayout.contiguous(dtype, (columns, rows)), "out": ArrayLayout.contiguous(dtype, shape)},
    )
    i, j = k.axes(shape)
    k.store("out", (i, j), k.load("x", (j, i)))
    x = random_array(dtype, rows * columns)
    out = np.zeros(rows * columns, dtype.numpy)
    Compiled(k.finish()[0])({"x": x, "out": out})
    np.testing.assert_array_equal(out.reshape(shape), x.reshape(columns, rows).T)


def test_zeros_keep_their_sign() -> None:
    layout = ArrayLayout.contiguous(f32, (9,))
    k = KernelBuilder("zeros", {"plus": layout, "minus": layout})
    (i,) = k.axes((9,))
    k.store("plus", (i,), k.const(f32, 0.0))
    k.store("minus", (i,), k.const(f32, -0.0))
    buffers = {"plus": np.ones(9, "f4"), "minus": np.ones(9, "f4")}
    Compiled(k.finish()[0])(buffers)
    assert not np.any(np.signbit(buffers["plus"]))
    assert np.all(np.signbit(buffers["minus"]))


# --- extents known at run time ----------------------------------------------------------------------


def _runtime_kernel() -> Kernel:
    """out[i, j] = tanh(x[i, j]) + y[j], all extents and strides params."""
    n, m, s, t = (symbol(c) for c in "nmst")
    k = KernelBuilder(
        "runtime",
        {
            "x": ArrayLayout(f32, (n, m), (s, t)),
            "y": ArrayLayout.contiguous(f32, (m,)),
            "out": ArrayLayout.contiguous(f32, (n, m)),
        },
    )
    i, j = k.axes((n, m))
    k.store("out", (i, j), k("add", f32, k("tanh", f32, k.load("x", (i, j))), k.load("y", (j,))))
    kernel, dims = k.finish()
    assert {str(d) for d in dims.values()} == {"n", "m", "s", "t"}
    _NAMES.update({str(d): name for name, d in dims.items()})
    return kernel


_NAMES: dict[str, str] = {}


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (3, 8), (5, 37), (64, 130)])
@pytest.mark.parametrize("layout", ["C", "F", "strided", "broadcast"])
def test_runtime_extents(shape: tuple[int, int], layout: str) -> None:
    kernel = _runtime_kernel()
    n, m = shape
    s, t = {"C": (m, 1), "F": (1, n), "strided": (3 * m, 3), "broadcast": (1, 0)}[layout]
    buffers = {
        "x": RNG.normal(size=3 * n * m + n + 1).astype("f4"),
        "y": RNG.normal(size=m).astype("f4"),
        "out": np.zeros(n * m, "f4"),
    }
    params = {_NAMES[c]: v for c, v in zip("nmst", (n, m, s, t), strict=True)}
    got, want = run_both(kernel, buffers, params)
    check_close(got["out"], want["out"])


# --- reductions -------------------------------------------------------------------------------------

_REDUCED = {f32: 1e-5, f64: 1e-13, i32: 0, bool_: 0, f16: 1e-2, c64: 1e-5, u8: 0}


def reduction(op: str, shape: tuple[int, ...], axes: tuple[int, ...], layout: ArrayLayout, result: DType) -> Kernel:
    """out = op over some axes of x."""
    kept = tuple(d for k, d in enumerate(shape) if k not in axes)
    k = KernelBuilder("fold", {"x": layout, "out": ArrayLayout.contiguous(result, kept)})
    outer = {a: k.axis(shape[a]) for a in range(len(shape)) if a not in axes}
    inner = {a: k.axis(shape[a], reduce=True) for a in axes}
    point = [(outer | inner)[a] for a in range(len(shape))]
    k.store("out", tuple(outer.values()), k.reduce(op, k.load("x", point), result))
    return k.finish()[0]


def _result(op: str, dtype: DType) -> DType:
    return i64 if op.startswith("arg") else bool_ if op in ("any", "all") else dtype


@pytest.mark.parametrize("op", ["sum", "prod", "max", "min", "any", "all", "argmax", "argmin"])
@pytest.mark.parametrize("dtype", _REDUCED, ids=str)
def test_reductions_over_every_axis(op: str, dtype: DType) -> None:
    if dtype.kind == "c" and op not in ("sum", "prod"):
        pytest.skip("complex numbers have no order")
    if dtype is bool_ and op in ("sum", "prod"):
        pytest.skip("sums of bools are of ints")
    shape = (5, 3, 11)
    x = random_array(dtype, 5 * 3 * 11)
    if op in ("sum", "prod") and dtype.kind in "fc":
        x = (1 + RNG.normal(0, 0.1, x.size)).astype(dtype.numpy)
        x = x + x * (0.5j if dtype.kind == "c" else 0)
    for size in (1, 2, 3):
        for axes in itertools.combinations(range(3), size):
            result = _result(op, dtype)
            kernel = reduction(op, shape, axes, ArrayLayout.contiguous(dtype, shape), result)
            out = np.zeros(int(np.prod([d for k, d in enumerate(shape) if k not in axes])), result.numpy)
            got, want = run_both(kernel, {"x": x, "out": out})
            if op in ("sum", "prod") and _REDUCED[dtype]:
                np.testing.assert_allclose(got["out"], want["out"], rtol=_REDUCED[dtype])
            else:
                np.testing.assert_array_equal(got["out"], want["out"], f"{op} of {dtype} over {axes}")


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (3, 8), (3, 33), (2, 100), (130, 5), (9, 257), (70, 70)])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("op", ["sum", "max", "argmax"])
def test_reduction_sizes(shape: tuple[int, int], axes: tuple[int, ...], op: str) -> None:
    x = RNG.normal(size=shape).astype("f4")
    kept = [d for k, d in enumerate(shape) if k not in axes]
    result = _result(op, f32)
    kernel = reduction(op, shape, axes, ArrayLayout.contiguous(f32, shape), result)
    got, want = run_both(kernel, {"x": x.ravel(), "out": np.zeros(int(np.prod(kept)), result.numpy)})
    if op == "sum":
        # the error is of the size of the terms, not of their sum
        np.testing.assert_allclose(got["out"], want["out"], rtol=1e-5, atol=2e-7 * np.abs(x).sum(axes).max())
    else:
        np.testing.assert_array_equal(got["out"], want["out"])


@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1), (1, 2), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("shape", [(3, 5, 7), (2, 40, 33), (65, 9, 10), (4, 1, 300)])
def test_sums_do_not_depend_on_layout(axes: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Every way of lying in memory gives the same bits, though another loop may be chosen."""
    x = RNG.normal(size=shape).astype("f4")
    found: list[np.ndarray] = []
    padded = np.zeros((shape[0], shape[1] + 1, shape[2] * 2), "f4")
    padded[:, :-1, ::2] = x
    for view in (
        x,
        np.asfortranarray(x),
        padded[:, :-1, ::2],
        x[::-1].copy()[::-1],
        x.transpose(1, 0, 2).copy().transpose(1, 0, 2),
    ):
        flat, layout = _strided(view)
        if view.flags.f_contiguous and not view.flags.c_contiguous:
            flat = view.ravel("K")
            layout = ArrayLayout(f32, shape, tuple(s // 4 for s in view.strides))
        kept = int(np.prod([d for k, d in enumerate(shape) if k not in axes]))
        out = np.zeros(kept, "f4")
        Compiled(reduction("sum", shape, axes, layout, f32))({"x": flat, "out": out})
        found.append(out)
    np.testing.assert_allclose(found[0], x.sum(axis=axes).ravel(), rtol=1e-4, atol=1e-4)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


def _runtime_sum(order: str) -> tuple[Kernel, dict[str, str]]:
    n, m, s, t = (symbol(c) for c in "nmst")
    k = KernelBuilder("fold", {"x": ArrayLayout(f32, (n, m), (s, t)), "out": ArrayLayout.contiguous(f32, (n,))})
    if order == "rows":
        i, j = k.axis(n), k.axis(m, reduce=True)
        k.store("out", (i,), k.reduce("sum", k.load("x", (i, j))))
    else:
        i, j = k.axis(n, reduce=True), k.axis(m, reduce=True)
        k.store("out", (Index(0),), k.reduce("sum", k.load("x", (i, j))))
    kernel, dims = k.finish()
    return kernel, {str(d): name for name, d in dims.items()}


@pytest.mark.parametrize("order", ["rows", "all"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 0), (3, 8), (5, 37), (40, 1030), (2, 50000)])
def test_runtime_extents_sum_as_static_ones(order: str, shape: tuple[int, int]) -> None:
    x = RNG.normal(size=shape).astype("f4")
    axes = (1,) if order == "rows" else (0, 1)
    size = shape[0] if order == "rows" else 1
    static = np.full(size, -1, "f4")
    Compiled(reduction("sum", shape, axes, ArrayLayout.contiguous(f32, shape), f32))({"x": x.ravel(), "out": static})
    kernel, names = _runtime_sum(order)
    compiled = Compiled(kernel)
    for view in (x, np.asfortranarray(x)):
        out = np.full(size, -1, "f4")
        values = dict(zip("nmst", (*shape, *(s // 4 for s in view.strides)), strict=True))
        compiled({"x": view.ravel("K"), "out": out}, {names[c]: v for c, v in values.items() if c in names})
        np.testing.assert_array_equal(out, static)
    np.testing.assert_allclose(static, x.astype("f8").sum(axis=axes).ravel(), rtol=1e-4, atol=1e-3)


def test_empty_reductions_give_the_identity() -> None:
    for op, want in (("sum", 0.0), ("prod", 1.0), ("any", False), ("all", True)):
        result = _result(op, f32)
        kernel = reduction(op, (3, 0), (1,), ArrayLayout.contiguous(f32, (3, 0)), result)
        out = np.ones(3, result.numpy)
        Compiled(kernel)({"x": np.zeros(0, "f4"), "out": out})
        assert out.tolist() == [want] * 3
        assert not np.any(np.signbit(out.astype("f4")))


@pytest.mark.parametrize("axes", [(0, 2), (1, 2), (2,), (0, 1, 2)])
def test_empty_axis_among_several(axes: tuple[int, ...]) -> None:
    kernel = reduction("sum", (2, 3, 0), axes, ArrayLayout.contiguous(f32, (2, 3, 0)), f32)
    got, want = run_both(kernel, {"x": np.zeros(0, "f4"), "out": np.ones(6 // (2 if 0 in axes else 1), "f4")})
    np.testing.assert_array_equal(got["out"], want["out"])


def test_argmax_finds_the_first_and_nan() -> None:
    rows = np.array(
        [
            [1, 5, 5, 2, 5, 0, 0, 0, 5, 1, 5],
            [-np.inf] * 11,
            [1, np.nan, 3, np.nan, 9, 9, 9, 9, 9, 9, 9],
            [0] * 10 + [1],
            [np.inf, np.inf, np.nan] + [0] * 8,
        ],
        "f4",
    )
    for op in ("argmax", "argmin"):
        for data in (rows, -rows):
            for axes in ((0,), (1,), (0, 1)):
                kernel = reduction(op, data.shape, axes, ArrayLayout.contiguous(f32, data.shape), i64)
                kept = [d for k, d in enumerate(data.shape) if k not in axes]
                got, want = run_both(kernel, {"x": data.ravel(), "out": np.zeros(int(np.prod(kept)), "i8")})
                np.testing.assert_array_equal(got["out"], want["out"])


def test_prologue_and_epilogue() -> None:
    """softmax's denominator, logged: log(sum(exp(x - m))), with m from another array; two results."""
    rows, columns = 7, 29
    k = KernelBuilder(
        "lse",
        {
            "x": ArrayLayout.contiguous(f32, (rows, columns)),
            "m": ArrayLayout.contiguous(f32, (rows,)),
            "out": ArrayLayout.contiguous(f32, (rows,)),
            "most": ArrayLayout.contiguous(f32, (rows,)),
        },
    )
    i, j = k.axis(rows), k.axis(columns, reduce=True)
    m = k.load("m", (i,))
    e = k("exp", f32, k("sub", f32, k.load("x", (i, j)), m))
    total, most = k.reduce("sum", e), k.reduce("max", e)
    k.store("out", (i,), k("add", f32, k("log", f32, total), k.load("m", (i,))))
    k.store("most", (i,), k("div", f32, most, total))
    buffers = {
        "x": RNG.normal(size=rows * columns).astype("f4"),
        "m": RNG.normal(size=rows).astype("f4"),
        "out": np.zeros(rows, "f4"),
        "most": np.zeros(rows, "f4"),
    }
    got, want = run_both(k.finish()[0], buffers)
    for name in ("out", "most"):
        np.testing.assert_allclose(got[name], want[name], rtol=1e-5)


def test_product_of_matrices_by_reduction() -> None:
    for dtype in (i32, f64, f16):
        layouts = {
            n: ArrayLayout.contiguous(dtype, s) for n, s in {"a": (5, 19), "b": (19, 13), "out": (5, 13)}.items()
        }
        k = KernelBuilder("product", layouts)
        i, j, r = k.axis(5), k.axis(13), k.axis(19, reduce=True)
        k.store("out", (i, j), k.reduce("sum", k("mul", dtype, k.load("a", (i, r)), k.load("b", (r, j)))))
        buffers = {n: RNG.integers(-3, 4, a.shape[0] * a.shape[1]).astype(dtype.numpy) for n, a in layouts.items()}
        got, want = run_both(k.finish()[0], buffers)
        check_same(got["out"], want["out"])


def test_pooling_windows() -> None:
    """Short reductions are written out: max and mean over windows with a stride."""
    for op in ("max", "sum"):
        k = KernelBuilder(
            "pool", {"x": ArrayLayout.contiguous(f32, (3, 14, 14)), "out": ArrayLayout.contiguous(f32, (3, 7, 7))}
        )
        c, y, x = k.axes((3, 7, 7))
        dy, dx = k.axes((2, 2), reduce=True)
        k.store("out", (c, y, x), k.reduce(op, k.load("x", (c, y * 2 + dy, x * 2 + dx))))
        buffers = {"x": RNG.normal(size=3 * 14 * 14).astype("f4"), "out": np.zeros(3 * 49, "f4")}
        got, want = run_both(k.finish()[0], buffers)
        np.testing.assert_allclose(got["out"], want["out"], rtol=1e-6, atol=1e-6)


# --- masks and computed addresses -------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [f32, i64, bool_, u8, c64, f16], ids=str)
@pytest.mark.parametrize("shape", [(3, 5), (4, 40)])
def test_padding(dtype: DType, shape: tuple[int, int]) -> None:
    rows, columns = shape
    padded = (rows + 3, columns + 5)
    layouts = {"x": ArrayLayout.contiguous(dtype, shape), "out": ArrayLayout.contiguous(dtype, padded)}
    k = KernelBuilder("pad", layouts)
    i, j = k.axes(padded)
    mask = k.all_of(k.within(i - 1, rows), k.within(j - 2, columns))
    k.store("out", (i, j), k.load("x", (i - 1, j - 2), mask, 1))
    buffers = {"x": random_array(dtype, rows * columns), "out": np.zeros(padded[0] * padded[1], dtype.numpy)}
    got, want = run_both(k.finish()[0], buffers)
    check_same(got["out"], want["out"])


@pytest.mark.parametrize("dtype", [f32, i8], ids=str)
def test_masked_stores(dtype: DType) -> None:
    layout = ArrayLayout.contiguous(dtype, (43,))
    k = KernelBuilder("put", {"x": layout, "out": layout})
    (i,) = k.axes((43,))
    x = k.load("x", (i,))
    k.store("out", (i,), x, k("gt", bool_, x, k.const(dtype, 0)))
    buffers = {"x": random_array(dtype, 43), "out": np.full(43, 9, dtype.numpy)}
    got, want = run_both(k.finish()[0], buffers)
    check_same(got["out"], want["out"])


def _index(k: KernelBuilder, name: str, point: tuple[Index, ...]) -> Value:
    return k.load(name, point)


@pytest.mark.parametrize("dtype", [f32, f64, u8, c64], ids=str)
def test_gather(dtype: DType) -> None:
    table, picks, width = 9, 21, 6
    k = KernelBuilder(
        "gather",
        {
            "table": ArrayLayout.contiguous(dtype, (table, width)),
            "pick": ArrayLayout.contiguous(i64, (picks,)),
            "out": ArrayLayout.contiguous(dtype, (picks, width)),
            "flat": ArrayLayout.contiguous(dtype, (picks,)),
        },
    )
    i, j = k.axes((picks, width))
    k.store("out", (i, j), k.load("table", (_index(k, "pick", (i,)), j)))
    kernel = k.finish()[0]
    buffers = {
        "table": random_array(dtype, table * width),
        "pick": RNG.integers(0, table, picks),
        "out": np.zeros(picks * width, dtype.numpy),
        "flat": np.zeros(picks, dtype.numpy),
    }
    got, want = run_both(kernel, buffers)
    check_same(got["out"], want["out"])
    # along the picks: every lane its own address, some outside and masked
    k = KernelBuilder("gather_lanes", {n: k.layouts[n] for n in ("table", "pick", "flat")})
    (i,) = k.axes((picks,))
    pick = _index(k, "pick", (i,))
    k.store("flat", (i,), k.load("table", (pick, 2), k.within(pick, table), 3))
    buffers["pick"] = RNG.integers(-3, table + 3, picks)
    got, want = run_both(k.finish()[0], {n: buffers[n] for n in ("table", "pick", "flat")})
    check_same(got["flat"], want["flat"])


def test_scatter_adds_in_order() -> None:
    tokens, words, width = 30, 5, 11
    k = KernelBuilder(
        "scatter",
        {
            "g": ArrayLayout.contiguous(f32, (tokens, width)),
            "pick": ArrayLayout.contiguous(i64, (tokens,)),
            "out": ArrayLayout.contiguous(f32, (words, width)),
        },
    )
    i = k.axis(tokens, serial=True)
    j = k.axis(width)
    k.store("out", (_index(k, "pick", (i,)), j), k.load("g", (i, j)), accumulate=True)
    buffers = {
        "g": RNG.normal(size=tokens * width).astype("f4"),
        "pick": RNG.integers(0, words, tokens),
        "out": RNG.normal(size=words * width).astype("f4"),
    }
    got, want = run_both(k.finish()[0], buffers)
    check_same(got["out"], want["out"])


def test_histogram_is_serial() -> None:
    k = KernelBuilder("count", {"x": ArrayLayout.contiguous(i32, (99,)), "out": ArrayLayout.contiguous(i64, (4,))})
    i = k.axis(99, serial=True)
    k.store("out", (k.cast(i64, k.load("x", (i,))),), k.const(i64, 1), accumulate=True)
    buffers = {"x": RNG.integers(0, 4, 99).astype("i4"), "out": np.zeros(4, "i8")}
    got, want = run_both(k.finish()[0], buffers)
    check_same(got["out"], want["out"])


def test_recurrence_along_a_serial_axis() -> None:
    """out[i+1] = out[i] * 0.5 + x[i]."""
    size = 23
    k = KernelBuilder(
        "scan", {"x": ArrayLayout.contiguous(f64, (size,)), "out": ArrayLayout.contiguous(f64, (size + 1,))}
    )
    i = k.axis(size, serial=True)
    step = k("add", f64, k("mul", f64, k.load("out", (i,)), k.const(f64, 0.5)), k.load("x", (i,)))
    k.store("out", (i + 1,), step)
    buffers = {"x": RNG.normal(size=size), "out": np.zeros(size + 1)}
    got, want = run_both(k.finish()[0], buffers)
    check_same(got["out"], want["out"])


@pytest.mark.parametrize("dtype", [f32, i64, u8], ids=str)
def test_iota(dtype: DType) -> None:
    k = KernelBuilder("iota", {"out": ArrayLayout.contiguous(dtype, (6, 21))})
    i, j = k.axes((6, 21))
    k.store("out", (i, j), k.cast(dtype, k.index_value(i * 21 + j)))
    got, want = run_both(k.finish()[0], {"out": np.zeros(126, dtype.numpy)})
    check_same(got["out"], want["out"])


# --- threads ----------------------------------------------------------------------------------------


def _large_kernels() -> dict[str, tuple[Kernel, dict[str, np.ndarray]]]:
    shape = (300, 517)
    size = shape[0] * shape[1]
    plain = ArrayLayout.contiguous(f32, shape)
    x = RNG.normal(size=size).astype("f4")
    made = {
        "map": (_mixed(shape, {"x": plain, "y": plain, "out": plain}), {"x": x, "y": x, "out": np.zeros(size, "f4")}),
        "one row": (
            _mixed((1, size), dict.fromkeys(("x", "y", "out"), ArrayLayout.contiguous(f32, (1, size)))),
            {"x": x, "y": x, "out": np.zeros(size, "f4")},
        ),
    }
    for name, axes, kept in (("rows", (1,), 300), ("columns", (0,), 517), ("all", (0, 1), 1)):
        made[name] = (reduction("sum", shape, axes, plain, f32), {"x": x, "out": np.zeros(kept, "f4")})
    made["argmax"] = (reduction("argmax", shape, (0, 1), plain, i64), {"x": x, "out": np.zeros(1, "i8")})
    return made


@pytest.mark.parametrize("name", ["map", "one row", "rows", "columns", "all", "argmax"])
def test_threads_change_nothing(name: str) -> None:
    kernel, buffers = _large_kernels()[name]
    compiled = Compiled(kernel)
    assert "jc_parallel" in compiled.text
    before = runtime.thread_count()
    results: list[np.ndarray] = []
    try:
        for count in (1, 2, 5):
            runtime.set_thread_count(count)
            mine = {n: v.copy() for n, v in buffers.items()}
            compiled(mine)
            results.append(mine["out"])
    finally:
        runtime.set_thread_count(before)
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)
    _, want = run_both(kernel, buffers)
    if name == "argmax":
        np.testing.assert_array_equal(results[0], want["out"])
    else:
        np.testing.assert_allclose(results[0], want["out"], rtol=1e-4, atol=1e-3)


def test_small_kernels_stay_on_the_caller() -> None:
    layout = ArrayLayout.contiguous(f32, (1000,))
    text = Compiled(_mixed((1000,), dict.fromkeys(("x", "y", "out"), layout))).text
    assert "jc_parallel" not in text


# --- other machines ---------------------------------------------------------------------------------


def _samples_of_lowering() -> dict[str, tuple[Kernel, dict[str, np.ndarray]]]:
    size = 77
    half, byte, pair = (random_array(d, size) for d in (f16, u8, c64))
    shape = (70, 33)
    plain = ArrayLayout.contiguous(f32, shape)
    x = RNG.normal(size=70 * 33).astype("f4")
    made = {
        "half": (
            elementwise("add", f16, f16, (size,)),
            {"a": half, "b": half[::-1].copy(), "out": np.zeros_like(half)},
        ),
        "to half": (elementwise("cast", f64, f16, (size,)), {"a": random_array(f64, size), "out": np.zeros_like(half)}),
        "bytes": (
            elementwise("floordiv", u8, u8, (size,)),
            {"a": byte, "b": byte[::-1].copy(), "out": np.zeros_like(byte)},
        ),
        "complex": (
            elementwise("add", c64, c64, (size,)),
            {"a": pair, "b": pair[::-1].copy(), "out": np.zeros_like(pair)},
        ),
        "map": (_mixed(shape, {"x": plain, "y": plain, "out": plain}), {"x": x, "y": x, "out": np.zeros_like(x)}),
    }
    for name, axes, kept in (("rows", (1,), 70), ("columns", (0,), 33), ("all", (0, 1), 1)):
        for op in ("sum", "argmin"):
            result = _result(op, f32)
            kernel = reduction(op, shape, axes, plain, result)
            made[f"{op} of {name}"] = (kernel, {"x": x, "out": np.zeros(kept, result.numpy)})
    return made


@pytest.mark.skipif(engine.host().architecture != "x86_64", reason="made for x86-64")
@pytest.mark.parametrize("name", list(_samples_of_lowering()))
def test_the_least_machine(name: str) -> None:
    """16-byte vectors, no FMA, no conversions of half precision, no masked access."""
    target = engine.make_target(engine.host().triple, "x86-64", {})
    assert target.vector_bytes == 16
    assert not target.has_half_conversions
    kernel, buffers = _samples_of_lowering()[name]
    with np.errstate(all="ignore"):
        want = {n: v.copy() for n, v in buffers.items()}
        evaluate(kernel, want)
    got = {n: v.copy() for n, v in buffers.items()}
    Compiled(kernel, target)(got)
    if name == "map" or name.startswith("sum"):
        np.testing.assert_allclose(got["out"], want["out"], rtol=1e-5, atol=1e-5)
    else:
        np.testing.assert_array_equal(got["out"], want["out"])


@pytest.mark.skipif(engine.host().architecture != "x86_64", reason="made for x86-64")
def test_wide_machines_get_code() -> None:
    """64-byte vectors: whether the text is valid and can be selected, not what it computes."""
    features = dict.fromkeys(("avx512f", "avx512vl", "avx512dq", "avx512bw", "avx2", "fma", "f16c"), True)
    target = engine.make_target(engine.host().triple, "skylake-avx512", features)
    for kernel, _ in _samples_of_lowering().values():
        module = LLVMModule()
        lower_kernel(kernel, target, module)
        assert engine.compile_object(module.text(), target=target)


# --- printing ---------------------------------------------------------------------------------------


def test_printing() -> None:
    kernel = reduction("sum", (4, 8), (1,), ArrayLayout.contiguous(f32, (4, 8)), f32)
    assert print_kernel(kernel) == (
        "def fold(x: f32, out: f32):\n"
        "    for i0 in range(4):\n"
        "        v2 = 0\n"
        "        for r1 in range(8):\n"
        "            v1 = x[8*i0 + r1]\n"
        "            v2 = v2 + v1\n"
        "        out[i0] = v2\n"
    )
