"""Compiled functions that write to what they have just made: what is seen of it is what is seen line by line, and where
nothing else can see it inference does not begin anew."""

from __future__ import annotations

from typing import Any

import pytest

import jitcore
from jitcore.compat.torch import package
from jitcore.passes.infer.engine import entry

torch: Any = package()
F, D = torch.nn.functional, torch.float64


def activation_under_two_names(x):
    y = x * 2
    z = y
    F.relu(y, inplace=True)
    y.add_(1.0)
    return y, z, y is z


def values_made_before_and_after(x):
    y = x * 2
    before = y + 1
    y.mul_(before)
    after = y + 1
    y.mul_(after)
    return before, after, y


def kept_in_a_list_and_a_dict(x):
    y = x + 1
    held, named = [y, x], {"y": y}
    torch.tanh_(y)
    return held[0] * 2, named["y"] - 1, sum(held)


def by_a_called_function(x):
    def change(t):
        t.sub_(1.0)
        return t + 0.5

    y = x * 3
    first = change(y)
    second = change(y)
    return y, first, second


def through_a_closure(x):
    y = x * 3

    def read():
        return y + 0

    before = read()
    y.neg_()
    return before, read()


def in_short_loops(x):
    y = x * 2
    for k in range(3):
        y.add_(k)
        t = y * 2
        t.mul_(y)
        y = t
    return y


def results_that_are_twins(x):
    y = x * 1
    y.copy_(x * 5)
    z = y * 2
    w = z * 1
    w.copy_(z)
    z.add_(1)
    return y, z, w


def numbers_known_before(x):
    y = torch.tensor(2.0, dtype=D)
    y.add_(1)
    return x[: int(y)], float(y), y


def under_a_name_that_is_deleted(x):
    y = x * 2
    y.exp_()
    z = y.clone()
    del y
    z.log_()
    return z


ALONE = [
    activation_under_two_names,
    values_made_before_and_after,
    kept_in_a_list_and_a_dict,
    by_a_called_function,
    through_a_closure,
    under_a_name_that_is_deleted,
]


def seen_through_a_view(x):
    y = x * 2
    v = y[0]
    y.add_(1.0)
    return y, v


def seen_through_a_view_of_a_view(x):
    y = torch.outer(x, x)
    v = y.t()[1:]
    torch.relu_(y)
    v.add_(1.0)
    return y, v


def around_a_branch(x):
    y = x * 2
    if x.sum() > 0:
        y.add_(1)
    z = y + 0
    y.sub_(1)
    w = y if x.sum() > 5 else z
    y.add_(10)
    return y, z, w


def around_a_loop(x):
    y = x * 2
    z = y
    while z.sum() < 100:
        z = z + y
        y.add_(1)
    y.mul_(2)
    return y, z


def in_a_try(x):
    y = x * 2
    try:
        y.add_(1)
        if x.sum() > 100:
            raise ValueError
        y.mul_(3)
    except ValueError:
        return y * 0
    return y


def a_slice(x):
    y = x * 2
    y[1:] = x[:-1]
    y.add_(1)
    return y


def an_argument(x):
    x.add_(1)
    y = x * 2
    y.sub_(x)
    return y


SEEN = [
    in_short_loops,
    results_that_are_twins,
    numbers_known_before,
    seen_through_a_view,
    seen_through_a_view_of_a_view,
    around_a_branch,
    around_a_loop,
    in_a_try,
    a_slice,
    an_argument,
]


def numbers_of(found: Any) -> Any:
    if isinstance(found, torch.Tensor):
        return found.tolist()
    return [numbers_of(item) for item in found] if isinstance(found, list | tuple) else found


def written_after_it_was_detached(x):
    y = x * 2
    d = y.detach()
    y.mul_(3)
    return y, d + 0


def written_by_what_was_detached(x):
    y = x * 2
    y.detach().add_(1)
    x.detach().mul_(2)
    return y


def detached_and_not_written(x):
    y = x * 2
    y.add_(1)
    d = y.detach()
    h = d.clone()
    h.mul_(2)
    return y, d * 2, h


@pytest.mark.parametrize("function", [written_after_it_was_detached, written_by_what_was_detached])
def test_memory_of_two_tensors_of_which_one_has_no_gradient(function):
    with pytest.warns(jitcore.FallbackWarning, match="detach"):
        check(function, torch.compile(function))


def test_what_is_detached_may_be_used():
    check(detached_and_not_written, torch.compile(detached_and_not_written, fullgraph=True))


def check(function, compiled):
    x, y = torch.tensor([1.0, 2.0, 3.0], dtype=D), torch.tensor([1.0, 2.0, 3.0], dtype=D)
    assert numbers_of(compiled(x)) == numbers_of(function(y))
    assert x.tolist() == y.tolist()


@pytest.mark.parametrize("function", ALONE + SEEN, ids=lambda f: f.__name__)
@pytest.mark.parametrize("values", [[0.5, -1.0, 2.0], [-3.0, 1.0, 0.25, 7.0]], ids=["3", "4"])
def test_what_is_written_is_seen(function, values):
    def outcome(run: Any) -> Any:
        x = torch.tensor(values, dtype=D)
        found = run(x)
        shown = numbers_of(found)
        for tensor in found if isinstance(found, tuple) else (found,):
            if isinstance(tensor, torch.Tensor) and tensor.dim():
                tensor.mul_(2)  # results share memory where they do line by line
        return shown, numbers_of(found), x.tolist()

    have, want = outcome(torch.compile(function, fullgraph=True)), outcome(function)
    for a, b in zip(have, want, strict=True):
        assert a == pytest.approx(b) if not isinstance(a, list) or not a or isinstance(a[0], float) else near(a, b)


def near(have: Any, want: Any) -> bool:
    if isinstance(have, list):
        return len(have) == len(want) and all(map(near, have, want))
    return have == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("function", ALONE, ids=lambda f: f.__name__)
def test_gradients_through_what_is_overwritten(function):
    def gradient(run: Any) -> Any:
        x = torch.tensor([0.5, 1.5, 2.0], dtype=D, requires_grad=True)
        found = run(x)
        parts = found if isinstance(found, tuple) else (found,)
        sum(p.sum() * k for k, p in enumerate(parts, 1) if isinstance(p, torch.Tensor)).backward()
        return x.grad.tolist()

    assert gradient(torch.compile(function)) == pytest.approx(gradient(function), rel=1e-12)


@pytest.mark.parametrize("function", ALONE, ids=lambda f: f.__name__)
def test_inference_does_not_begin_anew(function, monkeypatch):
    count = 0
    attempt = entry._attempt

    def counted(*args: Any) -> Any:
        nonlocal count
        count += 1
        return attempt(*args)

    monkeypatch.setattr(entry, "_attempt", counted)
    torch.compile(function)(torch.tensor([0.5, -1.0, 2.0], dtype=D))
    assert count == 1


def test_a_function_called_with_and_without_a_number_knows_which_of_its_arguments_the_way_back_reads() -> None:
    for k in range(60):
        x = torch.linspace(-1, 1, 9).reshape(3, 3).requires_grad_()
        y = x * 1
        z = torch.tril(y, k % 2) if k % 3 else torch.tril(y)
        y.mul_(2)
        (gradient,) = torch.autograd.grad(z.sum(), x)
        assert gradient.tolist() == torch.ones(3, 3).tril(k % 2 if k % 3 else 0).tolist()
