"""The counts of `tests/ratchet.py` only fall, and count what they say."""

from __future__ import annotations

import ast

import pytest

from tests import ratchet


@pytest.fixture(scope="module")
def counts() -> ratchet.Counts:
    return ratchet.counts()


def test_no_count_has_risen(counts: ratchet.Counts) -> None:
    risen = ratchet.risen(counts, ratchet.recorded())
    assert not risen, "\n".join(["These counts only fall:", *risen])


def test_what_has_fallen_is_written_down(counts: ratchet.Counts) -> None:
    fallen = ratchet.risen(ratchet.recorded(), counts)
    assert not fallen, "\n".join(
        ["Run `python -m tests.ratchet`, for these have fallen, and are still recorded as:", *fallen]
    )


@pytest.mark.parametrize(
    ("graph", "cycles"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}}, [["d", "e"], ["a", "b", "c"]]),
    ],
)
def test_cycles(graph: dict[str, set[str]], cycles: list[list[str]]) -> None:
    assert ratchet.cycles(graph) == cycles


def test_what_a_file_holds() -> None:
    tree = ast.parse('''
from typing import TYPE_CHECKING, Any
if TYPE_CHECKING:
    import a
def f(self, x: Any, *y: Any, z: int, w: "Any | None" = None):
    if TYPE_CHECKING:
        import b
    def g():
        import c
    match x:
        case "add" | "sub": ...
        case "add" | other: ...
T = {"add": 1, "exp": 2}, ("exp", "add"), ["add"], ("add", "no such op")
''')  # fmt: skip
    assert [ast.unparse(i) for i in ratchet.imports_inside_functions(tree)] == ["import c"]
    assert [ast.unparse(p) for p in ratchet.parameters(tree)] == ["x: Any", "y: Any", "z: int", "w: 'Any | None'"]
    assert sorted(ast.unparse(t) for t in ratchet.op_tables(tree)) == [
        "'add' | 'sub'",
        "('exp', 'add')",
        "{'add': 1, 'exp': 2}",
    ]


def test_a_count_that_has_risen_is_not_written_down() -> None:
    before = {"lines over 120 columns": {"passes": 3, "ir": 2}}
    assert ratchet.risen({"lines over 120 columns": {"passes": 3, "ir": 1}}, before) == []
    assert ratchet.risen({"lines over 120 columns": {"passes": 4, "nn": 1}}, before) == [
        "lines over 120 columns in passes: 4, not 3",
        "lines over 120 columns in nn: 1, not 0",
    ]


def test_what_moves_to_another_part_has_not_risen_in_all() -> None:
    assert ratchet.totals({"files": {"passes": 3, "ir": 2}}) == ratchet.totals({"files": {"passes.infer": 4, "nn": 1}})
