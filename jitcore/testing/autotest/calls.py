"""A call that is examined: Python text over operands, and the operands, of which copies are made for each run.

`Call("torch.matmul", "@.matmul({0}, {1})", operands)`: `@` is the root (a package, or a pair of functions) and `{0}` an
operand. `call.function(torch)` is it as a function of its operands, which jitcore compiles.
"""

from __future__ import annotations

import functools
import itertools
import linecache
from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore.structs import dataclass
from jitcore.testing.autotest.items import Array

ROOT: Final = "\N{REFERENCE MARK}"
"""Stands for the root in texts."""
_files = itertools.count()


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """An argument that is no literal: an array, which may need a gradient; a module, whose `setup` are the lines that
    make it; or another object. `of` has what the reference and jitcore are given."""

    array: Array | None = None
    requires_grad: bool = False
    module: bool = False
    setup: str = ""
    of: tuple[Any, Any] = (None, None)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`name` is what people call it, `text` the expression; `in_place` if it writes to an operand. `before` are calls
    of the same text that the compiled function is called with first."""

    name: str
    text: str
    operands: tuple[Operand, ...]
    in_place: bool = False
    before: tuple[Call, ...] = ()

    def source(self, root: str, name: str = "call", cloned: bool = False) -> str:
        """It as the text of a function. With `cloned`, of the copies of the arrays that need gradients."""
        parameters = [f"a{k}" for k in range(len(self.operands))]
        given = [
            f"{p}.clone()" if cloned and operand.requires_grad else p
            for p, operand in zip(parameters, self.operands, strict=True)
        ]
        body = filled(self.text, given).replace(ROOT, root)
        return f"def {name}({', '.join(parameters)}):\n    return {body}\n"

    def function(self, root: object, cloned: bool = False) -> Callable[..., Any]:
        """It as a function of its operands."""
        return _function(self.source("torch", cloned=cloned), root)


def placeholder(k: int) -> str:
    """How a text names its operand k."""
    return f"\N{LEFT DOUBLE ANGLE BRACKET}{k}\N{RIGHT DOUBLE ANGLE BRACKET}"


def filled(text: str, given: Sequence[str]) -> str:
    """A text with its operands named."""
    for k, name in enumerate(given):
        text = text.replace(placeholder(k), name)
    return text


@functools.lru_cache(1024)
def _function(source: str, root: object) -> Callable[..., Any]:
    return run_text(source, {"torch": root})["call"]


def run_text(text: str, scope: dict[str, Any]) -> dict[str, Any]:
    """Run a text whose functions tracebacks and the compiler can read; the scope, in which it leaves its names."""
    file = f"<autotest {next(_files)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), scope)
    return scope
