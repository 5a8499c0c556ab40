"""Which calls into Python a program makes again and again: in loops, in what loops call, in functions that recurse."""

from __future__ import annotations

from collections.abc import Iterator

from jitcore.program.nodes import Block, Call, Host, HostCall, Parallel, Program, While
from jitcore.program.walk import blocks_of, statements
from jitcore.source import Span


def repeated(program: Program) -> list[tuple[HostCall, Span]]:
    """The calls into Python that loops repeat, with their places, each place once."""
    everywhere = _called_again(program)
    found: dict[tuple[str, int], tuple[HostCall, Span]] = {}
    for name, function in program.functions.items():
        for statement in statements(function.body) if name in everywhere else _in_loops(function.body):
            if isinstance(statement, Host):
                span = program.sites[statement.site].span
                found.setdefault((span.file, span.line), (program.host_calls[statement.index], span))
    return list(found.values())


def _in_loops(block: Block) -> Iterator[object]:
    """The statements of a block that a loop in it repeats."""
    pending = [block]
    while pending:
        for statement in pending.pop().statements:
            if isinstance(statement, While | Parallel):
                for repeated_block in blocks_of(statement):
                    yield from statements(repeated_block)
            else:
                pending += blocks_of(statement)


def _called_again(program: Program) -> set[str]:
    """The functions that loops call, or that call themselves, and what those call."""
    calls = {
        name: {s.function for s in statements(function.body) if isinstance(s, Call)}
        for name, function in program.functions.items()
    }
    started = {s.function for f in program.functions.values() for s in _in_loops(f.body) if isinstance(s, Call)}
    started |= {name for name in calls if name in _reached(calls, calls[name])}
    return _reached(calls, started)


def _reached(calls: dict[str, set[str]], names: set[str]) -> set[str]:
    """Functions and all that they call, one through another."""
    reached: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += calls[name]
    return reached
