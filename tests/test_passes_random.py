"""The passes on random modules: what they make is valid, gives the same bits, and raises the same exceptions."""

from __future__ import annotations

import numpy as np
import pytest
from module_generator import ModuleGenerator
from test_passes import outcome

import jitcore.primitives  # noqa: F401  fills PRIMITIVES
from jitcore.ir.nodes import Module
from jitcore.ir.printer import to_text
from jitcore.ir.verify import verify
from jitcore.passes.cse import Cse
from jitcore.passes.dce import Dce
from jitcore.passes.fold import Fold
from jitcore.passes.inline import Inline
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import run_passes
from jitcore.passes.simplify import Simplify

PASSES = (Inline(), Fold(), Simplify(), Cse(), Dce())
ARGUMENTS = [
    (3, -0.0, True, np.array([1.0, -0.0, np.inf], np.float32), np.array([0.5, 2.0, np.nan], np.float32)),
    (-(2**62), 1.5, False, np.zeros(3, np.float32), np.array([-1.0, 1.0, 3.0], np.float32)),
]


def outcomes(module: Module) -> list[tuple[object, ...]]:
    text = to_text(module)
    return [outcome(text, [a.copy() if isinstance(a, np.ndarray) else a for a in args]) for args in ARGUMENTS]


@pytest.mark.parametrize("seed", range(60))
def test_random_modules(seed: int) -> None:
    module = ModuleGenerator(seed).module()
    verify(module)
    before = outcomes(module)
    for passes in (OPTIMISATIONS, (PASSES[seed % len(PASSES)],)):
        after = run_passes(module, passes)
        assert outcomes(after) == before, f"{to_text(module)}\n{to_text(after)}"


def test_many_random_modules_end_without_an_exception() -> None:
    kinds = [outcomes(ModuleGenerator(seed).module())[0][0] for seed in range(60)]
    assert kinds.count("gives") >= 20
