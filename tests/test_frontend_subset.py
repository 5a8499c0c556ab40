"""What is not compiled is reported all at once, each with its place, a reason and what to write instead."""

from __future__ import annotations

import linecache
import textwrap
from types import FunctionType
from typing import Any

import pytest

from jitcore.frontend import source_of
from jitcore.source import UnsupportedError


def function_of(text: str, name: str = "f") -> FunctionType:
    text = textwrap.dedent(text).strip() + "\n"
    linecache.cache["<subset>"] = (len(text), None, text.splitlines(True), "<subset>")
    namespace: dict[str, Any] = {}
    exec(compile(text, "<subset>", "exec"), namespace)
    return namespace[name]


def problems_of(text: str, name: str = "f") -> list[tuple[int, int, str]]:
    """Line, column and message of each problem."""
    with pytest.raises(UnsupportedError) as raised:
        source_of(function_of(text, name))
    for problem in raised.value.problems:
        assert problem.hint
    return [(p.span.line, p.span.column, p.message) for p in raised.value.problems]


def test_every_problem_at_once() -> None:
    text = """
        def f(x):
            with x:
                y = eval("x")
            try:
                class A: pass
            except* ValueError:
                z = [locals() for _ in x]
            def g():
                print((yield x))
            match x:
                case 1: dir()
            return (lambda: exec("1"))
    """
    found = [
        (line, column, message.split("`")[1] if "`" in message else message[:7])
        for line, column, message in problems_of(text)
    ]
    assert found == [
        (3, 12, "eval"),
        (4, 4, "try … except*"),
        (5, 8, "a class"),
        (7, 13, "locals()"),
        (9, 15, "yield"),
        (11, 16, "dir()"),
        (12, 20, "exec"),
    ]


def test_the_report_names_functions_and_shows_lines() -> None:
    text = """
        def f(x):
            def g():
                try:
                    pass
                except* x:
                    pass
            h = lambda: eval("1")
            return g, h
    """
    with pytest.raises(UnsupportedError) as raised:
        source_of(function_of(text))
    assert str(raised.value) == (
        "f is not compiled (2 problems):\n"
        '  File "<subset>", line 3, in g\n'
        "    try:\n"
        "    ^^^^\n"
        "  `try … except*` is not compiled [J0103]\n"
        "  instead: test for the condition before, or catch around the call\n"
        '  File "<subset>", line 7, in <lambda>\n'
        '    h = lambda: eval("1")\n'
        "                ^^^^^^^^^\n"
        "  `eval` runs code that is not known when the function is compiled [J0105]\n"
        "  instead: a function, or a table of functions"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("await x", "`await`"),
        ("async for i in x: pass", "`async for`"),
        ("async with x: pass", "`async with`"),
        ("return [i async for i in x]", "asynchronous comprehension"),
    ],
)
def test_coroutines(body: str, message: str) -> None:
    (whole, inner) = problems_of(f"async def f(x):\n    {body}")
    assert whole[:2] == (1, 0)
    assert "`async def`" in whole[2]
    assert inner[0] == 2
    assert message in inner[2]


def test_writes_to_outer_variables() -> None:
    text = """
        def make():
            k = 0
            def f(x):
                global total, read
                nonlocal k
                total = x + read
                total += 1
                k = 5
                def g():
                    nonlocal x, k
                    global total
                    x = k = 2
                    del total
                def total_2(): pass
                return x
            return f
        f = make()
    """
    assert problems_of(text) == [
        (6, 8, "global variable 'total' is assigned to"),
        (7, 8, "global variable 'total' is assigned to"),
        (8, 8, "'k' is a variable of a function around the compiled one, and is assigned to"),
        (12, 16, "'k' is a variable of a function around the compiled one, and is assigned to"),
        (13, 16, "global variable 'total' is assigned to"),
    ]


def test_functions_and_imports_as_global_variables() -> None:
    text = """
        def f():
            global g, math
            def g(): pass
            import math
    """
    assert [line for line, _, _ in problems_of(text)] == [3, 4]


def test_names_that_only_look_refused() -> None:
    text = """
        def dir(x): return x
        def f(x, eval):
            def compile(y): return y
            return eval(x), x.eval(1), compile(2), dir(3), vars(x)
    """
    assert source_of(function_of(text)).name == "f"


def test_functions_that_would_see_a_generator_expression_change() -> None:
    text = """
        def f(xs):
            a = [g() for g in ((lambda: x) for x in xs)]
            b = ((x * y for y in xs) for x in xs)
            c = (sum(x * y for y in xs) for x in xs)
            d = (sorted(xs, key=lambda v: v) for x in xs)
            return a, b, c, d
    """
    assert [(line, column) for line, column, _ in problems_of(text)] == [(2, 24), (3, 9)]
