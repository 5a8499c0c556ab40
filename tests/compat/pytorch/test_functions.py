"""What PyTorch's functions do besides giving results: memory that is shared, random numbers that repeat, keys that are
written to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from jitcore import jit
from jitcore.compat import torch as compat


@pytest.fixture(scope="module")
def torch() -> Any:
    compat.install()
    import torch as ours

    yield ours
    compat.uninstall()


_VIEWS: dict[str, Callable[[Any], Any]] = {
    "view": lambda x: x.view(-1),
    "reshape": lambda x: x.reshape(3, 2),
    "t": lambda x: x.t(),
    "T": lambda x: x.T,
    "transpose": lambda x: x.transpose(0, 1),
    "permute": lambda x: x.permute(1, 0),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "squeeze": lambda x: x[None].squeeze(0),
    "select": lambda x: x.select(0, 1),
    "narrow": lambda x: x.narrow(1, 0, 2),
    "chunk": lambda x: x.chunk(2)[0],
    "split": lambda x: x.split(1)[1],
    "unbind": lambda x: x.unbind()[0],
    "diagonal": lambda x: x.diagonal(),
    "flatten": lambda x: x.flatten(),
    "movedim": lambda x: x.movedim(0, 1),
    "unflatten": lambda x: x.unflatten(1, (3, 1)),
    "detach": lambda x: x.detach(),
    "contiguous": lambda x: x.contiguous(),
    "float": lambda x: x.float(),
    "[]": lambda x: x[:, 1:],
}


@pytest.mark.parametrize("name", _VIEWS)
def test_a_write_to_a_view_is_seen_in_what_it_is_of(name: str, torch: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    part = _VIEWS[name](x)
    part.fill_(7.0)
    assert int((x == 7).sum()) == part.numel()


def test_a_clone_has_memory_of_its_own(torch: Any) -> None:
    x = torch.zeros(3)
    x.clone().fill_(1)
    assert x.tolist() == [0.0, 0.0, 0.0]


def test_in_place_operators_write_to_the_same_memory(torch: Any) -> None:
    x = torch.zeros(3)
    same = x
    same += 1
    same *= torch.tensor([1.0, 2.0, 3.0])
    same -= 1
    same /= 2
    assert x.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        (lambda x: x.unsqueeze_(0), [1, 2, 3]),
        (lambda x: x.t_(), [3, 2]),
        (lambda x: x.transpose_(0, 1), [3, 2]),
        (lambda x: x.unsqueeze_(0).squeeze_(), [2, 3]),
        (lambda x: x.resize_(4), [4]),
    ],
)
def test_methods_that_change_the_shape_change_the_tensor(call: Callable[[Any], Any], shape: Any, torch: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert call(x) is x
    assert list(x.shape) == shape


def test_gradients_go_through_a_shape_that_was_changed(torch: Any) -> None:
    w = torch.ones(2, 3, requires_grad=True)
    y = w * 2
    y.unsqueeze_(0)
    (y * torch.arange(6.0).reshape(1, 2, 3)).sum().backward()
    assert w.grad.flatten().tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]


_KEYS: list[Any] = [
    0, -1, (0, 1), slice(1, None), (slice(None), 1), (..., 0), (None, 0), [0, 2], (slice(None), [0, 3]),
    ([0, 1], [1, 2]), np.array([True, False, True]), slice(None, None, 2), (slice(None), slice(1, 3)), ...,
]  # fmt: skip


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("key", _KEYS, ids=str)
def test_keys_are_read_and_written_as_those_of_ndarrays(key: Any, compiled: bool, torch: Any) -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    own = torch.tensor(key) if isinstance(key, np.ndarray) else key

    def read(x: Any) -> Any:
        return x[own]

    def write(x: Any) -> Any:
        y = x.clone()
        y[own] = 5.0
        return y

    wrap = jit if compiled else (lambda f: f)
    want = array.copy()
    want[key] = 5.0
    np.testing.assert_array_equal(wrap(read)(torch.tensor(array)).numpy(), array[key])
    np.testing.assert_array_equal(wrap(write)(torch.tensor(array)).numpy(), want)


def test_random_numbers_repeat_from_a_seed_and_a_state(torch: Any) -> None:
    torch.manual_seed(5)
    first = torch.rand(4)
    state = torch.get_rng_state()
    second = torch.randn(3)
    torch.set_rng_state(state)
    assert torch.equal(second, torch.randn(3))
    assert torch.manual_seed(5).initial_seed() == torch.initial_seed() == 5
    assert torch.equal(first, torch.rand(4))


def test_generators_have_streams_of_their_own(torch: Any) -> None:
    one, two = torch.Generator().manual_seed(3), torch.Generator().manual_seed(3)
    torch.rand(2)
    assert torch.equal(torch.rand(3, generator=one), torch.rand(3, generator=two))
    assert torch.equal(torch.randperm(9, generator=one), torch.randperm(9, generator=two))
    assert not torch.equal(torch.zeros(3).uniform_(generator=one), torch.rand(3))


def test_compiled_code_draws_from_the_same_seed_the_same_numbers(torch: Any) -> None:
    drawn = jit(lambda x: torch.rand_like(x) + x)
    torch.manual_seed(1)
    first = drawn(torch.zeros(3))
    torch.manual_seed(1)
    assert torch.equal(first, drawn(torch.zeros(3)))


def test_the_default_dtype_can_be_set(torch: Any) -> None:
    torch.set_default_dtype(torch.float64)
    try:
        made = [torch.zeros(1), torch.tensor(1.0), torch.rand(1), torch.arange(3.0), torch.ones(2, dtype=int) / 2]
        assert all(t.dtype is torch.float64 for t in made)
    finally:
        torch.set_default_dtype(torch.float32)


def test_results_of_several_parts_have_names(torch: Any) -> None:
    found = torch.max(torch.tensor([[1.0, 3.0], [4.0, 2.0]]), dim=1)
    assert found.values.tolist() == [3.0, 4.0]
    assert found.indices.tolist() == [1, 0]
    assert repr(found) == "torch.return_types.max(\nvalues=tensor([3., 4.]),\nindices=tensor([1, 0]))"


def test_an_out_of_other_extents_is_resized_with_a_warning(torch: Any) -> None:
    for shape, warns in (((0,), False), ((5,), False), ((3,), True), ((2, 5), True)):
        out = torch.zeros(shape)
        with pytest.warns(UserWarning, match="resized") if warns else nullcontext():
            made = torch.add(torch.arange(5.0), 1, out=out)
        assert made is out
        assert out.tolist() == [1, 2, 3, 4, 5]


def test_an_out_that_is_a_view_is_not_resized(torch: Any) -> None:
    x = torch.zeros(3, 2)
    with pytest.raises(RuntimeError, match="as a view of another Tensor it cannot be resized"):
        torch.add(torch.arange(5.0), 1, out=x[0])
    torch.add(torch.ones(2), 1, out=x[0])
    assert x.tolist() == [[2, 2], [0, 0], [0, 0]]


def test_an_out_of_another_kind_of_numbers_is_left_as_it_is(torch: Any) -> None:
    out = torch.zeros(3, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        torch.add(torch.arange(5.0), 1, out=out)
    assert out.tolist() == [0, 0, 0]


def test_no_gradient_goes_through_out(torch: Any) -> None:
    x = torch.arange(3.0, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"add\(\): functions with out=... arguments don't support automatic diff"):
        torch.add(x, 1, out=torch.zeros(3))
    with torch.no_grad():
        assert torch.add(x, 1, out=torch.zeros(3)).tolist() == [1, 2, 3]


def test_compiled_code_does_not_write_a_result_to_an_out_of_other_extents(torch: Any) -> None:
    fill = jit(lambda x: torch.add(x, 1, out=torch.zeros(2, 5)))
    with pytest.raises(RuntimeError, match=r"out= has the shape \[2, 5\], the result \[5\]"):
        fill(torch.arange(5.0))


@pytest.mark.parametrize("name", ["expand_as", "type_as", "to", "reshape_as"])
def test_no_gradient_goes_to_what_only_tells_extents_or_a_dtype(name: str, torch: Any) -> None:
    for _ in range(30):  # until calls are served by machine code
        x = torch.ones(2, 1, requires_grad=True)
        other = torch.ones(2, 3 if name == "expand_as" else 1, dtype=torch.float64, requires_grad=True)
        made = getattr(x, name)(other)
        assert torch.autograd.grad(made.sum(), [x, other], allow_unused=True)[1] is None


def test_a_padding_row_counted_from_the_end_has_no_gradient_in_tables_of_any_size(torch: Any) -> None:
    embed = jit(lambda indices, table: torch.nn.functional.embedding(indices, table, padding_idx=-1))
    for n in (3, 4, 5, 6):
        table = torch.ones(n, 2, requires_grad=True)
        embed(torch.tensor([0, n - 1, n - 2]), table).sum().backward()
        assert table.grad[:, 0].tolist() == [1.0, *[0.0] * (n - 3), 1.0, 0.0]


@pytest.mark.parametrize("name", ["expand", "broadcast_to"])
def test_extents_that_are_kept_have_gradients_however_often_they_are_asked_for(name: str, torch: Any) -> None:
    for n in (3, 4, 1, 2, 5) * 6:
        x = torch.ones(n, requires_grad=True)
        getattr(x, name)((2, -1)).sum().backward()
        assert x.grad.tolist() == [2.0] * n


@pytest.mark.parametrize(
    ("call", "reached"),
    [
        (lambda torch, a, b: torch.where(b > 0, a, 0.0), (True, False)),
        (lambda torch, a, b: a.type_as(b), (True, False)),
        (lambda torch, a, b: torch.copysign(a, b), (True, True)),
        (lambda torch, a, b: torch.masked_fill(a, b > 0, 2.0) * 2, (True, False)),
    ],
)
def test_what_no_gradient_goes_to_has_none_however_often_it_is_asked_for(call: Any, reached: Any, torch: Any) -> None:
    for k in range(40):
        a, b = (torch.linspace(-1, 1 + k, 4).requires_grad_() for _ in range(2))
        call(torch, a, b).sum().backward()
        assert (a.grad is not None, b.grad is not None) == reached, k
