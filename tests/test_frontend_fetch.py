"""Source is found for every kind of function, at the user's own lines and columns, and never for other code."""

from __future__ import annotations

import functools
import importlib.util
import linecache
import os
import sys
import warnings
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import frontend_programs as programs
import pytest
from untyped_interpreter import places_of, run

from jitcore.frontend import source_of
from jitcore.frontend.fetch import fetch
from jitcore.source import CompileError


def module_of(directory: Path, text: str) -> ModuleType:
    """A module imported from a file with that text."""
    file = directory / "written.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("written", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_lambdas_on_one_line(tmp_path: Path) -> None:
    module = module_of(
        tmp_path, "f, g = (lambda x: x + 1), (lambda x: x - 1)\nh = [lambda x: (lambda: x * 3), lambda x: x]\n"
    )
    assert [run(source_of(function), 10) for function in (module.f, module.g, module.h[1])] == [11, 9, 10]
    outer = source_of(module.h[0])
    assert outer.span.column == 5
    assert run(outer, 4)() == 12
    assert run(source_of(module.h[0](7))) == 21
    assert source_of(module.g).span.column == 27


def test_equal_lambdas_on_one_line_have_their_own_columns(tmp_path: Path) -> None:
    module = module_of(tmp_path, "f, g = lambda x: x.a, lambda x: x.a\n")
    places = []
    for function in (module.f, module.g):
        with pytest.raises(AttributeError) as raised:
            run(source_of(function), 1)
        places.append([span.column for span in places_of(raised.value)])
    assert places == [[17], [32]]


def test_lambda_over_lines(tmp_path: Path) -> None:
    text = "f = sorted([1], key=lambda x: x) and (\n    lambda a,\n    b=2: a +\n        b\n)\n"
    function = module_of(tmp_path, text).f
    source = source_of(function)
    assert (source.span.line, source.span.column, source.span.end_line) == (2, 4, 4)
    assert run(source, 1) == 3


def test_methods_and_private_names() -> None:
    plain, through = programs.Derived(), programs.Derived()
    expected = plain.step(10)
    step: Any = programs.Derived.step
    assert run(source_of(step), through, 10) == expected
    assert vars(plain) == vars(through)
    assert run(source_of(programs.Derived.plain), 4) == 8
    of_class: Any = programs.Derived.of_class
    assert run(source_of(of_class.__func__), programs.Derived, 4) == 8


def test_nested_functions_have_their_own_closures() -> None:
    first, second = programs.made(2), programs.made(5)
    assert isinstance(first, FunctionType)
    assert isinstance(second, FunctionType)
    for function in (first, second, first):
        assert run(source_of(function), 4) == function(4)
        assert run(source_of(function), 0) == function(0)
    assert source_of(second).function is second


def test_decorated_functions_are_what_they_are_bound_to(tmp_path: Path) -> None:
    text = (
        "import functools\n\n"
        "def twice(f):\n    @functools.wraps(f)\n    def wrapper(x):\n        return f(f(x))\n    return wrapper\n\n"
        "def same(f):\n    return f\n\n"
        "@twice\ndef g(x):\n    return x * 3\n\n"
        "@same\n@same\ndef h(x):\n    return x * 5\n"
    )
    module = module_of(tmp_path, text)
    assert source_of(module.g).span.line == 5
    assert run(source_of(module.g), 2) == 18
    assert run(source_of(module.g.__wrapped__), 2) == 6
    assert source_of(module.h).span.line == 18
    assert run(source_of(module.h), 2) == 10
    assert functools.partial(module.h, 3)() == 15


def test_code_made_by_exec() -> None:
    text = "def f(x):\n    return x.missing\n"
    linecache.cache["<made up>"] = (len(text), None, text.splitlines(True), "<made up>")
    namespace: dict[str, Any] = {}
    exec(compile(text, "<made up>", "exec"), namespace)
    with pytest.raises(AttributeError) as raised:
        run(source_of(namespace["f"]), 1)
    (place,) = places_of(raised.value)
    assert str(place) == "<made up>:2:11-2:20"


def test_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec("".join(["def f(x):\n", "    return x\n"]), namespace)
    with pytest.raises(CompileError, match="there is no source for f: no file '<string>' can be read"):
        source_of(namespace["f"])


CHANGES = [
    ("return x + 1", "return x - 1"),
    ("return x + 1", "return x + 2"),
    ("return x + 1", "return x + 1.0"),
    ("return x + 1", "return y + 1"),
    ("def f(x)", "def f(z, x)"),
    ("def f(x)", "def g(x)"),
    ("def f(x)", "\n\ndef f(x)"),
    ("    return x + 1", "    x = 2\n    return x + 1"),
    ("return x + 1", "return (x + 1"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_file_edited_since_import(tmp_path: Path, old: str, new: str) -> None:
    text = "y = 1\ndef f(x):\n    return x + 1\n"
    module = module_of(tmp_path, text)
    file = Path(module.__file__ or "")
    file.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(file, (1, 1))
    with pytest.raises(CompileError, match=r"the file has changed|can no longer be parsed") as raised:
        source_of(module.f)
    assert "written.py" in str(raised.value)


def test_file_edited_elsewhere(tmp_path: Path) -> None:
    text = "def f(x):\n    return x + 1\n\ndef g(x):\n    return x\n"
    module = module_of(tmp_path, text)
    assert run(source_of(module.f), 1) == 2
    file = Path(module.__file__ or "")
    file.write_text(text.replace("return x\n", "return -x\n"), encoding="utf-8")
    os.utime(file, (1, 1))
    fetch(module.f)
    with pytest.raises(CompileError, match="changed"):
        fetch(module.g)


RIGHT_AS_FOUND = """
from __future__ import annotations
import functools

class Box:
    __limit = 3
    def method(self, x: int = 1, *, k: Missing = 2) -> Missing:
        '''Doc.'''
        def inner(y: Missing = x):
            return __class__, y, self.__limit, k
        return inner
    def ask(self):
        return super().__init__, [self.__limit for _ in range(2)]
    other = lambda self, __x: __x

def outer(a, b):
    def recursive(n):
        return recursive(n - 1) + a if n else 0
    def plain(n):
        def deeper():
            nonlocal b
            b = {0.0, -0.0, 1, "x"} & {n} or a
            return b in {1, 2, 3}, n, (1, True), -0.0, ...
        return deeper
    return recursive, plain, lambda: (a, lambda: b), functools.partial(plain)

def itself(n):
    global counted
    return itself(n - 1) if n else counted
"""


def test_unchanged_functions_agree_with_their_source(tmp_path: Path) -> None:
    module = module_of(tmp_path, RIGHT_AS_FOUND)
    recursive, plain, both, _ = module.outer(1, 2)
    box: Any = module.Box
    inner = box().method()
    functions = [module.outer, module.itself, recursive, plain, both, both()[1], box.method, box.ask, box.other, inner]
    for function in functions:
        fetched = fetch(function)
        assert fetched.node.lineno == function.__code__.co_firstlineno


def test_columns_count_characters(tmp_path: Path) -> None:
    module = module_of(tmp_path, "def f(größe):\n    return 'äöü' + größe.ü.y\n")
    with pytest.raises(AttributeError) as raised:
        run(source_of(module.f), 1)
    (place,) = places_of(raised.value)
    assert (place.column, place.end_column) == (19, 26)


def test_found_once_for_a_code_object(tmp_path: Path) -> None:
    module = module_of(tmp_path, "def f(x, y=1):\n    return x + y\n")
    source = source_of(module.f)
    assert source_of(module.f) is source
    module.f.__defaults__ = None
    assert [p.has_default for p in source_of(module.f).parameters] == [False, False]
    module.f.__code__ = module_of(tmp_path, "def f(x, y):\n    return x * y\n").f.__code__
    assert run(source_of(module.f), 5, 6) == 30


def test_parameters() -> None:
    def f(a: Any, /, b: Any, c: Any = 1, *d: Any, e: Any, g: Any = 2, **h: Any) -> Any:
        return a, b, c, d, e, g, h

    found = [(p.name, p.kind, p.has_default) for p in source_of(f).parameters]
    assert found == [
        ("a", "POSITIONAL_ONLY", False),
        ("b", "POSITIONAL_OR_KEYWORD", False),
        ("c", "POSITIONAL_OR_KEYWORD", True),
        ("d", "VAR_POSITIONAL", False),
        ("e", "KEYWORD_ONLY", False),
        ("g", "KEYWORD_ONLY", True),
        ("h", "VAR_KEYWORD", False),
    ]
    assert [v.name for v in source_of(f).graph.params] == list("abcdegh")
    assert run(source_of(f), 1, 2, 3, 4, e=5, z=6) == f(1, 2, 3, 4, e=5, z=6)


def written(text: str, name: str) -> Any:
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(True), f"<{name}>")
    namespace: dict[str, Any] = {}
    exec(compile(text, f"<{name}>", "exec"), namespace)
    return namespace[name]


def test_deep_nesting() -> None:
    chain = "".join(f"    elif x == {k}:\n        r = {k}\n" for k in range(1, 400))
    function = written(f"def chain(x):\n    if x == 0:\n        r = 0\n{chain}    return r\n", "chain")
    limit = sys.getrecursionlimit()
    source = source_of(function)
    assert sys.getrecursionlimit() == limit
    assert len(source.graph.params) == 1
    assert source.text.count("elif") == 399


def test_long_functions() -> None:
    lines = "".join(f"    if x > {k}:\n        return y\n    y = x + {k}\n" for k in range(700))
    assert source_of(written(f"def long(x):\n    y = 0\n{lines}    return y\n", "long")).name == "long"
    straight = "".join(f"    y{k} = x + y{k - 1 if k else 0}\n" for k in range(5000))
    graph = source_of(written(f"def straight(x, y0):\n{straight}    return y4999\n", "straight")).graph
    assert len(graph.body) == 5000


def test_nesting_too_deep_is_one_error() -> None:
    def deep() -> int:
        return 1

    import jitcore.frontend as frontend

    def endless() -> Any:
        return endless()

    with pytest.raises(CompileError, match="nests expressions or statements too deeply"):
        frontend._deeply(endless, deep.__code__)  # pyright: ignore[reportPrivateUsage]


# --- files that change between the making of a function and its first call ------------------------------

CHANGED: dict[str, tuple[str, str]] = {
    "lines above a lambda": ("f = jit(lambda x: x + 1)", "y = 1\nf = jit(lambda x: x + 1)"),
    "a lambda that is gone": ("f = jit(lambda x: x + 1)", ""),
    "another constant": ("f = jit(lambda x: x + 1)", "f = jit(lambda x: x + 2)"),
    "an equal constant": ("f = jit(lambda x: x + 1)", "f = jit(lambda x: x + 1.0)"),
    "another name": ("y, z = 1, 2\nf = jit(lambda x: x + y)", "y, z = 1, 2\nf = jit(lambda x: x + z)"),
    "another attribute": ("import math\nf = jit(lambda x: x + math.e)", "import math\nf = jit(lambda x: x + math.pi)"),
    "more parameters": ("f = jit(lambda x: x + 1)", "f = jit(lambda x, y: x + 1)"),
    "a default less": ("f = jit(lambda x, k=1: x + k)", "f = jit(lambda x: x + 1)"),
    "a starred parameter": ("f = jit(lambda x: x + 1)", "f = jit(lambda *x: x + 1)"),
    "one of two lambdas": ("f, g = jit(lambda x: x + 1), jit(lambda x: x + 3)", "g = jit(lambda x: x + 3)"),
    "more captured": (
        "def made(a, b):\n    return jit(lambda x: x + a)\nf = made(1, 2)",
        "def made(a, b):\n    return jit(lambda x: x + a * b)\nf = made(1, 2)",
    ),
    "a function inside": (
        "@jit\ndef f(x):\n    g = lambda y: y + x\n    return g(1)",
        "@jit\ndef f(x):\n    g = lambda y: y + x + x\n    return g(1)",
    ),
    "operands in another order": ("f = jit(lambda x: x - 1)", "f = jit(lambda x: 1 - x)"),
    "items in another order": ("f = jit(lambda x: (x, 1))", "f = jit(lambda x: (1, x))"),
    "branches in another order": ("f = jit(lambda x: x if x > 1 else -x)", "f = jit(lambda x: -x if x > 1 else x)"),
    "and for or": ("f = jit(lambda x: x and -x)", "f = jit(lambda x: x or -x)"),
    "not for a call": ("f = jit(lambda x: abs(x))", "f = jit(lambda x: not x)"),
    "text for a call": ("f = jit(lambda x: abs(x))", "f = jit(lambda x: f'{x}')"),
    "statements in another order": (
        "@jit\ndef f(x):\n    x = x + 1\n    x = x * 2\n    return x",
        "@jit\ndef f(x):\n    x = x * 2\n    x = x + 1\n    return x",
    ),
    "no generator": (
        "@jit\ndef f(x):\n    def g(): yield x\n    return len([*g()])",
        "@jit\ndef f(x):\n    def g(): return x,\n    return len([*g()])",
    ),
    "a function's body": ("@jit\ndef f(x):\n    return x + 1", "@jit\ndef f(x):\n    return x + 2"),
}


UNCHANGED: dict[str, str] = {
    "a class inside": "@jit\ndef f(x):\n    class Inner:\n        pass\n    return x",
    "a coroutine inside": "@jit\ndef f(x):\n    async def g() -> None:\n        await h()\n    return x",
    "a set": "@jit\ndef f(x):\n    return x in {1.0, 2.0, 'a', 'b', 'c'}",
    "annotations": "@jit\ndef f(x: float) -> 'float':\n    y: int = 1\n    return x + y",
    "a nested function": "def made():\n    def f(x):\n        return (lambda: x)()\n    return jit(f)\nf = made()",
    "a docstring": "@jit\ndef f(x):\n    'One line.'\n    return -x ** 2 < x @ x if x else not x",
}


class _Rewriting(SourceFileLoader):
    """What code it makes may differ from the source, as of pytest."""


def _loaded(loader: type[SourceFileLoader], file: Path, text: str) -> ModuleType:
    file.write_text(f"from jitcore import jit\n{text}\n")
    spec = importlib.util.spec_from_file_location("changing", file, loader=loader("changing", str(file)))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("loader", [SourceFileLoader, _Rewriting])
@pytest.mark.parametrize("name", UNCHANGED)
def test_functions_whose_file_has_not_changed_agree(name: str, loader: type[SourceFileLoader], tmp_path: Path) -> None:
    module = _loaded(loader, tmp_path / "same.py", UNCHANGED[name])
    assert fetch(module.f.__wrapped__).node.name == "f"


@pytest.mark.parametrize("loader", [SourceFileLoader, _Rewriting])
@pytest.mark.parametrize("name", CHANGED)
def test_functions_whose_file_has_changed_run_as_they_were(
    name: str, loader: type[SourceFileLoader], tmp_path: Path
) -> None:
    before, after = CHANGED[name]
    file = tmp_path / "changing.py"
    module = _loaded(loader, file, before)
    file.write_text(f"from jitcore import jit\n{after}\n")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        expected = module.f.__wrapped__(1.0)
        assert module.f(1.0) == expected
    assert any("is not what it was when the function was made" in str(w.message) for w in told)
