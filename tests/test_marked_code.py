"""LLVM and assembly that say of each line what it was written for, and where loops and Cells stand."""

from __future__ import annotations

import re

import numpy as np

from jitcore import Tensor, jit, nn
from jitcore.backends.cpu import BACKEND
from jitcore.program.nodes import Launch, Program
from jitcore.program.walk import blocks_of


def placed(program: Program) -> tuple[dict[int, int], dict[str, frozenset[int]]]:
    """The lines of a program's statements, by their ids, and of its kernels."""
    statements: dict[int, int] = {}
    kernels: dict[str, frozenset[int]] = {}
    pending = [function.body for function in program.functions.values()]
    while pending:
        block = pending.pop()
        for statement, span in zip(block.statements, block.spans, strict=True):
            statements[id(statement)] = span.line
            if isinstance(statement, Launch):
                lines = {s.line for s in statement.spans}
                kernels[statement.kernel] = kernels.get(statement.kernel, frozenset()) | lines
            pending += blocks_of(statement)
    return statements, kernels


def instructions(lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(r"\t[a-z]", line)]


@jit
def f(x, n):
    total = 0
    for i in range(n):
        if i % 3 == 1:
            total += i * n
    try:
        total //= n - 7
    except ZeroDivisionError:
        total = -1
    return np.tanh(x * total).sum() + x


FIRST = f.__wrapped__.__code__.co_firstlineno
LOOP, SUM, FAILING, TANH = FIRST + 3, FIRST + 5, FIRST + 7, FIRST + 10


def test_marked_code_is_the_code_that_runs_and_knows_its_lines() -> None:
    f(np.ones(5000), 10)
    code = f.specialisations[0].compilation.code
    marked = BACKEND.marked(code.program, *placed(code.program))
    texts = code.loaded.texts
    assert [line for line, _ in marked["llvm"] if line] == [line for line in texts["llvm"]().split("\n") if line]
    assert instructions([line for line, _ in marked["asm"]]) == instructions(texts["asm"]().split("\n"))
    llvm = {
        (text.strip().partition(" = ")[2].partition(" ")[0], mark) for text, marks in marked["llvm"] for mark in marks
    }
    assert {("phi", LOOP), ("srem", SUM - 1)} <= llvm
    assert any(mark == FAILING for _, mark in llvm)
    kernels = [marks for text, marks in marked["llvm"] if "x double>" in text and not text.startswith("declare")]
    assert kernels
    assert all(TANH in marks for marks in kernels)
    machine = {(text.split()[0], mark) for text, marks in marked["asm"] if text.strip() for mark in marks}
    assert any("mul" in name and mark == SUM for name, mark in machine)
    assert any(mark == FAILING for _, mark in machine)


def test_the_failure_of_a_line_is_of_that_line() -> None:
    f(np.ones(5000), 10)
    code = f.specialisations[0].compilation.code
    marked = BACKEND.marked(code.program, *placed(code.program))["llvm"]
    heads = [k for k, (text, _) in enumerate(marked) if re.match(r"fail\d+:", text)]
    assert heads
    for k in heads:
        assert len(marked[k + 1][1]) == 1


class Inner(nn.Cell):
    def construct(self, x):
        return x * 2


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = Inner()
        self.rest = nn.SequentialCell(Inner(), Inner())

    def construct(self, x):
        return self.rest(self.first(x)) + self.doubled(x)

    def doubled(self, x):
        return x + x


def test_places_say_which_cells_they_are_in() -> None:
    net = Outer()
    g = jit(lambda x: net(x))
    g(Tensor([1.0, 2.0]))
    body = g.specialisations[0].compilation.inferred.module.main.body
    cells = [
        tuple(s.cell for s in reversed(list(b.span.frames())) if s.cell) for b in body if b.op.name in ("mul", "add")
    ]
    rest = ("rest:SequentialCell",)
    assert cells == [
        (":Outer", "first:Inner"), (":Outer", *rest, "0:Inner"), (":Outer", *rest, "1:Inner"), (":Outer",), (":Outer",)
    ]  # fmt: skip
