"""Line by line, nested sequences that hold the same ones again and again, or themselves: the answer comes at once, in NumPy's words."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, context, grad, jvp, ops, vmap
from jitcore.runtime.trees import leaves

pytestmark = pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")


def repeated(item: Any, kind: Any = list, levels: int = 50) -> Any:
    for _ in range(levels):
        item = kind([item, item])
    return item


SHARED: dict[str, Callable[[], Any]] = {
    "floats": lambda: repeated(1.0),
    "arrays": lambda: repeated(np.ones(2)),
    "Tensors": lambda: repeated(Tensor([1.0])),
    "tuples": lambda: repeated(1, tuple),
}
CALLS: dict[str, Callable[[Any], Any]] = {
    "add": lambda x: ops.add(Tensor([1.0]), x),
    "add to": lambda x: ops.add(x, Tensor([1.0])),
    "operator": lambda x: Tensor([1.0]) * x,
    "comparison": lambda x: Tensor([1.0]) < x,
    "stack": ops.stack,
    "concatenation": ops.cat,
    "Tensor": Tensor,
    "sum": ops.sum,
    "index": lambda x: Tensor([1.0])[x],
    "NumPy's function": lambda x: np.multiply(Tensor([1.0]), x),
}


@pytest.fixture(autouse=True)
def _line_by_line() -> Any:
    context.set_context(mode=context.PYNATIVE_MODE)
    yield
    context.set_context(mode=context.GRAPH_MODE)


def at_once(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    began = time.process_time()
    with pytest.raises(error, match=text):
        call()
    assert time.process_time() - began < 20.0, "it would take years"


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("make", SHARED.values(), ids=SHARED)
def test_too_many_places_for_an_array(make: Callable[[], Any], call: Callable[[Any], Any]) -> None:
    at_once(lambda: call(make()), MemoryError, r"Unable to allocate .* for an array with shape \(2, 2, 2")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_too_many_dimensions_for_an_array(call: Callable[[Any], Any]) -> None:
    for item in (1.0, np.ones(2), Tensor([1.0])):
        at_once(lambda: call(repeated(item, levels=70)), ValueError, "maximum number of dimension of 64")  # noqa: B023


def holding_itself(first: Any) -> list[Any]:
    made = [first]
    made.append(made)
    return made


def holding_itself_twice() -> list[Any]:
    made: list[Any] = []
    made += [made, made]
    return made


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    "make",
    [lambda: holding_itself(1.0), lambda: holding_itself(Tensor([1.0])), holding_itself_twice],
    ids=["number", "Tensor", "twice"],
)
def test_sequences_that_hold_themselves(make: Callable[[], Any], call: Callable[[Any], Any]) -> None:
    at_once(lambda: call(make()), ValueError, "setting an array element with a sequence")


def test_a_part_that_is_shared_beside_others() -> None:
    at_once(lambda: ops.add(Tensor([1.0]), [1.0, repeated(1.0)]), ValueError, "inhomogeneous shape")
    at_once(lambda: Tensor([1.0, repeated(Tensor([1.0]))]), ValueError, "inhomogeneous shape")


@pytest.mark.parametrize("make", SHARED.values(), ids=SHARED)
def test_transforms_of_shared_containers(make: Callable[[], Any]) -> None:
    for call in (vmap(lambda x: x), grad(lambda x: x)):
        at_once(lambda: call(make()), ValueError, "containers in a container")  # noqa: B023
    at_once(lambda: jvp(lambda x: x, (make(),), (make(),)), ValueError, "containers in a container")


def test_dicts_that_are_shared() -> None:
    shared = repeated(np.ones(3), lambda pair: dict(zip("ab", pair, strict=True)))
    at_once(lambda: vmap(lambda x: x)(shared), ValueError, "containers in a container")


def test_what_is_held_several_times_counts_as_often() -> None:
    row, many = [1.0, 2.0], repeated([3.0], levels=10)
    assert Tensor([row, row]).asnumpy().tolist() == [row, row]
    assert ops.add(Tensor(np.ones(1)), many).shape == (2,) * 10 + (1,)
    assert len(leaves(many)) == 1024
    assert len(leaves(repeated(0, levels=16))) == 1 << 16
    kept = Tensor([1.0, 2.0])
    assert Tensor([kept, kept, [3.0, 4.0]]).shape == (3, 2)
    assert ops.stack([kept, kept]).shape == (2, 2)
    assert vmap(lambda x, y: x[0] + len(y), in_axes=(0, None))([kept, kept], (row, row)).shape == (2,)
