"""Source that is hard to find, read or believe, and callables of every kind: a right answer or one clear error.

Never a crash, never an error of jitcore's own, never the answer of other code than the function's.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib.util
import linecache
import operator
import os
import subprocess
import sys
import textwrap
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, context, jit, nn
from jitcore.runtime.dispatch import FallbackWarning
from jitcore.source import CompileError

ROOT = Path(__file__).parent.parent


def outcome(function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """What a call gives or raises, as something to compare."""
    try:
        return function(*copy.deepcopy(args), **keywords)
    except Exception as error:
        return type(error), str(error)


def strictly(function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """What a call gives with nothing left to the interpreter; raises CompileError if it is refused."""
    context.set_context(jit_syntax_level="STRICT")
    try:
        return jit(function)(*copy.deepcopy(args), **keywords)
    finally:
        context.set_context(jit_syntax_level="LAX")


def refusal(function: Callable[..., Any], *args: Any) -> str:
    """The message that a function is refused with; in the interpreter it gives what Python gives, after one notice."""
    with pytest.raises(CompileError) as caught:
        strictly(function, *args)
    compiled = jit(function)
    with pytest.warns(FallbackWarning) as notices:
        assert outcome(compiled, *args) == outcome(function, *args)
    assert len(notices) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert outcome(compiled, *args) == outcome(function, *args)
    return str(caught.value)


def module_of(folder: Path, content: str | bytes, name: str = "written") -> types.ModuleType:
    """A module imported from a file with that text."""
    file = folder / f"{name}.py"
    file.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).lstrip("\n").encode())
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def defined(source: str, name: str = "f", **names: Any) -> Any:
    """A function defined by text that `linecache` has."""
    filename = f"<{name} {len(linecache.cache)} of bad input>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec", dont_inherit=True), names)
    return names[name]


# --- source that is not there -----------------------------------------------------------------------------


def test_text_that_nothing_keeps() -> None:
    names: dict[str, Any] = {}
    exec("".join(["def f(x):\n", "    return x + 1\n"]), names)
    message = refusal(names["f"], 2)
    assert "there is no source for f: no file '<string>' can be read" in message
    assert "linecache" in message


def test_a_lambda_that_eval_made() -> None:
    function = eval(" ".join(["lambda x:", "x * 40507"]))
    assert "there is no source for <lambda>" in refusal(function, 3)


def test_text_under_the_name_of_a_file_with_other_text(tmp_path: Path) -> None:
    file = tmp_path / "other.py"
    file.write_text("def f(x):\n    return x - 1\n")
    names: dict[str, Any] = {}
    exec(compile("def f(x):\n    return x + 1\n", str(file), "exec"), names)
    found = outcome(strictly, names["f"], 5)
    assert found[0] is CompileError
    assert "changed" in found[1]


def test_code_with_another_s_name_and_place() -> None:
    def f(x: int) -> int:
        return x + 1

    def g(x: int) -> int:
        return x * 10

    f.__code__ = g.__code__
    assert strictly(f, 3) == 30
    f.__code__ = g.__code__.replace(co_firstlineno=1)
    assert outcome(strictly, f, 3) == 30 or outcome(strictly, f, 3)[0] is CompileError


def test_a_function_made_from_a_code_object() -> None:
    def f(x: int, k: int = 2) -> int:
        return x * k

    made = types.FunctionType(f.__code__, {}, "another", (5,))
    assert strictly(made, 3) == made(3) == 15


def test_the_interpreter_s_prompt(tmp_path: Path) -> None:
    session = (
        "from jitcore import jit\n"
        "@jit\ndef f(x):\n    return x + 1\n\n"
        "print(f(2))\n"
        "g = jit(lambda x: x * 3)\n"
        "print(g(2))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHON_HISTORY": str(tmp_path / "history")}
    command = [sys.executable, "-i", "-q"]
    ended = subprocess.run(
        command, input=session, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert ended.stdout.split() == ["3", "6"]
    assert "Internal" not in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_program_from_the_standard_input_and_the_command_line(tmp_path: Path) -> None:
    program = "from jitcore import jit\n@jit\ndef f(x):\n    return x + 1\n\nprint(f(2))\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for command, text in (([sys.executable, "-"], program), ([sys.executable, "-c", program], "")):
        ended = subprocess.run(
            command, input=text, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
        )
        assert (ended.returncode, ended.stdout) == (0, "3\n"), ended.stderr
        assert "Traceback" not in ended.stderr


# --- source that has changed ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "new",
    [
        "def f(x):\n    return x - 1\n",
        "# a line more\ndef f(x):\n    return x + 1\n",
        "def f(x):\n    return x +\n",
        "",
        "def g(x):\n    return x + 1\n",
        "def f(y):\n    return y + 1\n",
        "f = lambda x: x + 1\n",
        "class f:\n    pass\n",
        "x = '\ud800'",
        "def f(x):\n    return x + 1.0\n",
        "async def f(x):\n    return x + 1\n",
    ],
)
def test_a_file_edited_after_import(new: str, tmp_path: Path) -> None:
    module = module_of(tmp_path, "def f(x):\n    return x + 1\n")
    file = tmp_path / "written.py"
    file.write_bytes(new.encode(errors="surrogatepass"))
    os.utime(file, (1, 1))
    message = refusal(module.f, 5)
    assert "written.py" in message


def test_a_file_removed_after_import(tmp_path: Path) -> None:
    module = module_of(tmp_path, "def f(x):\n    return x + 1\n")
    (tmp_path / "written.py").unlink()
    assert "there is no source for f" in refusal(module.f, 5)


def test_a_file_edited_after_the_first_call(tmp_path: Path) -> None:
    module = module_of(tmp_path, "def f(x):\n    return x + 1\n")
    compiled = jit(module.f)
    assert compiled(2) == 3
    (tmp_path / "written.py").write_text("def f(x):\n    return x - 1\n")
    os.utime(tmp_path / "written.py", (1, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert compiled(2) == 3
        assert compiled(2.5) == 3.5
        assert compiled(np.ones(2)).tolist() == [2.0, 2.0]


def test_a_file_that_is_a_folder_now(tmp_path: Path) -> None:
    module = module_of(tmp_path, "def f(x):\n    return x + 1\n")
    (tmp_path / "written.py").unlink()
    (tmp_path / "written.py").mkdir()
    assert "there is no source for f" in refusal(module.f, 5)


# --- how source can be written ----------------------------------------------------------------------------

TEXTS = {
    "tabs": "def f(x):\n\tif x > 1:\n\t\treturn x\n\telse:\n\t        return -x\n",
    "form feeds": "\x0c\ndef f(x):\n\x0c    y = x * 2\n\x0c\n    return y\n\x0c",
    "line continuations": "def \\\n  f(x):\n    return x \\\n        + \\\n        1\n",
    "carriage returns": "def f(x):\r\n    y = x + 1\r\n    return y\r\n",
    "old line ends": "def f(x):\r    y = x + 1\r    return y\r",
    "no newline at the end": "def f(x): return x + 1",
    "semicolons": "def f(x): y = x; y += 1; return y\n",
    "unicode names": "def f(x):\n    größe, 变量, ﬁ = x, x * 2, 3\n    return größe + 变量 + fi\n",
    "unicode separators": "def f(x):\n    s = 'a\u2028b\x85c\x1cd'\n    return x + len(s)\n",
    "astral letters": "def f(x):\n    s, 𝐱𝐲 = '🙂𝄞', x\n    return xy + len(s)\n",
    "a byte order mark": "\ufeffdef f(x):\n    return x + 1\n",
    "long strings": "def f(x):\n    s = '''\n  def g():\n pass\n'''\n    return x + len(s)\n",
    "a docstring with dedents": 'def f(x):\n    """Doc.\n\nno indent\n    """\n    return x\n',
    "comments less indented": "def f(x):\n    y = x\n# a comment\n  # another\n    return y\n",
    "future annotations": "from __future__ import annotations\ndef f(x: no.such[thing]) -> nor.this:\n    y: neither = x\n    return y\n",
    "all futures": "from __future__ import division, print_function, generator_stop\ndef f(x):\n    return x / 2\n",
    "an odd coding": "# -*- coding: utf-8 -*-\ndef f(x):\n    return x + len('é')\n",
    "a body on the line": "def f(x): return x * 2\n",
    "nested definitions": "def outer():\n    def f(x):\n        def f(x):\n            return x + 1\n        return f(x) * 2\n    return f\nf = outer()\n",
    "defined twice": "def f(x):\n    return x\ndef f(x):\n    return x * 2\n",
    "in a condition": "if True:\n    def f(x):\n        return x * 2\nelse:\n    def f(x):\n        return x\n",
    "in a try": "try:\n    import no_such_module\nexcept ImportError:\n    def f(x):\n        return x * 7\n",
    "in a loop": "made = []\nfor k in range(3):\n    def f(x, k=k):\n        return x * 10 + k\n    made.append(f)\nf = made[1]\n",
    "in a class": "class A:\n    class B:\n        def f(x):\n            return x + 1\nf = A.B.f\n",
    "private names": "class A:\n    __k = 4\n    def f(x, __y=2):\n        return x + A.__k + __y\nf = A.f\n",
    "private names in ___": "class ___:\n    __k = 4\n    def f(x):\n        return x + ___.__k\nf = ___.f\n",
    "lambdas on one line": "fs = [lambda x: x + 1, lambda x: x + 2, lambda x: x * 3]; f = fs[1]\n",
    "equal lambdas on one line": "fs = [lambda x: x + 1, lambda x: x + 1]; f = fs[1]\n",
    "a lambda in a lambda": "f = (lambda: lambda x: (lambda x: x + 1)(x) * 2)()\n",
    "a lambda over lines": "f = (lambda x,\n     k=2: x *\n     k\n     )\n",
    "a lambda as a default": "def g(f=lambda x: x + 3): return f\nf = g()\n",
    "a lambda in an f-string": "fs = []\nf'{fs.append(lambda x: x + 3)}'\nf = fs[0]\n",
    "keywords of later Pythons": "def f(x):\n    match, case, type, _ = x, 2, 3, 4\n    return match + case + type + _\n",
    "names of builtins": "def f(x):\n    sum, max, len = x, 2, 3\n    return sum + max * len\n",
    "names of the compiler": "def f(x):\n    py_call, cond, while_, add, f32, ctx = x, 2, 3, 4, 5, 6\n    return py_call + cond + while_ + add + f32 + ctx\n",
    "dunder names": "def f(x):\n    __x__ = x\n    __name = 2\n    return __x__ + __name\n",
    "unreachable code": "def f(x):\n    return x\n    return 1 / 0\n",
    "an empty loop": "def f(x):\n    for _ in (): pass\n    while False: pass\n    return x\n",
    "only a docstring": "def f(x):\n    'only this'\n",
    "only an ellipsis": "def f(x): ...\n",
    "constants alone": "def f(x):\n    1; 'a'; None; x\n    return x\n",
    "large numbers": "def f(x):\n    return x + 0x7fff_ffff, 1_000.000_1, 1e400, -0.0, 5e-324, 1j\n",
    "assert with a tuple": "def f(x):\n    assert x, (1, 2)\n    return x\n",
    "defaults of all kinds": "def f(x, /, a=1, *b, c=2, d=(3, 4), **e):\n    return x + a + c + d[1] + len(b) + len(e)\n",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", TEXTS)
def test_how_source_can_be_written(name: str, tmp_path: Path) -> None:
    function = module_of(tmp_path, TEXTS[name].encode()).f
    for x in (3, 0, -1.5):
        assert repr(outcome(strictly, function, x)) == repr(outcome(function, x))


@pytest.mark.parametrize("coding", ["latin-1", "cp1252", "utf-8-sig", "shift_jis", "utf-7"])
def test_files_that_are_not_utf_8(coding: str, tmp_path: Path) -> None:
    word = "日本" if coding == "shift_jis" else "é§ü"
    text = f"# coding: {coding}\ndef f(x):\n    word = '{word}'\n    return x.missing, word\n"
    function = module_of(tmp_path, text.encode(coding)).f
    assert outcome(strictly, function, 3) == outcome(function, 3)


@pytest.mark.parametrize("line", ["    return '{}', x.missing\n", "    {} = x; return {}.missing\n"])
def test_columns_after_other_letters(line: str, tmp_path: Path) -> None:
    import traceback

    text = "def f(x):\n" + line.replace("{}", "größe")
    function = module_of(tmp_path, text).f
    places: list[Any] = []
    for call in (function, lambda x: strictly(function, x)):
        with pytest.raises(AttributeError) as caught:
            call(3)
        last = traceback.extract_tb(caught.value.__traceback__)[-1]
        places.append((last.lineno, last.colno, last.end_colno, last.line))
    assert places[0] == places[1]


# --- size -------------------------------------------------------------------------------------------------


def test_five_thousand_lines() -> None:
    lines = [
        f"    x = x + {k} if x < {k} else x - {k % 7}" if k % 10 == 0 else f"    y{k % 9} = x * {k}"
        for k in range(5000)
    ]
    function = defined("\n".join(["def f(x):", *lines, "    return x, y1, y8"]))
    assert strictly(function, 3) == function(3)


def test_two_hundred_nested_blocks() -> None:
    # the parser takes 100 levels of indentation in a file and 20 of loops, so the rest nests in conditions and functions
    lines = ["def f(x):", "    total = 0"]
    for k in range(96):
        lines.append("    " * (k + 1) + f"if x > {k}:")
        lines.append("    " * (k + 2) + f"total += {k} if x % {k + 2} else ({k} if x else {k + 1})")
    function = defined("\n".join([*lines, "    return total"]))
    for x in (0, 5, 200):
        assert strictly(function, x) == function(x)
    chain = "".join(f"    elif x == {k}:\n        r = {k * k}\n" for k in range(1, 200))
    function = defined(f"def f(x):\n    if x == 0:\n        r = -1\n{chain}    else:\n        r = 0\n    return r\n")
    for x in (0, 5, 199, 500):
        assert strictly(function, x) == function(x)


def test_nested_loops() -> None:
    lines = ["def f(n):", "    total = 0"]
    for k in range(8):
        lines.append("    " * (k + 1) + f"for i{k} in range(n - {k % 2}):")
    lines.append("    " * 9 + "total += " + " + ".join(f"i{k}" for k in range(8)) + " + 1")
    function = defined("\n".join([*lines, "    return total"]))
    assert strictly(function, 2) == function(2)


@pytest.mark.parametrize(
    "expression",
    [
        " + ".join(["x"] * 1000),
        " and ".join(["x"] * 1000),
        " < ".join(["0", *["x"] * 300]),
        "not " * 201 + "x",
        "-" * 200 + "x",
        "(" * 80 + "x" + ",)" * 80,
        "[" * 80 + "x" + "]" * 80,
        "(x if x > 0 else " * 80 + "x" + ")" * 80,
        "abs(" * 80 + "x" + ")" * 80,
        "sum((" + ", ".join(["x"] * 1000) + "))",
        "f'" + "{x}" * 300 + "'",
        "{" + ", ".join(f"{k}: x" for k in range(1000)) + "}",
        "(" + "lambda: (" * 40 + "x" + ")" * 40 + ")" + "()" * 40,
        "x" + "**1" * 90,
    ],
    ids=lambda text: text[:12],
)
def test_long_and_deep_expressions(expression: str) -> None:
    function = defined(f"def f(x):\n    return {expression}\n")
    assert repr(outcome(strictly, function, 2)) == repr(outcome(function, 2))


def test_many_parameters() -> None:
    names = [f"a{k}" for k in range(300)]
    parameters = ", ".join([*names[:100], "/", *names[100:200], "*", *(f"{n}=1" for n in names[200:])])
    function = defined(f"def f({parameters}):\n    return {' + '.join(names)}, a0, a299\n")
    args, keywords = [k * 0.5 if k % 3 else k for k in range(150)], {f"a{k}": k for k in range(150, 260)}
    assert strictly(function, *args, **keywords) == function(*args, **keywords)


def test_many_variables_and_branches() -> None:
    lines = [f"    v{k} = x + {k}" for k in range(400)]
    lines += [f"    if v{k} > {k}:\n        v{k + 1} = v{k} * 0.5" for k in range(399)]
    function = defined("\n".join(["def f(x):", *lines, "    return v0, v200, v399"]))
    for x in (-3.0, 2.0):
        assert strictly(function, x) == function(x)


# --- decorators -------------------------------------------------------------------------------------------


def test_a_decorator_that_gives_another_function() -> None:
    def other(x: int) -> int:
        return x * 100

    def replaced(function: Any) -> Any:
        return other

    @jit
    @replaced
    def f(x: int) -> int:
        return x

    assert f(3) == 300
    assert f.__name__ == "other"


def test_decorators_that_give_what_is_not_a_function() -> None:
    def constant(function: Any) -> Any:
        return 7

    with pytest.raises(TypeError, match="jit compiles functions, not int"):

        @jit
        @constant
        def f(x: int) -> int:
            return x


def test_decorators_run_once() -> None:
    calls: list[str] = []

    def noted(name: str) -> Callable[[Any], Any]:
        calls.append(f"make {name}")

        def decorate(function: Any) -> Any:
            calls.append(f"apply {name}")
            return function

        return decorate

    @noted("outer")
    @jit
    @noted("inner")
    def f(x: int) -> int:
        return x + 1

    expected = ["make outer", "make inner", "apply inner", "apply outer"]
    assert calls == expected
    assert [f(1), f(2.0)] == [2, 3.0]
    assert calls == expected


def test_chains_of_wraps() -> None:
    def adding(k: int) -> Callable[[Any], Any]:
        def decorate(function: Any) -> Any:
            @functools.wraps(function)
            def wrapper(*args: Any, **keywords: Any) -> Any:
                return function(*args, **keywords) + k

            return wrapper

        return decorate

    def f(x: int, y: int = 1) -> int:
        """Doc."""
        return x * y

    wrapped = f
    for k in range(10):
        wrapped = adding(10**k)(wrapped)
    compiled = jit(wrapped)
    assert strictly(wrapped, 2, y=3) == wrapped(2, y=3) == 1111111117
    assert (compiled.__name__, compiled.__doc__) == ("f", "Doc.")
    assert jit(adding(5)(jit(f)))(2) == 7


def test_wraps_that_lies() -> None:
    def f(x: int) -> int:
        return x + 1

    @functools.wraps(f)
    def g(x: int) -> int:
        return x * 50

    g.__wrapped__ = f  # type: ignore[attr-defined]
    assert strictly(g, 2) == 100
    g.__wrapped__ = g  # type: ignore[attr-defined]
    assert strictly(g, 2) == 100


def test_a_decorator_that_memoises() -> None:
    calls: list[int] = []

    @functools.lru_cache
    def f(x: int) -> int:
        calls.append(x)
        return x + 1

    def g(x: int) -> int:
        return f(x) * 2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert [jit(g)(1), jit(g)(1)] == [4, 4]
    assert calls == [1]


# --- callables --------------------------------------------------------------------------------------------


class Adder:
    """Callable, with state."""

    def __init__(self, by: Any) -> None:
        self.by = by

    def __call__(self, x: Any, k: int = 1) -> Any:
        return x + self.by * k

    def method(self, x: Any) -> Any:
        return x - self.by

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return x, cls.__name__

    @staticmethod
    def of_none(x: Any) -> Any:
        return x * 2


@dataclasses.dataclass
class Scale:
    by: float

    def __call__(self, x: Any) -> Any:
        return x * self.by


class Slotted:
    __slots__ = ("by",)

    def __init__(self, by: int) -> None:
        self.by = by

    def __call__(self, x: Any) -> Any:
        return x + self.by


def many(x: Any, y: Any = 2, *rest: Any, k: Any = 3, **others: Any) -> Any:
    return x + y * k + len(rest) + len(others)


CALLABLES: dict[str, Any] = {
    "object": Adder(3),
    "dataclass": Scale(2.5),
    "slotted object": Slotted(4),
    "bound method": Adder(3).method,
    "class method": Adder.of_class,
    "static method": Adder.of_none,
    "unbound method": functools.partial(Adder.method, Adder(2)),
    "partial": functools.partial(many, k=5),
    "partial of a partial": functools.partial(functools.partial(many, 1), 2, k=3),
    "partial of a method": functools.partial(Adder(3).method),
    "partial of an object": functools.partial(Adder(3), k=2),
    "partial of a builtin": functools.partial(max, 2),
    "partial of a compiled one": functools.partial(jit(many), k=4),
    "builtin": abs,
    "builtin class": float,
    "bound builtin": (5).__add__,
    "operator": operator.neg,
    "attrgetter": operator.attrgetter("real"),
    "math": __import__("math").sqrt,
    "ufunc": np.exp,
    "numpy function": np.sum,
    "compiled": jit(many),
    "compiled twice": jit(jit(many)),
    "lambda": lambda x: x + 1,
    "bound compiled": types.MethodType(jit(lambda self, x: x + self.by), Adder(5)),
    "compiled bound": jit(Adder(5).method),
    "cell": nn.ReLU(),
    "primitive": jitcore.ops.ReLU(),
    "tensor function": Tensor([1.0, 2.0]).sum,
    "singledispatch": functools.singledispatch(lambda x: x + 1),
    "method caller": operator.methodcaller("__neg__"),
}


@pytest.mark.parametrize("name", CALLABLES)
def test_callables(name: str) -> None:
    function = CALLABLES[name]
    argument: Any = Tensor([1.0, -2.0]) if name in ("cell", "primitive") else 4
    args = () if name == "tensor function" else (argument,)
    if isinstance(function, type):
        with pytest.raises(TypeError, match="not classes"):
            jit(function)
        return
    expected = outcome(function, *args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        found = [outcome(jit(function), *args) for _ in range(2)]
    for value in found:
        assert type(value) is type(expected)
        assert repr(value) == repr(expected)


def test_attributes_of_functions() -> None:
    def f(x: int) -> int:
        return x + 1

    attributes = ["calls", "dispatch", "explain", "specialisations", "_groups", "_lock", "_function", "_first_call"]
    for name in attributes:
        setattr(f, name, 5)
    compiled = jit(f)
    assert compiled(2) == 3
    assert compiled.calls == 5
    assert compiled.__wrapped__ is f
    assert "1 specialisations" in compiled.explain()


class Plain:
    pass


@pytest.mark.parametrize(
    "wrong",
    [None, 3, 2.5, "f", b"f", [], {}, (abs,), ..., Plain(), Plain, int, type, np.ones(2), Tensor([1.0]), math := __import__("math"),
     property(abs), staticmethod, NotImplemented, object()],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_no_function(wrong: Any) -> None:
    if wrong is None:
        assert jit(None) is jit  # `@jit()`
        return
    with pytest.raises(TypeError, match="jit compiles functions"):
        jit(wrong)


def test_objects_whose_class_has_no_source() -> None:
    names: dict[str, Any] = {}
    body = "    k = 2\n    def __call__(self, x):\n        return x + self.k\n    def m(self, x):\n        return -x\n"
    exec(f"class Hidden:\n{body}", names)
    hidden = names["Hidden"]()
    assert "there is no source for Hidden.__call__" in refusal(hidden, 3)
    assert "there is no source for Hidden.m" in refusal(hidden.m, 3)
    assert "there is no source for Hidden.m" in refusal(lambda x: hidden.m(x), 3)


def test_classes_made_by_calls() -> None:
    def method(self: Any, x: Any) -> Any:
        return x + self.k

    made: Any = type("Made", (), {"k": 3, "method": method, "__call__": lambda self, x: x * self.k})
    assert strictly(made(), 5) == 15
    assert strictly(made().method, 5) == 8
    fields = dataclasses.make_dataclass("Fields", ["a", ("b", int, 2)])
    value: Any = fields(3)
    assert strictly(lambda x: x.a + x.b, value) == 5


def test_objects_that_answer_to_every_name() -> None:
    class Any_:
        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return 3

        def __call__(self, x: int) -> int:
            return x + self.anything

    class All:
        def __getattr__(self, name: str) -> Any:
            return lambda *args: 5

        def __call__(self, x: int) -> int:
            return x + 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert jit(Any_())(4) == 7
        assert outcome(jit(All()), 4) == 5


def test_methods_of_instances_that_are_replaced() -> None:
    adder: Any = Adder(3)
    adder.method = lambda x: x * 1000
    assert strictly(lambda x: adder.method(x), 2) == 2000
    assert strictly(adder.method, 2) == 2000


def test_async_and_generator_functions() -> None:
    async def coroutine(x: int) -> int:
        return x

    def generator(x: int) -> Any:
        yield x

    with pytest.raises(CompileError, match="async def"):
        strictly(coroutine, 1)
    with pytest.warns(FallbackWarning, match="async def"):
        waiting = jit(coroutine)(1)
    with pytest.raises(StopIteration) as ended:
        waiting.send(None)
    assert ended.value.value == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert list(jit(generator)(3)) == [3]


# --- surroundings -----------------------------------------------------------------------------------------


def test_globals_that_are_not_a_module_s() -> None:
    function = defined("def f(x):\n    return x + k + len(__name__)\n", k=3, __name__="made up")
    assert strictly(function, 1) == 11
    without = defined("def f(x):\n    return x + k\n", __builtins__={})
    assert outcome(strictly, without, 1) == outcome(without, 1) == (NameError, "name 'k' is not defined")


def test_builtins_that_are_replaced() -> None:
    function = defined("def f(x):\n    return abs(x) + len((1, 2))\n", abs=lambda x: x * 10)
    assert strictly(function, -3) == -28
    import builtins

    own = defined("def f(x):\n    return abs(x)\n", __builtins__={**vars(builtins), "abs": lambda x: 99})
    assert "abs: the module has builtins of its own" in refusal(own, -3)


def test_module_attributes_made_on_demand(tmp_path: Path) -> None:
    module = module_of(tmp_path, "def __getattr__(name):\n    return len(name)\n\ndef f(x):\n    return x\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert jit(lambda x: module.abcde + x)(1) == 6


def test_recursion_limits() -> None:
    limit = sys.getrecursionlimit()
    function = defined("def f(x):\n    return " + " + ".join(["x"] * 2000) + "\n")
    assert strictly(function, 1) == 2000
    assert sys.getrecursionlimit() == limit


def test_calls_deep_in_the_stack() -> None:
    compiled = jit(lambda x: x + 1)

    def deep(n: int) -> int:
        return compiled(n) if n == 0 else deep(n - 1)

    assert deep(sys.getrecursionlimit() // 2) == 1


def test_a_list_that_holds_nothing_but_itself() -> None:
    items: list[Any] = []
    items.append(items)
    with pytest.warns(FallbackWarning, match="holds itself"):
        assert jit(lambda x: len(x))(items) == 1


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("power", [63, 100, 20_000])
def test_ints_past_64_bits(power: int) -> None:
    with pytest.raises(OverflowError, match=r"argument x: .* past 64 bits"):
        jit(lambda x: x + 1)(1 << power)
    assert jit(lambda x: x + 1)(1) == 2
