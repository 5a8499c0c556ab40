"""Tests of many small cases, a dozen of which are one test of pytest's: what pytest and its workers do for a test takes longer than such a case.

    @grouped(("name", "value"), CASES)            # tuples, or pytest.param(…, id=…)
    def test_it(name, value): ...

Every case of a group is run, and begins with the settings that the group began with; the test fails with all that failed, each under its
name. `-k` finds a case by its name, which is in the name of its group.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from jitcore.config import FIELDS, settings

SIZE = 12


def grouped(
    names: str | Sequence[str], cases: Iterable[Any], *, ids: Callable[[Any], str] | None = None, size: int = SIZE
) -> Callable[[Callable[..., None]], Any]:
    """A decorator as `pytest.mark.parametrize`, whose tests have `size` cases each; its parameter is called `cases`."""
    arguments = (names,) if isinstance(names, str) else tuple(names)
    named = [_named(case, len(arguments), ids, k) for k, case in enumerate(cases)]
    groups = [named[k : k + size] for k in range(0, len(named), size)]

    def decorate(function: Callable[..., None]) -> Any:
        signature = inspect.signature(function)
        others = [p for name, p in signature.parameters.items() if name not in arguments]

        @functools.wraps(function)
        def test(cases: list[tuple[str, tuple[Any, ...]]], **fixtures: Any) -> None:
            failed: list[BaseException] = []
            skipped: list[BaseException] = []
            before = {name: getattr(settings, name) for name in FIELDS}
            for name, values in cases:
                try:
                    function(**dict(zip(arguments, values, strict=True)), **fixtures)
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the case {name}")
                    failed.append(error)
                for field, value in before.items():
                    setattr(settings, field, value)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases failed", failed)
            if len(skipped) == len(cases):
                raise skipped[0]

        own = inspect.Parameter("cases", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        test.__signature__ = signature.replace(parameters=[own, *others])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("cases", groups, ids=_id)(test)

    return decorate


def _named(case: Any, count: int, ids: Callable[[Any], str] | None, number: int) -> tuple[str, tuple[Any, ...]]:
    """A case's name and values."""
    if isinstance(case, type(pytest.param())):
        values, name = case.values, case.id
        assert not case.marks, "a group has no marks of its cases"
    else:
        values, name = (case,) if count == 1 else tuple(case), None
    if name is None:
        name = ids(case) if ids is not None else "-".join(str(v) for v in values)
    assert len(values) == count, f"case {number} has {len(values)} values, not {count}"
    return str(name), tuple(values)


def _id(group: list[tuple[str, tuple[Any, ...]]]) -> str:
    return ", ".join(name for name, _ in group)
