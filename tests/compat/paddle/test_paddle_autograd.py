"""Gradients as Paddle has them: `grad`, `no_grad`, hooks, and functions with a way back of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
import pytest


def leaf(*elements: float) -> Any:
    return paddle.to_tensor(list(elements), dtype="float64", stop_gradient=False)


def test_grad_gives_gradients_and_leaves_none_behind() -> None:
    x = leaf(1.0, 2.0)
    (dx,) = paddle.grad(x * x, x, create_graph=True)
    assert dx.numpy().tolist() == [2.0, 4.0]
    assert x.grad is None
    (second,) = paddle.grad(dx.sum(), [x])
    assert second.numpy().tolist() == [2.0, 2.0]
    weighted = paddle.grad([x * 3], x, grad_outputs=[paddle.to_tensor([1.0, 10.0], "float64")])
    assert weighted[0].numpy().tolist() == [3.0, 30.0]


def test_inputs_that_are_not_used_are_refused_unless_they_may_be() -> None:
    x, other = leaf(1.0), leaf(2.0)
    with pytest.raises(ValueError, match="allow_unused"):
        paddle.grad(x * 2, other)
    found = paddle.grad(x * 2, [x, other], allow_unused=True)
    assert found[0].item() == 2.0
    assert found[1] is None
    with pytest.raises(TypeError, match="inputs must be"):
        paddle.grad(x, 3.0)


def test_gradients_do_not_go_through_what_they_are_kept_from() -> None:
    x = leaf(2.0)
    y = x * 3
    z = x * y
    assert paddle.grad(z, x, retain_graph=True)[0].item() == 12.0
    assert paddle.grad(z, x, no_grad_vars=[y], retain_graph=True)[0].item() == 6.0
    assert paddle.grad(z, x)[0].item() == 12.0


def test_nothing_is_recorded_without_gradients() -> None:
    x = leaf(1.0)

    @paddle.no_grad()
    def double(value: Any) -> Any:
        return value * 2

    assert double(x).stop_gradient
    with paddle.no_grad():
        assert (x * 2).stop_gradient
        with paddle.enable_grad():
            assert not (x * 2).stop_gradient
    with paddle.set_grad_enabled(False):
        assert not paddle.is_grad_enabled()
    assert not (x * 2).stop_gradient


def test_several_ways_back_at_once() -> None:
    x = leaf(1.0, 2.0)
    paddle.autograd.backward([x * 2, x * 3], [None, paddle.to_tensor([1.0, 0.0], "float64")])
    assert x.grad.numpy().tolist() == [5.0, 2.0]
    with pytest.raises(ValueError, match="shape"):
        (x * 2).backward(paddle.ones([3], "float64"))


def test_hooks_change_gradients_until_they_are_removed() -> None:
    x = leaf(1.0)
    handle = x.register_hook(lambda grad: grad * 10)
    (x * 2).backward()
    handle.remove()
    (x * 2).backward()
    assert x.grad.item() == 22.0
    with pytest.raises(RuntimeError, match="stop gradient"):
        paddle.ones([1]).register_hook(print)


def test_gradients_of_what_is_computed_are_kept_if_asked_for() -> None:
    x = leaf(3.0)
    y = x * 2
    y.retain_grads()
    (y * y).backward()
    assert y.grad.item() == 12.0
    assert (x * 2).grad is None


class CusTanh(paddle.autograd.PyLayer):
    """The documentation's example."""

    @staticmethod
    def forward(ctx: Any, x: Any, func1: Any, func2: Any = paddle.square) -> Any:
        ctx.func = func2
        y = func1(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (y,) = ctx.saved_tensor()
        return dy * (1 - ctx.func(y))


def test_a_layer_has_a_way_back_of_its_own() -> None:
    x = leaf(0.1, -0.4)
    z = CusTanh.apply(x, func1=paddle.tanh)
    assert not z.stop_gradient
    z.mean().backward()
    np.testing.assert_allclose(x.grad.numpy(), (1 - np.tanh(x.numpy()) ** 2) / 2)
    assert CusTanh.apply(x.detach(), paddle.tanh).stop_gradient


def test_a_layer_of_several_arguments_and_results() -> None:
    class Both(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, a: Any, n: int, b: Any) -> Any:
            ctx.n = n
            return a * n, b * 2

        @staticmethod
        def backward(ctx: Any, da: Any, db: Any) -> Any:
            return da * ctx.n, db * 20

    a, b = leaf(1.0), leaf(1.0)
    first, second = Both.apply(a, 5, b)
    (first + second).backward()
    assert (a.grad.item(), b.grad.item()) == (5.0, 20.0)


def test_what_does_not_define_its_ways_is_refused() -> None:
    class Nothing(paddle.autograd.PyLayer):
        pass

    with pytest.raises(NotImplementedError, match="forward"):
        Nothing.apply(leaf(1.0))


def test_leaves_are_not_written_to() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match="in-place"):
        x.add_(x.detach())
    with pytest.raises(ValueError, match="in-place"):
        x[0] = 5.0
    y = x * 1
    y.add_(x.detach())
    y.backward()
    assert x.grad.numpy().tolist() == [1.0, 1.0]


def test_names_are_given_out_once_and_copies_keep_elements() -> None:
    import copy

    x = leaf(1.0)
    assert x.name != leaf(1.0).name
    x.name = "mine"
    assert x.name == "mine"
    twin = copy.deepcopy(x)
    assert twin.name != "mine"
    assert not twin.stop_gradient
    with pytest.raises(RuntimeError, match="Leaf"):
        copy.deepcopy(x * 2)


def test_values_are_set_if_they_fit() -> None:
    x = paddle.ones([2])
    x.set_value(np.array([3.0, 4.0], "float32"))
    assert x.tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match="shape"):
        x.set_value(np.ones(3, "float32"))
    with pytest.raises(ValueError, match="dtype"):
        x.set_value(np.ones(2))


def test_adding_to_a_name_makes_another_tensor() -> None:
    x = paddle.ones([2])
    before = x
    x += 1
    x *= 3
    assert before.tolist() == [1.0, 1.0]
    assert x.tolist() == [6.0, 6.0]
    part = x[0]
    part.add_(paddle.to_tensor(1.0))
    assert x.tolist() == [7.0, 6.0]
    assert x.numpy().base is None


def test_all_derivatives_of_a_row_by_a_row() -> None:
    x = leaf(1.0, 2.0)
    y = x * x
    derivatives = paddle.autograd.jacobian(y, x)
    assert derivatives.shape == [2, 2]
    assert derivatives[:].tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert paddle.autograd.hessian((x * x * x).sum(), x)[:].tolist() == [[6.0, 0.0], [0.0, 12.0]]
    with pytest.raises(ValueError, match="ndim"):
        paddle.autograd.jacobian(paddle.ones([2, 2]), x)
    with pytest.raises(ValueError, match="one number"):
        paddle.autograd.hessian(y, x)


def test_derivatives_row_by_row() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], "float64", stop_gradient=False)
    (derivatives,) = paddle.autograd.jacobian([x * x], x, batch_axis=0)
    assert derivatives[:].tolist() == [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]


def test_arrays_are_made_of_tensors_that_need_gradients() -> None:
    x = leaf(1.0, 2.0)
    assert np.array(x).tolist() == [1.0, 2.0]
    assert np.asarray(x, "float32").dtype == np.float32
    made = np.asarray(x)
    made[0] = 7.0
    assert x.tolist() == [1.0, 2.0]
    assert [float(item) for item in x] == [1.0, 2.0]
    assert float(x.sum()) == 3.0
    (np.ones(2) * x).backward()
    assert x.grad.tolist() == [1.0, 1.0]
