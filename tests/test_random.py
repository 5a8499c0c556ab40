"""Random numbers: the same in both modes for the same seed, of the right distribution, drawn once."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, context, jit, nn, ops, recompute, value_and_grad
from jitcore.common import set_seed
from jitcore.primitives.ops import random as streams

X = Tensor(np.arange(1, 13, dtype=np.float32).reshape(3, 4))

DRAWS: dict[str, Callable[[Any], Any]] = {
    "standard_normal": lambda x: ops.standard_normal((3, 4)),
    "StandardNormal": lambda x: ops.StandardNormal(seed=3)(x.shape),
    "UniformReal": lambda x: ops.UniformReal(seed=2)((5,)),
    "UniformInt": lambda x: ops.UniformInt()((5,), Tensor(2, "int32"), Tensor(9, "int32")),
    "normal": lambda x: ops.normal((2, 1), x[0], 2.0),
    "uniform": lambda x: ops.uniform((3, 4), Tensor(1.0), x),
    "uniform of ints": lambda x: ops.uniform((7,), Tensor(1), Tensor(4), dtype=np.int32),
    "rand": lambda x: ops.rand(3, 2),
    "rand of float64": lambda x: ops.rand((4,), dtype=np.float64),
    "randn": lambda x: ops.randn((3, 2), dtype=np.float16),
    "rand_like": lambda x: ops.rand_like(x),
    "randn_like": lambda x: ops.randn_like(x),
    "randint": lambda x: ops.randint(-3, 4, (6,)),
    "randint_like": lambda x: ops.randint_like(x, 0, 9),
    "randperm": lambda x: ops.randperm(9),
    "shuffle": lambda x: ops.shuffle(x),
    "bernoulli": lambda x: ops.bernoulli(x, 0.3),
    "multinomial": lambda x: ops.multinomial(x, 5),
    "multinomial without replacement": lambda x: ops.multinomial(x[0], 3, False),
    "dropout": lambda x: ops.dropout(x, 0.4),
    "Dropout": lambda x: ops.Dropout(keep_prob=0.4)(x),
    "dropout2d": lambda x: ops.dropout2d(ops.reshape(x, (1, 3, 2, 2)), 0.5),
    "several": lambda x: (ops.rand(2), ops.randn(2), ops.rand(2)),
    "in a loop": lambda x: _sums(x),
}


def _sums(x: Any) -> Any:
    total = ops.zeros((4,))
    for row in x:
        total = total + row * ops.rand(4)
        if total.sum() > 5:
            total = total + ops.randn(4)
    return total


def arrays(value: Any) -> list[np.ndarray[Any, Any]]:
    return [a for v in value for a in arrays(v)] if isinstance(value, tuple) else [value.asnumpy()]


@pytest.mark.parametrize("name", DRAWS)
def test_both_modes_draw_the_same(name: str) -> None:
    draw = DRAWS[name]
    set_seed(11)
    eager = [arrays(draw(X)) for _ in range(2)]
    compiled = jit(draw)
    set_seed(11)
    have = [arrays(compiled(X)) for _ in range(2)]
    for want, got in zip(eager, have, strict=True):
        for w, g in zip(want, got, strict=True):
            assert w.dtype == g.dtype
            np.testing.assert_array_equal(g, w)
    assert any(not np.array_equal(a, b) for a, b in zip(*eager, strict=True)) or name == "dropout2d"
    assert "interpreter" not in compiled.explain()


def test_philox_has_the_published_results() -> None:
    def words(index: int, draw: int, key: int) -> int:
        return int(streams.philox.reference(np.uint64(index), np.uint64(draw), np.uint64(key)))

    # the known answers of Random123, philox4x32 with 10 rounds: the first two words
    assert words(0, 0, 0) == 0x6627E8D5_E169C58D
    ones = 2**64 - 1
    assert words(ones, ones, ones) == 0x408F276D_41C83B0E


def test_distributions() -> None:
    set_seed(1)
    normal = ops.standard_normal((200_000,)).asnumpy()
    assert abs(normal.mean()) < 0.01
    assert abs(normal.std() - 1) < 0.01
    assert abs((normal**4).mean() - 3) < 0.1
    uniform = ops.rand(200_000).asnumpy()
    assert uniform.min() >= 0
    assert uniform.max() < 1
    np.testing.assert_allclose(np.histogram(uniform, 10, (0, 1))[0] / 200_000, 0.1, atol=0.005)
    assert abs(np.corrcoef(uniform[1:], uniform[:-1])[0, 1]) < 0.01
    ints = ops.randint(-2, 3, (50_000,)).asnumpy()
    np.testing.assert_allclose(np.bincount(ints + 2) / 50_000, 0.2, atol=0.01)
    chosen = ops.multinomial(Tensor([1.0, 0.0, 3.0]), 20_000).asnumpy()
    np.testing.assert_allclose(np.bincount(chosen, minlength=3) / 20_000, [0.25, 0, 0.75], atol=0.02)
    assert sorted(ops.randperm(50).asnumpy().tolist()) == list(range(50))
    assert sorted(ops.multinomial(Tensor([0.1, 0.2, 0.7]), 3, False).asnumpy().tolist()) == [0, 1, 2]


def test_seeds() -> None:
    set_seed(4)
    a = ops.rand(5).asnumpy()
    set_seed(4)
    np.testing.assert_array_equal(ops.rand(5).asnumpy(), a)
    set_seed(5)
    assert not np.array_equal(ops.rand(5).asnumpy(), a)
    own = ops.StandardNormal(seed=7)
    set_seed(4)
    first = own((3,)).asnumpy()
    np.testing.assert_array_equal(ops.rand(5).asnumpy(), a)  # a stream of its own takes nothing from the process's
    set_seed(4)
    np.testing.assert_array_equal(own((3,)).asnumpy(), first)
    for wrong in (-1, 2.5, "a"):
        with pytest.raises((TypeError, ValueError)):
            set_seed(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", [context.GRAPH_MODE, context.PYNATIVE_MODE])
def test_gradients_reuse_what_was_drawn(mode: int) -> None:
    context.set_context(mode=mode)
    try:
        layer = nn.Dropout(p=0.4).set_train()

        def loss(x: Any) -> Any:
            kept = layer(x)
            noisy = kept + ops.standard_normal(x.shape)
            return (kept * noisy).sum(), kept, noisy

        set_seed(5)
        (_, kept, noisy), gradient = value_and_grad(loss, has_aux=True)(X)
        mask = kept.asnumpy() / X.asnumpy()
        np.testing.assert_allclose(gradient.asnumpy(), mask * (kept.asnumpy() + noisy.asnumpy()), rtol=1e-5)
        drawn = ops.rand(3).asnumpy()
        set_seed(5)
        layer(X)
        ops.standard_normal(X.shape)
        np.testing.assert_array_equal(ops.rand(3).asnumpy(), drawn)  # each draw happened once
    finally:
        context.set_context(mode=context.GRAPH_MODE)


def test_run_time_shapes() -> None:
    @jit
    def draw(x: Any, n: int) -> Any:
        return ops.rand(n, 2), ops.randn_like(x), ops.randperm(n)

    for n in (3, 5, 8):
        x = Tensor(np.zeros((n, n), np.float32))
        set_seed(n)
        a, b, c = draw(x, n)
        assert (a.shape, b.shape, c.shape) == ((n, 2), (n, n), (n,))
        set_seed(n)
        np.testing.assert_array_equal(ops.rand(n, 2).asnumpy(), a.asnumpy())


def test_dropout_trains_natively_and_rests_otherwise() -> None:
    layer = nn.Dropout(p=0.5)
    assert layer(X) is X or np.array_equal(layer(X).asnumpy(), X.asnumpy())
    layer.set_train()
    set_seed(2)
    made = layer(X).asnumpy()
    assert set(np.unique(made / X.asnumpy())) <= {0.0, 2.0}
    assert nn.Dropout(keep_prob=0.8).p == pytest.approx(0.2)
    for wrong in (lambda: nn.Dropout(p=1.5), lambda: nn.Dropout(keep_prob=0.0), lambda: ops.dropout(X, 2.0)):
        with pytest.raises(ValueError, match="probability"):
            wrong()


def test_numpys_generator_is_numpys_own() -> None:
    @jit
    def draw(n: int, low: float) -> Any:
        return (
            np.random.rand(3),
            np.random.randint(0, n),
            np.random.normal(low, 1.0, (2, 2)),
            np.random.rand(),
            np.random.uniform(low, 2.0),
            np.random.permutation(4),
            np.random.randint(0, n, 3, dtype=np.int32),
        )

    np.random.seed(3)
    have = draw(5, 0.5)
    np.random.seed(3)
    want = draw.__jitcore_function__(5, 0.5)
    for h, w in zip(have, want, strict=True):
        assert type(h) is type(w)
        assert getattr(h, "dtype", None) == getattr(w, "dtype", None)
        np.testing.assert_array_equal(h, w)


def test_pythons_generator_is_pythons_own() -> None:
    @jit
    def draw(n: int, x: float) -> Any:
        total = 0.0
        for _ in range(n):
            total += random.random() * random.uniform(x, 2.0)
        return total, random.randint(0, n), random.gauss(x, 1.0), random.randrange(n)

    random.seed(3)
    have = draw(5, 0.5)
    random.seed(3)
    want = draw.__jitcore_function__(5, 0.5)
    assert have == want
    assert [type(h) for h in have] == [type(w) for w in want]
    with pytest.raises(ValueError, match="empty range"):
        draw(0, 0.5)


@pytest.mark.usefixtures("strict")
def test_the_languages_generators_are_seeded_in_order() -> None:
    @jit
    def draw(seed: int, many: Any) -> Any:
        before = random.random(), np.random.random()
        random.seed(seed)
        np.random.seed(seed=seed)
        drawn = random.random(), np.random.random(), np.random.exponential(2.0, size=3)
        np.random.seed(many)
        for k in range(3):
            if k == 1:
                random.seed(k)
        return before, drawn, random.random(), np.random.gamma(1.5, size=(2, 2))

    def seeded(function: Any, *args: Any) -> Any:
        random.seed(11)
        np.random.seed(11)
        return function(*args), random.random(), np.random.random()

    for seed, many in ((3, np.array([4, 5])), (8, np.array([1, 2, 3]))):
        have = seeded(draw, seed, many)
        want = seeded(draw.__jitcore_function__, seed, many)
        assert repr(have) == repr(want)
    with pytest.raises(ValueError, match="Seed must be between 0 and"):
        draw(-1, np.array([1]))


@pytest.mark.usefixtures("strict")
def test_seeds_of_chance() -> None:
    @jit
    def draw() -> Any:
        random.seed(3)
        np.random.seed(3)
        random.seed()
        np.random.seed(None)
        return random.random(), np.random.random()

    assert draw() != draw()


@pytest.mark.parametrize("name", ["laplace", "gumbel"])
def test_more_distributions(name: str) -> None:
    set_seed(2)
    if name == "laplace":
        drawn = ops.standard_laplace((100_000,)).asnumpy()
        assert abs(drawn.mean()) < 0.02
        assert abs(np.abs(drawn).mean() - 1) < 0.02
        return
    logits = Tensor(np.log([0.2, 0.3, 0.5]).astype(np.float32)).broadcast_to((20_000, 3))
    hard = ops.gumbel_softmax(logits, 0.5, True).asnumpy()
    np.testing.assert_allclose(hard.mean(0), [0.2, 0.3, 0.5], atol=0.02)
    assert set(np.unique(hard)) <= {0.0, 1.0}
    soft = ops.gumbel_softmax(logits).asnumpy()
    np.testing.assert_allclose(soft.sum(1), 1, rtol=1e-5)
    drawn = ops.random_categorical(Tensor(np.log([[0.2, 0.3, 0.5]]).astype(np.float32)), 20_000).asnumpy()
    np.testing.assert_allclose(np.bincount(drawn[0]) / 20_000, [0.2, 0.3, 0.5], atol=0.02)


@pytest.mark.parametrize("mode", [context.GRAPH_MODE, context.PYNATIVE_MODE])
def test_recomputation_reuses_what_was_drawn(mode: int) -> None:
    @recompute
    def dropped(x: Any) -> Any:
        return ops.dropout(x, 0.5) * x

    def loss(x: Any) -> Any:
        made = dropped(x)
        return made.sum(), made

    context.set_context(mode=mode)
    try:
        set_seed(1)
        (_, made), gradient = value_and_grad(loss, has_aux=True)(X)
        np.testing.assert_allclose(gradient.asnumpy(), 2 * made.asnumpy() / X.asnumpy(), rtol=1e-6)
        after = ops.rand(2).asnumpy()
        set_seed(1)
        ops.rand(1)
        np.testing.assert_array_equal(ops.rand(2).asnumpy(), after)
    finally:
        context.set_context(mode=context.GRAPH_MODE)
