"""Functions of the standard library on values of the run: none of these runs in the interpreter.

Each table is a list of expressions, compared with plain Python by value, dtype, type, shape and exception under STRICT, several
of them compiled as one function.
"""

from __future__ import annotations

import bisect
import cmath
import functools
import heapq
import itertools
import math
import operator
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_comparison import agree_nearly, program
from expression_tables import groups

MODULES: dict[str, Any] = {
    module.__name__: module for module in (bisect, cmath, functools, heapq, itertools, math, operator, statistics)
}
ARGUMENTS: dict[str, Any] = {
    "v": np.array([3.0, 1.0, 2.0, 1.0]), "i": np.array([0, 2, 1, 2]), "x": np.arange(12.0).reshape(3, 4) * 0.7 - 2, "k": 2, "f": 1.5,
    "b": np.array([True, False, True, False]),
}  # fmt: skip


pytestmark = pytest.mark.usefixtures("strict")


def arguments() -> list[Any]:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in ARGUMENTS.values()]


def function_of(text: str) -> Callable[..., Any]:
    return program(text, ", ".join(ARGUMENTS), **MODULES)


STANDARD = """
math.sqrt(f) | math.isqrt(k) | math.fsum([f,f,k]) | math.fsum(v) | math.fsum(e*2 for e in v) | math.modf(f)
math.frexp(f) | math.ldexp(f,k) | math.comb(10,k) | math.perm(5,k) | math.perm(k) | math.prod([k,3,f]) | math.prod(v)
math.dist([f,1.0],[2.0,f]) | math.dist(v,v*2) | math.hypot(f,2.0,k) | math.hypot(f) | math.hypot() | math.gcd(k,4,6)
math.gcd(k) | math.lcm(k,3,4) | math.lcm() | math.cbrt(f) | math.nextafter(f,2.0) | math.ulp(f) | math.exp(f)
math.exp2(f) | math.expm1(f) | math.log(f) | math.log(f,k) | math.log2(f) | math.log10(f) | math.log1p(f)
math.pow(f,k) | math.sin(f) | math.cos(f) | math.tan(f) | math.asin(0.3*f) | math.acos(0.3*f) | math.atan(f)
math.atan2(f,k) | math.sinh(f) | math.cosh(f) | math.tanh(f) | math.asinh(f) | math.acosh(f) | math.atanh(0.3*f)
math.degrees(f) | math.radians(f) | math.erf(f) | math.erfc(f) | math.gamma(f) | math.lgamma(f) | math.floor(f)
math.ceil(f) | math.trunc(f) | math.fabs(f) | math.fmod(f,k) | math.remainder(f,k) | math.copysign(f,-1.0)
math.isclose(f,f) | math.isfinite(f) | math.isinf(f) | math.isnan(f) | math.factorial(k) | math.pi*f | math.inf>f
math.tau | math.e | math.floor(k) | math.sqrt(v[0]) | math.gcd(i[1],4) | cmath.sqrt(f) | cmath.exp(1j*f)
cmath.phase(f) | cmath.polar(f+1j) | cmath.rect(f,k) | cmath.log(f) | cmath.log(f,k) | cmath.log10(f)
cmath.isclose(f,f) | cmath.isnan(f) | cmath.isinf(f+1j) | cmath.isfinite(f) | cmath.sin(f) | cmath.atan(f)
operator.add(f,k) | operator.sub(f,k) | operator.mul(v,k) | operator.truediv(f,k) | operator.floordiv(f,k)
operator.mod(f,k) | operator.pow(f,k) | operator.neg(f) | operator.pos(f) | operator.abs(f) | operator.invert(k)
operator.inv(k) | operator.not_(f) | operator.truth(f) | operator.is_(f,f) | operator.is_not(f,None)
operator.lt(f,k) | operator.eq(v,k) | operator.and_(k,3) | operator.or_(k,3) | operator.xor(k,3)
operator.lshift(k,3) | operator.rshift(k,1) | operator.matmul(v,v) | operator.index(k) | operator.getitem(v,k)
operator.contains([1,2,3],k) | operator.countOf([1,2,k],k) | operator.indexOf([1,k,3],k) | operator.concat([k],[f])
operator.itemgetter(1)([f,k]) | operator.itemgetter(0,1)(v) | operator.attrgetter('shape')(v)
operator.methodcaller('sum')(v) | operator.methodcaller('sum',axis=0)(v) | operator.iadd(f,k)
operator.length_hint([1,k]) | operator.call(math.sqrt,f) | list(itertools.accumulate([f,k,3]))
list(itertools.accumulate(v)) | list(itertools.accumulate([f,k,3],operator.mul))
list(itertools.accumulate([f,k],initial=1.0)) | list(itertools.chain([f],[k]))
list(itertools.chain.from_iterable([[f],[k,k]])) | list(itertools.combinations([f,k,3],2))
list(itertools.combinations_with_replacement([f,k],2)) | list(itertools.permutations([f,k,3],2))
list(itertools.product([f,k],[1,2])) | list(itertools.product([f,k],repeat=2))
list(itertools.compress([f,k,3],[1,0,1])) | list(itertools.compress(v,b))
list(itertools.dropwhile(lambda a:a<2,[1.0,f,3.0])) | list(itertools.takewhile(lambda a:a<2,[1.0,f,3.0]))
list(itertools.filterfalse(lambda a:a<2,[1.0,f,3.0])) | list(itertools.islice(itertools.count(k),3))
list(itertools.islice(v,1,3)) | list(itertools.repeat(f,3)) | list(itertools.starmap(pow,[(f,2),(k,3)]))
list(itertools.zip_longest([f],[k,k],fillvalue=0)) | list(itertools.zip_longest(v,[1.0]))
list(itertools.pairwise([f,k,3])) | list(itertools.pairwise(v)) | [list(t) for t in itertools.tee([f,k])]
functools.reduce(operator.add,v) | functools.reduce(lambda a,c:a*c,[f,k,3],1) | functools.partial(pow,f)(2)
functools.partial(math.pow,k)(f) | bisect.bisect([1,2,3],k) | bisect.bisect_left([1.0,f,3.0],f)
bisect.bisect_right([1.0,f,3.0],f) | bisect.bisect(v,f) | bisect.bisect_left(np.sort(v),1.5)
bisect.bisect_left([1,2,3],k,lo=1) | heapq.nlargest(2,v) | statistics.mean([f,k,3.0]) | statistics.fmean([f,k,3.0])
statistics.stdev([f,k,3.0]) | statistics.pvariance([f,k,3.0]) | statistics.variance([f,k,3.0])
statistics.geometric_mean([f,k,3.0]) | statistics.harmonic_mean([f,k,3.0]) | statistics.fmean(v)
"""

PROGRAMS = [
    """
        t = 0.0
        for a, c in np.ndenumerate(x):
            t += c * a[0]
        return t
    """,
    """
        t = 0.0
        for a in np.ndindex(x.shape):
            t += x[a]
        return t
    """,
    """
        t = 0.0
        for a, b in np.ndindex(*x.shape):
            t += x[a, b]
        return t
    """,
    """
        t = 0.0
        for e in x.flat:
            t += e
        return t
    """,
    """
        h = []
        heapq.heappush(h, f)
        heapq.heappush(h, 0.5)
        heapq.heappush(h, 1.0)
        return heapq.heappop(h), h
    """,
    """
        h = [3.0, f, 1.0]
        heapq.heapify(h)
        return h, heapq.heapreplace(h, 9.0), heapq.heappushpop(h, 0.1), h
    """,
    """
        h = []
        for e in v:
            heapq.heappush(h, float(e))
        out = []
        while h:
            out.append(heapq.heappop(h))
        return out
    """,
    """
        h = []
        for e in v:
            bisect.insort(h, float(e))
        return h, bisect.bisect(h, f)
    """,
    """
        h = []
        for e in range(k):
            heapq.heappush(h, (float(e), e))
        return heapq.heappop(h)
    """,
    """
        return heapq.heappop([])
    """,
    """
        h = []
        heapq.heappop(h)
        return h
    """,
    """
        t = 0.0
        for a, c in itertools.pairwise(v):
            t += a*c
        return t
    """,
    """
        t = 0.0
        for a in itertools.compress(v, b):
            t += a
        return t
    """,
    """
        t = 0.0
        for a in itertools.filterfalse(lambda z: z > 1, v):
            t += a
        return t
    """,
    """
        return sum(itertools.starmap(lambda a, c: a*c, zip(v, i)))
    """,
    """
        return math.fsum([f]*10), math.fsum(x*x for x in v)
    """,
    """
        xs = []
        for e in v:
            xs.append(float(e))
        return math.fsum(xs), statistics.fmean(xs), statistics.median(xs), statistics.stdev(xs)
    """,
    """
        return math.fsum([1e308, 1e308])
    """,
    """
        return math.fsum([1e308*f, 1e308*f])
    """,
    """
        return math.perm(k), math.perm(5, k), math.comb(5, k)
    """,
    """
        return math.perm(-k)
    """,
    """
        return operator.itemgetter(1)(v), operator.attrgetter('size')(v)
    """,
    """
        return functools.reduce(lambda a, c: a + c, [float(z) for z in v])
    """,
    """
        return list(map(operator.mul, v, i))
    """,
    """
        return math.modf(-f), math.modf(1e300), math.modf(float('-inf')), math.frexp(f), math.frexp(0.0*f), math.frexp(-1e300*f)
    """,
    """
        return math.hypot(f, 2.0, k), math.hypot(f), math.dist(v, v*2), math.dist([f, 1], [2.0, k]), math.ulp(f), math.nextafter(f, 0.0), math.remainder(7.5, f)
    """,
    """
        a = [1, 2, 3]
        operator.iadd(a, [k])
        return a
    """,
    """
        return cmath.log(f, k), cmath.polar(f + 1j), cmath.rect(f, k), cmath.isclose(f, f + 1e-12), cmath.log10(f + 2j)
    """,
]


@pytest.mark.parametrize("group", groups(STANDARD), ids="; ".join)
def test_standard_library(group: tuple[str, ...]) -> None:
    agree_nearly(function_of(f"return ({', '.join(group)},)"), arguments, rtol=1e-14)


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs(text: str) -> None:
    agree_nearly(function_of(text), arguments, rtol=1e-14)
