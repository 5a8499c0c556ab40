"""How precise elementary functions are: `python -m tests.accuracy_survey` writes the worst errors into `docs/SUPPORT.md`.

Errors are in units in the last place of the exact result, over the full range of arguments: all exponents, densely where
functions bend, near zeros and poles, huge angles, and numbers at the edges. A wider format of NumPy's screens many arguments
where it has the function; the worst of them, and all of other functions, are computed by mpmath, which must be installed
(`pip install mpmath gmpy2`). `--function NAME` prints the rows of one function alone, with its worst arguments.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import mpmath
import numpy as np

from jitcore import Tensor, jit, ops
from tests.support_matrix import ACCURACY, DOCUMENT

Array = np.ndarray
BOUND = 2.0
CONFIRMED = 60
"""How many of the worst arguments are computed by mpmath."""
WIDE = {np.dtype(np.float32): np.float64, np.dtype(np.float64): np.longdouble}
HUGE = 1e6, 1e22, 1e38, 1e300


@dataclass(frozen=True)
class Function:
    """A function under survey: what it is in `ops`, exactly, and in NumPy; where it bends; and which bound it has."""

    name: str
    exact: Callable[..., object]
    numpy: Callable[..., Array] | None = None
    spans: Sequence[tuple[float, float]] = ((-1, 1), (-10, 10), (-100, 100), (-800, 800))
    arity: int = 1
    bound: float = BOUND
    few: int = 1
    """By what the number of arguments is divided where mpmath takes long."""
    options: Sequence[float] = ()
    """Further arguments."""
    note: str = ""
    """Why its errors may be larger."""

    def __call__(self, *args: Tensor) -> Tensor:
        return getattr(ops, self.name)(*args, *self.options)


def _signed(size: object, x: object) -> object:
    return -size if mpmath.sign(x) < 0 else size  # type: ignore[operator]


def _real(function: Callable[..., object]) -> Callable[..., object]:
    """NaN where a function of reals has a complex result, or none."""

    def call(*args: object) -> object:
        try:
            made = function(*args)
        except (ValueError, ZeroDivisionError, ArithmeticError):
            return mpmath.nan
        return mpmath.nan if isinstance(made, mpmath.mpc) else made

    return call


def _normal(x: object) -> object:
    return x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2  # type: ignore[operator]


def _gamma_size(x: object) -> object:
    if x <= 0 and x == mpmath.floor(x):  # type: ignore[operator]
        return mpmath.inf
    return mpmath.loggamma(x).real


UNIT = ((-1, 1), (-0.5, 0.5), (0.99, 1), (-1, -0.99), (-1e-4, 1e-4))
POSITIVE = ((0, 1), (0.5, 2), (0.99, 1.01), (0, 100), (0, 1e5))
ANGLES = ((-4, 4), (-100, 100), (-1e4, 1e4), (-1e6, 1e6), (1e22, 2e22))

CANCELS = "x (1 + erf(x/√2)) / 2, as PyTorch has it, cancels below 0"
ABSOLUTE = "computed on the host, relative to 1 near its zeros"

FUNCTIONS = (
    Function("exp", mpmath.exp, np.exp),
    Function("exp2", lambda x: mpmath.power(2, x), np.exp2),
    Function("expm1", mpmath.expm1, np.expm1),
    Function("log", _real(mpmath.log), np.log, POSITIVE),
    Function("log2", _real(lambda x: mpmath.log(x) / mpmath.log(2)), np.log2, POSITIVE),
    Function("log10", _real(mpmath.log10), np.log10, POSITIVE),
    Function("log1p", _real(mpmath.log1p), np.log1p, ((-1, 1), (-0.01, 0.01), (0, 100), (-1, -0.99))),
    Function("sin", _real(mpmath.sin), np.sin, ANGLES),
    Function("cos", _real(mpmath.cos), np.cos, ANGLES),
    Function("tan", _real(mpmath.tan), np.tan, ANGLES),
    Function("asin", _real(mpmath.asin), np.arcsin, UNIT),
    Function("acos", _real(mpmath.acos), np.arccos, UNIT),
    Function("atan", mpmath.atan, np.arctan),
    Function("atan2", mpmath.atan2, np.arctan2, arity=2),
    Function("sinh", mpmath.sinh, np.sinh),
    Function("cosh", mpmath.cosh, np.cosh),
    Function("tanh", mpmath.tanh, np.tanh, bound=4.0),
    Function("asinh", mpmath.asinh, np.arcsinh),
    Function("acosh", _real(mpmath.acosh), np.arccosh, ((1, 2), (1, 1.01), (1, 100))),
    Function("atanh", _real(mpmath.atanh), np.arctanh, UNIT),
    Function("sqrt", _real(mpmath.sqrt), np.sqrt, POSITIVE),
    Function("rsqrt", _real(lambda x: 1 / mpmath.sqrt(x)), lambda x: 1 / np.sqrt(x), POSITIVE),
    Function("cbrt", lambda x: _signed(mpmath.cbrt(abs(x)), x), np.cbrt),
    Function("pow", _real(mpmath.power), np.power, ((0, 3), (0.9, 1.1), (-300, 300)), arity=2),
    Function("hypot", mpmath.hypot, np.hypot, arity=2),
    Function("erf", mpmath.erf, None, ((-1, 1), (-6, 6), (-1e-3, 1e-3)), few=4),
    Function("erfc", mpmath.erfc, None, ((-1, 1), (-6, 6), (5, 28)), few=4),
    Function("erfinv", _real(mpmath.erfinv), None, UNIT, few=40),
    Function("sigmoid", lambda x: 1 / (1 + mpmath.exp(-x)), lambda x: 1 / (1 + np.exp(-x))),
    Function(
        "softplus",
        lambda x: mpmath.log1p(mpmath.exp(x)),
        lambda x: np.logaddexp(0, x),
        options=(1, math.inf),
    ),
    Function("gelu", _normal, None, ((-1, 1), (-6, 6), (-40, 40)), few=4, note=CANCELS),
    Function(
        "lgamma", _real(_gamma_size), None, ((0, 3), (0.9, 1.1), (1.9, 2.1), (0, 200), (-10, 0)), few=10, note=ABSOLUTE
    ),
    Function("digamma", _real(mpmath.digamma), None, ((0, 3), (1.4, 1.5), (0, 200), (-10, 0)), few=10, note=ABSOLUTE),
)


# --- arguments -----------------------------------------------------------------------------------------


def arguments(function: Function, dtype: np.dtype, count: int) -> list[Array]:
    """Arguments of all exponents, dense ones where the function bends, and those at the edges."""
    rng = np.random.default_rng(7)
    unsigned = np.uint32 if dtype == np.float32 else np.uint64
    made: list[Array] = []
    for _ in range(function.arity):
        bits = rng.integers(0, np.iinfo(unsigned).max, count // 2, dtype=unsigned, endpoint=True).view(dtype)
        share = count // (2 * len(function.spans))
        dense = [rng.uniform(low, high, share).astype(dtype) for low, high in function.spans]
        huge = [s * h * (1 + rng.random(8)) for h in HUGE for s in (1, -1) if h < np.finfo(dtype).max / 2]
        turns = np.arange(1, 200) * (math.pi / 2)
        with np.errstate(over="ignore"):
            x = np.concatenate([bits, *dense, np.concatenate(huge).astype(dtype), turns.astype(dtype), edges(dtype)])
        made.append(x[~np.isnan(x)])
    size = min(map(len, made))
    return [rng.permutation(x)[:size] for x in made] if function.arity > 1 else made


def edges(dtype: np.dtype) -> Array:
    """Zeros, ones, numbers next to them, the largest and smallest, and infinities."""
    info = np.finfo(dtype)
    sizes = [0.0, info.smallest_subnormal, info.tiny, info.eps, 0.5, 1.0, 1 - info.epsneg, 1 + info.eps, 2.0, 1e5]
    with np.errstate(over="ignore"):
        size = np.array([*sizes, info.max, np.inf], dtype)
    return np.concatenate([size, -size])


# --- errors --------------------------------------------------------------------------------------------


def errors(got: Array, want: Array) -> Array:
    """Errors in ULP against a wider format; infinite where one is finite, or a number, and the other is not."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        error = np.abs(got.astype(want.dtype) - want) / np.spacing(np.abs(rounded)).astype(want.dtype)
    special = ~np.isfinite(rounded)
    same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
    return np.where(special, np.where(same, 0, np.inf), np.where(np.isnan(error), np.inf, error)).astype("f8")


def exact_error(function: Function, args: Sequence[float], got: float, dtype: np.dtype) -> float:
    """The error of one result in ULP, by mpmath."""
    with mpmath.workprec(160):
        want = function.exact(*map(mpmath.mpf, args))
        if mpmath.isnan(want) or mpmath.isinf(want):
            return 0.0 if math.isnan(got) == bool(mpmath.isnan(want)) and (math.isnan(got) or got == want) else math.inf
        with np.errstate(all="ignore"):
            rounded = np.asarray(mpmath_float(want, dtype), dtype)
        if not np.isfinite(rounded) or not math.isfinite(got):
            return 0.0 if got == rounded else math.inf
        return float(abs(mpmath.mpf(got) - want) / mpmath.mpf(float(np.spacing(np.abs(rounded)))))


def mpmath_float(value: object, dtype: np.dtype) -> float:
    """A number of mpmath's rounded to a dtype, once."""
    with mpmath.workprec(np.finfo(dtype).nmant + 1):
        return float(+value)  # type: ignore[operator]


def are_finite(args: Sequence[Array]) -> Array:
    """Which arguments are finite: at infinities mpmath has few limits, and NumPy's functions give them."""
    return np.logical_and.reduce([np.isfinite(a) for a in args])


# --- the survey ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Worst:
    """The worst error of a function, and where."""

    error: float
    at: tuple[float, ...]


def run(function: Function, args: Sequence[Array], compiled: bool) -> Array:
    """A function's results for arrays, line by line or compiled."""
    call = jit(function.__call__) if compiled else function
    return call(*map(Tensor, args)).asnumpy()


def worst(function: Function, dtype: np.dtype, count: int, compiled: bool) -> Worst:
    """The worst error over the arguments."""
    count = count if function.numpy is not None else max(count // (40 * function.few), 400)
    args = arguments(function, dtype, count)
    finite = are_finite(args)
    got = run(function, args, compiled)
    if function.numpy is None:
        chosen = np.flatnonzero(finite)
    else:
        with np.errstate(all="ignore"):
            wide = errors(got, function.numpy(*(a.astype(WIDE[dtype]) for a in args)))
        at_infinity = np.where(finite, 0, wide)
        if at_infinity.max() > function.bound:
            k = int(np.argmax(at_infinity))
            return Worst(float(wide[k]), tuple(float(a[k]) for a in args))
        chosen = np.argsort(np.where(finite, wide, -1))[-CONFIRMED:]
    found = [exact_error(function, [float(a[k]) for a in args], float(got[k]), dtype) for k in chosen]
    k = int(np.argmax(found))
    return Worst(found[k], tuple(float(a[chosen[k]]) for a in args))


def halves_that_differ(function: Function) -> int:
    """How many halves give something else than the single result rounded; for two operands, of a sample of pairs."""
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    rng = np.random.default_rng(8)
    args = [every, *(rng.permutation(every) for _ in range(function.arity - 1))]
    args = [a[np.logical_and.reduce([~np.isnan(b) for b in args])] for a in args]
    with np.errstate(all="ignore"):
        want = run(function, [a.astype(np.float32) for a in args], False).astype(np.float16)
    got = [run(function, args, compiled) for compiled in (False, True)]
    return max(int(np.sum((g != want) & ~(np.isnan(g) & np.isnan(want)))) for g in got)


def survey(function: Function, count: int) -> Iterator[str]:
    """The rows of a function."""
    for dtype in (np.dtype(np.float32), np.dtype(np.float64)):
        eager, compiled = (worst(function, dtype, count, mode) for mode in (False, True))
        at = max(eager, compiled, key=lambda w: w.error).at
        is_within = max(eager.error, compiled.error) <= function.bound
        note = "" if is_within else f" **above {function.bound:g}**{function.note and ': ' + function.note}"
        halves = f" | {halves_that_differ(function)}" if dtype == np.float32 else " |"
        yield (
            f"| `{function.name}` | {dtype} | {eager.error:.3g} | {compiled.error:.3g} | "
            f"`{', '.join(map(repr, at))}`{note}{halves} |"
        )


INTRODUCTION = f"""
The worst errors found by `python -m tests.accuracy_survey`, in units in the last place (ULP) of the exact result, over all exponents,
densely where functions bend, near zeros and poles, for huge angles and at the edges; and the argument. {BOUND:g} ULP are allowed, of `tanh` 4.
*halves*: how many of all arguments of 16 bits give something else than the result in 32 bits rounded once (`erfc`, `erfinv`,
`lgamma` and `digamma` round the result in 64 bits once, which is as near).

| function | dtype | line by line | compiled | at | halves |
|---|---|---|---|---|---|
"""


def main() -> None:
    """Print the table, and write it into the document unless one function is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--function", action="append", choices=[f.name for f in FUNCTIONS])
    parser.add_argument("--count", type=int, default=400_000, help="arguments of each function and dtype")
    options = parser.parse_args()
    rows: list[str] = []
    for function in FUNCTIONS:
        if options.function is None or function.name in options.function:
            for row in survey(function, options.count):
                print(row, flush=True)
                rows.append(row)
    if options.function is None:
        before = DOCUMENT.read_text().partition(ACCURACY)[0]
        DOCUMENT.write_text(before + ACCURACY + INTRODUCTION + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
