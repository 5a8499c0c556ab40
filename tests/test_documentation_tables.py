"""`docs/language.md` and `docs/numpy.md` are what their generators make: all their rows, and some of them made anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jitcore.config import settings
from tests import language_table, numpy_table

SNIPPETS = list(enumerate(language_table.snippets()))
EXPRESSIONS = list(enumerate(text for _, text in numpy_table.rows()))
AGAIN = "run `python -m tests.language_table` or `python -m tests.numpy_table`"


@pytest.fixture(autouse=True)
def _as_the_generators_run() -> None:
    settings.verify = False


def recorded(document: Path) -> list[str]:
    """The rows of a page's tables, without their heads."""
    lines = document.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("| ") and not line.startswith("| |") and "| | why" not in line]


def test_every_construct_has_a_row() -> None:
    rows = recorded(language_table.DOCUMENT)
    assert [re.split(r"(?<!\\) \| ", row)[0][2:].replace("\\|", "|") for row in rows] == [
        snippet.construct for _, snippet in SNIPPETS
    ], AGAIN
    assert len(rows) >= 150


@pytest.mark.parametrize(("number", "snippet"), SNIPPETS[::6], ids=lambda v: getattr(v, "construct", None))
def test_a_construct_compiled_anew_is_as_recorded(number: int, snippet: language_table.Snippet) -> None:
    assert language_table.row(snippet, number) == recorded(language_table.DOCUMENT)[number], AGAIN


def test_every_function_of_numpy_has_a_row() -> None:
    rows = recorded(numpy_table.DOCUMENT)
    assert [row[2:].partition("` | ")[0].strip("`") for row in rows] == [text for _, text in EXPRESSIONS], AGAIN
    text = numpy_table.DOCUMENT.read_text(encoding="utf-8")
    assert all(part in text for part in numpy_table.names()), AGAIN


@pytest.mark.parametrize(("number", "text"), EXPRESSIONS[::20])
def test_a_function_compiled_anew_is_as_recorded(number: int, text: str) -> None:
    assert numpy_table.row(text, number) == recorded(numpy_table.DOCUMENT)[number], AGAIN


def test_what_differs_from_plain_python_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    snippet = language_table.Snippet("Section", "a construct", "return a\n")
    monkeypatch.setattr(language_table, "jit", lambda function: lambda a: a + 1)
    with pytest.raises(language_table.Differs, match="a construct: int 8"):
        language_table.row(snippet, 0)
    monkeypatch.setattr(numpy_table, "jit", lambda function: lambda x, y, m: x)
    with pytest.raises(numpy_table.Wrong, match=r"np.exp\(x\) for "):
        numpy_table.row("np.exp(x)", 0)
