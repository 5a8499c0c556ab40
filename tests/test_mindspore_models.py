"""Small networks with what MindSpore's model collections have around theirs: both modes must train to the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
import mindspore.dataset as ds  # noqa: E402
from mindspore import Model, Parameter, ParameterTuple, Tensor, context, nn, ops  # noqa: E402
from mindspore._checkparam import Rel, Validator  # noqa: E402
from mindspore.common.initializer import (  # noqa: E402
    Initializer,
    Normal,
    _assignment,
    _calculate_correct_fan,
    _calculate_fan_in_and_fan_out,
    _calculate_gain,
    _register,
    initializer,
)
from mindspore.communication import management  # noqa: E402
from mindspore.nn.layer.conv import Conv2d  # noqa: E402
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer  # noqa: E402
from mindspore.nn.wrap.loss_scale import DynamicLossScaleUpdateCell  # noqa: E402
from mindspore.ops import composite as C  # noqa: E402
from mindspore.ops import functional as F  # noqa: E402
from mindspore.ops import operations as P  # noqa: E402
from mindspore.train.loss_scale_manager import FixedLossScaleManager  # noqa: E402


@pytest.fixture(autouse=True)
def _mode() -> Iterator[None]:
    yield
    context.set_context(mode=context.GRAPH_MODE)


def floats(*shape: int, seed: int = 0) -> Tensor:
    return Tensor(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def same_in_both_modes(program: Callable[[], Any]) -> Any:
    """What a program gives, a list of numbers and Tensors, in GRAPH_MODE; PYNATIVE_MODE must give the same."""
    found = []
    for mode in (context.PYNATIVE_MODE, context.GRAPH_MODE):
        context.set_context(mode=mode)
        ms.set_seed(3)
        found.append([v.asnumpy() if isinstance(v, Tensor) else v for v in program()])
    for line_by_line, compiled in zip(*found, strict=True):
        np.testing.assert_allclose(compiled, line_by_line, rtol=2e-4, atol=2e-5)
    return found[1]


# --- gradients of nested Cells ------------------------------------------------------------------------


class Branch(nn.Cell):
    """Containers within containers of the same class."""

    def __init__(self, depth: int) -> None:
        super().__init__()
        inner: list[nn.Cell] = [nn.Dense(3, 3, weight_init=Normal(0.5)), nn.BatchNorm1d(3), nn.Tanh()]
        self.body = nn.SequentialCell([*inner, Branch(depth - 1)] if depth else inner)

    def construct(self, x):
        return self.body(x) + x


class ForwardThenGradient(nn.Cell):
    """The loss by a call of its own, then the gradients, clipped, and a moving average of the weights."""

    def __init__(self, network, optimizer):
        super().__init__(auto_prefix=False)
        self.network = network
        self.optimizer = optimizer
        self.weights = ParameterTuple(network.get_parameters())
        self.average = self.weights.clone(prefix="average", init="same")
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.hyper_map = C.HyperMap()

    @C.add_flags(has_effect=True)
    def construct(self, x, y):
        loss = self.network(x, y)
        grads = self.grad(self.network, self.weights)(x, y, F.cast(F.tuple_to_array((2.0,)), loss.dtype))
        grads = self.hyper_map(F.partial(_clipped, 0, 1.5), grads)
        loss = F.depend(loss, self.optimizer(grads))
        self.hyper_map(F.partial(_averaged, Tensor(0.9)), self.average, self.weights)
        return loss


_clipped = C.MultitypeFuncGraph("clipped")
_averaged = C.MultitypeFuncGraph("averaged")


@_clipped.register("Number", "Number", "Tensor")
def _clip(kind, limit, gradient):
    if kind not in (0, 1):
        return gradient
    return nn.ClipByNorm()(gradient, F.cast(F.tuple_to_array((limit,)), F.dtype(gradient)))


@_averaged.register("Tensor", "Tensor", "Tensor")
def _average(rate, average, weight):
    return F.assign(average, average * rate + weight * (1 - rate))


def test_containers_within_containers_are_trained() -> None:
    def program():
        network = Branch(3)
        loss = nn.WithLossCell(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
        step = ForwardThenGradient(loss, nn.Momentum(loss.get_parameters(), 0.5, 0.9))
        step.set_train()
        losses = [step(floats(4, 3), Tensor([0, 1, 2, 1], ms.int32)) for _ in range(3)]
        return [*losses, step.average[0], network.body[1].moving_mean]

    losses = same_in_both_modes(program)[:3]
    assert losses[2] < losses[1] < losses[0]


def test_layers_made_where_they_are_used() -> None:
    class Net(nn.Cell):
        def construct(self, x):
            y = nn.ReLU6()(nn.Dropout(p=0.3)(x)) + nn.SequentialCell(nn.Tanh(), nn.Softmax(-1))(x)
            return nn.Flatten()(y) * nn.MSELoss()(x, y)

    context.set_context(jit_syntax_level=0)
    try:
        same_in_both_modes(lambda: [Net()(floats(2, 3))])
    finally:
        context.set_context(jit_syntax_level=2)


# --- overflow, scales, devices ------------------------------------------------------------------------

_overflowed = C.MultitypeFuncGraph("overflowed")
_scaled = C.MultitypeFuncGraph("scaled")
_status = P.FloatStatus()


@_overflowed.register("Tensor")
def _overflow(gradient):
    return _status(gradient)


@_scaled.register("Tensor", "Tensor")
def _scale(scale, gradient):
    return gradient * P.Reciprocal()(scale)


class ScaledStep(nn.Cell):
    def __init__(self, network, optimizer, manager):
        super().__init__(auto_prefix=False)
        self.network = network
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.grad_reducer = DistributedGradReducer(optimizer.parameters, True, management.get_group_size())
        self.all_reduce = P.AllReduce()
        self.hyper_map = C.HyperMap()
        self.manager = manager
        self.scale = Parameter(Tensor(manager.get_loss_scale(), ms.float32), name="scale")

    def construct(self, x):
        loss = self.network(x)
        grads = self.grad_reducer(self.grad(self.network, self.weights)(x, ops.ones_like(loss) * self.scale))
        grads = self.hyper_map(F.partial(_scaled, self.scale), grads)
        flags = P.AddN()(self.hyper_map(F.partial(_overflowed), grads))
        condition = self.manager(self.scale, P.LessEqual()(Tensor(1, ms.float32), self.all_reduce(flags.reshape(()))))
        if condition:  # noqa: SIM108
            done = False
        else:
            done = self.optimizer(grads)
        return F.depend(loss, done), condition


class Exponential(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 0.5], ms.float32), name="w")

    def construct(self, x):
        return P.ReduceSum()(ops.exp(self.w * x)) / F.tuple_to_array((2.0,))


def test_updates_that_overflow_are_left_out() -> None:
    def program():
        network = Exponential()
        manager = DynamicLossScaleUpdateCell(loss_scale_value=64.0, scale_factor=4, scale_window=2)
        step = ScaledStep(network, nn.SGD(network.trainable_params(), 1e-3), manager)
        given = []
        for x in (1.0, 50.0, 1.0, 1.0):
            loss, overflow = step(Tensor([x, x], ms.float32))
            given += [loss.shape, overflow, step.scale.asnumpy().copy(), network.w.asnumpy().copy()]
        return given

    given = same_in_both_modes(program)
    assert [bool(o) for o in given[1::4]] == [False, True, False, False]
    assert [float(s) for s in given[2::4]] == [64.0, 16.0, 16.0, 64.0]


@pytest.mark.parametrize("mode", [context.GRAPH_MODE, context.PYNATIVE_MODE])
def test_cotangents_are_given_as_one_number_or_in_the_shape_of_the_result(mode) -> None:
    context.set_context(mode=mode)
    grad = C.GradOperation(sens_param=True)
    x = floats(2, 3)
    for sens in (Tensor(2.0), Tensor([2.0])):
        given = grad(lambda x: ops.square(x).sum())(x, sens)
        np.testing.assert_allclose(given.asnumpy(), 4 * x.asnumpy(), rtol=1e-6)
    if mode == context.GRAPH_MODE:
        np.testing.assert_allclose(grad(ops.square)(x, Tensor(2.0)).asnumpy(), 4 * x.asnumpy(), rtol=1e-6)
    else:
        with pytest.raises(RuntimeError, match="should be broadcast to expected shape"):
            grad(ops.square)(x, Tensor(2.0))
    sens = Tensor([1.0, 2.0, 3.0])
    if mode == context.GRAPH_MODE:
        np.testing.assert_allclose(grad(ops.square)(x, sens).asnumpy(), 2 * x.asnumpy() * [1, 2, 3], rtol=1e-6)
    else:
        with pytest.raises(ValueError, match="The shape should be"):
            grad(ops.square)(x, sens)


def test_arguments_are_checked() -> None:
    assert Validator.check_float_range(0.5, 0.0, 1.0, Rel.INC_NEITHER, "beta1", "Mine") == 0.5
    assert Validator.check_value_type("axis", (1, 2), [int, tuple], "Mine") == (1, 2)
    with pytest.raises(ValueError, match=r"For 'Mine', the 'beta1' must be in range of \(0.0, 1.0\), but got 1.0"):
        Validator.check_float_range(1.0, 0.0, 1.0, Rel.INC_NEITHER, "beta1", "Mine")
    with pytest.raises(TypeError, match="must be int"):
        Validator.check_positive_int(True, "size", "Mine")


def test_one_device() -> None:
    management.init()
    assert (management.get_rank(), management.get_group_size()) == (0, 1)
    with pytest.raises(ValueError, match="no group"):
        management.get_rank("others")
    with pytest.raises(ValueError, match="degree is 1"):
        DistributedGradReducer((), True, 8)
    assert P.AllGather()(floats(2, 2)).shape == (2, 2)
    assert P.FloatStatus()(Tensor([1.0, float("inf")])).asnumpy().tolist() == [1.0]


# --- Models -------------------------------------------------------------------------------------------


class Mean(nn.Metric):
    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self.seen = []

    def update(self, *inputs):
        self.seen.append([i.asnumpy().mean() for i in inputs])

    def eval(self):
        return np.mean(self.seen, axis=0)


def test_a_model_with_scaled_losses_and_an_evaluation_of_its_own() -> None:
    class Evaluation(nn.Cell):
        def __init__(self, network):
            super().__init__()
            self.network = network

        def construct(self, x, y):
            predicted = self.network(x)
            return predicted, P.Sigmoid()(predicted), y

    def program():
        network = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 1))
        optimizer = nn.Momentum(network.trainable_params(), Tensor([0.1, 0.05]), 0.9, loss_scale=8.0)
        model = Model(
            network,
            nn.MSELoss(),
            optimizer,
            {"mean": Mean()},
            eval_network=Evaluation(network),
            loss_scale_manager=FixedLossScaleManager(8.0, drop_overflow_update=False),
        )
        rows = ds.NumpySlicesDataset({"x": floats(4, 3).asnumpy(), "y": floats(4, 1).asnumpy()}, shuffle=False).batch(2)
        model.train(2, rows, dataset_sink_mode=False)
        return [network[0].weight, model.eval(rows, dataset_sink_mode=False)["mean"]]

    assert len(same_in_both_modes(program)[1]) == 3


def test_initializers_of_networks() -> None:
    @_register("by_fan")
    class ByFan(Initializer):
        def __init__(self, mode="fan_in"):
            super().__init__(mode=mode)
            self.mode = mode

        def _initialize(self, arr):
            fan = _calculate_correct_fan(arr.shape, self.mode)
            _assignment(arr, np.full(arr.shape, _calculate_gain("relu") / fan))

    assert _calculate_fan_in_and_fan_out((4, 3, 2, 2)) == (12, 16)
    layer = Conv2d(3, 4, 2, weight_init="by_fan")
    np.testing.assert_allclose(layer.weight.asnumpy(), np.sqrt(2) / 12, rtol=1e-6)
    layer.weight.set_data(initializer(ByFan("fan_out"), layer.weight.shape, layer.weight.dtype))
    np.testing.assert_allclose(layer.weight.asnumpy(), np.sqrt(2) / 16, rtol=1e-6)
    assert initializer("zeros", [2]).to_tensor().init_data().shape == (2,)


# --- loops of known length over sequences -------------------------------------------------------------


class Recurrent(nn.Cell):
    """Layers whose weights are in tuples, over slices of one step."""

    def __init__(self, layers, steps):
        super().__init__()
        self.layers = layers
        self.steps = steps
        weights = [floats(3, 3, seed=k).asnumpy() for k in range(layers)]
        self.weights = ParameterTuple([Parameter(Tensor(w), name=f"weight_l{k}") for k, w in enumerate(weights)])

    def one(self, x, weight):
        outputs = []
        t = 0
        h = ops.zeros((x.shape[1], 3), x.dtype)
        while t < x.shape[0]:
            h = P.Tanh()(P.MatMul(False, True)(h + P.Squeeze(0)(x[t : t + 1 : 1]), weight))
            outputs.append(h)
            t += 1
        return P.Stack()(outputs), h

    def construct(self, x):
        last = ()
        given = x
        for k in range(self.layers):
            x, h = self.one(x, self.weights[k])
            last += (h,)
        total = 0
        for i in range(1, self.steps):
            total += P.Squeeze()(given[i - 1 : i : 1, ::, ::])[:, i % 3].mean()
        return total / self.steps + P.Concat(0)(last).mean()


def test_loops_over_slices_of_one_step() -> None:
    def program():
        network = Recurrent(3, 5)
        x = floats(5, 2, 3)
        gradients = C.GradOperation(get_by_list=True)(network, network.trainable_params())(x)
        return [network(x), *gradients]

    same_in_both_modes(program)


def test_arrays_of_ranges() -> None:
    class Net(nn.Cell):
        def construct(self, x):
            return F.tuple_to_array(range(x.shape[1])) + F.tuple_to_array(F.make_range(2, 2 + x.shape[1]))

    assert same_in_both_modes(lambda: [Net()(floats(2, 3))])[0].tolist() == [2, 4, 6]
