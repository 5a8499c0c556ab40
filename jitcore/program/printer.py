"""Programs as text: Python-like, one statement a line, structured as the nodes are.

    def fib(k: i64) -> (i64,):
        small: bool_ = lt(k, 2)
        if small:
            out: i64 = k
        else:
            …
            out: i64 = s
        return out

The parameters of a loop are assigned before it and all at once at the end of its body.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from jitcore.program import nodes as n
from jitcore.structs import dataclass
from jitcore.types import DType, bool_, f64, i64

_INDENT = "    "


ProgramLine: TypeAlias = "tuple[str, n.Statement | None]"
"""A line of a program's text, and the statement that it is of."""


def print_program(program: n.Program) -> str:
    """The whole program, its entry first."""
    return "\n".join(text for text, _ in program_lines(program))


def program_lines(program: n.Program) -> list[ProgramLine]:
    """The lines of a program's text."""
    head = f"# program {program.name}: {program.in_words} words in, {program.out_words} words out"
    head += "" if program.memory == n.HOST else f", in the memory {program.memory}"
    tables = [f"# constant {i}: {c.dtype}{list(c.shape)}" for i, c in enumerate(program.constants)]
    tables += [f"# host {i}: {h.function!r}" for i, h in enumerate(program.host_calls)]
    lines: list[ProgramLine] = [(text, None) for text in (head, *tables)]
    for name in sorted(program.functions, key=lambda name: name != program.entry):
        lines += [("", None), *_function_lines(program.functions[name], program, {})]
    return [*lines, ("", None)]


def print_function(
    function: n.Function, program: n.Program | None = None, notes: Mapping[int, Sequence[str]] | None = None
) -> str:
    """One function. `notes` are printed beneath the statements whose `id` they are given under."""
    return "\n".join([*(text for text, _ in _function_lines(function, program, notes or {})), ""])


def _function_lines(
    function: n.Function, program: n.Program | None, notes: Mapping[int, Sequence[str]]
) -> list[ProgramLine]:
    params = ", ".join(map(_declared, function.params))
    results = "".join(f"{_type(o.type)}, " for o in function.body.results).strip()
    printer = _Printer(program, notes, [(f"def {function.name}({params}) -> ({results}):", None)])
    printer.run(function)
    return printer.lines


def print_operand(operand: n.Operand) -> str:
    """A register's name, or a constant: bare if Python's own literal says all (i64, f64, bool_)."""
    if isinstance(operand, n.Reg):
        return operand.name
    if operand.type is None:
        return "null"
    literal = repr(operand.value)
    if operand.type in (i64, f64, bool_) and _is_finite(operand.value):
        return literal
    return f"{operand.type.name}({literal})"


def _is_finite(value: bool | int | float | complex) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _type(type_: DType | None) -> str:
    return "ptr" if type_ is None else type_.name


def _declared(register: n.Reg) -> str:
    return f"{register.name}: {_type(register.type)}"


def _list(operands: Sequence[n.Operand]) -> str:
    return ", ".join(map(print_operand, operands))


def _arguments(operands: Sequence[n.Operand]) -> str:
    return "".join(f", {print_operand(o)}" for o in operands)


def _assign(outs: Sequence[n.Reg], text: str, comment: str = "") -> str:
    """An assignment with types: as an annotation, or in a comment where Python allows none."""
    if len(outs) == 1:
        return f"{_declared(outs[0])} = {text}{comment}"
    if not outs:
        return text + comment
    types = ", ".join(_type(o.type) for o in outs)
    return f"{', '.join(o.name for o in outs)} = {text}  # {types}{comment.replace('  #', ';', 1)}"


_Steps: TypeAlias = "Iterator[tuple[n.Block, int]]"
"""Prints up to a nested block, yields it and its depth, and goes on when it has been printed."""


@dataclass(slots=True)
class _Printer:
    program: n.Program | None
    notes: Mapping[int, Sequence[str]]
    lines: list[ProgramLine]
    statement: n.Statement | None = None

    def run(self, function: n.Function) -> None:
        pending: list[_Steps] = [self._block(function.body, 1)]
        while pending:
            nested = next(pending[-1], None)
            if nested is None:
                pending.pop()
            else:
                pending.append(self._block(*nested))
        self._line(1, f"return {_list(function.body.results)}".rstrip())

    def _line(self, depth: int, text: str) -> None:
        self.lines.append((_INDENT * depth + text, self.statement))

    def _block(self, block: n.Block, depth: int) -> _Steps:
        around = self.statement
        for statement in block.statements:
            self.statement = statement
            match statement:
                case n.If():
                    yield from self._if(statement, depth)
                case n.While():
                    yield from self._while(statement, depth)
                case n.Parallel(index, count, body, site):
                    self._line(
                        depth, f"for {index.name} in parallel({print_operand(count)}):  # interrupted: site {site}"
                    )
                    self._note(statement, depth)
                    yield body, depth + 1
                    if not body.statements:
                        self._line(depth + 1, "pass")
                case n.Try():
                    yield from self._try(statement, depth)
                case _:
                    self._line(depth, self._simple(statement))
                    self._note(statement, depth)
        self.statement = around

    def _note(self, statement: n.Statement, depth: int) -> None:
        for note in self.notes.get(id(statement), ()):
            self._line(depth, f"# ^^^ {note}")

    def _if(self, s: n.If, depth: int) -> _Steps:
        self._line(depth, f"if {print_operand(s.condition)}:")
        self._note(s, depth)
        for index, block in enumerate((s.then, s.orelse)):
            if index == 1:
                if not block.statements and not block.results:
                    return
                self._line(depth, "else:")
            yield block, depth + 1
            if s.outs or block.results:
                self._line(depth + 1, _assign(s.outs, _list(block.results)))
            elif not block.statements:
                self._line(depth + 1, "pass")

    def _while(self, s: n.While, depth: int) -> _Steps:
        if s.carries:
            self._line(depth, _assign(s.carries, _list(s.inits)))
        self._line(depth, "while True:")
        self._note(s, depth)
        yield s.test, depth + 1
        self._line(depth + 1, f"if not {_list(s.test.results)}: break")
        yield s.body, depth + 1
        if s.carries:
            self._line(depth + 1, f"{', '.join(c.name for c in s.carries)} = {_list(s.body.results)}")
        if s.outs:
            self._line(depth, _assign(s.outs, ", ".join(c.name for c in s.carries)))

    def _try(self, s: n.Try, depth: int) -> _Steps:
        kept = f"  # keeps {_list(s.stacks)}" if s.stacks else ""
        self._line(depth, f"try:{kept}")
        self._note(s, depth)
        for k, block in enumerate((s.body, *s.handlers)):
            if k:
                names = ", ".join(c if isinstance(c, str) else c.__name__ for c in s.catches[k - 1])
                self._line(depth, f"except ({names},):")
            yield block, depth + 1
            if s.outs and block.results:
                self._line(depth + 1, _assign(s.outs, _list(block.results)))
            elif not block.statements:
                self._line(depth + 1, "pass")

    def _site(self, index: int) -> str:
        """What a site raises, as a comment."""
        if self.program is None or not 0 <= index < len(self.program.sites):
            return ""
        site = self.program.sites[index]
        return f"  # {site.exception}: {site.message} ({site.span.file}:{site.span.line})".replace("\n", " ")

    def _simple(self, statement: n.Statement) -> str:
        match statement:
            case n.Scalar(out, op, args):
                return f"{_declared(out)} = {op}({_list(args)})"
            case n.Offset(out, base, distance):
                return f"{_declared(out)} = {print_operand(base)} + {print_operand(distance)}"
            case n.LoadElement(out, address):
                return f"{_declared(out)} = load({print_operand(address)})"
            case n.StoreElement(address, value):
                return f"store({print_operand(address)}, {print_operand(value)})"
            case n.ReadWord(out, index):
                return f"{_declared(out)} = in_words[{index}]"
            case n.WriteWord(index, value):
                return f"out_words[{index}] = {print_operand(value)}"
            case n.Alloc(owner, size, zeroed, memory):
                elsewhere = "" if memory == n.HOST else f", {memory}"
                return (
                    f"{_declared(owner)} = alloc({print_operand(size)}{', zeroed=True' if zeroed else ''}{elsewhere})"
                )
            case n.Move(owner, rows, size, source, kept, old):
                return f"{_declared(owner)} = move({_list((rows, size, source, kept, old))})"
            case n.Retain(owner):
                return f"retain({print_operand(owner)})"
            case n.Release(owner):
                return f"release({print_operand(owner)})"
            case n.IsUnique(out, owner):
                return f"{_declared(out)} = is_unique({print_operand(owner)})"
            case n.Constant(out, index):
                return f"{_declared(out)} = constant({index})"
            case n.Launch(kernel, args, site):
                return f"launch({kernel}{_arguments(args)})  # interrupted: site {site}"
            case n.Copy(target, source, size):
                return f"copy({_list((target, source, size))})"
            case n.Check(ok, site, values):
                return f"check({print_operand(ok)}, {site}{_arguments(values)}){self._site(site)}"
            case n.Call(function, args, outs, site):
                return _assign(outs, f"{function}({_list(args)})", f"  # too deep: site {site}")
            case _:
                return self._rare(statement)

    def _rare(self, statement: n.Statement) -> str:
        match statement:
            case n.BlockData(out, owner):
                return f"{_declared(out)} = block_data({print_operand(owner)})"
            case n.Mirror(owner, source, held, size):
                return f"{_declared(owner)} = mirror({_list((source, held, size))})"
            case n.Fetch(found, held, data):
                return _assign((found, held), f"fetch({print_operand(data)})")
            case n.Transfer():
                s, sides = statement, ("host", "memory") if statement.inwards else ("memory", "host")
                source, target = (
                    f"{side} {print_operand(data)}[{_list(strides)}]"
                    for side, data, strides in zip(
                        sides, (s.source, s.target), (s.source_strides, s.target_strides), strict=True
                    )
                )
                return f"transfer({source} -> {target}, shape=({_list(s.shape)}), size={s.size})"
            case n.StackNew(out, capacity):
                return f"{_declared(out)} = stack_new({print_operand(capacity)})"
            case n.StackPush(stack, values):
                return f"stack_push({_list((stack, *values))})"
            case n.StackPop(stack, outs):
                return _assign(outs, f"stack_pop({print_operand(stack)})")
            case n.StackFree(stack):
                return f"stack_free({print_operand(stack)})"
            case n.Host(index, args, outs, site):
                return _assign(outs, f"host({index}{_arguments(args)})", self._site(site))
            case n.Library(out, function, args):
                return _assign((out,), f"{function}({', '.join(map(print_operand, args))})")
            case n.Poll(site):
                return f"poll({site})"
            case n.Commit():
                return "commit()"
            case n.Park():
                return "park()"
            case n.Unpark(level, keep):
                return f"unpark({level}{', keep' if keep else ''})"
            case n.DropParked(level):
                return f"drop_parked({level})"
            case n.Rethrow(level, site):
                return _assign((), f"rethrow({level})", "" if site is None else self._site(site))
            case _:
                raise TypeError(f"not a statement: {statement!r}")
