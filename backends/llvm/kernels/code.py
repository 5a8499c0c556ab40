"""One function of a kernel being written: its arguments, addresses, rows, and what is the same for all lanes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from jitcore.backends.llvm.kernels.prepare import Product
from jitcore.backends.llvm.kernels.scalar import compute
from jitcore.backends.llvm.kernels.schedule import Schedule
from jitcore.backends.llvm.kernels.values import Value, constant, element_type, load_lanes, parameter, select, unpack
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule, register_type
from jitcore.backends.native.ir.vectors import Code, Index, Vec
from jitcore.kernel.nodes import Address, Axis, Constant, Extent, Instruction, Load, ReadAxis, ReadParam
from jitcore.structs import dataclass
from jitcore.types import i64

Places: TypeAlias = "Mapping[str, Index]"
"""The current index of axes."""
Scalars: TypeAlias = "dict[str, Value]"
"""Values that are the same for all lanes, by instruction."""

NOWHERE = "jc.nowhere"
ARGUMENT_BYTES = 16
"""The largest argument is a c128."""


@contextmanager
def blocks(code: Code, start: Index, stop: Index, size: int) -> Generator[tuple[Index, Index]]:
    """A loop over blocks of `size`: from where to where each goes. A single one needs no loop."""
    if isinstance(start, int) and isinstance(stop, int) and start < stop <= start + size:
        yield start, stop
        return
    with code.loop(start, stop, size) as block:
        yield block.index, code.min(code.add(block.index, size), stop)


@dataclass(frozen=True, slots=True)
class Points:
    """A loop over the points of several axes being written."""

    number: Index
    """The point's number, row-major."""
    places: Places
    values: tuple[Vec, ...]
    """Carried values."""
    finish: Callable[..., None]
    """Call with what the carried values become, at the end of the body."""


class KernelCode:
    """A function of a kernel: the entry, whose arguments are the buffers and params, or a piece, whose arguments
    are a block of words (`ARGUMENT_BYTES` apart) that holds them, then more words, and its number `%i`."""

    def __init__(
        self, plan: Schedule, products: Sequence[Product], target: Target, module: LLVMModule, words: int | None = None
    ) -> None:
        """`words`: a piece's number of words; None for the entry."""
        self.plan = plan
        self.code = Code(module, target, merges=True)
        self.is_piece = words is not None
        kernel = plan.kernel
        types = ["ptr"] * len(kernel.buffers) + [register_type(p.dtype) for p in kernel.params]
        if words is None:
            names = [f"%b{k}" for k in range(len(kernel.buffers))] + [f"%p{k}" for k in range(len(kernel.params))]
            self.arguments = [Vec(self.code, n, t) for n, t in zip(names, types, strict=True)]
            self.words: list[Vec] = []
        else:
            read = [self._read_word(k, t) for k, t in enumerate([*types, *["i64"] * words])]
            self.arguments, self.words = read[: len(types)], read[len(types) :]
        pointers, values = self.arguments[: len(kernel.buffers)], self.arguments[len(kernel.buffers) :]
        self.pointers = {b.name: v for b, v in zip(kernel.buffers, pointers, strict=True)}
        self.params = {
            p.name: parameter(self.code, p.dtype, v.text) for p, v in zip(kernel.params, values, strict=True)
        }
        self.dtypes = {b.name: b.dtype for b in kernel.buffers}
        self.constants = {i.name: i for i in (*kernel.body, *kernel.epilogue) if isinstance(i, Constant)}
        self.last_values: tuple[Vec, ...] = ()
        """The carried values of the `points` loop that ended last."""
        self._slots: dict[tuple[str, int], Vec] = {}
        self._products: dict[str, Index] = {}
        for product in products:
            a, b = product.factors
            self._products[product.name] = self.code.mul(self.extent(a), self.extent(b))

    # --- arguments

    def _read_word(self, number: int, type_: str) -> Vec:
        address = self.code.offset(Vec(self.code, "%data", "ptr"), number * ARGUMENT_BYTES, "i8")
        return self.code.emit(type_, 1, f"load {type_}, ptr {address}, align 16")

    def pack(self, words: Sequence[Vec | Index]) -> Vec:
        """The block of words for a piece: this function's arguments, then `words`."""
        code = self.code
        values = [*self.arguments, *(w if isinstance(w, Vec) else code.index(w) for w in words)]
        data = code.slot("i8", ARGUMENT_BYTES * len(values), 16)
        for number, value in enumerate(values):
            address = code.offset(data, number * ARGUMENT_BYTES, "i8")
            code.line(f"store {value.typed}, ptr {address}, align 16")
        return data

    # --- numbers

    def extent(self, extent: Extent) -> Index:
        """An extent, stride or offset."""
        if isinstance(extent, int):
            return extent
        return self._products[extent] if extent in self._products else self.params[extent].vec

    def count(self, axes: Iterable[Axis]) -> Index:
        """The number of points of some axes."""
        total: Index = 1
        for axis in axes:
            total = self.code.mul(total, self.extent(axis.extent))
        return total

    # --- addresses

    def position(self, address: Address, scalars: Scalars, places: Places) -> Index:
        """Offset of an element as far as it is the same for all lanes: by the axes in `places`, values in `scalars`."""
        code = self.code
        total = self.extent(address.offset)
        for axis, coefficient in address.axes:
            if axis in places:
                total = code.add(total, code.mul(places[axis], self.extent(coefficient)))
        for name, coefficient in address.values:
            if name in scalars:
                total = code.add(total, code.mul(scalars[name].vec, self.extent(coefficient)))
        return total

    def element(self, buffer: str, position: Index) -> Vec:
        """The address of an element."""
        return self.code.offset(self.pointers[buffer], position, element_type(self.code, self.dtypes[buffer]))

    def nowhere(self) -> Vec:
        """The address of some zeros, to read where nothing else may be read."""
        self.code.module.define(NOWHERE, f"@{NOWHERE} = internal constant [16 x i8] zeroinitializer, align 16")
        return Vec(self.code, f"@{NOWHERE}", "ptr")

    def step(self, address: Address) -> Extent:
        """By how many elements the vector axis moves an address."""
        vector = self.plan.vector
        return dict(address.axes).get(vector.name, 0) if vector else 0

    def scratch(self, type_: str, count: int) -> Vec:
        """Memory in the frame for one vector, not kept from one use to the next."""
        key = (type_, count)
        if key not in self._slots:
            self._slots[key] = self.code.slot(type_, count)
        return self._slots[key]

    # --- what is the same for all lanes

    def scalar(self, made: Instruction, scalars: Scalars, places: Places, guard: Vec | None = None) -> Value:
        """One instruction at one point. With `guard`, memory is read only where it holds."""
        code = self.code
        match made:
            case Constant():
                return constant(code, made.dtype, made.value, 1)
            case ReadParam():
                return self.params[made.param]
            case ReadAxis():
                return Value(i64, (code.index(places[made.axis]),))
            case Load():
                mask = scalars[made.mask].vec if made.mask else None
                allowed = mask if guard is None else guard if mask is None else mask & guard
                address = self.element(made.buffer, self.position(made.address, scalars, places))
                if allowed is not None:
                    address = code.select(allowed, address, self.nowhere())
                value = unpack(code, made.dtype, load_lanes(code, made.dtype, [address]))
                return value if mask is None else select(code, mask, value, constant(code, made.dtype, made.fill, 1))
            case _:
                return compute(code, made.op, made.dtype, *(scalars[a] for a in made.args))

    def add_scalars(
        self,
        instructions: Iterable[Instruction],
        scalars: Scalars,
        places: Places,
        guard: Vec | None = None,
        volatile: bool = False,
    ) -> Scalars:
        """`scalars` and those instructions that are the same for all lanes, given the axes in `places`; unless
        `volatile`, without those that read what the kernel writes."""
        found = dict(scalars)
        for made in instructions:
            fits = self.plan.depends[made.name] <= places.keys()
            if made.name not in found and fits and (volatile or made.name not in self.plan.volatile):
                found[made.name] = self.scalar(made, found, places, guard)
        return found

    # --- loops

    @contextmanager
    def points(self, start: Index, stop: Index, axes: Sequence[Axis], carried: Sequence[Vec] = ()) -> Generator[Points]:
        """A loop over the points numbered start … stop-1 of some axes, row-major; carried indices instead of
        divisions."""
        code = self.code
        extents = [self.extent(a.extent) for a in axes]
        if start == 0 and stop == 1:
            left: list[tuple[Vec, ...]] = []
            yield Points(0, {a.name: 0 for a in axes}, tuple(carried), lambda *values: left.append(values))
            self.last_values = left[0] if left else ()
            return
        moving = axes[1:]
        indices: list[Vec] = []
        rest = start
        for extent in reversed(extents[1:]):
            indices.insert(0, code.index(code.rem(rest, extent)))
            rest = code.div(rest, extent)
        if moving:
            indices.insert(0, code.index(rest))
        with code.loop(start, stop, 1, (*indices, *carried)) as loop:
            inner = loop.values[: len(indices)]
            single: Sequence[Index] = inner if moving else [loop.index] * len(axes)
            places = {a.name: i for a, i in zip(axes, single, strict=True)}

            def finish(*values: Vec) -> None:
                loop.next(*self._following(inner, extents), *values)

            yield Points(loop.index, places, loop.values[len(indices) :], finish)
        self.last_values = loop.values[len(indices) :]

    def _following(self, indices: Sequence[Vec], extents: Sequence[Index]) -> list[Vec]:
        """The next point, as an odometer turns."""
        code = self.code
        made: list[Vec] = []
        carry: Vec | None = None
        for place, extent in reversed(list(zip(indices, extents, strict=True))) if indices else []:
            up = code.index(code.add(place, 1))
            moved = up if carry is None else code.select(carry, up, place)
            if place is indices[0]:
                made.insert(0, moved)
                break
            full = code.test("eq", moved, extent)
            carry = full if carry is None else full & carry
            made.insert(0, code.select(full, 0, moved))
        return made

    # --- the function's text

    def define(self, name: str) -> None:
        """Put the function into the module."""
        self.code.line("ret void")
        head = "internal void" if self.is_piece else "void"
        text = f"define {head} @{name}({self._signature()}) nounwind {{\n{self.code.body()}\n}}"
        self.code.module.define(name.strip('"'), text)

    def _signature(self) -> str:
        if self.is_piece:
            return "ptr %data, i64 %i"
        buffers = self.plan.kernel.buffers
        shared = {n for b in buffers for n in (b.name, *b.aliases) if b.aliases}
        parts: list[str] = []
        for k, argument in enumerate(self.arguments):
            alone = k < len(buffers) and buffers[k].name not in shared
            parts.append(f"{argument.type}{' noalias' if alone else ''} {argument.text}")
        return ", ".join(parts)
