"""Writes programs by hand, for tests: each method adds a statement and gives the register it sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from jitcore.program import nodes as n
from jitcore.source import NOWHERE
from jitcore.types import DType, bool_, f64, i64

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
