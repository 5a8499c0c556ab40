"""Gradients through lists that compiled functions make, through results that only known extents make possible, and what
is raised where compiled code finds arguments that do not go together."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from jitcore import jit
from jitcore.compat.torch import package

torch: Any = package()
D = torch.float64


@pytest.fixture(autouse=True)
def _nothing_is_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def leaf(*shape: int) -> Any:
    count = 1
    for n in shape:
        count *= n
    return (torch.arange(count, dtype=D).reshape(shape) / 3 - 0.7).requires_grad_()


def require_close(have: Any, want: Any) -> None:
    assert have.dtype == want.dtype
    np.testing.assert_allclose(have.detach().numpy(), want.detach().numpy(), rtol=1e-12, atol=1e-12)


def products(x, y):
    return [a * b for a, b in zip(x, y, strict=True)]


def appended(x, y):
    made = []
    for k, row in enumerate(x):
        made.append(row.sin() * y[k])
    return made


def pairs(x, y):
    return [(2 * a, (a * b).sum()) for a, b in zip(x, y, strict=True)]


def in_a_dict(x, y):
    return {"rows": [a.sum() for a in reversed(x)], "y": y * 2}


def added(x, y):
    return sum(x) * sum(y)


def factor(x, y):
    return torch.linalg.qr(x)[1].abs() + y.sum()


def tensors(made: Any) -> list[Any]:
    if isinstance(made, torch.Tensor):
        return [made]
    items = made.values() if isinstance(made, dict) else made
    return [t for item in items for t in tensors(item)]


@pytest.mark.parametrize("function", [products, appended, pairs, in_a_dict, added, factor])
def test_gradients_go_through_lists_and_what_needs_known_extents(function):
    compiled = jit(function)
    for rows, columns in ((3, 2), (5, 2), (4, 3), (5, 2)):
        found = []
        for call in (function, compiled):
            x, y = leaf(rows, columns), leaf(rows, columns)
            made = tensors(call(x, y))
            assert all(t.requires_grad for t in made)
            sum((k + 1) * t.sum() for k, t in enumerate(made) if k != 1).backward()
            found.append((made, x.grad, y.grad))
        for have, want in zip(tensors(found[1]), tensors(found[0]), strict=True):
            require_close(have, want)


def test_a_program_for_known_extents_is_made_once_for_each():
    compiled = jit(factor)
    for rows in (3, 4, 5, 4, 5, 4):
        compiled(leaf(rows, 2), leaf(2, 2)).sum().backward()
    assert len(compiled.specialisations) == 4, compiled.explain()


def test_gradients_of_gradients_of_a_list():
    compiled = jit(lambda x: [(row**3).sum() for row in x])
    x = leaf(4, 2)
    first = compiled(x)
    (gradient,) = torch.autograd.grad(first[0] + first[2], x, create_graph=True)
    (second,) = torch.autograd.grad(gradient.sum(), x)
    kept = torch.tensor([[1.0], [0.0], [1.0], [0.0]], dtype=D)
    require_close(second, kept * 6 * x.detach())


def test_items_of_a_list_are_written_to_one_by_one():
    compiled = jit(lambda x: [row * 2 for row in x])
    x = leaf(3, 2)
    first, second, third = compiled(x)
    squared = second * second
    first.add_(1).mul_(3)
    (first.sum() + squared.sum() + third.sum()).backward()
    scale = torch.tensor([[6.0], [0.0], [2.0]], dtype=D)
    require_close(x.grad, scale + torch.tensor([[0.0], [8.0], [0.0]], dtype=D) * x.detach())


def test_a_list_without_items_has_no_gradient():
    compiled = jit(lambda x: [row * 2 for row in x])
    assert compiled(leaf(0, 2)) == []
    assert len(compiled(leaf(3, 2))) == 3
    assert compiled(leaf(0, 2)) == []


# --- exceptions ------------------------------------------------------------------------------------------


def inverse_or_double(x):
    try:
        return torch.linalg.inv(x)
    except RuntimeError:
        return x * 2


@pytest.mark.parametrize("function", [torch.linalg.cholesky, torch.linalg.inv, lambda x: torch.linalg.solve(x, x)])
def test_matrices_that_cannot_be_factorised(function):
    compiled = jit(lambda x: function(x * 1))
    for size in (2, 3, 4):
        with pytest.raises(torch.linalg.LinAlgError):
            compiled(torch.zeros(size, size))
    require_close(compiled(torch.eye(3)), torch.eye(3))


def test_a_handler_in_compiled_code_sees_pytorchs_exception():
    compiled = jit(inverse_or_double)
    for size in (2, 3):
        require_close(compiled(torch.zeros(size, size)), torch.zeros(size, size))
        require_close(compiled(2 * torch.eye(size)), torch.eye(size) / 2)


def test_extents_of_the_run_that_do_not_fit():
    compiled = jit(lambda x, y: x + y)
    compiled(torch.ones(3), torch.ones(3))
    compiled(torch.ones(4), torch.ones(4))
    with pytest.raises(RuntimeError, match=r"\(5,\) \(6,\)") as found:
        compiled(torch.ones(5), torch.ones(6))
    assert found.type is RuntimeError


# --- gradients at the edges --------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [False, True])
def test_the_variance_of_as_many_as_the_correction(compiled):
    function = (lambda x: x.var(dim=1, correction=2)) if not compiled else jit(lambda x: x.var(dim=1, correction=2))
    for rows in (2, 3):
        x = leaf(rows, 2)
        function(x).sum().backward()
        infinite = torch.tensor([[-torch.inf, torch.inf]], dtype=D)
        require_close(x.grad, infinite.expand(rows, 2))


def test_the_second_derivative_of_a_variance():
    x = leaf(3, 4)
    (gradient,) = torch.autograd.grad(jit(lambda x: x.var(0))(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad((gradient * gradient).sum(), x)
    require_close(second, 2 * (x - x.mean(0)).detach())


def test_a_count_has_no_gradient_however_often_it_is_asked_for():
    for _ in range(40):
        x = leaf(2, 2)
        assert not torch.linalg.vector_norm(x, 0, dim=-1).requires_grad


def test_nan_counts_as_the_largest():
    values = torch.tensor([torch.nan, 1.0, torch.nan, -torch.inf, 0.0])
    assert [torch.kthvalue(values, k).values.item() for k in (1, 2, 3)] == [-torch.inf, 0.0, 1.0]
    assert torch.kthvalue(values, 4).values.isnan()


def sum_or_number(x):
    return x.sum() if x.sum() > -100 else 3


def test_known_extents_are_not_tried_again_where_they_have_not_helped():
    compiled = jit(sum_or_number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it runs line by line, and says so
        for rows in (3, 4, 5, 6, 7):
            compiled(leaf(rows, 2)).backward()
    assert len(compiled.specialisations) == 2, compiled.explain()
