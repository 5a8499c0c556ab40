"""Runs Programs slowly on a memory of its own that knows every block: reads and writes outside of live memory, counts that go
wrong, memory that is never given back and reads of memory never written are errors. The oracle of the plan's tests.
"""

from __future__ import annotations

import bisect
import ctypes
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jitcore.backends.protocol import ProgramError
from jitcore.kernel import nodes as kernel_ir
from jitcore.kernel.scalar import OPS
from jitcore.primitives.ops.conversions import exception_class, exception_of
from jitcore.program import nodes as ir
from jitcore.types import (
    DType,
    RefType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    bool_,
    c128,
    i64,
    u8,
)

UNWRITTEN = 0xA5


@dataclass
class Region:
    """Some memory: a block with a count, or an argument's or a constant's memory (`count` None)."""

    base: int
    bytes: Any
    count: int | None
    written: Any = None


class Memory:
    """An address space of regions."""

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self.bases: list[int] = []
        self.next = 1 << 20
        self.allocated = 0
        self.released = 0

    def add(self, raw: Any, count: int | None = None) -> Region:
        region = Region(self.next, raw, count)
        if count is not None:
            region.written = np.zeros(len(raw), bool)
        self.regions.append(region)
        self.bases.append(self.next)
        self.next += (len(raw) // 64 + 64) * 64
        return region

    def alloc(self, size: int, zeroed: bool) -> int:
        assert size >= 0, "a block of negative size"
        raw = np.full(size + ir.BLOCK_HEADER_BYTES, 0 if zeroed else UNWRITTEN, np.uint8)
        region = self.add(raw, count=1)
        region.written[:] = zeroed
        self.allocated += 1
        return region.base

    def region(self, address: int, size: int = 1) -> Region:
        k = bisect.bisect_right(self.bases, address) - 1
        assert k >= 0, f"access to {address:#x}, which is no memory"
        region = self.regions[k]
        assert address + size <= region.base + len(region.bytes), f"access past the end of a region: {address:#x}"
        assert region.count != 0, "access to memory that was given back"
        return region

    def block(self, owner: int) -> Region:
        region = self.region(owner)
        assert region.base == owner, "an owner that is no block"
        return region

    def change(self, owner: int, by: int) -> None:
        if owner == 0 or owner & 1:
            return
        region = self.block(owner)
        assert region.count is not None
        region.count += by
        if region.count == 0:
            self.released += 1

    def _places(self, addresses: Any, size: int) -> tuple[Region, Any]:
        low, high = int(addresses.min()), int(addresses.max())
        region = self.region(low)
        assert region is self.region(high, size), "one access to two regions"
        if region.count is not None:
            assert low >= region.base + ir.BLOCK_HEADER_BYTES, "access to a block's header"
        return region, (addresses - region.base)[:, None] + np.arange(size)

    def load(self, addresses: Any, dtype: DType) -> Any:
        if not len(addresses):
            return np.zeros(0, dtype.numpy)
        region, places = self._places(addresses, dtype.itemsize)
        if region.written is not None:
            assert region.written[places].all(), "read of memory that was never written"
        return np.ascontiguousarray(region.bytes[places]).view(dtype.numpy).reshape(-1)

    def store(self, addresses: Any, values: Any, dtype: DType) -> None:
        if not len(addresses):
            return
        region, places = self._places(addresses, dtype.itemsize)
        assert region.bytes.flags.writeable, "a write to read-only memory"
        raw = np.ascontiguousarray(values, dtype.numpy).view(np.uint8).reshape(len(addresses), dtype.itemsize)
        region.bytes[places] = raw
        if region.written is not None:
            region.written[places] = True

    @property
    def leaked(self) -> int:
        return sum(1 for r in self.regions if r.count)


# --- kernels ----------------------------------------------------------------------------------------


class KernelRun:
    """One launch."""

    def __init__(
        self, memory: Memory, kernel: kernel_ir.Kernel, pointers: Sequence[int], params: Sequence[Any]
    ) -> None:
        self.memory = memory
        self.kernel = kernel
        self.dtypes = {b.name: b.dtype for b in kernel.buffers}
        self.pointers = dict(zip((b.name for b in kernel.buffers), pointers, strict=True))
        self.params = dict(zip((p.name for p in kernel.params), params, strict=True))

    def extent(self, e: kernel_ir.Extent) -> int:
        return e if isinstance(e, int) else int(self.params[e])

    def run(self) -> None:
        outer = [a for a in self.kernel.axes if not a.reduce]
        one_by_one = self.kernel.serial or any(s.accumulate for s in self.kernel.stores)
        grids = [np.arange(self.extent(a.extent)) for a in outer]
        if one_by_one:
            for point in itertools.product(*grids):
                self.points({a.name: np.array([i]) for a, i in zip(outer, point, strict=True)}, 1)
            return
        mesh = np.meshgrid(*grids, indexing="ij") if grids else []
        count = int(np.prod([len(g) for g in grids])) if grids else 1
        if count:
            self.points({a.name: m.reshape(-1) for a, m in zip(outer, mesh, strict=True)}, count)

    def points(self, index: dict[str, Any], count: int) -> None:
        inner = [a for a in self.kernel.axes if a.reduce]
        values: dict[str, Any] = {}
        if not self.kernel.reductions:
            self.compute(self.kernel.body, index, values, count)
        else:
            grids = [np.arange(self.extent(a.extent)) for a in inner]
            rows = int(np.prod([len(g) for g in grids]))
            mesh = [m.reshape(-1) for m in np.meshgrid(*grids, indexing="ij")]
            full = {k: np.repeat(v, rows) for k, v in index.items()}
            full |= {a.name: np.tile(m, count) for a, m in zip(inner, mesh, strict=True)}
            body: dict[str, Any] = {}
            self.compute(self.kernel.body, full, body, count * rows)
            for r in self.kernel.reductions:
                values[r.name] = self.fold(r, np.broadcast_to(body[r.value], (count * rows,)).reshape(count, rows))
            self.compute(self.kernel.epilogue, index, values, count)
        for s in self.kernel.stores:
            self.store(s, index, values, count)

    def fold(self, r: kernel_ir.Reduction, table: Any) -> Any:
        functions = {
            "sum": np.add.reduce,
            "prod": np.multiply.reduce,
            "max": np.maximum.reduce,
            "min": np.minimum.reduce,
            "any": np.logical_or.reduce,
            "all": np.logical_and.reduce,
        }
        with np.errstate(all="ignore"):
            if r.op in functions:
                return functions[r.op](table, axis=1).astype(r.dtype.numpy)
            return getattr(np, r.op)(table, axis=1).astype(np.int64)

    def address(self, address: kernel_ir.Address, index: dict[str, Any], values: dict[str, Any], count: int) -> Any:
        total = np.full(count, self.extent(address.offset), np.int64)
        for axis, c in address.axes:
            total = total + index[axis] * self.extent(c)
        for value, c in address.values:
            total = total + values[value] * self.extent(c)
        return total

    def compute(self, body: Sequence[Any], index: dict[str, Any], values: dict[str, Any], count: int) -> None:
        for i in body:
            match i:
                case kernel_ir.Constant():
                    values[i.name] = np.full(count, i.value, i.dtype.numpy)
                case kernel_ir.ReadParam():
                    values[i.name] = np.full(count, self.params[i.param], i.dtype.numpy)
                case kernel_ir.ReadAxis():
                    values[i.name] = index[i.axis].astype(np.int64)
                case kernel_ir.Load():
                    assert self.dtypes[i.buffer] is i.dtype
                    values[i.name] = self.load(i, index, values, count)
                case kernel_ir.Compute():
                    values[i.name] = compute_op(i.op, i.dtype, [values[a] for a in i.args])

    def load(self, i: kernel_ir.Load, index: dict[str, Any], values: dict[str, Any], count: int) -> Any:
        where = values[i.mask] if i.mask else np.ones(count, bool)
        addresses = self.pointers[i.buffer] + self.address(i.address, index, values, count) * i.dtype.itemsize
        out = np.full(count, i.fill, i.dtype.numpy)
        out[where] = self.memory.load(addresses[where], i.dtype)
        return out

    def store(self, s: kernel_ir.Store, index: dict[str, Any], values: dict[str, Any], count: int) -> None:
        where = values[s.mask] if s.mask else np.ones(count, bool)
        dtype = self.dtypes[s.buffer]
        addresses = self.pointers[s.buffer] + self.address(s.address, index, values, count) * dtype.itemsize
        value = np.broadcast_to(values[s.value], (count,))
        assert value.dtype == dtype.numpy, f"a store of {value.dtype} to {dtype}"
        value = value[where]
        if s.accumulate:
            value = compute_op("add", dtype, [self.memory.load(addresses[where], dtype), value])
        self.memory.store(addresses[where], value, dtype)


def compute_op(op: str, dtype: DType, args: Sequence[Any]) -> Any:
    described = OPS[op]
    with np.errstate(all="ignore"):
        if described.kind == "convert":
            return np.asarray(described.reference(*args, dtype=dtype.numpy)).astype(dtype.numpy, copy=False)
        made = np.asarray(described.reference(*args))
    if described.kind == "arithmetic":
        for a in args:
            assert a.dtype == dtype.numpy, f"{op}: {a.dtype} where {dtype} is given"
    return made.astype(dtype.numpy, copy=False)


def run_contraction(memory: Memory, c: kernel_ir.Contraction, pointers: Sequence[int], params: Sequence[Any]) -> None:
    buffers, declared = kernel_ir.launch_signature(c)
    at = dict(zip((b.name for b in buffers), pointers, strict=True))
    given = dict(zip((p.name for p in declared), params, strict=True))

    def extent(e: kernel_ir.Extent) -> int:
        return e if isinstance(e, int) else int(given[e])

    def affine(axes: Sequence[tuple[str, Any]], offset: Any, point: dict[str, int]) -> int:
        return extent(offset) + sum(point[a] * extent(k) for a, k in axes)

    def read(operand: kernel_ir.ContractionOperand, point: dict[str, int]) -> Any:
        for b in operand.bounds:
            if not 0 <= affine(b.axes, b.offset, point) < extent(b.extent):
                return c.dtype.numpy.type(0)
        place = at[operand.buffer] + affine(operand.address.axes, operand.address.offset, point) * c.dtype.itemsize
        return memory.load(np.array([place]), c.dtype)[0]

    outer = [a for a in c.axes if a.role != "k"]
    inner = [a for a in c.axes if a.role == "k"]
    for o in itertools.product(*(range(extent(a.extent)) for a in outer)):
        point = {a.name: i for a, i in zip(outer, o, strict=True)}
        total = c.dtype.numpy.type(0)
        for k in itertools.product(*(range(extent(a.extent)) for a in inner)):
            full = point | {a.name: i for a, i in zip(inner, k, strict=True)}
            total = total + read(c.a, full) * read(c.b, full)
        place = at[c.c.buffer] + affine(c.c.address.axes, c.c.address.offset, point) * c.dtype.itemsize
        if c.accumulate:
            total = total + memory.load(np.array([place]), c.dtype)[0]
        memory.store(np.array([place]), np.array([total]), c.dtype)


# --- programs ---------------------------------------------------------------------------------------


@dataclass
class Counts:
    """What a run did, for tests of what the plan saves."""

    launches: list[str] = field(default_factory=list)
    allocs: int = 0
    copies: int = 0
    polls: int = 0


def _class(name: Any) -> type[BaseException]:
    return exception_class(name) if isinstance(name, str) else name


class Interpreter:
    """One call of a program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.memory = Memory()
        self.counts = Counts()
        self.inputs: list[Any] = []
        self.outputs: list[Any] = [None] * program.out_words
        self.owners: dict[int, Region] = {}
        self.constants = [
            self.memory.add(np.ascontiguousarray(c).reshape(-1).view(np.uint8)) for c in program.constants
        ]
        for region in self.constants:
            region.bytes.flags.writeable = False
        self.depth = 0
        self.caught: list[ProgramError] = []
        self.parked: list[ProgramError] = []
        self.committed: list[bool] = []

    # --- values ---

    def encode(self, value: Any, type_: Type) -> list[Any]:
        match type_:
            case ScalarType(dtype):
                return [value.real, value.imag] if dtype is c128 else [value]
            case TensorType() | RefType():
                return self.encode_array(np.asarray(value))
            case UnionType(members):
                tag, parts = value
                words: list[Any] = [tag]
                for k, member in enumerate(members):
                    types = member.items if isinstance(member, TupleType) else (member,)
                    for n, t in enumerate(types):
                        words += self.encode(parts[n], t) if k == tag else [0] * _word_count(t)
                return words
            case _:
                return []

    def encode_array(self, array: Any) -> list[Any]:
        base = array
        while isinstance(base.base, np.ndarray):
            base = base.base
        region = self.owners.get(id(base))
        if region is None:
            raw = (ctypes.c_uint8 * base.nbytes).from_address(np.lib.array_utils.byte_bounds(base)[0])
            region = self.owners[id(base)] = self.memory.add(np.frombuffer(raw, np.uint8) if base.nbytes else _EMPTY)
            region.bytes.flags.writeable = base.flags.writeable
        offset = array.__array_interface__["data"][0] - np.lib.array_utils.byte_bounds(base)[0]
        return [region.base + offset, region.base | 1, *array.shape, *array.strides]

    def encode_new(self, value: Any, type_: Type) -> list[Any]:
        """Words of a result of a host call: arrays become new blocks."""
        if not isinstance(type_, TensorType):
            return self.encode(value, type_)
        array = np.ascontiguousarray(value).reshape(np.shape(value))
        owner = self.memory.alloc(array.nbytes, False)
        data = owner + ir.BLOCK_HEADER_BYTES
        addresses = data + np.arange(array.size) * array.itemsize
        self.memory.store(addresses, array.reshape(-1), type_.dtype)
        return [data, owner, *array.shape, *array.strides]

    def decode(self, words: list[Any], type_: Type) -> Any:
        match type_:
            case ScalarType(dtype):
                if dtype is c128:
                    return complex(words.pop(0), words.pop(0))
                return dtype.numpy.type(words.pop(0)).item()
            case TensorType() | RefType():
                return self.decode_array(words, type_.target if isinstance(type_, RefType) else type_)
            case UnionType(members):
                tag = words.pop(0)
                found: Any = None
                for k, member in enumerate(members):
                    types = member.items if isinstance(member, TupleType) else (member,)
                    if k == tag:
                        found = (tag, tuple(self.decode(words, t) for t in types))
                    else:
                        del words[: sum(_word_count(t) for t in types)]
                return found
            case _:
                return None

    def decode_array(self, words: list[Any], type_: TensorType) -> Any:
        data, owner = words.pop(0), words.pop(0)
        shape = [int(words.pop(0)) for _ in range(type_.rank)]
        strides = [int(words.pop(0)) for _ in range(type_.rank)]
        for have, want in zip(shape, type_.shape, strict=True):
            assert not isinstance(want, int) or want == have, f"extent {have} where the type says {want}"
        grid = np.indices(shape).reshape(len(shape), -1) if shape else np.zeros((0, 1), int)
        addresses = data + sum((g * s for g, s in zip(grid, strides, strict=True)), np.zeros(grid.shape[1], int))
        if owner and not owner & 1:
            assert self.memory.block(owner).count, "a result in memory that was given back"
        return self.memory.load(addresses, type_.dtype).reshape(shape).copy()

    # --- running ---

    def run(self, words: list[Any]) -> list[Any]:
        self.inputs = words
        assert len(words) == self.program.in_words
        self.block(self.program.functions[self.program.entry].body, {})
        return self.outputs

    def value(self, operand: ir.Operand, env: dict[ir.Reg, Any]) -> Any:
        if isinstance(operand, ir.Imm):
            return operand.value if operand.type is None else operand.type.numpy.type(operand.value)
        return env[operand]

    def put(self, env: dict[ir.Reg, Any], out: ir.Reg, value: Any) -> None:
        assert out not in env or self.depth, "a register assigned twice"
        env[out] = int(value) if out.type is None else out.type.numpy.type(value)

    def block(self, block: ir.Block, env: dict[ir.Reg, Any]) -> list[Any]:
        for statement in block.statements:
            self.statement(statement, env)
        return [self.value(r, env) for r in block.results]

    def statement(self, s: ir.Statement, env: dict[ir.Reg, Any]) -> None:
        v, memory = self.value, self.memory
        match s:
            case ir.Scalar():
                args = [np.asarray(v(a, env)).reshape(1) for a in s.args]
                assert s.out.type is not None
                self.put(env, s.out, compute_op(s.op, s.out.type, args)[0])
            case ir.Offset():
                self.put(env, s.out, v(s.base, env) + int(v(s.bytes, env)))
            case ir.LoadElement():
                assert s.out.type is not None
                self.put(env, s.out, memory.load(np.array([v(s.address, env)]), s.out.type)[0])
            case ir.StoreElement():
                assert s.value.type is not None
                memory.store(np.array([v(s.address, env)]), np.array([v(s.value, env)]), s.value.type)
            case ir.ReadWord():
                self.put(env, s.out, self.inputs[s.index])
            case ir.WriteWord():
                assert self.outputs[s.index] is None
                self.outputs[s.index] = v(s.value, env)
            case ir.Alloc():
                self.counts.allocs += 1
                self.put(env, s.owner, memory.alloc(int(v(s.bytes, env)), s.zeroed))
            case ir.Move():
                self.move(s, env)
            case ir.Retain():
                memory.change(v(s.owner, env), 1)
            case ir.Release():
                memory.change(v(s.owner, env), -1)
            case ir.IsUnique():
                owner = v(s.owner, env)
                unique = owner != 0 and not owner & 1 and memory.block(owner).count == 1
                self.put(env, s.out, unique)
            case ir.Constant():
                self.put(env, s.out, self.constants[s.index].base)
            case ir.Launch():
                self.launch(s, env)
            case ir.Copy():
                self.copy(v(s.target, env), v(s.source, env), int(v(s.bytes, env)))
            case ir.Check():
                if not v(s.ok, env):
                    values = tuple(np.asarray(v(x, env)).item() for x in s.values)
                    raise ProgramError(self.program.sites[s.site], values)
            case ir.If():
                chosen = self.block(s.then if v(s.condition, env) else s.orelse, dict(env))
                for out, value in zip(s.outs, chosen, strict=True):
                    self.put(env, out, value)
            case ir.While():
                self.loop(s, env)
            case ir.Try():
                self.try_(s, env)
            case ir.Commit():
                self.committed[-1] = True
            case ir.Park():
                self.parked.append(self.caught[-1])
            case ir.Unpark():
                raise self.parked[-1 - s.level] if s.keep else self.parked.pop(-1 - s.level)
            case ir.DropParked():
                del self.parked[-1 - s.level]
            case ir.Rethrow():
                raise self.caught[-1 - s.level]
            case ir.Call():
                self.call(s, env)
            case ir.Host():
                self.host(s, env)
            case ir.Poll():
                self.counts.polls += 1
            case _:
                self.stack(s, env)

    def loop(self, s: ir.While, env: dict[ir.Reg, Any]) -> None:
        carries = [self.value(x, env) for x in s.inits]
        while True:
            inner = dict(env)
            for reg, value in zip(s.carries, carries, strict=True):
                self.put(inner, reg, value)
            (go_on,) = self.block(s.test, dict(inner))
            if not go_on:
                break
            carries = self.block(s.body, inner)
        for out, value in zip(s.outs, carries, strict=True):
            self.put(env, out, value)

    def try_(self, s: ir.Try, env: dict[ir.Reg, Any]) -> None:
        self.committed.append(False)
        stacks: Any = [self.owners[self.value(stack, env)] for stack in s.stacks]
        depths = [len(entries) for entries in stacks]
        try:
            left = self.block(s.body, dict(env))
        except ProgramError as error:
            if self.committed[-1]:
                raise
            raised = type(error.__cause__ or exception_of(error.site.exception, error.site.message, error.values))
            found = next((k for k, c in enumerate(s.catches) if issubclass(raised, tuple(map(_class, c)))), None)
            if found is None:
                raise
            for entries, depth in zip(stacks, depths, strict=True):
                del entries[depth:]
            self.caught.append(error)
            left = self.block(s.handlers[found], dict(env))
            self.caught.pop()
        finally:
            self.committed.pop()
        for out, value in zip(s.outs, left, strict=True):
            self.put(env, out, value)

    def call(self, s: ir.Call, env: dict[ir.Reg, Any]) -> None:
        function = self.program.functions[s.function]
        if self.depth > 50:
            raise ProgramError(self.program.sites[s.site], ())
        self.depth += 1
        args = dict(zip(function.params, (self.value(a, env) for a in s.args), strict=True))
        results = self.block(function.body, args)
        self.depth -= 1
        for out, value in zip(s.outs, results, strict=True):
            self.put(env, out, value)

    def launch(self, s: ir.Launch, env: dict[ir.Reg, Any]) -> None:
        kernel = self.program.kernels[s.kernel]
        buffers, params = kernel_ir.launch_signature(kernel)
        args = [self.value(a, env) for a in s.args]
        assert len(args) == len(buffers) + len(params)
        self.counts.launches.append(s.kernel)
        pointers, given = args[: len(buffers)], args[len(buffers) :]
        for param, value in zip(params, given, strict=True):
            assert np.asarray(value).dtype == param.dtype.numpy
        if isinstance(kernel, kernel_ir.Contraction):
            run_contraction(self.memory, kernel, pointers, given)
        else:
            self.check_aliases(kernel, pointers)
            KernelRun(self.memory, kernel, pointers, given).run()

    def check_aliases(self, kernel: kernel_ir.Kernel, pointers: Sequence[int]) -> None:
        for (a, p), (b, q) in itertools.combinations(zip(kernel.buffers, pointers, strict=True), 2):
            if (a.written or b.written) and p == q and b.name not in a.aliases:
                k = bisect.bisect_right(self.memory.bases, p) - 1
                assert len(self.memory.regions[k].bytes) == ir.BLOCK_HEADER_BYTES, (
                    f"{kernel.name}: {a.name} is {b.name}"
                )

    def copy(self, target: int, source: int, size: int) -> None:
        self.counts.copies += 1
        assert target + size <= source or source + size <= target, "a copy onto itself"
        data = self.memory.load(source + np.arange(size), _BYTE)
        self.memory.store(target + np.arange(size), data, _BYTE)

    def move(self, s: ir.Move, env: dict[ir.Reg, Any]) -> None:
        size, old = int(self.value(s.size, env)), self.value(s.old, env)
        self.counts.allocs += 1
        owner = self.memory.alloc(int(self.value(s.rows, env)) * size, zeroed=True)
        kept = int(self.value(s.kept, env)) * size
        if kept:
            self.copy(owner + ir.BLOCK_HEADER_BYTES, self.value(s.source, env), kept)
        self.memory.change(old, -1)
        self.put(env, s.owner, owner)

    def host(self, s: ir.Host, env: dict[ir.Reg, Any]) -> None:
        call = self.program.host_calls[s.index]
        words = [self.value(a, env) for a in s.args]
        results = call.function(*(self.decode(words, t) for t in call.arg_types))
        results = (results,) if call.bare else results
        made = [w for r, t in zip(results, call.result_types, strict=True) for w in self.encode_new(r, t)]
        for out, value in zip(s.outs, made, strict=True):
            self.put(env, out, value)

    def stack(self, s: Any, env: dict[ir.Reg, Any]) -> None:
        match s:
            case ir.StackNew():
                region = self.memory.add(np.zeros(1, np.uint8), count=1)
                self.owners[region.base] = []  # type: ignore[assignment]
                self.put(env, s.out, region.base)
            case ir.StackPush():
                entries: Any = self.owners[self.value(s.stack, env)]
                entries.append(tuple((o.type, self.value(o, env)) for o in s.values))
            case ir.StackPop():
                entries = self.owners[self.value(s.stack, env)]
                entry = entries.pop()
                for out, (type_, value) in zip(s.outs, entry, strict=True):
                    assert out.type is type_, "popped as what it was not pushed as"
                    self.put(env, out, value)
            case ir.StackFree():
                assert not self.owners.pop(self.value(s.stack, env)), "a stack freed with entries on it"
                self.memory.change(self.value(s.stack, env), -1)
            case _:
                raise AssertionError(s)


_BYTE = u8
_EMPTY = np.zeros(0, np.uint8)


def _word_count(type_: Type) -> int:
    match type_:
        case ScalarType(dtype):
            return 2 if dtype is c128 else 1
        case TensorType() | RefType():
            return 2 + 2 * (type_.target if isinstance(type_, RefType) else type_).rank
        case UnionType(members):
            return 1 + sum(_word_count(m) for m in members)
        case TupleType(items):
            return sum(_word_count(t) for t in items)
        case _:
            return 0


def run_program(
    program: ir.Program, args: Sequence[Any], arg_types: Sequence[Type], result_types: Sequence[Type]
) -> tuple[list[Any], Counts]:
    """Run a program's entry on NumPy arrays (written to where the program does) and numbers; check that nothing leaks."""
    run = Interpreter(program)
    words = [w for a, t in zip(args, arg_types, strict=True) for w in run.encode(a, t)]
    out = list(run.run(words))
    rest = list(out)
    results = [run.decode(rest, t) for t in result_types]
    assert not rest
    for owner in _owners(out, result_types):
        run.memory.change(owner, -1)
    assert not run.memory.leaked, f"{run.memory.leaked} blocks were never given back"
    return results, run.counts


def _owners(words: list[Any], types: Sequence[Type]) -> list[int]:
    """The owners among words of the given types."""
    found: list[int] = []
    rest = list(words)

    def walk(type_: Type) -> None:
        match type_:
            case TensorType() | RefType():
                rest.pop(0)
                found.append(rest.pop(0))
                del rest[: _word_count(type_) - 2]
            case UnionType(members):
                rest.pop(0)
                for member in members:
                    walk(member)
            case TupleType(items):
                for item in items:
                    walk(item)
            case _:
                del rest[: _word_count(type_)]

    for type_ in types:
        walk(type_)
    return found


__all__ = ["Counts", "Interpreter", "bool_", "i64", "run_program"]
