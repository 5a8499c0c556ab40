"""Programs of Paddle's static mode: what is recorded, what is refused, what runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F
import pytest

from jitcore.compat.paddle.static.writing import written

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _static() -> Iterator[None]:
    paddle.enable_static()
    with (
        paddle.utils.unique_name.guard(),
        paddle.static.scope_guard(paddle.static.Scope()),
        paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()),
    ):
        yield
    paddle.disable_static()


def run(fetches: Any, program: Any = None, **feed: Any) -> list[Any]:
    return paddle.static.Executor().run(program, feed=feed, fetch_list=fetches)


def start() -> None:
    paddle.static.Executor().run(paddle.static.default_startup_program())


ONES = np.ones((2, 3), np.float32)


def test_calls_are_recorded_and_printed() -> None:
    x = paddle.static.data("x", [None, 3])
    y = paddle.matmul(x, paddle.full([3, 2], 0.5)) + 1.0
    assert (y.name, y.shape, y.dtype, y.stop_gradient) == ("tmp_0", [-1, 2], paddle.float32, True)
    assert str(paddle.static.default_main_program()) == (
        "{ // block 0\n"
        "    var x : LOD_TENSOR.shape(-1, 3).dtype(float32).stop_gradient(True)\n"
        "    var full_0.tmp_0 : LOD_TENSOR.shape(3, 2).dtype(float32).stop_gradient(True)\n"
        "    var matmul_0.tmp_0 : LOD_TENSOR.shape(-1, 2).dtype(float32).stop_gradient(True)\n"
        "    var tmp_0 : LOD_TENSOR.shape(-1, 2).dtype(float32).stop_gradient(True)\n"
        "    full_0.tmp_0 = full([3, 2], 0.5)\n"
        "    matmul_0.tmp_0 = matmul(x, full_0.tmp_0)\n"
        "    tmp_0 = add(matmul_0.tmp_0, 1.0)\n"
        "}\n"
    )
    np.testing.assert_array_equal(run([y], x=ONES)[0], np.full((2, 2), 2.5, np.float32))


def test_extents_are_those_that_the_functions_give() -> None:
    x = paddle.static.data("x", [None, 3, 8, 8])
    z = paddle.static.data("z", [None, None])
    shapes = {
        "flatten": paddle.flatten(x, 1).shape,
        "conv": paddle.nn.Conv2D(3, 5, 3, stride=2)(x).shape,
        "reshape": paddle.reshape(x, [-1, 16]).shape,
        "concat": paddle.concat([x, x], axis=1).shape,
        "mean": paddle.mean(x).shape,
        "both": (z + z[:1]).shape,
        "picked": paddle.nonzero(z).shape,
        "split": [part.shape for part in paddle.split(x, 2, axis=2)],
        "stacked": paddle.stack([z, z], axis=1).shape,
    }
    assert shapes == {
        "flatten": [-1, 192], "conv": [-1, 5, 3, 3], "reshape": [-1, 16], "concat": [-1, 6, 8, 8], "mean": [],
        "both": [-1, -1], "picked": [-1, 2], "split": [[-1, 3, 4, 8]] * 2, "stacked": [-1, 2, -1],
    }  # fmt: skip


def test_what_is_bound_to_fail_is_said_when_it_is_recorded() -> None:
    x = paddle.static.data("x", [None, 3])
    with pytest.raises(ValueError, match="matmul"):
        paddle.matmul(x, paddle.full([2, 2], 1.0))
    with pytest.raises(TypeError, match=r"use_softmx"):
        F.cross_entropy(x, x, use_softmx=True)
    assert [type(s).__name__ for s in paddle.static.default_main_program().global_block().ops] == ["Call"]


@pytest.mark.parametrize(
    "ask", [bool, int, float, np.array, lambda v: v.numpy(), lambda v: v.item(), lambda v: v.tolist()]
)
def test_variables_have_no_elements(ask: Any) -> None:
    with pytest.raises(TypeError, match="not known before its Program runs"):
        ask(paddle.static.data("x", [1]))


def test_one_function_serves_all_numbers_of_rows() -> None:
    x = paddle.static.data("x", [None, 3])
    y = paddle.sum(x * 2.0, axis=1)
    for n in (2, 5, 1, 7):
        np.testing.assert_array_equal(run([y], x=np.ones((n, 3), np.float32))[0], np.full(n, 6.0))
    (made,) = paddle.static.default_main_program().compiled.values()
    assert len(made.function.specialisations) <= 3  # of these extents, of any, and of 1


def test_only_what_is_needed_must_be_fed() -> None:
    x, y = paddle.static.data("x", [None, 3]), paddle.static.data("y", [None, 3])
    made, loss = x * 2.0, paddle.mean(x - y)
    assert run([made.name], x=ONES)[0].sum() == 12.0
    with pytest.raises(ValueError, match="y is needed and not fed"):
        run([loss], x=ONES)
    with pytest.raises(ValueError, match="no Variable 'none' to be fetched"):
        run(["none"], x=ONES)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            np.ones((2, 4), np.float32),
            r"should have dimensions = 2, shape = \(-1, 3\), but received fed shape \[2, 4\]",
        ),
        (np.ones(3, np.float32), "should have dimensions = 2"),
        (np.ones((2, 3)), "must be 'float32', but received 'float64'"),
    ],
)
def test_feeds_are_what_was_declared(given: Any, words: str) -> None:
    y = paddle.static.data("x", [None, 3]) + 1.0
    with pytest.raises(ValueError, match=words):
        run([y], x=given)


def test_a_program_without_statements_warns() -> None:
    with pytest.warns(UserWarning, match="There are no operators in the program"):
        run([])


def test_what_is_fed_is_not_written_to() -> None:
    x = paddle.static.data("x", [2, 3])
    y = x * 1.0
    x.add_(paddle.full([2, 3], 5.0))
    given = ONES.copy()
    assert run([x, y], x=given)[0].sum() == 36.0
    np.testing.assert_array_equal(given, ONES)


def test_layers_are_recorded_with_their_parameters() -> None:
    paddle.seed(5)
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.ReLU(), paddle.nn.Linear(4, 1))
    x = paddle.static.data("x", [None, 3])
    penalty = paddle.sum(net[0].weight * net[0].weight)
    loss = paddle.mean(net(x)) + penalty
    before = net[0].weight.numpy()
    paddle.optimizer.SGD(0.5).minimize(loss)
    start()
    assert run([penalty], x=ONES)[0] == pytest.approx((before**2).sum(), rel=1e-6)
    run([loss], x=ONES)
    kept = paddle.static.global_scope().find_var(net[0].weight.name).get_tensor()
    assert np.abs(np.array(kept) - before).max() > 0.1
    start()  # begins anew
    np.testing.assert_array_equal(np.array(kept), before)
    paddle.disable_static()
    paddle.seed(5)
    np.testing.assert_array_equal(paddle.nn.Linear(3, 4).weight.numpy(), before)


def test_in_the_scope_that_there_is_layers_and_programs_share_memory() -> None:
    net = paddle.nn.Linear(3, 1)
    loss = paddle.mean(net(paddle.static.data("x", [None, 3])))
    paddle.optimizer.SGD(1.0).minimize(loss)
    before = net.bias.numpy()
    from jitcore.compat.paddle.static.scopes import ROOT

    with paddle.static.scope_guard(ROOT):
        start()
        run([loss], x=ONES)
    np.testing.assert_array_equal(net.bias.numpy(), before - 1.0)


def test_scopes_have_values_of_their_own() -> None:
    x = paddle.static.data("x", [None, 3])
    loss = paddle.mean(paddle.static.nn.fc(x, 1, weight_attr=paddle.ParamAttr(name="w"), bias_attr=False))
    paddle.optimizer.SGD(1.0).minimize(loss)
    found = []
    for steps in (0, 3):
        with paddle.static.scope_guard(paddle.static.Scope()):
            start()
            for _ in range(steps):
                run([loss], x=ONES)
            found.append(np.array(paddle.static.global_scope().find_var("w").get_tensor()))
    np.testing.assert_allclose(found[1], found[0] - 3.0, rtol=1e-6)


def test_programs_share_parameters_by_name() -> None:
    losses = []
    for sign in (1.0, -1.0):
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.default_startup_program()):
            x = paddle.static.data("x", [None, 3])
            out = paddle.static.nn.fc(x, 1, weight_attr=paddle.ParamAttr(name="shared"), bias_attr=False)
            loss = paddle.mean(out) * sign
            if sign > 0:
                paddle.optimizer.SGD(1.0).minimize(loss)
            losses.append(loss)
    start()
    run([losses[0]], losses[0].block.program, x=ONES)
    (after,) = run([losses[1]], losses[1].block.program, x=ONES)
    (again,) = run([losses[0]], losses[0].block.program, x=ONES)
    assert after == pytest.approx(-again)


def test_test_programs_leave_dropout_and_statistics_alone() -> None:
    x = paddle.static.data("x", [None, 4])
    norm = paddle.nn.BatchNorm1D(4, momentum=0.5)
    h = F.dropout(norm(x), 0.5)
    paddle.optimizer.SGD(0.1).minimize(paddle.mean(h))
    test = paddle.static.default_main_program().clone(for_test=True)
    assert [s.role for s in test.global_block().ops] == ["forward"] * 3
    start()
    given = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    (found,) = run([h], test, x=given)
    np.testing.assert_allclose(found, given / np.sqrt(1 + 1e-5), rtol=1e-6)
    (trained,) = run([h], x=given)
    assert (trained == 0).any()
    np.testing.assert_allclose(
        np.array(paddle.static.global_scope().find_var(norm._mean.name).get_tensor()), given.mean(0) / 2, rtol=1e-6
    )


def test_a_loss_has_one_element_and_depends_on_parameters() -> None:
    x = paddle.static.data("x", [None, 3])
    with pytest.raises(ValueError, match="should have one element"):
        paddle.static.append_backward(paddle.static.nn.fc(x, 2))
    with pytest.raises(ValueError, match="no parameters that the loss depends on"):
        paddle.optimizer.SGD(0.1).minimize(paddle.mean(x))
    with pytest.raises(TypeError, match="minimize"):
        paddle.mean(x).backward()


def test_gradients_are_none_where_nothing_depends() -> None:
    x, y = paddle.static.data("x", [2, 3]), paddle.static.data("y", [2, 3])
    x.stop_gradient = y.stop_gradient = False
    assert paddle.static.gradients(paddle.sum(x), y) == [None]
    x.stop_gradient = True
    assert paddle.static.gradients(paddle.sum(x * y), [x, y])[0] is None
    x.stop_gradient = False
    assert paddle.static.gradients(paddle.sum(x.detach() * y), x) == [None]


def test_gradients_that_would_cut_what_they_go_through_are_refused() -> None:
    x = paddle.static.data("x", [2, 3])
    x.stop_gradient = False
    h = x * x
    (first,) = paddle.static.gradients(paddle.sum(h * h), x)
    (second,) = paddle.static.gradients(paddle.sum(first), h)
    with pytest.raises(NotImplementedError, match="through an earlier gradient by x"):
        run([second], x=ONES)
    (third,) = paddle.static.gradients(paddle.sum(first), x)
    np.testing.assert_array_equal(run([third], x=ONES)[0], 12.0 * ONES)


def test_gradients_end_where_they_are_stopped() -> None:
    w = paddle.static.create_parameter([3], "float32", default_initializer=paddle.nn.initializer.Constant(2.0))
    h = w * w
    h.stop_gradient = True
    loss = paddle.sum(h * w)
    ((_, grad),) = paddle.static.append_backward(loss)
    start()
    np.testing.assert_array_equal(run([grad])[0], [4.0, 4.0, 4.0])


def test_gradients_of_what_is_between_are_fetched_by_name() -> None:
    x = paddle.static.data("x", [None, 3])
    h = paddle.static.nn.fc(x, 2, weight_attr=paddle.ParamAttr(name="w"), name="first")
    loss = paddle.sum(h * h)
    paddle.optimizer.SGD(0.1).minimize(loss)
    start()
    found, by_h, by_w = run([h, f"{h.name}@GRAD", "w@GRAD"], x=ONES)
    np.testing.assert_allclose(by_h, 2 * found, rtol=1e-6)
    np.testing.assert_allclose(by_w, ONES.T @ by_h, rtol=1e-6)
    with pytest.raises(ValueError, match="no Variable 'x@GRAD'"):
        run(["x@GRAD"], x=ONES)


def test_the_mask_of_a_dropout_is_the_one_that_is_differentiated() -> None:
    w = paddle.static.create_parameter([50], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    h = F.dropout(w, 0.5)
    ((_, grad),) = paddle.static.append_backward(paddle.sum(h))
    start()
    out, found = run([h, grad])
    np.testing.assert_array_equal(out, found)
    assert 5 < (out == 0).sum() < 45
    (second,) = paddle.static.gradients(paddle.sum(h * h), w)
    with pytest.raises(NotImplementedError, match="second gradient through random numbers"):
        run([grad, second])


def test_branches_and_loops_need_one_structure() -> None:
    x = paddle.static.data("x", [3])
    with pytest.raises(TypeError, match="Incompatible return values"):
        paddle.static.nn.cond(paddle.sum(x) > 0, lambda: x, lambda: (x, x))
    with pytest.raises(TypeError, match="dtypes and numbers of axes must be equal"):
        paddle.static.nn.cond(paddle.sum(x) > 0, lambda: x, lambda: paddle.sum(x))
    with pytest.raises(ValueError, match="gives 2 values for 1 loop_vars"):
        paddle.static.nn.while_loop(lambda v: paddle.sum(v) < 1, lambda v: [v, v], [x])
    with pytest.raises(ValueError, match="becomes one of"):
        paddle.static.nn.while_loop(lambda v: paddle.sum(v) < 1, lambda v: [paddle.sum(v)], [x])
    with pytest.raises(TypeError, match="gives a bool Tensor of one element"):
        paddle.static.nn.while_loop(lambda v: v < 1, lambda v: [v], [x])


def test_extents_may_change_from_round_to_round() -> None:
    x = paddle.static.data("x", [1, 3])
    n = paddle.full([], 0, "int64")
    n, grown = paddle.static.nn.while_loop(
        lambda k, v: k < 3, lambda k, v: [k + 1, paddle.concat([v, v[:1] + 1.0])], [n, x]
    )
    assert grown.shape == [-1, 3]
    chosen = paddle.static.nn.cond(paddle.sum(x) > 0, lambda: grown, lambda: x)
    assert chosen.shape == [-1, 3]
    given = np.ones((1, 3), np.float32)
    np.testing.assert_array_equal(run([chosen], x=given)[0], [[1] * 3, [2] * 3, [2] * 3, [2] * 3])
    np.testing.assert_array_equal(run([chosen], x=-given)[0], -given)


def test_loops_within_branches_within_loops() -> None:
    n = paddle.static.data("n", [1], "int64")
    zero, one = paddle.full([1], 0, "int64"), paddle.full([1], 1, "int64")

    def steps(k: Any, total: Any) -> list[Any]:
        def halved() -> Any:
            return k // 2

        def grown() -> Any:
            inner, _ = paddle.static.nn.while_loop(
                lambda a, i: i < 3, lambda a, i: [a + k, i + 1], [one, paddle.full([1], 0, "int64")]
            )
            return inner

        return [paddle.static.nn.cond(k % 2 == 0, halved, grown), total + 1]

    _, total = paddle.static.nn.while_loop(lambda k, total: k > 1, steps, [n, zero])

    def collatz(k: int) -> int:
        count = 0
        while k > 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            count += 1
        return count

    for given in (1, 2, 7, 27):
        assert run([total], n=np.array([given]))[0] == [collatz(given)]


def test_in_dynamic_mode_branches_are_pythons() -> None:
    paddle.disable_static()
    assert paddle.in_dynamic_mode()
    x = paddle.to_tensor([3.0])
    assert paddle.static.nn.cond(x > 2, lambda: 1, lambda: 2) == 1
    (k,) = paddle.static.nn.while_loop(lambda v: v < 10, lambda v: [v * 2], [x])
    assert k.item() == 12.0


def test_in_compiled_code_branches_and_loops_are_pythons() -> None:
    paddle.disable_static()

    @paddle.jit.to_static
    def compiled(x: Any, n: Any) -> Any:
        _, grown = paddle.static.nn.while_loop(
            lambda k, v: k < n, lambda k, v: [k + 1, v * 2.0], [paddle.zeros([1], "int64"), x]
        )
        chosen = paddle.static.nn.cond(paddle.sum(grown) > 10.0, lambda: grown, lambda: -grown)
        return paddle.static.nn.switch_case(n, {1: lambda: chosen + 1.0, 2: lambda: chosen * 10.0}, lambda: chosen)

    found = [compiled(paddle.ones([2]), paddle.to_tensor([n])).tolist() for n in (0, 1, 2, 3)]
    assert found == [[-1.0] * 2, [-1.0] * 2, [-40.0] * 2, [8.0] * 2]


def test_a_seed_is_where_random_numbers_begin() -> None:
    found = []
    for _ in range(2):
        paddle.static.default_main_program().random_seed = 7
        drawn = paddle.uniform([3])
        found.append([paddle.nn.Linear(2, 2).weight.numpy(), run([drawn])[0]])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_is_printed_is_printed_when_the_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    x = paddle.static.data("x", [2])
    paddle.static.Print(x * 2.0, message="doubled:")
    assert capsys.readouterr().out == ""
    run([x], x=np.ones(2, np.float32))
    assert capsys.readouterr().out.startswith("doubled: Tensor(shape=[2]")


def test_a_program_is_one_function() -> None:
    x = paddle.static.data("x", [None, 3])
    w = paddle.static.create_parameter([3, 1], "float32", name="w")
    loss = paddle.mean(paddle.matmul(x, w))
    paddle.optimizer.SGD(0.1).minimize(loss)
    assert written(paddle.static.default_main_program(), [loss.name]).text == (
        "def forward(w, x):\n"
        "    matmul_0_tmp_0 = matmul(x, w)\n"
        "    mean_0_tmp_0 = mean(matmul_0_tmp_0)\n"
        "    return sum_ext(mean_0_tmp_0), 0, mean_0_tmp_0\n"
        "def program(w_place, x, update_numbers_0):\n"
        "    w = clone(w_place)\n"
        "    (total, _, mean_0_tmp_0), (w_GRAD,) = value_and_grad(forward, (0,), None, True)(w, x)\n"
        "    (w_1,) = sgd(w, w_GRAD, [], update_numbers_0)\n"
        "    assign(w_place, w_1)\n"
        "    return (mean_0_tmp_0, ), ()\n"
    )


def some_program(rng: np.random.RandomState, leaves: list[Any], grad: Any, cond: Any) -> list[Any]:
    """Values computed of leaves at random, gradients of some by others among them."""
    values = list(leaves)
    for _ in range(rng.randint(4, 9)):
        a, b = (values[rng.randint(len(values))] for _ in range(2))
        kind = rng.randint(8)
        if kind < 6:
            makes = (
                lambda a=a, b=b: a * b,
                lambda a=a, b=b: a - paddle.tanh(b),
                lambda a=a, b=b: paddle.sum(a) * b,
                lambda a=a, b=b: a.detach() * b,
                lambda a=a, b=b: cond(paddle.sum(b), lambda: paddle.sin(a), lambda: a * b),
                lambda a=a, b=b: paddle.stack([a, b]).max(0),
            )
            values.append(makes[kind]())
        else:
            values += [paddle.tanh(g) for g in grad(paddle.sum(a * a), leaves)]
    return values


@pytest.mark.parametrize("seed", range(12))
def test_programs_are_what_they_are_line_by_line(seed: int) -> None:
    arrays = [np.random.RandomState(seed + 100 * k).standard_normal(3) * 0.7 for k in range(2)]
    leaves = [paddle.static.data(f"x{k}", [3], "float64") for k in range(2)]
    for leaf in leaves:
        leaf.stop_gradient = False
    values = some_program(
        np.random.RandomState(seed),
        leaves,
        lambda out, by: [
            paddle.zeros_like(x) if g is None else g
            for g, x in zip(paddle.static.gradients([out], by), by, strict=True)
        ],
        lambda p, f, g: paddle.static.nn.cond(p > 0, f, g),
    )
    found = run(values, x0=arrays[0], x1=arrays[1])
    paddle.disable_static()
    given = [paddle.to_tensor(array, stop_gradient=False) for array in arrays]

    def grad(out: Any, by: Any) -> list[Any]:
        made = paddle.grad(out, by, create_graph=True, retain_graph=True, allow_unused=True)
        return [paddle.zeros_like(x) if g is None else g for g, x in zip(made, by, strict=True)]

    wanted = some_program(np.random.RandomState(seed), given, grad, lambda p, f, g: f() if p > 0 else g())
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other.numpy(), rtol=1e-7, atol=1e-9)


_ELSEWHERE = """
import sys
import numpy as np
import paddle
paddle.enable_static()
exe = paddle.static.Executor()
program, feeds, fetches = paddle.static.load_inference_model(sys.argv[1] + "/model", exe)
n, x = np.load(sys.argv[1] + "/given.npy", allow_pickle=False)
found = exe.run(program, feed={feeds[0]: x[:, None], feeds[1]: np.array([3])}, fetch_list=fetches)
np.save(sys.argv[1] + "/found.npy", found[0])
print(feeds, [v.name for v in fetches], [v.shape for v in fetches])
"""


def test_a_model_with_a_loop_runs_in_another_process(tmp_path: Path) -> None:
    x, n = paddle.static.data("x", [None, 1], "float64"), paddle.static.data("n", [1], "int64")
    _, out = paddle.static.nn.while_loop(
        lambda k, v: k < n, lambda k, v: [k + 1, paddle.tanh(v * 1.5)], [paddle.full([1], 0, "int64"), x]
    )
    exe = paddle.static.Executor()
    paddle.static.save_inference_model(str(tmp_path / "model"), [x, n], [out], exe)
    given = np.stack([np.zeros(4), np.linspace(-1, 1, 4)])
    np.save(tmp_path / "given.npy", given)
    command = [sys.executable, "-m", "jitcore.compat.paddle", "-c", _ELSEWHERE, str(tmp_path)]
    made = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(REPOSITORY)})
    assert made.stdout == "['x', 'n'] ['while_1.tmp_0'] [[-1, 1]]\n", made.stderr
    wanted = given[1][:, None]
    for _ in range(3):
        wanted = np.tanh(wanted * 1.5)
    np.testing.assert_allclose(np.load(tmp_path / "found.npy"), wanted, rtol=1e-12)
    (here,) = run([out], x=given[1][:, None], n=np.array([3]))
    np.testing.assert_array_equal(np.load(tmp_path / "found.npy"), here)


def test_a_model_is_a_function_to_others(tmp_path: Path) -> None:
    x = paddle.static.data("x", [None, 3])
    out = paddle.static.nn.fc(x, 2)
    start()
    paddle.static.save_inference_model(str(tmp_path / "model"), x, out, paddle.static.Executor())
    (wanted,) = run([out], x=ONES)
    paddle.disable_static()
    np.testing.assert_array_equal(paddle.jit.load(str(tmp_path / "model"))(paddle.to_tensor(ONES)).numpy(), wanted)


def test_models_that_need_more_are_refused(tmp_path: Path) -> None:
    x, y = paddle.static.data("x", [None, 3]), paddle.static.data("y", [None, 3])
    exe = paddle.static.Executor()
    with pytest.raises(ValueError, match="the outputs need y"):
        paddle.static.save_inference_model(str(tmp_path / "model"), [x], [x + y], exe)
    with pytest.raises(FileNotFoundError, match="there is no model at"):
        paddle.static.load_inference_model(str(tmp_path / "none"), exe)
    paddle.static.save_inference_model(str(tmp_path / "model"), [x, y], [x + y], exe)
    program, _, fetches = paddle.static.load_inference_model(str(tmp_path / "model"), exe)
    with pytest.raises(ValueError, match="the model needs y"):
        run(fetches, program, x=ONES)
    names = tmp_path / "model" / "variables.json"
    for text in ("{", "[]", '{"feeds": [{"name": "x"}], "fetches": []}'):
        names.write_text(text)
        with pytest.raises(ValueError, match=r"is damaged: variables\.json"):
            paddle.static.load_inference_model(str(tmp_path / "model"), exe)
    names.unlink()
    with pytest.raises(ValueError, match=r"paddle\.jit\.load reads it"):
        paddle.static.load_inference_model(str(tmp_path / "model"), exe)
