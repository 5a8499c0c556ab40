"""PyNative gradients: the tape against finite differences, higher orders, writes, views, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, ParameterTuple, Tensor, context, grad, jit, ops, value_and_grad
from jitcore.ops import GradOperation


@pytest.fixture(autouse=True)
def _pynative() -> Iterator[None]:
    context.set_context(mode=context.PYNATIVE_MODE)
    yield
    context.set_context(mode=context.GRAPH_MODE)


def numeric(f: Callable[..., Any], args: list[np.ndarray[Any, Any]], k: int) -> np.ndarray[Any, Any]:
    """The gradient of sum(f) by the k-th argument, by central differences."""
    out = np.zeros_like(args[k])
    for place in np.ndindex(args[k].shape):
        ends: list[float] = []
        for step in (1e-6, -1e-6):
            moved = [a.copy() for a in args]
            moved[k][place] += step
            ends.append(float(np.sum(np.asarray(f(*map(Tensor, moved))))))
        out[place] = (ends[0] - ends[1]) / 2e-6
    return out


def check(f: Callable[..., Any], *arrays: Any) -> None:
    """The gradients of sum(f) by every argument agree with finite differences."""
    args = [np.array(a, np.float64) for a in arrays]
    got = grad(lambda *xs: ops.reduce_sum(f(*xs)), tuple(range(len(args))))(*map(Tensor, args))
    for k, g in enumerate(got):
        np.testing.assert_allclose(g.asnumpy(), numeric(f, args, k), rtol=1e-5, atol=1e-7)


A = np.array([[0.3, -1.2, 2.1], [1.7, 0.4, -0.6]])
B = np.array([[1.1, 0.7, -0.3], [0.2, -0.9, 1.6]])

FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "arithmetic": (lambda x, y: x * y - x / (y * y + 1) + x**3 - 2 * y, (A, B)),
    "broadcasting": (lambda x, y: x * y[0] + y.sum(0, keepdims=True), (A, B)),
    "matmul": (lambda x, y: x @ y.T, (A, B)),
    "vector": (lambda x, y: x[0] @ y[1] * (x @ y[0]), (A, B)),
    "functions": (lambda x: ops.exp(x) * ops.sin(x) + ops.tanh(x) / ops.sqrt(x * x + 1), (A,)),
    "reductions": (lambda x: x.mean(0) * x.max() + x.std(1).sum() + x.prod(), (A,)),
    "where": (lambda x, y: ops.where(x > y, x * y, y * y), (A, B)),
    "softmax": (lambda x: ops.softmax(x) * ops.log_softmax(x, 0) + ops.logsumexp(x), (A,)),
    "shapes": (lambda x, y: ops.concat([x.T, y.reshape(3, 2)], 1) * ops.stack([x, y]).sum(), (A, B)),
    "views": (lambda x: x[:, ::-1] * x[None, 0, 1:2] + x[..., None][0].T, (A,)),
    "gather": (lambda x: x[[0, 0, 1]] * x[:, [2, 0, 2]][[1, 1, 0]] + x[[1, 0], [2, 1]].sum(), (A,)),
    "mask": (lambda x: x[x > 0] * 3 + ops.masked_fill(x, x > 1, 7.0).sum(), (A,)),
    "losses": (lambda x, y: ops.mse_loss(x, y) + ops.smooth_l1_loss(x, y).sum(), (A, B)),
    "cross_entropy": (lambda x: ops.cross_entropy(x, Tensor(np.array([2, 0]))), (A,)),
    "activations": (lambda x: ops.relu(x) + ops.gelu(x) + ops.elu(x) + ops.silu(x) + ops.softplus(x), (A,)),
    "repeat": (lambda x: ops.tile(x, (2, 1)) * ops.repeat_interleave(x, 2, 0) + x.T.flip().sum(), (A,)),
    "clip": (lambda x: ops.clip_by_value(x, -1.0, 1.0) * x + ops.maximum(x, 0.1), (A,)),
    "pad": (
        lambda x: ops.pad(x, ((1, 0), (0, 2)), "constant", 3.0) * ops.roll(ops.pad(x, ((1, 0), (0, 2))), 1, 1),
        (A,),
    ),
    "norms": (lambda x: ops.norm(x) + ops.l2_normalize(x, 1) + ops.layer_norm(x, x.shape[-1:], x[0], x[1]), (A,)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_agree_with_differences(name: str) -> None:
    function, arrays = FUNCTIONS[name]
    check(function, *arrays)


@pytest.mark.parametrize(
    ("stride", "pad_mode", "padding", "dilation"), [(1, "same", 0, 1), (2, "valid", 0, 1), (2, "pad", 1, 2)]
)
def test_convolution_and_pooling(stride: int, pad_mode: str, padding: int, dilation: int) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 2, 6, 5)), rng.normal(size=(4, 2, 3, 2))
    check(lambda a, b: ops.conv2d(a, b, None, stride, pad_mode, padding, dilation) ** 2, x, w)
    check(lambda a: ops.max_pool2d(a, 2, 2) * ops.avg_pool2d(a, 2, 2), x)


def test_derivative_of_relu_at_zero_is_zero() -> None:
    assert grad(lambda x: ops.relu(x).sum())(Tensor([0.0, -1.0, 2.0])).tolist() == [0.0, 0.0, 1.0]


def test_control_flow_is_pythons() -> None:
    def newton(a: Any) -> Any:
        x = a * 1.0
        while abs(float(x * x - a)) > 1e-12:
            x = (x + a / x) / 2
        return x

    got = grad(newton)(Tensor(np.float64(3.0)))
    assert abs(float(got) - 0.5 / np.sqrt(3.0)) < 1e-9


# --- orders ---------------------------------------------------------------------------------------------


def test_gradients_of_gradients() -> None:
    def cube(x: Any) -> Any:
        return x * x * x

    x = Tensor(np.float64(2.0))
    assert float(grad(grad(cube))(x)) == 12.0
    assert float(grad(grad(grad(cube)))(x)) == 6.0


def test_inner_variables_are_their_own() -> None:
    def outer(x: Any) -> Any:
        return x * grad(lambda y: x * y)(x)  # d/dy (x y) is x, though y is x: x * x

    assert float(grad(outer)(Tensor(np.float64(3.0)))) == 6.0


@pytest.mark.parametrize("name", ["functions", "softmax", "matmul", "losses", "gather"])
def test_second_derivatives(name: str) -> None:
    function, arrays = FUNCTIONS[name]
    inner = grad(lambda *xs: ops.reduce_sum(function(*xs)))
    check(lambda *xs: inner(*xs) ** 2, *arrays)


# --- writes and views -----------------------------------------------------------------------------------


def test_items_written_in_a_loop() -> None:
    def f(x: Any) -> Any:
        y = Tensor(np.zeros((2, 3)))
        for i in range(2):
            for j in range(3):
                y[i, j] = x[i, j] ** 2 * (i + j)
        return y * x

    check(f, A)


def test_in_place_arithmetic() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x * 1
        z *= y
        z[0] += y[1]
        z[:, 1:] = z[:, :-1] * 2
        return z * z

    check(f, A, B)


def test_a_view_sees_what_is_written_to_its_base() -> None:
    def f(x: Any, y: Any) -> Any:
        base = x * 1
        view = base[0]
        base[0, 1:] = y[1, :2] * 3
        base[:] = base * x
        return view * y[0]

    check(f, A, B)


def test_the_base_sees_what_is_written_to_a_view() -> None:
    def f(x: Any, y: Any) -> Any:
        base = x * 1
        turned = base.T.reshape(3, 2)
        base.T[1] = y[:, 0]
        return base * turned.sum()

    check(f, A, B)


def test_masks_and_index_arrays_written() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x * 2
        z[x > 1] = 0.5
        z[[1, 0], [0, 2]] = y[0, :2]
        return z * x

    check(f, A, B)


def test_an_argument_written_to_changes_for_the_caller() -> None:
    def f(x: Any) -> Any:
        y = x * x
        x[0] = 5.0
        return (y + x).sum()

    x = Tensor([1.0, 2.0])
    assert grad(lambda v: f(v * 1))(x).tolist() == [2.0, 5.0]
    assert x.tolist() == [1.0, 2.0]


def test_values_overwritten_later_are_kept() -> None:
    def f(x: Any) -> Any:
        y = x * 1
        z = ops.exp(y) * y
        y[0] = 0.0
        z *= z
        return (z * y).sum()

    check(f, [1.0, 2.0])
    check(lambda x: grad(f)(x) ** 2, [0.5, 0.25])


def test_values_overwritten_behind_the_tape_are_refused() -> None:
    def f(x: Any) -> Any:
        y = x * 1
        z = y * y
        y.storage.version += 1  # as compiled code does
        return z.sum()

    with pytest.raises(RuntimeError, match=r"'mul'.*modified in place"):
        grad(f)(Tensor([1.0, 2.0]))


def test_assigned_parameters() -> None:
    p = Parameter(Tensor([2.0, 3.0]), name="p")

    def f(x: Any) -> Any:
        ops.assign(p, x * 2)
        return (p * p).sum()

    assert grad(f)(Tensor([1.0, 4.0])).tolist() == [8.0, 32.0]
    assert p.tolist() == [2.0, 8.0]


# --- what is asked for ----------------------------------------------------------------------------------


def test_grad_operation() -> None:
    w = Parameter(Tensor([3.0]), name="w")

    def f(x: Any, y: Any) -> Any:
        return x * y * w

    x, y = Tensor([2.0]), Tensor([5.0])
    assert GradOperation()(f)(x, y).tolist() == [15.0]
    assert [g.tolist() for g in GradOperation(get_all=True)(f)(x, y)] == [[15.0], [6.0]]
    assert [g.tolist() for g in GradOperation(get_by_list=True)(f, ParameterTuple([w]))(x, y)] == [[10.0]]
    both = GradOperation(get_all=True, get_by_list=True)(f, [w])(x, y)
    assert [[g.tolist() for g in part] for part in both] == [[[15.0], [6.0]], [[10.0]]]
    assert GradOperation(sens_param=True)(f)(x, y, Tensor([2.0])).tolist() == [30.0]
    with pytest.raises(ValueError, match="weights"):
        GradOperation(get_by_list=True)(f)
    with pytest.raises(TypeError, match="get_all"):
        GradOperation(get_all=1)  # type: ignore[arg-type]


def test_value_and_grad_with_aux_and_containers() -> None:
    def f(p: Any, x: Any) -> Any:
        return (p["w"] * x).sum() + p["b"][0], x + 1

    (value, aux), gradient = value_and_grad(f, has_aux=True)({"w": Tensor([2.0]), "b": (Tensor(1.0),)}, Tensor([3.0]))
    assert (float(value), aux.tolist()) == (7.0, [4.0])
    assert (gradient["w"].tolist(), float(gradient["b"][0])) == ([3.0], 1.0)
    got, rest = grad(f, has_aux=True)({"w": Tensor([2.0]), "b": (Tensor(1.0),)}, Tensor([3.0]))
    assert (got["w"].tolist(), rest[0].tolist()) == ([3.0], [4.0])


def test_what_does_not_depend_has_zero_gradient() -> None:
    x = Tensor([1.0, 2.0])
    assert grad(lambda v: ops.stop_gradient(v) * 3)(x).tolist() == [0.0, 0.0]
    assert grad(lambda v: (v > 1).astype(np.float32))(x).tolist() == [0.0, 0.0]
    assert grad(lambda v, w: v, (0, 1))(x, x)[1].tolist() == [0.0, 0.0]


def test_results_that_are_tuples() -> None:
    assert grad(lambda x: (x * 2, x * 3))(Tensor([1.0])).tolist() == [5.0]


def test_what_is_refused() -> None:
    with pytest.raises(IndexError, match="argument 3"):
        grad(lambda x: x, 3)(Tensor([1.0]))
    with pytest.raises(TypeError, match="only floats and arrays of floats"):
        grad(lambda x: x)(Tensor([1]))
    with pytest.raises(TypeError, match="function gave str"):
        grad(lambda x: "text")(Tensor([1.0]))
    with pytest.raises(ValueError, match="nothing to differentiate"):
        grad(lambda x: x, None)
    with pytest.raises(RuntimeError, match=r"numpy\.roots has no derivative"):
        grad(lambda x: np.roots(x)[0])(Tensor([1.0, 2.0]))


def test_numpy_functions_are_followed() -> None:
    check(lambda x, y: np.sum(np.exp(x) * np.maximum(x, y), axis=0) + np.concatenate([x, y]).mean(), A, B)


def test_errors_leave_no_tape_behind() -> None:
    def fails(x: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        grad(fails)(Tensor([1.0]))
    from jitcore.runtime import tape

    assert not tape.recording()


def test_tensors_made_of_tensors_are_recorded() -> None:
    check(lambda x: Tensor([[x[0], x[1] * 2], [x[0], x[2]]]) * x[0], [1.5, -0.5, 2.0])
    check(lambda x: Tensor(x) * x, [1.5, -0.5])


@pytest.mark.parametrize(
    "make", [np.array, np.asarray, lambda x: np.array([x, x * 2]), lambda x: np.full(3, 0.0) + np.array(x)]
)
def test_a_gradient_that_would_end_in_an_ndarray_is_refused(make: Callable[[Any], Any]) -> None:
    with pytest.raises(RuntimeError, match="an ndarray made of a Tensor"):
        grad(lambda x: make(x).sum())(Tensor(2.0))
    assert np.asarray(Tensor(2.0)) == 2.0
    assert float(grad(lambda x: (x * x.asnumpy()).sum())(Tensor(2.0))) == 2.0


def test_what_is_written_into_an_ndarray_is_refused() -> None:
    def f(x: Any) -> Any:
        a = np.zeros(2)
        a[:] = x
        return a.sum() + x

    with pytest.raises(RuntimeError, match="an ndarray made of a Tensor"):
        grad(f)(Tensor(2.0))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_tensor_broadcast_is_written_to_alone(compiled: bool) -> None:
    def f(x: Tensor) -> tuple[Tensor, Tensor]:
        y = ops.broadcast_to(x, (3, 2))
        x[0] = 10.0
        y[0, 1] = 7.0
        return x, y

    x, y = (jit(f) if compiled else f)(Tensor(np.array([1.0, 2.0])))
    assert x.asnumpy().tolist() == [10.0, 2.0]
    assert y.asnumpy().tolist() == [[1.0, 7.0], [1.0, 2.0], [1.0, 2.0]]
