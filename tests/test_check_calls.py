"""`jitcore check` infers the calls that a file's text tells, and says which functions it knows by their text alone."""

from __future__ import annotations

import importlib.util
import json
import textwrap
import warnings
from pathlib import Path

import pytest

from jitcore.check import reports
from jitcore.check.paths import Checked, check_file
from jitcore.runtime.dispatch import FallbackWarning

HEAD = """\
import math
import random
import numpy as np
from jitcore import Tensor, jit, nn

SCALE = 3.0
SHAPE = (3, 4)

def helper(a):
    return a * SCALE

"""


def checked(tmp_path: Path, text: str) -> Checked:
    file = tmp_path / "program.py"
    file.write_text(HEAD + textwrap.dedent(text))
    return check_file(file)


REFUSED = {
    "keys of the run": (
        "d = {}\n    for i in range(x):\n        d[i % 7] = np.ones(2)\n    return d",
        "f(10)",
        "d[i % 7] = np",
    ),
    "a set of objects": (
        "s = set()\n    for i in range(x):\n        s.add(object())\n    return len(s)",
        "f(10)",
        "s.add(object())",
    ),
    "an open file": ("with open('x') as file:\n        return x", "f(1)", "with open"),
    "a clock": ("import time\n    return x + time.time()", "f(1.0)", "return x + time"),
    "within what it calls": (
        "def inner(y):\n        d = {}\n        for i in range(y):\n            d[i] = np.ones(1)\n        return d\n    return inner(x)",
        "f(200)",
        "d[i] = np",
    ),
    "an array from names": (
        "d = {}\n    for v in x:\n        d[float(v)] = x\n    return d",
        "f(np.ones(SHAPE).sum(0) * SCALE)",
        "d[float(v)]",
    ),
    "a Tensor": ("return {float(x.sum()): x}", "f(Tensor(np.zeros((2, 2), np.float32)))", "return {float(x"),
    "what is no value": ("return {x: k}", "f(x=helper.__name__ and 1, k=2)", None),
    "keywords": (
        "d = {}\n    while k > x:\n        d[k] = np.ones(1)\n        k //= 3\n    return d",
        "f(k=100, x=3)",
        "d[k]",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_inference(tmp_path: Path, name: str) -> None:
    body, call, line = REFUSED[name]
    made = checked(tmp_path, f"@jit\ndef f(x, k=2):\n    {body}\n\nif __name__ == '__main__':\n    print({call})\n")
    if line is None:
        assert [u.compiled.name for u in made.unseen] == ["f"]
        return
    assert made.errors, reports.text([made])
    finding = made.findings[0]
    assert line in made.lines[finding.problem.span.line - 1]
    assert finding.problem.hint
    assert not made.unseen


AS_THE_RUN: dict[str, tuple[str, str]] = {
    # what the run leaves to the interpreter,
    "a generator made inside": ("return np.random.default_rng(3).random() + x", "1.0"),
    "keys of the run": ("return dict.fromkeys(range(int(x)))", "3"),
    "items of the run": ("return len({k % 2 for k in range(x)})", "3"),
    "what is written to disk": ("np.savez('written', x)\n    return x", "np.ones(2)"),
    "a defaultdict": ("from collections import defaultdict\n    d = defaultdict(int)\n    d[x] += 1\n    return d[x]", "3"),
    "a deque": ("from collections import deque\n    return deque([x, 2]).popleft()", "3"),
    "a hash": ("return hash(x)", "3"),
    "identities": ("return id(x) != 0", "3"),
    "objects in an array": ("return np.array([x, None])", "3"),
    "all variables": ("return len(vars())", "3"),
    "a number read from text": ("return int(str(x))", "3"),
    "after the file's name": ("return (x, __file__, len({float(v) for v in x}))", "np.ones(2)"),
    "after what a module is of": ("return (x, __package__, __spec__, len({float(v) for v in x}))", "np.ones(2)"),
    # and what it compiles
    "a seed": ("np.random.seed(3)\n    return x + np.random.rand()", "1.0"),
    "a seed of another module": ("random.seed(x)\n    return random.random()", "3"),
    "no attribute of a number": ("return x.nothing", "1.0"),
    "no attribute of an array": ("return x.nothing + 1", "np.ones(3)"),
    "no attribute of a Tensor": ("return x.nothing + 1", "Tensor([1.0])"),
    "no name": ("return x + nothing", "1.0"),
    "no name of a module": ("return math.nothing(x)", "1.0"),
    "no method of a list": ("items = [x]\n    return items.nothing()", "1"),
    "a sort by a key": ("return sorted([x, 2, 3], key=lambda k: -k)", "3"),
    "a heap": ("import heapq\n    h = [(x, 1)]\n    heapq.heappush(h, (1.0, 2))\n    return heapq.heappop(h)", "3.0"),
    "a generator function": ("def g():\n        yield x\n        yield 2\n    return list(g())", "3"),
}  # fmt: skip


@pytest.mark.parametrize("name", AS_THE_RUN)
def test_it_finds_what_the_run_falls_back_for(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    body, argument = AS_THE_RUN[name]
    made = checked(tmp_path, f"@jit\ndef f(x):\n    {body}\n\ndef main():\n    return f({argument})\n")
    spec = importlib.util.spec_from_file_location("program", tmp_path / "program.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            module.main()
        except (AttributeError, NameError) as error:
            assert "nothing" in str(error)  # noqa: PT017
    falls_back = any(issubclass(w.category, FallbackWarning) for w in told)
    refused = [
        f for f in made.findings if f.rule not in ("absent-attribute", "undefined-name")
    ]  # what raises does not fall back
    assert bool(refused) == falls_back, reports.text([made])
    assert not made.unseen
    assert ("nothing is refused\n" in reports.text([made])) == (not made.findings)


def test_what_compiles(tmp_path: Path) -> None:
    made = checked(
        tmp_path,
        """
        @jit
        def fine(x, k=2):
            return helper(x) * k + math.sqrt(k)

        def main():
            data = np.ones((3, 4), dtype=np.float32)
            return fine(data), fine(2.0, k=4), fine(Tensor(data), 3)
        """,
    )
    assert not made.findings
    assert not made.unseen
    assert "nothing is refused\n" in reports.text([made])


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("f(input())", "the value of `input()` is not told by the text"),
        ("[f(i) for i in range(3)]", "what 'i' is, is not told by the text"),
        ("f(np.load('x.npy'))", "the value of `np.load('x.npy')` is not told"),
        ("f(np.ones((100000, 100000)))", "may be too large to be made here"),
        ("f(1 // 0)", "raises ZeroDivisionError"),
        ("f(*sys.argv)", "arguments given by * or **"),
        ("None", "no call of it was found"),
    ],
)
def test_what_cannot_be_told(tmp_path: Path, call: str, reason: str) -> None:
    made = checked(tmp_path, f"@jit\ndef f(x):\n    return x\n\n{call}\n")
    assert not made.findings
    (unseen,) = made.unseen
    assert reason in unseen.reason
    text = reports.text([made])
    assert f"program.py:{HEAD.count(chr(10)) + 1}: f was checked by its text alone" in text or reason in text
    assert "nothing is refused of what the text tells" in text
    assert json.loads(reports.as_json([made]))["files"][0]["by_text_alone"][0]["function"] == "f"


@pytest.mark.parametrize(
    "binding",
    [
        "exec('made = 2')",
        "globals()['made'] = 2",
        "vars()['made'] = 2",
        "globals().update(made=2)",
        "import sys\nsetattr(sys.modules[__name__], 'made', 2)",
        "for name in ('made', 'other'):\n    globals()[name] = 2",
        "from somewhere import *",
    ],
)
def test_names_that_a_module_makes_as_it_runs_are_not_told(tmp_path: Path, binding: str) -> None:
    made = checked(tmp_path, f"{binding}\n\n@jit\ndef f(x):\n    return x.made + made\n\nf(1.0)\n")
    assert not made.findings
    (unseen,) = made.unseen
    assert "what 'made' is, is not told by the text" in unseen.reason


@pytest.mark.parametrize(
    "functions",
    [
        "@jit\ndef f(x):\n    return x + made",
        "@jit\ndef f(x):\n    return x + g(x)\n\ndef g(x):\n    return made",
        "@jit\ndef f(x):\n    return g(x) if x else 0\n\ndef g(x):\n    return f(x - 1) + made",
        "def g(x):\n    return 1\n\n@jit\ndef f(x):\n    return g(x) + made",
    ],
)
def test_what_is_not_told_is_not_told_of_the_next_call_either(tmp_path: Path, functions: str) -> None:
    made = checked(tmp_path, f"exec('made = 2')\n\n{functions}\n\nf(1.0)\nf(2)\n")
    assert not made.findings
    assert [u.compiled.name for u in made.unseen][:1] == ["f"]
    assert all("what 'made' is, is not told by the text" in u.reason or "no call" in u.reason for u in made.unseen)
    assert "nothing is refused\n" not in reports.text([made])


def test_what_may_bind_a_name_is_told(tmp_path: Path) -> None:
    made = checked(tmp_path, "exec('made = 2')\n\n@jit\ndef f(x):\n    return x + made\n\nf(1.0)\n")
    (unseen,) = made.unseen
    assert unseen.reason.endswith(f": line {HEAD.count(chr(10)) + 1} (`exec('made = 2')`) may bind it")
    made = checked(tmp_path, "from somewhere import *\n\n@jit\ndef f(x):\n    return x + made\n\nf(1.0)\n")
    assert made.unseen[0].reason.endswith(": `from somewhere import *` may bind it")


@pytest.mark.parametrize("calls", ["f(1.0)\nf(2.0)", "g(1.0)\nf(2.0)", "f(1.0)\ng(2.0)\nf(3.0)", "h(1.0)\nf(1.0)"])
def test_what_was_not_told_of_one_call_is_not_of_the_next(calls: str, tmp_path: Path) -> None:
    functions = (
        "exec('made = 2')\n\n@jit\ndef f(x):\n    return g(x) if x > 5.0 else made\n\n"
        "@jit\ndef g(x):\n    return f(x - 1.0)\n\n@jit\ndef h(x):\n    return f(x) + g(x)\n\n"
    )
    made = checked(tmp_path, f"{functions}{calls}\n")
    assert not made.findings
    assert [u.compiled.name for u in made.unseen] == ["f", "g", "h"]


def test_what_is_told_is_inferred_beside_what_is_not(tmp_path: Path) -> None:
    functions = "exec('made = 2')\n\ndef part(x):\n    return {x: 1}\n\n@jit\ndef f(x):\n    return part(x), made\n\n"
    made = checked(
        tmp_path, f"{functions}@jit\ndef g(x):\n    return len(part(x))\n\nf(1.0)\ng((1j * np.ones(2)).sum())\n"
    )
    assert [u.compiled.name for u in made.unseen] == ["f"]
    assert made.errors == 1


@pytest.mark.parametrize(
    ("binding", "is_refused"),
    [
        ("def round(x):\n    return {x: np.ones(2)}", True),
        ("from math import floor as round", False),
        ("round = math.floor", False),
        ("round = None\ndef round(x):\n    return x", None),
        ("from somewhere import *", None),
        ("from numpy import *", False),
    ],
)
def test_a_file_s_own_name_is_not_the_builtin(binding: str, is_refused: bool | None, tmp_path: Path) -> None:
    made = checked(tmp_path, f"{binding}\n\n@jit\ndef f(x):\n    return round(x)\n\nf(np.float64(3.0))\n")
    assert bool(made.unseen) == (is_refused is None), reports.text([made])
    assert bool(made.errors) == bool(is_refused), reports.text([made])


def test_names_of_attributes_and_builtins_are_no_names_of_the_module(tmp_path: Path) -> None:
    text = "@jit\ndef f(x):\n    made = np.ones(3).sum() * x\n    return max(made, x), made.real\n\nf(1.0)\n"
    made = checked(tmp_path, text)
    assert not made.findings
    assert not made.unseen


def test_nothing_of_the_file_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    made = checked(
        tmp_path,
        f"""
        def note(function):
            open({str(mark)!r}, "w").close()
            return function

        @note
        @jit
        def f(x):
            return x

        class Loud:
            open({str(mark)!r}, "w").close()

        f(note(1.0))
        f(2.0)
        """,
    )
    assert not mark.exists()
    assert not made.errors


def test_methods_are_told_of(tmp_path: Path) -> None:
    made = checked(tmp_path, "class Net(nn.Cell):\n    def construct(self, x):\n        return x\n\nNet()(1)\n")
    assert [u.reason for u in made.unseen] == ["a method, or a function defined in another"]


def test_lists_of_strings_and_long_ones_are_arguments(tmp_path: Path) -> None:
    text = """
    @jit
    def count(items):
        held = {}
        for item in items:
            held[item] = held.get(item, 0) + 1
        return held

    count(["a", "b", "a"] * 20)
    count(list(range(40)))
    count([(1, 2), (3, 4)] * 20)

    @jit
    def holds(items):
        held = {}
        for item in items:
            held[item] = np.ones(2)
        return held

    holds(["a", "b"] * 20)
    holds(list(range(40)))
    """
    found = checked(tmp_path, text)
    (finding,) = found.findings
    assert "a value of type numpy.ndarray in a container of the run" in finding.problem.message
