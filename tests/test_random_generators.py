"""Random generators that are objects: compiled code draws from them what plain Python draws, whichever object it is at each call."""

from __future__ import annotations

import gc
import linecache
import random
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import FallbackWarning, grad, jit
from jitcore.primitives.ops import generators

Generator = np.random.default_rng
RandomState = np.random.RandomState
MAKERS: dict[str, Callable[[int], Any]] = {
    "Generator": Generator,
    "RandomState": RandomState,
    "Random": random.Random,
}


def function(expression: str) -> Callable[[Any, int], Any]:
    """A function that lists an expression of the generator `rng` and of `i`, over a loop."""
    source = (
        f"def f(rng, n):\n    made = []\n    for i in range(n):\n        made.append({expression})\n    return made\n"
    )
    name = f"<{expression}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def state(rng: Any) -> str:
    """What a generator will draw next."""
    return repr(rng.bit_generator.state if isinstance(rng, np.random.Generator) else rng.random())


def outcome(call: Callable[..., Any], make: Callable[[int], Any], *args: Any, count: int = 1) -> Any:
    """What a call with new generators gives or raises, and what they draw next."""
    rngs = [make(seed) for seed in range(3, 3 + count)]
    try:
        result: Any = call(*rngs, *args)
    except Exception as error:
        result = (type(error), str(error))
    return repr(result), [state(rng) for rng in rngs]


OF_NUMPY = [
    "rng.random() * rng.uniform() * rng.uniform(-1, i) * rng.uniform(high=3.0)",
    "rng.normal(i, 2.0) + rng.normal() + rng.normal(scale=0.5) + rng.standard_normal()",
    "rng.exponential() * rng.exponential(0.5 + i) + rng.standard_exponential()",
    "rng.poisson() + rng.poisson(3.5) + rng.binomial(5 + i, 0.3) + rng.geometric(0.4)",
    "rng.beta(1, b=2) + rng.gamma(2.0) + rng.gamma(2, scale=3) + rng.standard_gamma(1.5) + rng.lognormal(sigma=0.5)",
    "rng.chisquare(3) + rng.triangular(0, 1, 2.5) + rng.wald(1, 2) + rng.weibull(2) + rng.pareto(2) + rng.power(3)",
    "rng.hypergeometric(5, 6, 3) + rng.zipf(3.0) + rng.negative_binomial(3, 0.5) + rng.logseries(0.3)",
    "rng.laplace() + rng.logistic(1) + rng.gumbel() + rng.rayleigh() + rng.vonmises(0, 1) + rng.standard_cauchy()",
    "rng.standard_t(3) + rng.f(2, 3) + rng.noncentral_f(2, 3, 1) + rng.noncentral_chisquare(3, 1)",
    "rng.normal(np.float64(1.5) * i, 2)",
]
CASES = [
    *(("Generator", text) for text in OF_NUMPY),
    *(("RandomState", text) for text in OF_NUMPY),
    ("Generator", "rng.integers(10 + i)"),
    ("Generator", "rng.integers(-3, high=6, endpoint=True) + rng.integers(0, 5, dtype=np.int64)"),
    ("RandomState", "rng.rand() + rng.randn() + rng.random_sample() + rng.randint(5) + rng.randint(-2, i + 1)"),
    ("RandomState", "rng.tomaxint()"),
    ("RandomState", "rng.seed(i + 4) or rng.random()"),
    ("Random", "rng.random() + rng.uniform(1, i) + rng.gauss(0.0, 1.0) + rng.gauss(sigma=2.0)"),
    ("Random", "rng.randint(1, 6) + rng.randrange(10 + i) + rng.randrange(0, 10, 3) + rng.getrandbits(40)"),
    ("Random", "rng.normalvariate(i, 2.0) + rng.expovariate(0.5) + rng.triangular(0.0, 1.0, 0.25)"),
    ("Random", "rng.betavariate(2, 3) + rng.gammavariate(1.0 + i, beta=2) + rng.paretovariate(3)"),
    ("Random", "rng.weibullvariate(1, 2) + rng.vonmisesvariate(0, 4) + rng.lognormvariate(0.1, 0.2)"),
    ("Random", "rng.seed(i) or rng.random()"),
    ("Random", "(rng.choice((4, 5, i)), rng.choice([1.5, 2.5]))"),
    ("Random", "rng.sample((1, 2, 3, 4), 2)"),
    # what they raise
    ("Generator", "rng.integers(i, 0)"),
    ("Generator", "rng.normal(0, 1 - i)"),
    ("Generator", "rng.normal(1, 2, 3, 4)"),
    ("Generator", "rng.poisson(-1.0 - i)"),
    ("Generator", "rng.nothing"),
    ("RandomState", "rng.randint(i, 0)"),
    ("RandomState", "rng.seed(1 - i)"),
    ("RandomState", "rng.beta(1)"),
    ("Random", "rng.randint(2, i)"),
    ("Random", "rng.uniform(i)"),
    ("Random", "rng.normal(0, 1)"),
]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("kind", "expression"), CASES)
def test_methods_draw_as_plain(kind: str, expression: str) -> None:
    plain = function(expression)
    assert outcome(jit(plain), MAKERS[kind], 4) == outcome(plain, MAKERS[kind], 4)


def branches(a: Any, b: Any, n: int) -> Any:
    total, rng = 0.0, a
    for _ in range(n):
        rng = b if total > 2 else a
        total += rng.random()
    return total, rng is a, rng is b, rng is None, rng == a, rng != b, bool(rng), isinstance(rng, str)


def containers(a: Any, b: Any, n: int) -> Any:
    rngs = [a, b, a]
    named = {"first": a, "pair": (b, a)}
    total = named["first"].random() + named["pair"][0].random()
    for k in range(n):
        total += rngs[k % 3].random()
    return total, [x.random() for x in rngs], max(a.random() for _ in range(n))


def functions(a: Any, b: Any, n: int) -> Any:
    def draw(scale: float) -> float:
        return a.uniform(0.0, scale)

    def walk(rng: Any, left: int) -> float:
        return 0.0 if left == 0 else rng.random() - walk(rng, left - 1)

    method = b.random
    return draw(2.0), walk(a, n), walk(b, n), method() + method(), sum(map(draw, [1.0, 2.0]))


def optional(a: Any, b: Any, n: int, rng: Any = None) -> Any:
    if rng is None:
        rng = b
    chosen = a if n > 3 else None
    return rng.random(), chosen is None, 0.0 if chosen is None else chosen.random()


def handled(a: Any, b: Any, n: int) -> Any:
    found = 0
    for k in range(n):
        try:
            found += a.poisson(2.0 - k) if hasattr(a, "poisson") else a.randint(k, 2)
        except ValueError:
            found -= 100
    return found, b.random()


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("plain", [branches, containers, functions, optional, handled])
def test_several_generators(kind: str, plain: Callable[..., Any]) -> None:
    compiled = jit(plain)
    for n in (5, 2):
        assert outcome(compiled, MAKERS[kind], n, count=2) == outcome(plain, MAKERS[kind], n, count=2)


def drawn(rng: Any, n: int) -> float:
    total = 0.0
    for k in range(n):
        total += rng.random() * k
    return total


@pytest.mark.usefixtures("strict")
def test_one_specialisation_serves_every_generator_of_a_class() -> None:
    compiled = jit(drawn)
    for seed in range(20):
        assert compiled(Generator(seed), 5) == drawn(Generator(seed), 5)
    assert len(compiled.specialisations) == 1
    assert compiled(RandomState(1), 5) == drawn(RandomState(1), 5)
    assert compiled(Generator(77), 5) == drawn(Generator(77), 5)
    assert len(compiled.specialisations) == 2


class Model:
    def __init__(self, rng: Any) -> None:
        self.rng = rng

    @jit
    def draw(self, n: int) -> float:
        total = 0.0
        for _ in range(n):
            total += self.rng.random()
        return total

    @jit
    def change(self, rng: Any) -> float:
        self.rng = rng
        return self.rng.random()


@pytest.mark.usefixtures("strict")
def test_generators_that_are_attributes() -> None:
    model = Model(Generator(3))
    for make in (Generator, Generator, RandomState, random.Random):
        model.rng = make(4)
        other = make(4)
        assert [model.draw(3), model.draw(2)] == [
            sum(other.random() for _ in range(3)),
            sum(other.random() for _ in range(2)),
        ]
    rng = Generator(8)
    assert model.change(rng) == Generator(8).random()
    assert model.rng is rng


shared: Any = Generator(1)


@pytest.mark.usefixtures("strict")
def test_globals_and_captured_variables_may_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    captured, constant = Generator(2), Generator(6)

    def draw(default: Any = constant) -> Any:
        return shared.random(), captured.random(), default.random()

    compiled = jit(draw)
    first = Generator(6)
    for make, seed in ((Generator, 3), (Generator, 4), (random.Random, 5), (RandomState, 6)):
        monkeypatch.setattr(sys.modules[__name__], "shared", make(seed))
        captured = make(seed + 1)
        assert compiled() == (make(seed).random(), make(seed + 1).random(), first.random())


@pytest.mark.usefixtures("strict")
def test_the_very_generator_comes_back() -> None:
    @jit
    def choose(a: Any, b: Any, n: int) -> Any:
        return (a if n > 2 else b), [b, a], (a if n > 2 else None)

    a, b = Generator(1), Generator(2)
    for n in (1, 3):
        first, both, last = choose(a, b, n)
        assert first is (a if n > 2 else b)
        assert both[0] is b
        assert both[1] is a
        assert last is (a if n > 2 else None)


def test_generators_with_methods_of_their_own() -> None:
    class Constant(random.Random):
        def random(self) -> float:
            return 0.25

    @jit
    def draw(rng: Any) -> Any:
        return rng.random()

    patched = random.Random(3)
    assert draw(patched) == random.Random(3).random()
    patched.random = lambda: 7.0  # type: ignore[method-assign]
    assert draw(patched) == 7.0
    assert draw(Constant()) == 0.25
    with pytest.warns(FallbackWarning, match="urandom"):
        assert 0 <= draw(random.SystemRandom()) < 1


def test_what_is_not_compiled_runs_in_order() -> None:
    def draw(rng: Any, n: int) -> Any:
        first = rng.random()
        noise = rng.normal(size=3)
        order = np.arange(n)
        rng.shuffle(order)
        noise += len(rng.bytes(n))
        total = 0.0
        for k in range(n):
            total += rng.random() * order[k]
        return first, noise.sum(), total

    for make in (Generator, RandomState):
        with pytest.warns(FallbackWarning, match="attribute .*bytes"):
            found = outcome(jit(draw), make, 5)
        assert found == outcome(draw, make, 5)


@pytest.mark.usefixtures("strict")
def test_gradients_draw_once() -> None:
    @jit
    def loss(x: float, rng: Any) -> Any:
        noise = rng.normal()
        return x * x * noise + rng.random()

    rng, other = Generator(3), Generator(3)
    assert grad(loss)(2.0, rng) == pytest.approx(4.0 * other.normal())
    other.random()
    assert rng.random() == other.random()


@pytest.mark.usefixtures("strict")
def test_threads_draw_from_generators_of_their_own() -> None:
    compiled = jit(drawn)
    found: dict[int, float] = {}
    threads = [
        threading.Thread(target=lambda k=k: found.setdefault(k, compiled(Generator(k), 2000)))  # type: ignore[misc]
        for k in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: drawn(Generator(k), 2000) for k in range(4)}


def test_no_reference_is_lost() -> None:
    compiled, rng = jit(drawn), Generator(3)
    compiled(rng, 3)
    before = sys.getrefcount(rng)
    compiled(rng, 5000)
    gc.collect()
    assert sys.getrefcount(rng) == before


def test_classes_are_told_by_name() -> None:
    for make in MAKERS.values():
        rng = make(0)
        name = generators.name_of(type(rng))
        assert name is not None
        assert generators.class_named(name) is type(rng)
        assert generators.object_at(id(rng)) is rng
    assert generators.name_of(random.SystemRandom) is None
    assert not generators.is_generator(3)
