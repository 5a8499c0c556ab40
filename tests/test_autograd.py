"""Gradients kept by Tensors: those of tapes, for every primitive, through views and writes, and of gradients."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, ops
from jitcore.config import PYNATIVE_MODE, settings
from jitcore.primitives.core.registry import PRIMITIVES, Nondifferentiable, Primitive, Structural
from jitcore.runtime import autograd, nodes
from jitcore.runtime import backward as way
from jitcore.runtime.autograd import grad_of, needs_gradient, set_requires_grad
from jitcore.runtime.recorded import Called

pytestmark = pytest.mark.usefixtures("nothing_is_served")


def leaf(values: Any) -> Tensor:
    made = Tensor(np.array(values, np.float64))
    set_requires_grad(made, True)
    return made


def ones(tensor: Tensor) -> Tensor:
    return Tensor(np.ones_like(tensor.asnumpy()))


def go_back(*outputs: Tensor, **options: Any) -> None:
    way.backward([(out, ones(out)) for out in outputs], **options)


def by(output: Tensor, *inputs: Tensor, **options: Any) -> list[Any]:
    return way.gradients([(output, ones(output))], inputs, **options)


def array(tensor: Any) -> Any:
    return tensor.asnumpy().tolist()


# --- the same as tapes --------------------------------------------------------------------------------


def outcome_of(function: Callable[[], Any]) -> tuple[Any, str]:
    """What a function gave, and what it raised."""
    try:
        return function(), ""
    except (TypeError, ArithmeticError, ValueError) as error:
        return None, f"{type(error).__name__}: {error}"


def _differentiable(primitive: Primitive) -> bool:
    return not isinstance(primitive.derivative, Nondifferentiable | Structural)


def _gives_floats(total: Callable[..., Any], args: Any) -> bool:
    try:
        return total(*args) is not None
    except (IndexError, TypeError, OverflowError, np.linalg.LinAlgError):
        return False


def _floats(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _cases() -> list[Any]:
    found = []
    for primitive in filter(_differentiable, PRIMITIVES.values()):
        for k, sample in enumerate(primitive.samples()):
            if all(isinstance(a, np.ndarray | int | float | bool) for a in sample.args) and any(
                map(_floats, sample.args)
            ):
                found.append(pytest.param(primitive, sample, id=f"{primitive}-{k}"))
    return found


@pytest.mark.parametrize(("primitive", "sample"), _cases())
def test_every_primitive_has_the_gradient_of_tapes(
    primitive: Primitive, sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def total(*args: Any) -> Any:
        made = primitive(*args, **sample.params)
        outs = made if isinstance(made, tuple) else (made,)
        parts = [ops.sum(o * o) for o in outs if isinstance(o, Tensor) and o.dtype.is_float]
        return sum(parts[1:], parts[0]) if parts else None

    args = [Tensor(a) if isinstance(a, np.ndarray) else a for a in sample.args]
    places = tuple(k for k, a in enumerate(sample.args) if _floats(a))
    if not _gives_floats(total, args):
        pytest.skip("called line by line, it gives no floats")
    monkeypatch.setattr(settings, "mode", PYNATIVE_MODE)
    expected, refused = outcome_of(lambda: grad(total, places)(*args))
    for k in places:
        set_requires_grad(args[k], True)
    out = total(*args)
    if refused:
        assert outcome_of(lambda: go_back(out))[1] == refused
        return
    if not needs_gradient(out):  # its derivative is 0 everywhere
        assert all(not np.any(e.asnumpy()) for e in expected)
        return
    go_back(out)
    for k, want in zip(places, expected, strict=True):
        have = grad_of(args[k])
        np.testing.assert_array_equal(np.zeros_like(sample.args[k]) if have is None else have.asnumpy(), want.asnumpy())


def test_gradients_add_up_in_one_memory() -> None:
    w = leaf([1.0, 2.0])
    go_back((w * w).sum())
    first = grad_of(w)
    go_back((w * 3.0).sum())
    assert grad_of(w) is first
    assert array(first) == [5.0, 7.0]


def test_the_gradient_given_is_not_the_leafs() -> None:
    w, seed = leaf([1.0, 2.0]), Tensor(np.array([1.0, 1.0]))
    way.backward([(w * 1.0 + w, seed)])
    way.backward([(w + 0.0, seed)])
    assert array(seed) == [1.0, 1.0]
    assert array(grad_of(w)) == [3.0, 3.0]


def test_what_a_way_back_of_ones_own_gives_is_not_the_leafs() -> None:
    held, x = Tensor(np.array([1.0, 2.0])), leaf([3.0, 4.0])
    for _ in range(2):
        out = Tensor(np.array([6.0, 8.0]))
        out._history = nodes.History((nodes.Custom("double", [x], 1, lambda _: [held]), 0))
        go_back(out)
    assert array(grad_of(x)) == [2.0, 4.0]
    assert array(held) == [1.0, 2.0]


def test_two_leaves_do_not_share_a_gradient() -> None:
    a, b = leaf([1.0]), leaf([2.0])
    go_back(a + b)
    go_back(a * 1.0)
    assert array(grad_of(a)) == [2.0]
    assert array(grad_of(b)) == [1.0]


def test_gradients_of_gradients() -> None:
    x = leaf([1.0, 2.0, 3.0])
    (g,) = by((x**4).sum(), x, create_graph=True)
    (h,) = by(g.sum(), x, create_graph=True)
    (third,) = by(h.sum(), x)
    assert array(g) == [4.0, 32.0, 108.0]
    assert array(h) == [12.0, 48.0, 108.0]
    assert array(third) == [24.0, 48.0, 72.0]


def test_gradients_of_gradients_through_saved_outputs() -> None:
    x = leaf([0.5])
    (g,) = by(ops.exp(x), x, create_graph=True)
    (h,) = by(g, x)
    np.testing.assert_allclose(h.asnumpy(), np.exp([0.5]), rtol=1e-15)


# --- views and writes ---------------------------------------------------------------------------------


def test_a_write_through_a_view_is_part_of_what_its_base_came_of() -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = x * 2.0
    early, view = y[1:], y[:2]
    view *= 3.0
    go_back((y * y).sum() + early[0])
    assert array(grad_of(x)) == [72.0, 150.0, 24.0]


def test_a_value_written_into_what_needed_none() -> None:
    w = leaf([1.0, 2.0])
    buffer = Tensor(np.zeros(4))
    view = buffer[1:3]
    assert not needs_gradient(view)
    buffer[1:3] = w * 5.0
    assert needs_gradient(buffer)
    assert needs_gradient(view)
    go_back(view.sum())
    assert array(grad_of(w)) == [5.0, 5.0]


def test_a_view_that_became_one_of_a_recorded_base_is_not_computed_natively() -> None:
    @jit
    def double(a: Any) -> Any:
        return a * 2.0

    buffer = Tensor(np.zeros(4))
    view = buffer[1:3]
    for _ in range(3):
        assert not needs_gradient(double(view))
    w = leaf([1.0, 2.0])
    buffer[1:3] = w * 5.0
    go_back(double(view).sum())
    assert array(grad_of(w)) == [10.0, 10.0]


def test_leaves_are_not_written_to() -> None:
    w = leaf([1.0, 2.0])
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
        w += 1.0
    with pytest.raises(RuntimeError, match="a view of a leaf Variable"):
        w[0] = 3.0
    assert array(w) == [1.0, 2.0]
    with nodes.recording(False):
        w += 1.0
    assert array(w) == [2.0, 3.0]
    assert autograd.is_leaf(w)
    assert needs_gradient(w)


def test_what_was_overwritten_is_refused_where_it_is_needed() -> None:
    x = leaf([1.0, 2.0])
    y = ops.exp(x)
    z = y * 2.0
    y += 1.0
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation.* is at version 1; expected version 0"):
        go_back(z.sum() + y.sum())
    x = leaf([1.0, 2.0])
    y = x * 3.0
    z = y + 1.0  # needs no elements of y
    y += 1.0
    go_back(z.sum())
    assert array(grad_of(x)) == [3.0, 3.0]


def test_what_an_operation_in_place_needs_of_what_it_overwrites_is_kept() -> None:
    for _ in range(30):
        x = leaf([1.0, 2.0, 3.0])
        y = x * 2.0
        y *= y
        ops.assign(y, ops.sin(y))
        (g,) = by(y, x, create_graph=True)
        want = np.cos([4.0, 16.0, 36.0]) * 8.0 * np.array([1.0, 2.0, 3.0])
        np.testing.assert_allclose(g.asnumpy(), want, rtol=1e-13)
    (second,) = by(g, x)
    at = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(second.asnumpy(), 8 * np.cos(4 * at**2) - 64 * at**2 * np.sin(4 * at**2), rtol=1e-12)


def test_what_is_overwritten_has_a_gradient_of_zero() -> None:
    x, w = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    y = x * 2.0
    y[:] = w
    (of_x, of_w) = by(y.sum(), x, w)
    assert (array(of_x), array(of_w)) == ([0.0, 0.0], [1.0, 1.0])
    y = x * 2.0
    y[0] = 5.0
    assert array(by(y.sum(), x)[0]) == [0.0, 2.0]
    y = x * 2.0
    y *= y  # what it was has its gradient by the product alone
    assert array(by(y.sum(), x)[0]) == [8.0, 16.0]


def test_views_of_views_of_views() -> None:
    x = leaf(np.arange(64.0))
    view = x * 1.0
    for _ in range(60):
        view = view[1:]
    go_back(view.sum())
    np.testing.assert_array_equal(grad_of(x).asnumpy(), np.arange(64) >= 60)


def test_views_made_while_nothing_is_recorded_have_no_gradient() -> None:
    w = leaf([1.0, 2.0])
    with nodes.recording(False):
        view, reshaped = w[:1], w.reshape(2, 1)
    assert not needs_gradient(view)
    assert not needs_gradient(reshaped)
    assert needs_gradient(w[:1])
    view[0] = 7.0
    assert array(w) == [7.0, 2.0]


def test_detached_shares_memory_and_versions() -> None:
    w = leaf([1.0, 2.0])
    y = w * w
    z = y * y
    cut = nodes.detached(y)
    cut += 1.0
    assert array(y) == [2.0, 5.0]
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        go_back(z)


# --- what is asked for --------------------------------------------------------------------------------


def test_a_graph_is_used_up() -> None:
    w = leaf([1.0])
    y = w * w
    go_back(y, keep_graph=True)
    go_back(y)
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        go_back(y)
    assert array(grad_of(w)) == [4.0]


def test_only_what_is_asked_for_is_computed() -> None:
    a, b = leaf([1.0]), leaf([2.0])
    inner = a * b
    seen: list[float] = []
    autograd.register_hook(b, lambda g: seen.append(g.asnumpy().item()))
    out = inner * 3.0
    of_inner, of_a, of_other = by(out, inner, a, leaf([1.0]), keep_graph=True)
    assert (array(of_inner), array(of_a), of_other) == ([3.0], [6.0], None)
    assert grad_of(a) is None
    assert seen == []
    go_back(out, inputs=[a])
    assert array(grad_of(a)) == [6.0]
    assert grad_of(b) is None


def test_hooks_see_and_change_complete_gradients() -> None:
    w = leaf([1.0, 2.0])
    y = w * 2.0
    seen: list[Any] = []
    remove = autograd.register_hook(y, lambda g: g * 10.0)
    autograd.register_hook(w, lambda g: seen.append(array(g)))
    autograd.retain(y)
    go_back((y + y).sum(), keep_graph=True)
    assert seen == [[40.0, 40.0]]
    assert array(grad_of(y)) == [20.0, 20.0]
    assert array(grad_of(w)) == [40.0, 40.0]
    remove()
    go_back(y.sum())
    assert seen[1:] == [[2.0, 2.0]]
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        autograd.register_hook(Tensor([1.0]), print)


def test_what_needs_no_gradient() -> None:
    with pytest.raises(RuntimeError, match="only Tensors of floating point and complex dtype"):
        set_requires_grad(Tensor([1, 2]), True)
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        go_back(Tensor([1.0]))
    w = leaf([1.0])
    assert not needs_gradient(ops.cast(w, np.int64))
    assert not needs_gradient(w > 0)
    with pytest.raises(RuntimeError, match="only change requires_grad flags of leaf"):
        set_requires_grad(w * 2.0, False)
    with pytest.raises(RuntimeError, match=r"Can't call numpy\(\)"):
        np.asarray(w)


# --- functions that are called often --------------------------------------------------------------------


def is_one_call(tensor: Tensor) -> bool:
    """Whether a call of a library function is one node."""
    return isinstance(tensor._history.edge[0], Called)


def test_a_function_called_often_is_one_node_with_the_same_gradients() -> None:
    x, y = leaf([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]), leaf([1.5, 2.5, 3.5])
    found = []
    for k in range(40):
        out = ops.gelu(x) * y
        found.append(by(out, x, y, create_graph=k == 39))
        assert not (k == 0 and is_one_call(out))
    assert is_one_call(out)
    for gradients in found:
        for have, want in zip(gradients, found[0], strict=True):
            np.testing.assert_array_equal(have.asnumpy(), want.asnumpy())
    (second,) = by(found[-1][0], x)
    step = 1e-6
    around = [by(ops.gelu(v) * y, v)[0].asnumpy() for v in (leaf(x.asnumpy() + s) for s in (step, -step))]
    np.testing.assert_allclose(second.asnumpy(), (around[0] - around[1]) / (2 * step), rtol=1e-7)


def test_what_a_call_of_one_node_needs_must_be_as_it_was() -> None:
    for _ in range(20):
        x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
        a, b = x * 1.0, x * 1.0
        out, product = a + y, b * y
        a *= 2.0
        go_back(out)
        assert array(grad_of(x)) == [1.0, 1.0]
        b *= 2.0
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            go_back(product)
    assert is_one_call(product)


def test_a_call_of_one_node_is_used_up() -> None:
    w = leaf([1.0, 2.0])
    for _ in range(20):
        out = w * w
    go_back(out)
    assert is_one_call(out)
    with pytest.raises(RuntimeError, match="a second time"):
        go_back(out)


def test_a_call_of_one_node_while_nothing_is_recorded() -> None:
    w, x = leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([5.0, 6.0])
    with nodes.recording(False):
        for _ in range(20):
            out, view, named = w * x, ops.transpose(w, (1, 0)), ops.mul(w, other=x)
            assert not any(map(needs_gradient, (out, view, named)))
        assert np.shares_memory(view.asnumpy(), w.asnumpy())
    assert not needs_gradient(view)
    for _ in range(20):
        out, view, named = w * x, ops.transpose(w, (1, 0)), ops.mul(w, other=x)
    assert is_one_call(out)
    by_w, by_x = by(out * view + named, w, x)
    assert array(by_w) == [[5.0 + 5.0 + 5.0, 18.0 + 15.0 + 6.0], [10.0 + 12.0 + 5.0, 24.0 + 24.0 + 6.0]]
    assert array(by_x) == [1.0 * 1.0 + 3.0 * 2.0 + 4.0, 2.0 * 3.0 + 4.0 * 4.0 + 6.0]


def test_a_view_whose_node_is_asked_for_while_nothing_is_recorded() -> None:
    w = leaf([[1.0, 2.0], [3.0, 4.0]])
    for _ in range(20):
        view = ops.transpose(w, (1, 0))
        with nodes.recording(False):
            assert needs_gradient(view)
        assert array(by(view * view, w)[0]) == [[2.0, 4.0], [6.0, 8.0]]


def test_hooks_and_kept_gradients_of_calls_of_one_node() -> None:
    w = leaf([1.0, 2.0])
    for _ in range(20):
        out = w * w
    seen: list[Any] = []
    remove = autograd.register_hook(out, lambda g: seen.append(array(g)))
    autograd.register_hook(out, lambda g: g * 2.0)
    autograd.retain(out)
    go_back(out, keep_graph=True)
    assert (seen, array(grad_of(out)), array(grad_of(w))) == ([[1.0, 1.0]], [2.0, 2.0], [4.0, 8.0])
    remove()
    go_back(out)
    assert (seen, array(grad_of(w))) == ([[1.0, 1.0]], [8.0, 16.0])


def test_what_draws_random_numbers_is_not_computed_twice() -> None:
    x = leaf(np.ones(64))
    for _ in range(40):
        out = ops.dropout(x, p=0.5)
        (g,) = by(out, x)
        np.testing.assert_array_equal(g.asnumpy(), out.asnumpy())


def test_views_and_lists_of_tensors_called_often() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    for _ in range(40):
        out = (ops.concat([x, y]).reshape(2, 2) * 2.0)[1]
        (g, h) = by(out.sum() + x[0], x, y)
        assert (array(g), array(h)) == ([1.0, 0.0], [2.0, 2.0])


def test_gradients_by_complex_numbers_are_conjugates_of_cotangents() -> None:
    z = Tensor(np.array([1 + 2j, 3 - 1j]))
    set_requires_grad(z, True)
    square = z * ops.conj(z)
    seen: list[Any] = []
    autograd.register_hook(z, lambda g: seen.append(array(g)))
    way.backward([(ops.real(square).sum(), Tensor(np.array(1.0)))])
    assert array(grad_of(z)) == seen[0] == [2 + 4j, 6 - 2j]  # the way in which |z|² grows
    (g,) = by(z * z, z)
    np.testing.assert_array_equal(g.asnumpy(), 2 * np.conj(z.asnumpy()))


# --- compiled functions -------------------------------------------------------------------------------


def test_a_compiled_function_is_recorded() -> None:
    w = leaf([1.0, 2.0])

    @jit
    def loss(x: Any) -> Any:
        total = 0.0
        for i in range(2):
            total += w[i] * x[i]
        return total

    x = Tensor(np.array([3.0, 4.0]))
    for k in range(3):
        go_back(loss(x))
        assert array(grad_of(w)) == [3.0 * (k + 1), 4.0 * (k + 1)]
    with nodes.recording(False):
        for _ in range(3):
            assert not needs_gradient(loss(x))
    set_requires_grad(w, False)
    autograd.set_grad(w, None)
    for _ in range(3):
        assert not needs_gradient(loss(x))


# --- memory and threads -------------------------------------------------------------------------------


def test_what_nobody_holds_is_gone_at_once() -> None:
    gc.collect()
    gc.disable()
    try:
        w = leaf(np.ones(3))
        inner = w * 2.0
        middle = ops.exp(inner)
        out = (middle + middle[1]).sum()
        watched = [weakref.ref(t) for t in (inner, middle, out)] + [
            weakref.ref(t._history.edge[0]) for t in (inner, middle, out)
        ]
        go_back(out)
        del inner, middle, out
        assert all(ref() is None for ref in watched)
        inner = w * 2.0
        last = ops.exp(inner)
        ref = weakref.ref(last._history.edge[0])
        del inner, last
        assert ref() is None
    finally:
        gc.enable()


def test_a_long_chain_is_followed_and_freed() -> None:
    w = leaf([1.0])
    y = w * 1.0
    for _ in range(20_000):
        y = y + 1.0
    go_back(y, keep_graph=True)
    assert array(grad_of(w)) == [1.0]
    (g,) = by(y, w)
    assert array(g) == [1.0]
    del y


def test_recording_is_of_a_thread() -> None:
    w = leaf([1.0])
    found: list[bool] = []

    def work() -> None:
        found.append(needs_gradient(w * 2.0))

    with nodes.recording(False):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert not needs_gradient(w * 2.0)
    assert found == [True]


@pytest.mark.parametrize(
    "change",
    [lambda w: w.copy(), lambda w: Tensor(w), lambda w: nodes.detached(w)],
    ids=["copy", "made", "detached"],
)
def test_copies(change: Callable[[Any], Any]) -> None:
    made = change(leaf([1.0]))
    assert array(made) == [1.0]
