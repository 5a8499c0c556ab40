"""Graphs from the frontend do what the functions do: values, exceptions with their places, and order of effects."""

from __future__ import annotations

import copy
import io
import re
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import frontend_programs as programs
import pytest
from grouped import grouped
from untyped_interpreter import places_of, run

from jitcore.frontend import source_of
from jitcore.ir.nodes import Graph, Var
from jitcore.ir.python import FunctionSource

LINES = Path(programs.__file__).read_text(encoding="utf-8").split("\n")

CASES = [
    pytest.param(function, args, id=f"{function.__name__}-{k}") for k, (function, args) in enumerate(programs.PROGRAMS)
]


def outcome(call: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, BaseException | None]:
    """What a call gives, prints and notes, written out; and what it raises."""
    programs.LOG.clear()
    args = copy.deepcopy(args)
    error: BaseException | None = None
    result: Any = None
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            result = call(*args)
        except Exception as raised:
            error = raised
    shown = repr((result, args, programs.LOG, printed.getvalue(), type(error), str(error)))
    return re.sub("0x[0-9a-f]+", "0x", shown), error


def raised_at(error: BaseException) -> list[tuple[Any, ...]]:
    """The frames of an exception in the programs' file, innermost first, as CPython has them."""
    frames: list[tuple[Any, ...]] = []
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == programs.__file__ and frame.f_code.co_name not in ("note", "__bool__"):
            frames.append(place_of(frame.f_code, error, frame))
    return frames[::-1]


def place_of(code: CodeType, error: BaseException, frame: Any) -> tuple[Any, ...]:
    last = next(tb.tb_lasti for tb in _tracebacks(error) if tb.tb_frame is frame)
    line, end_line, column, end_column = list(code.co_positions())[last // 2]
    assert line is not None
    assert end_line is not None
    columns = [len(LINES[at - 1].encode()[:byte].decode()) for at, byte in ((line, column), (end_line, end_column))]
    return (code.co_name, line, columns[0], end_line, columns[1])


def _tracebacks(error: BaseException) -> list[Any]:
    found, tb = [], error.__traceback__
    while tb is not None:
        found.append(tb)
        tb = tb.tb_next
    return found


@grouped(("function", "args"), CASES)
def test_graph_does_what_the_function_does(function: FunctionType, args: tuple[Any, ...]) -> None:
    expected, error = outcome(function, args)
    source = source_of(function)
    check_graph(source)
    found, raised = outcome(lambda *given: run(source, *given), args)
    if isinstance(error, TypeError) and not raised_at(error):  # the call itself was wrong: no frame to compare
        assert type(raised) is TypeError
        return
    assert found == expected
    if error is not None:
        assert raised is not None
        spans = [(s.function, s.line, s.column, s.end_line, s.end_column) for s in places_of(raised)]
        assert spans == raised_at(error)


# the assertion in `shadowing` means the builtin AssertionError, which text can only name
TEXT_CASES = [case for case in CASES if case.values[0] is not programs.shadowing]


@grouped(("function", "args"), TEXT_CASES)
def test_desugared_text_does_what_the_function_does(function: FunctionType, args: tuple[Any, ...]) -> None:
    expected, error = outcome(function, args)
    namespace = dict(function.__globals__)
    exec(source_of(function).text, namespace)
    rewritten = namespace[function.__name__]
    rewritten.__defaults__, rewritten.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    found, raised = outcome(rewritten, args)
    assert type(raised) is type(error)
    if not isinstance(error, NameError):  # a message may name the variable that stands for a comprehension's
        assert found == expected


def check_graph(source: FunctionSource) -> None:
    """Every variable of a graph is bound once, before its use and where the use can see it."""
    bound: set[Var] = set()

    def visit(graph: Graph, visible: frozenset[Var]) -> None:
        known = set(visible)

        def bind(variables: tuple[Var, ...]) -> None:
            for variable in variables:
                assert variable not in bound, f"{variable} is bound twice"
                bound.add(variable)
                known.add(variable)

        bind(graph.params)
        for binding in graph.body:
            for atom in binding.args:
                assert not isinstance(atom, Var) or atom in known, (graph.name, binding)
            for inner in binding.graphs:
                visit(inner, frozenset(known))
            bind(binding.outs)
        for atom in graph.results:
            assert not isinstance(atom, Var) or atom in known, (graph.name, atom)

    visit(source.graph, frozenset())
    assert len(source.graph.results) == 1
    assert len(source.graph.params) == len(source.parameters)
