"""`paddle.fluid`, as version 1.8 has it: its two modes, its functions, Layers, optimizers and files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.fluid as fluid
import pytest
from paddle.fluid.dygraph import to_variable

from jitcore.compat.paddle.fluid import declaring
from jitcore.compat.paddle.static import modes

layers = fluid.layers
RNG = np.random.RandomState(0)


@pytest.fixture(autouse=True)
def _programs() -> Iterator[None]:
    """Programs, names and values of a test's own; no mode is chosen, as when fluid is imported."""
    chosen = modes._mode.chosen
    modes._mode.chosen = None
    with fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        main, startup = fluid.Program(), fluid.Program()
        from jitcore.compat.paddle.static import programs

        before = programs._current.main, programs._current.startup
        programs._current.main, programs._current.startup = main, startup
        yield
        programs._current.main, programs._current.startup = before
    modes._mode.chosen = chosen


def run(*fetches: Any, **feed: Any) -> list[Any]:
    return fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=list(fetches))


# --- modes ------------------------------------------------------------------------------------------------


def test_fluid_is_static_until_it_is_told_otherwise() -> None:
    made = layers.fill_constant([2], "float32", 3.0)
    assert not fluid.in_dygraph_mode()
    assert isinstance(made, paddle.static.Variable)
    np.testing.assert_array_equal(run(made)[0], [3.0, 3.0])
    with fluid.dygraph.guard():
        assert fluid.in_dygraph_mode()
        assert fluid.dygraph.enabled()
        np.testing.assert_array_equal(layers.fill_constant([2], "float32", 3.0).numpy(), [3.0, 3.0])
    assert not fluid.dygraph.enabled()
    fluid.enable_dygraph()
    assert fluid.dygraph.enabled()
    fluid.disable_dygraph()
    assert not fluid.dygraph.enabled()


def test_paddle_itself_is_dynamic() -> None:
    assert paddle.in_dynamic_mode()
    assert paddle.full([1], 2.0).item() == 2.0


def test_data_of_layers_has_an_axis_of_rows() -> None:
    assert layers.data("a", [3]).shape == (-1, 3)
    assert layers.data("b", [-1, 3]).shape == (-1, 3)
    assert layers.data("c", [4, 3], append_batch_size=False).shape == (4, 3)
    assert fluid.data("d", [None, 3], "int64").shape == (-1, 3)
    assert fluid.data("e", [2]).dtype == fluid.core.VarDesc.VarType.FP32
    (found,) = run(layers.data("f", [2]) * 2.0, f=np.ones((3, 2)))  # of another dtype: converted
    assert found.dtype == np.float32
    with pytest.raises(ValueError, match="must be 'float32'"):
        run(fluid.data("g", [None]) * 2.0, g=np.ones(3))


def test_layers_with_parameters_belong_to_static_mode() -> None:
    with fluid.dygraph.guard(), pytest.raises(RuntimeError, match=r"use fluid\.dygraph\.Linear"):
        layers.fc(to_variable(np.ones((2, 3), np.float32)), 4)


# --- functions: in both modes the same, against NumPy --------------------------------------------------------

A = RNG.standard_normal((2, 3, 4)).astype(np.float32)
B = RNG.standard_normal((3,)).astype(np.float32)
M = RNG.standard_normal((4, 5)).astype(np.float32)
P = np.exp(A) / np.exp(A).sum(-1, keepdims=True)
ROWS = P.reshape(6, 4)
LABELS = np.array([[0], [3], [1], [2], [1], [0]])
CASES: list[tuple[str, Any, Any]] = [
    ("reduce_sum", lambda a: layers.reduce_sum(a), A.sum().reshape(1)),
    ("reduce_mean of axes", lambda a: layers.reduce_mean(a, dim=[0, 2]), A.mean((0, 2))),
    ("reduce_max", lambda a: layers.reduce_max(a, dim=1, keep_dim=True), A.max(1, keepdims=True)),
    ("reduce_min", lambda a: layers.reduce_min(a, -1), A.min(-1)),
    ("reduce_prod", lambda a: layers.reduce_prod(a, 0), A.prod(0)),
    ("mean", lambda a: layers.mean(a), A.mean().reshape(1)),
    ("an axis to align", lambda a: layers.elementwise_add(a, layers.assign(B), axis=1), A + B[:, None]),
    ("with an activation", lambda a: layers.elementwise_mul(a, a, act="tanh"), np.tanh(A * A)),
    ("sub", lambda a: layers.elementwise_sub(a, a * 2.0), -A),
    ("pow", lambda a: layers.elementwise_pow(layers.abs(a), a), np.abs(A) ** A),
    ("scale", lambda a: layers.scale(a, 2.0, 1.0, bias_after_scale=False), (A + 1) * 2),
    ("mul", lambda a: layers.mul(layers.reshape(a, [6, 4]), layers.assign(M)), A.reshape(6, 4) @ M),
    ("mul of axes", lambda a: layers.mul(a, layers.assign(M), x_num_col_dims=2), A @ M),
    ("matmul", lambda a: layers.matmul(a, a, transpose_y=True, alpha=0.5), A @ A.transpose(0, 2, 1) * 0.5),
    ("reshape", lambda a: layers.reshape(a, [0, -1], act="relu"), np.maximum(A.reshape(2, 12), 0)),
    ("transpose", lambda a: layers.transpose(a, [2, 0, 1]), A.transpose(2, 0, 1)),
    ("flatten", lambda a: layers.flatten(a, axis=2), A.reshape(6, 4)),
    ("flatten to a row", lambda a: layers.flatten(a, axis=0), A.reshape(1, 24)),
    ("expand", lambda a: layers.expand(a, [1, 2, 1]), np.tile(A, (1, 2, 1))),
    ("split", lambda a: layers.split(a, 2, dim=2)[1], A[:, :, 2:]),
    ("slice", lambda a: layers.slice(a, axes=[1], starts=[1], ends=[3]), A[:, 1:3]),
    ("stack", lambda a: layers.stack([a, a], axis=1), np.stack([A, A], 1)),
    ("concat", lambda a: layers.concat([a, a], axis=-1), np.concatenate([A, A], -1)),
    ("unsqueeze", lambda a: layers.unsqueeze(a, [1]), A[:, None]),
    ("squeeze", lambda a: layers.squeeze(layers.unsqueeze(a, [1]), axes=[]), A),
    ("gather", lambda a: layers.gather(a, layers.assign(np.array([1, 0, 1]))), A[[1, 0, 1]]),
    ("pad", lambda a: layers.pad(a, [0, 0, 1, 0, 0, 2], 9.0), np.pad(A, ((0, 0), (1, 0), (0, 2)), constant_values=9.0)),
    ("reverse", lambda a: layers.reverse(a, 1), A[:, ::-1]),
    ("cumsum", lambda a: layers.cumsum(a, 2, reverse=True), A[:, :, ::-1].cumsum(2)[:, :, ::-1]),
    ("cumsum without itself", lambda a: layers.cumsum(a, 1, exclusive=True), A.cumsum(1) - A),
    ("l2_normalize", lambda a: layers.l2_normalize(a, 1), A / np.sqrt((A * A).sum(1, keepdims=True))),
    ("clip", lambda a: layers.clip(a, -0.5, 0.5), A.clip(-0.5, 0.5)),
    ("clip_by_norm", lambda a: layers.clip_by_norm(a, 1.0), A / np.sqrt((A * A).sum())),
    ("softmax", lambda a: layers.softmax(a), P),
    ("leaky_relu", lambda a: layers.leaky_relu(a), np.where(A > 0, A, 0.02 * A)),
    ("hard_sigmoid", lambda a: layers.hard_sigmoid(a), (0.2 * A + 0.5).clip(0, 1)),
    ("swish", lambda a: layers.swish(a, 2.0), A / (1 + np.exp(-2 * A))),
    ("argmax", lambda a: layers.argmax(a, axis=1), A.argmax(1)),
    ("topk", lambda a: layers.topk(a, 2)[0], -np.sort(-A)[..., :2]),
    ("argsort", lambda a: layers.argsort(a, axis=1)[1], A.argsort(1)),
    ("sum", lambda a: layers.sum([a, a, a]), 3 * A),
    ("cast", lambda a: layers.cast(a * 3.0, "int64"), (A * 3).astype(np.int64)),
    ("ones_like", lambda a: layers.ones_like(a), np.ones_like(A)),
    ("range", lambda a: layers.range(1, 7, 2, "int64"), np.array([1, 3, 5])),
    ("linspace", lambda a: layers.linspace(0.0, 1.0, 5, "float32"), np.linspace(0, 1, 5, dtype=np.float32)),
    ("shape", lambda a: layers.shape(a), np.array([2, 3, 4], np.int32)),
    ("one_hot", lambda a: layers.one_hot(layers.assign(LABELS), 4), np.eye(4, dtype=np.float32)[LABELS[:, 0]]),
    ("cross_entropy", lambda a: layers.cross_entropy(layers.assign(ROWS), layers.assign(LABELS)),
     -np.log(np.take_along_axis(ROWS, LABELS, 1))),
    ("cross_entropy, one ignored", lambda a: layers.cross_entropy(layers.assign(ROWS), layers.assign(LABELS), False, 3),
     -np.log(np.take_along_axis(ROWS, LABELS, 1)) * (LABELS != 3)),
    ("soft labels", lambda a: layers.cross_entropy(layers.assign(ROWS), layers.assign(ROWS), soft_label=True),
     -(ROWS * np.log(ROWS)).sum(1, keepdims=True)),
    ("softmax_with_cross_entropy",
     lambda a: layers.softmax_with_cross_entropy(layers.reshape(a, [6, 4]), layers.assign(LABELS)),
     -np.log(np.take_along_axis(ROWS, LABELS, 1))),
    ("square_error_cost", lambda a: layers.square_error_cost(a, a * 0.5), A * A / 4),
    ("mse_loss", lambda a: layers.mse_loss(a, a * 0.5), (A * A / 4).mean().reshape(1)),
    ("sigmoid_cross_entropy_with_logits", lambda a: layers.sigmoid_cross_entropy_with_logits(a, layers.ones_like(a)),
     np.log1p(np.exp(-A))),
    ("huber_loss", lambda a: layers.huber_loss(a, layers.zeros_like(a), 0.5),
     np.where(np.abs(A) <= 0.5, A * A / 2, 0.5 * (np.abs(A) - 0.25))),
    ("smooth_l1", lambda a: layers.smooth_l1(a, layers.zeros_like(a)),
     np.where(np.abs(A) < 1, A * A / 2, np.abs(A) - 0.5).reshape(2, -1).sum(1, keepdims=True)),
    ("label_smooth", lambda a: layers.label_smooth(a, epsilon=0.2), A * 0.8 + 0.05),
    ("accuracy", lambda a: layers.accuracy(layers.assign(ROWS), layers.assign(LABELS)),
     np.mean(ROWS.argmax(1) == LABELS[:, 0], keepdims=True, dtype=np.float32)),
    ("pool2d", lambda a: layers.pool2d(layers.unsqueeze(a, [1]), 2, "avg", 1),
     (A[:, None, :-1, :-1] + A[:, None, 1:, :-1] + A[:, None, :-1, 1:] + A[:, None, 1:, 1:]) / 4),
    ("global pooling", lambda a: layers.pool2d(layers.unsqueeze(a, [1]), global_pooling=True),
     A.max((1, 2)).reshape(2, 1, 1, 1)),
    ("resize_nearest", lambda a: layers.resize_nearest(layers.unsqueeze(a, [1]), [6, 8], align_corners=False),
     A[:, None].repeat(2, 2).repeat(2, 3)),
    ("dropout, not trained", lambda a: layers.dropout(a, 0.25, is_test=True), A * 0.75),
]  # fmt: skip


@pytest.mark.parametrize(("make", "wanted"), [pytest.param(m, w, id=name) for name, m, w in CASES])
def test_functions_of_layers(make: Any, wanted: Any) -> None:
    with fluid.dygraph.guard():
        given = to_variable(A)
        dynamic = make(given)
        assert isinstance(dynamic, fluid.Variable)
    np.testing.assert_allclose(dynamic.numpy(), wanted, rtol=2e-5, atol=1e-6)
    assert dynamic.numpy().dtype == wanted.dtype
    static = make(fluid.data("a", [None, 3, 4]))
    assert len(static.shape) == wanted.ndim
    assert all(n in (-1, m) for n, m in zip(static.shape, wanted.shape, strict=True))
    np.testing.assert_allclose(run(static, a=A)[0], wanted, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("case", [case for case in CASES if case[0] in ("mul", "cross_entropy", "smooth_l1", "mean")])
def test_functions_of_layers_in_compiled_code(case: Any) -> None:
    with fluid.dygraph.guard():
        made = fluid.dygraph.declarative(case[1])(to_variable(A))
    np.testing.assert_allclose(made.numpy(), case[2], rtol=2e-5, atol=1e-6)


def test_every_function_says_what_it_is() -> None:
    for name in dir(layers):
        assert getattr(layers, name).__doc__, name
    with pytest.raises(NotImplementedError, match="not in jitcore"):
        layers.dynamic_lstm(None, 3)


# --- dynamic mode -------------------------------------------------------------------------------------------


def test_variables_have_gradients_as_arrays() -> None:
    with fluid.dygraph.guard():
        y = to_variable(np.array([1.0, 2.0], np.float32))
        y.stop_gradient = False
        assert y.shape == [2]
        z = layers.elementwise_mul(y, y)
        x = z * 10.0
        x.backward()
        np.testing.assert_array_equal(y.gradient(), [20.0, 40.0])
        np.testing.assert_array_equal(z.gradient(), [10.0, 10.0])
        y.clear_gradient()
        assert y.gradient() is None


def test_one_element_is_a_number_whatever_its_axes() -> None:
    with fluid.dygraph.guard():
        loss = layers.mean(to_variable(A))
        assert loss.shape == [1]
        assert float(loss.numpy()) == pytest.approx(A.mean(), rel=1e-5)
        assert str(loss.numpy()) == str(np.array([A.mean()]))
        assert repr(loss.numpy()).startswith("array([")
        assert f"{loss.numpy()}"[0] == "["


LAYERS: list[tuple[str, Any, Any, list[tuple[str, list[int]]]]] = [
    ("Linear", lambda: fluid.dygraph.Linear(4, 5, act="relu"), A, [("linear_0.w_0", [4, 5]), ("linear_0.b_0", [5])]),
    ("FC", lambda: fluid.dygraph.FC("fc", 5), A, [("fc_0.w_0", [12, 5]), ("fc_0.b_0", [5])]),
    ("Conv2D", lambda: fluid.dygraph.Conv2D(1, 3, 2, padding=1), A[:, None],
     [("conv2d_0.w_0", [3, 1, 2, 2]), ("conv2d_0.b_0", [3])]),
    ("Conv2DTranspose", lambda: fluid.dygraph.Conv2DTranspose(1, 2, 3, bias_attr=False), A[:, None],
     [("conv2d_transpose_0.w_0", [1, 2, 3, 3])]),
    ("BatchNorm", lambda: fluid.dygraph.BatchNorm(3), A[..., None],
     [("batch_norm_0.w_0", [3]), ("batch_norm_0.b_0", [3])]),
    ("LayerNorm", lambda: fluid.dygraph.LayerNorm([3, 4]), A, [("layer_norm_0.w_0", [12]), ("layer_norm_0.b_0", [12])]),
    ("GroupNorm", lambda: fluid.dygraph.GroupNorm(3, 1), A[..., None],
     [("group_norm_0.w_0", [3]), ("group_norm_0.b_0", [3])]),
    ("PRelu", lambda: fluid.dygraph.PRelu("all"), A, [("p_relu_0.w_0", [1])]),
    ("Embedding", lambda: fluid.dygraph.Embedding([4, 2]), LABELS, [("embedding_0.w_0", [4, 2])]),
    ("Pool2D", lambda: fluid.dygraph.Pool2D(2, "max", 2), A[:, None], []),
]  # fmt: skip


@pytest.mark.parametrize(("make", "given", "named"), [pytest.param(*rest, id=name) for name, *rest in LAYERS])
def test_layers_are_the_same_in_both_modes(make: Any, given: Any, named: Any) -> None:
    made = []
    for static in (False, True):
        paddle.seed(7)
        with fluid.unique_name.guard():
            if static:
                layer = make()
                out = layer(fluid.data("x", [None, *given.shape[1:]], str(given.dtype)))
                fluid.Executor().run(fluid.default_startup_program()) if named else None
                made.append(run(out, x=given)[0])
            else:
                with fluid.dygraph.guard():
                    layer = make()
                    made.append(layer(to_variable(given)).numpy())
        assert [(p.name, list(p.shape)) for p in layer.parameters()] == named
    np.testing.assert_allclose(made[0], made[1], rtol=1e-5, atol=1e-6)


def test_dropout_scales_where_nothing_is_trained() -> None:
    with fluid.dygraph.guard():
        layer, given = fluid.dygraph.Dropout(0.5), to_variable(np.ones((40, 40), np.float32))
        assert set(np.unique(layer(given).numpy())) == {0.0, 1.0}
        layer.eval()
        assert set(np.unique(layer(given).numpy())) == {0.5}
    x = layers.data("x", [40])
    out = layers.dropout(x, 0.5)
    test = fluid.default_main_program().clone(for_test=True)
    ones = np.ones((40, 40), np.float32)
    assert set(np.unique(run(out, x=ones)[0])) == {0.0, 1.0}
    assert set(np.unique(fluid.Executor().run(test, {"x": ones}, [out])[0])) == {0.5}


OPTIMIZERS: list[Any] = [
    lambda **k: fluid.optimizer.SGD(0.1, regularization=fluid.regularizer.L1Decay(0.01), **k),
    lambda **k: fluid.optimizer.MomentumOptimizer(0.1, 0.9, **k),
    lambda **k: fluid.optimizer.AdamOptimizer(
        layers.exponential_decay(0.1, 2, 0.5), grad_clip=fluid.clip.GradientClipByGlobalNorm(0.5), **k
    ),
    lambda **k: fluid.optimizer.RMSProp(0.01, **k),
    lambda **k: fluid.optimizer.Adagrad(0.1, **k),
    lambda **k: fluid.optimizer.Adadelta(0.1, **k),
    lambda **k: fluid.optimizer.Adamax(0.1, **k),
    lambda **k: fluid.optimizer.LambOptimizer(0.1, **k),
]


@pytest.mark.parametrize("make", OPTIMIZERS)
def test_optimizers_do_the_same_in_both_modes(make: Any) -> None:
    given, wanted = A.reshape(6, 4), B.repeat(2)[:, None]
    paddle.seed(1)
    net = fluid.dygraph.Linear(4, 1)
    x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
    loss = layers.mse_loss(net(x), y)
    optimizer = make()
    optimizer.minimize(loss)
    fluid.Executor().run(fluid.default_startup_program())
    static = [run(loss, x=given, y=wanted)[0].item() for _ in range(5)]
    rates = [optimizer.current_step_lr()]
    with fluid.dygraph.guard():
        paddle.seed(1)
        net = fluid.dygraph.Linear(4, 1)
        optimizer = make(parameter_list=net.parameters())
        dynamic = []
        for _ in range(5):
            loss = layers.mse_loss(net(to_variable(given)), to_variable(wanted))
            loss.backward()
            optimizer.minimize(loss)
            net.clear_gradients()
            dynamic.append(loss.numpy().item())
    np.testing.assert_allclose(static, dynamic, rtol=1e-5)
    assert rates == [optimizer.current_step_lr()]
    assert dynamic[-1] < dynamic[0]


def test_an_optimizer_of_dynamic_mode_needs_parameters() -> None:
    with fluid.dygraph.guard():
        loss = layers.mean(fluid.dygraph.Linear(4, 1)(to_variable(A)))
        loss.backward()
        with pytest.raises(AttributeError, match="parameter_list"):
            fluid.optimizer.SGD(0.1).minimize(loss)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda d: d.PiecewiseDecay([2, 4], [1.0, 0.5, 0.1], begin=0), [1.0, 1.0, 0.5, 0.5, 0.1]),
        (lambda d: d.ExponentialDecay(1.0, 2, 0.25), [1.0, 0.5, 0.25, 0.125, 0.0625]),
        (lambda d: d.ExponentialDecay(1.0, 2, 0.25, staircase=True), [1.0, 1.0, 0.25, 0.25, 0.0625]),
        (lambda d: d.InverseTimeDecay(1.0, 1, 1.0), [1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5]),
        (lambda d: d.PolynomialDecay(1.0, 4, 0.0), [1.0, 0.75, 0.5, 0.25, 0.0]),
        (lambda d: d.CosineDecay(1.0, 1, 2), [1.0, 0.5, 0.0, 0.5, 1.0]),
        (lambda d: d.NoamDecay(4, 2), [0.5 * 2**-1.5, 0.5 * 2**-0.5, 0.5 * 3**-0.5, 0.25, 0.5 * 5**-0.5]),
        (lambda d: d.LinearLrWarmup(1.0, 4, 0.0, 0.8), [0.2, 0.4, 0.6, 1.0, 1.0]),
    ],
)
def test_decays(make: Any, wanted: list[float]) -> None:
    with fluid.dygraph.guard():
        net = fluid.dygraph.Linear(4, 1)
        rate = make(fluid.dygraph)
        sgd = fluid.optimizer.SGDOptimizer(rate, parameter_list=net.parameters())
        found = []
        for _ in range(5):
            found.append(sgd.current_step_lr())
            loss = layers.mean(net(to_variable(A)))
            loss.backward()
            sgd.minimize(loss)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


def test_states_are_saved_and_loaded(tmp_path: Path) -> None:
    path = str(tmp_path / "model")
    with fluid.dygraph.guard():
        net = fluid.dygraph.Linear(4, 1)
        adam = fluid.optimizer.Adam(fluid.dygraph.NoamDecay(4, 2), parameter_list=net.parameters())
        assert set(adam.state_dict()) == {"global_step"}

        def step() -> float:
            loss = layers.mean(layers.square(net(to_variable(A))))
            loss.backward()
            adam.minimize(loss)
            net.clear_gradients()
            return float(loss.numpy())

        step()
        fluid.save_dygraph(net.state_dict(), path)
        fluid.save_dygraph(adam.state_dict(), path)
        assert sorted(f.name for f in tmp_path.iterdir()) == ["model.pdopt", "model.pdparams"]
        further = [step(), step()]
        parameters, state = fluid.load_dygraph(path)
        assert state["global_step"] == 2
        net.set_dict(parameters)
        adam.set_dict(state)
        assert [step(), step()] == further
        with pytest.raises(RuntimeError, match="neither"):
            fluid.load_dygraph(path + "_none")


# --- static mode --------------------------------------------------------------------------------------------


def test_a_network_of_layers_is_trained_and_kept(tmp_path: Path) -> None:
    image, label = layers.data("image", [1, 8, 8]), layers.data("label", [1], dtype="int64")
    hidden = layers.pool2d(layers.conv2d(image, 4, 3, act="relu"), 2, pool_stride=2)
    out = layers.fc(layers.batch_norm(hidden), 3, act="softmax")
    loss = layers.mean(layers.cross_entropy(out, label))
    test = fluid.default_main_program().clone(for_test=True)
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
    exe = fluid.Executor()
    exe.run(fluid.default_startup_program())
    labels = np.arange(30).reshape(-1, 1) % 3
    images = RNG.standard_normal((30, 1, 8, 8)).astype(np.float32) + labels[:, :, None, None]
    feeder = fluid.DataFeeder([image, label], fluid.CPUPlace())
    losses = []
    for _ in range(12):
        for batch in paddle.batch(lambda: zip(images, labels, strict=True), 10)():
            losses.append(exe.run(feed=feeder.feed(batch), fetch_list=[loss])[0].item())
    assert losses[-1] < losses[0] / 3

    def tested() -> Any:
        return exe.run(test, feed={"image": images, "label": labels}, fetch_list=[out.name])[0]

    found = tested()
    fluid.io.save_persistables(exe, str(tmp_path / "kept"))
    fluid.io.save_params(exe, str(tmp_path / "one"), filename="all")
    fluid.io.save_inference_model(str(tmp_path / "model"), ["image"], [out], exe)
    exe.run(fluid.default_startup_program())
    assert np.abs(tested() - found).max() > 0.05
    fluid.io.load_params(exe, str(tmp_path / "one"), filename="all")
    np.testing.assert_array_equal(tested(), found)
    exe.run(fluid.default_startup_program())
    fluid.io.load_persistables(exe, str(tmp_path / "kept"))
    np.testing.assert_array_equal(tested(), found)
    program, feeds, fetches = fluid.io.load_inference_model(str(tmp_path / "model"), exe)
    assert feeds == ["image"]
    np.testing.assert_allclose(exe.run(program, {"image": images}, fetches)[0], found, rtol=1e-6, atol=1e-7)


def test_blocks_that_are_entered() -> None:
    i, n = layers.fill_constant([1], "int64", 0), fluid.data("n", [1], "int64")
    total = layers.fill_constant([1], "float32", 0.0)
    cond = layers.less_than(i, n)
    with layers.While(cond).block():
        layers.assign(total + layers.cast(i, "float32"), total)
        layers.increment(i)
        layers.less_than(i, n, cond=cond)
    rate = layers.create_global_var([1], 0.0, "float32", persistable=True, name="rate")
    with layers.Switch() as switch:
        with switch.case(total < 1.0):
            layers.assign(layers.fill_constant([1], "float32", 5.0), rate)
        with switch.case(total < 50.0):
            layers.assign(rate + 6.0, rate)
        with switch.default():
            layers.assign(layers.fill_constant([1], "float32", 7.0), rate)
    fluid.Executor().run(fluid.default_startup_program())
    found = [[v.item() for v in run(total, i, rate, n=np.array([k]))] for k in (1, 10, 10, 11)]
    assert found == [[0.0, 1, 5.0], [45.0, 10, 11.0], [45.0, 10, 17.0], [55.0, 11, 7.0]]


def test_batches_of_generators() -> None:
    x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1], "int64")
    loader = fluid.io.DataLoader.from_generator([x, y], capacity=2)
    loader.set_sample_generator(
        lambda: ((np.ones(2, np.float32) * k, np.array([k])) for k in range(5)), 2, drop_last=False
    )
    out = layers.reduce_sum(x) + layers.cast(layers.reduce_sum(y), "float32")
    assert [fluid.Executor().run(feed=feed, fetch_list=[out])[0].item() for feed in loader()] == [3.0, 15.0, 12.0]
    with fluid.dygraph.guard():
        assert [b.numpy().tolist() for _, b in loader()] == [[[0], [1]], [[2], [3]], [[4]]]


def test_readers() -> None:
    assert list(paddle.batch(lambda: iter(range(5)), 2, drop_last=True)()) == [[0, 1], [2, 3]]
    assert sorted(paddle.reader.shuffle(lambda: iter(range(9)), 4)()) == list(range(9))
    assert set(list(paddle.reader.shuffle(lambda: iter(range(9)), 4)())[:4]) == {0, 1, 2, 3}
    assert list(paddle.reader.compose(lambda: iter([1]), lambda: iter([(2, 3)]))()) == [(1, 2, 3)]
    assert list(paddle.reader.firstn(lambda: iter(range(9)), 2)()) == [0, 1]
    with pytest.raises(ValueError, match="positive"):
        paddle.batch(lambda: iter(()), 0)


def test_declarations_are_all_of_one_kind() -> None:
    assert isinstance(layers.mean, declaring.LayerFunction)
