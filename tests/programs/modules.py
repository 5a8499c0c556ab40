"""math, operator, itertools and functools."""

# pyright: basic

from __future__ import annotations

import functools
import itertools
import math
import operator

import numpy as np

from programs.corpus import case


@case((0.5,), (0.0,), (-0.25,))
def trigonometry(x):
    return (
        math.sin(x), math.cos(x), math.tan(x), math.asin(x), math.acos(x), math.atan(x), math.sinh(x), math.cosh(x),
        math.tanh(x), math.asinh(x), math.atanh(x), math.degrees(x), math.radians(x),
    )  # fmt: skip


@case((2.0,), (0.5,), (10.0,))
def exponentials(x):
    return (
        math.exp(x),
        math.log(x),
        math.log2(x),
        math.log10(x),
        math.log1p(x),
        math.expm1(x),
        math.sqrt(x),
        math.pow(x, 1.5),
        math.log(x, 3),
    )


@case((12, 18), (0, 5), (7, 7))
def integers(a, b):
    return math.gcd(a, b), math.lcm(a, b), math.comb(10, 3), math.factorial(a % 10), math.isqrt(a), math.perm(5, 2)


@case((2.5, -1.0), (-2.5, 0.0))
def floats(x, y):
    return (
        math.floor(x),
        math.ceil(x),
        math.trunc(x),
        math.fabs(x),
        math.copysign(x, y),
        math.fmod(x, 2),
        math.hypot(x, y),
        math.atan2(x, y),
    )


@case((3.75,), (-0.1,))
def parts(x):
    return (
        math.isclose(x, x + 1e-12),
        math.isnan(x),
        math.isinf(x),
        math.isfinite(x),
        math.pi,
        math.e,
        math.tau,
    )


@case((0.3,), (1.5,))
def special_functions(x):
    return math.erf(x), math.erfc(x), math.gamma(x), math.lgamma(x)


@case((-1.0,), (4.0,))
def domain(x):
    return math.sqrt(x)


@case((5, 3), (-5, 2))
def operators(a, b):
    return (
        operator.add(a, b), operator.sub(a, b), operator.mul(a, b), operator.truediv(a, b), operator.floordiv(a, b),
        operator.mod(a, b), operator.neg(a), operator.lt(a, b), operator.eq(a, b), operator.and_(a, b), operator.xor(a, b),
    )  # fmt: skip


@case((3, 4))
def getters(a, b):
    return (
        operator.getitem((a, b), 1),
        operator.contains((a, b), 3),
    )


@case((np.arange(4.0), 2.0))
def operators_on_arrays(x, k):
    return operator.add(x, k), operator.mul(x, x), operator.matmul(x, x), operator.getitem(x, 1), operator.neg(x)


@case((2, 3))
def reductions(a, b):
    return (
        functools.reduce(operator.mul, (a, b, 4)), functools.reduce(lambda x, y: x * 10 + y, [a, b], 1),
        functools.reduce(max, (a, b)), functools.partial(operator.pow, a)(b),
    )  # fmt: skip


@case((1, 2))
def iterators(a, b):
    return (
        list(itertools.chain((a, b), [3])), list(itertools.product((a, b), "xy")), list(itertools.combinations((a, b, 3), 2)),
        list(itertools.permutations((a, b))), list(itertools.accumulate((a, b, 3))), list(itertools.islice((a, b, 3), 2)),
    )  # fmt: skip


@case((5,), (1,))
def loops_over_products(n):
    total = 0
    for i, j in itertools.product((1, 2), (n, 3)):
        total += i * j
    for a, b in itertools.combinations((1, 2, n), 2):
        total += a * b
    return total


@case((2,))
def repeats(n):
    return (
        list(itertools.repeat(n, 3)),
        list(zip(itertools.count(), (n, n))),
    )


@case((0.1, 10))
def exact_sum(x, n):
    return math.prod((n, 2, x)), math.dist((0.0, 0.0), (3.0, 4.0))


@case((48.2, 16.4, 52.5, 13.4))
def great_circle(lat1, lon1, lat2, lon2):
    p1, p2 = math.radians(lat1), math.radians(lat2)
    d = math.radians(lon2 - lon1)
    a = math.sin((p2 - p1) / 2) ** 2 + math.cos(p1) * math.cos(p2) * math.sin(d / 2) ** 2
    return 6371 * 2 * math.atan2(math.sqrt(a), math.sqrt(1 - a))


@case((1.0, 0.2), (0.0, 1.5))
def normal_density(x, sigma):
    z = x / sigma
    return math.exp(-0.5 * z * z) / (sigma * math.sqrt(2 * math.pi)), 0.5 * (1 + math.erf(z / math.sqrt(2)))
