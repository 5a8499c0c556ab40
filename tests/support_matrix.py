"""Which primitive works for which dtypes: `python -m tests.support_matrix` tries them all, and writes `docs/SUPPORT.md`.

A row is a primitive, a column a check of `tests/support_checks.py`; a cell has the dtypes for which its samples pass, and the
others with the mark of a reason that follows from the primitive's declaration. Where there is none, nothing is written, and
the process ends with status 1.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import numpy as np

from jitcore.primitives.core.registry import (
    PRIMITIVES,
    NoDerivativeError,
    Nondifferentiable,
    Place,
    Primitive,
    Sample,
    StackSample,
    Structural,
)
from jitcore.source import CompileError
from jitcore.testing.numpy_evaluator import type_of_value
from jitcore.types import DTYPES, DimExpr, DType, ScalarType, TensorType, dtype_of
from tests.support_checks import CHECKS, by_reference, has_gradient, result_types

DOCUMENT = Path(__file__).parent.parent / "docs" / "SUPPORT.md"
MOST_SAMPLES = 4
"""How many samples of a primitive are tried for each dtype."""

LETTERS = {
    "bool_": "b", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64", "u8": "u8", "u16": "u16", "u32": "u32", "u64": "u64",
    "f16": "h", "f32": "s", "f64": "d", "c64": "c", "c128": "z",
}  # fmt: skip
"""As BLAS has them: h half, s single, d double, c and z complex."""
FAMILIES = {"i": ("i8", "i16", "i32", "i64"), "u": ("u8", "u16", "u32", "u64")}
NUMBERS = {bool: "bool", int: "int", float: "float", complex: "complex"}

REASONS = {
    "k": "what is given, or comes out, is no float and no complex number: there is no derivative to take",
    "0": "declared constant between its jumps (`Nondifferentiable`): the derivative is 0; why stands below",
    "n": "declared without a derivative (`Nondifferentiable`, an error where one is asked for); why stands below",
    "t": "the transforms themselves know how (`Structural`): places, stacks and unions have no rule",
    "j": "its samples lie at jumps and kinks alone (`Sample.differentiable`), where differences are no slopes",
    "r": "its rule raises `NoDerivativeError` for the parameters of its samples",
    "e": "it has an effect (`Effects`): to run it once more than the program says would be another program",
    "v": "its result has as many elements as the values of its operands say: rows would differ in shape",
    "m": "takes Python numbers beside arrays, which only compiled code has: line by line, numbers among arrays are arrays",
    "p": "a place or stack among its operands, which only compiled code has",
    "s": "declared without samples: what it does shows only together with what other operators made",
}


@dataclass(frozen=True)
class Case:
    """A primitive's samples for one dtype, by the name it has in the table."""

    dtype: str
    samples: tuple[Sample, ...]


class Unexplained(Exception):
    """A check failed, and the declaration does not say why."""


# --- samples of every dtype ----------------------------------------------------------------------------


def cases(primitive: Primitive) -> list[Case]:
    """The samples of a primitive by dtype: declared ones, and for other dtypes that its rule takes, declared ones converted."""
    samples = list(primitive.samples())
    if not samples:
        return []
    arrays = [s for s in samples if any(isinstance(a, np.ndarray) for a in s.args)]
    if arrays:
        found = _of_arrays(primitive, arrays)
    elif any(isinstance(s.params.get("dtype"), DType) for s in samples):
        found = _of_params(primitive, samples)
    else:
        return _of_numbers(samples)
    return [Case(name, tuple(of[:MOST_SAMPLES])) for name, of in found.items() if of]


def _of_arrays(primitive: Primitive, samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """By the dtype of the operands that may have the most of them."""
    base = max(samples, key=_is_typical)
    groups = {dtype_of(a.dtype).name: None for a in base.args if isinstance(a, np.ndarray)}
    takes = {g: [d for d in DTYPES.values() if _fits(primitive, converted(base, g, d))] for g in groups}
    chosen = max(groups, key=lambda g: (len(takes[g]), DTYPES[g].kind == "f"))
    position = next(k for k, a in enumerate(base.args) if _has_dtype(a, chosen))
    found: dict[str, list[Sample]] = {name: [] for name in DTYPES}
    for sample in samples:
        if position < len(sample.args) and isinstance(sample.args[position], np.ndarray):
            found[dtype_of(sample.args[position].dtype).name].append(sample)
    for dtype in takes[chosen]:
        if not any(s.differentiable for s in found[dtype.name]):
            found[dtype.name] += _converted_samples(primitive, samples, chosen, position, dtype)
    return {name: sorted(of, key=lambda s: not s.differentiable) for name, of in found.items()}


def _is_typical(sample: Sample) -> tuple[bool, bool, int]:
    """What a sample of another dtype is best made of: floats, where there is a derivative, with elements."""
    arrays = [a for a in sample.args if isinstance(a, np.ndarray)]
    floats = [a for a in arrays if a.dtype.kind == "f"]
    return bool(floats), sample.differentiable, min(min(a.size, 12) for a in arrays)


def _converted_samples(
    primitive: Primitive, samples: Sequence[Sample], group: str, position: int, dtype: DType
) -> list[Sample]:
    there = [s for s in samples if position < len(s.args) and isinstance(s.args[position], np.ndarray)]
    whole = [s for s in there if dtype.is_integer and s.args[position].dtype.kind in "iu"]
    made: list[Sample] = []
    for alike in (whole, [s for s in there if _has_dtype(s.args[position], group)]):
        typical = sorted(alike, key=_is_typical, reverse=True)[:2]
        made += (converted(s, dtype_of(s.args[position].dtype).name, dtype) for s in typical)
    return [s for s in made if _fits(primitive, s)][:2]


def _has_dtype(value: object, name: str) -> bool:
    return isinstance(value, np.ndarray) and dtype_of(value.dtype).name == name


def converted(sample: Sample, group: str, dtype: DType) -> Sample:
    """The sample with other elements in the operands of one dtype: natural numbers and truth values are scaled magnitudes."""
    return replace(sample, args=tuple(_cast(a, dtype) if _has_dtype(a, group) else a for a in sample.args))


def _cast(array: np.ndarray, dtype: DType) -> np.ndarray:
    if dtype.kind == "b":
        return np.asarray(np.real(array) > 0)
    if dtype.kind in "iu" and array.dtype.kind in "fc":
        array = np.rint(np.real(array) * 4)
    if dtype.kind == "u":
        array = np.abs(array)
    return np.asarray(array).astype(dtype.numpy)


def _fits(primitive: Primitive, sample: Sample) -> bool:
    """Whether the type rule takes the operands."""
    try:
        result_types(primitive, sample)
    except TypeError:
        return False
    return True


def _of_params(primitive: Primitive, samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """By the static parameter `dtype`."""
    found: dict[str, list[Sample]] = {name: [] for name in DTYPES}
    for sample in samples:
        found[sample.params["dtype"].name].append(sample)
    for dtype in DTYPES.values():
        if not any(s.differentiable and dtype.is_differentiable for s in found[dtype.name]):
            found[dtype.name] += _with_dtype(primitive, samples, dtype)[: MOST_SAMPLES - 1]
    return {name: sorted(of, key=lambda s: not s.differentiable) for name, of in found.items()}


def _with_dtype(primitive: Primitive, samples: Sequence[Sample], dtype: DType) -> list[Sample]:
    """The samples that do not raise with another static dtype."""
    made: list[Sample] = []
    for sample in samples:
        changed = replace(sample, params={**sample.params, "dtype": dtype})
        if sample.differentiable and _fits(primitive, changed):
            with suppress(*(getattr(builtins, name) for name in primitive.effects.raises)):
                by_reference(primitive, changed)
                made.append(changed)
    return made


def _of_numbers(samples: Sequence[Sample]) -> list[Case]:
    """By the Python numbers that are given, or the dtype of places."""
    found: dict[str, list[Sample]] = {}
    for sample in samples:
        kinds = {NUMBERS[type(a)] for a in sample.args if type(a) in NUMBERS}
        places = {LETTERS[dtype_of(a.array.dtype).name] for a in sample.args if isinstance(a, Place)}
        name = " ".join(sorted(places) or [n for n in NUMBERS.values() if n in kinds]) or "–"
        found.setdefault(name, []).append(sample)
    return [Case(name, tuple(of[: 2 * MOST_SAMPLES])) for name, of in found.items()]


# --- cells ---------------------------------------------------------------------------------------------


def mark(primitive: Primitive, check: str, case: Case) -> str:
    """ "" if a check passes for a dtype, else the mark of the reason. Raises Unexplained."""
    known = _declared(primitive, check, case)
    if known:
        return known
    if check not in ("gradient", "jvp"):
        return next(filter(None, (_outcome(primitive, check, s) for s in case.samples)), "")
    samples = [s for s in case.samples if has_gradient(primitive, s)]
    smooth = [_outcome(primitive, check, s) for s in samples if s.differentiable]
    outcomes = smooth or [_at_a_kink(primitive, check, s) for s in samples]
    return "" if "" in outcomes else max(outcomes)


def _at_a_kink(primitive: Primitive, check: str, sample: Sample) -> str:
    """The mark of a check where a declaration says that differences may be no slopes."""
    try:
        return _outcome(primitive, check, sample)
    except Unexplained:
        return "j"


def _declared(primitive: Primitive, check: str, case: Case) -> str:
    """The mark of what the declaration says before anything is run."""
    operands = [a for s in case.samples for a in s.args]
    if any(isinstance(a, StackSample) for a in operands) or _gives_stack(primitive):
        return "p" if check != "reference" else ""
    if check in ("gradient", "jvp"):
        return _without_derivative(primitive, case)
    if check in ("eager", "vmap") and any(isinstance(a, Place) for a in operands):
        return "p"
    if check == "vmap":
        effects = primitive.effects
        once = effects.reads or effects.writes or effects.io
        return "e" if once else "v" if _extents_vary(primitive, case.samples) else ""
    return ""


def _gives_stack(primitive: Primitive) -> bool:
    return isinstance(primitive.derivative, Structural) and primitive.derivative.of == "stack"


def _without_derivative(primitive: Primitive, case: Case) -> str:
    derivative = primitive.derivative
    if isinstance(derivative, Structural):
        return "t"
    if not any(has_gradient(primitive, s) for s in case.samples):
        return "k"
    if isinstance(derivative, Nondifferentiable):
        return "0" if derivative.zero else "n"
    return ""


def _extents_vary(primitive: Primitive, samples: Sequence[Sample]) -> bool:
    """Whether an extent of a result is a symbol that the operands do not have."""
    types = [t for s in samples for t in result_types(primitive, s)]
    return any(isinstance(d, DimExpr) for t in types if isinstance(t, TensorType) for d in t.shape)


def _outcome(primitive: Primitive, check: str, sample: Sample) -> str:
    try:
        with redirect_stdout(StringIO()):
            found = CHECKS[check](primitive, sample)
    except NoDerivativeError:
        return "r"
    except CompileError as error:
        if check in ("gradient", "jvp") and isinstance(error.__context__, NoDerivativeError):
            return "r"
        raise Unexplained(_where(primitive, check, sample, error)) from error
    except Exception as error:
        if check == "eager" and _mixes_numbers(sample):
            return "m"
        raise Unexplained(_where(primitive, check, sample, error)) from error
    if found and check == "eager" and _mixes_numbers(sample):
        return "m"
    if found:
        raise Unexplained(_where(primitive, check, sample, found))
    return ""


def _mixes_numbers(sample: Sample) -> bool:
    kinds = {isinstance(type_of_value(a), ScalarType) for a in sample.args}
    return len(kinds) == 2


def _where(primitive: Primitive, check: str, sample: Sample, found: object) -> str:
    said = f"{type(found).__name__}: {found}" if isinstance(found, Exception) else found
    types = ", ".join(repr(type_of_value(a)) for a in sample.args)
    return f"{primitive.name}({types}; {dict(sample.params)}), {check}: {said}"


# --- rows ----------------------------------------------------------------------------------------------


def row(primitive: Primitive, unexplained: list[str]) -> str:
    """The line of a primitive; what fails without a reason is added to the list."""
    found = cases(primitive)
    if not found:
        return f"| `{primitive.name}` | – |" + " s |" * len(CHECKS)
    cells: list[str] = []
    for check in CHECKS:
        marks: dict[str, str] = {}
        for case in found:
            try:
                marks[case.dtype] = mark(primitive, check, case)
            except Unexplained as error:
                unexplained.append(str(error))
                marks[case.dtype] = "?"
        cells.append(cell(marks))
    return f"| `{primitive.name}` | {letters([c.dtype for c in found])} | {' | '.join(cells)} |"


def cell(marks: dict[str, str]) -> str:
    """A check mark if all dtypes pass; else those that pass, and by reason those that don't."""
    if not any(marks.values()):
        return "✓"
    parts = [letters([d for d, m in marks.items() if not m])]
    for reason in sorted({m for m in marks.values() if m}):
        without = [d for d, m in marks.items() if m == reason]
        parts.append(reason if len(without) == len(marks) else f"{reason}({letters(without)})")
    return " ".join(filter(None, parts))


def letters(names: Sequence[str]) -> str:
    """Dtypes in short: all signed integers are `i`, all unsigned ones `u`; Python's numbers have their names."""
    if not set(names) <= DTYPES.keys():
        return ", ".join(names)
    short: list[str] = []
    for name in names:
        kind = next((k for k, family in FAMILIES.items() if name in family and set(family) <= set(names)), None)
        letter = kind or LETTERS[name]
        if letter not in short:
            short.append(letter)
    return " ".join(short)


def rows(primitives: Iterable[Primitive]) -> tuple[list[str], list[str]]:
    """The lines of some primitives, and what is unexplained in them."""
    unexplained: list[str] = []
    return [row(p, unexplained) for p in primitives], unexplained


def in_order() -> list[Primitive]:
    """All primitives as the table has them: by name."""
    return sorted(PRIMITIVES.values(), key=lambda p: p.name)


# --- the document --------------------------------------------------------------------------------------

TITLE = "# What works for which dtypes\n"
ACCURACY = "## Accuracy\n"

INTRODUCTION = """
Made by `python -m tests.support_matrix`, which runs samples of every primitive; `tests/test_support_matrix.py` makes a slice of it
anew. Public functions are made of primitives, and work for the dtypes that these have.

- *dtypes*: those that the type rule takes: `b` bool, `i` and `u` integers of 8 to 64 bits (`i32`: of 32 alone), `h` `s` `d` floats of 16, 32
  and 64 bits, `c` `z` complex numbers of 64 and 128 bits; `bool`, `int`, `float`, `complex`: Python's numbers. `–`: there is none.
- *reference*: the NumPy reference gives the type that the rule says. *eager*, *compiled*: called line by line, and as a program, it gives what
  the reference gives: every bit where the declaration says so, else within the declared error. *gradient*: reverse mode against
  differences (of doubles; narrower floats against doubles). *jvp*: forward mode is the transpose of it. *vmap*: a batch against row after row.
- `✓`: all dtypes. Else those that pass, and after the mark of a reason those that don't (alone: all):
"""


def reasons() -> Iterator[str]:
    """Why primitives are declared without derivatives, a line for each reason."""
    by_reason: dict[tuple[bool, str], list[str]] = {}
    for primitive in in_order():
        if isinstance(primitive.derivative, Nondifferentiable):
            key = (primitive.derivative.zero, primitive.derivative.reason)
            by_reason.setdefault(key, []).append(f"`{primitive.name}`")
    for (zero, reason), names in sorted(by_reason.items()):
        yield f"- {'0' if zero else 'n'}: *{reason}*: {', '.join(names)}"


def document(lines: Sequence[str], accuracy: str) -> str:
    """The whole text."""
    head = ["| primitive | dtypes | " + " | ".join(CHECKS) + " |", "|---|---|" + "---|" * len(CHECKS)]
    legend = [f"    - `{mark}`: {reason}" for mark, reason in REASONS.items()]
    return "\n".join(
        [TITLE + INTRODUCTION.rstrip(), *legend, "", "## Primitives", "", *head, *lines, "",
         "## Without derivatives", "", *reasons(), "", accuracy.rstrip(), ""]
    )  # fmt: skip


def accuracy_in(text: str) -> str:
    """The part of the document that `tests/accuracy_survey.py` writes."""
    return ACCURACY + text.partition(ACCURACY)[2]


def main() -> None:
    """Write the table, unless a hole in it has no reason."""
    lines, unexplained = rows(in_order())
    if unexplained:
        sys.exit("\n".join(["The declarations do not say why these fail:", *unexplained]))
    before = DOCUMENT.read_text() if DOCUMENT.exists() else ""
    DOCUMENT.write_text(document(lines, accuracy_in(before)))
    print(f"{DOCUMENT}: {len(lines)} primitives")


if __name__ == "__main__":
    main()
