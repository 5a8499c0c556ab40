"""Calls are served by machine code whatever they return or change: lists of lists, of tuples and dicts, lists and dicts that belong to the caller."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from jitcore import jit
from jitcore.runtime.notices import FallbackWarning
from tests import result_programs as programs

RETURNING = (
    "rows", "a_row_and_all", "a_row_of_them", "pairs", "lists_of_three", "dicts", "points", "nested", "ranges", "constants", "characters", "mixed",
    "with_none", "arrays", "scalars",
)  # fmt: skip
CHANGING = ("append", "sort", "clear_and_fill", "halves")


def _types(value: Any) -> Any:
    """The types in a value."""
    if isinstance(value, list | tuple):
        return type(value), [_types(v) for v in value]
    if isinstance(value, dict):
        return dict, {k: _types(v) for k, v in value.items()}
    return type(value)


def _native_calls(compiled: Any) -> int:
    return sum(member.native_calls for member in compiled.specialisations)


@pytest.mark.parametrize("name", RETURNING)
def test_what_calls_return(name: str) -> None:
    function: Any = getattr(programs, name)
    compiled = jit(function)
    for n in (4, 7, 2, 40):
        got, wanted = compiled(n), function(n)
        assert repr(got) == repr(wanted)
        assert _types(got) == _types(wanted)
    assert _native_calls(compiled) == 3


def test_a_list_in_two_places_is_one_object() -> None:
    compiled = jit(programs.a_row_and_all)
    for _ in range(3):
        row, found = compiled(3)
        assert found[0] is row
        assert found[0] is not found[1]


def test_rows_are_different_lists() -> None:
    compiled = jit(programs.lists_of_three)
    for _ in range(2):
        found = compiled(3)
        assert len({id(row) for row in found}) == 3


@pytest.mark.parametrize("name", CHANGING)
def test_lists_of_the_caller(name: str) -> None:
    function: Any = getattr(programs, name)
    compiled = jit(function)
    for size in (20, 30, 25, 20):
        given = [(7 * k) % 11 for k in range(size)]
        other = given.copy()
        got, wanted = compiled(given), function(other)
        assert given == other
        assert got == wanted
        assert (got is given) is (wanted is other)
    assert _native_calls(compiled) >= 2


def test_a_dict_of_the_caller() -> None:
    compiled, d = jit(programs.count), {"n": 0}
    assert [compiled(d) for _ in range(4)] == [1, 2, 3, 4]
    assert d == {"n": 4}
    assert _native_calls(compiled) == 3


def test_two_lists_of_the_caller_and_one_for_both() -> None:
    compiled = jit(programs.move)
    a, b = list(range(40)), list(range(20))
    assert [compiled(a, b) for _ in range(3)] == [(39, 21), (38, 22), (37, 23)]
    assert a == list(range(37))
    assert b == [*range(20), 39, 38, 37]
    native = _native_calls(compiled)
    assert native
    plain = a.copy()
    with pytest.warns(FallbackWarning):
        assert compiled(a, a) == programs.move(plain, plain)
    assert a == plain
    assert _native_calls(compiled) == native


def test_rows_of_the_caller_and_one_row_twice() -> None:
    compiled = jit(programs.grow_rows)
    for _ in range(3):
        given = [[k, k + 1] for k in range(30)]
        wanted = copy.deepcopy(given)
        compiled(given)
        programs.grow_rows(wanted)
        assert given == wanted
    row = [1, 2]
    given = [row] * 30
    compiled(given)
    assert given[0] is row
    assert row == [1, 2, *(k + 3 for k in range(30))]


def test_a_call_that_fails_leaves_what_python_leaves() -> None:
    compiled = jit(programs.fill_until)
    for n, size in ((50, 20), (60, 20), (5, 20), (70, 20), (3, 20)):
        given = list(range(size))
        wanted = given.copy()
        try:
            programs.fill_until(wanted, n)
            failed = None
        except ZeroDivisionError as error:
            failed = str(error)
        if failed is None:
            compiled(given, n)
        else:
            with pytest.raises(ZeroDivisionError, match=failed):
                compiled(given, n)
        assert given == wanted


def _state(value: Any) -> str:
    """A value, with the attributes of an object."""
    return repr(vars(value)) if hasattr(value, "__dict__") else repr(value)


OBJECTS: dict[str, Callable[[int], tuple[Any, ...]]] = {
    "distance": lambda k: (programs.Particle(k, 1.0), programs.Particle(2.0 * k, 0.0)),
    "advanced": lambda k: (programs.Particle(k, 1.0), 0.5),
    "collide": lambda k: (programs.Particle(k, 1.0), programs.Particle(2.0, k)),
    "noted": lambda k: (programs.History(20), k / 2),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_a_new_object_in_each_call(name: str) -> None:
    function: Any = getattr(programs, name)
    compiled = jit(function)
    for k in range(6):
        given, other = OBJECTS[name](k + 1), OBJECTS[name](k + 1)
        assert compiled(*given) == function(*other)
        assert list(map(_state, given)) == list(map(_state, other))
    assert _native_calls(compiled) >= 3


def test_one_object_for_two_is_a_case_of_its_own() -> None:
    compiled = jit(programs.collide)
    for k in range(4):
        compiled(programs.Particle(1.0, k), programs.Particle(1.0, 2.0))
    native = _native_calls(compiled)
    assert native
    one = programs.Particle(1.0, 3.0)
    assert compiled(one, one) == 0.0
    assert one == programs.Particle(1.0, 3.0)
    assert _native_calls(compiled) == native


def test_objects_of_another_class_or_with_other_attributes() -> None:
    compiled = jit(programs.distance)
    for k in range(4):
        compiled(programs.Particle(1.0, k), programs.Particle(1.0, 2.0))

    class Point:
        def __init__(self, **given: float) -> None:
            vars(self).update(given)

    assert compiled(Point(x=3.0), Point(x=1.0)) == 4.0
    assert compiled(Point(x=3), Point(x=1, y=2)) == 4
    with pytest.raises(AttributeError):
        compiled(Point(y=3.0), Point(x=1.0))
    more = programs.Particle(5.0, 1.0)
    vars(more)["x"] = 6
    assert compiled(more, programs.Particle(1.0, 2.0)) == 25
