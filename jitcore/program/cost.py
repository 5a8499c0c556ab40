"""What a call of a program costs, worked out without running it: by kernel, by place in the source, and in all.

The numbers of a call (extents, ints, floats) are followed through the program; what is in arrays is not known. A loop
that counts is counted once and taken as many times as it goes round; the rounds of others are followed. Where a number
that is not known decides (a branch, the rounds of a loop), the dearer branch counts, and one round: `Count.unknown`
says where that was.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.kernel.cost import Cost, cost_of, flops_of
from jitcore.kernel.nodes import launch_signature
from jitcore.kernel.scalar import OPS
from jitcore.program.nodes import (
    Alloc,
    Block,
    Call,
    Copy,
    Host,
    If,
    Imm,
    Launch,
    LoadElement,
    Move,
    Operand,
    Program,
    ReadWord,
    Reg,
    Scalar,
    Statement,
    StoreElement,
    Try,
    While,
)
from jitcore.source import NOWHERE, Span
from jitcore.structs import dataclass, field
from jitcore.types import DType, i64

Number: TypeAlias = "int | float | complex | None"
"""What is in a register; None: that is not known."""
_Registers: TypeAlias = "dict[Reg, Number]"

_OF_INTS: Mapping[str, Callable[..., int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "max": max, "min": min,
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip
"""What Python has for scalar operations on ints: much faster than their references."""
_MOST_STEPS: Final = 50_000
"""Statements that are followed; what loops do beyond is taken to be what they did before."""
_FEW_ROUNDS: Final = 3
"""Of a loop in which something is not known, those that are followed: the others are taken to be like them."""
_DEEPEST: Final = 50
"""Calls of functions of the program within one another that are followed."""


@dataclass(slots=True, eq=False)
class Entry:
    """What one place of a program does in a call: a kernel's launches, the numbers between kernels, calls into Python.
    `cost` is that of all `times` together; None where an extent is not known."""

    times: int = 0
    cost: Cost | None = field(default_factory=Cost)

    def add(self, times: int, cost: Cost | None) -> None:
        """So much more."""
        self.times += times
        self.cost = None if self.cost is None or cost is None else self.cost + cost


@dataclass(slots=True, eq=False)
class Count:
    """What a call of a program, or a part of one, costs."""

    kernels: dict[tuple[str, tuple[Span, ...]], Entry] = field(default_factory=dict[Any, Entry])
    """Launches, by kernel and by where what it computes stands."""
    numbers: dict[Span, Entry] = field(default_factory=dict[Span, Entry])
    """Arithmetic on numbers, elements read and written one by one, copies: by place."""
    hosts: dict[tuple[int, Span], Entry] = field(default_factory=dict[Any, Entry])
    """Calls into Python, by number and place."""
    allocations: int = 0
    """Those that are certain: lists that grow make more as it comes."""
    allocated: int = 0
    """Bytes, of those allocations whose size is known."""
    unknown: dict[Span, str] = field(default_factory=dict[Span, str])
    """Where something that is not known decides how much is done, and what."""

    @property
    def total(self) -> Cost:
        """The cost of everything of which it is known."""
        entries = (*self.kernels.values(), *self.numbers.values())
        return sum((e.cost for e in entries if e.cost is not None), Cost())

    @property
    def weight(self) -> int:
        """A number that tells which of two branches is dearer."""
        return sum((self.total.flops, self.total.read, self.total.written), sum(e.times for e in self.hosts.values()))

    def add(self, other: Count, times: int = 1) -> None:
        """Add what another one counts, so many times."""
        for mine, others in (
            (self.kernels, other.kernels), (self.numbers, other.numbers), (self.hosts, other.hosts)
        ):  # fmt: skip
            found: dict[Any, Entry] = mine
            for key, entry in others.items():
                cost = None if entry.cost is None else entry.cost * times
                found.setdefault(key, Entry()).add(entry.times * times, cost)
        self.allocations += other.allocations * times
        self.allocated += other.allocated * times
        self.unknown.update(other.unknown)


def count(program: Program, words: Sequence[int] | None = None) -> Count:
    """The cost of a call with these words of arguments (`program.nodes`), or of any."""
    counting = _Counting(program, words)
    counting.block(program.functions[program.entry].body, {}, NOWHERE)
    return counting.count


class _Counting:
    def __init__(self, program: Program, words: Sequence[int] | None) -> None:
        self.program = program
        self.words = words
        self.count = Count()
        self.steps = 0
        self.depth = 0

    def apart(self, run: Callable[[], Any]) -> tuple[Any, Count]:
        """What `run` gives, and what it counts, which is not added yet."""
        outer, self.count = self.count, Count()
        try:
            return run(), self.count
        finally:
            self.count = outer

    # --- values

    @staticmethod
    def value(operand: Operand, env: _Registers) -> Number:
        """What an operand is, if that is known."""
        return operand.value if isinstance(operand, Imm) else env.get(operand)

    def word(self, index: int, dtype: DType | None) -> Number:
        """A number that the call is given."""
        if self.words is None or dtype is None or dtype.kind == "c":
            return None
        bits = np.uint64(self.words[index])
        if dtype.kind == "b":
            return bool(bits)
        return (bits.view(np.float64) if dtype.kind == "f" else bits.view(np.int64)).item()

    # --- statements

    def block(self, block: Block, env: _Registers, around: Span) -> list[Number]:
        """Count a block; what it leaves behind."""
        spans = block.spans or (around,) * len(block.statements)
        for statement, span in zip(block.statements, spans, strict=True):
            self.steps += 1
            self.statement(statement, env, span)
        return [self.value(r, env) for r in block.results]

    def statement(self, s: Statement, env: _Registers, span: Span) -> None:
        """Count one statement."""
        match s:
            case Scalar():
                env[s.out] = self.scalar(s, env)
                if s.out.type is not None:
                    self.number(span, Cost(flops_of(s.op, s.out.type)))
            case ReadWord():
                env[s.out] = self.word(s.index, s.out.type)
            case LoadElement():
                self.number(span, Cost(read=s.out.type.itemsize if s.out.type else 0))
            case StoreElement():
                self.number(span, Cost(written=s.value.type.itemsize if s.value.type else 0))
            case Copy():
                size = self.value(s.bytes, env)
                self.number(span, Cost(0, int(size.real), int(size.real)) if size is not None else None)
            case Alloc():
                self.allocation(self.value(s.bytes, env))
            case Move():
                self.allocation(None)
            case Launch():
                self.launch(s, env)
            case Host():
                self.count.hosts.setdefault((s.index, span), Entry()).add(1, Cost())
            case If():
                self.branch(s, env, span)
            case While():
                self.loop(s, env, span)
            case Try():
                self.define(s.outs, self.block(s.body, env, span) if s.body.results or not s.outs else [], env)
            case Call():
                self.call(s, env, span)
            case _:
                pass

    @staticmethod
    def define(outs: Sequence[Reg], values: Sequence[Number], env: _Registers) -> None:
        """Give registers values; those beyond are not known."""
        env.update(zip_longest(outs, values[: len(outs)]))

    def scalar(self, s: Scalar, env: _Registers) -> Number:
        """The result of a scalar operation, if that is known."""
        args = [self.value(a, env) for a in s.args]
        if s.op == "select" and args[0] is not None:
            return args[1] if args[0] else args[2]
        if any(a is None for a in args) or s.out.type is None:
            return None
        plain = _OF_INTS.get(s.op)
        if plain is not None and all(type(a) is int for a in args):
            made = plain(*args)
            if type(made) is bool or (s.out.type is i64 and -(1 << 63) <= made < 1 << 63):
                return made
        arrays = [np.asarray(v, a.type.numpy if a.type else None) for v, a in zip(args, s.args, strict=True)]
        op = OPS[s.op]
        dtype = s.out.type.numpy
        made = op.reference(*arrays, dtype=dtype) if op.kind == "convert" else op.reference(*arrays)
        return np.asarray(made).astype(dtype).item()

    def number(self, span: Span, cost: Cost | None) -> None:
        """Note what is done between kernels."""
        if cost != Cost():
            self.count.numbers.setdefault(span, Entry()).add(1, cost)

    def allocation(self, size: Number) -> None:
        """Note a new block."""
        self.count.allocations += 1
        self.count.allocated += 0 if size is None else int(size.real)

    def launch(self, s: Launch, env: _Registers) -> None:
        """Note a launch."""
        kernel = self.program.kernels[s.kernel]
        buffers, params = launch_signature(kernel)
        values = zip(params, (self.value(a, env) for a in s.args[len(buffers) :]), strict=True)
        known = {p.name: int(v.real) for p, v in values if v is not None and p.dtype is i64}
        try:
            cost = cost_of(kernel, known)
        except KeyError:
            cost = None
        self.count.kernels.setdefault((s.kernel, s.spans), Entry()).add(1, cost)

    # --- control flow

    def branch(self, s: If, env: _Registers, span: Span) -> None:
        """Count the branch that is taken, or the dearer one."""
        condition = self.value(s.condition, env)
        if condition is not None:
            self.define(s.outs, self.block(s.then if condition else s.orelse, env, span), env)
            return
        branches = [self.apart(lambda b=b: self.block(b, dict(env), span)) for b in (s.then, s.orelse)]
        cheaper, dearer = sorted((made for _, made in branches), key=lambda made: (made.weight, -made.allocations))
        self.count.add(dearer)
        if cheaper.weight < dearer.weight:
            self.count.unknown.setdefault(span, "which branch is taken")
        (yes, _), (no, _) = branches
        self.define(s.outs, [a if a == b else None for a, b in zip(yes, no, strict=True)], env)

    def loop(self, s: While, env: _Registers, span: Span) -> None:
        """Count the rounds of a loop."""
        inits = [self.value(x, env) for x in s.inits]
        counted = self.rounds(s, inits, env)
        if counted is not None:
            rounds, last = counted
            same = zip(inits, s.carries, s.body.results, strict=True)
            kept = [init if before is after or not rounds else None for init, before, after in same]
            inside = dict(env)
            self.define(s.carries, kept, inside)
            _, made = self.apart(lambda: self.block(s.body, inside, span) if rounds else [])
            if not made.unknown and all(e.cost is not None for e in made.kernels.values()):
                self.count.add(made, rounds)
                self.define(s.outs, [last, *kept[1:]], env)
                return
        self.follow(s, env, span)

    def follow(self, s: While, env: _Registers, span: Span) -> None:
        """Count the rounds of a loop one after another."""
        carries = [self.value(x, env) for x in s.inits]
        followed = 0
        while True:
            inside = dict(env)
            self.define(s.carries, carries, inside)
            ((goes_on,), tested) = self.apart(lambda inside=inside: self.block(s.test, inside, span))
            if goes_on is not None and not goes_on:
                break
            carries, made = self.apart(lambda inside=inside: self.block(s.body, inside, span))
            self.count.add(tested)
            followed += 1
            counted = self.rounds(s, [inside[c] for c in s.carries], inside) if goes_on else None
            in_vain = bool(made.unknown) and followed > _FEW_ROUNDS and counted is not None
            if goes_on is None or self.steps > _MOST_STEPS or in_vain:
                self.count.add(made, 1 if counted is None else counted[0])
                if counted is None:
                    self.count.unknown.setdefault(span, "how often a loop goes round")
                carries = []
                break
            self.count.add(made)
        self.define(s.outs, carries, env)

    def rounds(self, s: While, carries: Sequence[Number], env: _Registers) -> tuple[int, int] | None:
        """How often a loop goes round whose first carry counts up to something, and what it is then; None if it is not
        of that kind, or not known."""
        if len(s.test.statements) != 1 or not s.carries:
            return None
        test, counter = s.test.statements[0], s.carries[0]
        step = next((x for x in s.body.statements if isinstance(x, Scalar) and x.out is s.body.results[0]), None)
        if not isinstance(test, Scalar) or test.op != "lt" or test.args[0] is not counter:
            return None
        if step is None or step.op != "add" or step.args[0] is not counter or not isinstance(step.args[1], Imm):
            return None
        first, end, by = carries[0], self.value(test.args[1], env), step.args[1].value
        if not isinstance(first, int) or not isinstance(end, int) or not isinstance(by, int) or by <= 0:
            return None
        rounds = max(-(-(end - first) // by), 0)
        return rounds, first + rounds * by

    def call(self, s: Call, env: _Registers, span: Span) -> None:
        """Count a call of a function of the program."""
        function = self.program.functions[s.function]
        if self.depth >= _DEEPEST or self.steps > _MOST_STEPS:
            self.count.unknown.setdefault(span, "how deep a function calls itself")
            self.define(s.outs, [], env)
            return
        self.depth += 1
        inside = dict(zip(function.params, (self.value(a, env) for a in s.args), strict=True))
        self.define(s.outs, self.block(function.body, inside, span), env)
        self.depth -= 1
