"""The incomplete gamma and beta functions and Hurwitz's zeta function, computed with NumPy on the host; other functions
of elements that NumPy has and kernels have not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from jitcore.primitives.core.registry import (
    Derivative,
    HostCode,
    Nondifferentiable,
    Partials,
    Primitive,
    Sample,
    declare,
)
from jitcore.primitives.core.rules import elementwise_rule
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import special
from jitcore.primitives.ops import transcendental as t
from jitcore.types import DType, f32, f64, i32, i64, u8

_LGAMMA = np.vectorize(special._lgamma_of, otypes=[np.float64])  # pyright: ignore[reportPrivateUsage]
_DIGAMMA = np.vectorize(
    lambda x: special._polygamma_of(x, 0),  # pyright: ignore[reportPrivateUsage]
    otypes=[np.float64],
)
_TINY: Final = 1e-300
_ROUNDS: Final = 20000
"""More than any argument needs at which the functions are not 0 or 1 to the last bit."""


def _in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """The reference of a function of doubles for narrower floats too."""

    def reference(*args: Any) -> Any:
        dtype = np.asarray(args[0]).dtype
        wide = np.broadcast_arrays(*(np.asarray(a, np.float64) for a in args))
        if not wide[0].size:
            return np.zeros(wide[0].shape, dtype)
        with np.errstate(all="ignore"):
            return np.asarray(function(*wide)).astype(dtype)

    return reference


def _slope_of(function: Callable[..., Any], argument: int, share: float = 2e-3) -> Callable[..., Any]:
    """The derivative of a function of doubles by one of its arguments, by differences of the fourth order: precise to
    about 1e-10."""

    def slope(*args: Any) -> Any:
        step = share * np.abs(args[argument]) + 1e-300

        def moved(by: int) -> Any:
            return function(*(a + by * step if k == argument else a for k, a in enumerate(args)))

        return (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * step)

    return slope


def _declare_slope(name: str, arguments: str, function: Callable[..., Any], argument: int, samples: Any) -> Primitive:
    by = f"{name}_by_{arguments.split()[argument]}"
    return declare(
        by,
        arguments,
        rule=elementwise_rule(by, len(arguments.split()), "f"),
        reference=_in_double(_slope_of(function, argument)),
        lowering=HostCode(),
        derivative=Nondifferentiable(f"second derivatives of {name} by its parameters are not defined", zero=False),
        samples=samples,
        doc=f"The derivative of {name} by {arguments.split()[argument]}.",
    )


# --- incomplete gamma functions -------------------------------------------------------------------------


def _series(a: Any, x: Any) -> tuple[Any, Any]:
    """sum of x^n / ((a + 1) … (a + n)), and its derivative by a."""
    term, total = np.ones_like(x), np.ones_like(x)
    rate, slope = np.zeros_like(x), np.zeros_like(x)
    for n in range(1, _ROUNDS):
        term = term * x / (a + n)
        rate = rate + 1 / (a + n)
        total, slope = total + term, slope - term * rate
        if not np.any(term * (1 + rate) > 1e-17 * total):
            break
    return total, slope


def _fraction(a: Any, x: Any) -> Any:
    """Legendre's continued fraction of x^-a e^x Gamma(a, x) (NIST Handbook 8.9.2), by Lentz's method."""
    b = x + 1 - a
    c = np.full_like(x, 1 / _TINY)
    d = 1 / np.where(b == 0, _TINY, b)
    total = d
    for n in range(1, _ROUNDS):
        factor = -n * (n - a)
        b = b + 2
        d = factor * d + b
        d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
        c = b + factor / c
        c = np.where(np.abs(c) < _TINY, _TINY, c)
        total = total * d * c
        if not np.any(np.abs(d * c - 1) > 1e-16):
            break
    return total


def _incomplete(a: Any, x: Any) -> tuple[Any, Any]:
    """(lower, upper), regularised."""
    ok = (a > 0) & (x > 0) & np.isfinite(x) & np.isfinite(a)
    shape, point = np.where(ok, a, 1.0), np.where(ok, x, 1.0)
    low = point < shape + 1
    scale = np.exp(shape * np.log(point) - point - _LGAMMA(shape + 1))
    lower = np.where(low, scale * _series(shape, np.where(low, point, 1.0))[0], 0.0)
    upper = np.where(low, 0.0, scale * shape * _fraction(shape, np.where(low, shape + 2, point)))
    lower, upper = np.where(low, lower, 1 - upper), np.where(low, 1 - lower, upper)
    edge = np.where(np.isnan(a) | np.isnan(x) | (a < 0) | (x < 0) | ((a == 0) & (x == 0)), np.nan, 0.0)
    one = np.where((a == 0) | np.isinf(x), 1.0, 0.0)
    return np.where(ok, lower, edge + one), np.where(ok, upper, edge + 1 - one)


def _lower_by_shape(a: Any, x: Any) -> Any:
    ok = (a > 0) & (x > 0) & np.isfinite(x) & np.isfinite(a)
    shape, point = np.where(ok, a, 1.0), np.where(ok, x, 1.0)
    total, slope = _series(shape, point)
    scale = np.exp(shape * np.log(point) - point - _LGAMMA(shape + 1))
    return np.where(ok, scale * (total * (np.log(point) - _DIGAMMA(shape + 1)) + slope), np.where(a >= 0, 0.0, np.nan))


def _gamma_density(a: Any, x: Any) -> Any:
    """The derivative of the lower function by x."""
    return t.exp(e.sub(e.sub(e.mul(e.sub(a, 1), t.log(x)), x), special.lgamma(a)))


def _binary_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 3), 0.3, 6.0), spread((3,), 0.2, 8.0)))
    yield Sample((spread((4,), 0.3, 6.0, f32), spread((4,), 0.2, 8.0, f32)))
    yield Sample((spread((0,), 0.3, 6.0), spread((0,), 0.2, 8.0)))
    edges = np.array([[1.0, 0.0], [2.0, np.inf], [0.0, 1.0], [-1.0, 2.0], [np.nan, 1.0], [100.0, 130.0]])
    yield Sample((edges[:, 0].copy(), edges[:, 1].copy()), differentiable=False)


def _gamma_function(name: str, value: Callable[..., Any], derivative: Derivative, doc: str) -> Primitive:
    return declare(
        name,
        "a x",
        rule=elementwise_rule(name, 2, "f"),
        reference=_in_double(value),
        lowering=HostCode(),
        derivative=derivative,
        samples=_binary_samples,
        doc=doc,
    )


igamma_by_shape = _gamma_function(
    "igamma_by_shape",
    _lower_by_shape,
    Nondifferentiable("second derivatives of igamma by its shape are not defined", zero=False),
    "The derivative of igamma by a.",
)
igamma = _gamma_function(
    "igamma",
    lambda a, x: _incomplete(a, x)[0],
    Partials(lambda out, a, x: (lambda: igamma_by_shape(a, x), lambda: _gamma_density(a, x))),
    "The regularised lower incomplete gamma function P(a, x).",
)
igammac = _gamma_function(
    "igammac",
    lambda a, x: _incomplete(a, x)[1],
    Partials(lambda out, a, x: (lambda: e.neg(igamma_by_shape(a, x)), lambda: e.neg(_gamma_density(a, x)))),
    "The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x).",
)

# --- the incomplete beta function -----------------------------------------------------------------------


def _beta_fraction(a: Any, b: Any, x: Any) -> Any:
    """The continued fraction of NIST Handbook 8.17.22, by Lentz's method."""
    c = np.ones_like(x)
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
    total = d
    for n in range(1, _ROUNDS):
        even = n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n))
        odd = -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1))
        step = np.ones_like(x)
        for factor in (even, odd):
            d = 1 + factor * d
            d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
            c = 1 + factor / c
            c = np.where(np.abs(c) < _TINY, _TINY, c)
            step = d * c
            total = total * step
        if not np.any(np.abs(step - 1) > 1e-16):
            break
    return total


def _log_beta(a: Any, b: Any) -> Any:
    return _LGAMMA(a) + _LGAMMA(b) - _LGAMMA(a + b)


def _incomplete_beta(a: Any, b: Any, x: Any) -> Any:
    ok = (a > 0) & (b > 0) & (x > 0) & (x < 1)
    p, q, y = np.where(ok, a, 1.0), np.where(ok, b, 1.0), np.where(ok, x, 0.5)
    swapped = y > (p + 1) / (p + q + 2)
    p, q, y = np.where(swapped, q, p), np.where(swapped, p, q), np.where(swapped, 1 - y, y)
    made = np.exp(p * np.log(y) + q * np.log1p(-y) - _log_beta(p, q)) / p * _beta_fraction(p, q, y)
    made = np.where(swapped, 1 - made, made)
    edge = np.where((x == 0) | (x == 1), x, np.nan)
    return np.where(ok, made, np.where((a > 0) & (b > 0), edge, np.nan))


def _beta_density(a: Any, b: Any, x: Any) -> Any:
    powers = e.add(e.mul(e.sub(a, 1), t.log(x)), e.mul(e.sub(b, 1), t.log1p(e.neg(x))))
    norm = e.sub(special.lgamma(e.add(a, b)), e.add(special.lgamma(a), special.lgamma(b)))
    return t.exp(e.add(powers, norm))


def _beta_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 3), 0.3, 6.0), spread((3,), 0.2, 8.0), spread((2, 3), 0.05, 0.95)))
    yield Sample((np.array([1.0, 2.0, -1.0]), np.ones(3), np.array([0.0, 1.0, 0.5])), differentiable=False)
    yield Sample((spread((4,), 0.3, 6.0, f32), spread((4,), 0.2, 8.0, f32), spread((4,), 0.1, 0.9, f32)))


betainc_by_a, betainc_by_b = (_declare_slope("betainc", "a b x", _incomplete_beta, k, _beta_samples) for k in (0, 1))
betainc = declare(
    "betainc",
    "a b x",
    rule=elementwise_rule("betainc", 3, "f"),
    reference=_in_double(_incomplete_beta),
    lowering=HostCode(),
    derivative=Partials(
        lambda out, a, b, x: (
            lambda: betainc_by_a(a, b, x),
            lambda: betainc_by_b(a, b, x),
            lambda: _beta_density(a, b, x),
        )
    ),
    samples=_beta_samples,
    doc="The regularised incomplete beta function.",
)

# --- Hurwitz's zeta function ----------------------------------------------------------------------------

_BERNOULLI: Final = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)


def _zeta(x: Any, q: Any) -> Any:
    """The sum of (q + k)^-x by Euler and Maclaurin's formula."""
    ok = (x > 1) & ~((q <= 0) & ((q == np.floor(q)) | (x != np.floor(x))))
    s, start = np.where(ok, x, 2.0), np.where(ok, q, 1.0)
    total = np.zeros_like(s)
    behind = np.maximum(-np.floor(start), 0)
    for k in range(int(behind.max(initial=0)) + 12):
        total = total + np.where(k < behind + 12, (start + k) ** -s, 0.0)
    far = start + behind + 12
    total = total + far ** (1 - s) / (s - 1) + 0.5 * far**-s
    rising = s * far ** (-s - 1)
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        total = total + bernoulli / math.factorial(2 * k) * rising
        rising = rising * (s + 2 * k - 1) * (s + 2 * k) / (far * far)
    poles = np.where((x == 1) | ((x > 1) & (q <= 0) & (q == np.floor(q))), np.inf, np.nan)
    return np.where(ok, np.where(np.isinf(q), 0.0, total), poles)


def _zeta_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 3), 1.2, 6.0), spread((3,), 0.2, 8.0)))
    yield Sample((np.array([1.0, 2.0, 0.5, 3.0]), np.array([1.0, -2.0, 1.0, -1.5])), differentiable=False)
    yield Sample((spread((4,), 1.2, 6.0, f32), spread((4,), 0.2, 8.0, f32)))


zeta_by_x = _declare_slope("zeta", "x q", _zeta, 0, _zeta_samples)
zeta = declare(
    "zeta",
    "x q",
    rule=elementwise_rule("zeta", 2, "f"),
    reference=_in_double(_zeta),
    lowering=HostCode(),
    derivative=Partials(
        lambda out, x, q: (
            lambda: zeta_by_x(x, q),
            lambda: e.neg(e.mul(x, zeta(e.add(x, 1), q))),
        )
    ),
    samples=_zeta_samples,
    doc="The sum of (q + k)^-x over k from 0 on.",
)

# --- functions that NumPy has ---------------------------------------------------------------------------


def _of_numpy(
    name: str,
    arity: int,
    kinds: str,
    function: Any,
    derivative: Derivative,
    *dtypes: DType,
    result: DType | None = None,
) -> Primitive:
    def samples() -> Iterable[Sample]:
        for dtype in dtypes:
            yield Sample(tuple(mixed((2, 3), k, dtype) for k in range(arity)), differentiable=False)
        yield Sample(tuple(mixed((2, 1) if k else (3,), k, dtypes[0]) for k in range(arity)), differentiable=False)

    return declare(
        name,
        " ".join("xyz"[:arity]),
        rule=elementwise_rule(name, arity, kinds, result),
        reference=lambda *args: np.asarray(function(*args)),
        lowering=HostCode(),
        derivative=derivative,
        samples=samples,
        doc=f"NumPy's {function.__name__}.",
    )


_WHOLE = Nondifferentiable("its results are integers")
gcd = _of_numpy("gcd", 2, "iu", np.gcd, _WHOLE, i64, i32, u8)
lcm = _of_numpy("lcm", 2, "iu", np.lcm, _WHOLE, i64, i32, u8)
bit_count = _of_numpy("bit_count", 1, "iu", np.bitwise_count, _WHOLE, i64, i32, u8, result=u8)
nextafter = _of_numpy("nextafter", 2, "f", np.nextafter, Partials(lambda out, x, y: (lambda: 1, None)), f64, f32)
