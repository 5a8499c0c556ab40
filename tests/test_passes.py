"""The simplifying passes on small modules: tests/golden/<pass>/*.ir have the text before and after.

A file's first line is `# run (arguments)` with what to call the module with (`x` and `y` are arrays): before and after must
give the same bits and raise the same exception. A new file needs no after: `pytest --update-golden` writes it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore.primitives  # noqa: F401  fills PRIMITIVES
from jitcore.ir.nodes import Module
from jitcore.ir.parser import parse
from jitcore.ir.printer import Text, to_text
from jitcore.ir.verify import verify
from jitcore.passes.patterns import operators_in
from jitcore.passes.pipeline import CLEANUP, OPTIMISATIONS, PASSES
from jitcore.passes.registry import run_passes
from jitcore.passes.simplify import RULES
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.testing.run_text import run_text

GOLDEN = Path(__file__).parent / "golden"
SEPARATOR = "# --- after ---\n"
PIPELINES = {**{pass_.name: (pass_,) for pass_ in PASSES}, "cleanup": CLEANUP}
CASES = [file.relative_to(GOLDEN) for name in PIPELINES for file in sorted((GOLDEN / name).glob("*.ir"))]


def read(path: Path) -> tuple[str, Module]:
    before = (GOLDEN / path).read_text().partition(SEPARATOR)[0]
    return before, parse(before, PRIMITIVES)


def arguments(text: str) -> list[Any]:
    """What the `# run` line says; fresh arrays each time, as the program may write to them."""
    line = text.splitlines()[0]
    assert line.startswith("# run "), "the first line says what to run the module with"
    x = np.array([[0.5, -0.0, np.nan], [-1.5, 3.0, np.inf]], np.float32)
    y = np.array([2.0, -3.0, 0.0], np.float32)
    made = eval(line.removeprefix("# run "), {"np": np, "x": x, "y": y, "inf": np.inf, "nan": np.nan})
    return list(made)


def outcome(text: Text, args: list[Any]) -> tuple[object, ...]:
    """All that can be seen of a run: results to the bit, arguments afterwards, or the exception."""
    try:
        results = run_text(text, args)
    except Exception as error:
        return ("raises", type(error), str(error))
    several = results if isinstance(results, tuple) else (results,)
    return ("gives", *map(bits, several), *map(bits, args))


def bits(value: Any) -> object:
    array = np.asarray(value)
    return type(value).__name__ == "ndarray" or type(value), array.dtype, array.shape, array.tobytes()


@pytest.mark.parametrize("path", CASES, ids=str)
def test_a_pass_gives_the_expected_text_and_changes_no_result(path: Path, request: pytest.FixtureRequest) -> None:
    before, module = read(path)
    verify(module)
    after = run_passes(module, PIPELINES[path.parts[0]])
    assert outcome(to_text(module), arguments(before)) == outcome(to_text(after), arguments(before))
    text = before + SEPARATOR + to_text(after).text
    if request.config.getoption("--update-golden"):
        (GOLDEN / path).write_text(text)
    assert text == (GOLDEN / path).read_text(), "pytest --update-golden rewrites it"


@pytest.mark.parametrize("path", CASES, ids=str)
def test_all_passes_together_change_no_result(path: Path) -> None:
    before, module = read(path)
    after = run_passes(module, OPTIMISATIONS)
    assert outcome(to_text(module), arguments(before)) == outcome(to_text(after), arguments(before))


@pytest.mark.parametrize("path", CASES, ids=str)
def test_a_pass_that_finds_nothing_more_gives_the_same_module(path: Path) -> None:
    _, module = read(path)
    passes = PIPELINES[path.parts[0]]
    for _ in range(4):
        module = run_passes(module, passes)
    assert run_passes(module, passes) is module


def test_every_pass_has_cases() -> None:
    assert {path.parts[0] for path in CASES} >= {pass_.name for pass_ in CLEANUP}


def test_rules_name_operators_that_exist() -> None:
    assert set(operators_in(RULES)) <= PRIMITIVES.keys()


def test_long_and_deep_modules_pass_in_near_linear_time() -> None:
    lines = ["def f(x: f32[3], p: bool) -> f32[3]:"]
    for k in range(60):
        indent = "    " * (k + 1)
        lines += [f"{indent}def a{k}() -> f32[3]:"]
    inner = "    " * 61
    lines += [f"{inner}y: f32[3] = exp(x)", f"{inner}return y"]
    for k in reversed(range(60)):
        indent = "    " * (k + 1)
        lines += [f"{indent}def b{k}() -> f32[3]:", f"{indent}    return x"]
        lines += [f"{indent}z{k}: f32[3] = cond(a{k}, b{k}, p)", f"{indent}return z{k}"]
    deep = parse("\n".join(lines), PRIMITIVES)
    verify(run_passes(deep, OPTIMISATIONS))
    body = "".join(f"    y{k}: f32[3] = add(y{k - 1}, y{k - 1})\n" for k in range(1, 5_000))
    long = parse(f"def f(y0: f32[3]) -> f32[3]:\n{body}    return y4999\n", PRIMITIVES)
    assert len(run_passes(long, OPTIMISATIONS).main.body) == 4_999
