"""Programs written by hand, for tests: each method of `Writer` adds a statement and gives the register it sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from jitcore.backends.cpu import BACKEND
from jitcore.backends.protocol import LoadedProgram, Words
from jitcore.program import nodes as n
from jitcore.program.verify import verify_program
from jitcore.source import NOWHERE
from jitcore.types import DType, bool_, c128, f64, i64

Number = bool | int | float | complex


def imm(value: Number | n.Operand, dtype: DType | None = None) -> n.Operand:
    """A constant operand: i64, f64 or bool_ unless said otherwise."""
    if isinstance(value, n.Reg | n.Imm):
        return value
    if dtype is None:
        dtype = bool_ if isinstance(value, bool) else f64 if isinstance(value, float) else i64
    return n.Imm(value, dtype)


NULL = n.Imm(0, None)


class Writer:
    """Writes the statements of one function."""

    def __init__(self) -> None:
        self.statements: list[n.Statement] = []
        self._count = 0

    def reg(self, dtype: DType | None, hint: str = "r") -> n.Reg:
        self._count += 1
        return n.Reg(f"{hint}{self._count}", dtype)

    def add(self, statement: n.Statement) -> None:
        self.statements.append(statement)

    @contextmanager
    def nested(self) -> Iterator[list[n.Statement]]:
        """What is written inside goes into the list."""
        outer, self.statements = self.statements, []
        yield self.statements
        self.statements = outer

    def __call__(self, op: str, dtype: DType, *args: Number | n.Operand) -> n.Reg:
        out = self.reg(dtype)
        self.add(n.Scalar(out, op, tuple(imm(a) for a in args)))
        return out

    def read(self, index: int, dtype: DType | None = i64) -> n.Reg:
        out = self.reg(dtype, "in_")
        self.add(n.ReadWord(out, index))
        return out

    def write(self, index: int, value: Number | n.Operand) -> None:
        self.add(n.WriteWord(index, imm(value)))

    def check(self, ok: n.Operand, site: int, *values: n.Operand) -> None:
        self.add(n.Check(ok, site, values))

    def alloc(self, size: int | n.Operand, zeroed: bool = False) -> tuple[n.Reg, n.Reg]:
        """The owner and the address of the data."""
        owner = self.reg(None, "owner")
        self.add(n.Alloc(owner, imm(size), zeroed))
        return owner, self.offset(owner, 64)

    def offset(self, base: n.Operand, distance: int | n.Operand) -> n.Reg:
        out = self.reg(None, "p")
        self.add(n.Offset(out, base, imm(distance)))
        return out

    def load(self, address: n.Operand, dtype: DType | None) -> n.Reg:
        out = self.reg(dtype)
        self.add(n.LoadElement(out, address))
        return out

    def store(self, address: n.Operand, value: Number | n.Operand) -> None:
        self.add(n.StoreElement(address, imm(value)))

    def call(self, function: str, args: Sequence[n.Operand], types: Sequence[DType | None], site: int) -> list[n.Reg]:
        outs = [self.reg(t) for t in types]
        self.add(n.Call(function, tuple(args), tuple(outs), site))
        return outs

    def if_(
        self,
        condition: n.Operand,
        then: Callable[[], Sequence[n.Operand]],
        orelse: Callable[[], Sequence[n.Operand]] = tuple,
    ) -> list[n.Reg]:
        with self.nested() as yes:
            a = tuple(then())
        with self.nested() as no:
            b = tuple(orelse())
        outs = [self.reg(o.type) for o in a]
        self.add(n.If(condition, n.Block(tuple(yes), a), n.Block(tuple(no), b), tuple(outs)))
        return outs

    def while_(
        self,
        inits: Sequence[Number | n.Operand],
        test: Callable[..., n.Operand],
        body: Callable[..., Sequence[n.Operand]],
    ) -> list[n.Reg]:
        starts = [imm(i) for i in inits]
        carries, outs = ([self.reg(i.type, "c") for i in starts] for _ in range(2))
        with self.nested() as tests:
            going = test(*carries)
        with self.nested() as statements:
            nexts = tuple(imm(x) for x in body(*carries))
        self.add(
            n.While(
                tuple(carries),
                tuple(starts),
                n.Block(tuple(tests), (going,)),
                n.Block(tuple(statements), nexts),
                tuple(outs),
            )
        )
        return outs

    def range_(
        self, count: int | n.Operand, inits: Sequence[Number | n.Operand], body: Callable[..., Sequence[n.Operand]]
    ) -> list[n.Reg]:
        """`for i in range(count)`; body(i, carries…) gives the next carries."""

        def step(i: n.Reg, *rest: n.Reg) -> list[n.Operand]:
            nexts = list(body(i, *rest))
            return [self("add", i64, i, 1), *nexts]

        return self.while_([0, *inits], lambda i, *_: self("lt", bool_, i, imm(count)), step)[1:]

    def function(self, name: str, params: Sequence[n.Reg] = (), results: Sequence[n.Operand] = ()) -> n.Function:
        return n.Function(name, tuple(params), n.Block(tuple(self.statements), tuple(results)))


def site(exception: str = "ValueError", message: str = "") -> n.ErrorSite:
    return n.ErrorSite(exception, message, NOWHERE)


def make(
    entry: Writer, in_words: int, out_words: int, *functions: n.Function, sites: Sequence[n.ErrorSite] = (), **rest: Any
) -> n.Program:
    """A program whose entry is what `entry` wrote."""
    main = entry.function("main")
    named = {f.name: f for f in (main, *functions)}
    return n.Program("test", named, "main", rest.pop("kernels", {}), in_words, out_words, tuple(sites), **rest)


def load(program: n.Program) -> LoadedProgram:
    verify_program(program)
    return BACKEND.load(program)


def run(program: n.Program, *args: Any) -> Any:
    """Run a program on numbers: its words as unsigned ints."""
    return load(program).run(to_words(args)).tolist()


def as_floats(words: Sequence[int]) -> list[float]:
    return np.array(words, np.uint64).view(np.float64).tolist()


def signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def fibonacci() -> n.Program:
    k = n.Reg("k", i64)
    f = Writer()

    def recurse() -> list[n.Operand]:
        parts = [f.call("fib", [f("sub", i64, k, d)], [i64], 0)[0] for d in (1, 2)]
        return [f("add", i64, *parts)]

    results = f.if_(f("lt", bool_, k, 2), lambda: [k], recurse)
    w = Writer()
    (value,) = w.call("fib", [w.read(0)], [i64], 0)
    w.write(0, value)
    return make(w, 1, 1, f.function("fib", [k], results), sites=[site("RecursionError")])


def push_and_pop(capacity: int) -> n.Program:
    """Push i, i/2, i > 10 and i*1j for i < in[0], then pop them all and check them; blocks are pushed, too."""
    w = Writer()
    count = w.read(0)
    stack = w.reg(None, "stack")
    w.add(n.StackNew(stack, imm(capacity)))

    def push(i: n.Reg) -> list[n.Operand]:
        x = w("cast", f64, i)
        owner, data = w.alloc(8)
        w.store(data, i)
        values = (i, w("div", f64, x, 2.0), w("gt", bool_, i, 10), w("complex", c128, imm(0.0), x), owner)
        w.add(n.StackPush(stack, values))
        return []

    w.range_(count, [], push)

    def pop(k: n.Reg, total: n.Reg) -> list[n.Operand]:
        i = w("sub", i64, w("sub", i64, count, k), 1)
        outs = [w.reg(t) for t in (i64, f64, bool_, c128, None)]
        w.add(n.StackPop(stack, tuple(outs)))
        popped, half, big, turned, owner = outs
        x = w("cast", f64, i)
        w.check(w("eq", bool_, popped, i), 0, popped, i)
        w.check(w("eq", bool_, w("mul", f64, half, 2.0), x), 1)
        w.check(w("eq", bool_, big, w("gt", bool_, i, 10)), 2)
        w.check(w("eq", bool_, w("imag", f64, turned), x), 3)
        w.check(w("eq", bool_, w.load(w.offset(owner, 64), i64), i), 4)
        w.add(n.Release(owner))
        return [w("add", i64, total, popped)]

    (total,) = w.range_(count, [0], pop)
    w.add(n.StackFree(stack))
    w.write(0, total)
    return make(w, 1, 1, sites=[site("V", str(k)) for k in range(5)])


def to_words(values: Sequence[bool | int | float | complex]) -> Words:
    """Numbers as words: a bool or int fills one, a float too (its bits), a complex two."""
    words: list[int] = []
    for value in values:
        if isinstance(value, float | complex):
            words += np.array([value]).view(np.uint64).tolist()
        else:
            words.append(int(value) & (1 << 64) - 1)
    return np.array(words, np.uint64)
