"""Random generators among the inputs of native calls: which ones machine code serves, and that they are held as long as a call lasts."""

from __future__ import annotations

import gc
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jitcore import jit
from jitcore.signature import struct_layout

pytestmark = pytest.mark.skipif(struct_layout.layout() is None, reason="this interpreter has no native calls")

MAKERS: dict[str, Callable[[int], Any]] = {
    "Generator": np.random.default_rng,
    "RandomState": np.random.RandomState,
    "Random": random.Random,
}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[[int], Any]:
    """What makes generators of one class."""
    return MAKERS[request.param]


def natively(compiled: Any) -> int:
    """How many calls of a compiled function machine code has served."""
    return sum(member.native_calls for member in compiled.specialisations)


def draw(rng: Any) -> Any:
    return rng.uniform(0.0, 2.0)


class Model:
    def __init__(self, rng: Any) -> None:
        self.rng = rng

    def draw(self) -> Any:
        return self.rng.uniform(0.0, 2.0)


shared: Any = None


def draw_of_global() -> Any:
    return shared.uniform(0.0, 2.0)


def of_closure(rng: Any) -> Callable[[], Any]:
    return lambda: rng.uniform(0.0, 2.0)


def ways(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Callable[..., Any], Callable[[Any], tuple[Any, ...]]]]:
    """Functions that draw one number, each with what makes its arguments of a generator."""
    yield draw, lambda rng: (rng,)
    yield lambda pair: pair[1].uniform(0.0, 2.0), lambda rng: ((3.0, rng),)
    yield lambda rngs: rngs[0].uniform(0.0, 2.0), lambda rng: ([rng, rng],)
    yield lambda named: named["rng"].uniform(0.0, 2.0), lambda rng: ({"rng": rng},)
    yield lambda rng, x: rng.uniform(0.0, x), lambda rng: (rng, 2.0)
    yield lambda rng=None: rng.uniform(0.0, 2.0), lambda rng: (rng,)

    def replace(rng: Any) -> tuple[Any, ...]:
        monkeypatch.setattr(sys.modules[__name__], "shared", rng)
        return ()

    yield draw_of_global, replace
    model = Model(None)

    def put(rng: Any) -> tuple[Any, ...]:
        model.rng = rng
        return (model,)

    yield Model.draw, put


@pytest.mark.usefixtures("strict")
def test_calls_with_generators_are_served_natively(make: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for function, args in ways(monkeypatch):
        compiled: Any = jit(function)
        compiled(*args(make(0)))
        before = natively(compiled)
        found = [compiled(*args(make(seed))) for seed in range(5)]
        assert found == [draw(make(seed)) for seed in range(5)]
        assert natively(compiled) == before + 5
        assert len(compiled.specialisations) == 1


@pytest.mark.usefixtures("strict")
def test_a_generator_of_a_closure_is_served_natively(make: Callable[[int], Any]) -> None:
    compiled: Any = jit(of_closure(make(3)))
    assert [compiled() for _ in range(4)] == [draw(rng) for rng in [make(3)] for _ in range(4)]
    assert natively(compiled) == 3


class OwnRandom(random.Random):
    def uniform(self, a: float, b: float) -> float:
        return -super().uniform(a, b)


class OwnState(np.random.RandomState):
    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None) -> Any:  # type: ignore[override]
        return -1.0


class Duck:
    def uniform(self, a: float, b: float) -> float:
        return a - b


def patched() -> random.Random:
    rng = random.Random(3)
    rng.uniform = lambda a, b: 7.0  # type: ignore[method-assign]
    return rng


def marked() -> random.Random:
    rng = random.Random(3)
    rng.mark = 3  # type: ignore[attr-defined]
    return rng


def bare() -> random.Random:
    rng = random.Random(3)
    del rng.gauss_next  # type: ignore[attr-defined]
    return rng


OTHERS: dict[str, Callable[[], Any]] = {
    "subclass": lambda: OwnRandom(3),
    "subclass of RandomState": lambda: OwnState(3),
    "not a generator": Duck,
    "method of its own": patched,
    "attribute of its own": marked,
    "no attributes": bare,
    "another class": lambda: np.random.default_rng(3),
    "RandomState": lambda: np.random.RandomState(3),
    "another bit generator": lambda: np.random.Generator(np.random.MT19937(3)),
}


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
@pytest.mark.parametrize("other", OTHERS)
def test_other_objects_are_told_apart(other: str, make: Callable[[int], Any]) -> None:
    compiled: Any = jit(draw)
    for _ in range(2):
        compiled(make(1))
    for _ in range(3):
        assert compiled(OTHERS[other]()) == draw(OTHERS[other]())
        assert compiled(make(1)) == draw(make(1))


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_what_is_no_generator_raises_as_plain(make: Callable[[int], Any]) -> None:
    compiled: Any = jit(draw)
    for _ in range(2):
        compiled(make(1))
    for other in (None, 3, "rng", SimpleNamespace(), [make(1)]):
        with pytest.raises(AttributeError, match="has no attribute 'uniform'"):
            compiled(other)


@pytest.mark.usefixtures("strict")
def test_the_generators_of_modules_serve_their_calls() -> None:
    own = random.random.__self__  # type: ignore[attr-defined]
    compiled: Any = jit(draw)
    for rng in (random.Random(1), own, random.Random(2), own):
        random.seed(5)
        found = compiled(rng)
        random.seed(5)
        assert found == draw(own) if rng is own else found == draw(random.Random(1 if found < 0.5 else 2))


@pytest.mark.usefixtures("strict")
def test_state_is_the_generators_own() -> None:
    compiled: Any = jit(draw)
    rng = np.random.default_rng(1)
    state = rng.bit_generator.state
    first = [compiled(rng) for _ in range(3)]
    rng.bit_generator.state = state
    assert [compiled(rng) for _ in range(3)] == first
    rng.bit_generator.state = np.random.default_rng(2).bit_generator.state
    assert compiled(rng) == draw(np.random.default_rng(2))
    old = np.random.RandomState(1)
    compiled(old)
    old.set_state(np.random.RandomState(4).get_state())
    assert compiled(old) == draw(np.random.RandomState(4))


@pytest.mark.usefixtures("strict")
def test_the_generator_that_is_returned_is_the_one_given(make: Callable[[int], Any]) -> None:
    compiled: Any = jit(lambda a, b, k: ((a if k > 2 else b), [b, a], (a if k > 1 else None)))
    for k in (1, 2, 3, 1, 2, 3):
        a, b = make(k), make(k)
        first, both, last = compiled(a, b, k)
        assert first is (a if k > 2 else b)
        assert both[0] is b
        assert both[1] is a
        assert last is (a if k > 1 else None)
    assert natively(compiled) == 5


@pytest.mark.usefixtures("strict")
def test_references_are_counted(make: Callable[[int], Any]) -> None:
    compiled: Any = jit(lambda rng, k: (rng.uniform(0.0, 1.0), rng if k else None))
    rng = make(3)
    for k in (0, 1):
        compiled(rng, k)
    before = sys.getrefcount(rng)
    for k in range(1000):
        compiled(rng, k % 2)
    gc.collect()
    assert sys.getrefcount(rng) == before
    kept = [compiled(rng, 1) for _ in range(5)]
    assert sys.getrefcount(rng) == before + 5
    del kept
    assert natively(compiled) >= 1005


@pytest.mark.usefixtures("strict")
def test_a_generator_is_held_until_its_call_ends(make: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread lets go of it meanwhile."""
    module = sys.modules[__name__]

    def run(begun: random.Random, n: int) -> float:
        total, rng = 0.0, shared
        begun.random()
        for _ in range(n):
            total += rng.uniform(0.0, 2.0)
        return total

    def let_go(begun: random.Random, before: Any) -> None:
        while begun.getstate() == before:
            time.sleep(0.001)
        module.shared = None  # type: ignore[attr-defined]

    monkeypatch.setattr(module, "shared", make(1))
    compiled: Any = jit(run)
    compiled(random.Random(), 2)
    for seed in range(3):
        begun = random.Random(seed)
        module.shared = make(seed)  # type: ignore[attr-defined]
        thread = threading.Thread(target=let_go, args=(begun, begun.getstate()))
        thread.start()
        found = compiled(begun, 20_000)
        thread.join()
        module.shared = make(seed)  # type: ignore[attr-defined]
        assert found == run(begun, 20_000)
    assert natively(compiled) == 3


def test_threads_share_a_native_entry(make: Callable[[int], Any]) -> None:
    compiled: Any = jit(draw)
    compiled(make(0))
    compiled(make(0))
    found: dict[int, list[float]] = {}

    def work(seed: int) -> None:
        rng = make(seed)
        found[seed] = [compiled(rng) for _ in range(500)]

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {seed: [draw(rng) for rng in [make(seed)] for _ in range(500)] for seed in range(4)}
    assert natively(compiled) >= 2000
