"""Paddle's Tensor: what it is made of, its text, its gradients, and the dtypes that operators compute in."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import paddle
import pytest

import jitcore
from jitcore.compat.paddle import declaring


def test_a_tensor_is_shown_as_paddle_shows_it() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.5]])
    assert repr(x) == (
        "Tensor(shape=[2, 2], dtype=float32, place=Place(cpu), stop_gradient=True,\n"
        "       [[1.        , 2.        ],\n"
        "        [3.        , 4.50000000]])"
    )


@pytest.mark.parametrize(
    ("elements", "text"),
    [
        (np.array([-1.5, 2.25e10]), "[-1.50000000 , 22500000000.]"),
        (np.array([-1, 100]), "[-1 , 100]"),
        (np.array([np.nan, 1.0]), "[nan, 1. ]"),
        (np.array([-np.inf, 0.0]), "[-inf.,  0.  ]"),
        (np.zeros((0, 3)), "[]"),
        (np.zeros((2, 0)), "[[],\n        []]"),
        (np.array([-1 + 2j, -3 - 4j]), "[(-1.00000000+2.00000000j), (-3.00000000-4.00000000j)]"),
        (np.array([True, False]), "[True , False]"),
        (np.zeros((1, 1100)), "[[0., 0., 0., ..., 0., 0., 0.]]"),
    ],
)
def test_elements_are_padded_behind(elements: Any, text: str) -> None:
    assert repr(paddle.to_tensor(elements)).partition("\n")[2] == f"       {text})"


def test_shapes_are_lists() -> None:
    shape = paddle.ones([2, 3]).shape
    assert shape == [2, 3]
    assert isinstance(shape, list)
    assert [1, *shape[1:]] == [1, 3]
    assert repr(shape + [4]) == "paddle.Size([2, 3, 4])"  # noqa: RUF005


def test_dtypes_have_paddles_names() -> None:
    x = paddle.to_tensor([1, 2])
    assert str(x.dtype) == "paddle.int64"
    assert repr(paddle.float32) == "<DataType.FLOAT32: 10>"
    assert x.dtype is paddle.int64


def test_gradients_are_added_up_until_they_are_cleared() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for _ in range(2):
        (x * x).backward()  # of no scalar: the sum's
    assert x.gradient().tolist() == [4.0, 8.0]
    assert not x.grad.stop_gradient
    x.clear_gradient()
    assert x.grad.numpy().tolist() == [0.0, 0.0]
    x.clear_gradient(set_to_zero=False)
    assert x.grad is None


def test_a_graph_is_gone_after_one_way_back() -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 4.0
    with pytest.raises(SystemError, match="retain_graph=True"):
        y.backward()


def test_gradients_end_where_they_are_stopped() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x * 2
    assert not y.stop_gradient
    y.stop_gradient = True
    z = y * 3
    assert z.stop_gradient
    z.backward()
    assert x.grad is None
    view = x[0]
    view.stop_gradient = True
    assert (view * 2).stop_gradient


def test_tensors_of_unlike_dtypes_are_computed_with_as_paddle_does() -> None:
    whole, half, single = paddle.to_tensor([1, 2]), paddle.ones([2], "float16"), paddle.ones([2])
    assert (whole + 1.5).dtype is paddle.float32
    assert (whole / whole).dtype is paddle.float32
    assert (half + single).dtype is paddle.float32
    assert (half + 1.5).dtype is paddle.float16
    assert (single + 1j).dtype is paddle.complex64
    assert (single + np.ones(2)).dtype is paddle.float64
    assert (whole + paddle.to_tensor(1.5)).dtype is paddle.float32
    assert (single + paddle.to_tensor(1.5, "float64")).dtype is paddle.float32
    for other in (single, paddle.ones([2], "int32"), paddle.ones([2], "bool")):
        with pytest.raises(TypeError, match="different data type"):
            whole + other
        with pytest.raises(TypeError, match="different data type"):
            whole == other  # noqa: B015


def test_truth_is_that_of_one_element() -> None:
    assert paddle.to_tensor([2.0])
    with pytest.raises(AssertionError, match="one element"):
        bool(paddle.to_tensor([1.0, 2.0]))


def test_what_is_not_there_says_so_when_it_is_used() -> None:
    with pytest.raises(NotImplementedError, match=r"paddle\.sparse\.sparse_coo_tensor of Paddle"):
        paddle.sparse.sparse_coo_tensor([[0]], [1.0])
    with pytest.raises(AttributeError):
        _ = paddle.no_such_name
    with pytest.raises(NotImplementedError, match=r"paddle\.Tensor\.top_p_sampling"):
        paddle.ones([2]).top_p_sampling()


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError, match="scalar"):
        paddle.to_tensor(object())
    with pytest.raises(ValueError, match="inhomogeneous"):
        paddle.to_tensor([[1], [1, 2]])


def test_a_gpu_is_the_cpu_after_one_warning() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        places = [paddle.CUDAPlace(0), paddle.CUDAPlace(1), paddle.set_device("gpu:0")]
    assert len(told) <= 1
    assert all(place == paddle.CPUPlace() for place in places)
    assert paddle.get_device() == "cpu"
    assert not paddle.is_compiled_with_cuda()
    with pytest.raises(ValueError, match="device"):
        paddle.set_device("abacus")


def test_operations_are_recorded_if_somebody_wants_them() -> None:
    class Recorder:
        def wants(self, function: Any, args: Any, keywords: Any) -> bool:
            return function in declaring.CREATING or "mark" in args

        def record(self, function: Any, args: Any, keywords: Any) -> Any:
            return function.__name__, args, keywords

    before = declaring.recorder
    declaring.set_recorder(Recorder())
    try:
        assert paddle.ones([2], dtype="int32") == ("ones", ([2],), {"dtype": "int32"})
        assert paddle.add("mark", y=1) == ("add", ("mark",), {"y": 1})
    finally:
        declaring.set_recorder(before)
    assert paddle.ones([2]).numpy().tolist() == [1.0, 1.0]


def test_compiled_code_means_the_same() -> None:
    def double(x: Any) -> Any:
        rows = x.shape[0]
        return paddle.add(x, x) * rows + paddle.ones([rows, x.shape[1]])

    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    line_by_line, compiled = double(x), jitcore.jit(double)(x)
    assert type(compiled) is type(line_by_line) is paddle.Tensor
    assert compiled.numpy().tolist() == line_by_line.numpy().tolist() == [[5.0, 9.0], [13.0, 17.0]]


def test_numbers_are_written_into_texts_line_by_line_and_compiled() -> None:
    def told(x: Any) -> str:
        total = x.sum()
        return f"{total} {total:.2f}"

    x = paddle.to_tensor([1.0, 2.5])
    assert told(x) == jitcore.jit(told)(x) == "3.5 3.50"
