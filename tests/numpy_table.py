"""Which of NumPy's functions are compiled, and how: `python -m tests.numpy_table` calls each compiled, and writes `docs/numpy.md`.

An expression is compiled for arrays of several dtypes, and what it gives compared with NumPy's; its derivative is compared with
differences. If one is wrong nothing is written, and the process ends with status 1.
"""

from __future__ import annotations

import linecache
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

import jitcore
from jitcore import grad, jit
from jitcore.config import STRICT, settings
from jitcore.runtime.records import keep_records
from jitcore.source import CompileError
from tests.expression_tables import expressions

DOCUMENT = Path(__file__).parent.parent / "docs" / "numpy.md"
KERNEL, CALLED, REGION = "kernel", "calls NumPy", "region"
DTYPES = {"b": "?", "i": "i8", "u": "u1", "h": "f2", "s": "f4", "d": "f8", "z": "c16"}

INTRODUCTION = f"""# NumPy and operators

Made by `python -m tests.numpy_table`, which compiles each call, compares it with NumPy's, and its derivative with differences.
Arrays' methods (`x.sum()`) and operators (`x + y`, `x @ y`) are as the functions of their names.

- *how*: `{KERNEL}`: compiled, and fused with what surrounds it where it can be. `{CALLED}`: compiled code calls NumPy, which costs a microsecond or so:
  nothing for large arrays, much in each round of a loop. `{REGION}`: the interpreter runs the line.
- *dtypes*: `b` bool, `i` int64, `u` uint8, `h` `s` `d` floats of 16, 32 and 64 bits, `z` complex128: those that NumPy takes, too, and for which both give the same.
- *gradient*: `✓`: there is one. `0`: it is constant between its jumps. `–`: none is written. Empty: the result is no float.

How precise elementary functions are, and what each primitive does in detail, is in [Primitives and dtypes](SUPPORT.md). Random numbers of
`np.random` are NumPy's own, drawn by calling it.
"""

SECTIONS = {
    "Arithmetic": """
np.add(x, y) | np.subtract(x, y) | np.multiply(x, y) | np.divide(x, y) | np.floor_divide(x, y) | np.remainder(x, y) | np.divmod(x, y)
np.power(x, 2) | np.float_power(x, y) | np.negative(x) | np.positive(x) | np.absolute(x) | np.sign(x) | np.reciprocal(x) | np.square(x)
np.sqrt(x) | np.cbrt(x) | np.hypot(x, y) | np.maximum(x, y) | np.minimum(x, y) | np.fmax(x, y) | np.fmin(x, y) | np.fmod(x, y)
np.clip(x, 1, 2) | np.rint(x) | np.round(x) | np.floor(x) | np.ceil(x) | np.trunc(x) | np.modf(x) | np.copysign(x, y) | np.nextafter(x, y)
np.heaviside(x, y) | np.gcd(x, y) | np.lcm(x, y)
""",
    "Elementary functions": """
np.exp(x) | np.exp2(x) | np.expm1(x) | np.log(x) | np.log2(x) | np.log10(x) | np.log1p(x) | np.logaddexp(x, y) | np.sin(x) | np.cos(x)
np.tan(x) | np.arcsin(x / 4) | np.arccos(x / 4) | np.arctan(x) | np.arctan2(x, y) | np.sinh(x) | np.cosh(x) | np.tanh(x) | np.arcsinh(x)
np.arccosh(x + 1) | np.arctanh(x / 4) | np.deg2rad(x) | np.rad2deg(x) | np.sinc(x) | np.i0(x) | np.unwrap(x)
""",
    "Comparison and logic": """
np.equal(x, y) | np.less(x, y) | np.greater_equal(x, y) | np.isclose(x, y) | np.allclose(x, y) | np.array_equal(x, y) | np.isnan(x)
np.isfinite(x) | np.signbit(x) | np.logical_and(x, y) | np.logical_not(x) | np.bitwise_and(x, y) | np.invert(x) | np.left_shift(x, y)
np.where(x > y, x, y) | np.select([x > y], [x], y) | np.any(x) | np.all(x) | np.nan_to_num(x)
""",
    "Reductions and scans": """
np.sum(x) | np.sum(m, axis=0) | np.prod(x) | np.mean(x) | np.std(x) | np.var(x) | np.max(x) | np.min(x) | np.ptp(x) | np.argmax(x) | np.argmin(x)
np.median(x) | np.percentile(x, 30) | np.quantile(x, 0.3) | np.average(x, weights=y) | np.cumsum(x) | np.cumprod(x) | np.diff(x)
np.nansum(x) | np.nanmean(x) | np.nanmax(x) | np.count_nonzero(x) | np.trapezoid(x) | np.gradient(x) | np.ediff1d(x) | np.cov(m) | np.corrcoef(m)
""",
    "Shapes": """
np.reshape(m, 4) | np.ravel(m) | np.transpose(m) | np.swapaxes(m, 0, 1) | np.moveaxis(m, 0, 1) | np.expand_dims(x, 0) | np.squeeze(m[:1])
np.broadcast_to(x, (2, 3)) | np.concatenate([x, y]) | np.stack([x, y]) | np.vstack([x, y]) | np.hstack([x, y]) | np.split(x, 3) | np.tile(x, 2)
np.repeat(x, 2) | np.flip(x) | np.roll(x, 1) | np.rot90(m) | np.pad(x, 1) | np.append(x, y) | np.insert(x, 1, 2) | np.delete(x, 1)
np.triu(m) | np.tril(m) | np.diag(m) | np.diagonal(m) | np.atleast_2d(x)
""",
    "Making arrays": """
np.array([x[0], y[0]]) | np.zeros_like(x) | np.ones_like(x) | np.full_like(x, 2) | np.empty_like(x).shape | np.copy(x) | np.asarray(x)
np.arange(x.size) | np.linspace(0, 1, x.size) | np.eye(x.size) | np.meshgrid(x, y) | np.vander(x) | np.indices((2, x.size)) | np.astype(x, np.float64)
""",
    "Searching and sorting": """
np.sort(x) | np.argsort(x) | np.lexsort((x, y)) | np.partition(x, 1) | np.searchsorted(np.sort(x), y) | np.digitize(x, np.sort(y)) | np.unique(x)
np.nonzero(x) | np.argwhere(x) | np.flatnonzero(x) | np.isin(x, y) | np.intersect1d(x, y) | np.union1d(x, y) | np.setdiff1d(x, y)
np.bincount(x) | np.histogram(x) | np.interp(x, np.sort(y), y) | np.take(x, [0, 2]) | np.take_along_axis(x, np.argsort(x), 0)
np.extract(x > y, x) | np.compress([True, False, True], x)
""",
    "Linear algebra": """
np.dot(x, y) | np.matmul(m, m) | np.vdot(x, y) | np.inner(x, y) | np.outer(x, y) | np.tensordot(m, m) | np.einsum('ij,jk->ik', m, m)
np.einsum('i,i->', x, y) | np.kron(x, y) | np.cross(x, y) | np.trace(m) | np.linalg.norm(x) | np.linalg.det(m) | np.linalg.slogdet(m)
np.linalg.inv(m) | np.linalg.solve(m, x[:2]) | np.linalg.lstsq(m, x[:2]) | np.linalg.cholesky(m) | np.linalg.qr(m) | np.linalg.svd(m)
np.linalg.svdvals(m) | np.linalg.eigh(m) | np.linalg.eigvalsh(m) | np.linalg.eig(m) | np.linalg.eigvals(m) | np.linalg.pinv(m)
np.linalg.matrix_power(m, 3) | np.linalg.matrix_rank(m) | np.linalg.cond(m)
""",
    "Signals and polynomials": """
np.convolve(x, y) | np.correlate(x, y) | np.fft.fft(x) | np.fft.ifft(x) | np.fft.rfft(x) | np.fft.fftfreq(x.size) | np.fft.fftshift(x)
np.polyval(x, y) | np.roots(x) | np.hanning(x.size)
""",
    "Parts and complex numbers": """
np.real(x) | np.imag(x) | np.conj(x) | np.angle(x) | np.frexp(x) | np.ldexp(x, 2) | np.spacing(x)
""",
}


class Wrong(Exception):
    """Compiled, an expression gives something else than NumPy."""


def rows() -> list[tuple[str, str]]:
    """The expressions, each with its section."""
    return [(section, text) for section, table in SECTIONS.items() for text in expressions(table)]


def given(dtype: str) -> list[np.ndarray[Any, Any]]:
    """Operands: two of three elements, and a matrix that is positive definite."""
    x, y, m = np.array([2.75, 1.25, 3.125]), np.array([1.5, 2.0, 3.75]), np.array([[4.0, 1.0], [1.0, 3.0]])
    return [a.astype(dtype) for a in (x, y, m)]


def function_of(text: str, number: int) -> Callable[..., Any]:
    """An expression as a function of `x`, `y` and `m`."""
    return _made(f"def f(x, y, m):\n    return {text}\n", f"<numpy {number}>")


def _made(text: str, name: str) -> Callable[..., Any]:
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def kinds(text: str, number: int) -> tuple[str, str]:
    """How an expression is compiled, and for which dtypes. Raises Wrong."""
    how, letters = REGION, ""
    for letter, dtype in DTYPES.items():
        function, operands = function_of(text, number), given(dtype)
        try:
            want = function(*given(dtype))
        except Exception:  # NumPy does not take this dtype
            continue
        with keep_records() as records:
            try:
                found = jit(function)(*operands)
            except CompileError:
                continue
        if not _agree(found, want, dtype):
            raise Wrong(f"{text} for {np.dtype(dtype)}: {found!r}, not {want!r}")
        letters += letter
        if how == REGION or letter == "d":
            how = CALLED if any("\n# host " in record.texts["kernels"]() for record in records) else KERNEL
    return how, " ".join(letters)


def _agree(found: Any, want: Any, dtype: str) -> bool:
    if isinstance(want, tuple | list):
        parts = zip(cast("list[Any]", found), cast("list[Any]", want), strict=True)
        return type(found) is type(want) and all(_agree(f, w, dtype) for f, w in parts)
    tolerance = {"f2": 1e-2, "f4": 1e-5}.get(dtype, 1e-11)
    have, expected = np.asarray(found), np.asarray(want)
    if have.shape != expected.shape or have.dtype != expected.dtype:
        return False
    return have.dtype == object or np.allclose(have, expected, tolerance, tolerance, equal_nan=True)


def gradient(text: str, number: int) -> str:
    """The mark of an expression's derivative by `x` and `m`. Raises Wrong."""
    weighed = "sum((np.cos(np.arange(np.size(r))) * np.ravel(r)).sum() for r in (list(v) if isinstance(v, (tuple, list)) else [v]))"
    function = _made(f"def f(x, y, m):\n    v = {text}\n    return {weighed}\n", f"<numpy gradient {number}>")
    x, y, m = given("f8")
    value = function_of(text, number)(x, y, m)
    if any(np.asarray(part).dtype.kind != "f" for part in (value if isinstance(value, tuple | list) else [value])):
        return ""
    try:
        by_x, by_m = jit(grad(function, (0, 2)))(x, y, m)
    except (CompileError, TypeError):
        return "–"
    for slope, operand in ((by_x, x), (by_m, m)):
        if not np.allclose(slope, _differences(function, operand, x, y, m), 1e-4, 1e-6):
            raise Wrong(f"the derivative of {text}: {slope!r}")
    return "✓" if np.any(by_x) or np.any(by_m) else "0"


def _differences(function: Callable[..., Any], operand: np.ndarray[Any, Any], *operands: Any) -> np.ndarray[Any, Any]:
    slopes = np.zeros_like(operand)
    for k in np.ndindex(operand.shape):
        held = operand[k]
        operand[k] = held + 1e-6
        above = function(*operands)
        operand[k] = held - 1e-6
        slopes[k] = (above - function(*operands)) / 2e-6
        operand[k] = held
    return slopes


# --- the table --------------------------------------------------------------------------------------------


def row(text: str, number: int) -> str:
    """The line of the table for an expression. Raises Wrong."""
    before = settings.jit_syntax_level
    settings.jit_syntax_level = STRICT
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            how, letters = kinds(text, number)
            mark = gradient(text, number) if "d" in letters.split() else ""
    finally:
        settings.jit_syntax_level = before
    return f"| `{text}` | {how} | {letters} | {mark} |"


def names() -> Iterator[str]:
    """The names of `jitcore.numpy` and `jitcore.ops`, as the page lists them."""
    for module, said in (
        (
            jitcore.numpy,
            "The Python array API standard 2024.12, and NumPy's other functions, on Tensors; compiled or line by line.",
        ),
        (jitcore.ops, "MindSpore's operators: functions in lower case, classes (`ops.Add()`) in capitals."),
    ):
        public = sorted({n for n in module.__all__ if re.fullmatch(r"[A-Za-z]\w*", n)}, key=lambda n: (n.lower(), n))
        yield f"\n## `{module.__name__}`\n\n{said}\n\n{', '.join(f'`{n}`' for n in public)}"


def document() -> Iterator[str]:
    """The lines of the page."""
    yield INTRODUCTION
    section = ""
    for number, (name, text) in enumerate(rows()):
        if name != section:
            yield f"{chr(10) if section else ''}## {name}\n\n| | how | dtypes | gradient |\n|---|---|---|---|"
            section = name
        yield row(text, number)
    yield from names()


def main() -> int:
    try:
        text = "\n".join(document())
    except Wrong as error:
        print(error, file=sys.stderr)
        return 1
    DOCUMENT.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
