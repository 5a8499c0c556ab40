"""`docs/SUPPORT.md` is what `python -m tests.support_matrix` makes: all its rows, and a slice of them made anew."""

from __future__ import annotations

import re

import numpy as np
import pytest

from jitcore.primitives.core.registry import PRIMITIVES, Elementwise, Nondifferentiable, Primitive, Sample
from tests import support_matrix as matrix
from tests.support_checks import difference

EVERY = 20
AGAIN = "run `python -m tests.support_matrix`"
MENDED = ("cofactors", "determinant", "drawn", "from_scalar", "mul", "of_floats", "philox", "sorted_order")
"""Primitives that failed for some dtype until the matrix was made."""


@pytest.fixture(scope="module")
def recorded() -> dict[str, str]:
    """The rows of the document by primitive."""
    table = matrix.DOCUMENT.read_text().partition("## Primitives")[2].partition("\n## ")[0]
    return {found[1]: line for line in table.splitlines() if (found := re.match(r"\| `(\w+)` ", line))}


def test_every_primitive_has_a_row(recorded: dict[str, str]) -> None:
    assert list(recorded) == sorted(PRIMITIVES), AGAIN


@pytest.mark.parametrize("primitive", matrix.in_order()[::EVERY], ids=str)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_row_made_anew_is_the_recorded_one(primitive: Primitive, recorded: dict[str, str]) -> None:
    lines, unexplained = matrix.rows([primitive])
    assert not unexplained
    assert lines == [recorded[primitive.name]], AGAIN


@pytest.mark.parametrize("name", MENDED)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_was_mended_has_no_hole(name: str, recorded: dict[str, str]) -> None:
    lines, unexplained = matrix.rows([PRIMITIVES[name]])
    assert not unexplained
    assert lines == [recorded[name]]


def test_why_there_is_no_derivative_is_recorded() -> None:
    text = matrix.DOCUMENT.read_text()
    assert all(line in text for line in matrix.reasons()), AGAIN


def test_a_hole_without_a_reason_is_reported() -> None:
    def samples() -> list[Sample]:
        return [Sample((np.array([0.5, 1.5]),))]

    sine = PRIMITIVES["sin"]
    wrong = Primitive("sin", ("x",), sine.rule, np.cos, sine.lowering, sine.derivative, samples)
    (line,), unexplained = matrix.rows([wrong])
    assert "eager: off by" in unexplained[0]
    assert "? |" in line


def test_a_reason_comes_from_the_declaration() -> None:
    exp = PRIMITIVES["exp"]
    stepped = Primitive(
        "exp", ("x",), exp.rule, exp.reference, Elementwise("exp"), Nondifferentiable("it has steps"), exp.samples
    )
    (line,), unexplained = matrix.rows([stepped])
    assert not unexplained
    assert line.split(" | ")[5:7] == ["0", "0"]


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["i8", "i16", "i32", "i64", "f32"], "i s"),
        (["i8", "i64", "f16"], "i8 i64 h"),
        (["bool_", "u8", "u16", "u32", "u64", "c128"], "b u z"),
        (["int float"], "int float"),
    ],
)
def test_dtypes_in_short(names: list[str], short: str) -> None:
    assert matrix.letters(names) == short


def test_cells() -> None:
    assert matrix.cell({"f32": "", "f64": ""}) == "✓"
    assert matrix.cell({"i64": "k", "f64": ""}) == "d k(i64)"
    assert matrix.cell({"f32": "n", "f64": "n"}) == "n"


def test_differences_are_in_bits_or_units() -> None:
    one, after = np.array([1.0, -0.0]), np.array([np.nextafter(1.0, 2.0), -0.0])
    assert difference(one, one, 0) is None
    assert difference(one, np.array([1.0, 0.0]), 0) == "other bits"
    assert difference(after, one, 1) is None
    assert difference(after, one, 0.5) is not None
    assert difference(np.array([np.nan, 1.0]), one, 4) == "finite where the other is not"
