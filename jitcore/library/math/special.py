"""Special functions: Bessel's, the incomplete gamma and beta functions, zeta; and functions of the bits of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import dtype_of_value, promote, static_int, static_ints
from jitcore.library.math import elementwise
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import bessel, gamma
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import special as primitive


def _bessel(kind: str, function: Callable[[Any], Any]) -> None:
    def call(x: Any) -> Any:
        return function(as_float(x))

    call.__doc__ = f"The Bessel function {kind}."
    operator(f"bessel_{kind} Bessel{kind.capitalize()}")(call)


for _kind in ("j0", "j1", "y0", "y1", "i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"):
    _bessel(_kind, getattr(bessel, _kind))


@operator("i0 .i0")
def i0(input: Any) -> Any:
    """The modified Bessel function of order 0."""
    return bessel.i0(as_float(input))


def _floats(*operands: Any) -> tuple[Any, ...]:
    return promote("div", *operands)


@operator("igamma Igamma .igamma")
def igamma(input: Any, other: Any) -> Any:
    """The regularised lower incomplete gamma function P(input, other)."""
    return gamma.igamma(*_floats(input, other))


@operator("igammac Igammac .igammac")
def igammac(input: Any, other: Any) -> Any:
    """The regularised upper incomplete gamma function Q(input, other)."""
    return gamma.igammac(*_floats(input, other))


@operator("betainc Betainc")
def betainc(a: Any, b: Any, x: Any) -> Any:
    """The regularised incomplete beta function."""
    return gamma.betainc(*_floats(a, b, x))


@operator("zeta Zeta")
def zeta(input: Any, other: Any) -> Any:
    """The sum of (other + k) ** -input over k from 0 on."""
    return gamma.zeta(*_floats(input, other))


@operator("PolyGamma")
def polygamma(a: Any, x: Any) -> Any:
    """The derivative of order a of digamma."""
    return primitive.polygamma(as_float(x), order=static_ints(a, "the order")[0])


@operator("mvlgamma .mvlgamma")
def mvlgamma(input: Any, p: Any) -> Any:
    """The logarithm of the multivariate gamma function of dimension p."""
    a, order = as_float(input), static_int(p, "p")
    if order < 1:
        raise ValueError(f"For 'mvlgamma', p must be at least 1, but is {order}.")
    total = primitive.lgamma(a)
    for k in range(1, order):
        total = e.add(total, primitive.lgamma(e.sub(a, k / 2)))
    return e.add(total, order * (order - 1) / 4 * math.log(math.pi))


@operator("Mvlgamma")
def mvlgamma_set_up(x: Any, *, p: Any) -> Any:
    """As `mvlgamma`."""
    return mvlgamma(x, p)


def _ints(name: str, *operands: Any) -> tuple[Any, ...]:
    made = promote("bitwise_and", *operands)
    if not dtype_of_value(made[0]).is_integer:
        raise TypeError(f"For '{name}', ints are needed, not {dtype_of_value(made[0])!r}.")
    return made


@operator("gcd Gcd .gcd")
def gcd(input: Any, other: Any) -> Any:
    """The greatest common divisor."""
    return gamma.gcd(*_ints("gcd", input, other))


@operator("lcm Lcm .lcm")
def lcm(input: Any, other: Any) -> Any:
    """The least common multiple."""
    return gamma.lcm(*_ints("lcm", input, other))


@operator("population_count PopulationCount")
def population_count(input_x: Any) -> Any:
    """The number of bits that are 1."""
    return gamma.bit_count(*_ints("population_count", input_x))


@operator("nextafter NextAfter .nextafter")
def nextafter(input: Any, other: Any) -> Any:
    """The next float after the input in the direction of the other."""
    return gamma.nextafter(*_floats(input, other))


operator("bitwise_invert")(elementwise.invert)


@operator("ComplexAbs")
def complex_abs(x: Any) -> Any:
    """The magnitudes of complex numbers."""
    return elementwise.absolute(x)
