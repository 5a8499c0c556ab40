"""Every name of the standard is there, and its functions take its parameters."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from grouped import grouped
from standard_signatures import ATTRIBUTES, CONSTANTS, DTYPES, FFT, LINALG, MAIN, METHODS

import jitcore.numpy as xp

_BY_NAME = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _parameters(text: str) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(eval(f"lambda {text}: None")).parameters


def _require(function: Callable[..., Any], text: str, exact: bool = False) -> None:
    own = list(inspect.signature(function).parameters.values())
    wanted = list(_parameters(text).values())
    by_place = [p for p in wanted if p.kind is not p.KEYWORD_ONLY]
    assert [p.name for p in own[: len(by_place)]] == [p.name for p in by_place]
    for p in wanted:
        (found,) = [q for q in own if q.name == p.name]
        assert found.kind is p.kind or (not exact and p.kind is p.KEYWORD_ONLY and found.kind in _BY_NAME)
        if p.default is not p.empty and p.name != "correction":
            assert found.default == p.default
    required = {p.name for p in own if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    assert required <= {p.name for p in wanted if p.default is p.empty}
    assert not exact or len(own) == len(wanted)


@grouped("name", MAIN)
def test_functions_of_the_main_namespace(name: str) -> None:
    _require(getattr(xp, name), MAIN[name])
    assert getattr(xp, name).__doc__
    assert name in xp.__all__


@pytest.mark.parametrize(("module", "facts"), [("linalg", LINALG), ("fft", FFT)])
def test_functions_of_the_extensions(module: str, facts: dict[str, str]) -> None:
    for name, text in facts.items():
        function = getattr(getattr(xp, module), name)
        _require(function, text, exact=name != "tensordot")
        assert function.__doc__


def test_constants() -> None:
    assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(xp.nan)
    assert set(CONSTANTS) <= set(xp.__all__)


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes(name: str) -> None:
    dtype = getattr(xp, name)
    assert dtype == dtype
    assert dtype != (xp.float32 if name != "float32" else xp.float64)
    assert xp.zeros((1,), dtype=dtype).dtype == dtype


def test_the_array_object_has_its_attributes_and_methods() -> None:
    x = xp.ones((2, 2))
    for name in ATTRIBUTES:
        assert hasattr(x, name)
    for name in METHODS:
        assert callable(getattr(x, name))
    for name in ("__array_namespace__", "__dlpack__", "__dlpack_device__", "to_device"):
        _require(getattr(x, name), METHODS[name])


def test_names_of_numpy_that_the_standard_has_not_remain() -> None:
    for name in ("cumsum", "linspace", "concatenate", "transpose", "einsum", "median", "vstack", "arctan2", "absolute"):
        assert callable(getattr(xp, name))
    with pytest.raises(AttributeError, match="no function 'nothing'"):
        xp.nothing  # noqa: B018


def test_arguments_by_position_as_numpy_has_them() -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert xp.sum(x, 0).shape == (2,)
    assert xp.zeros(2, xp.float32).dtype == xp.float32
    assert xp.tril(x, -1)[1, 0] == 3.0
    assert float(xp.var(x, ddof=1)) == float(xp.var(x, correction=1))
    assert float(xp.sum(x, where=x > 1.5, initial=10.0)) == 19.0
    assert xp.clip(x, a_min=2.0).tolist() == [[2.0, 2.0], [3.0, 4.0]]
