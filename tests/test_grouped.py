"""Groups of cases: each runs, fails under its own name, is skipped by itself, and leaves the settings to the next as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from grouped import grouped

from jitcore.config import settings

RUN: list[tuple[int, int]] = []


@pytest.fixture
def one() -> int:
    return 1


def groups_of(test: Callable[..., None]) -> list[Any]:
    """The parameters of a test's groups, and their names."""
    (mark,) = test.pytestmark  # type: ignore[attr-defined]
    assert mark.args[0] == "cases"
    return [(mark.kwargs["ids"](group), group) for group in mark.args[1]]


@grouped(("a", "b"), [(k, 2 * k) for k in range(5)], size=2)
def test_cases_are_run_with_fixtures(a: int, b: int, one: int) -> None:
    assert (b, one) == (2 * a, 1)
    RUN.append((a, b))


def test_each_case_is_run_once() -> None:
    test = test_cases_are_run_with_fixtures
    RUN.clear()
    assert [name for name, _ in groups_of(test)] == ["0-0, 1-2", "2-4, 3-6", "4-8"]
    for _, group in groups_of(test):
        test(group, one=1)
    assert [(k, 2 * k) for k in range(5)] == RUN


def failing(case: str) -> None:
    if case == "skipped":
        pytest.skip("why")
    if case == "no raise":
        with pytest.raises(ValueError, match="never"):
            pass
    assert case != "wrong"
    assert settings.full_traceback is False
    settings.full_traceback = True


@pytest.mark.parametrize(
    ("cases", "failed"),
    [
        (["good", "wrong", "skipped", "no raise", "good"], ["wrong", "no raise"]),
        (["wrong", "wrong"], ["wrong", "wrong"]),
        (["good", "good", "skipped"], []),
    ],
)
def test_every_failing_case_is_named(cases: list[str], failed: list[str]) -> None:
    test = grouped("case", [pytest.param(case, id=f"<{case}>") for case in cases])(failing)
    ((_, group),) = groups_of(test)
    settings.full_traceback = False
    if not failed:
        test(group)
        return
    with pytest.raises(BaseExceptionGroup, match=f"{len(failed)} of {len(cases)} cases failed") as caught:
        test(group)
    assert [e.__notes__ for e in caught.value.exceptions] == [[f"in the case <{case}>"] for case in failed]


def test_a_group_is_skipped_if_all_its_cases_are() -> None:
    test = grouped("case", ["skipped", "skipped"])(failing)
    with pytest.raises(pytest.skip.Exception, match="why"):
        test(groups_of(test)[0][1])


def test_a_case_with_marks_is_a_group_of_its_own() -> None:
    mark = pytest.mark.xfail(reason="so")
    test = grouped("case", ["a", pytest.param("b", marks=mark), "c"])(failing)
    alone, together = test.pytestmark[0].args[1]
    assert (alone.values, list(alone.marks)) == (([("b", ("b",))],), [mark])
    assert together == [("a", ("a",)), ("c", ("c",))]


def test_an_interruption_is_no_failure_of_a_case() -> None:
    def stopped(case: int) -> None:
        raise KeyboardInterrupt

    test = grouped("case", [1, 2])(stopped)
    with pytest.raises(KeyboardInterrupt):
        test(groups_of(test)[0][1])
