"""No index reads or writes outside of an array: what is out of range raises, compiled and line by line, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from kernel_runner import run_both

import jitcore
from jitcore import Tensor, jit, ops
from jitcore.kernel.build import ArrayLayout, KernelBuilder
from jitcore.types import f64, i64

Function = Callable[..., Any]


def outcome(function: Function, *args: Any) -> str:
    """What a call gives, or what it raises, as a text."""
    try:
        return repr(function(*args))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


X = np.arange(12, dtype=np.float32).reshape(4, 3)
ROWS = np.ones((2, 3), np.float32)

GATHERS: dict[str, Function] = {
    "gather": lambda x, i: ops.gather(x, i, 0),
    "gather of batches": lambda x, i: ops.gather(x.reshape(1, 4, 3), i.reshape(1, 2), 1, 1),
    "gather_nd": lambda x, i: ops.gather_nd(x, i.reshape(2, 1)),
    "gather_elements": lambda x, i: ops.gather_elements(x, 0, i.reshape(2, 1)),
    "take": lambda x, i: x.take(i, 0),
    "item": lambda x, i: x[i],
    "two items": lambda x, i: x[i, i - i],
    "index_select": lambda x, i: ops.index_select(x, 0, i),
    "index_fill": lambda x, i: ops.index_fill(x, 0, i, 2.0),
    "index_add": lambda x, i: ops.index_add(x, i, x[:2], 0),
    "scatter": lambda x, i: ops.scatter(x, 0, i.reshape(2, 1), x[:2]),
    "tensor_scatter_update": lambda x, i: ops.tensor_scatter_update(x, i.reshape(2, 1), x[:2]),
    "tensor_scatter_max": lambda x, i: ops.tensor_scatter_max(x, i.reshape(2, 1), x[:2]),
    "tensor_scatter_elements": lambda x, i: ops.tensor_scatter_elements(x, i.reshape(2, 1), x[:2, :1]),
    "nll_loss": lambda x, i: ops.nll_loss(x.T[:2], i),
    "cross_entropy": lambda x, i: ops.cross_entropy(x.T[:2], i),
    "multi_margin_loss": lambda x, i: ops.multi_margin_loss(x.T[:2], i),
}
"""Operators whose indices may be counted from the end, with 4 elements to choose from."""

FROM_START: dict[str, Function] = {
    "SegmentSum": lambda x, i: ops.SegmentSum()(x[:2], i),
    "SegmentMax": lambda x, i: ops.SegmentMax()(x[:2], i),
    "crop_and_resize": lambda x, i: ops.crop_and_resize(
        x.reshape(4, 1, 3, 1), Tensor(np.array([[0, 0, 1, 1]] * 2, np.float32)), ops.cast(i, jitcore.int32), (1, 2)
    ),
    "unravel_index": lambda x, i: ops.unravel_index(i, (2, 2)),
    "max_unpool1d": lambda x, i: ops.max_unpool1d(x[:1, :2].reshape(1, 1, 2), i.reshape(1, 1, 2), 2, output_size=(1, 1, 4)),
}  # fmt: skip
"""Operators whose indices are not counted from the end, with 4 to choose from."""


def gradient(function: Function) -> Function:
    """The gradient of all that a function gives by its first argument."""
    return lambda x, i: jitcore.grad(lambda x: function(x, i).sum())(x)


@pytest.mark.parametrize("name", GATHERS)
def test_indices_that_no_narrower_int_holds_are_out_of_range(name: str) -> None:
    function = GATHERS[name]
    compiled, slopes = jit(function), jit(gradient(function))
    for index in (4, -5, 2**32 + 1, 2**62, -(2**32), -(2**63)):
        args = (Tensor(X), Tensor(np.array([0, index], np.int64)))
        want = outcome(function, *args)
        assert want.startswith("IndexError"), (index, want)
        assert outcome(compiled, *args) == want
        assert outcome(slopes, *args).startswith("IndexError")


@pytest.mark.parametrize("name", GATHERS)
def test_unsigned_indices_of_tensors_are_not_taken_from_the_end(name: str) -> None:
    function = GATHERS[name]
    for index in (2**64 - 1, 2**63):
        args = (Tensor(X), Tensor(np.array([0, index], np.uint64)))
        assert outcome(function, *args).startswith(("IndexError", "TypeError"))
        assert outcome(jit(function), *args) == outcome(function, *args)


@pytest.mark.parametrize("name", FROM_START)
def test_numbers_from_the_start_are_neither_negative_nor_too_large(name: str) -> None:
    function = FROM_START[name]
    compiled = jit(function)
    from_end = name == "max_unpool1d"
    for index in (-5, -(2**30), *(() if from_end else (-1,)), *(() if name.startswith("Segment") else (4, 2**30))):
        args = (Tensor(X), Tensor(np.array([0, index], np.int64)))
        want = outcome(function, *args)
        assert want.startswith(("IndexError", "ValueError")), (index, want)
        assert outcome(compiled, *args).split(":")[0] == want.split(":")[0]


def test_segments_that_are_picked_are_there() -> None:
    def mean(x: Tensor, i: Tensor, s: Tensor) -> Tensor:
        return ops.sparse_segment_mean(x, i, s)

    x, inside, outside = Tensor(X), Tensor(np.array([0, 1], np.int32)), Tensor(np.array([0, 9], np.int32))
    assert outcome(jit(mean), x, inside, inside) == outcome(mean, x, inside, inside)
    for args in ((x, outside, inside), (x, inside, Tensor(np.array([-3, 1], np.int32)))):
        assert outcome(mean, *args).startswith("IndexError")
        assert outcome(jit(mean), *args) == outcome(mean, *args)


def test_one_hot_of_narrow_ints_with_more_classes_than_they_hold() -> None:
    def hot(i: Tensor) -> Tensor:
        return ops.one_hot(i, 300, Tensor(1.0), Tensor(0.0)).sum(1)

    for dtype in (np.int8, np.uint8):
        i = Tensor(np.array([3, -1 if dtype is np.int8 else 255], dtype))
        assert outcome(jit(hot), i) == outcome(hot, i)
    assert hot(Tensor(np.array([3, -1], np.int8))).asnumpy().tolist() == [1.0, 0.0]


NUMPY: dict[str, Function] = {
    "take": lambda z, i: np.take(z, i),
    "take, clipped": lambda z, i: np.take(z, i, mode="clip"),
    "take, wrapped": lambda z, i: np.take(z, i, mode="wrap"),
    "take of rows": lambda z, i: np.take(z, i, 0, mode="clip"),
    "take, a method": lambda z, i: z.take(i, 0, mode="wrap"),
    "items": lambda z, i: z[i],
    "take_along_axis": lambda z, i: np.take_along_axis(z, i.reshape(-1, *(1,) * (z.ndim - 1)), 0),
    "delete": lambda z, i: np.delete(z, i, 0),
    "unravel_index": lambda z, i: np.unravel_index(i, z.shape),
    "compress": lambda z, i: np.compress(i > -99, z, 0),
    "choose": lambda z, i: np.choose(i, (z.size + i, i)),
    "bincount": lambda z, i: np.bincount(i - 9),
}
WRITES: dict[str, Function] = {
    "put": lambda z, i: np.put(z, i, 1),
    "put, clipped": lambda z, i: np.put(z, i, 1, mode="clip"),
    "put, wrapped": lambda z, i: np.put(z, i, 1, mode="wrap"),
    "put of nothing": lambda z, i: np.put(z, i, np.zeros(0), mode="wrap"),
    "add.at": lambda z, i: np.add.at(z, i, 1),
    "place": lambda z, i: np.place(z, z > -1, np.zeros(0)),
    "putmask": lambda z, i: np.putmask(z, z > -1, np.zeros(0)),
}


@pytest.mark.parametrize("name", [*NUMPY, *WRITES])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3,), (3, 0)], ids=str)
def test_indices_of_arrays_that_may_be_empty(name: str, shape: tuple[int, ...]) -> None:
    function = {**NUMPY, **WRITES}[name]

    def call(z: np.ndarray, i: np.ndarray) -> Any:
        made = function(z, i)
        return made, z

    compiled = jit(call)
    for indices in ([], [0], [-1], [2, 7], [-4]):
        i = np.array(indices, np.int64)
        assert outcome(compiled, np.ones(shape), i) == outcome(call, np.ones(shape), i)


def test_a_kernel_neither_reads_nor_writes_where_an_index_leaves_its_array() -> None:
    table, index = ArrayLayout.contiguous(f64, (5,)), ArrayLayout.contiguous(i64, (9,))
    k = KernelBuilder("read", {"table": table, "index": index, "out": ArrayLayout.contiguous(f64, (9,))})
    i = k.axis(9)
    k.store("out", (i,), k.load("table", (k.load("index", (i,)),)))
    places = np.array([0, 4, 5, -1, 2**62, -(2**63), 2**32 + 1, 3, 1 << 60])
    got, _ = run_both(k.finish()[0], {"table": np.arange(1.0, 6), "index": places, "out": np.full(9, 7.0)})
    assert got["out"].tolist() == [1, 5, 0, 0, 0, 0, 0, 4, 0]

    k = KernelBuilder("write", {"index": index, "out": table})
    i = k.axis(9, serial=True)
    k.store("out", (k.load("index", (i,)),), k.const(f64, 1.0), accumulate=True)
    got, _ = run_both(k.finish()[0], {"index": places, "out": np.zeros(5)})
    assert got["out"].tolist() == [1, 0, 0, 1, 1]


SLICED: dict[str, tuple[Function, Any]] = {
    "kthvalue": (lambda x, k: ops.kthvalue(x, k, 1), (0, 4, 7, -1, -5, 2**40)),
    "topk": (lambda x, k: ops.topk(x, k), (4, -1, 2**40)),
    "NthElement": (lambda x, k: ops.NthElement()(x, k), (3, -1, 2**40)),
    "pad": (lambda x, k: ops.pad(x, (-k, 0)), (4, 7, 2**40)),
    "pad at both ends": (lambda x, k: ops.pad(x, (-k, -k)), (2, 3)),
    "batch_to_space_nd": (
        lambda x, k: ops.batch_to_space_nd(x.reshape(4, 1, 1, 3), [2, 2], [[k, 0], [0, 0]]),
        (3, 5, -1),
    ),
    "gather_elements": (lambda x, k: ops.gather_elements(x, 0, np.zeros((2, k), np.int64)), (4, 9)),
}


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, (_, given) in SLICED.items() for k in given])
def test_parts_of_an_axis_that_it_does_not_have(name: str, k: int) -> None:
    function = SLICED[name][0]
    compiled = jit(lambda x: function(x, k))
    for rows in (4, 4, 8):  # of the second number of rows on, extents are symbols
        x = Tensor(np.arange(3.0 * rows, dtype=np.float32).reshape(rows, 3))
        with pytest.raises((ValueError, IndexError)):
            function(x, k)
        with pytest.raises((ValueError, IndexError)):
            compiled(x)


@pytest.mark.parametrize("columns", [3, 5, 2, 1])
def test_a_place_that_only_some_extents_have(columns: int) -> None:
    def second(x: Any) -> Any:
        return ops.kthvalue(x, 2, 1)[0]

    compiled = jit(second)
    for n in (3, 4, columns):
        x = Tensor(np.arange(4.0 * n, dtype=np.float32).reshape(4, n))
        if n < 2:
            with pytest.raises(ValueError, match="kthvalue"):
                compiled(x)
        else:
            np.testing.assert_array_equal(compiled(x).asnumpy(), x.asnumpy()[:, 1])


WINDOWS: dict[str, Function] = {
    "conv2d": lambda x: ops.conv2d(x, Tensor(np.ones((1, 1, 9, 9), np.float32))),
    "conv2d padded": lambda x: ops.conv2d(x, Tensor(np.ones((1, 1, 9, 9), np.float32)), pad_mode="pad", padding=2),
    "conv3d": lambda x: ops.conv3d(x[None], Tensor(np.ones((1, 1, 1, 9, 9), np.float32))),
    "max_pool2d": lambda x: ops.max_pool2d(x, 9),
    "avg_pool2d": lambda x: ops.avg_pool2d(x, 9, 1),
    "avg_pool1d": lambda x: ops.avg_pool1d(x[0], 9),
    "max_pool3d": lambda x: ops.max_pool3d(x[None], (1, 9, 9)),
    "lp_pool2d": lambda x: ops.lp_pool2d(x, 2, 9),
    "unfold": lambda x: ops.unfold(x, (9, 9)),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_that_some_arrays_are_too_small_for(name: str) -> None:
    compiled = jit(WINDOWS[name])
    for height, width in (
        (20, 20),
        (24, 22),
        (4, 4),
        (4, 20),
        (20, 4),
        (30, 31),
    ):  # from the second on, extents are symbols
        x = Tensor(np.arange(1.0 * height * width, dtype=np.float32).reshape(1, 1, height, width))
        if min(height, width) > 8:
            np.testing.assert_array_equal(compiled(x).asnumpy(), WINDOWS[name](x).asnumpy())
            continue
        if name != "avg_pool1d" or width < 9:
            with pytest.raises(ValueError, match="a window of"):
                compiled(x)
            with pytest.raises(ValueError, match="a window of"):
                WINDOWS[name](x)


EMPTY_AXES: dict[str, Function] = {
    "interpolate": lambda x: ops.interpolate(x, (3, 8)),
    "quantile": lambda x: ops.quantile(x, 0.3, 3),
    "clipped": lambda x: np.take(x.asnumpy(), [0, 1], 3, mode="clip"),
}


@pytest.mark.parametrize("name", EMPTY_AXES)
def test_axes_that_come_to_be_empty(name: str) -> None:
    function = EMPTY_AXES[name]
    compiled = jit(function)
    for width in (4, 6, 0, 5):
        x = Tensor(np.arange(6.0 * width, dtype=np.float32).reshape(1, 2, 3, width))
        if width:
            np.testing.assert_array_equal(np.asarray(compiled(x)), np.asarray(function(x)))
        else:
            with pytest.raises(IndexError):
                compiled(x)


def test_operands_of_other_lengths() -> None:
    compiled = jit(lambda x, y: ops.cumulative_trapezoid(x, y))
    for n, m in ((3, 3), (4, 4), (5, 3), (4, 0)):
        x, y = (Tensor(np.arange(2.0 * k).reshape(2, k)) for k in (n, m))
        if n == m:
            assert compiled(x, y[0]).shape == (2, n - 1)
        else:
            with pytest.raises((IndexError, ValueError)):
                compiled(x, y[0])
    products = jit(lambda x, i: ops.SegmentProd()(x, i))
    for n, m in ((3, 3), (4, 4), (4, 1)):
        operands = Tensor(np.ones((n, 2))), Tensor(np.zeros(m, np.int64))
        if n == m:
            assert products(*operands).shape == (1, 2)
        else:
            with pytest.raises(ValueError, match="numbers of segments"):
                products(*operands)
