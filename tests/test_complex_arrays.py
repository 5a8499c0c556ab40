"""Functions and powers of complex arrays and NumPy scalars, compiled: NumPy's numbers, without a call into Python."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import jit
from jitcore.primitives.ops import complex_functions

pytestmark = pytest.mark.usefixtures("strict")

Z = np.array([1 + 2j, -0.5j, 0j, 2, 1e10 + 1j, -3 + 0j, 0.3 - 0.4j])


def made(expression: str) -> Callable[..., Any]:
    """The function of `a` and `b` that an expression is."""
    source, name = f"lambda a, b: {expression}\n", f"<complex {expression}>"
    linecache.cache[name] = (len(source), None, [source], name)
    return eval(compile(source, name, "eval"), {"np": np})


def check(expression: str, a: Any, b: Any = None) -> None:
    function = made(expression)
    with np.errstate(all="ignore"):
        want = function(a, b)
    got = jit(function)(a, b)
    assert type(got) is type(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    with np.errstate(
        all="ignore"
    ):  # the parts together: a power that is known to be whole only in the run is no product
        near = abs(got - want) <= (1e-13 if want.dtype.itemsize == 16 else 3e-7) * abs(want)
    assert np.all(near | (got == want) | (np.isnan(got) & np.isnan(want))), (got, want)


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
@pytest.mark.parametrize("name", [*complex_functions.IN_KERNELS, "exp2", "log10"])
def test_functions(name: str, dtype: type) -> None:
    small = np.where(abs(Z) > 100, 0.25, Z).astype(dtype)
    check(f"np.{name}(a)", small)
    check(f"np.{name}(a[1])", small[:3])


@pytest.mark.parametrize("power", ["-7", "-2", "-1", "0", "1", "2", "3", "4", "5", "17", "0.5", "(1+1j)", "-0.3"])
def test_powers_known_when_compiling(power: str) -> None:
    check(f"a ** {power}", Z)
    check(f"a ** {power}", np.where(abs(Z) > 100, 0.25, Z).astype(np.complex64))
    check(f"a[0] ** {power}", Z)


def test_powers_of_the_run() -> None:
    check("a ** b", Z, Z[::-1].copy())
    check("a ** b", np.arange(7.0), Z)
    check("np.power(a, b)", np.arange(7) + 1, Z)
    check("a[0] ** b[1]", Z, Z)
    check("a ** b", Z, 3)
    check("a ** b", np.zeros(4, complex), np.array([1, -1, 1j, 0]))


def test_a_loop_stays_in_machine_code() -> None:
    def turn(z: Any, n: int) -> Any:
        total = 0.0
        for i in range(n):
            total += (np.exp(z[0] * i) * z[1] ** z[0]).real
        return total

    z = np.array([0.01j, 1 + 1j])
    compiled = jit(turn)
    assert compiled(z, 100) == pytest.approx(turn(z, 100), rel=1e-12)
    (specialisation,) = compiled.specialisations
    assert not specialisation.compilation.loaded.program.host_calls
