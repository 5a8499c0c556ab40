"""Programs as LLVM text and assembly of which each line says what it was written for.

What statements and kernels are marked with goes through LLVM as the lines of debug locations: its passes keep them, and
the assembly has them as `.loc`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from jitcore.backends.llvm.program.function import MARK, kernel_name
from jitcore.backends.llvm.program.lowering import lower_program
from jitcore.backends.native.engine import engine
from jitcore.backends.protocol import MarkedLine
from jitcore.program.nodes import Program
from jitcore.structs import dataclass, field

_DEFINE: Final = re.compile(r'define [^\n]*?@("(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)\(')
_NAMED: Final = re.compile(r'@("(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)')
_LOC: Final = re.compile(r"\s*\.loc\s+\d+\s+(\d+)\s")
_OF_DEBUGGING: Final = re.compile(r"\s*\.file\s|\.L(tmp|func_begin|func_end)\d+:|\s*\.cfi_sections")
_HEADER: Final = """!llvm.module.flags = !{!900000}
!llvm.dbg.cu = !{!900001}
!900000 = !{i32 2, !"Debug Info Version", i32 3}
!900001 = distinct !DICompileUnit(
  language: DW_LANG_C, file: !900002, producer: "", isOptimized: true, runtimeVersion: 0,
  emissionKind: DebugDirectivesOnly
)
!900002 = !DIFile(filename: "marks", directory: "")
!900003 = !DISubroutineType(types: !900004)
!900004 = !{}
"""  # fmt: skip
_FIRST: Final = 900005
_NOTHING: Final = frozenset[int]()


def marked(
    program: Program, statements: Mapping[int, int], kernels: Mapping[str, frozenset[int]]
) -> dict[str, list[MarkedLine]]:
    """The stages `llvm` and `asm` of a program. `statements`, by their ids, and `kernels`, by their names, say what
    they are marked with. What is called for something alone, as a part of a kernel is, has the marks of its calls."""
    target = engine.host()
    lowered = lower_program(program, target, marks=statements)
    own = {kernel_name(name): found for name, found in kernels.items()}
    modules = [_read(m.text, own) for m in lowered.modules]
    _spread([f for module in modules for f in module if isinstance(f, _Function)])
    sets: dict[frozenset[int], int] = {_NOTHING: 0}
    assembly: list[MarkedLine] = []
    for module, made in zip(modules, lowered.modules, strict=True):
        text = _with_locations(module, sets)
        found = list(sets)
        assembly += _located(engine.assembly(text, made.level, made.functions, target), found)
    return {"llvm": [line for module in modules for part in module for line in _lines(part)], "asm": assembly}


@dataclass(slots=True, eq=False)
class _Function:
    """A function's lines. `marks`: those of all lines without any."""

    name: str
    lines: list[MarkedLine]
    marks: frozenset[int]
    is_marked: bool
    """Whether its lines say for themselves what they were written for."""
    callees: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """Names in it, with the marks of the lines that have them."""


def _read(text: str, own: Mapping[str, frozenset[int]]) -> list[_Function | str]:
    """A module's functions, and the lines between them."""
    parts: list[_Function | str] = []
    function: _Function | None = None
    marks = _NOTHING
    for line in text.splitlines():
        if function is None:
            head = _DEFINE.match(line)
            if head is None:
                parts.append(line)
                continue
            name = head[1].strip('"')
            marks = own.get(name, _NOTHING)
            function = _Function(name, [(line, marks)], marks, bool(marks))
            parts.append(function)
        elif line.startswith(MARK):
            number = int(line.removeprefix(MARK))
            marks = frozenset((number,)) if number >= 0 else _NOTHING
            function.is_marked = True
        else:
            function.lines.append((line, marks))
            if line == "}":
                function = None
            else:
                for name in _NAMED.findall(line):
                    function.callees.setdefault(name.strip('"'), set()).update(marks)
    return parts


def _spread(functions: Iterable[_Function]) -> None:
    """Give what is not marked the marks of what calls it."""
    by_name = {f.name: f for f in functions}
    pending = list(by_name.values())
    while pending:
        caller = pending.pop()
        for name, marks in caller.callees.items():
            callee = by_name.get(name)
            if callee is None or callee.is_marked:
                continue
            found = callee.marks | (marks if caller.is_marked else caller.marks)
            if found != callee.marks:
                callee.marks = found
                pending.append(callee)


def _lines(part: _Function | str) -> Iterable[MarkedLine]:
    if isinstance(part, str):
        return [(part, _NOTHING)]
    return part.lines if part.is_marked else [(line, part.marks) for line, _ in part.lines]


def _with_locations(parts: Iterable[_Function | str], sets: dict[frozenset[int], int]) -> str:
    """The text of a module with the marks of its lines as debug locations, numbered as `sets` says, which grows."""
    lines: list[str] = []
    nodes: list[str] = []
    for part in parts:
        if isinstance(part, str):
            lines.append(part)
            continue
        scope = _FIRST + len(nodes)
        nodes.append(
            f'!{scope} = distinct !DISubprogram(name: "f{scope}", scope: !900002, file: !900002, line: 0, '
            "type: !900003, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !900001)"
        )
        known: dict[int, int] = {}
        for line, marks in _lines(part):
            if line.startswith("define "):
                lines.append(f"{line.removesuffix('{')}!dbg !{scope} {{")
            elif line.startswith("  "):
                place = sets.setdefault(marks, len(sets))
                if place not in known:
                    known[place] = _FIRST + len(nodes)
                    nodes.append(f"!{known[place]} = !DILocation(line: {place}, scope: !{scope})")
                lines.append(f"{line}, !dbg !{known[place]}")
            else:
                lines.append(line)
    return "\n".join([*lines, _HEADER, *nodes]) + "\n"


def _located(assembly: str, sets: list[frozenset[int]]) -> Iterable[MarkedLine]:
    """Lines of assembly, without what is for debuggers, with the marks of their locations."""
    marks = _NOTHING
    for line in assembly.splitlines():
        place = _LOC.match(line)
        if place is not None:
            marks = sets[int(place[1])]
        elif not _OF_DEBUGGING.match(line):
            if line[:1] not in ("", "\t", " ", ".", "#"):  # another function
                marks = _NOTHING
            yield line, marks
