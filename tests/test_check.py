"""`jitcore check`: what of a file would be refused is found from its text, with places and reasons, and nothing else is."""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import pytest
import uncompiled_programs

from jitcore import context, jit
from jitcore.check.command import FORMATS
from jitcore.check.paths import check_file
from jitcore.check.refusals import Finding
from jitcore.cli import main
from jitcore.frontend.subset import UNSUPPORTED
from jitcore.source import UnsupportedError

TESTS = Path(__file__).parent


def checked(
    folder: Path, text: str, *, everything: bool = False, function: str | None = None
) -> list[tuple[str, int, int]]:
    """Rule, line and column (from 1) of what is found in a file with this text; its first line is left out."""
    file = folder / "program.py"
    file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    found = check_file(file, everything, function).findings
    return [(f.rule, f.problem.span.line, f.problem.span.column + 1) for f in found]


def check_file_of(folder: Path, text: str) -> list[Finding]:
    """What is found in a file with this text."""
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    return check_file(file).findings


# A class in a function is refused in every version: what a construct of today is, may be compiled tomorrow.
DECLARATIONS = {
    "jit": "from jitcore import jit\n@jit\ndef f(x):\n    class A: pass\n",
    "other name": "from jitcore import jit as j\n@j\ndef f(x):\n    class A: pass\n",
    "module": "import jitcore\n@jitcore.jit\ndef f(x):\n    class A: pass\n",
    "module's other name": "import jitcore as jc\n@jc.ms_function\ndef f(x):\n    class A: pass\n",
    "with options": "import jitcore as jc\n@jc.jit()\ndef f(x):\n    class A: pass\n",
    "partial": "import functools\nfrom jitcore import jit\n@functools.partial(jit)\ndef f(x):\n    class A: pass\n",
    "assigned name": "import jitcore\nfast = jitcore.jit\n@fast\ndef f(x):\n    class A: pass\n",
    "among others": "from jitcore import jit\n@print\n@jit\n@print\ndef f(x):\n    class A: pass\n",
    "star": "from jitcore import *\n@ms_function\ndef f(x):\n    class A: pass\n",
    "home module": "from jitcore.runtime.decorators import jit\n@jit\ndef f(x):\n    class A: pass\n",
    "mindspore": "import mindspore as ms\n@ms.jit\ndef f(x):\n    class A: pass\n",
    "imported inside": "def g():\n    from jitcore import jit\n    @jit\n    def f(x):\n        class A: pass\n",
    "method": "from jitcore import jit\nclass C:\n    @jit\n    def f(self):\n        class A: pass\n",
    "given": "from jitcore import jit\ndef f(x):\n    class A: pass\ng = jit(f)\n",
    "given by name": "from jitcore import jit\ndef f(x):\n    class A: pass\ng = jit(fn=f)\n",
    "rebound": "from jitcore import jit\ndef f(x):\n    class A: pass\nf = jit(f)\n",
    "grad": "from jitcore import grad\ndef f(x):\n    class A: pass\ng = grad(f, 0)\n",
    "grad of jit": "from jitcore import grad, jit\ndef f(x):\n    class A: pass\ng = grad(jit(f))\n",
    "GradOperation": "from jitcore import ops\ndef f(x):\n    class A: pass\ng = ops.GradOperation(get_all=True)(f)\n",
    "a GradOperation": "from jitcore import ops\ndef f(x):\n    class A: pass\nG = ops.GradOperation()\ng = G(f)\n",
    "a method given": "from jitcore import jit\nclass C:\n    def f(self):\n        class A: pass\ng = jit(C.f)\n",
    "its own method given": (
        "from jitcore import jit\nclass C:\n    def f(self):\n        class A: pass\n"
        "    def __init__(self):\n        self.g = jit(self.f)\n"
    ),
    "Cell": "from jitcore import nn\nclass C(nn.Cell):\n    def construct(self):\n        class A: pass\n",
    "Cell by name": "from jitcore.nn import Cell as X\nclass C(X):\n    def construct(self):\n        class A: pass\n",
    "a library's Cell": "from jitcore import nn\nclass C(nn.SequentialCell):\n    def construct(self):\n        class A: pass\n",
    "indirect Cell": (
        "import jitcore.nn as nn\nclass B(nn.Cell): pass\nclass C(B): pass\n"
        "class D(C):\n    def construct(self):\n        class A: pass\n"
    ),
    "bprop": "from jitcore import nn\nclass C(nn.Cell):\n    def bprop(self):\n        class A: pass\n",
    "inner function": "from jitcore import jit\n@jit\ndef f(x):\n    def g():\n        class A: pass\n",
    "async": "from jitcore import jit\n@jit\nasync def f(x):\n    class A: pass\n",
    "under if": "from jitcore import jit\nif jit:\n    @jit\n    def f(x):\n        class A: pass\n",
    "called": "from jitcore import jit\n@jit\ndef f(x):\n    return g(x)\ndef g(x):\n    class A: pass\n",
    "called twice removed": (
        "from jitcore import jit\n@jit\ndef f(x):\n    return g(x)\ndef g(x):\n    return h(x)\ndef h(x):\n    class A: pass\n"
    ),
    "passed on": "from jitcore import jit\n@jit\ndef f(x):\n    return map(g, x)\ndef g(x):\n    class A: pass\n",
    "called in a lambda": "from jitcore import jit\nf = jit(lambda x: g(x))\ndef g(x):\n    class A: pass\n",
    "method called": (
        "from jitcore import nn\nclass C(nn.Cell):\n    def construct(self):\n        return self.g()\n"
        "    def g(self):\n        class A: pass\n"
    ),
    "inherited method called": (
        "from jitcore import nn\nclass B:\n    def g(self):\n        class A: pass\n"
        "class C(nn.Cell, B):\n    def construct(self):\n        return self.g()\n"
    ),
    "super": (
        "from jitcore import jit\nclass B:\n    def g(self):\n        class A: pass\n"
        "class C(B):\n    @jit\n    def g(self):\n        return super().g()\n"
    ),
    "property": (
        "from jitcore import jit\nclass C:\n    @property\n    def g(self):\n        class A: pass\n"
        "    @jit\n    def f(self):\n        return self.g\n"
    ),
    "static method": (
        "from jitcore import jit\nclass C:\n    @staticmethod\n    def g(x):\n        class A: pass\n"
        "@jit\ndef f(x):\n    return C.g(x)\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DECLARATIONS)
def test_what_is_compiled(name: str, tmp_path: Path) -> None:
    text = DECLARATIONS[name]
    line = next(k for k, t in enumerate(text.split("\n"), 1) if "class A" in t)
    found = [f for f in checked(tmp_path, text) if f[0] == "class-def"]
    assert found == [("class-def", line, text.split("\n")[line - 1].index("class") + 1)]


NOT_COMPILED = {
    "a plain function": "def f(x):\n    class A: pass\n",
    "another's jit": "from numba import jit\n@jit\ndef f(x):\n    class A: pass\n",
    "a jit of its own": "from jitcore import jit\ndef jit(f): return f\n@jit\ndef f(x):\n    class A: pass\n",
    "a local jit": "from jitcore import jit\ndef g(jit):\n    @jit\n    def f(x):\n        class A: pass\n",
    "a wrapper": "from jitcore import jit\n@jit\ndef f(x):\n    return g(x)\n@print\ndef g(x):\n    class A: pass\n",
    "not a Cell": "class Cell: pass\nclass C(Cell):\n    def construct(self):\n        class A: pass\n",
    "another method": "from jitcore import nn\nclass C(nn.Cell):\n    def other(self):\n        class A: pass\n",
    "another name": "from jitcore import jit\n@jit\ndef f(g):\n    return g(1)\ndef g(x):\n    class A: pass\n",
    "rebound": "from jitcore import jit\n@jit\ndef f(x):\n    return g(x)\ndef g(x):\n    class A: pass\ng = print\n",
    "a method of another class": (
        "from jitcore import jit\nclass B:\n    def g(self):\n        class A: pass\n"
        "class C:\n    @jit\n    def f(self):\n        return self.g()\n"
    ),
    "around a compiled one": "from jitcore import jit\ndef g():\n    class A: pass\n    @jit\n    def f(x): return x\n",
    "a decorator's": "from jitcore import jit\n@jit\ndef f(x, y=eval('1')): return x\n",
    "a name that is not the builtin": (
        "from jitcore import jit\nfrom mine import eval\ndef open(x): return x\n"
        "@jit\ndef f(x, input): return eval(x), open(x), input(x)\n"
    ),
    "names brought by a star": "from mine import *\nfrom jitcore import jit\n@jit\ndef f(x): return eval(x), open(x)\n",
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_COMPILED)
def test_what_is_not(name: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    assert checked(tmp_path, NOT_COMPILED[name]) == []


def test_every_function(tmp_path: Path) -> None:
    text = "def f(x):\n    class A: pass\nclass B:\n    def g(self):\n        return lambda: eval('1')\n"
    assert checked(tmp_path, text, everything=True) == [("class-def", 2, 5), ("eval", 5, 24)]
    cell = "from jitcore import nn\nclass C(nn.Cell):\n    def __init__(self):\n        self.part = nn.ReLU()\n"
    assert checked(tmp_path, cell, everything=True) == []


def test_one_function_and_what_it_calls(tmp_path: Path) -> None:
    text = """
        from jitcore import jit
        @jit
        def f(x):
            class A: pass
        @jit
        def g(x):
            return h(x)
        def h(x):
            return eval("x")
    """
    assert checked(tmp_path, text, function="f") == [("class-def", 4, 5)]
    assert checked(tmp_path, text, function="g") == [("eval", 9, 12)]


CALLS = [
    ("", "eval(x)", "eval"),
    ("", "open(x)", "call-outside"),
    ("", "input()", "call-outside"),
    ("import time", "time.time()", "call-outside"),
    ("import time as t", "t.perf_counter()", "call-outside"),
    ("from time import sleep as pause", "pause(1)", "call-outside"),
    ("import os", "os.getpid()", "call-outside"),
    ("import threading", "threading.Thread(target=x)", "call-outside"),
    ("import numpy as np", "np.fromfile(x)", "call-outside"),
    ("import unheard_of", "unheard_of.part.solve(x)", "unknown-package"),
    ("from unheard_of import solve", "solve(x)", "unknown-package"),
    ("import pytest", "pytest.approx(x)", "unknown-package"),
    ("import numpy as np", "np.nothing(x)", "absent-attribute"),
    ("import numpy as np", "np.linalg.nothing(x)", "absent-attribute"),
    ("from numpy import linalg as la", "la.nothing(x)", "absent-attribute"),
    ("import math", "math.nothing(x)", "absent-attribute"),
    ("import os.path", "os.path.nothing(x)", "absent-attribute"),
    ("from jitcore import ops as P", "P.nothing(x)", "absent-attribute"),
    ("import numpy as np", "np.nothing", "absent-attribute"),
    ("import numpy as np", "np.float32.nothing(x)", "absent-attribute"),
    ("import numpy as np", "np.linalg.nothing.deeper(x)", "absent-attribute"),
    ("from numpy import nothing", "nothing(x)", "absent-attribute"),
    ("import mindspore as ms", "ms.nothing(x)", "absent-attribute"),
    ("from mindspore import ops", "ops.nothing(x)", "absent-attribute"),
    ("import mindspore.mint.nn as n", "n.functional.nothing", "absent-attribute"),
    ("import mindspore as ms, numpy as np", "np.nothing(x)", "absent-attribute"),
    ("from mindspore import ops", "ops.BNTrainingUpdate(x)", "absent-attribute"),
]


@pytest.mark.parametrize(("imports", "call", "rule"), CALLS)
def test_calls_of_what_is_not_compiled(imports: str, call: str, rule: str, tmp_path: Path) -> None:
    text = f"{imports}\nimport jitcore\n@jitcore.jit\ndef f(x):\n    return 1 + {call}\n"
    assert [found[0] for found in checked(tmp_path, text.lstrip())] == [rule]


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import math, numpy as np", "math.sqrt(x) + np.sum(x) + np.add.reduce(x) + np.float32(x)"),
        ("import functools, operator", "functools.reduce(operator.add, [x, x])"),
        ("import jitcore.ops as P", "P.reduce_sum(x) + P.ReLU()(x)"),
        ("from collections import namedtuple", "namedtuple('P', 'x')"),
        ("from mine import helper", "helper(x)"),
        ("from .mine import helper", "helper(x)"),
        ("import numpy.linalg, os.path", "numpy.linalg.norm(x)"),
        ("import mindspore, numpy as np", "np.float_(x)"),
        ("from mindspore import mint", "mint.add(x, x) + mint.nn.functional.relu(x)"),
        ("from mindspore import ops", "ops.BNTrainingUpdate"),
        ("import numpy as np\nnp.mine = abs", "np.mine(x)"),
        ("import numpy as np\nsetattr(np, 'mine', abs)", "np.mine(x)"),
        ("import numpy as np", "np.trapz(x) if hasattr(np, 'trapz') else x"),
        ("import numpy as np", "hasattr(np, 'trapz') and np.trapz(x)"),
        ("", "ValueError(x), print(x), len(x), max(x, 1), round(x), sorted([1, 2])"),
    ],
)
def test_calls_of_what_is(imports: str, call: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    assert checked(tmp_path, f"{imports}\nimport jitcore\n@jitcore.jit\ndef f(x):\n    return {call}\n") == []


SAID = {
    "np.nothing(x)": "module 'numpy' has no attribute 'nothing': this raises AttributeError",
    "np.linalg.nothing(x)": "module 'numpy.linalg' has no attribute 'nothing': this raises AttributeError",
    "math.nothing": "module 'math' has no attribute 'nothing': this raises AttributeError",
    "nothing(x)": "cannot import name 'nothing' from 'numpy': this raises ImportError",
    "np.cast(x)": "`np.cast` was removed in the NumPy 2.0 release. Use `np.asarray(arr, dtype=dtype)` instead: this raises AttributeError",
    "float.nothing": "type object 'float' has no attribute 'nothing': this raises AttributeError",
    "ms.ops.nothing(x)": "module 'mindspore.ops' has no attribute 'nothing': this raises AttributeError",
    "ms.ops.BNTrainingUpdate(x)": "mindspore.ops.BNTrainingUpdate of MindSpore is not in jitcore: this raises NotImplementedError",
}


@pytest.mark.parametrize("expression", SAID)
def test_what_is_absent_is_told_once_in_the_words_of_python(expression: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    imports = "import math, mindspore as ms, numpy as np\nfrom numpy import nothing\nfrom jitcore import jit\n"
    file.write_text(f"{imports}@jit\ndef f(x): return 1 + {expression}\n")
    assert [f.problem.message for f in check_file(file).findings] == [SAID[expression]]


@pytest.mark.parametrize(
    ("caught", "rules"),
    [
        ("AttributeError", []),
        ("Exception", []),
        ("", []),
        ("(ValueError, AttributeError)", []),
        ("ValueError", ["absent-attribute"]),
    ],
)
def test_what_is_absent_may_be_caught(caught: str, rules: list[str], tmp_path: Path) -> None:
    tried = f"    try:\n        return np.nothing(x)\n    except {caught}:\n        return x\n"
    found = checked(tmp_path, f"import numpy as np\nfrom jitcore import jit\n@jit\ndef f(x):\n{tried}")
    assert [rule for rule, _, _ in found] == rules


UNBOUND = {
    "a name": ("return x + nothing", ["undefined-name"]),
    "twice": ("return nothing + nothing", ["undefined-name"]),
    "in a function inside": ("return (lambda y: y + nothing)(x)", ["undefined-name"]),
    "in a comprehension": ("return [y * k for y in x]", ["undefined-name"]),
    "where another error is caught": ("try:\n        return nothing\n    except ValueError:\n        return x", ["undefined-name"]),
    "where it is caught": ("try:\n        return nothing\n    except NameError:\n        return x", []),
    "a builtin": ("return max(x, 2), __name__, __file__, __debug__", []),
    "names of all kinds": (
        "import math as m\n    for i, (j, *k) in x:\n        pass\n    with x as w:\n        pass\n"
        "    try:\n        pass\n    except ValueError as e:\n        e\n    if (n := x):\n        pass\n"
        "    match x:\n        case [a, *b] | {'k': a, **b}:\n            pass\n"
        "    return m, i, j, k, w, n, a, b, later, Later, [q for q in x], in_a_function",
        [],
    ),
    "an annotation": ("y: Nothing = x\n    return y", []),
    "in what it calls": ("return called(x)", ["undefined-name"]),
}  # fmt: skip


@pytest.mark.parametrize("name", UNBOUND)
def test_names_that_nothing_binds(name: str, tmp_path: Path) -> None:
    body, rules = UNBOUND[name]
    text = f"from jitcore import jit\n@jit\ndef f(x):\n    {body}\n"
    text += "def called(x): return nothing\nlater = 1\nclass Later: pass\ndef g():\n    global in_a_function\n    in_a_function = 2\n"
    found = check_file_of(tmp_path, text)
    assert [f.rule for f in found] == rules
    assert all(f.level == "warning" and " is not defined: this raises NameError" in f.problem.message for f in found)


@pytest.mark.parametrize(
    "binding",
    [
        "exec('nothing = 1')",
        "globals()['nothing'] = 1",
        "vars()['nothing'] = 1",
        "import sys\nsys.modules[__name__].nothing = 1",
        "from sys import modules\nsetattr(modules[__name__], 'nothing', 1)",
        "import __main__\n__main__.nothing = 1",
        "import builtins\nbuiltins.nothing = 1",
        "import builtins\nsetattr(builtins, 'nothing', 1)",
        "import importlib\nimportlib.import_module(__name__).nothing = 1",
        "f.__globals__['nothing'] = 1",
        "from mine import *",
    ],
)
def test_names_that_a_file_may_bind_as_it_runs(binding: str, tmp_path: Path) -> None:
    text = f"from jitcore import jit\n@jit\ndef f(x): return nothing\n{binding}\n"
    assert checked(tmp_path, text) == []


# --- against the compiler ---------------------------------------------------------------------------------


def test_nothing_is_found_in_programs_that_compile() -> None:
    files = [TESTS / "faulty_programs.py", TESTS / "failing_programs.py", *(TESTS / "programs").glob("*.py")]
    for file in files:
        assert check_file(file, everything=True).errors == 0, file


def test_every_construct_the_compiler_refuses_is_found_where_it_is() -> None:
    found = check_file(TESTS / "uncompiled_programs.py", everything=True).findings
    places = {(f.problem.span.line, f.problem.span.column, f.problem.message) for f in found}
    context.set_context(jit_syntax_level="STRICT")
    refused: set[tuple[int, int, str]] = set()
    for function, args, _ in uncompiled_programs.CASES:
        try:
            jit(function)(*args)
        except UnsupportedError as error:
            refused |= {(p.span.line, p.span.column, p.message) for p in error.problems}
        except Exception:  # refused by inference, or not at all
            continue
    assert refused
    assert refused <= places


# --- the command ------------------------------------------------------------------------------------------


PROGRAM = 'from jitcore import jit\n\n@jit\ndef f(x):\n\tgröße = eval("ä") + eval("1")\n\n\n@jit\ndef g(x):\n    return x\n\n\ng(1)\n'


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b.py").write_text(PROGRAM, encoding="utf-8")
    return "a b.py"


def test_text(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", program]) == 1
    out = capsys.readouterr().out
    assert out == (
        "a b.py:5:10: error: `eval` runs code that is not known when the function is compiled [eval]\n"
        '    größe = eval("ä") + eval("1")\n'
        "            ^^^^^^^^^\n"
        "  instead: a function, or a table of functions\n"
        "  in f, which is compiled: decorated with @jit (line 3)\n\n"
        "a b.py:5:22: error: `eval` runs code that is not known when the function is compiled [eval]\n"
        '    größe = eval("ä") + eval("1")\n'
        "                        ^^^^^^^^^\n"
        "  instead: a function, or a table of functions\n"
        "  in f, which is compiled: decorated with @jit (line 3)\n\n"
        "2 compiled functions in 1 file checked: 2 errors\n"
    )


def test_json(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", program]) == 1
    made = json.loads(capsys.readouterr().out)
    assert (made["version"], made["errors"], made["positionEncoding"]) == (2, 2, "utf-16")
    (file,) = made["files"]
    assert (file["file"], file["uri"]) == (program, (tmp_path / program).as_uri())
    assert [f["name"] for f in file["functions"]] == ["f", "g"]
    assert file["diagnostics"][0] == {
        "range": {"start": {"line": 4, "character": 9}, "end": {"line": 4, "character": 18}},
        "severity": 1,
        "code": "eval",
        "source": "jitcore check",
        "message": (
            "`eval` runs code that is not known when the function is compiled\nInstead: a function, or a table of functions"
        ),
        "relatedInformation": [
            {
                "location": {
                    "uri": file["uri"],
                    "range": {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}},
                },
                "message": "f is compiled: decorated with @jit",
            }
        ],
        "data": {
            "function": "f",
            "instead": "a function, or a table of functions",
            "because": "decorated with @jit (line 3)",
        },
    }


@pytest.mark.parametrize(
    "line",
    [
        "    x = eval(x)",
        "\tx = eval(x)",
        "\t\tx = eval(x)",
        "    x, é = '\U0001f600\tä', eval(x)",
        "\té = '\U0001f600\U0001f600' + eval(x) + '\u2028'",
        "\x0c    x = eval(x)",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_in_odd_lines(line: str, end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "program.py"
    file.write_bytes(f"from jitcore import jit\n@jit\ndef f(x):\n{line}\n    ".replace("\n", end).encode())
    start = line.index("eval")
    assert main(["check", "--format", "json", str(file)]) == 1
    (diagnostic,) = json.loads(capsys.readouterr().out)["files"][0]["diagnostics"]
    units = len(line[:start].encode("utf-16-le")) // 2
    assert diagnostic["range"]["start"] == {"line": 3, "character": units}
    assert diagnostic["range"]["end"] == {"line": 3, "character": units + len("eval(x)")}
    assert main(["check", "--format", "sarif", str(file)]) == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (start + 1, start + 1 + len("eval(x)"))
    assert main(["check", str(file)]) == 1
    _, shown, carets, *_ = capsys.readouterr().out.split("\n")
    assert shown[carets.index("^") : carets.rindex("^") + 1] == "eval(x)"


def test_a_syntax_error_is_a_diagnostic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "program.py"
    for text, character in (("x = 1\ny = '\U0001f600' + ?\n", 11), ("x = 1\n\ty = 2\n", 0)):
        file.write_text(text, encoding="utf-8")
        assert main(["check", "--format", "json", str(file)]) == 1
        (diagnostic,) = json.loads(capsys.readouterr().out)["files"][0]["diagnostics"]
        assert (diagnostic["code"], diagnostic["severity"]) == ("syntax-error", 1)
        assert diagnostic["message"].startswith("syntax error: ")
        assert diagnostic["range"]["start"]["line"] == 1
        assert diagnostic["range"]["start"]["character"] >= character
        assert diagnostic["relatedInformation"] == []


def test_github(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd,name:100%.py").write_text("from jitcore import jit\n@jit\ndef f(x):\n    eval(\n        x)\n")
    assert main(["check", "--format", "github", program, "odd,name:100%.py"]) == 1
    out = capsys.readouterr().out.split("\n")
    message = "`eval` runs code that is not known when the function is compiled%0AInstead: a function, or a table of functions"
    assert (
        out[0] == f"::error title=jitcore check (eval),file={program},line=5,endLine=5,col=10,endColumn=19::{message}"
    )
    assert out[2].startswith(
        "::error title=jitcore check (eval),file=odd%2Cname%3A100%25.py,line=4,endLine=5::"
    )  # of more than one line
    assert out[3:] == ["3 compiled functions in 2 files checked: 3 errors", ""]


def test_every_format_reports_every_finding(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "warned.py").write_text(
        "import unheard_of\nfrom jitcore import jit\n@jit\ndef f(x): return unheard_of.g(x)\n"
    )
    counts = {
        "text": ": error: ",
        "json": '"severity": 1',
        "sarif": '"level": "error",\n          "message"',
        "github": "::error ",
    }
    warnings = {
        "text": ": warning: ",
        "json": '"severity": 2',
        "sarif": '"level": "warning",\n          "message"',
        "github": "::warning ",
    }
    assert set(counts) == set(FORMATS)
    for format in FORMATS:
        assert main(["check", "--format", format, "."]) == 1
        out = capsys.readouterr().out
        assert (out.count(counts[format]), out.count(warnings[format])) == (2, 1)


def test_editors_find_the_places_in_the_text(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The pattern in docs/EDITORS.md."""
    block = re.findall(r"```json\n(.*?)```", (TESTS.parent / "docs" / "EDITORS.md").read_text(), re.DOTALL)[0]
    pattern = json.loads(block)["problemMatcher"]["pattern"]
    main(["check", program])
    found = [m for line in capsys.readouterr().out.splitlines() if (m := re.match(pattern["regexp"], line))]
    names = ("file", "line", "column", "severity", "code")
    assert [tuple(m[pattern[name]] for name in names) for m in found] == [
        (program, "5", "10", "error", "eval"),
        (program, "5", "22", "error", "eval"),
    ]


def test_the_hook_for_pre_commit(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Its entry is the command, which takes files behind it and fails where something is refused."""
    text = (TESTS.parent / ".pre-commit-hooks.yaml").read_text()
    hook = dict(line.removeprefix("- ").strip().split(": ", 1) for line in text.splitlines())
    assert (hook["id"], hook["language"], hook["types"]) == ("jitcore-check", "python", "[python]")
    command, *arguments = hook["entry"].split()
    assert command in tomllib.loads((TESTS.parent / "pyproject.toml").read_text())["project"]["scripts"]
    assert main([*arguments, program, program]) == 1
    assert capfd.readouterr().out.endswith("2 compiled functions in 1 file checked: 2 errors\n")


def require_sarif(log: Any) -> None:
    """What SARIF 2.1.0 requires of the objects that are written (its schema's `required` and its enumerations)."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        assert isinstance(driver["name"], str)
        assert all(isinstance(rule["id"], str) and rule["shortDescription"]["text"] for rule in driver["rules"])
        assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
        assert all(isinstance(i["executionSuccessful"], bool) for i in run["invocations"])
        for result in run["results"]:
            assert result["message"]["text"]
            assert result["level"] in ("none", "note", "warning", "error")
            assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
            for location in (*result["locations"], *result.get("relatedLocations", ())):
                physical = location["physicalLocation"]
                assert " " not in physical["artifactLocation"]["uri"]
                region = physical["region"]
                assert all(isinstance(n, int) and n >= 1 for n in region.values())
                assert region.get("endLine", region["startLine"]) >= region["startLine"]


def test_sarif(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong.py").write_text("def f(:\n")
    assert main(["check", "--format", "sarif", "-o", "out.sarif", program, "wrong.py"]) == 1
    assert capsys.readouterr().out == ""
    log = json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8"))
    require_sarif(log)
    results = log["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["eval", "eval", "syntax-error"]
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.py"
    assert place["region"] == {"startLine": 5, "startColumn": 10, "endLine": 5, "endColumn": 19}
    assert results[0]["relatedLocations"][0]["message"]["text"] == "f is compiled: decorated with @jit"


def test_sarif_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.py").touch()
    assert main(["check", "--format", "sarif", str(tmp_path)]) == 0
    log = json.loads(capsys.readouterr().out)
    require_sarif(log)
    assert log["runs"][0]["results"] == []


def test_one_function(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--function", "g", program]) == 0
    assert capsys.readouterr().out == "1 compiled function in 1 file checked: nothing is refused\n"
    assert main(["check", "--function", "h", program]) == 2
    assert capsys.readouterr().err == "jitcore: there is no compiled function 'h' (--all checks the others, too)\n"


def test_folders(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("inner", "__pycache__", ".hidden", "venv"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "more.py").write_text(PROGRAM, encoding="utf-8")
        (tmp_path / folder / "notes.txt").write_text("no Python")
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    assert main(["check", "--format", "json", ".", program]) == 1
    assert [f["file"] for f in json.loads(capsys.readouterr().out)["files"]] == ["a b.py", "inner/more.py"]


def test_a_warning_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "program.py"
    file.write_text("import unheard_of\nfrom jitcore import jit\n@jit\ndef f(x): return unheard_of.g(x)\n")
    assert main(["check", str(file)]) == 0
    assert "warning: unheard_of.g is of a package that the compiler does not know" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"def f(:\n", "1:7", "invalid syntax"),
        (b"x = 1\n  y = 2\n", "2:", "unexpected indent"),
        (b"x = '\xff'\n", "1:", "encoding"),
        (b"x = 1\n\n\ny = '\xff'\n", "4:", "can't decode byte 0xff"),
        (b"# coding: nothing\n", "1:", "unknown encoding"),
        (b"x = 1\0\n", "1:", "null bytes"),
        (b"x = " + b"(" * 5000 + b")" * 5000, "1:", "too many nested parentheses"),
        ("x = 'ä' + ?".encode(), "1:11", "invalid syntax"),
    ],
)
def test_syntax_errors(
    content: bytes, place: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program.py"
    file.write_bytes(content)
    assert main(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{file}:{place}")
    assert "syntax error: " in out.split("\n")[0]
    assert message in out


def test_other_encodings(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    text = "# coding: latin-1\nfrom jitcore import jit\n@jit\ndef f(x):\n    return 'äöü', eval(x)\n"
    for content in (text.encode("latin-1"), b"\xef\xbb\xbf" + text.replace("latin-1", "utf-8").encode()):
        file.write_bytes(content)
        (found,) = check_file(file).findings
        assert (found.problem.span.line, found.problem.span.column) == (5, 18)


def test_nothing_is_run(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("raise SystemExit('imported')\n")
    text = "import beside\nfrom beside import g\nfrom jitcore import jit\nraise SystemExit('run')\n@jit\ndef f(x): return g(x)\n"
    assert checked(tmp_path, text) == []


def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "nowhere.py"]) == 2
    assert capsys.readouterr().err == "jitcore: cannot read 'nowhere.py': No such file or directory\n"
    (tmp_path / "empty.py").touch()
    assert main(["check", str(tmp_path / "empty.py"), "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"jitcore: cannot write {str(tmp_path)!r}: Is a directory\n"
    for arguments in (["check"], ["check", "--format", "xml", "x.py"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2


def test_every_refused_class_of_nodes_has_a_rule_of_its_own() -> None:
    from jitcore.check.refusals import _rule  # pyright: ignore[reportPrivateUsage]

    messages = [message for message, _ in UNSUPPORTED.values()]
    assert len({_rule(m) for m in messages}) == len(set(messages))


def test_long_and_deep_files(tmp_path: Path) -> None:
    chain = "".join(f"    elif x == {k}:\n        return {k}\n" for k in range(1, 300))
    text = f"from jitcore import jit\n@jit\ndef f(x):\n    y = x{' + 1' * 3000}\n    if y:\n        pass\n{chain}    eval(y)\n"
    many = "".join(f"@jit\ndef g{k}(x):\n    return g{k - 1 if k else 0}(x) + {k}\n" for k in range(500))
    assert [rule for rule, _, _ in checked(tmp_path, text + many)] == ["eval"]
