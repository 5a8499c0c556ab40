"""Programs run statement by statement."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.backends.interpreter.program.kernels import compute, run_contraction, run_kernel
from jitcore.backends.interpreter.program.memory import DEVICE_START, Fault, Memory, Numbers, Region, require
from jitcore.backends.protocol import ProgramError
from jitcore.headroom import room_to_recurse
from jitcore.kernel import nodes as kernel_ir
from jitcore.primitives.ops.conversions import exception_class, exception_of
from jitcore.program import nodes as ir
from jitcore.program.words import leaves_word, type_words
from jitcore.structs import dataclass, field
from jitcore.types import DType, RefType, ScalarType, TensorType, TupleType, Type, UnionType, c128, u8

Word: TypeAlias = "int | float | complex | np.generic"
"""What a register holds: an address or another number."""
_Registers: TypeAlias = "dict[ir.Reg, Any]"

_BYTE: Final = u8
_EMPTY: Final = np.zeros(0, np.uint8)
_DEEPEST: Final = 400
"""Calls of functions of the program within one another; a deeper one fails as where the stack ends."""
_RECURSION_LIMIT: Final = 20_000


@dataclass(slots=True, eq=False)
class Counts:
    """What a run did, for tests of what the plan saves."""

    launches: list[str] = field(default_factory=list[str])
    allocs: int = 0
    copies: int = 0
    transfers: int = 0
    polls: int = 0


def _leaves_word(error: ProgramError) -> bool:
    """Whether an int had more than 64 bits there."""
    cause = error.__cause__
    if cause is not None:
        return leaves_word(type(cause), str(cause))
    return leaves_word(error.site.exception, error.site.message)


def _class(name: str | type[BaseException]) -> type[BaseException]:
    return exception_class(name) if isinstance(name, str) else name


class ProgramRun:
    """One call of a program. `host`: the host's memory, if it is not to be one of its own."""

    def __init__(self, program: ir.Program, host: Memory | None = None) -> None:
        self.program = program
        self.memory = host or Memory()
        self.kernel_memory = self.memory if program.memory == ir.HOST else Memory(DEVICE_START)
        self.counts = Counts()
        self.inputs: Sequence[Any] = []
        self.outputs: list[Any] = [None] * program.out_words
        self.owners: dict[int, Region] = {}
        self.constants = [self.constant(np.ascontiguousarray(c).reshape(-1).view(np.uint8)) for c in program.constants]
        self.depth = 0
        self.stacks: dict[int, list[Any]] = {}
        self.caught: list[ProgramError] = []
        self.parked: list[ProgramError] = []
        self.committed: list[bool] = []

    def constant(self, raw: Numbers) -> Region:
        """A constant's region in the memory of kernels."""
        regions = [memory.add(raw.copy()) for memory in dict.fromkeys((self.memory, self.kernel_memory))]
        for region in regions:
            region.bytes.flags.writeable = False
        if len(regions) > 1:
            regions[-1].twin = regions[0].base, 0
        return regions[-1]

    def memory_of(self, owner: int) -> Memory:
        """The memory that a block is in."""
        return self.kernel_memory if owner >= DEVICE_START else self.memory

    # --- values ---

    def encode(self, value: object, type_: Type) -> list[Any]:
        """The words of a value; an array's are an address in memory taken on."""
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
                        words += self.encode(parts[n], t) if k == tag else [0] * type_words(t)
                return words
            case _:
                return []

    def encode_array(self, array: Numbers) -> list[Any]:
        """The words of an array, in the memory of its base."""
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

    def encode_new(self, value: object, type_: Type) -> list[Any]:
        """Words of a result of a host call: arrays become new blocks."""
        if not isinstance(type_, TensorType):
            return self.encode(value, type_)
        array = np.ascontiguousarray(value).reshape(np.shape(value))
        owner = self.memory.allocate(array.nbytes, False)
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
                        del words[: sum(type_words(t) for t in types)]
                return found
            case _:
                return None

    def decode_array(self, words: list[Any], type_: TensorType) -> Any:
        data, owner = words.pop(0), words.pop(0)
        shape = [int(words.pop(0)) for _ in range(type_.rank)]
        strides = [int(words.pop(0)) for _ in range(type_.rank)]
        for have, want in zip(shape, type_.shape, strict=True):
            require(not isinstance(want, int) or want == have, f"extent {have} where the type says {want}")
        grid = np.indices(shape).reshape(len(shape), -1) if shape else np.zeros((0, 1), int)
        addresses = data + sum((g * s for g, s in zip(grid, strides, strict=True)), np.zeros(grid.shape[1], int))
        if owner and not owner & 1:
            require(self.memory.block(owner).count, "a result in memory that was given back")
        return self.memory.load(addresses, type_.dtype).reshape(shape).copy()

    # --- running ---

    def read_word(self, index: int, type_: DType | None) -> Any:
        """A word of what the entry was given."""
        return self.inputs[index]

    def run(self, words: Sequence[Any]) -> list[Any]:
        self.inputs = words
        require(len(words) == self.program.in_words, "a call with too few or too many words")
        with room_to_recurse(_RECURSION_LIMIT):
            self.block(self.program.functions[self.program.entry].body, {})
        return self.outputs

    def value(self, operand: ir.Operand, env: _Registers) -> Any:
        if isinstance(operand, ir.Imm):
            return operand.value if operand.type is None else operand.type.numpy.type(operand.value)
        return env[operand]

    def put(self, env: _Registers, out: ir.Reg, value: Word) -> None:
        require(out not in env or self.depth, "a register assigned twice")
        env[out] = int(value) if out.type is None else out.type.numpy.type(value)

    def block(self, block: ir.Block, env: _Registers) -> list[Any]:
        for statement in block.statements:
            self.statement(statement, env)
        return [self.value(r, env) for r in block.results]

    def statement(self, s: ir.Statement, env: _Registers) -> None:
        v, memory = self.value, self.kernel_memory
        match s:
            case ir.Scalar():
                args = [np.asarray(v(a, env)).reshape(1) for a in s.args]
                assert s.out.type is not None
                self.put(env, s.out, compute(s.op, s.out.type, args)[0])
            case ir.Offset():
                self.put(env, s.out, v(s.base, env) + int(v(s.bytes, env)))
            case ir.LoadElement():
                assert s.out.type is not None
                self.put(env, s.out, memory.load(np.array([v(s.address, env)]), s.out.type)[0])
            case ir.StoreElement():
                assert s.value.type is not None
                memory.store(np.array([v(s.address, env)]), np.array([v(s.value, env)]), s.value.type)
            case ir.ReadWord():
                self.put(env, s.out, self.read_word(s.index, s.out.type))
            case ir.WriteWord():
                require(self.outputs[s.index] is None, "a word of the results written twice")
                self.outputs[s.index] = v(s.value, env)
            case ir.Alloc():
                self.counts.allocs += 1
                memory = memory if s.memory == self.program.memory else self.memory
                self.put(env, s.owner, memory.allocate(int(v(s.bytes, env)), s.zeroed))
            case ir.Move():
                self.move(s, env)
            case ir.Retain():
                self.memory_of(v(s.owner, env)).change(v(s.owner, env), 1)
            case ir.Release():
                self.memory_of(v(s.owner, env)).change(v(s.owner, env), -1)
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
            case ir.Parallel():
                self.parallel(s, env)
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
            case ir.BlockData():
                self.put(env, s.out, memory.block(v(s.owner, env)).base + ir.BLOCK_HEADER_BYTES)
            case ir.Mirror():
                self.mirror(s, env)
            case ir.Fetch():
                self.fetch(s, env)
            case ir.Transfer():
                self.transfer(s, env)
            case _:
                self.stack(s, env)

    def loop(self, s: ir.While, env: _Registers) -> None:
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

    def parallel(self, s: ir.Parallel, env: _Registers) -> None:
        """The last first, since the order must not matter."""
        failed: ProgramError | None = None
        for index in reversed(range(int(self.value(s.count, env)))):
            inner = dict(env)
            self.put(inner, s.index, index)
            try:
                self.block(s.body, inner)
            except ProgramError as error:
                failed = error
        if failed is not None:
            raise failed

    def try_(self, s: ir.Try, env: _Registers) -> None:
        self.committed.append(False)
        stacks = [self.stacks[self.value(stack, env)] for stack in s.stacks]
        depths = [len(entries) for entries in stacks]
        try:
            left = self.block(s.body, dict(env))
        except ProgramError as error:
            if self.committed[-1] or (self.program.words_escape and _leaves_word(error)):
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

    def call(self, s: ir.Call, env: _Registers) -> None:
        function = self.program.functions[s.function]
        if self.depth > _DEEPEST:
            raise ProgramError(self.program.sites[s.site], ())
        self.depth += 1
        args = dict(zip(function.params, (self.value(a, env) for a in s.args), strict=True))
        results = self.block(function.body, args)
        self.depth -= 1
        for out, value in zip(s.outs, results, strict=True):
            self.put(env, out, value)

    def launch(self, s: ir.Launch, env: _Registers) -> None:
        kernel = self.program.kernels[s.kernel]
        buffers, params = kernel_ir.launch_signature(kernel)
        args = [self.value(a, env) for a in s.args]
        require(len(args) == len(buffers) + len(params), f"a launch of {s.kernel} with too few or too many arguments")
        self.counts.launches.append(s.kernel)
        pointers, given = args[: len(buffers)], args[len(buffers) :]
        for param, value in zip(params, given, strict=True):
            require(np.asarray(value).dtype == param.dtype.numpy, f"{s.kernel}: {param.name} is of another dtype")
        if isinstance(kernel, kernel_ir.Contraction):
            run_contraction(self.kernel_memory, kernel, pointers, given)
        else:
            self.check_aliases(kernel, pointers)
            run_kernel(self.kernel_memory, kernel, pointers, given)

    def check_aliases(self, kernel: kernel_ir.Kernel, pointers: Sequence[int]) -> None:
        for (a, p), (b, q) in itertools.combinations(zip(kernel.buffers, pointers, strict=True), 2):
            if (a.written or b.written) and p == q and b.name not in a.aliases:
                empty = len(self.kernel_memory.at(p).bytes) == ir.BLOCK_HEADER_BYTES
                require(empty, f"{kernel.name}: {a.name} is {b.name}")

    def copy(self, target: int, source: int, size: int) -> None:
        self.counts.copies += 1
        require(target + size <= source or source + size <= target, "a copy onto itself")
        data = self.kernel_memory.load(source + np.arange(size), _BYTE)
        self.kernel_memory.store(target + np.arange(size), data, _BYTE)

    def mirror(self, s: ir.Mirror, env: _Registers) -> None:
        owner = self.kernel_memory.allocate(int(self.value(s.bytes, env)), False)
        self.kernel_memory.block(owner).twin = self.value(s.source, env), self.value(s.held, env)
        self.put(env, s.owner, owner)

    def fetch(self, s: ir.Fetch, env: _Registers) -> None:
        data = self.value(s.data, env)
        found = held = 0
        if data:
            region = self.kernel_memory.region(data, 0)
            begin = region.base + (ir.BLOCK_HEADER_BYTES if region.count is not None else 0)
            if region.twin is None:
                region.twin = self.copied_out(region)
            else:
                self.memory.change(region.twin[1], 1)
            found, held = region.twin[0] + data - begin, region.twin[1]
        self.put(env, s.found, found)
        self.put(env, s.held, held)

    def copied_out(self, region: Region) -> tuple[int, int]:
        """The host's copy of a block: its address and its owner."""
        self.counts.transfers += 1
        owner = self.memory.allocate(len(region.bytes) - ir.BLOCK_HEADER_BYTES, False)
        made = self.memory.block(owner)
        made.bytes[:], made.written = region.bytes, region.written
        return owner + ir.BLOCK_HEADER_BYTES, owner

    def transfer(self, s: ir.Transfer, env: _Registers) -> None:
        self.counts.transfers += 1
        shape = [int(self.value(d, env)) for d in s.shape]
        grid = np.indices([*shape, s.size]).reshape(len(shape) + 1, -1)
        target, source = (
            self.value(base, env)
            + sum((g * int(self.value(x, env)) for g, x in zip(grid[:-1], strides, strict=True)), grid[-1])
            for base, strides in ((s.target, s.target_strides), (s.source, s.source_strides))
        )
        outer, inner = self.memory, self.kernel_memory
        if s.inwards:
            inner.store(target, outer.load(source, _BYTE), _BYTE)
        else:
            outer.store(target, inner.load(source, _BYTE), _BYTE)

    def move(self, s: ir.Move, env: _Registers) -> None:
        size, old = int(self.value(s.size, env)), self.value(s.old, env)
        self.counts.allocs += 1
        owner = self.kernel_memory.allocate(int(self.value(s.rows, env)) * size, zeroed=True)
        kept = int(self.value(s.kept, env)) * size
        if kept:
            self.copy(owner + ir.BLOCK_HEADER_BYTES, self.value(s.source, env), kept)
        self.kernel_memory.change(old, -1)
        self.put(env, s.owner, owner)

    def host(self, s: ir.Host, env: _Registers) -> None:
        call = self.program.host_calls[s.index]
        words = [self.value(a, env) for a in s.args]
        given = [self.decode(words, t) for t in call.arg_types]
        try:
            results = call.function(*given)
        except Exception as error:
            raise ProgramError(self.program.sites[s.site], ()) from error
        results = (results,) if call.bare else results
        made = [w for r, t in zip(results, call.result_types, strict=True) for w in self.encode_new(r, t)]
        for out, value in zip(s.outs, made, strict=True):
            self.put(env, out, value)

    def stack(self, s: ir.Statement, env: _Registers) -> None:
        match s:
            case ir.StackNew():
                region = self.memory.add(np.zeros(1, np.uint8), count=1)
                self.stacks[region.base] = []
                self.put(env, s.out, region.base)
            case ir.StackPush():
                entries = self.stacks[self.value(s.stack, env)]
                entries.append(tuple((o.type, self.value(o, env)) for o in s.values))
            case ir.StackPop():
                entries = self.stacks[self.value(s.stack, env)]
                entry = entries.pop()
                for out, (type_, value) in zip(s.outs, entry, strict=True):
                    require(out.type is type_, "popped as what it was not pushed as")
                    self.put(env, out, value)
            case ir.StackFree():
                require(not self.stacks.pop(self.value(s.stack, env)), "a stack freed with entries on it")
                self.memory.change(self.value(s.stack, env), -1)
            case _:
                raise Fault(f"a statement that nothing runs: {s}")


def run_program(
    program: ir.Program, args: Sequence[Any], arg_types: Sequence[Type], result_types: Sequence[Type]
) -> tuple[list[Any], Counts]:
    """The results of a program's entry, given NumPy arrays (written to where the program does) and numbers, and what it
    did. Raises ProgramError where it ended at an error site, Fault for what no program may do."""
    run = ProgramRun(program)
    words = [w for a, t in zip(args, arg_types, strict=True) for w in run.encode(a, t)]
    out = list(run.run(words))
    rest = list(out)
    results = [run.decode(rest, t) for t in result_types]
    require(not rest, "more words of results than their types have")
    for owner in _owners(out, result_types):
        run.memory.change(owner, -1)
    for memory in (run.memory, run.kernel_memory):
        require(not memory.leaked, f"{memory.leaked} blocks were never given back")
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
                del rest[: type_words(type_) - 2]
            case UnionType(members):
                rest.pop(0)
                for member in members:
                    walk(member)
            case TupleType(items):
                for item in items:
                    walk(item)
            case _:
                del rest[: type_words(type_)]

    for type_ in types:
        walk(type_)
    return found
