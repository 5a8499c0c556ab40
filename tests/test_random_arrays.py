"""Arrays drawn from random generators: compiled code gives what NumPy gives, draws as much, raises what it raises."""

from __future__ import annotations

import linecache
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from grouped import grouped

from jitcore import FallbackWarning, Tensor, jit

MAKERS: dict[str, Callable[[int], Any]] = {
    "Generator": np.random.default_rng,
    "RandomState": np.random.RandomState,
    "Random": random.Random,
}

pytestmark = pytest.mark.filterwarnings("ignore::jitcore.PerformanceWarning")


def function(expression: str) -> Callable[..., Any]:
    """A function that lists an expression of a generator, a number, a vector, a matrix and a list, over a loop."""
    source = (
        "def f(rng, n, a, m, items):\n"
        "    made = []\n"
        "    first = " + expression + "\n"
        "    for i in range(3):\n"
        "        made.append(" + expression + ")\n"
        "    return first, made\n"
    )
    name = f"<{expression}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def arguments(n: int) -> tuple[Any, ...]:
    return n, np.arange(1.0, n + 1), np.arange(6).reshape(2, 3), [3, 1, 2]


def outcome(call: Callable[..., Any], rng: Any, *args: Any) -> Any:
    """What a call gives or raises, its arguments afterwards, and what the generators draw next."""
    np.random.seed(4)
    try:
        made: Any = call(rng, *args)
    except Exception as error:
        made = (type(error), str(error))
    return described(made), described(args), rng.random(), np.random.random()


def described(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value), [described(v) for v in value]
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    return type(value), dtype, shape, repr(np.asarray(value).tolist())


OF_BOTH = [
    "rng.normal(size=n)",
    "rng.normal(0.0, 2.0, n)",
    "rng.normal(1, 2.5, (n, 2))",
    "rng.normal(a, 0.5)",
    "rng.normal(a, size=(2, n))",
    "rng.normal(m, [1.0, 2.0, 3.0])",
    "rng.normal(2.5, m + 1)",
    "rng.normal(scale=a)",
    "rng.normal(scale=2.0, size=[n, 1])",
    "rng.normal(size=a.shape)",
    "rng.normal(size=(n, m.shape[1]))",
    "rng.normal(np.float64(2), size=3)",
    "rng.normal(size=0)",
    "rng.normal(size=(n - 4, 3))",
    "rng.uniform(size=n)",
    "rng.uniform(-1, 1, (2, n, 2))",
    "rng.uniform(a, a + 1)",
    "rng.uniform(low=[0, 10], high=20)",
    "rng.random(n)",
    "rng.random((2, n))",
    "rng.random(size=(n,))",
    "rng.random(size=np.int64(2))",
    "rng.standard_normal(n)",
    "rng.standard_normal((n, 2))",
    "rng.exponential(a)",
    "rng.exponential(2.0, size=a.shape)",
    "rng.standard_exponential(4)",
    "rng.poisson(a)",
    "rng.poisson(2.0, n)",
    "rng.binomial(10, 0.5, n)",
    "rng.binomial([3, 4], 0.5)",
    "rng.geometric(0.3, size=2) + rng.zipf(3.0, 2)",
    "rng.gamma(2.0, size=(n, 2))",
    "rng.standard_gamma(a)",
    "rng.beta(a, 2.0)",
    "rng.chisquare(a) + rng.rayleigh(a) + rng.weibull(a)",
    "rng.triangular(0.0, 1.0, 2.0, n)",
    "rng.choice(a)",
    "rng.choice(n)",
    "rng.choice(a, 3)",
    "rng.choice(n, size=(2, 2))",
    "rng.choice(n, size=3, replace=False)",
    "rng.choice(a, p=a / a.sum())",
    "rng.choice(3, 4, p=[0.25, 0.25, 0.5])",
    "rng.choice(items, n)",
    "rng.choice([0.5, 1.5])",
    "rng.permutation(n)",
    "rng.permutation(a)",
    "rng.permutation(m)",
    "rng.permutation(items)",
    "rng.multivariate_normal(np.zeros(2), np.eye(2))",
    "rng.multivariate_normal(a[:2], np.eye(2), n)",
    "rng.dirichlet([1.0, 2.0, 3.0])",
    "rng.dirichlet(a, 2)",
    "rng.multinomial(10, [0.2, 0.8])",
    "rng.multinomial(n, [0.5, 0.25, 0.25], size=3)",
    # what they raise
    "rng.normal(size=n - 9)",
    "rng.normal(size=(2, -1))",
    "rng.normal(size=2.5)",
    "rng.random(True)",
    "rng.random('a')",
    "rng.normal(a, [1.0, 2.0])",
    "rng.normal(a, size=(2, n + 1))",
    "rng.normal(0.0, -a)",
    "rng.poisson(-1.0, n)",
    "rng.uniform(1, 2, 3, 4, 5)",
    "rng.choice(0)",
    "rng.choice(n, 99, False)",
    "rng.choice(n, p=[0.5, 0.5])",
    "rng.choice(n, p=a)",
    "rng.dirichlet([-1.0, 2.0])",
    "rng.multinomial(3, [0.9, 0.9])",
    "rng.normal(size=n, wrong=3)",
]
OF_GENERATORS = [
    "rng.integers(0, 9, n)",
    "rng.integers(0, 9, size=(2, n))",
    "rng.integers(9, size=n, dtype=np.int32)",
    "rng.integers(0, [3, 4, 5])",
    "rng.integers(m + 1)",
    "rng.integers(0, 3, 5, endpoint=True)",
    "rng.integers(3, dtype=np.uint8)",
    "rng.random(n, dtype=np.float32)",
    "rng.standard_normal((n, 2), dtype=np.float32)",
    "rng.standard_exponential(n, method='inv')",
    "rng.choice(m, 2, axis=1)",
    "rng.choice(m)",
    "rng.choice(n, 3, replace=False, shuffle=False)",
    "rng.permutation(m, axis=1)",
    "rng.permuted(m, axis=1)",
    "rng.permuted(a)",
    "rng.integers(n, 0, size=2)",
    "rng.integers(0, 300, 2, dtype=np.uint8)",
    "rng.choice(m, 2, axis=2)",
]
OF_STATES = [
    "rng.rand(n)",
    "rng.rand(2, n)",
    "rng.randn(n, 2)",
    "rng.random_sample((n, 1))",
    "rng.randint(0, 9, n)",
    "rng.randint(9, size=(2, n))",
    "rng.randint(0, 9, size=n, dtype=np.int32)",
    "rng.randint(m + 1)",
    "rng.tomaxint(n)",
    "rng.randint(n, 0, 3)",
    "rng.rand(n, -2)",
    "rng.choice(m)",
]
CASES = [
    *(("Generator", text) for text in OF_BOTH + OF_GENERATORS),
    *(("RandomState", text) for text in OF_BOTH + OF_STATES),
    *(("RandomState", text.replace("rng.", "np.random.")) for text in OF_BOTH + OF_STATES if "tomaxint" not in text),
]


@pytest.mark.usefixtures("strict")
@grouped(("kind", "expression"), CASES)
def test_drawn_as_by_numpy(kind: str, expression: str) -> None:
    plain = function(expression)
    compiled = jit(plain)
    for n in (5, 6):
        expected = outcome(plain, MAKERS[kind](3), *arguments(n))
        assert outcome(compiled, MAKERS[kind](3), *arguments(n)) == expected


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("kind", ["Generator", "RandomState", "module"])
def test_arrays_are_shuffled_in_place(kind: str) -> None:
    def shuffle(rng: Any, a: Any, m: Any, n: int) -> Any:
        own = np.arange(n)
        rng.shuffle(a)
        for _ in range(3):
            rng.shuffle(own)
            rng.shuffle(m)
            rng.shuffle(m[0])
        return own, a[0]

    def of_module(_: Any, a: Any, m: Any, n: int) -> Any:
        own = np.arange(n)
        np.random.shuffle(a)
        for _ in range(3):
            np.random.shuffle(own)
            np.random.shuffle(m)
            np.random.shuffle(m[0])
        return own, a[0]

    plain = of_module if kind == "module" else shuffle
    compiled = jit(plain)
    for n in (4, 5, 7):
        found, expected = (
            outcome(f, MAKERS.get(kind, random.Random)(2), np.arange(9.0), np.arange(24).reshape(4, 3, 2), n)
            for f in (compiled, plain)
        )
        assert found == expected


@pytest.mark.usefixtures("strict")
def test_an_axis_is_shuffled() -> None:
    def shuffle(rng: Any, m: Any) -> None:
        rng.shuffle(m, axis=1)

    found, expected = (outcome(f, MAKERS["Generator"](2), np.arange(24).reshape(4, 6)) for f in (jit(shuffle), shuffle))
    assert found == expected


@pytest.mark.usefixtures("strict")
def test_one_specialisation_for_all_sizes() -> None:
    @jit
    def draw(rng: Any, n: int) -> Any:
        return rng.normal(size=n).sum() + np.random.rand(n, 2).sum()

    for n in (1, 2, 5, 40, 0):
        np.random.seed(n)
        found = draw(MAKERS["Generator"](1), n)
        np.random.seed(n)
        assert found == pytest.approx(draw.__wrapped__(MAKERS["Generator"](1), n), rel=1e-12)
    assert len(draw.specialisations) == 1


@pytest.mark.usefixtures("strict")
def test_drawn_arrays_fit_what_they_meet() -> None:
    @jit
    def walk(rng: Any, x: Any, steps: int) -> Any:
        for _ in range(steps):
            x = x + rng.standard_normal(x.shape[0]) * 0.5
            x = np.where(rng.random(x.shape) < 0.5, x, -x)
        return x, x @ rng.normal(size=(x.shape[0], 2))

    for n in (3, 4, 1):
        found, last = walk(MAKERS["Generator"](1), np.ones(n), 5)
        expected, other = walk.__wrapped__(MAKERS["Generator"](1), np.ones(n), 5)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_allclose(last, other, rtol=1e-13)


def test_what_numpy_writes_to_itself_runs_in_the_interpreter() -> None:
    def fill(rng: Any, a: Any) -> Any:
        rng.random(out=a)
        return a.sum()

    with pytest.warns(FallbackWarning, match="filled by"):
        found = outcome(jit(fill), MAKERS["Generator"](1), np.zeros(3))
    assert found == outcome(fill, MAKERS["Generator"](1), np.zeros(3))


def test_tensors_are_left_to_numpy() -> None:
    def draw(rng: Any, x: Any) -> Any:
        return rng.normal(x, 1.0)

    with pytest.warns(FallbackWarning, match="Tensor"):
        found = jit(draw)(MAKERS["Generator"](1), Tensor([1.0, 2.0]))
    np.testing.assert_array_equal(found, MAKERS["Generator"](1).normal(np.float32([1, 2]), 1.0))


# --- methods kept for later ---------------------------------------------------------------------------

draw: Any = None


def total(n: int) -> float:
    made = 0.0
    for _ in range(n):
        made += draw(0.0, 2.0)
    return made


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("kind", MAKERS)
def test_a_method_that_is_a_global(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = jit(total)
    for seed in range(4):
        monkeypatch.setattr(sys.modules[__name__], "draw", MAKERS[kind](seed).uniform)
        found = [compiled(3), compiled(2)]
        monkeypatch.setattr(sys.modules[__name__], "draw", MAKERS[kind](seed).uniform)
        assert found == [total(3), total(2)]
    assert len(compiled.specialisations) == 1
    name = "gammavariate" if kind == "Random" else "normal"  # another method: another specialisation
    for make in (lambda: getattr(MAKERS[kind](1), name), lambda: MAKERS["RandomState"](2).gamma, lambda: max):
        monkeypatch.setattr(sys.modules[__name__], "draw", make())
        compiled = jit(total) if make() is max else compiled
        try:
            found = [compiled(3)]
        except ValueError:
            found = []
        monkeypatch.setattr(sys.modules[__name__], "draw", make())
        try:
            assert found == [total(3)]
        except ValueError:
            assert found == []


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("kind", MAKERS)
def test_methods_that_are_captured_or_given(kind: str) -> None:
    def kept(method: Any) -> Callable[[int], Any]:
        return lambda n: [method(0.0, 1.0) for _ in range(n)]

    def given(method: Any, n: int) -> Any:
        return [method(0.0, 1.0) for _ in range(n)]

    compiled = jit(given)
    for seed in range(4):
        expected = [rng.uniform(0.0, 1.0) for rng in [MAKERS[kind](seed)] for _ in range(5)]
        captured = jit(kept(MAKERS[kind](seed).uniform))
        assert [*captured(2), *captured(3)] == expected
        method = MAKERS[kind](seed).uniform
        assert [*compiled(method, 2), *compiled(method, 3)] == expected
    assert len(compiled.specialisations) == 1
    name = "gauss" if kind == "Random" else "normal"
    assert compiled(getattr(MAKERS[kind](1), name), 3) == given(getattr(MAKERS[kind](1), name), 3)
    assert len(compiled.specialisations) == 2


def test_methods_of_objects_that_only_look_like_generators() -> None:
    class Fixed(random.Random):
        def uniform(self, a: float, b: float) -> float:
            return a - b

    def given(method: Any) -> Any:
        return method(0.0, 1.0)

    compiled = jit(given)
    for _ in range(3):
        assert compiled(random.Random(1).uniform) == random.Random(1).uniform(0.0, 1.0)
        assert compiled(Fixed().uniform) == -1.0


@pytest.mark.usefixtures("strict")
def test_attributes_that_are_methods() -> None:
    class Noise:
        def __init__(self, rng: Any) -> None:
            self.draw = rng.normal

        @jit
        def sample(self, n: int) -> Any:
            return self.draw(size=n) * 2

    noise = Noise(MAKERS["Generator"](3))
    for seed in (3, 4):
        noise.draw = MAKERS["Generator"](seed).normal
        np.testing.assert_array_equal(noise.sample(3), MAKERS["Generator"](seed).normal(size=3) * 2)


def test_generators_made_in_compiled_functions_begin_anew_at_each_call() -> None:
    def old() -> Any:
        return np.random.RandomState(3).rand()

    def new() -> Any:
        return np.random.default_rng(3).random()

    def python() -> Any:
        return random.Random(3).random()

    for plain in (old, new, python):
        compiled = jit(plain)
        with pytest.warns(FallbackWarning):
            found = [compiled() for _ in range(3)]
        assert found == [plain()] * 3
