"""Paddle's layers, losses and functions of networks give what Paddle 3.3.1 gives, with its gradients: recorded facts
(`recording_networks.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from grouped import grouped
from network_cases import HERE, Case, cases, load

from jitcore import jit

FAMILIES = sorted(file.stem for file in (HERE / "networks").glob("*.txt"))
FACTS = {family: load(HERE / "networks" / f"{family}.jsonl") for family in FAMILIES}
CASES = [
    pytest.param(family, case, id=f"{family}: {case}")
    for family in FAMILIES
    for case in cases(HERE / "networks" / f"{family}.txt")
]


@pytest.fixture(scope="module")
def paddle() -> Any:
    import paddle as ours

    return ours


def require_same(have: Any, want: Any, where: str) -> None:
    """Compare descriptions of results."""
    if isinstance(want, dict) and "values" in want:
        assert isinstance(have, dict), where
        assert (have.get("dtype"), have.get("shape")) == (want["dtype"], want["shape"]), f"{where}: {have}"
        close = 1e-9 if want["dtype"] == "float64" else 1e-5
        np.testing.assert_allclose(
            np.array(have["values"], np.float64), np.array(want["values"], np.float64), close, close, err_msg=where
        )
    elif isinstance(want, list):
        assert len(have) == len(want), where
        for k, (a, b) in enumerate(zip(have, want, strict=True)):
            require_same(a, b, f"{where}[{k}]")
    elif isinstance(want, dict):
        assert list(have) == list(want), where
        for name, value in want.items():
            require_same(have[name], value, f"{where} {name}")
    else:
        assert have == want, where


@grouped(("family", "case"), CASES)
def test_gives_what_paddle_gives(family: str, case: Case, paddle: Any) -> None:
    fact = FACTS[family][case.text]
    with paddle.utils.unique_name.guard():
        have = case.evaluated(paddle)
    for part in fact:
        require_same(have[part], fact[part], part)


COMPILED = [
    case
    for case in CASES
    if case.values[0] not in ("activations", "losses", "pooling") and case.values[1].has_layer  # type: ignore[attr-defined]
]


@grouped(("family", "case"), COMPILED)
def test_a_compiled_layer_gives_what_paddle_gives(family: str, case: Case, paddle: Any) -> None:
    fact = FACTS[family][case.text]

    def compiled(layer: Any, args: Any, keywords: Any) -> Any:
        return jit(layer)(*args, **keywords)

    with paddle.utils.unique_name.guard():
        have = case.evaluated(paddle, compiled)
    for part in ("result", "gradients", "parameters"):
        require_same(have[part], fact[part], part)
