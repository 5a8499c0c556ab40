"""The Bessel functions of orders 0 and 1, of all kinds, computed with NumPy on the host.

The integrals over a period (NIST Handbook 10.9.2, 10.32.3) are sums of equally spaced values to full precision; power
series near 0 and Hankel's expansions (10.17, 10.40) far away do the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.primitives.core.registry import HostCode, Partials, Primitive, declare
from jitcore.primitives.core.rules import elementwise_rule
from jitcore.primitives.core.sampling import unary
from jitcore.primitives.ops import elementwise as e

_EULER: Final = 0.5772156649015329
_FAR_CIRCULAR: Final = 25.0
_FAR_MODIFIED: Final = 50.0
_NEAR: Final = 4.0


def _mean_over_period(count: int, value: Callable[[float], Any]) -> Any:
    return sum(value(2 * math.pi * k / count) for k in range(count)) / count


def _power_series(order: int, x: Any, sign: int) -> Any:
    """The sum of sign^k (x / 2)^(2k + order) / (k! (k + order)!), for x up to 1."""
    total, term = np.zeros_like(x), (x / 2) ** order
    for k in range(12):
        total = total + term
        term = term * sign * x * x / (4 * (k + 1) * (k + 1 + order))
    return total


def _hankel(order: int, x: Any, count: int) -> list[Any]:
    """The terms a_k(order) / x^k of Hankel's expansions."""
    terms, term = [], np.ones_like(x)
    for k in range(count):
        terms.append(term)
        term = term * (4 * order * order - (2 * k + 1) ** 2) / ((k + 1) * 8 * x)
    return terms


def _circular_far(order: int, x: Any, second: bool) -> Any:
    terms = _hankel(order, x, 24)
    even = sum((-1) ** k * t for k, t in enumerate(terms[0::2]))
    odd = sum((-1) ** k * t for k, t in enumerate(terms[1::2]))
    phase = x - (order / 2 + 0.25) * math.pi
    wave = even * np.sin(phase) + odd * np.cos(phase) if second else even * np.cos(phase) - odd * np.sin(phase)
    return np.sqrt(2 / (math.pi * x)) * wave


def _first_kind(order: int, x: Any) -> Any:
    size = np.abs(x)
    near = np.minimum(size, _FAR_CIRCULAR)
    made = _mean_over_period(80, lambda t: np.cos(order * t - near * math.sin(t)))
    made = np.where(size > _FAR_CIRCULAR, _circular_far(order, np.maximum(size, _FAR_CIRCULAR), False), made)
    made = np.where(np.isinf(size), 0.0, made)
    made = np.where(size < 1, _power_series(order, np.minimum(size, 1.0), -1), made)
    return made * np.sign(x) if order else made


def _logarithmic_series(order: int, x: Any, sign: int) -> Any:
    """The sum of sign^k (psi(k + 1) + psi(k + order + 1)) (x / 2)^(2k + order) / (k! (k + order)!)."""
    quarter, total, factor = x * x / 4, np.zeros_like(x), (x / 2) ** order
    first, second = -_EULER, -_EULER + (1.0 if order else 0.0)
    for k in range(30):
        total = total + factor * (first + second)
        factor = factor * sign * quarter / ((k + 1) * (k + 1 + order))
        first, second = first + 1 / (k + 1), second + 1 / (k + 1 + order)
    return total


def _second_kind(order: int, x: Any) -> Any:
    size = np.maximum(x, 0.0)
    near, far = np.minimum(size, _NEAR), np.maximum(size, _FAR_CIRCULAR)
    small = (2 * np.log(near / 2) * _first_kind(order, near) - _logarithmic_series(order, near, -1)) / math.pi
    if order:
        small = small - 2 / (math.pi * near)
    small = np.where(near == 0, -np.inf, small)
    middle = np.clip(size, _NEAR, _FAR_CIRCULAR)
    nodes, weights = np.polynomial.legendre.leggauss(64)
    wave = sum(
        w * np.sin(middle * math.sin(t) - order * t)
        for t, w in zip((nodes + 1) * math.pi / 2, weights * math.pi / 2, strict=True)
    )
    reach = np.arcsinh(745 / middle)
    decay = sum(
        w / 2 * reach * (np.exp(order * t * reach) + (-1) ** order * np.exp(-order * t * reach))
        * np.exp(-middle * np.sinh(t * reach))
        for t, w in zip((nodes + 1) / 2, weights, strict=True)
    )  # fmt: skip
    made = np.where(size > _FAR_CIRCULAR, _circular_far(order, far, True), (wave - decay) / math.pi)
    made = np.where(size <= _NEAR, small, made)
    made = np.where(np.isinf(size), 0.0, made)
    return np.where(x < 0, np.nan, made + 0 * np.where(np.isinf(x), 0, x))


def _modified_scaled(order: int, x: Any) -> Any:
    """exp(-|x|) I(x)."""
    size = np.abs(x)
    near, far = np.minimum(size, _FAR_MODIFIED), np.maximum(size, _FAR_MODIFIED)
    made = _mean_over_period(100, lambda t: np.exp(near * (math.cos(t) - 1)) * math.cos(order * t))
    series = sum((-1) ** k * t for k, t in enumerate(_hankel(order, far, 14))) / np.sqrt(2 * math.pi * far)
    made = np.where(size > _FAR_MODIFIED, series, made)
    made = np.where(size < 1, _power_series(order, np.minimum(size, 1.0), 1) * np.exp(-size), made)
    return made * np.sign(x) if order else made


def _modified_second_scaled(order: int, x: Any) -> Any:
    """exp(x) K(x)."""
    size = np.maximum(x, 0.0)
    near, far = np.minimum(size, 2.0), np.maximum(size, _FAR_MODIFIED)
    # K_n has (-1)^(n + 1) log(x / 2) I_n(x), and (-1)^n / 2 times the series
    growing = np.log(near / 2) * _modified_scaled(order, near) * np.exp(near)
    small = (growing if order else -growing) + (-0.5 if order else 0.5) * _logarithmic_series(order, near, 1)
    if order:
        small = small + 1 / near
    small = np.where(near == 0, np.inf, small * np.exp(near))
    middle = np.clip(size, 2.0, _FAR_MODIFIED)
    step = 0.1
    total = 0.5 * np.ones_like(middle)
    for k in range(1, 68):
        t = k * step
        total = total + np.exp(-middle * (math.cosh(t) - 1)) * math.cosh(order * t)
    series = sum(_hankel(order, far, 14)) * np.sqrt(math.pi / (2 * far))
    made = np.where(size > _FAR_MODIFIED, series, total * step)
    made = np.where(size <= 2, small, made)
    return np.where(x < 0, np.nan, made + 0 * np.where(np.isinf(x), 0, x))


def _unscaled(function: Callable[[int, Any], Any], order: int, power: int) -> Callable[[Any], Any]:
    def value(x: Any) -> Any:
        made = function(order, x)
        return np.where(made == 0, 0.0, made * np.exp(power * np.abs(x)))

    return value


def _reference(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def reference(x: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.asarray(function(np.asarray(x, np.float64))).astype(np.asarray(x).dtype)

    return reference


def _declare(name: str, function: Callable[[Any], Any], partial: Callable[[Any, Any], Any], low: float) -> Primitive:
    """`partial(out, x)` is the derivative."""
    specials = (0.0, np.nan, np.inf) + ((-np.inf,) if low < 0 else (-1.0,))
    return declare(
        name,
        "x",
        rule=elementwise_rule(name, 1, "f"),
        reference=_reference(function),
        lowering=HostCode(),
        derivative=Partials(lambda out, x: (lambda: partial(out, x),)),
        samples=unary(low, 6.0, specials),
        doc=f"the Bessel function {name}",
    )


def _over(out: Any, x: Any, at_zero: float) -> Any:
    """out / x, and the limit at 0."""
    zero = e.equal(x, 0)
    return e.select(zero, at_zero, e.div(out, e.select(zero, 1, x)))


j0 = _declare("bessel_j0", lambda x: _first_kind(0, x), lambda out, x: e.neg(j1(x)), -6.0)
j1 = _declare("bessel_j1", lambda x: _first_kind(1, x), lambda out, x: e.sub(j0(x), _over(out, x, 0.5)), -6.0)
y0 = _declare("bessel_y0", lambda x: _second_kind(0, x), lambda out, x: e.neg(y1(x)), 0.2)
y1 = _declare("bessel_y1", lambda x: _second_kind(1, x), lambda out, x: e.sub(y0(x), e.div(out, x)), 0.2)
i0e = _declare(
    "bessel_i0e",
    lambda x: _modified_scaled(0, x),
    lambda out, x: e.sub(i1e(x), e.mul(e.sign(x), out)),
    -6.0,
)
i1e = _declare(
    "bessel_i1e",
    lambda x: _modified_scaled(1, x),
    lambda out, x: e.sub(i0e(x), e.add(e.mul(e.sign(x), out), _over(out, x, 0.5))),
    -6.0,
)
i0 = _declare("bessel_i0", _unscaled(_modified_scaled, 0, 1), lambda out, x: i1(x), -6.0)
i1 = _declare("bessel_i1", _unscaled(_modified_scaled, 1, 1), lambda out, x: e.sub(i0(x), _over(out, x, 0.5)), -6.0)
k0e = _declare("bessel_k0e", lambda x: _modified_second_scaled(0, x), lambda out, x: e.sub(out, k1e(x)), 0.2)
k1e = _declare(
    "bessel_k1e",
    lambda x: _modified_second_scaled(1, x),
    lambda out, x: e.sub(e.sub(out, e.div(out, x)), k0e(x)),
    0.2,
)
k0 = _declare("bessel_k0", _unscaled(_modified_second_scaled, 0, -1), lambda out, x: e.neg(k1(x)), 0.2)
k1 = _declare(
    "bessel_k1",
    _unscaled(_modified_second_scaled, 1, -1),
    lambda out, x: e.neg(e.add(k0(x), e.div(out, x))),
    0.2,
)
