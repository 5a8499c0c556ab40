"""A writer of LLVM functions in structured form: typed values with operators, mutable locals, loops and branches.

    f = Code("sum", [("ptr", "p"), ("i64", "n")], "i64")
    total = f.var(0)
    with f.loop(f.arg("n")) as i:
        total.set(total.get() + f.load("i64", f.at(f.arg("p"), i, "i64")))
    f.ret(total.get())

Locals are stack slots, which the optimiser turns into registers; the code is to be compiled at `engine.LOCALS`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias, Union

Operand: TypeAlias = Union["Value", int]

RARE: Final = "nounwind noinline optnone"
"""The attributes of a function that runs seldom beside what it calls: LLVM takes a third of the time over it."""


class Value:
    """An SSA value. Arithmetic is of i64 (signed), `&` and `|` of any integers."""

    __slots__ = ("code", "name", "type")

    def __init__(self, code: Code, type_: str, name: str) -> None:
        self.code = code
        self.type = type_
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def _binary(self, op: str, other: Operand) -> Value:
        return self.code.op(self.type, f"{op} {self.type} {self}, {other}")

    def __add__(self, other: Operand) -> Value:
        return self if isinstance(other, int) and other == 0 else self._binary("add nsw", other)

    def __radd__(self, other: int) -> Value:
        return self + other

    def __rsub__(self, other: int) -> Value:
        return self.code.op(self.type, f"sub nsw {self.type} {other}, {self}")

    def __sub__(self, other: Operand) -> Value:
        return self if isinstance(other, int) and other == 0 else self._binary("sub nsw", other)

    def __mul__(self, other: Operand) -> Value:
        return self if isinstance(other, int) and other == 1 else self._binary("mul nsw", other)

    def __rmul__(self, other: int) -> Value:
        return self * other

    def __floordiv__(self, other: Operand) -> Value:
        """Of non-negative numbers."""
        return self if isinstance(other, int) and other == 1 else self._binary("udiv", other)

    def __mod__(self, other: Operand) -> Value:
        """Of non-negative numbers."""
        return self._binary("urem", other)

    def __and__(self, other: Operand) -> Value:
        return self._binary("and", other)

    def __or__(self, other: Operand) -> Value:
        return self._binary("or", other)

    def _compare(self, predicate: str, other: Operand | str) -> Value:
        return self.code.op("i1", f"icmp {predicate} {self.type} {self}, {other}")

    def __lt__(self, other: Operand) -> Value:
        return self._compare("slt", other)

    def __le__(self, other: Operand) -> Value:
        return self._compare("sle", other)

    def __gt__(self, other: Operand) -> Value:
        return self._compare("sgt", other)

    def __ge__(self, other: Operand) -> Value:
        return self._compare("sge", other)

    def equals(self, other: Operand | str) -> Value:
        return self._compare("eq", other)

    def differs(self, other: Operand | str) -> Value:
        return self._compare("ne", other)

    def min(self, other: Operand) -> Value:
        return self.code.op("i64", f"call i64 @llvm.smin.i64(i64 {self}, i64 {other})")

    def max(self, other: Operand) -> Value:
        return self.code.op("i64", f"call i64 @llvm.smax.i64(i64 {self}, i64 {other})")

    def ceil_div(self, divisor: Operand) -> Value:
        """Of non-negative numbers, rounded up."""
        return (self + divisor + (-1)) // divisor


class Local:
    """A mutable local variable."""

    __slots__ = ("_code", "_slot", "type")

    def __init__(self, code: Code, type_: str, slot: str) -> None:
        self._code = code
        self.type = type_
        self._slot = slot

    def get(self) -> Value:
        return self._code.op(self.type, f"load {self.type}, ptr {self._slot}")

    def set(self, value: Operand | str) -> None:
        self._code.do(f"store {self.type} {value}, ptr {self._slot}")


class Code:
    """One function under construction."""

    def __init__(
        self,
        name: str,
        params: Sequence[tuple[str, str]],
        result: str = "void",
        linkage: str = "internal",
        attributes: str = "nounwind",
    ) -> None:
        self.name = name
        self._params = {p: Value(self, t, f"%{p}") for t, p in params}
        self._head = f"define {linkage} {result} @{name}({', '.join(f'{t} %{p}' for t, p in params)}) {attributes} {{"
        self._result = result
        self._slots: list[str] = []
        self._lines: list[str] = []
        self._count = 0

    # --- the pieces ---

    def _fresh(self) -> int:
        self._count += 1
        return self._count

    def do(self, text: str) -> None:
        """An instruction without a result."""
        self._lines.append(f"  {text}")

    def op(self, type_: str, text: str) -> Value:
        """An instruction with a result of `type_`."""
        value = Value(self, type_, f"%v{self._fresh()}")
        self.do(f"{value} = {text}")
        return value

    def arg(self, name: str) -> Value:
        """A parameter."""
        return self._params[name]

    def constant(self, value: int) -> Value:
        return Value(self, "i64", str(value))

    def value(self, type_: str, text: str) -> Value:
        """A constant expression or a global."""
        return Value(self, type_, text)

    def slot(self, type_: str, count: int = 1, align: int = 8) -> Value:
        """Memory of this activation."""
        name = f"%s{self._fresh()}"
        self._slots.append(f"  {name} = alloca {type_}, i64 {count}, align {align}")
        return Value(self, "ptr", name)

    def var(self, init: Operand | str, type_: str = "i64") -> Local:
        """A mutable local."""
        local = Local(self, type_, self.slot(type_, align=_alignment(type_)).name)
        local.set(init)
        return local

    # --- memory ---

    def at(self, pointer: Value, index: Operand, type_: str) -> Value:
        """&((type*) pointer)[index]"""
        if isinstance(index, int) and index == 0:
            return pointer
        return self.op("ptr", f"getelementptr {type_}, ptr {pointer}, i64 {index}")

    def load(self, type_: str, pointer: Value, align: int | None = None) -> Value:
        return self.op(type_, f"load {type_}, ptr {pointer}" + (f", align {align}" if align else ""))

    def store(self, value: Value | int, pointer: Value, type_: str = "i64", align: int | None = None) -> None:
        kind = value.type if isinstance(value, Value) else type_
        self.do(f"store {kind} {value}, ptr {pointer}" + (f", align {align}" if align else ""))

    def word(self, pointer: Value, index: Operand, type_: str = "i64") -> Value:
        """The index-th 8-byte word behind a pointer."""
        return self.load(type_, self.at(pointer, index, "i64"))

    def set_word(self, pointer: Value, index: Operand, value: Value | int) -> None:
        self.store(value, self.at(pointer, index, "i64"))

    # --- expressions ---

    def select(self, condition: Value, yes: Operand, no: Operand, type_: str = "i64") -> Value:
        return self.op(type_, f"select i1 {condition}, {type_} {yes}, {type_} {no}")

    def select_pointer(self, condition: Value, yes: Value, no: Value) -> Value:
        return self.op("ptr", f"select i1 {condition}, ptr {yes}, ptr {no}")

    def call(self, result: str, function: str | Value, *args: Value | int) -> Value:
        """A call; ints are passed as i64."""
        listed = ", ".join(f"{a.type if isinstance(a, Value) else 'i64'} {a}" for a in args)
        callee = function.name if isinstance(function, Value) else f"@{function}"
        if result == "void":
            self.do(f"call void {callee}({listed})")
            return Value(self, "void", "void")
        return self.op(result, f"call {result} {callee}({listed})")

    def splat(self, scalar: Operand, lanes: int, type_: str) -> Value:
        """A vector of equal lanes."""
        vector = f"<{lanes} x {type_}>"
        first = self.op(vector, f"insertelement {vector} poison, {type_} {scalar}, i64 0")
        return self.op(vector, f"shufflevector {vector} {first}, {vector} poison, <{lanes} x i32> zeroinitializer")

    # --- control flow ---

    def _jump(self, label: str) -> None:
        self.do(f"br label %{label}")

    def _label(self, label: str) -> None:
        self._lines.append(f"{label}:")

    @contextmanager
    def loop(self, end: Operand, start: Operand = 0, step: Operand = 1) -> Generator[Value]:
        """for i in range(start, end, step)"""
        index = self.var(start)
        with self.while_(lambda: index.get() < end):
            i = index.get()
            yield i
            index.set(i + step)

    @contextmanager
    def while_(self, condition: Callable[[], Value]) -> Generator[None]:
        """A loop with its test at the end, and once before it: as LLVM would have it."""
        n = self._fresh()
        self.do(f"br i1 {condition()}, label %body{n}, label %done{n}")
        self._label(f"body{n}")
        yield
        self.do(f"br i1 {condition()}, label %body{n}, label %done{n}")
        self._label(f"done{n}")

    @contextmanager
    def if_(self, condition: Value) -> Generator[None]:
        n = self._fresh()
        self.do(f"br i1 {condition}, label %then{n}, label %done{n}")
        self._label(f"then{n}")
        yield
        self._jump(f"done{n}")
        self._label(f"done{n}")

    def if_else(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        n = self._fresh()
        self.do(f"br i1 {condition}, label %then{n}, label %else{n}")
        self._label(f"then{n}")
        then()
        self._jump(f"done{n}")
        self._label(f"else{n}")
        otherwise()
        self._jump(f"done{n}")
        self._label(f"done{n}")

    def switch(self, selector: Value, cases: Sequence[Callable[[], None]]) -> None:
        """Runs cases[selector]; the last case also serves larger selectors."""
        n = self._fresh()
        last = len(cases) - 1
        table = " ".join(f"i64 {i}, label %case{n}_{i}" for i in range(last))
        self.do(f"switch i64 {selector}, label %case{n}_{last} [{table}]")
        for i, case in enumerate(cases):
            self._label(f"case{n}_{i}")
            case()
            self._jump(f"done{n}")
        self._label(f"done{n}")

    def ret(self, value: Operand | None = None) -> None:
        self.do("ret void" if value is None else f"ret {self._result} {value}")

    def text(self) -> str:
        """The definition."""
        return "\n".join([self._head, "entry:", *self._slots, *self._lines, "}", ""])


def _alignment(type_: str) -> int:
    """Enough for any scalar or vector up to 64 bytes."""
    return 64 if type_.startswith("<") else 8
