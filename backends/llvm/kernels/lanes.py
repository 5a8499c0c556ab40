"""One step along the vector axis: the loads, the computing and the stores of `unroll` vectors.

A step is *whole* where all its lanes exist and every stride known at run time only is 1. Loads and stores have two
ways, one for whole steps and one for the others (one alone where that is known); the computing between them is written
once, so tails and strided layouts cost no second copy of the polynomials and give the same bits.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from jitcore.backends.llvm.kernels.code import KernelCode, Places, Scalars
from jitcore.backends.llvm.kernels.scalar import compute
from jitcore.backends.llvm.kernels.strided import load_strided
from jitcore.backends.llvm.kernels.values import (
    Value,
    constant,
    element_type,
    lane,
    load_lanes,
    memory_element,
    pack,
    select,
    splat,
    unpack,
)
from jitcore.backends.native.ir.vectors import BITS, Code, Index, Vec, intrinsic_suffix, vector_type
from jitcore.kernel.nodes import Address, Compute, Instruction, Load, ReadAxis, Store
from jitcore.structs import dataclass
from jitcore.types import i64


def has_masked_access(target_bytes: int, architecture: str, type_: str, count: int) -> bool:
    """Whether the target loads and stores some lanes of a vector in one instruction."""
    if architecture not in ("x86_64", "amd64") or count != 1:
        return False
    return target_bytes >= 64 or (target_bytes == 32 and BITS[type_] >= 32)


Condition: TypeAlias = "Vec | bool"
"""A bool where it is known."""


def both(a: Condition, b: Condition) -> Condition:
    """Whether both hold."""
    if isinstance(a, bool):
        return b if a else False
    if isinstance(b, bool):
        return a if b else False
    return a & b


@dataclass(frozen=True, slots=True)
class Step:
    """Where a step is: `start` is the position of its first lane, first … last-1 are the positions that exist.

    `unroll`: the vectors it has; `whole`: whether it is; `left_open`: whether lanes before `first` occur.
    """

    start: Index
    first: Index
    last: Index
    unroll: int = 1
    whole: Condition = True
    left_open: bool = False


ALONE: Step = Step(0, 0, 1)
"""A point."""


@contextmanager
def steps(
    code: Code, first: Index, last: Index, shape: tuple[int, int], rest: bool, unit: Condition
) -> Generator[Step]:
    """A loop over the steps from `first` to `last` (a single one needs no loop). `shape`: the lanes of a vector and the
    vectors of a step; `rest`: whether some may be left that fill no step; `unit`: whether strides are 1."""
    lanes, unroll = shape
    width = lanes * unroll
    if isinstance(first, int) and isinstance(last, int) and first < last <= first + width:
        unroll = -(-(last - first) // lanes)
        yield Step(first, first, last, unroll, unit if last - first == lanes * unroll else False)
        return
    with code.loop(first, last, width) as loop:
        fits = code.test("sle", code.add(loop.index, width), last) if rest else True
        yield Step(loop.index, first, last, unroll, both(unit, fits))


class Lanes:
    """Writes one step."""

    def __init__(self, kernel: KernelCode, step: Step, scalars: Scalars, places: Places) -> None:
        self.kernel = kernel
        self.code = kernel.code
        self.plan = kernel.plan
        self.step = step
        self.scalars = scalars
        self.places = places
        self.unroll = step.unroll
        self.lanes = kernel.plan.lanes
        self.values: list[dict[str, Value]] = [{} for _ in range(step.unroll)]
        self._bounds: dict[int, tuple[Index, Index]] = {}
        self._valid: dict[int, Vec] = {}
        self._firsts: dict[tuple[str, int, str], Vec] = {}
        """Of strided accesses in the block being written: the address of the step's first lane."""

    # --- values

    def get(self, name: str, u: int) -> Value:
        """A value in the u-th vector."""
        known = self.values[u].get(name)
        if known is None:
            made = self.kernel.constants.get(name)
            if made is not None:
                known = constant(self.code, made.dtype, made.value, self.lanes)
            else:
                known = splat(self.code, self.scalars[name], self.lanes)
            self.values[u][name] = known
        return known

    def position(self, u: int) -> Index:
        """The position of the first lane of the u-th vector."""
        return self.code.add(self.step.start, u * self.lanes)

    def bounds(self, u: int) -> tuple[Index, Index]:
        """The lanes of the u-th vector that exist: from, to."""
        code, at = self.code, self.position(u)
        low = code.min(code.max(code.sub(self.step.first, at), 0), self.lanes) if self.step.left_open else 0
        return low, code.max(code.min(code.sub(self.step.last, at), self.lanes), 0)

    def existing(self, u: int) -> Vec:
        """A mask of the lanes that exist, computed here."""
        code = self.code
        low, high = self.bounds(u)
        if isinstance(low, int) and isinstance(high, int):
            flags = [low <= k < high for k in range(self.lanes)]
            return code.numbers("i1", flags)
        if self.lanes == 1:
            inside = code.test("sgt", high, 0)
            return inside if low == 0 else inside & code.test("slt", low, 1)
        iota = code.iota("i32", self.lanes)
        mask = iota.lt(code.splat(self._narrow(high), self.lanes))
        return mask if low == 0 else mask & iota.ge(code.splat(self._narrow(low), self.lanes))

    def _narrow(self, index: Index) -> Vec:
        if isinstance(index, int):
            return self.code.constant("i32", index)
        return self.code.convert("trunc", index, "i32")

    def valid(self, u: int) -> Vec | None:
        """A mask of the lanes that exist; None if all do, always."""
        return None if self.step.whole is True else self._valid[u]

    # --- running

    def run(self, instructions: Iterable[Instruction]) -> None:
        """Compute what differs between lanes."""
        wanted = [i for i in instructions if i.name not in self.scalars]
        early = [i for i in wanted if isinstance(i, Load) and self._is_early(i)]
        masked = any(isinstance(i, Load) and not self._is_early(i) for i in wanted)
        self._load_early(early, masked and self.step.whole is not True)
        for u in range(self.unroll):
            for made in wanted:
                if made.name not in self.values[u]:
                    self.values[u][made.name] = self._one(made, u)

    def _one(self, made: Instruction, u: int) -> Value:
        match made:
            case Load():
                return self._load_late(made, u)
            case ReadAxis():
                return self._read_axis(made, u)
            case Compute():
                return compute(self.code, made.op, made.dtype, *(self.get(a, u) for a in made.args))
            case _:
                return splat(self.code, self.kernel.scalar(made, self.scalars, self.places), self.lanes)

    def _read_axis(self, made: ReadAxis, u: int) -> Value:
        code = self.code
        if made.axis in self.places:
            return splat(code, self.kernel.scalar(made, self.scalars, self.places), self.lanes)
        start = code.splat(code.index(self.position(u)), self.lanes)
        return Value(i64, (start if self.lanes == 1 else start + code.iota("i64", self.lanes),))

    # --- loads

    def _is_early(self, made: Load) -> bool:
        """Whether its address is known before anything is computed."""
        return made.mask is None and all(v in self.scalars for v, _ in made.address.values)

    def _base(self, buffer: str, address: Address) -> Vec:
        """The address at position 0 of the vector axis."""
        return self.kernel.element(buffer, self.kernel.position(address, self.scalars, self.places))

    def _load_early(self, loads: Sequence[Load], masks: bool) -> None:
        code, whole = self.code, self.step.whole
        bases = [self._base(made.buffer, made.address) for made in loads]
        self._firsts.clear()
        if isinstance(whole, bool) or not (loads or masks):
            load = self._load_whole if whole else self._load_part
            raw = [[load(m, b, u) for m, b in zip(loads, bases, strict=True)] for u in range(self.unroll)]
            self._valid = {u: self.existing(u) for u in range(self.unroll)} if masks else {}
        else:
            fast, slow, join = (code.new_label(n) for n in ("whole", "part", "loaded"))
            code.branch(whole, fast, slow)
            code.block(fast)
            raws = [[self._load_whole(m, b, u) for m, b in zip(loads, bases, strict=True)] for u in range(self.unroll)]
            code.jump(join)
            fast = code.label
            code.block(slow)
            parts = [[self._load_part(m, b, u) for m, b in zip(loads, bases, strict=True)] for u in range(self.unroll)]
            existing = [self.existing(u) for u in range(self.unroll)] if masks else []
            slow = code.label
            code.jump(join)
            code.block(join)
            raw = [
                [code.phi((x, fast), (y, slow)) for x, y in zip(a, b, strict=True)]
                for a, b in zip(raws, parts, strict=True)
            ]
            for u, mask in enumerate(existing):
                self._valid[u] = code.phi((code.constant("i1", True, self.lanes), fast), (mask, slow))
        for u, row in enumerate(raw):
            for made, vector in zip(loads, row, strict=True):
                self.values[u][made.name] = unpack(code, made.dtype, vector)

    def _load_whole(self, made: Load, base: Vec, u: int) -> Vec:
        code, step = self.code, self.kernel.step(made.address)
        type_, count = memory_element(code, made.dtype)
        if step == 0:
            return self._same(made, base)
        if self.lanes > 1 and (step == 1 or isinstance(step, str)):
            address = code.offset(base, self.position(u), element_type(code, made.dtype))
            return code.load(address, type_, count * self.lanes)
        if isinstance(step, int) and count == 1 and self.lanes > 1:
            first = self._strided(base, step, element_type(code, made.dtype), u)[0]
            found = load_strided(code, first, step, type_, self.lanes, self.lanes)
            if found is not None:
                return found
        return load_lanes(code, made.dtype, self._lane_addresses(made, base, u, clamp=False))

    def _load_part(self, made: Load, base: Vec, u: int) -> Vec:
        code, step = self.code, self.kernel.step(made.address)
        if step == 0:
            return self._same(made, base)
        if step != 1:
            return self._load_few(made, base, u)
        type_, count = memory_element(code, made.dtype)
        address = code.offset(base, self.position(u), element_type(code, made.dtype))
        target = code.target
        if self.lanes > 1 and has_masked_access(target.vector_bytes, target.architecture, type_, count):
            return self._masked_load(address, type_, self.existing(u), None)
        low, high = self.bounds(u)
        slot = self.kernel.scratch(type_, count * self.lanes)
        code.store(code.constant(type_, 0, count * self.lanes), slot)
        self._copy(slot, address, type_, count, low, high)
        return code.load(slot, type_, count * self.lanes)

    def _load_few(self, made: Load, base: Vec, u: int) -> Vec:
        """The lanes that exist of a strided access, where known, and some element in the others."""
        code = self.code
        low, high = self.bounds(u)
        if not (isinstance(low, int) and isinstance(high, int)) or self.lanes == 1:
            return load_lanes(code, made.dtype, self._lane_addresses(made, base, u, clamp=True))
        type_, count = memory_element(code, made.dtype)
        if low >= high:
            return code.constant(type_, 0, count * self.lanes)
        step, element = self.kernel.extent(self.kernel.step(made.address)), element_type(code, made.dtype)
        positions = [code.add(self.position(u), k) for k in range(low, high)]
        addresses = [code.offset(base, code.mul(at, step), element) for at in positions]
        if isinstance(step, int) and count == 1 and low == 0:
            found = load_strided(code, addresses[0], step, type_, high, self.lanes)
            if found is not None:
                return found
        return load_lanes(code, made.dtype, addresses, self.lanes, low)

    def _copy(self, target: Vec, source: Vec, type_: str, count: int, low: Index, high: Index) -> None:
        """Copy the elements of lanes low … high-1."""
        code = self.code
        size = count * max(BITS[type_] // 8, 1)
        skip = code.mul(low, size)
        length = code.max(code.sub(code.mul(high, size), skip), 0)
        code.copy_bytes(code.offset(target, skip, "i8"), code.offset(source, skip, "i8"), length)

    def _same(self, made: Load, base: Vec) -> Vec:
        """One element for all lanes."""
        code = self.code
        one = load_lanes(code, made.dtype, [base])
        if self.lanes == 1:
            return one
        count = one.lanes
        if count == 1:
            return code.splat(one, self.lanes)
        return code.shuffle(one, one, [k for _ in range(self.lanes) for k in range(count)])

    def _lane_addresses(self, made: Load, base: Vec, u: int, clamp: bool) -> list[Vec]:
        """Addresses of all lanes of a strided access; with `clamp`, lanes that do not exist get the nearest that
        does."""
        code = self.code
        step, element = self.kernel.extent(self.kernel.step(made.address)), element_type(code, made.dtype)
        if not clamp:
            return self._strided(base, step, element, u)
        found: list[Vec] = []
        for k in range(self.lanes):
            at = code.min(code.add(self.position(u), k), code.sub(self.step.last, 1))
            at = code.max(at, self.step.first) if self.step.left_open else at
            found.append(code.offset(base, code.mul(at, step), element))
        return found

    def _strided(self, base: Vec, step: Index, element: str, u: int) -> list[Vec]:
        """Addresses of all lanes: at constant distances from the step's first one, if the stride is known."""
        code = self.code
        if not isinstance(step, int):
            positions = [code.add(self.position(u), k) for k in range(self.lanes)]
            return [code.offset(base, code.mul(at, step), element) for at in positions]
        key = (base.text, step, element)
        first = self._firsts.get(key)
        if first is None:
            first = self._firsts[key] = code.offset(base, code.mul(self.step.start, step), element)
        return [code.offset(first, (u * self.lanes + k) * step, element) for k in range(self.lanes)]

    def _masked_load(self, address: Vec, type_: str, mask: Vec, fill: Vec | None) -> Vec:
        code = self.code
        vector, align = vector_type(type_, self.lanes), BITS[type_] // 8
        name = f"llvm.masked.load.{intrinsic_suffix(type_, self.lanes)}.p0"
        code.module.declare(f"declare {vector} @{name}(ptr, i32, <{self.lanes} x i1>, {vector})")
        other = fill.text if fill else "zeroinitializer"
        text = f"call {vector} @{name}(ptr {address}, i32 {align}, {mask.typed}, {vector} {other})"
        return code.emit(type_, self.lanes, text)

    def _load_late(self, made: Load, u: int) -> Value:
        """A load under a mask, or from a computed address."""
        code = self.code
        mask = self.get(made.mask, u).vec if made.mask else None
        allowed, valid = mask, self.valid(u)
        if valid is not None:
            allowed = valid if allowed is None else allowed & valid
        type_, count = memory_element(code, made.dtype)
        fill = constant(code, made.dtype, made.fill, self.lanes)
        varying = [(v, c) for v, c in made.address.values if v not in self.scalars]
        base, step, target = self._base(made.buffer, made.address), self.kernel.step(made.address), code.target
        simple = not varying and step == 1 and allowed is not None and self.lanes > 1
        if simple and allowed is not None and has_masked_access(target.vector_bytes, target.architecture, type_, count):
            address = code.offset(base, self.position(u), element_type(code, made.dtype))
            return unpack(code, made.dtype, self._masked_load(address, type_, allowed, pack(code, fill)))
        addresses = self.addresses(base, made.buffer, made.address, u)
        if allowed is not None:
            addresses = code.emit(
                "ptr",
                self.lanes,
                f"select {allowed.typed}, {addresses.typed}, {code.splat(self.kernel.nowhere(), self.lanes).typed}",
            )
        raw = load_lanes(code, made.dtype, [code.lane(addresses, k) for k in range(self.lanes)])
        value = unpack(code, made.dtype, raw)
        return value if mask is None else select(code, mask, value, fill)

    def addresses(self, base: Vec, buffer: str, address: Address, u: int) -> Vec:
        """The addresses of all lanes, as a vector of pointers."""
        code, lanes = self.code, self.lanes
        step = self.kernel.extent(self.kernel.step(address))
        total = constant(code, i64, 0, lanes).vec
        if step != 0:
            start = code.splat(code.index(code.mul(self.position(u), step)), lanes)
            total = start
            if lanes > 1:
                total = total + code.iota("i64", lanes) * code.splat(code.index(step), lanes)
        for name, coefficient in address.values:
            if name not in self.scalars:
                factor = code.splat(code.index(self.kernel.extent(coefficient)), lanes)
                total = total + self.get(name, u).vec * factor
        element = element_type(code, self.kernel.dtypes[buffer])
        return code.emit("ptr", lanes, f"getelementptr {element}, ptr {base}, {total.typed}")

    # --- stores

    def store(self, stores: Sequence[Store]) -> None:
        """Write the results, in order."""
        simple = [s for s in stores if self._is_simple(s)]
        if len(simple) == len(stores):
            self._store_simple(simple)
            return
        for s in stores:
            if s in simple:
                self._store_simple([s])
            else:
                for u in range(self.unroll):
                    self._store_late(s, u)

    def _is_simple(self, s: Store) -> bool:
        known = all(v in self.scalars for v, _ in s.address.values)
        return s.mask is None and known and self.kernel.step(s.address) != 0

    def _store_simple(self, stores: Sequence[Store]) -> None:
        code, whole = self.code, self.step.whole
        bases = [self._base(s.buffer, s.address) for s in stores]
        values = [[self.get(s.value, u) for s in stores] for u in range(self.unroll)]
        if isinstance(whole, bool):
            (self._store_whole if whole else self._store_parts)(stores, bases, values)
            return
        fast, slow, join = (code.new_label(n) for n in ("write", "write.part", "written"))
        code.branch(whole, fast, slow)
        code.block(fast)
        self._store_whole(stores, bases, values)
        code.jump(join)
        code.block(slow)
        self._store_parts(stores, bases, values)
        code.jump(join)
        code.block(join)

    def _store_parts(self, stores: Sequence[Store], bases: Sequence[Vec], values: Sequence[Sequence[Value]]) -> None:
        for u in range(self.unroll):
            for s, base, value in zip(stores, bases, values[u], strict=True):
                self._store_part(s, base, value, u)

    def _store_whole(self, stores: Sequence[Store], bases: Sequence[Vec], values: Sequence[Sequence[Value]]) -> None:
        code = self.code
        self._firsts.clear()
        for u in range(self.unroll):
            for s, base, value in zip(stores, bases, values[u], strict=True):
                step = self.kernel.step(s.address)
                element = element_type(code, value.dtype)
                if self.lanes > 1 and (step == 1 or isinstance(step, str)):
                    address = code.offset(base, self.position(u), element)
                    self._write(s, address, value)
                    continue
                for k, address in enumerate(self._strided(base, self.kernel.extent(step), element, u)):
                    self._write(s, address, lane(code, value, k))

    def _write(self, s: Store, address: Vec, value: Value) -> None:
        """Write neighbouring elements, or one."""
        code = self.code
        if s.accumulate:
            type_, count = memory_element(code, value.dtype)
            old = unpack(code, value.dtype, code.load(address, type_, count * value.lanes))
            value = compute(code, "add", value.dtype, old, value)
        code.store(pack(code, value), address)

    def _store_part(self, s: Store, base: Vec, value: Value, u: int) -> None:
        code = self.code
        type_, count = memory_element(code, value.dtype)
        if self.kernel.step(s.address) != 1 or s.accumulate:
            self._store_each(s, base, value, u)
            return
        address = code.offset(base, self.position(u), element_type(code, value.dtype))
        target = code.target
        if self.lanes > 1 and has_masked_access(target.vector_bytes, target.architecture, type_, count):
            self._masked_store(address, type_, pack(code, value), self.existing(u))
            return
        low, high = self.bounds(u)
        slot = self.kernel.scratch(type_, count * self.lanes)
        code.store(pack(code, value), slot)
        self._copy(address, slot, type_, count, low, high)

    def _store_each(self, s: Store, base: Vec, value: Value, u: int) -> None:
        """Write the lanes that exist one by one, at equal distances: vectors whose lanes the run chooses would go
        through memory each time."""
        if self.lanes == 1:
            self._store_lanes(s, base, value, u, None)
            return
        code = self.code
        step, element = self.kernel.extent(self.kernel.step(s.address)), element_type(code, value.dtype)
        type_, count = memory_element(code, value.dtype)
        first = code.offset(base, code.mul(self.position(u), step), element)
        same = self.scalars.get(s.value)
        slot = None if same is not None else self.kernel.scratch(type_, count * self.lanes)
        if slot is not None:
            code.store(pack(code, value), slot)
        low, high = self.bounds(u)
        with code.loop(low, high) as loop:
            if slot is not None:
                same = unpack(code, value.dtype, code.load(code.offset(slot, loop.index, element), type_, count))
            assert same is not None
            self._write(s, code.offset(first, code.mul(loop.index, step), element), same)

    def _masked_store(self, address: Vec, type_: str, raw: Vec, mask: Vec) -> None:
        code = self.code
        vector, align = vector_type(type_, self.lanes), BITS[type_] // 8
        name = f"llvm.masked.store.{intrinsic_suffix(type_, self.lanes)}.p0"
        code.module.declare(f"declare void @{name}({vector}, ptr, i32, <{self.lanes} x i1>)")
        code.line(f"call void @{name}({raw.typed}, ptr {address}, i32 {align}, {mask.typed})")

    def _store_late(self, s: Store, u: int) -> None:
        """A store under a mask, to a computed address, or of all lanes to one place: lane by lane, in order."""
        code = self.code
        value = self.get(s.value, u)
        mask = self.get(s.mask, u).vec if s.mask else None
        base = self._base(s.buffer, s.address)
        type_, count = memory_element(code, value.dtype)
        target = code.target
        known = all(v in self.scalars for v, _ in s.address.values)
        straight = known and self.kernel.step(s.address) == 1 and not s.accumulate and self.lanes > 1
        native = has_masked_access(target.vector_bytes, target.architecture, type_, count)
        if straight and native and mask is not None:
            allowed = mask if self.step.whole is True else mask & self.existing(u)
            address = code.offset(base, self.position(u), element_type(code, value.dtype))
            self._masked_store(address, type_, pack(code, value), allowed)
            return
        self._store_lanes(s, base, value, u, mask)

    def _store_lanes(self, s: Store, base: Vec, value: Value, u: int, mask: Vec | None) -> None:
        code = self.code
        addresses = self.addresses(base, s.buffer, s.address, u)
        if self.lanes == 1:
            self._store_one(s, addresses, value, mask, None if self.step.whole is True else self.existing(u))
            return
        low, high = self.bounds(u) if self.step.whole is not True else (0, self.lanes)
        with code.loop(low, high) as loop:
            one = lane(code, value, loop.index)
            address = code.lane(addresses, loop.index)
            self._store_one(s, address, one, None if mask is None else code.lane(mask, loop.index), None)

    def _store_one(self, s: Store, address: Vec, value: Value, mask: Vec | None, exists: Vec | None) -> None:
        allowed = exists if mask is None else mask if exists is None else mask & exists
        if allowed is None:
            self._write(s, address, value)
            return
        with self.code.when(allowed):
            self._write(s, address, value)
