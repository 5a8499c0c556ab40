"""The faults of `tests/faults`: they are valid and other sources, the seed says which, and the tests notice one."""

from __future__ import annotations

import ast
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tests.faults.faulty_copy import FaultyCopy
from tests.faults.mutations import Fault, faults_of, faulty
from tests.faults.run import ROOT, drawn, equivalent, group

ELEMENTWISE = "jitcore/primitives/ops/elementwise.py"
SIMPLIFY = "jitcore/passes/simplify.py"


def changes(source: str, file: str = "jitcore/passes/some.py") -> list[str]:
    return [f"{f.kind}: {f.before} -> {f.after}" for f in faults_of(source, file)]


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("x = a + b", "operator: a + b -> a - b"),
        ("x = -a", "sign: -a -> a"),
        ("x = a < b", "comparison: a < b -> a <= b"),
        ("if f(a): pass", "condition: f(a) -> not f(a)"),
        ("x = a if b else c", "condition: a if b else c -> c if b else a"),
        ("x = a and b", "connective: a and b -> a or b"),
        ("x = a[0]", "constant: 0 -> 1"),
        ("x = f(a, axis=-1)", "constant: 1 -> 2"),
        ("x = f(keepdims=True)", "truth: True -> False"),
        ("x = sub(a, b)", "arguments: sub(a, b) -> sub(b, a)"),
        ("def less_equal(): pass\nx = less(1.5, a)", "operation: less(1.5, a) -> less_equal(1.5, a)"),
        ("x = mul(ct, f(a))", "factor: mul(ct, f(a)) -> ct"),
        ("x = lambda: (a, b)", "order: (a, b) -> (b, a)"),
        ("f(a)", "statement: f(a) -> pass"),
        ("a += b", "statement: a += b -> a -= b"),
    ],
)
def test_what_is_changed(source: str, made: str) -> None:
    assert made in changes(source)


@pytest.mark.parametrize(
    "source",
    [
        "raise ValueError(a + 1)",
        "assert a + 1 < 2",
        "x = f'{a + 1}'",
        "def f(a: 1 + 1) -> 2 + 2: pass",
        "@f(1 + 1)\ndef g(): pass",
        "def samples(): yield 1 + 1",
        "x = dict[a, b]",
        "zip(a, *b, strict=True).x",
        "_MOST_ROUNDS = 1 << 4",
    ],
)
def test_what_stays(source: str) -> None:
    assert changes(source) == []


def test_numbers_that_only_samples_read_stay() -> None:
    source = "from jitcore.primitives.core.sampling import binary\nA = (1, 2)\nB = (3, 4)\nf(samples=binary(A), rule=B)"
    assert {f.before for f in faults_of(source, ELEMENTWISE)} == {"3", "4", "(3, 4)", source.splitlines()[-1]}


@pytest.mark.parametrize("file", [ELEMENTWISE, SIMPLIFY, "backends/llvm/math/log.py"])
def test_faulty_sources_are_valid_and_different(file: str) -> None:
    source = (ROOT / file).read_text()
    tree, seen = ast.dump(ast.parse(source)), set[str]()
    faults = faults_of(source, file)
    assert len({fault.key for fault in faults}) == len(faults) > 40
    for fault in faults[:: len(faults) // 20]:
        changed = ast.dump(ast.parse(faulty(source, fault)))
        assert changed != tree, fault.key
        assert changed not in seen, fault.key
        seen.add(changed)


def found(*files: str) -> list[Fault]:
    return [fault for file in files for fault in faults_of((ROOT / file).read_text(), file)]


def test_the_seed_says_which_faults_are_drawn() -> None:
    faults = found(
        ELEMENTWISE, SIMPLIFY, "jitcore/passes/transforms/grad/sums.py", "jitcore/passes/infer/python/folds.py"
    )
    first = list(islice(drawn(faults, 1), 12))
    assert len(first) == 12
    assert first == list(islice(drawn(reversed(faults), 1), 12))
    assert first != list(islice(drawn(faults, 2), 12))
    assert {group(fault) for fault in first} == {"gradients", "kernels", "passes", "inference"}
    assert len({(fault.file, fault.function) for fault in first}) == len(first)


def test_names_of_faults_do_not_depend_on_lines() -> None:
    source = (ROOT / ELEMENTWISE).read_text()
    assert [f.key for f in faults_of("\n\n" + source, ELEMENTWISE)] == [f.key for f in faults_of(source, ELEMENTWISE)]


def test_equivalent_faults_have_reasons() -> None:
    assert all(equivalent().values())


def test_a_fault_of_a_gradient_rule_is_noticed(tmp_path: Path) -> None:
    copy = FaultyCopy(ROOT, tmp_path)
    wanted = ["tests/test_primitives.py", "-k", "test_reverse_rule_against_finite_differences and div-0"]
    listed = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *wanted]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tests = [line for line in names.splitlines() if "::test_reverse" in line and ", div-0" in line]
    assert len(tests) == 1
    (fault,) = (f for f in found(ELEMENTWISE) if f.function == "div.Partials" and f.before == "neg(div(out, y))")
    with copy.planted(fault):
        noticed = copy.outcome(tests)
    assert (noticed.state, noticed.by) == ("killed", tests[0])
    assert noticed.text.startswith("AssertionError")
    assert copy.outcome(tests).state == "survived"
    assert (copy.folder / ELEMENTWISE).read_text() == (ROOT / ELEMENTWISE).read_text()
