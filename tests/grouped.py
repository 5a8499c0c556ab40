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
_CASE = type(pytest.param())


def grouped(
    names: str | Sequence[str], cases: Iterable[Any], *, ids: Callable[[Any], str] | None = None, size: int = SIZE
) -> Callable[[Callable[..., None]], Any]:
    """A decorator as `pytest.mark.parametrize`, whose tests have `size` cases each, or one that has marks; its parameter is called `cases`."""
    arguments = (names,) if isinstance(names, str) else tuple(names)
    named: list[tuple[str, tuple[Any, ...]]] = []
    groups: list[Any] = []
    for case in cases:
        name, values = _named(case, len(arguments), ids)
        if isinstance(case, _CASE) and case.marks:
            groups.append(pytest.param([(name, values)], marks=case.marks))
        else:
            named.append((name, values))
    groups += [named[k : k + size] for k in range(0, len(named), size)]

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


def _named(case: Any, count: int, ids: Callable[[Any], str] | None) -> tuple[str, tuple[Any, ...]]:
    """A case's name and values."""
    name = case.id if isinstance(case, _CASE) else None
    values = tuple(case.values) if isinstance(case, _CASE) else (case,) if count == 1 else tuple(case)
    assert len(values) == count, f"{values} are {len(values)} values, not {count}"
    if name is None:
        name = "-".join(str(v) for v in values) if ids is None else ids(values[0] if count == 1 else values)
    return str(name), values


def _id(group: list[tuple[str, tuple[Any, ...]]]) -> str:
    return ", ".join(name for name, _ in group)
