"""Builtins and math, one function at a time."""

# pyright: basic

from __future__ import annotations

import cmath
import math
import operator

import numpy as np

from programs.corpus import case

NAN = float("nan")
INF = float("inf")


@case((3, -2, 7), (1.5, 2, -1), (0, 0.0, -0.0))
def extremes(a, b, c):
    return min(a, b), max(a, b, c), min((a, b, c)), max([a, b]), max(a, b, key=lambda v: -v), min((), default=4)


@case(
    (3, 4.5),
)
def builtins_of_numbers(a, b):
    return abs(-a), abs(b), pow(a, 2), pow(b, 2), round(b), divmod(b, a), int(b), float(a), complex(a, b)


@case(
    (2, 10, 7),
)
def modular_power(a, b, m):
    return pow(2, 10), (a**b) % m


@case((0.5,), (0.0,), (1.0,), (-0.25,))
def math_functions(x):
    return (
        math.sin(x), math.cos(x), math.tan(x), math.asin(x), math.acos(x), math.atan(x), math.sinh(x), math.cosh(x),
        math.tanh(x), math.asinh(x), math.exp(x), math.expm1(x), math.log1p(x), math.erf(x), math.erfc(x),
    )  # fmt: skip


@case((2.5,), (1.0,), (700.0,), (1e-300,))
def math_of_positive(x):
    return (
        math.sqrt(x),
        math.log(x),
        math.log2(x),
        math.log10(x),
        math.gamma(min(x, 20.0)),
        math.lgamma(x),
        math.log(x, 3),
    )


@case((3.0, 4.0), (-3.0, 0.5), (0.0, -0.0))
def math_of_two(x, y):
    return math.hypot(x, y), math.atan2(x, y), math.copysign(x, y), math.fmod(x, 2.5), math.pow(abs(x), y), math.pi


@case((2.7,), (-2.7,), (5,))
def math_rounding(x):
    return math.floor(x), math.ceil(x), math.trunc(x), math.fabs(x), math.isnan(x), math.isinf(x), math.isfinite(x)


@case((12, 18), (0, 5))
def integer_math(a, b):
    return math.gcd(a, b), math.isqrt(a), math.factorial(5), math.comb(6, 2), math.prod((a, b, 2))


@case((800.0,), (1.0,))
def math_overflow(x):
    return math.exp(x)


@case((-1.0,), (4.0,))
def math_domain(x):
    return math.sqrt(x)


@case((0.0,), (1,))
def math_log_of_zero(x):
    return math.log(x)


@case((3,), (2.5,), (True,), ("text",), (None,))
def type_tests(x):
    return isinstance(x, int), isinstance(x, (float, str)), type(x) is int, x is None, callable(x), type(x).__name__


@case(
    (1, 2.0),
)
def attribute_functions(a, b):
    p = Point(a, b)
    return getattr(p, "x"), hasattr(p, "z"), getattr(p, "z", 5), hasattr(p, "y")  # noqa: B009


@case(
    (0, 1, 2),
)
def all_any(a, b, c):
    return all((a, b)), any((a, b)), all([]), any(()), all([b, c]), any(v > 1 for v in (a, b, c))


@case(
    (4,),
)
def map_filter_zip(n):
    return (
        list(map(lambda v: v * n, (1, 2))),
        list(filter(None, (0, 1, 2))),
        list(zip((1, 2), (n, 0))),
        tuple(map(abs, (-1, n))),
    )


@case(
    (3, 4),
)
def operators(a, b):
    return operator.add(a, b), operator.mul(a, b), operator.lt(a, b), operator.neg(a), operator.floordiv(b, a)


@case((1.0, 1.0), (1.0, 1.0 + 1e-12), (INF, INF), (INF, 1.0), (NAN, NAN), (0.0, 1e-12))
def close(x, y):
    return math.isclose(x, y), math.isclose(x, y, rel_tol=1e-3), math.isclose(x, y, abs_tol=1e-6)


@case((2, 0.5), (-3, -0.0), (0, INF))
def negation(n, x):
    return operator.neg(n), operator.neg(x), operator.pos(x), operator.invert(n)


@case((1 + 2j,), (0.5 + 0j,))
def complex_functions(z):
    return cmath.exp(z), cmath.sqrt(z), cmath.phase(z), abs(z), complex(z.real, z.imag), complex(z)


@case((7, 2.5, "x"), (-7, INF, "yz"))
def percent_formats(n, x, s):
    print("%5d|%-5d|%05d|%+d|%x|%o|%%" % (n, n, n, n, abs(n), abs(n)))
    print("%8.3f|%e|%g|%s|%r" % (x, x, x, x, x))
    print("%s %s %(n)s".replace("%(n)s", "z") % (n, s))
    print("%(a)d and %(b).1f" % {"a": n, "b": x})
    print("%d" % n, "%s" % x, "%6s|%-6s|" % (n, True))
    return "%d items" % n, ", ".join([s, f"{n}"]), "{:>8} {!r:>6} {b:.2f}".format(n, s, b=x)


@case((3,), (2.5,))
def percent_of_wrong_type(n):
    return "%x" % n


@case(
    (1,),
)
def percent_with_too_few(n):
    return "%d %d" % (n,)


@case((True, 2, 3.5, 4), (False, -1, 0.0, 5))
def raises_with_many_values(flag, a, b, c):
    raise ValueError(f"{flag} {a} {b} {c} {a + c}")


@case((1, 2.5), (3, NAN))
def raises_with_arguments(a, b):
    raise CustomError("text", a, (b, None))


@case(
    (np.arange(3.0),),
)
def raises_with_array(x):
    raise CustomError(f"bad array {x}")


@case(
    (3,),
)
def raises_number(n):
    raise KeyError(n)


class NeedsTwo(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{reason} ({code})")
        self.code = code


@case((3,), (0,))
def raises_with_own_constructor(n):
    if n:
        raise NeedsTwo(n, "because")
    raise NeedsTwo(0, "zero") from ValueError(f"cause {n}")


@case(
    (1 + 0j, 5),
    (1.0, 5),
    (1.5, 5),
    ("a", 5),
    (None, 5),
    (True, 5),
    (float("nan"), 5),
    (float("inf"), 5),
    (2j, 5),
    ((1,), 5),
    (-1.0, 0),
)
def among_a_range(v, n):
    return v in range(n), v in range(0, n, 2), v in range(n, -2, -1)


@case(([1, 2], 1.5), ([1, 2], "a"), ([1, 2], True), ([1, 2], None))
def numbered_from(xs, start):
    return [k for k, _ in enumerate(xs, start)]
