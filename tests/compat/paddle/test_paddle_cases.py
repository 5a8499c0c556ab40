"""Paddle's functions give what Paddle gives, line by line and compiled, with its gradients: recorded facts."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import paddle
import pytest
from grouped import grouped

from jitcore import jit

from paddle_cases import HERE, Case, cases, described, evaluated, load  # isort: skip

FAMILIES = sorted(file.stem for file in (HERE / "cases").glob("*.txt"))
FACTS = {family: load(HERE / "facts" / f"{family}.jsonl") for family in FAMILIES}
CASES = [
    pytest.param(family, case, id=f"{family}: {case}")
    for family in FAMILIES
    for case in cases(HERE / "cases" / f"{family}.txt")
]
_MORE_GRADIENTS = (
    *("paddle.lerp", "paddle.unique", "paddle.nextafter", "P(2, 1).nextafter", "paddle.gammainc", "paddle.diag_embed"),
    *("paddle.bincount", "paddle.diagonal_scatter", "paddle.divide(T(3), P(3), rounding", "paddle.linalg.lstsq"),
    *("T(3, 3).fill_diagonal_tensor", "(T(3, 3) * 1).fill_diagonal_tensor_", "paddle.histogram_bin_edges"),
)
"""Functions that have gradients here where Paddle has none."""
COMPILED = [p for p in CASES if p.values[0] != "dtypes"] + [p for p in CASES if p.values[0] == "dtypes"][::4]
"""What is compared compiled, too: a part of what is about dtypes alone."""
_TOLERANCES = {"float16": 2e-3, "float32": 2e-5, "complex64": 2e-5}


_LINE_BY_LINE = ("in_place", "creation", "items_set")
"""What is compared line by line only: much of it is about Python's objects."""


def _is_known(case: Case) -> bool:
    """Whether a case's axes and extents are known when it is compiled."""
    return "to_tensor" not in case.text and "repeat_interleave(T(2, 3), I" not in case.text


def require_same(have: Any, want: Any, where: str) -> None:
    """Compare descriptions of results."""
    if isinstance(want, dict) and "values" in want:
        assert isinstance(have, dict), where
        assert "values" in have, f"{where}: {have}"
        assert (have["dtype"], have["shape"]) == (want["dtype"], want["shape"]), where
        close = _TOLERANCES.get(want["dtype"], 1e-10)
        np.testing.assert_allclose(
            np.array(have["values"], dtype=np.float64),
            np.array(want["values"], dtype=np.float64),
            rtol=close,
            atol=close,
            err_msg=where,
        )
    elif isinstance(want, list):
        assert isinstance(have, list), where
        assert len(have) == len(want), where
        for k, (a, b) in enumerate(zip(have, want, strict=True)):
            require_same(a, b, f"{where}[{k}]")
    elif isinstance(want, dict) and "number" in want:
        a, b = (complex(v["number"]) for v in (have, want))
        assert math.isclose(a.real, b.real, rel_tol=1e-6), where
        assert math.isclose(a.imag, b.imag, rel_tol=1e-6), where
    else:
        assert have == want, where


@grouped(("family", "case"), CASES)
def test_gives_what_paddle_gives(family: str, case: Case) -> None:
    fact = FACTS[family][case.text]
    function = case.function(paddle)
    paddle.seed(0)
    if "raises" in fact:
        with pytest.raises(Exception) as caught:  # noqa: PT011  the class is in the fact
            evaluated(case, paddle, function)
        assert fact["raises"] in [cls.__name__ for cls in type(caught.value).__mro__], caught.value
        return
    have = evaluated(case, paddle, function)
    require_same(have["result"], fact["result"], "result")
    for k, (own, known) in enumerate(zip(have["gradients"], fact["gradients"], strict=True)):
        if known is not None or not case.text.startswith(_MORE_GRADIENTS):
            require_same(own, known, f"gradients[{k}]")


@grouped(
    ("family", "case"),
    [p for p in COMPILED if p.values[0] not in _LINE_BY_LINE and not p.values[1].raises and _is_known(p.values[1])],
)
def test_gives_the_same_compiled(family: str, case: Case) -> None:
    fact = FACTS[family][case.text]
    leaves = [paddle.to_tensor(a) for a in case.arrays()]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what is run by the interpreter in part
        made = jit(case.function(paddle))(*leaves)
    require_same(described(made, paddle), fact["result"], "result")
