"""What whole MindSpore programs lean on: optimizers of their own, accumulated gradients, pyramids of features, sizes that Tensors give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, ParameterTuple, Tensor, boost, context, nn, ops  # noqa: E402
from mindspore.common.initializer import HeNormal, initializer  # noqa: E402
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register  # noqa: E402
from mindspore.ops import composite as C  # noqa: E402
from mindspore.ops import functional as F  # noqa: E402


@pytest.fixture(autouse=True)
def _strict() -> Iterator[None]:
    context.set_context(mode=context.GRAPH_MODE, jit_syntax_level=0)
    yield
    context.set_context(mode=context.GRAPH_MODE, jit_syntax_level=2)


def floats(*shape: int, seed: int = 0) -> Tensor:
    return Tensor(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def leaves(x: Any) -> list[Any]:
    if isinstance(x, tuple | list):
        return [leaf for item in x for leaf in leaves(item)]
    return [x.asnumpy() if isinstance(x, Tensor) else x]


def same_in_both_modes(program: Callable[[], Any]) -> list[Any]:
    """What a program gives, all of it compiled in GRAPH_MODE; PYNATIVE_MODE must give the same."""
    found = []
    for mode in (context.PYNATIVE_MODE, context.GRAPH_MODE):
        context.set_context(mode=mode)
        ms.set_seed(3)
        found.append(leaves(program()))
    for line_by_line, compiled in zip(*found, strict=True):
        if isinstance(compiled, np.ndarray):
            assert compiled.shape == line_by_line.shape
            np.testing.assert_allclose(compiled, line_by_line, rtol=2e-4, atol=2e-5)
        else:
            assert compiled == line_by_line
    return found[1]


def compiled_as_plain(function: Callable[..., Any], *args: Any) -> list[Any]:
    def program() -> Any:
        graph = context.get_context("mode") == context.GRAPH_MODE
        return (ms.jit(function) if graph else function)(*args)

    return same_in_both_modes(program)


# --- optimizers that programs derive --------------------------------------------------------------------

_sign_step = C.MultitypeFuncGraph("sign_step")


@_sign_step.register("Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Bool", "Bool")
def _step_of_one(beta, lr, weight_decay, param, mean, gradient, decays, mine):
    if not mine:
        return gradient
    direction = ops.sign(beta * mean + (1.0 - beta) * gradient)
    if decays:
        direction = direction + weight_decay * param
    moved = F.depend(param - lr * direction, F.assign(mean, beta * mean + (1.0 - beta) * gradient))
    return F.depend(moved, F.assign(param, moved))


class Signs(Optimizer):
    """Steps by the signs of running means."""

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.01, beta=0.9, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.beta = Tensor(beta, ms.float32)
        self.means = self._parameters.clone(prefix="signs", init="zeros")
        self.reciprocal_scale = Tensor(0.5, ms.float32)

    @ms.jit
    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        gradients = self.scale_grad(self.gradients_centralization(gradients))
        gradients = self._grad_sparse_indices_deduplicate(gradients)
        lr, decay = self.get_lr(), self.get_weight_decay()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        each = (self.parameters, self.means, gradients, self.decay_flags, self.optim_filter)
        if not self.is_group:
            return self.map_(F.partial(_sign_step, self.beta, lr, decay), *each)
        if not self.is_group_lr:
            return self.map_(F.partial(_sign_step, self.beta, lr), decay, *each)
        return self.map_(F.partial(_sign_step, self.beta), lr, decay, *each)

    @Optimizer.target.setter
    def target(self, value):
        self._set_base_target(value)


def groups_of_weights(network: nn.Cell, **of_matrices: Any) -> list[dict[str, Any]]:
    weights = network.trainable_params()
    return [
        {"params": [p for p in weights if p.ndim > 1], **of_matrices},
        {"params": [p for p in weights if p.ndim <= 1], "weight_decay": 0.0},
        {"order_params": weights},
    ]


@pytest.mark.parametrize("of_matrices", [None, {"weight_decay": 0.3}, {"lr": 0.2}, {"lr": [0.1, 0.2, 0.4]}])
def test_derived_optimizers(of_matrices: dict[str, Any] | None) -> None:
    def program():
        network = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dense(4, 2))
        weights = network.trainable_params() if of_matrices is None else groups_of_weights(network, **of_matrices)
        optimizer = Signs(weights, [0.1, 0.05, 0.025], weight_decay=0.1)
        optimizer.target = "CPU"
        step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), optimizer)
        step.set_train()
        losses = [step(floats(5, 3), floats(5, 2, seed=1)) for _ in range(3)]
        return losses, list(network.trainable_params()), optimizer.global_step

    assert same_in_both_modes(program)[-1].tolist() == [3]


def test_optimizers_tell_their_learning_rate() -> None:
    network = nn.Dense(2, 1)
    listed = nn.Momentum(network.trainable_params(), [0.5, 0.25], 0.9)
    assert listed.dynamic_lr
    assert listed.get_lr().shape == ()
    assert [float(listed.learning_rate(Tensor([k], ms.int32))[0]) for k in (0, 1, 5)] == [0.5, 0.25, 0.25]
    steady = nn.Adam(network.trainable_params(), 0.5)
    assert (float(steady.get_lr()), float(steady.learning_rate), steady.global_step.shape) == (0.5, 0.5, (1,))
    grouped = nn.SGD(groups_of_weights(network, lr=0.25), 0.5)
    assert [float(rate) for rate in grouped.get_lr()] == [0.25, 0.5]
    assert [float(rate) for rate in grouped.learning_rate] == [0.25, 0.5]
    assert grouped.decay_flags == (False, False)
    lars = nn.LARS(listed)
    assert lars.learning_rate is listed.learning_rate


def test_adams_step_is_open_to_derived_optimizers() -> None:
    class Own(nn.Adam):
        def construct(self, gradients):
            self.beta1_power *= self.beta1
            self.beta2_power *= self.beta2
            powers = self.beta1_power, self.beta2_power
            return self._apply_adam(
                self._parameters, *powers, self.moment1, self.moment2, self.get_lr(), self.decay_weight(gradients)
            )

    def program():
        ends = []
        for cls in (Own, nn.Adam):
            weight = Parameter(floats(2, 3), name="weight")
            optimizer = cls([weight], 0.1, weight_decay=0.01)
            for k in range(3):
                optimizer((floats(2, 3, seed=k),))
            ends.append(weight)
        return ends

    own, theirs = same_in_both_modes(program)
    np.testing.assert_allclose(own, theirs, rtol=1e-6)


def test_gradients_are_accumulated() -> None:
    class Step(nn.TrainOneStepCell):
        def __init__(self, network, optimizer):
            super().__init__(network, optimizer)
            self.accumulation = boost.GradientAccumulation(2, optimizer)

        def construct(self, *inputs):
            loss = self.network(*inputs)
            return self.accumulation(
                loss, self.grad(self.network, self.weights)(*inputs, self.sens * ops.ones_like(loss))
            )

    def program():
        network = nn.Dense(2, 1)
        optimizer = nn.SGD(network.trainable_params(), 0.1)
        step = Step(nn.WithLossCell(network, nn.MSELoss()), optimizer)
        seen = []
        for _ in range(5):
            step(floats(3, 2), floats(3, 1))
            seen.append(network.weight.asnumpy().copy())
        return seen, optimizer.global_step

    *seen, steps = same_in_both_modes(program)
    assert [bool((a == b).all()) for a, b in zip(seen, seen[1:], strict=False)] == [False, True, False, True]
    assert steps.tolist() == [2]


def test_operators_take_parameter_tuples() -> None:
    class Kept(nn.Cell):
        def __init__(self):
            super().__init__()
            self.kept = ParameterTuple([Parameter(floats(2, seed=k), name=f"kept{k}") for k in range(2)])

        def construct(self, x):
            clipped = ops.clip_by_global_norm(self.kept, 0.5)
            ops.assign(self.kept[0], x)
            return clipped, ops.stack(self.kept), ops.AddN()(self.kept)

    clipped = same_in_both_modes(lambda: Kept()(floats(2, seed=3)))[:2]
    np.testing.assert_allclose(np.linalg.norm(np.concatenate(clipped)), 0.5, rtol=1e-5)


def test_numbers_are_written_into_parameters() -> None:
    class Count(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor(0, ms.int32), name="count")

        def construct(self, x):
            self.count += 1
            if self.count >= 3:
                self.count = 0
            return x + self.count

    net = Count()
    held = net.count
    assert [int(net(Tensor(10, ms.int32))) for _ in range(4)] == [11, 12, 10, 11]
    assert net.count is held


# --- structure --------------------------------------------------------------------------------------------


def test_names_follow_the_place_in_the_network() -> None:
    class Branches(nn.Cell):
        def __init__(self):
            super().__init__()
            self.left, self.right = nn.CellList(), nn.CellList()
            for branch in (self.left, self.right):
                branch.append(nn.Dense(2, 2, has_bias=False))
            self.scale = Parameter(Tensor([1.0]), name="factor")

    class Whole(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Branches()

    names = ["inner.scale", "inner.left.0.weight", "inner.right.0.weight"]
    assert [p.name for p in ParameterTuple(Whole().get_parameters())] == names


def test_pyramids_of_features_are_resized() -> None:
    class Pyramid(nn.Cell):
        def __init__(self):
            super().__init__()
            self.down = nn.CellList([nn.Conv2d(2, 2, 3, stride=2, pad_mode="same") for _ in range(3)])
            self.side = nn.CellList([nn.Conv2d(2, 2, 1) for _ in range(3)])

        def like(self, x, shape):
            return ops.ResizeNearestNeighbor(shape)(x)

        def construct(self, x):
            levels = []
            for down in self.down:
                x = down(x)
                levels.append(x)
            for i, side in enumerate(self.side):
                levels[i] = side(levels[i])
            for i in range(1, -1, -1):
                levels[i] = self.like(levels[i + 1], shape=levels[i].shape[2:]) + levels[i]
            return ops.concat(tuple(self.like(level, shape=levels[0].shape[2:]) for level in levels[::-1]), axis=1)

    def program():
        net = Pyramid()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
        return [step(floats(1, 2, 16, 16), floats(1, 6, 8, 8)) for _ in range(2)]

    same_in_both_modes(program)


def _as_deep_as(x, y):
    while len(x.shape) < len(y.shape):
        x = ops.expand_dims(x, -1)
    return x * y


def _of_all_sizes(x):
    sizes = ()
    n = 1
    while True:
        sizes += (ops.tile(x, (n,)),)
        n += 1
        if n > 3:
            break
    return sizes


def _added_axes(x, n):
    while n > 0:
        x = x[None]
        n -= 1
    return x


def _summed(x):
    while x.ndim > 0:
        x = x.sum(-1)
    return x


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (_as_deep_as, (floats(2), floats(2, 3, 4))),
        (_of_all_sizes, (floats(2),)),
        (_added_axes, (floats(2), 3)),
        (_summed, (floats(2, 3, 2),)),
    ],
)
def test_while_changes_the_number_of_axes(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compiled_as_plain(function, *args)


def test_a_while_that_changes_axes_is_differentiated() -> None:
    compiled_as_plain(ms.grad(lambda x, y: (_as_deep_as(x, y) ** 2).sum(), (0, 1)), floats(2), floats(2, 3, 4))


def test_a_flag_decides_what_there_is() -> None:
    class Layers(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([nn.Dense(2, 2) for _ in range(2)])

        def construct(self, x, past=None, keep=False, scaled=True):
            kept = () if keep else None
            for i, layer in enumerate(self.layers):
                x = layer(x)
                if past is not None:
                    x = x + past[i]
                if keep:
                    kept += (x,)
            if scaled:
                x = x * 2.0
            return (x, kept) if keep else (x,)

    def program():
        net = Layers()
        first, kept = net(floats(1, 2), keep=True)
        return first, kept, net(floats(1, 2)), net(floats(1, 2), kept, True, scaled=False)

    assert len(same_in_both_modes(program)) == 7


# --- sizes and steps that Tensors give ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[0 : -1 : Tensor(2)],
        lambda x: x[:: Tensor(x.shape[0] // 4, ms.int32)],
        lambda x: ops.split(x, Tensor(4)),
        lambda x: ops.reshape(x, (Tensor(2), -1)),
        lambda x: ops.split(x, axis=0, output_num=4),
    ],
)
def test_tensors_made_of_constants_are_sizes(function: Callable[..., Any]) -> None:
    compiled_as_plain(function, floats(8))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, n: ops.reshape(x, (n, -1)),
        lambda x, n: ops.tile(x, (n,)),
        lambda x, n: ops.broadcast_to(x, (n, 8)).sum(0),
    ],
)
def test_tensors_are_extents_at_run_time(function: Callable[..., Any]) -> None:
    for n in (2, 4):
        compiled_as_plain(function, floats(8), Tensor(n))
    with pytest.raises(TypeError):
        ms.jit(function)(floats(8), Tensor(2.0))


# --- transformations --------------------------------------------------------------------------------------


def test_vmap_takes_one_tensor_twice() -> None:
    x = floats(3, 3)
    inner = ops.vmap(lambda a, b: a.sum() * b, (None, 0))
    (rows,) = compiled_as_plain(ops.vmap(inner, (0, None)), x, x)
    np.testing.assert_allclose(rows, x.asnumpy().sum(1)[:, None, None] * x.asnumpy(), rtol=1e-5)
    (columns,) = compiled_as_plain(ops.vmap(lambda a, b: a - b, (0, 1)), x, x)
    np.testing.assert_allclose(columns, x.asnumpy() - x.asnumpy().T)


def test_initializers_ask_for_their_numbers_when_they_are_used() -> None:
    weight = Parameter(floats(4, 4), name="weight")
    HeNormal(weight)  # of a Parameter by mistake, never used
    with pytest.raises(ValueError, match="nonlinearity"):
        initializer(HeNormal(nonlinearity="steps"), (4, 4)).init_data()


def test_derived_metrics_begin_when_they_say_so() -> None:
    class Recall(nn.Metric):
        def __init__(self, classes):
            super().__init__()
            self.classes = classes
            self.clear()

        def clear(self):
            self.right = np.zeros(self.classes)
            self.all = np.zeros(self.classes)

        @nn.rearrange_inputs
        def update(self, *inputs):
            found, wanted = (self._convert_data(x) for x in inputs)
            if self._check_onehot_data(wanted):
                wanted = wanted.argmax(1)
            for k in range(self.classes):
                self.all[k] += (wanted == k).sum()
                self.right[k] += (found.argmax(1)[wanted == k] == k).sum()

        def eval(self):
            return (self.right / np.maximum(self.all, 1)).tolist()

    metric = Recall(2)
    metric.update(Tensor([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), Tensor([0, 1, 1]))
    metric.update(Tensor([[0.9, 0.1]]), Tensor([[1, 0]]))
    assert metric.eval() == [1.0, 0.5]
    assert metric.set_indexes([1, 0])(Tensor([0]), Tensor([[0.9, 0.1]]))[0] == 1.0
    with pytest.raises(TypeError):
        metric._convert_data(3)
