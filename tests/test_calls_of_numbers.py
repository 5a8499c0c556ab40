"""Python's own functions of numbers, called from compiled loops: the same numbers, streams, exceptions and references."""

from __future__ import annotations

import cmath
import contextlib
import gc
import linecache
import math
import random
import struct
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import jit


def loop(expression: str) -> Callable[[int], Any]:
    """A function that adds up an expression of `i` and `z` over a loop."""
    source = (
        f"def f(n):\n    s = 0\n    z = 0.3 - 0.2j\n    for i in range(n):\n        s += {expression}\n    return s\n"
    )
    name = f"<sum of {expression}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict[str, Any] = {"random": random, "np": np, "cmath": cmath, "math": math}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def outcome(function: Callable[..., Any], *args: Any) -> tuple[type, str]:
    """What a call gives, or raises, after the generators were seeded."""
    random.seed(7)
    np.random.seed(7)
    try:
        result = function(*args)
    except Exception as error:
        return type(error), str(error)
    after = random.random(), np.random.random()
    return type(result), repr((result, after))


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    "expression",
    [
        "random.random()",
        "random.uniform(1, i)",
        "random.gauss(0.0, 1.0)",
        "random.normalvariate(i, 2.0)",
        "random.expovariate(0.5)",
        "random.triangular(0.0, 1.0, 0.25)",
        "random.betavariate(2.0, 3.0)",
        "random.randint(1, 6)",
        "random.randrange(0, 10 + i, 3)",
        "random.getrandbits(40)",
        "np.random.random()",
        "np.random.rand()",
        "np.random.randn()",
        "np.random.standard_normal()",
        "np.random.uniform(0.0, i)",
        "np.random.normal(i, 2.0)",
        "np.random.randint(-3, 6)",
        "random.random() + np.random.random()",
        "random.lognormvariate(0.1, 0.2) + random.gammavariate(1.0 + i, beta=2.0) + random.paretovariate(3)",
        "random.weibullvariate(alpha=1.5, beta=2) + random.vonmisesvariate(0.1, 4.0) + random.gauss(sigma=2.0)",
        "np.random.exponential(0.5 + i) + np.random.standard_exponential() + np.random.exponential()",
        "np.random.beta(1, b=2) + np.random.gamma(2.0) + np.random.lognormal(sigma=0.5) + np.random.ranf()",
        "np.random.chisquare(3) + np.random.triangular(0, 1, 2.5) + np.random.wald(1, 2) + np.random.weibull(2)",
        "np.random.poisson(3.0) + np.random.binomial(5 + i, 0.3) + np.random.geometric(0.4)",
        "np.random.hypergeometric(5, 6, 3) + np.random.zipf(3.0) + np.random.negative_binomial(3, 0.5)",
        "random.seed(i) or random.random()",
        "np.random.seed(i * 3) or np.random.random()",
        "random.seed(i / 3) or random.seed(a='a word') or random.random()",
        "random.seed(i, version=1) or random.seed('of old', 1) or random.random()",
        "np.random.seed([3, 4]) or np.random.random()",
        "np.random.seed(seed=3) or random.seed(b'bytes') or np.random.random()",
        *(
            f"cmath.{name}(z * i)"
            for name in [
                "exp",
                "sqrt",
                "sin",
                "cos",
                "tan",
                "asin",
                "acos",
                "atan",
                "sinh",
                "cosh",
                "tanh",
                "asinh",
                "acosh",
            ]
        ),
        "cmath.log(z + i)",
        "cmath.atanh(z * 0.1)",
        "(z * i) ** 2",
        "(z + i) ** z",
        "(z + i) ** 0.5",
        "pow(i, 10**12, 97)",
        "round(i / 7, 2)",
        "math.comb(i + 5, 2)",
        # what they raise
        "random.randint(5, i)",
        "random.getrandbits(64) | 2**63",
        "cmath.log(z * 0)",
        "cmath.exp(z * 10000 * i)",
        "(z * 0) ** (z - 1)",
        "np.random.normal(0.0, 1.0 - i)",
        "np.random.randint(i, 0)",
        "np.random.poisson(2.0 - i)",
        "np.random.beta(1.0)",
        "np.random.seed(3 - i) or 0",
        "np.random.seed(2**32 * i) or 0",
        "np.random.seed(i / 2) or 0",
        "random.seed(z) or 0",
    ],
)
def test_as_plain(expression: str) -> None:
    function = loop(expression)
    want = outcome(function, 12)
    got = outcome(jit(function), 12)
    if want[0] is int and not -(2**63) <= int(want[1][1:].partition(",")[0]) < 2**63:
        assert got[0] is OverflowError
    else:
        assert got == want


def test_no_reference_is_lost() -> None:
    compiled = jit(loop("random.uniform(0.5, i) + abs(cmath.sqrt(z * i)) + random.randint(1000, 2000)"))
    failing = jit(loop("random.randint(1000 * i, 0)"))
    grown: list[int] = []
    for _ in range(3):
        gc.collect()
        before = sys.getallocatedblocks()
        compiled(20_000)
        for _ in range(200):
            with contextlib.suppress(ValueError):
                failing(3)
        gc.collect()
        grown.append(sys.getallocatedblocks() - before)
    assert min(grown) < 100


def extreme_floats() -> list[float]:
    rng = random.Random(1)
    found = [0.0, -0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, -2.225073858507201e-308]
    for k in range(-1074, 1024, 7):
        power = math.ldexp(1.0, k)
        found += [power, -math.nextafter(power, math.inf), math.nextafter(power, 0.0)]
    return found + [x for x in (struct.unpack("<d", rng.randbytes(8))[0] for _ in range(500)) if x == x]


@pytest.mark.usefixtures("strict")
def test_parts_of_floats_are_exact() -> None:
    compiled = jit(lambda x: math.frexp(x))
    for x in extreme_floats():
        assert repr(compiled(x)) == repr(math.frexp(x))
    assert repr(compiled(math.nan)) == repr(math.frexp(math.nan))


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    ("function", "small", "large"),
    [
        (lambda n: math.comb(n, n // 2), 60, 90),
        (lambda n: math.factorial(n), 20, 21),
        (lambda n: math.perm(n, n - 3), 15, 40),
        (lambda n: random.getrandbits(n), 62, 99),
    ],
)
def test_ints_past_64_bits_are_told(function: Any, small: int, large: int) -> None:
    compiled = jit(function)
    random.seed(3)
    found = compiled(small)
    random.seed(3)
    assert found == function(small)
    with pytest.raises(OverflowError, match="integer result is past 64 bits"):
        compiled(large)
