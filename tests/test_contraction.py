"""Contractions in LLVM against the reference evaluator of kernels."""

from __future__ import annotations

import ctypes
import math
import os
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from guarded_memory import Guarded, needs_guards

from jitcore.backends.llvm import linking
from jitcore.backends.llvm.contraction import lowering as contraction
from jitcore.backends.llvm.contraction.blocking import blocking
from jitcore.backends.llvm.contraction.lowering import (
    define_bounds_runtime,
    define_contraction_runtime,
    lower_contraction,
)
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.kernel.build import ArrayLayout, ContractionBuilder, Index
from jitcore.kernel.nodes import Contraction
from jitcore.kernel.reference import evaluate
from jitcore.source import InternalError
from jitcore.types import Dim, DType, f32, f64, i32, symbol

Array = npt.NDArray[Any]
_numbers = count()
DTYPES = pytest.mark.parametrize("dtype", [f32, f64], ids=str)


def reference(c: Contraction, a: Array, b: Array, out: Array, dims: Mapping[str, int]) -> None:
    """out[…] (+)= sum a·b over flat buffers."""
    evaluate(c, {c.a.buffer: a, c.b.buffer: b, c.c.buffer: out}, dims)


# --- running ---


def compiled(c: Contraction) -> Callable[..., None]:
    target, module = engine.host(), LLVMModule()
    lower_contraction(c, target, module)
    code = engine.compile_object(module.text())
    loaded = engine.load_object(code, (c.name,), linking.symbols(module.declared()))
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, *[ctypes.c_int64] * len(c.params))(
        loaded.addresses[c.name]
    )

    def call(a: Array, b: Array, out: Array, dims: Mapping[str, int]) -> None:
        function(a.ctypes.data, b.ctypes.data, out.ctypes.data, *(dims[p.name] for p in c.params))
        assert loaded is not None

    return call


def random(dtype: DType, size: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(size).astype(dtype.numpy)


def check(c: Contraction, sizes: tuple[int, int, int], dims: Mapping[str, int] | None = None) -> Array:
    """Runs a contraction on random buffers of the given sizes; the memory around c must stay as it was."""
    dims = dims or {}
    a, b, before = (random(c.dtype, n, seed) for seed, n in enumerate(sizes))
    want, got = before.copy(), np.concatenate([before, before])
    reference(c, a, b, want, dims)
    compiled(c)(a, b, got, dims)
    assert np.array_equal(got[len(before) :], before)
    k = math.prod(dims[x.extent] if isinstance(x.extent, str) else x.extent for x in c.axes if x.role == "k")
    tolerance = 2.0 ** (-20 if c.dtype is f32 else -49) * max(float(k), 1.0)
    np.testing.assert_allclose(got[: len(before)], want, rtol=tolerance, atol=tolerance)
    return got


def size_of(layout: ArrayLayout) -> int:
    """Elements up to the last one a layout reaches (with positive strides)."""
    return sum((_number(d) - 1) * _number(s) for d, s in zip(layout.shape, layout.strides, strict=True)) + 1


def _number(dim: Dim) -> int:
    assert isinstance(dim, int)
    return dim


def matmul(
    dtype: DType, m: int, k: int, n: int, orders: str = "ccc", pad: int = 0, accumulate: bool = False
) -> tuple[Contraction, tuple[int, int, int]]:
    """A product of matrices that are row-major (c), column-major (f) or strided both ways (s)."""

    def layout(shape: tuple[int, int], order: str) -> ArrayLayout:
        rows, columns = shape
        strides = {"c": (columns + pad, 1), "f": (1, rows + pad), "s": (2 * columns + 3, 2)}[order]
        return ArrayLayout(dtype, shape, strides)

    layouts = {name: layout(s, o) for name, s, o in zip("abc", ((m, k), (k, n), (m, n)), orders, strict=True)}
    builder = ContractionBuilder(f"matmul_{next(_numbers)}", layouts)
    i, j, q = builder.axis("m", m), builder.axis("n", n), builder.axis("k", k)
    builder.operand("a", (i, q))
    builder.operand("b", (q, j))
    builder.operand("c", (i, j))
    made = replace(builder.finish()[0], accumulate=accumulate)
    a, b, c = (max(size_of(layouts[name]), 1) if 0 not in layouts[name].shape else 1 for name in "abc")
    return made, (a, b, c)


SHAPES = [
    (1, 1, 1), (1, 7, 1), (2, 3, 4), (5, 4, 3), (6, 8, 16), (7, 9, 17), (13, 33, 15), (1, 300, 100), (100, 300, 1),
    (2, 65, 140), (3, 600, 31), (64, 64, 64), (37, 520, 45), (200, 70, 300),
]  # fmt: skip


@DTYPES
@pytest.mark.parametrize("orders", ["ccc", "fcc", "cfc", "ffc", "ccf", "fff", "sss", "csc"])
def test_matrix_products(dtype: DType, orders: str) -> None:
    for m, k, n in SHAPES:
        check(*matmul(dtype, m, k, n, orders))


@DTYPES
@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0), (40, 0, 40), (1, 0, 1)])
def test_empty(dtype: DType, shape: tuple[int, int, int]) -> None:
    check(*matmul(dtype, *shape))
    check(*matmul(dtype, *shape, accumulate=True))


@DTYPES
@pytest.mark.parametrize("orders", ["ccc", "ccf", "cfs"])
def test_accumulating(dtype: DType, orders: str) -> None:
    for shape in [(5, 6, 7), (30, 700, 40), (1, 40, 90)]:
        check(*matmul(dtype, *shape, orders, accumulate=True))


@DTYPES
def test_rows_with_gaps(dtype: DType) -> None:
    for shape in [(9, 20, 30), (70, 300, 50)]:
        check(*matmul(dtype, *shape, "ccc", pad=5))
        check(*matmul(dtype, *shape, "ffc", pad=3))


def test_more_than_a_block_each_way() -> None:
    """Extents past the cache blocks in every dimension."""
    check(*matmul(f32, 600, 600, 30))
    check(*matmul(f32, 30, 600, 2500, "cfc"))
    check(*matmul(f64, 300, 300, 1200))


# --- batches ---


@DTYPES
@pytest.mark.parametrize("shared", ["", "a", "b", "ab"])
def test_batches(dtype: DType, shared: str) -> None:
    """Batched products, with operands that all entries share (as broadcasting gives them: stride 0)."""
    for batch, m, k, n in [(3, 5, 7, 9), (2, 20, 33, 40), (1, 4, 4, 4), (17, 1, 8, 1), (0, 3, 3, 3)]:
        strides = {"a": (m * k, k, 1), "b": (k * n, n, 1), "c": (m * n, n, 1)}
        shapes = {"a": (batch, m, k), "b": (batch, k, n), "c": (batch, m, n)}
        layouts = {
            name: ArrayLayout(dtype, shapes[name], (0 if name in shared else s[0], *s[1:]))
            for name, s in strides.items()
        }
        builder = ContractionBuilder(f"batched_{next(_numbers)}", layouts)
        g, i, j, q = (builder.axis(r, e) for r, e in (("batch", batch), ("m", m), ("n", n), ("k", k)))
        builder.operand("a", (g, i, q))
        builder.operand("b", (g, q, j))
        builder.operand("c", (g, i, j))
        check(builder.finish()[0], (batch * m * k + 1, batch * k * n + 1, batch * m * n))


def test_several_axes_of_each_role() -> None:
    """tensordot over transposed axes, two batch axes, a broadcast one, and an axis that only c has."""
    layouts = {
        "a": ArrayLayout(f32, (2, 3, 4, 5, 2), (1, 0, 10, 2, 40)),
        "b": ArrayLayout(f32, (2, 3, 4, 5, 6), (360, 120, 30, 1, 5)),
        "c": ArrayLayout(f32, (2, 3, 2, 6, 3), (3, 216, 6, 36, 1)),
    }
    builder = ContractionBuilder("tensordot", layouts)
    g, h = builder.axis("batch", 2), builder.axis("batch", 3)
    i, j, t = builder.axis("m", 2), builder.axis("n", 6), builder.axis("n", 3)
    p, q = builder.axis("k", 4), builder.axis("k", 5)
    builder.operand("a", (g, h, p, q, i))
    builder.operand("b", (g, h, p, q, j))
    builder.operand("c", (g, h, i, j, t))
    check(builder.finish()[0], (100, 800, 700))


# --- convolutions ---


def convolution(
    kind: str,
    dtype: DType,
    images: tuple[int, int, int, int],
    out_channels: int,
    window: tuple[int, int],
    padding: int = 0,
    stride: int = 1,
    dilation: int = 1,
    channels_last: bool = False,
) -> tuple[Contraction, tuple[int, int, int]]:
    """A 2-d convolution (`forward`), its input gradient (`input`, stride 1) or weight gradient (`weight`)."""
    n, c, h, w = images
    kh, kw = window
    oh, ow = ((size + 2 * padding - dilation * (k - 1) - 1) // stride + 1 for size, k in ((h, kh), (w, kw)))

    def layout(shape: tuple[int, int, int, int]) -> ArrayLayout:
        if not channels_last:
            return ArrayLayout.contiguous(dtype, shape)
        _, channels, rows, columns = shape
        return ArrayLayout(dtype, shape, (rows * columns * channels, 1, columns * channels, channels))

    x, weights, y = layout((n, c, h, w)), layout((out_channels, c, kh, kw)), layout((n, out_channels, oh, ow))
    order = {"forward": (weights, x, y), "input": (weights, y, x), "weight": (y, x, weights)}[kind]
    b = ContractionBuilder(f"conv_{next(_numbers)}", dict(zip("abc", order, strict=True)))
    extents = {"n": n, "o": out_channels, "c": c, "kh": kh, "kw": kw}
    extents |= {"y": h, "x": w} if kind == "input" else {"y": oh, "x": ow}
    roles = {
        "forward": [("batch", "n"), ("m", "o"), ("n", "y"), ("n", "x"), ("k", "c"), ("k", "kh"), ("k", "kw")],
        "input": [("batch", "n"), ("m", "c"), ("n", "y"), ("n", "x"), ("k", "o"), ("k", "kh"), ("k", "kw")],
        "weight": [("m", "o"), ("n", "c"), ("n", "kh"), ("n", "kw"), ("k", "n"), ("k", "y"), ("k", "x")],
    }[kind]
    v: dict[str, Index] = {name: b.axis(role, extents[name]) for role, name in roles}
    kernel = (v["o"], v["c"], v["kh"], v["kw"])
    if kind == "input":
        places = [v[s] - v[k] * dilation + padding for s, k in (("y", "kh"), ("x", "kw"))]
        b.operand("a", kernel)
        b.operand("b", (v["n"], v["o"], *places), list(zip(places, (oh, ow), strict=True)))
        b.operand("c", (v["n"], v["c"], v["y"], v["x"]))
    else:
        places = [v[s] * stride + v[k] * dilation - padding for s, k in (("y", "kh"), ("x", "kw"))]
        bounds = list(zip(places, (h, w), strict=True)) if padding else []
        b.operand("b", (v["n"], v["c"], *places), bounds)
        b.operand("a", kernel if kind == "forward" else (v["n"], v["o"], v["y"], v["x"]))
        b.operand("c", (v["n"], v["o"], v["y"], v["x"]) if kind == "forward" else kernel)
    made = b.finish()[0]
    sizes = tuple(math.prod(_number(d) for d in o.shape) for o in order)
    return made, (sizes[0], sizes[1], sizes[2])


CONVOLUTIONS: list[dict[str, Any]] = [
    {"images": (2, 1, 12, 12), "out_channels": 6, "window": (5, 5)},
    {"images": (3, 6, 14, 14), "out_channels": 16, "window": (5, 5)},
    {"images": (2, 8, 16, 16), "out_channels": 7, "window": (3, 3), "padding": 1},
    {"images": (1, 3, 9, 11), "out_channels": 4, "window": (3, 5), "padding": 2, "dilation": 2},
    {"images": (2, 5, 6, 5), "out_channels": 9, "window": (1, 1)},
    {"images": (1, 2, 3, 3), "out_channels": 2, "window": (5, 5), "padding": 4},
    {"images": (2, 40, 7, 7), "out_channels": 3, "window": (3, 3), "padding": 1},
    {"images": (1, 1, 40, 40), "out_channels": 1, "window": (3, 3), "padding": 1},
]


@DTYPES
@pytest.mark.parametrize("kind", ["forward", "input", "weight"])
@pytest.mark.parametrize("channels_last", [False, True], ids=["nchw", "nhwc"])
def test_convolutions(dtype: DType, kind: str, channels_last: bool) -> None:
    for options in CONVOLUTIONS:
        check(*convolution(kind, dtype, **options, channels_last=channels_last))


@DTYPES
@pytest.mark.parametrize("kind", ["forward", "weight"])
def test_strided_convolutions(dtype: DType, kind: str) -> None:
    for stride, padding in [(2, 0), (2, 1), (3, 2)]:
        options = {"images": (2, 3, 17, 15), "out_channels": 5, "window": (3, 3)}
        check(*convolution(kind, dtype, **options, stride=stride, padding=padding))  # type: ignore[arg-type]


def test_one_dimensional_convolution_reads_nothing_outside() -> None:
    """A window wider than its input; every access outside would be seen as NaN around the buffer."""
    layouts = {
        "a": ArrayLayout.contiguous(f32, (3, 9)),
        "b": ArrayLayout(f32, (5,), (1,), 16),
        "c": ArrayLayout.contiguous(f32, (3, 7)),
    }
    builder = ContractionBuilder("conv1d", layouts)
    o, x, k = builder.axis("m", 3), builder.axis("n", 7), builder.axis("k", 9)
    place = x + k - 5
    builder.operand("a", (o, k))
    builder.operand("b", (place,), [(place, 5)])
    builder.operand("c", (o, x))
    made = builder.finish()[0]
    a, b = random(f32, 27), np.full(40, np.nan, np.float32)
    b[16:21] = [1, 2, 3, 4, 5]
    got, want = np.zeros(21, np.float32), np.zeros(21, np.float32)
    compiled(made)(a, b, got, {})
    reference(made, a, b, want, {})
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_negative_strides() -> None:
    layouts = {
        "a": ArrayLayout(f64, (5, 6), (-6, -1), 29),
        "b": ArrayLayout(f64, (6, 20), (20, -1), 19),
        "c": ArrayLayout(f64, (5, 20), (-20, 1), 80),
    }
    builder = ContractionBuilder("reversed", layouts)
    i, j, q = builder.axis("m", 5), builder.axis("n", 20), builder.axis("k", 6)
    builder.operand("a", (i, q))
    builder.operand("b", (q, j))
    builder.operand("c", (i, j))
    check(builder.finish()[0], (30, 120, 100))


# --- extents known at run time ---


def test_runtime_extents() -> None:
    m, k, n = symbol("m"), symbol("k"), symbol("n")
    shapes: dict[str, tuple[Dim, Dim]] = {"a": (m, k), "b": (k, n), "c": (m, n)}
    builder = ContractionBuilder("symbolic", {s: ArrayLayout.contiguous(f32, shape) for s, shape in shapes.items()})
    i, j, q = builder.axis("m", m), builder.axis("n", n), builder.axis("k", k)
    builder.operand("a", (i, q))
    builder.operand("b", (q, j))
    builder.operand("c", (i, j))
    made, meaning = builder.finish()
    for values in [*SHAPES, (0, 3, 4), (3, 0, 4), (3, 4, 0)]:
        numbers = dict(zip(("m", "k", "n"), values, strict=True))
        dims = {name: next(numbers[s] for s in numbers if dim is symbol(s)) for name, dim in meaning.items()}
        rows, inner, columns = values
        check(made, (rows * inner + 1, inner * columns + 1, max(rows * columns, 1)), dims)


def test_runtime_extents_give_the_bits_of_fixed_ones() -> None:
    n = symbol("n")
    shapes: dict[str, tuple[Dim, Dim]] = {"a": (n, n), "b": (n, n), "c": (n, n)}
    builder = ContractionBuilder("square", {s: ArrayLayout.contiguous(f32, shape) for s, shape in shapes.items()})
    i, j, q = builder.axis("m", n), builder.axis("n", n), builder.axis("k", n)
    builder.operand("a", (i, q))
    builder.operand("b", (q, j))
    builder.operand("c", (i, j))
    made = builder.finish()[0]
    fixed, sizes = matmul(f32, 61, 61, 61)
    (name,) = (p.name for p in made.params)
    assert np.array_equal(check(made, sizes, {name: 61}), check(fixed, sizes))


# --- what results depend on ---


@pytest.fixture
def threads_as_before() -> Any:
    before = runtime.thread_count()
    yield
    runtime.set_thread_count(before)


@pytest.mark.usefixtures("threads_as_before")
def test_threads_do_not_change_bits() -> None:
    """Divided over rows and columns, over a batch, and over k."""
    cases = [
        matmul(f32, 200, 300, 150),
        matmul(f64, 3, 5000, 40, accumulate=True),
        matmul(f32, 10, 9000, 12, "fcf"),
        convolution("forward", f32, (4, 8, 20, 20), 16, (3, 3), 1),
        convolution("weight", f32, (8, 3, 24, 24), 6, (5, 5)),
    ]
    for made, sizes in cases:
        bits: list[Array] = []
        for number in (1, 2, 3):
            runtime.set_thread_count(number)
            bits.append(check(made, sizes))
        assert np.array_equal(bits[0], bits[1])
        assert np.array_equal(bits[0], bits[2])


@DTYPES
def test_layout_does_not_change_bits(dtype: DType) -> None:
    """Which way operands lie decides how they are read, not what is summed in which order."""
    m, k, n = 23, 700, 39
    a, b = random(dtype, m * k).reshape(m, k), random(dtype, k * n).reshape(k, n)
    results: list[Array] = []
    for orders in ("ccc", "fcc", "cfc", "ccf", "fff"):
        out = np.zeros((m, n), dtype.numpy, order="F" if orders[2] == "f" else "C")
        left, right = (x.copy("F" if o == "f" else "C") for x, o in zip((a, b), orders, strict=False))
        compiled(matmul(dtype, m, k, n, orders)[0])(left, right, out, {})
        results.append(out)
    for result in results:
        assert np.array_equal(result, results[0])


def test_nan_and_infinity_stay_where_they_belong() -> None:
    a, b = random(f32, 7 * 20).reshape(7, 20), random(f32, 20 * 33).reshape(20, 33)
    a[2, 3], b[5, 6] = np.nan, np.inf
    out = np.zeros((7, 33), np.float32)
    compiled(matmul(f32, 7, 20, 33)[0])(a, b, out, {})
    with np.errstate(invalid="ignore"):
        want = a.astype(np.float64) @ b.astype(np.float64)
    assert np.array_equal(np.isnan(out), np.isnan(want))
    assert np.array_equal(np.isinf(out), np.isinf(want))
    finite = np.isfinite(want)
    np.testing.assert_allclose(out[finite], want[finite], rtol=1e-4, atol=1e-4)


# --- memory and threads ---


@needs_guards
@pytest.mark.parametrize("at_end", [False, True])
def test_nothing_outside_the_buffers_is_touched(at_end: bool) -> None:
    cases = [matmul(f32, *shape, orders) for shape in SHAPES for orders in ("ccc", "ffc", "csf", "sss")]
    cases += [
        convolution(kind, f32, **options, channels_last=last)
        for kind in ("forward", "input", "weight")
        for options in CONVOLUTIONS
        for last in (False, True)
    ]
    guards = [Guarded(1 << 20) for _ in range(3)]
    for made, sizes in cases:
        buffers = [
            guard.array(random(f32, n, i), at_end) for i, (guard, n) in enumerate(zip(guards, sizes, strict=True))
        ]
        want = buffers[2].copy()
        reference(made, buffers[0], buffers[1], want, {})
        compiled(made)(*buffers, {})
        np.testing.assert_allclose(buffers[2], want, rtol=1e-3, atol=1e-3)


def test_several_callers_at_once() -> None:
    """Python threads that call at the same time (ctypes gives up the GIL) don't share work memory."""
    made, sizes = matmul(f32, 90, 300, 70)
    call = compiled(made)
    a, b = random(f32, sizes[0]), random(f32, sizes[1])
    want = np.zeros(sizes[2], np.float32)
    call(a, b, want, {})

    def repeat(_: int) -> bool:
        out = np.empty(sizes[2], np.float32)
        for _ in range(30):
            out.fill(np.nan)
            call(a, b, out, {})
            if not np.array_equal(out, want):
                return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(repeat, range(6)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_after_a_fork() -> None:
    made, sizes = matmul(f32, 120, 200, 130)
    call = compiled(made)
    a, b, want = random(f32, sizes[0]), random(f32, sizes[1]), np.zeros(sizes[2], np.float32)
    call(a, b, want, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads is the point
        child = os.fork()
    if child == 0:
        out = np.zeros(sizes[2], np.float32)
        call(a, b, out, {})
        os._exit(0 if np.array_equal(out, want) else 1)
    assert os.waitpid(child, 0)[1] == 0


# --- other machines, and refusals ---

_AVX512 = dict.fromkeys(("avx512f", "avx512vl", "avx512dq", "avx512bw"), True)


@DTYPES
@pytest.mark.parametrize(
    ("triple", "cpu", "features"),
    [
        ("x86_64-unknown-linux-gnu", "x86-64", {}),
        ("x86_64-unknown-linux-gnu", "skylake-avx512", {**_AVX512, "fma": True}),
        ("x86_64-unknown-linux-gnu", "haswell", {"avx2": True, "fma": True}),
        ("aarch64-unknown-linux-gnu", "generic", {}),
    ],
)
def test_other_targets_compile(dtype: DType, triple: str, cpu: str, features: dict[str, bool]) -> None:
    target = engine.make_target(triple, cpu, features)
    for define in (define_contraction_runtime, define_bounds_runtime):
        module = LLVMModule()
        define(module, dtype, target)
        assert engine.compile_object(module.text(), engine.LOCALS, target=target)


def _x86(vector_bytes: int) -> Target:
    """A target for vectors of a width, that the host can run: LLVM makes wide ones of several narrow ones."""
    if not engine.host().architecture.startswith("x86"):
        pytest.skip("the host is no x86")
    plain = engine.make_target(engine.host().triple, "x86-64", {})
    return plain if vector_bytes == 16 else replace(engine.host(), vector_bytes=vector_bytes)


@pytest.mark.parametrize("tile", ["sse", "neon", "avx2", "avx512"])
def test_tiles_of_other_machines_give_right_results(tile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """16-byte vectors without masked loads or multiply-add, with many registers and 3 vectors a tile; wider ones."""
    target = _x86({"avx2": 32, "avx512": 64}.get(tile, 16))
    if tile == "neon":
        monkeypatch.setattr(
            contraction, "shape_for", lambda dtype, target: blocking(dtype, 16, 32, False, target.caches)
        )
    module, bounds = LLVMModule(), LLVMModule()
    define_contraction_runtime(module, f32, target)
    define_bounds_runtime(bounds, f32, target)
    codes = [engine.compile_object(m.text(), engine.LOCALS, target=target) for m in (module, bounds)]
    names = [n for n in module.declared() if n.startswith("jc_")]
    exports = ("jc_contract_f32", "jc_pack_bounded_f32", "jc_pack_slot_bounded_f32")
    loaded = engine.load_object(codes, exports, linking.symbols(names))
    address, place, pack = (loaded.addresses[name] for name in exports)
    ctypes.c_void_p.from_address(place).value = pack
    drivers = {"jc_contract_f32": address, "jc_contract_bounded_f32": address}
    cases = [matmul(f32, *shape, orders) for shape in SHAPES for orders in ("ccc", "cfc", "sss")]
    cases += [convolution(kind, f32, **o) for kind in ("forward", "input", "weight") for o in CONVOLUTIONS]
    for made, sizes in cases:
        text = LLVMModule()
        lower_contraction(made, target, text)
        called = engine.load_object(engine.compile_object(text.text()), (made.name,), drivers)
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(called.addresses[made.name])
        a, b, got = (random(f32, n, seed) for seed, n in enumerate(sizes))
        want = got.copy()
        reference(made, a, b, want, {})
        function(a.ctypes.data, b.ctypes.data, got.ctypes.data)
        np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-3)


def test_other_dtypes_are_refused() -> None:
    made = matmul(f32, 2, 2, 2)[0]
    with pytest.raises(InternalError, match="f32 or f64"):
        lower_contraction(replace(made, dtype=i32), engine.host(), LLVMModule())


def test_dynamic_addresses_are_refused() -> None:
    made = matmul(f32, 2, 2, 2)[0]
    dynamic = replace(made.a, address=replace(made.a.address, values=(("v", 1),)))
    with pytest.raises(InternalError, match="axes only"):
        lower_contraction(replace(made, a=dynamic), engine.host(), LLVMModule())
