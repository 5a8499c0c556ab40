"""PyTorch's functions give what PyTorch gives, line by line and compiled, with its gradients: recorded facts."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from cases import HERE, Case, cases, evaluated, load
from grouped import grouped

from jitcore import jit
from jitcore.compat import torch as compat

FAMILIES = sorted(file.stem for file in (HERE / "cases").glob("*.txt"))
FACTS = {family: load(HERE / "facts" / f"{family}.jsonl") for family in FAMILIES}
CASES = [
    pytest.param(family, case, id=f"{family}: {case}")
    for family in FAMILIES
    for case in cases(HERE / "cases" / f"{family}.txt")
]
_TOLERANCES = {"float16": 2e-3, "float32": 2e-5, "complex64": 2e-5}


@pytest.fixture(scope="module")
def torch() -> Any:
    compat.install()
    import torch as ours

    yield ours
    compat.uninstall()


def require_same(have: Any, want: Any, where: str) -> None:
    """Compare descriptions of results."""
    if isinstance(want, dict) and "values" in want:
        assert isinstance(have, dict), where
        assert "values" in have, f"{where}: {have}"
        assert (have["dtype"], have["shape"]) == (want["dtype"], want["shape"]), where
        close = _TOLERANCES.get(want["dtype"], 1e-11)
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
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_gives_what_pytorch_gives(family: str, case: Case, compiled: bool, torch: Any) -> None:
    fact = FACTS[family][case.text]
    function = case.function(torch)
    if "raises" in fact:
        if compiled:
            pytest.skip("what it raises is compared line by line")
        with pytest.raises(Exception) as caught:  # noqa: PT011  the class is in the fact
            evaluated(case, torch, function)
        assert type(caught.value).__name__ == fact["raises"], caught.value
        return
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what is run by the interpreter in part
        have = evaluated(case, torch, function) if not compiled else _compiled(case, torch, function)
    require_same(have["result"], fact["result"], "result")
    if not compiled:
        require_same(have["gradients"], fact["gradients"], "gradients")


def _compiled(case: Case, torch: Any, function: Any) -> Any:
    with torch.no_grad():
        leaves = [torch.tensor(a) for a in case.arrays()]
        from cases import described

        return {"result": described(jit(function)(*leaves), torch)}
