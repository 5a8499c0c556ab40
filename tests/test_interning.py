"""There is one object for each type and dimension that is in use, and none for those that were."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from weakref import ref

import numpy as np
import pytest
from fuzz.comparison import define

from jitcore import jit
from jitcore.interning import Interned
from jitcore.types import DimExpr, RefType, TensorType, Type, UnionType, f32, f64, symbol


@pytest.fixture
def collected() -> Iterator[None]:
    gc.collect()
    yield
    gc.collect()


def in_use() -> int:
    """How many types and symbolic dimensions there are."""
    gc.collect()
    return sum(isinstance(o, Type | DimExpr) for o in gc.get_objects())


@pytest.mark.parametrize(
    "make",
    [
        lambda: TensorType(f32, (3, symbol("rows"), symbol("rows") * 2 + 1)),
        lambda: RefType(TensorType(f64, (symbol("a") // 3,))),
        lambda: UnionType(((TensorType(f32, (symbol("b"),)),), ())),
        lambda: symbol("c") * symbol("d") - 7,
    ],
)
def test_one_that_is_used_is_found_and_one_that_is_not_goes(make: object, collected: None) -> None:
    assert callable(make)
    made = make()
    assert make() is made
    gone = ref(made)
    del made
    gc.collect()
    assert gone() is None
    assert repr(make()) == repr(make())


def test_what_was_compiled_and_forgotten_leaves_no_types() -> None:
    counts: list[int] = []
    for k in range(6):
        text = f"def f(x):\n    y = x[x > {k}] * 2\n    z = x.reshape(-1, 1) + y\n    return [z[:n].sum() for n in range(len(y))]"
        compiled = jit(define(text, "f", {}))
        for n in (3, 4, 5):
            compiled(np.arange(float(n)))
        del compiled
        counts.append(in_use())
    assert counts[-1] <= counts[2] + 20, counts


def test_threads_get_the_same_one() -> None:
    for k in range(50):
        together = threading.Barrier(4)
        found: list[Type] = []

        def make(k: int = k, together: threading.Barrier = together, found: list[Type] = found) -> None:
            together.wait()
            found.append(TensorType(f32, (symbol(f"thread{k}"), k)))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(map(id, found))) == 1


def test_the_first_that_is_kept_is_the_one() -> None:
    class Thing:
        pass

    kept: Interned[str, Thing] = Interned()
    first, second = Thing(), Thing()
    assert kept.keep("a", first) is first
    assert kept.keep("a", second) is first
    del first
    assert kept.keep("a", second) is second
