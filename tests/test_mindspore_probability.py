"""Distributions and bijectors: densities against sums over many points, samples against moments, in both modes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, grad, jit, nn
from jitcore.compat.mindspore import adopting
from jitcore.nn.probability import bijector as msb
from jitcore.nn.probability import distribution as msd

CONTINUOUS: list[tuple[type[Any], tuple[float, ...], tuple[float, ...], tuple[float, float]]] = [
    (msd.Normal, (1.0, 2.0), (0.5, 1.5), (-40, 40)),
    (msd.Logistic, (1.0, 1.5), (0.5, 2.0), (-60, 60)),
    (msd.Gumbel, (1.0, 1.5), (0.5, 2.0), (-15, 60)),
    (msd.Laplace, (1.0, 1.5), (0.5, 2.0), (-60, 60)),
    (msd.HalfNormal, (1.0, 1.5), (0.5, 2.0), (1, 40)),
    (msd.Uniform, (-1.0, 2.0), (-2.0, 3.0), (-1, 2)),
    (msd.Exponential, (1.5,), (0.7,), (0, 40)),
    (msd.Gamma, (3.0, 2.0), (2.0, 1.5), (0, 40)),
    (msd.Beta, (2.5, 3.0), (2.0, 1.5), (0, 1)),
    (msd.LogNormal, (0.2, 0.4), (0.5, 0.6), (1e-9, 40)),
    (msd.Cauchy, (1.0, 0.3), (0.5, 0.6), (-3e3, 3e3)),
    (msd.StudentT, (9.0, 1.0, 1.5), (8.0, 0.5, 2.0), (-150, 150)),
]
DISCRETE: list[tuple[type[Any], Any, Any, int]] = [
    (msd.Bernoulli, 0.3, 0.6, 2),
    (msd.Geometric, 0.4, 0.6, 90),
    (msd.Poisson, 3.5, 2.5, 60),
    (msd.Categorical, [0.2, 0.5, 0.3], [0.4, 0.4, 0.2], 3),
]
FAMILIES = [*((c, p, q) for c, p, q, _ in CONTINUOUS), *((c, (p,), (q,)) for c, p, q, _ in DISCRETE)]


class Asked(nn.Cell):
    """One method of a distribution, called by name or directly."""

    def __init__(self, dist: Any, method: str, *first: Any) -> None:
        super().__init__()
        self.dist, self.method, self.first = dist, method, first

    def construct(self, *args: Any) -> Any:
        return self.dist(self.method, *self.first, *args)


def ask(dist: Any, method: str, *args: Any, first: tuple[Any, ...] = ()) -> Any:
    """What a method gives, line by line and compiled."""
    plain = getattr(dist, method)(*first, *args)
    cell = Asked(dist, method, *first)
    compiled = jit(lambda *values: cell(*values))(*args)
    np.testing.assert_allclose(compiled.asnumpy(), plain.asnumpy(), rtol=2e-5, atol=1e-6)
    assert compiled.dtype is plain.dtype
    return plain.asnumpy()


def points(cls: type[Any]) -> tuple[Any, Any, bool]:
    """(points, their weights in sums, whether the distribution is continuous)."""
    for other, _, _, (low, high) in CONTINUOUS:
        if other is cls:
            edges = np.linspace(low, high, 400_001)
            return (edges[1:] + edges[:-1]) / 2, (high - low) / 400_000, True
    count = next(n for other, _, _, n in DISCRETE if other is cls)
    return np.arange(float(count)), 1.0, False


def tensors(params: Any) -> list[Tensor]:
    return [Tensor(np.array(p, np.float32)) for p in params]


@pytest.mark.parametrize(("cls", "params", "other"), FAMILIES, ids=lambda v: getattr(v, "__name__", ""))
def test_densities(cls: Any, params: Any, other: Any) -> None:
    """The density adds up to 1, and moments, entropy and divergence are its sums; parameters may be given later."""
    dist, empty = cls(*params), cls(*[None] * len(params)) if cls is not msd.Gumbel else cls(*other)
    x, weight, continuous = points(cls)
    value = Tensor(x.astype(np.float32))
    p = ask(dist, "prob", value).astype(np.float64)
    np.testing.assert_allclose(p.sum() * weight, 1, rtol=2e-3 if cls is msd.Cauchy else 1e-4)
    np.testing.assert_allclose(ask(empty, "prob", value, *tensors(params)), p, rtol=1e-5, atol=1e-7)
    with np.errstate(divide="ignore"):
        inside = p > 1e-20
        np.testing.assert_allclose(ask(dist, "log_prob", value)[inside], np.log(p[inside]), rtol=1e-3, atol=1e-3)
    mean = (p * x).sum() * weight
    var = (p * (x - mean) ** 2).sum() * weight
    if cls is not msd.Cauchy:
        for method, wanted in (("mean", mean), ("var", var), ("sd", np.sqrt(var))):
            if hasattr(dist, "_mean"):
                np.testing.assert_allclose(ask(dist, method), wanted, rtol=2e-3)
                np.testing.assert_allclose(ask(empty, method, *tensors(params)), wanted, rtol=2e-3)
    if hasattr(dist, "_mode") and continuous:
        np.testing.assert_allclose(ask(dist, "mode"), x[p.argmax()] if cls is not msd.Exponential else 0, atol=1e-2)
    elif hasattr(dist, "_mode"):
        assert ask(dist, "mode") == x[p.argmax()]
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(inside, p * np.log(p), 0).sum() * weight
    loose = 2e-2 if cls is msd.Cauchy else 1e-3
    if hasattr(dist, "_entropy"):
        np.testing.assert_allclose(ask(dist, "entropy"), entropy, rtol=loose)
    if hasattr(dist, "_kl_loss"):
        q = cls(*other).prob(value).asnumpy().astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = np.where(inside, p * np.log(p / q), 0).sum() * weight
        kind = (dist.get_dist_type(),)
        np.testing.assert_allclose(ask(dist, "kl_loss", *tensors(other), first=kind), wanted, rtol=loose, atol=2e-4)
        later = ask(empty, "kl_loss", *tensors(other), *tensors(params), first=kind)
        np.testing.assert_allclose(later, wanted, rtol=loose, atol=2e-4)
        if hasattr(dist, "_entropy"):
            made = ask(empty, "cross_entropy", *tensors(other), *tensors(params), first=kind)
            np.testing.assert_allclose(made, wanted + entropy, rtol=loose, atol=2e-4)


@pytest.mark.parametrize(("cls", "params", "other"), FAMILIES, ids=lambda v: getattr(v, "__name__", ""))
def test_probabilities_and_samples(cls: Any, params: Any, other: Any) -> None:
    del other
    dist = cls(*params, seed=3)
    x, weight, continuous = points(cls)
    p = dist.prob(Tensor(x.astype(np.float32))).asnumpy().astype(np.float64)
    below = np.cumsum(p) * weight
    chosen = np.searchsorted(below, [0.1, 0.4, 0.8]) if continuous else np.arange(len(x))[:5]
    at = Tensor(x[chosen].astype(np.float32))
    drawn = dist.sample((400, 50))
    assert drawn.shape == (400, 50)
    assert drawn.dtype is dist.dtype
    numbers = drawn.asnumpy().astype(np.float64)
    for k in chosen:
        assert abs((numbers <= x[k]).mean() - below[k]) < 0.015
    if hasattr(dist, "_cdf") or hasattr(dist, "_log_cdf"):
        near = 1e-2 if cls is msd.Cauchy else 2e-4
        np.testing.assert_allclose(ask(dist, "cdf", at), below[chosen], atol=near)
        np.testing.assert_allclose(ask(dist, "survival_function", at), 1 - below[chosen], atol=near)
        np.testing.assert_allclose(ask(dist, "log_cdf", at), np.log(below[chosen]), atol=10 * near)
        rest = below[chosen] < 0.9
        logs = ask(dist, "log_survival", at)
        np.testing.assert_allclose(logs[rest], np.log(1 - below[chosen][rest]), atol=10 * near)
    again = jit(lambda: dist.sample((2, 3)))
    assert again().shape == (2, 3)


def test_a_divergence_by_mindspores_rules() -> None:
    """A distribution does not diverge from itself, wherever it is moved to; MindSpore leaves that term out."""
    other = tensors((3.0, 1.0))
    wrong = adopting.class_of(msd.Gumbel)(1.0, 1.0).kl_loss("Gumbel", *other)
    right = msd.Gumbel(1.0, 1.0).kl_loss("Gumbel", *other)
    np.testing.assert_allclose(float(right - wrong), -2.0, rtol=1e-6)
    np.testing.assert_allclose(float(right), np.expm1(2.0) - 2.0, rtol=1e-6)


def test_batches() -> None:
    """Parameters broadcast with each other and with values."""
    dist = msd.Normal(np.array([0.0], np.float32), np.array([[1.0], [2.0]], np.float32), seed=1)
    assert dist.batch_shape == (2, 1)
    assert not dist.is_scalar_batch
    assert ask(dist, "mean").shape == (2, 1)
    assert ask(dist, "prob", Tensor([0.1, 0.2, 0.3])).shape == (2, 3)
    assert dist.sample((4,)).shape == (4, 2, 1)
    classes = msd.Categorical(np.array([[0.2, 0.8], [0.6, 0.4]], np.float32))
    np.testing.assert_allclose(ask(classes, "prob", Tensor([1.0, 0.0])), [0.8, 0.6], rtol=1e-6)
    assert classes.sample((3,)).shape == (3, 2)
    args = msd.Normal(0.0, 1.0).get_dist_args(Tensor(2.0))
    assert [float(a) for a in args] == [2.0, 1.0]


def test_gradients() -> None:
    """Of log densities by parameters, compiled and not, against differences."""
    for cls, params, _ in FAMILIES[:-1]:
        dist = cls(*params)
        given = [Tensor(np.array(p, np.float32)) for p in params]
        x = Tensor([0.4 if cls is msd.Beta else 1.0 if cls is msd.Bernoulli else 2.0])

        def loss(*args: Any, dist: Any = dist, x: Any = x) -> Any:
            return dist.log_prob(x, *args).sum()

        if cls is msd.Uniform:
            continue
        slopes = grad(loss, tuple(range(len(given))))
        for made in (slopes(*given), jit(lambda *args, slopes=slopes: slopes(*args))(*given)):
            for k, slope in enumerate(made):
                step = 1e-2
                moved = [[g + (s if j == k else 0) for j, g in enumerate(given)] for s in (step, -step)]
                wanted = (float(loss(*moved[0])) - float(loss(*moved[1]))) / (2 * step)
                assert abs(float(slope) - wanted) < 5e-3 * max(1, abs(wanted)), cls


def test_training_a_parameter() -> None:
    """A Parameter that a distribution is made with is learned."""

    class Fit(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.centre = jitcore.Parameter(Tensor([0.0]), name="centre")
            self.dist = msd.Normal(dtype=jitcore.float32)

        def construct(self, x: Any) -> Any:
            return -self.dist.log_prob(x, self.centre, Tensor([1.0])).mean()

    net = Fit()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.5))
    for _ in range(30):
        step(Tensor([1.0, 2.0, 3.0]))
    assert abs(float(net.centre[0]) - 2.0) < 1e-3


def test_what_is_refused() -> None:
    for make, error in (
        (lambda: msd.Normal(0.0, 1.0, dtype=jitcore.int32), TypeError),
        (lambda: msd.Normal(0.0, 1.0, name=1.0), TypeError),
        (lambda: msd.Normal(0.0, 1.0, seed="seed"), TypeError),
        (lambda: msd.Normal(0.0, 1.0, seed=-1), ValueError),
        (lambda: msd.Normal(0.0, 0.0), ValueError),
        (lambda: msd.Normal([[2.0], [1.0]], [[2.0], [3.0], [4.0]]), ValueError),
        (lambda: msd.Normal(np.zeros(1, np.float16), np.ones(1, np.float32)), TypeError),
        (lambda: msd.Uniform(1.0, 0.0), ValueError),
        (lambda: msd.Bernoulli(1.1), ValueError),
        (lambda: msd.Categorical([0.1, 0.2]), ValueError),
        (lambda: msd.Categorical([0.1, 0.9], dtype=jitcore.bool_), TypeError),
        (lambda: msd.Normal(0.0, 1.0).prob(1.0), TypeError),
        (lambda: msd.Normal().mean(), ValueError),
        (lambda: msd.Normal(0.0, 1.0).kl_loss("Uniform", Tensor(0.0), Tensor(1.0)), ValueError),
        (lambda: msd.Normal(0.0, 1.0).sample(3), TypeError),
        (lambda: msd.Cauchy(0.0, 1.0).mean(), ValueError),
        (lambda: msb.PowerTransform(-1.0), ValueError),
        (lambda: msb.PowerTransform("2"), TypeError),
        (lambda: msb.ScalarAffine(1.0, 2), TypeError),
        (lambda: msb.Exp().forward(Tensor([1, 2])), TypeError),
        (lambda: msb.Invert(3), TypeError),
    ):
        with pytest.raises(error):
            make()


def test_distributions_of_the_users_own() -> None:
    """What is not defined and does not follow raises NotImplementedError."""

    class Half(msd.Distribution):
        def __init__(self) -> None:
            super().__init__(None, jitcore.float32, "Half", {"param_dict": {"rate": 2.0}})
            self.rate = self._add_parameter(2.0, "rate")

        def _log_survival(self, value: Any, rate: Any = None) -> Any:
            return -self._check_value(value, "value") * self._check_param_type(rate)

    half, x = Half(), Tensor([0.5])
    np.testing.assert_allclose(ask(half, "cdf", x), 1 - np.exp(-1.0), rtol=1e-6)
    np.testing.assert_allclose(ask(half, "survival_function", x, Tensor(4.0)), np.exp(-2.0), rtol=1e-6)
    for method in ("prob", "mean", "sample", "kl_loss", "mode", "get_dist_args"):
        for f in (lambda v, m=method: half(m, v), jit(lambda v, m=method: half(m, v))):
            with pytest.raises(NotImplementedError):
                f(x)


BIJECTORS = [
    (msb.Exp(), (-1.5, 1.5)),
    (msb.PowerTransform(0.5), (-1.5, 1.5)),
    (msb.PowerTransform(np.array([0.0, 2.0], np.float32)), (0.1, 1.5)),
    (msb.ScalarAffine(-2.0, 1.0), (-1.5, 1.5)),
    (msb.Softplus(1.5), (-2.0, 2.0)),
    (msb.GumbelCDF(0.5, 2.0), (-1.5, 1.5)),
    (msb.Invert(msb.Exp()), (0.2, 2.0)),
]


@pytest.mark.parametrize(("b", "span"), BIJECTORS, ids=lambda v: getattr(v, "name", ""))
def test_bijectors(b: Any, span: tuple[float, float]) -> None:
    """The inverse undoes the function, and the Jacobians are the derivatives."""
    x = Tensor(np.linspace(*span, 8).reshape(4, 2), jitcore.float64)
    y = Tensor(ask(b, "forward", x))
    np.testing.assert_allclose(ask(b, "inverse", y), x.asnumpy(), rtol=1e-6)
    for method, inverse, at in (("forward", False, x), ("inverse", True, y)):
        slope = grad(lambda v, method=method: getattr(b, method)(v).sum())(at).asnumpy()
        made = ask(b, "inverse_log_jacobian" if inverse else "forward_log_jacobian", at)
        np.testing.assert_allclose(np.broadcast_to(made, slope.shape), np.log(abs(slope)), atol=1e-6)


def test_transformed_distributions() -> None:
    """exp of normal numbers is log-normal, and a line of them is normal; names that are not there are refused."""
    made, wanted = msb.Exp()(msd.Normal(0.3, 0.7)), msd.LogNormal(0.3, 0.7)
    line = msb.ScalarAffine(2.0, 1.0)(msd.Normal(0.3, 0.7))
    x = Tensor([0.5, 1.0, 3.0])
    for method in ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival"):
        np.testing.assert_allclose(ask(made, method, x), ask(wanted, method, x), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(ask(line, method, x), ask(msd.Normal(1.6, 1.4), method, x), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(ask(line, "mean"), 1.6, rtol=1e-6)
    np.testing.assert_allclose(ask(line, "entropy"), ask(msd.Normal(1.6, 1.4), "entropy"), rtol=1e-6)
    assert made.sample((5, 2)).shape == (5, 2)
    with pytest.raises(NotImplementedError):
        made.mean()
    for f in (lambda v: msb.Exp()("backward", v), lambda v: made("middle", v)):
        with pytest.raises(NotImplementedError):
            f(x)


def test_names() -> None:
    """Every family says which it is."""
    for (cls, params, _), seed in zip(FAMILIES, itertools.count(), strict=False):
        dist = cls(*params, seed=seed, name="own")
        assert (dist.name, dist.seed, dist.get_dist_type()) == ("own", seed, cls.__name__)
