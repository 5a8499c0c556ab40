"""Gradients that go back through calls of compiled functions: one node each, whose way back is compiled, too."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, Tensor, jit, nn, ops
from jitcore.backends.native.host import runtime
from jitcore.runtime import autograd, nodes
from jitcore.runtime import backward as way
from jitcore.runtime.autograd import grad_of, needs_gradient, set_requires_grad
from jitcore.runtime.differentiated import Executed
from jitcore.runtime.notices import FallbackWarning
from jitcore.runtime.trees import leaves


def leaf(values: Any) -> Tensor:
    made = Tensor(np.array(values, np.float64))
    set_requires_grad(made, True)
    return made


def by(output: Tensor, *inputs: Tensor, **options: Any) -> list[Any]:
    return way.gradients([(output, Tensor(np.ones_like(output.asnumpy())))], inputs, **options)


def floats(made: Any) -> list[Tensor]:
    return [t for t in leaves(made) if isinstance(t, Tensor) and t.dtype.is_float]


def require_same(function: Callable[..., Any], *args: Any) -> Any:
    """Each result of a function, and its gradients: those of the compiled one are those computed line by line."""
    compiled = jit(function)
    inputs = [a for a in args if isinstance(a, Tensor) and needs_gradient(a)]
    for _ in range(2):
        expected, made = floats(function(*args)), floats(compiled(*args))
        assert len(expected) == len(made)
        for k, (want, have) in enumerate(zip(expected, made, strict=True)):
            np.testing.assert_allclose(have.asnumpy(), want.asnumpy(), rtol=1e-12)
            assert needs_gradient(have) == needs_gradient(want)
            if needs_gradient(want):
                wanted = by(ops.square(want), *inputs, keep_graph=True)
                had = by(ops.square(have), *inputs, keep_graph=k + 1 < len(made))
                for g, h in zip(wanted, had, strict=True):
                    zero = np.zeros(())
                    np.testing.assert_allclose(
                        zero if h is None else h.asnumpy(), zero if g is None else g.asnumpy(), rtol=1e-10, atol=1e-12
                    )
    return compiled


X = np.random.default_rng(5).normal(size=(3, 4))
W = np.random.default_rng(6).normal(size=(4, 4))


def results_of_several_kinds(x: Any, w: Any) -> Any:
    return ops.tanh(x @ w), {"x": x, "n": 3}, [(x * w[0]).sum()], ops.stop_gradient(x)


def views_of_results(x: Any, w: Any) -> Any:
    h = ops.tanh(x @ w)
    return h.reshape(-1), h[1], h.T, x[:, ::2]


def places_written_to(x: Any, w: Any) -> Any:
    y = ops.zeros((3, 4), x.dtype)
    y[0] = x[1]
    y[1:] = ops.sin(x[1:])
    return y * w[0]


def a_loop_of_the_run(x: Any, w: Any, n: int) -> Any:
    for k in range(n):
        x = ops.tanh(x @ w) * (k + 1)
    return x


def branches_and_rounds_of_the_run(x: Any, w: Any) -> Any:
    rounds = 0
    while ops.square(x).sum() < 1e4:
        x = x * 1.5 if x.sum() > 0 else x @ w
        rounds += 1
    return x, rounds


def a_list_that_grows(x: Any, w: Any) -> Any:
    rows = []
    for k in range(x.shape[0]):
        rows.append(ops.sigmoid(x[k] @ w))
    return ops.stack(rows)


def recursion(x: Any, w: Any, n: int) -> Any:
    return x if n == 0 else recursion(ops.sin(x @ w), w, n - 1)


def a_number_out_of_a_tensor(x: Any, w: Any) -> Any:
    return x * float(w.sum()), x.shape[0]


def results_that_the_way_back_needs(x: Any, w: Any) -> Any:
    at = ops.argmax(x[0])
    n = int(x.shape[0])
    return at, x[:, at] * 2.0, n, w * n


@pytest.mark.parametrize(
    ("function", "more"),
    [
        (results_of_several_kinds, ()),
        (views_of_results, ()),
        (places_written_to, ()),
        (results_that_the_way_back_needs, ()),
        (a_loop_of_the_run, (0,)),
        (a_loop_of_the_run, (7,)),
        (branches_and_rounds_of_the_run, ()),
        (a_list_that_grows, ()),
        (recursion, (4,)),
        (a_number_out_of_a_tensor, ()),
    ],
)
def test_line_by_line_and_compiled(function: Callable[..., Any], more: tuple[Any, ...]) -> None:
    x, w = leaf(X), leaf(W)
    compiled = require_same(function, x, w, *more)
    assert len(compiled.specialisations) == 1
    assert compiled.interpreted == 0


def test_a_call_is_one_node() -> None:
    x, w = leaf(X), leaf(W)
    edge = autograd.edge_of(jit(a_loop_of_the_run)(x, w, 5))
    assert isinstance(edge, tuple)
    assert isinstance(edge[0], Executed)
    assert edge[0].edges == (x, w)


def a_mean(x: Any, w: Any) -> Any:
    return ops.square(ops.tanh(x @ w)).mean()


def as_many_steps_as_rows(x: Any, w: Any) -> Any:
    h, made = x[0], []
    for t in range(x.shape[0]):
        h = ops.tanh(h @ w + x[t])
        made.append(h)
    return ops.stack(made, 0).sum()


@pytest.mark.parametrize("loss", [a_mean, as_many_steps_as_rows])
def test_other_extents_need_no_other_way_back(loss: Callable[..., Any]) -> None:
    compiled, w = jit(loss), leaf(W)
    for rows in (3, 5, 1, 8):
        x = leaf(np.ones((rows, 4)))
        for g, h in zip(by(compiled(x, w), x, w), by(loss(x, w), x, w), strict=True):
            np.testing.assert_allclose(g.asnumpy(), h.asnumpy(), rtol=1e-10)
    assert len(compiled.specialisations) <= 3


def test_by_which_inputs_is_asked_at_each_call() -> None:
    x, w, compiled = leaf(X), leaf(W), jit(lambda x, w: (x @ w).sum())
    compiled(x, w)
    set_requires_grad(w, False)
    (g,) = by(compiled(x, w), x)
    np.testing.assert_allclose(g.asnumpy(), np.tile(W.sum(1), (3, 1)))
    set_requires_grad(x, False)
    assert not needs_gradient(compiled(x, w))
    with nodes.recording(False):
        set_requires_grad(w, True)
        assert not needs_gradient(compiled(x, w))


def test_no_gradient_comes_to_what_has_no_part_in_it() -> None:
    x, w = leaf(X), leaf(W)
    way.backward([(jit(lambda x, w: (x * 2.0).sum() + ops.stop_gradient(w).sum())(x, w), Tensor(np.array(1.0)))])
    assert (grad_of(x).asnumpy() == 2.0).all()  # type: ignore[union-attr]
    assert grad_of(w) is None


def test_parameters_of_cells_and_what_they_write() -> None:
    net = nn.SequentialCell(nn.Dense(4, 3), nn.BatchNorm1d(3), nn.ReLU())
    net.set_train()
    for p in net.trainable_params():
        set_requires_grad(p, True)

    @jit
    def loss(x: Any) -> Any:
        return ops.square(net(x)).sum()

    x = Tensor(X.astype(np.float32))
    before = net[1].moving_mean.asnumpy().copy()
    way.backward([(loss(x), Tensor(np.float32(1)))])
    assert not np.array_equal(net[1].moving_mean.asnumpy(), before)
    grads = [grad_of(p).asnumpy() for p in net.trainable_params()]  # type: ignore[union-attr]
    for p in net.trainable_params():
        autograd.set_grad(p, None)
    way.backward([(ops.square(net(x)).sum(), Tensor(np.float32(1)))])
    for p, g in zip(net.trainable_params(), grads, strict=True):
        np.testing.assert_allclose(g, grad_of(p).asnumpy(), rtol=1e-4, atol=1e-5)  # type: ignore[union-attr]


def test_what_was_drawn_is_what_the_way_back_knows() -> None:
    x = leaf(np.ones(1000))
    compiled = jit(lambda x: ops.dropout(x, 0.5, True))
    out = compiled(x)
    compiled(x)  # draws again
    (g,) = by(out, x)
    np.testing.assert_array_equal(g.asnumpy(), out.asnumpy())


def test_numbers_and_lists_are_what_they_were() -> None:
    scale, xs = [2.0], [1.0, 2.0, 3.0]
    x = leaf([1.0, 2.0, 3.0])

    @jit
    def f(x: Any, xs: Any) -> Any:
        return (ops.square(x) * scale[0] * Tensor(xs, x.dtype)).sum()

    out = f(x, xs)
    scale[0], xs[:] = 5.0, [0.0, 0.0, 0.0]
    (g,) = by(out, x)
    assert g.asnumpy().tolist() == [4.0, 16.0, 36.0]


# --- gradients of gradients ---------------------------------------------------------------------------


@pytest.mark.parametrize("more", [(1,), (4,)])
def test_gradients_of_gradients(more: tuple[int, ...]) -> None:
    x, w = leaf(X), leaf(W)
    found = []
    for function in (a_loop_of_the_run, jit(a_loop_of_the_run)):
        (g,) = by(function(x, w, *more), w, create_graph=True)
        (h,) = by(ops.square(g).sum(), w, create_graph=True)
        (third,) = by(ops.square(h).sum(), x)
        found.append((g, h, third))
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(b.asnumpy(), a.asnumpy(), rtol=1e-9)


def test_second_derivatives_of_draws_are_refused() -> None:
    x = leaf(np.ones(10))
    out = jit(lambda x: ops.dropout(ops.square(x), 0.5, True))(x)
    with pytest.raises(Exception, match="draws random numbers"):
        by(out, x, create_graph=True)


# --- what is refused ----------------------------------------------------------------------------------


def test_twice_and_what_was_overwritten() -> None:
    x, w = leaf(X), leaf(W)
    compiled = jit(lambda x, w: ops.square(x @ w).sum())
    out = compiled(x, w)
    by(out, x, keep_graph=True)
    by(out, x)
    with pytest.raises(RuntimeError, match="a second time"):
        by(out, x)
    out = compiled(x, w)
    with nodes.recording(False):
        w[0] = 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        by(out, x)


def test_a_result_that_was_written_to() -> None:
    x = leaf(X)
    compiled = jit(lambda x: ops.exp(x).reshape(-1))
    out = compiled(x)
    out[0] = 0.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        by(out, x)
    out = jit(lambda x: ops.exp(x) * 2.0)(x)
    out[0] = 0.0  # nothing needs what was there
    (g,) = by(out, x)
    assert g.asnumpy()[0].tolist() == [0.0] * 4
    np.testing.assert_allclose(g.asnumpy()[1:], 2 * np.exp(X)[1:])


def test_the_way_back_through_a_loop_is_gone_once() -> None:
    x, w = leaf(X), leaf(W)
    out = jit(a_loop_of_the_run)(x, w, 3)
    by(out, x, keep_graph=True)
    with pytest.raises(RuntimeError, match="which can be done once"):
        by(out, x)
    out = jit(a_loop_of_the_run)(x, w, 3)
    with nodes.recording(False):
        w[0] = 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        by(out, x)


def test_what_cannot_go_back_runs_line_by_line_and_says_so() -> None:
    x = leaf(X)
    place = Tensor(np.zeros((3, 4)))

    @jit
    def f(x: Any) -> Any:
        place[:] = x * 2.0
        return place.sum()

    with pytest.warns(FallbackWarning, match="written to"):
        (g,) = by(f(x), x)
    assert (g.asnumpy() == 2.0).all()


def test_exceptions_are_the_users_and_leave_nothing() -> None:
    x = leaf(X)

    @jit
    def f(x: Any, n: int) -> Any:
        for k in range(n):
            x = ops.tanh(x)
            if k == 5:
                raise ValueError(f"round {k}")
        return x

    f(x, 3)
    gc.collect()
    before = runtime.blocks_in_use()
    with pytest.raises(ValueError, match="round 5") as raised:
        f(x, 10)
    assert raised.traceback[-1].path == __file__ or str(raised.traceback[-1].path) == __file__
    del raised
    gc.collect()
    assert runtime.blocks_in_use() == before


# --- memory and threads -------------------------------------------------------------------------------


def test_what_is_kept_is_freed() -> None:
    x, w, compiled = leaf(X), leaf(W), jit(a_loop_of_the_run)
    by(compiled(x, w, 20), x, w)
    gc.collect()
    before = runtime.blocks_in_use()
    for _ in range(3):
        out = compiled(x, w, 20)
        by(out, x, w)
        compiled(x, w, 20)  # never gone back through
        del out
    gc.collect()
    assert runtime.blocks_in_use() == before


def test_gradients_have_memory_of_their_own() -> None:
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    compiled = jit(lambda a, b: (a + b) * 1.0)
    for _ in range(2):
        way.backward([(compiled(a, b), Tensor(np.ones(2)))])
    assert grad_of(a).asnumpy().tolist() == grad_of(b).asnumpy().tolist() == [2.0, 2.0]  # type: ignore[union-attr]


def test_threads_go_back_at_once() -> None:
    compiled, faults = jit(a_loop_of_the_run), []

    def work(seed: int) -> None:
        x, w = leaf(np.random.default_rng(seed).normal(size=(3, 4))), leaf(W)
        (want,) = by(a_loop_of_the_run(x, w, 4), x)
        for _ in range(20):
            (g,) = by(compiled(x, w, 4), x)
            if not np.allclose(g.asnumpy(), want.asnumpy(), rtol=1e-12):
                faults.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_a_call_without_gradients_first_and_after() -> None:
    p = Parameter(Tensor(W), name="p")
    compiled = jit(lambda x: (x @ p).sum())
    x = Tensor(X)
    plain = float(compiled(x))
    set_requires_grad(p, True)
    assert float(compiled(x)) == pytest.approx(plain)
    assert needs_gradient(compiled(x))
    set_requires_grad(p, False)
    for _ in range(3):
        assert not needs_gradient(compiled(x))
    assert len(compiled.specialisations) == 1
