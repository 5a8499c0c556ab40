"""A writer of LLVM functions in SSA form: scalars and vectors of any width as values with operators, loops, branches.

    code = Code(module, target)
    x = Vec(code, "%x", "float", 8)
    y = code.fma(x, x, 1.0)                       # x*x + 1, fused where the target can

The text is meant to be good as it stands: no pass is needed to put variables into registers.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Final, TypeAlias

import llvmlite.binding as llvm

from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule, literal
from jitcore.source import InternalError
from jitcore.types import bool_, f16, f32, f64, i8, i16, i32, i64

_DTYPE_OF: Final = {"i1": bool_, "i8": i8, "i16": i16, "i32": i32, "i64": i64, "half": f16, "float": f32, "double": f64}
BITS: Final = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "half": 16, "float": 32, "double": 64, "ptr": 64}
FLOATS: Final = ("half", "float", "double")
_SUFFIX: Final = {"half": "f16", "float": "f32", "double": "f64", "ptr": "p0"}
_SPLAT_SYNTAX: Final = llvm.llvm_version_info[0] >= 20
_ALWAYS_THE_SAME: Final = frozenset(
    [
        "add",
        "sub",
        "mul",
        "udiv",
        "urem",
        "and",
        "or",
        "xor",
        "shl",
        "lshr",
        "ashr",
        "fadd",
        "fsub",
        "fmul",
        "fdiv",
        "fneg",
        "icmp",
        "fcmp",
        "select",
        "getelementptr",
        "insertelement",
        "extractelement",
        "shufflevector",
        "extractvalue",
        "trunc",
        "zext",
        "sext",
        "fptrunc",
        "fpext",
        "sitofp",
        "uitofp",
        "bitcast",
        "inttoptr",
        "ptrtoint",
    ]
)
"""Instructions that give the same for the same operands, wherever they stand."""

Number: TypeAlias = "int | float"
Index: TypeAlias = "int | Vec"
"""An i64 scalar; a number where it is known."""


@cache
def vector_type(type_: str, lanes: int) -> str:
    """`<8 x float>`; one lane is a scalar."""
    return type_ if lanes == 1 else f"<{lanes} x {type_}>"


def constant_text(type_: str, lanes: int, value: bool | Number) -> str:
    """A number in every lane, without its type."""
    one = literal(_DTYPE_OF[type_], value)
    if lanes == 1:
        return one
    if _SPLAT_SYNTAX:
        return f"splat ({type_} {one})"
    return "<" + ", ".join([f"{type_} {one}"] * lanes) + ">"


def intrinsic_suffix(type_: str, lanes: int) -> str:
    """How an overloaded intrinsic's name ends: `v8f32`."""
    return ("" if lanes == 1 else f"v{lanes}") + _SUFFIX.get(type_, type_)


class Vec:
    """An SSA value or a constant: `lanes` elements of an LLVM scalar type. Numbers among operands are splat."""

    __slots__ = ("code", "lanes", "text", "type")

    def __init__(self, code: Code, text: str, type_: str, lanes: int = 1) -> None:
        self.code = code
        self.text = text
        self.type = type_
        self.lanes = lanes

    def __repr__(self) -> str:
        return self.text

    @property
    def full_type(self) -> str:
        """The LLVM type."""
        return vector_type(self.type, self.lanes)

    @property
    def typed(self) -> str:
        """Type and name, as an argument is written."""
        return f"{vector_type(self.type, self.lanes)} {self.text}"

    @property
    def is_float(self) -> bool:
        return self.type in FLOATS

    def like(self, value: Vec | Number | bool) -> Vec:
        """`value` in every lane, of this value's type."""
        if isinstance(value, Vec):
            return value
        return Vec(self.code, constant_text(self.type, self.lanes, value), self.type, self.lanes)

    def _binary(self, op: str, other: Vec | Number | bool, swapped: bool = False) -> Vec:
        right = other.text if isinstance(other, Vec) else constant_text(self.type, self.lanes, other)
        a, b = (right, self.text) if swapped else (self.text, right)
        return self.code.emit(self.type, self.lanes, f"{op} {self.full_type} {a}, {b}")

    def _arithmetic(self, op: str, other: Vec | Number, swapped: bool = False) -> Vec:
        return self._binary("f" + op if self.is_float else op, other, swapped)

    def __add__(self, other: Vec | Number) -> Vec:
        return self._arithmetic("add", other)

    def __radd__(self, other: Number) -> Vec:
        return self._arithmetic("add", other)

    def __sub__(self, other: Vec | Number) -> Vec:
        return self._arithmetic("sub", other)

    def __rsub__(self, other: Number) -> Vec:
        return self._arithmetic("sub", other, swapped=True)

    def __mul__(self, other: Vec | Number) -> Vec:
        return self._arithmetic("mul", other)

    def __rmul__(self, other: Number) -> Vec:
        return self._arithmetic("mul", other)

    def __truediv__(self, other: Vec | Number) -> Vec:
        return self._binary("fdiv", other)

    def __rtruediv__(self, other: Number) -> Vec:
        return self._binary("fdiv", other, swapped=True)

    def __neg__(self) -> Vec:
        if self.is_float:
            return self.code.emit(self.type, self.lanes, f"fneg {self.typed}")
        return 0 - self

    def __and__(self, other: Vec | int) -> Vec:
        return self._binary("and", other)

    def __or__(self, other: Vec | int) -> Vec:
        return self._binary("or", other)

    def __xor__(self, other: Vec | int) -> Vec:
        return self._binary("xor", other)

    def __invert__(self) -> Vec:
        return self._binary("xor", self.type == "i1" or -1)

    def op(self, op: str, other: Vec | Number) -> Vec:
        """Any other binary instruction."""
        return self._binary(op, other)

    def shl(self, other: Vec | int) -> Vec:
        return self._binary("shl", other)

    def sar(self, other: Vec | int) -> Vec:
        """Shift right, keeping the sign."""
        return self._binary("ashr", other)

    def shr(self, other: Vec | int) -> Vec:
        """Shift right, filling with zeros."""
        return self._binary("lshr", other)

    def compare(self, predicate: str, other: Vec | Number) -> Vec:
        """`fcmp` or `icmp` with an LLVM predicate."""
        other = self.like(other)
        op = "fcmp" if self.is_float else "icmp"
        return self.code.emit("i1", self.lanes, f"{op} {predicate} {self.typed}, {other.text}")

    def lt(self, other: Vec | Number) -> Vec:
        return self.compare("olt" if self.is_float else "slt", other)

    def le(self, other: Vec | Number) -> Vec:
        return self.compare("ole" if self.is_float else "sle", other)

    def gt(self, other: Vec | Number) -> Vec:
        return self.compare("ogt" if self.is_float else "sgt", other)

    def ge(self, other: Vec | Number) -> Vec:
        return self.compare("oge" if self.is_float else "sge", other)

    def eq(self, other: Vec | Number) -> Vec:
        return self.compare("oeq" if self.is_float else "eq", other)

    def ne(self, other: Vec | Number) -> Vec:
        return self.compare("une" if self.is_float else "ne", other)

    def is_nan(self) -> Vec:
        return self.compare("uno", self)

    def abs(self) -> Vec:
        return self.code.intrinsic("fabs", self)

    def sqrt(self) -> Vec:
        return self.code.intrinsic("sqrt", self)

    def bits(self) -> Vec:
        """The same bits as an integer."""
        return self.code.convert("bitcast", self, f"i{BITS[self.type]}")

    def as_float(self) -> Vec:
        """The bits of an integer as a float of the same width."""
        return self.code.convert("bitcast", self, {16: "half", 32: "float", 64: "double"}[BITS[self.type]])

    def copysign(self, sign: Vec) -> Vec:
        return self.code.intrinsic("copysign", self, sign)


class Loop:
    """A counted loop being written: `index`, and `values`, the carried ones (after the loop: the last ones)."""

    def __init__(self, index: Vec, values: Sequence[Vec]) -> None:
        self.index = index
        self.values = tuple(values)
        self.next_values: tuple[Vec, ...] = ()

    def next(self, *values: Vec) -> None:
        """What the carried values become."""
        self.next_values = values


class Code:
    """The body of one function, and the module that what it needs is declared in."""

    def __init__(self, module: LLVMModule, target: Target, merges: bool = False) -> None:
        """`merges`: what a block computes twice is written once; all blocks must be begun by `block`."""
        self.module = module
        self.target = target
        self.lines: list[str] = []
        self._merges = merges
        self._known: dict[str, Vec] = {}
        """What the block computes, by its text."""
        self.label = "entry"
        self.entry_lines: list[str] = []
        """Stack slots: they go to the head of the function."""
        self._count = 0

    # --- instructions

    def emit(self, type_: str, lanes: int, text: str) -> Vec:
        """One instruction with a result."""
        if self._merges and (known := self._known.get(text)) is not None:
            return known
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {text}")
        made = Vec(self, name, type_, lanes)
        if self._merges and (text.partition(" ")[0] in _ALWAYS_THE_SAME or text.startswith("call i64 @llvm.")):
            self._known[text] = made
        return made

    def line(self, text: str) -> None:
        """One instruction without a result."""
        self.lines.append("  " + text)

    def constant(self, type_: str, value: bool | Number, lanes: int = 1) -> Vec:
        return Vec(self, constant_text(type_, lanes, value), type_, lanes)

    def numbers(self, type_: str, values: Sequence[bool | Number]) -> Vec:
        """A number for each lane."""
        if len(set(values)) == 1:
            return self.constant(type_, values[0], len(values))
        each = ", ".join(f"{type_} {constant_text(type_, 1, value)}" for value in values)
        return Vec(self, f"<{each}>", type_, len(values))

    def iota(self, type_: str, lanes: int) -> Vec:
        """0, 1, 2, … in the lanes."""
        return self.numbers(type_, range(lanes))

    def slot(self, type_: str, count: int = 1, align: int = 64) -> Vec:
        """The address of new memory in the function's frame."""
        self._count += 1
        name = f"%s{self._count}"
        self.entry_lines.append(f"  {name} = alloca [{count} x {type_}], align {align}")
        return Vec(self, name, "ptr")

    def call(self, name: str, type_: str, lanes: int, *args: Vec) -> Vec:
        """Call an external function or an intrinsic, declaring it."""
        result = vector_type(type_, lanes)
        self.module.declare(f"declare {result} @{name}({', '.join(a.full_type for a in args)})")
        return self.emit(type_, lanes, f"call {result} @{name}({', '.join(a.typed for a in args)})")

    def intrinsic(self, name: str, *args: Vec) -> Vec:
        """`llvm.name` overloaded on, and giving, the type of its first argument."""
        first = args[0]
        return self.call(f"llvm.{name}.{intrinsic_suffix(first.type, first.lanes)}", first.type, first.lanes, *args)

    def fma(self, a: Vec, b: Vec | Number, c: Vec | Number) -> Vec:
        """a*b + c, rounded once where the target can, else twice."""
        if self.target.has_fma:
            return self.intrinsic("fma", a, a.like(b), a.like(c))
        return a * b + c

    def select(self, condition: Vec, a: Vec | Number, b: Vec | Number) -> Vec:
        model = a if isinstance(a, Vec) else b
        if not isinstance(model, Vec):
            raise InternalError("a selection between two numbers has no type")
        x, y = model.like(a), model.like(b)
        return self.emit(x.type, x.lanes, f"select {condition.typed}, {x.typed}, {y.typed}")

    def convert(self, op: str, value: Vec, type_: str) -> Vec:
        """A conversion instruction."""
        to = vector_type(type_, value.lanes)
        return self.emit(type_, value.lanes, f"{op} {value.typed} to {to}")

    def splat(self, value: Vec, lanes: int) -> Vec:
        """A scalar in every lane."""
        if value.lanes == lanes:
            return value
        if value.lanes != 1:
            raise InternalError(f"{value.typed} is not a scalar")
        vector = vector_type(value.type, lanes)
        one = self.emit(value.type, lanes, f"insertelement {vector} poison, {value.typed}, i32 0")
        return self.emit(
            value.type,
            lanes,
            f"shufflevector {vector} {one}, {vector} poison, {vector_type('i32', lanes)} zeroinitializer",
        )

    def lane(self, value: Vec, index: int | Vec) -> Vec:
        """One lane of a vector."""
        if value.lanes == 1:
            return value
        place = index.typed if isinstance(index, Vec) else f"i32 {index}"
        return self.emit(value.type, 1, f"extractelement {value.typed}, {place}")

    def gather_lanes(self, parts: Sequence[Vec], lanes: int = 0, first: int = 0) -> Vec:
        """A vector of scalars; with `lanes`, one of so many, where they begin at the `first` and the others are 0."""
        if lanes and not parts:
            raise InternalError("a vector of no lanes has no type")
        text = "zeroinitializer" if lanes else "poison"
        lanes = lanes or len(parts)
        if lanes == 1:
            return parts[0]
        vector = vector_type(parts[0].type, lanes)
        for k, part in enumerate(parts, first):
            text = self.emit(part.type, lanes, f"insertelement {vector} {text}, {part.typed}, i32 {k}").text
        return Vec(self, text, parts[0].type, lanes)

    def shuffle(self, a: Vec, b: Vec, order: Sequence[int]) -> Vec:
        """Lanes of a (0 …) and b (a's count …) in a new order."""
        mask = f"<{len(order)} x i32> <{', '.join(f'i32 {k}' for k in order)}>"
        made = self.emit(a.type, len(order), f"shufflevector {a.typed}, {b.typed}, {mask}")
        return made

    def any_lane(self, condition: Vec) -> Vec:
        """Whether a condition holds in some lane."""
        if condition.lanes == 1:
            return condition
        name = f"llvm.vector.reduce.or.{intrinsic_suffix('i1', condition.lanes)}"
        return self.call(name, "i1", 1, condition)

    # --- memory

    def offset(self, base: Vec, elements: Index, type_: str) -> Vec:
        """The address of an element of an array."""
        if isinstance(elements, int):
            if elements == 0:
                return base
            return self.emit("ptr", 1, f"getelementptr {type_}, ptr {base}, i64 {elements}")
        return self.emit("ptr", 1, f"getelementptr {type_}, ptr {base}, {elements.typed}")

    def load(self, address: Vec, type_: str, lanes: int = 1, align: int = 0) -> Vec:
        """Load; alignment is that of one element unless given."""
        align = align or max(BITS[type_] // 8, 1)
        return self.emit(type_, lanes, f"load {vector_type(type_, lanes)}, ptr {address}, align {align}")

    def store(self, value: Vec, address: Vec, align: int = 0) -> None:
        align = align or max(BITS[value.type] // 8, 1)
        self.line(f"store {value.typed}, ptr {address}, align {align}")

    def copy_bytes(self, target: Vec, source: Vec, count: Index) -> None:
        """Copy memory that does not overlap."""
        self.module.declare("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        self.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {count}, i1 false)")

    # --- i64 arithmetic that folds numbers

    def index(self, value: Index) -> Vec:
        """An index as a value."""
        return value if isinstance(value, Vec) else self.constant("i64", value)

    def _index_op(self, op: str, a: Index, b: Index) -> Vec:
        return self.emit("i64", 1, f"{op} i64 {a}, {b}")

    def add(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0:
            return b
        return a if b == 0 else self._index_op("add nsw", a, b)

    def sub(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        return a if b == 0 else self._index_op("sub nsw", a, b)

    def mul(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a == 0 or b == 0:
            return 0
        if a == 1:
            return b
        return a if b == 1 else self._index_op("mul nsw", a, b)

    def div(self, a: Index, b: Index) -> Index:
        """The quotient of numbers that are not negative; of 0 by anything, 0."""
        if a == 0 or b == 1:
            return a
        if isinstance(a, int) and isinstance(b, int):
            return a // b
        return self._index_op("udiv", a, b)

    def rem(self, a: Index, b: Index) -> Index:
        """The remainder of numbers that are not negative; of 0 by anything, 0."""
        if a == 0 or b == 1:
            return 0
        if isinstance(a, int) and isinstance(b, int):
            return a % b
        return self._index_op("urem", a, b)

    def ceil_div(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return -(-a // b)
        return self.div(self.sub(self.add(a, b), 1), b)

    def min(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self.intrinsic("smin", self.index(a), self.index(b))

    def max(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return self.intrinsic("smax", self.index(a), self.index(b))

    def test(self, predicate: str, a: Index, b: Index) -> Vec:
        """A comparison of indices."""
        return self.emit("i1", 1, f"icmp {predicate} i64 {a}, {b}")

    def pick(self, condition: Vec, a: Index, b: Index) -> Index:
        """One of two indices."""
        if isinstance(a, int) and a == b:
            return a
        return self.select(condition, self.index(a), self.index(b))

    # --- control flow

    def new_label(self, hint: str) -> str:
        self._count += 1
        return f"{hint}{self._count}"

    def block(self, label: str) -> None:
        """Begin a block."""
        self._known.clear()
        self.lines.append(f"{label}:")
        self.label = label

    def jump(self, label: str) -> None:
        self.line(f"br label %{label}")

    def branch(self, condition: Vec, then: str, orelse: str) -> None:
        self.line(f"br {condition.typed}, label %{then}, label %{orelse}")

    def phi(self, *arms: tuple[Vec, str]) -> Vec:
        """The value that came with the block control came from."""
        first = arms[0][0]
        text = ", ".join(f"[ {v}, %{label} ]" for v, label in arms)
        return self.emit(first.type, first.lanes, f"phi {first.full_type} {text}")

    @contextmanager
    def when(self, condition: Vec) -> Generator[None]:
        """What is written inside runs only if the condition holds."""
        then, after = self.new_label("then"), self.new_label("after")
        self.branch(condition, then, after)
        self.block(then)
        yield
        self.jump(after)
        self.block(after)

    @contextmanager
    def loop(self, start: Index, stop: Index, step: int = 1, carried: Sequence[Vec] = ()) -> Generator[Loop]:
        """for index in range(start, stop, step). Values named in `carried` change by `Loop.next`."""
        head, body, done = self.new_label("head"), self.new_label("body"), self.new_label("done")
        before = self.label
        self.jump(head)
        self.block(head)
        place = len(self.lines)
        names: list[Vec] = []
        for value in (self.index(start), *carried):
            self._count += 1
            names.append(Vec(self, f"%l{self._count}", value.type, value.lanes))
        loop = Loop(names[0], names[1:])
        self.branch(self.test("slt", loop.index, stop), body, done)
        self.block(body)
        yield loop
        if len(loop.next_values) != len(carried):
            raise InternalError(f"a loop carries {len(carried)} values and leaves {len(loop.next_values)}")
        following = self.index(self.add(loop.index, step))
        latch = self.label
        self.jump(head)
        inits = (self.index(start), *carried)
        self.lines[place:place] = [
            f"  {name} = phi {name.full_type} [ {init}, %{before} ], [ {after}, %{latch} ]"
            for name, init, after in zip(names, inits, (following, *loop.next_values), strict=True)
        ]
        self.block(done)

    def body(self) -> str:
        """The function's blocks."""
        return "\n".join(["entry:", *self.entry_lines, *self.lines])
