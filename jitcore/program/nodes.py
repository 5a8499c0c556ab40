"""The program IR: everything between kernels. Structured control flow over registers, buffers, stacks,
checks and launches; what the `plan` pass emits and a backend loads.

Registers are assigned once and typed: a DType's name for scalars (`bool_` is one bit), `ptr` for
addresses. An `If` or `While` binds its results as `outs`.

**Ownership.** Memory the program allocates is a *block*: a 64-byte header (its reference count and
links), then the bytes. `Alloc` gives the block's `owner` (the header's address; the data begins at
owner + 64) with a count of 1; `Retain`/`Release` change it. Memory that came with an argument has an owner
whose lowest bit is set (the Python object's address | 1), and memory that never dies has owner 0:
Retain and Release do nothing to either. All blocks of a call are freed if it ends in an exception, so
programs need no unwinding.

**Memory.** Blocks, constants and the buffers of kernels are in the program's `memory`, which is the host's (that of
Python's objects) on a CPU; `LoadElement`, `StoreElement`, `Copy` and `Move` are of it. In a program of another memory
blocks have their headers elsewhere (`BlockData`), and what is passed in words lies in the host's: arguments are
mirrored (`Mirror`), results fetched (`Fetch`), and the host's blocks are those that an Alloc says so of. `Transfer`
moves elements from one memory to the other; nothing else touches both.

**Words.** A call passes its arguments in `in` and its results in `out`, arrays of 8-byte words. A Python
scalar is one word (a bool as 0 or 1, a complex as two). An array is 2 + 2·rank words: data pointer, owner,
extents, strides in bytes. A union is one word for the tag followed by the words of every member; None and
undefined have none. Results own one count of their block.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from jitcore.kernel.nodes import AnyKernel
from jitcore.source import Span
from jitcore.structs import dataclass, field
from jitcore.types import DType

BLOCK_HEADER_BYTES: Final = 64
"""From the address of a block of the host (its owner) to its data."""

HOST: Final = "host"
"""The memory of Python's objects."""


@dataclass(frozen=True, slots=True, eq=False)
class Reg:
    """A register. `type` is a DType, or None for an address."""

    name: str
    type: DType | None

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Imm:
    """A constant operand; with type None, a null address (value 0)."""

    value: bool | int | float | complex
    type: DType | None

    def __repr__(self) -> str:
        return f"{self.type.name if self.type else 'ptr'}({self.value!r})"


Operand: TypeAlias = "Reg | Imm"


@dataclass(frozen=True, slots=True)
class Block:
    """Statements, then the operands they leave behind. `spans`: where each statement stands in the source, for those
    who look."""

    statements: tuple[Statement, ...]
    results: tuple[Operand, ...] = ()
    spans: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Scalar:
    """`out = op(args…)`, an operation of `kernel.scalar.OPS`."""

    out: Reg
    op: str
    args: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Offset:
    """`out = base + bytes`: address arithmetic."""

    out: Reg
    base: Operand
    bytes: Operand


@dataclass(frozen=True, slots=True)
class LoadElement:
    """`out = *address`, an element of out's type."""

    out: Reg
    address: Operand


@dataclass(frozen=True, slots=True)
class StoreElement:
    """`*address = value`."""

    address: Operand
    value: Operand


@dataclass(frozen=True, slots=True)
class ReadWord:
    """`out = in[index]` (entry only); out's type says how its bits are read."""

    out: Reg
    index: int


@dataclass(frozen=True, slots=True)
class WriteWord:
    """`out[index] = value` (entry only)."""

    index: int
    value: Operand


@dataclass(frozen=True, slots=True)
class Alloc:
    """`owner = a new block of `bytes` bytes` of a memory; MemoryError if there is none. `zeroed`: filled with zeros."""

    owner: Reg
    bytes: Operand
    zeroed: bool = False
    memory: str = HOST


@dataclass(frozen=True, slots=True)
class Move:
    """`owner` = a new block of `rows` rows of `size` bytes: the first `kept` are those at `source`, the others zeros;
    MemoryError if there is none. The block `old` has one reference less."""

    owner: Reg
    rows: Operand
    size: Operand
    source: Operand
    kept: Operand
    old: Operand


@dataclass(frozen=True, slots=True)
class BlockData:
    """`out` = where the data of a block begin that is not the host's."""

    out: Reg
    owner: Operand


@dataclass(frozen=True, slots=True)
class Mirror:
    """`owner` = a new block of the program's memory for `bytes` bytes of the host's, at `source`, that the host's owner
    `held` keeps. Nothing is moved; `Fetch` of it gives the host's own."""

    owner: Reg
    source: Operand
    held: Operand
    bytes: Operand


@dataclass(frozen=True, slots=True)
class Fetch:
    """`found` and `held` (an owner) = where the host has what is at `data` of the program's memory: what its block
    mirrors or, with one more reference, the host's copy of the block, which is made by the first Fetch."""

    found: Reg
    held: Reg
    data: Operand


@dataclass(frozen=True, slots=True)
class Transfer:
    """Copy elements of `size` bytes between the host's memory and the program's, from a source to a target of the same
    extents; strides are in bytes. `inwards`: from the host's."""

    target: Operand
    target_strides: tuple[Operand, ...]
    source: Operand
    source_strides: tuple[Operand, ...]
    shape: tuple[Operand, ...]
    size: int
    inwards: bool


@dataclass(frozen=True, slots=True)
class Retain:
    """One more reference to a block."""

    owner: Operand


@dataclass(frozen=True, slots=True)
class Release:
    """One reference less; the last returns the block to the pool."""

    owner: Operand


@dataclass(frozen=True, slots=True)
class IsUnique:
    """`out` (bool_) = the block belongs to this program alone: a block of its own with a count of 1."""

    out: Reg
    owner: Operand


@dataclass(frozen=True, slots=True)
class Constant:
    """`out` = the address of the program's index-th constant array (it lives as long as the program)."""

    out: Reg
    index: int


@dataclass(frozen=True, slots=True)
class Launch:
    """Run a kernel of the program: pointers to its buffers, then its params (`kernel.launch_signature`). If a signal's
    handler raises meanwhile, the rest of the kernel may be left out, and the call ends at error site `site`. `spans`:
    where what it computes stands in the source, an operation each, for those who look."""

    kernel: str
    args: tuple[Operand, ...]
    site: int
    spans: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy `bytes` bytes from `source` to `target`; they do not overlap."""

    target: Operand
    source: Operand
    bytes: Operand


@dataclass(frozen=True, slots=True)
class Check:
    """Unless `ok`, end the call with the program's index-th error site; `values` (at most three i64 or f64) go into
    its message."""

    ok: Operand
    site: int
    values: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """Both blocks leave one operand for each of `outs`."""

    condition: Operand
    then: Block
    orelse: Block
    outs: tuple[Reg, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """`carries` start as `inits`; `test` leaves one bool_; `body` leaves the next carries; `outs` are the last ones.

    `test` and `body` see `carries` as registers.
    """

    carries: tuple[Reg, ...]
    inits: tuple[Operand, ...]
    test: Block
    body: Block
    outs: tuple[Reg, ...]


@dataclass(frozen=True, slots=True)
class Parallel:
    """`body` for each `index` below `count`, in any order or at the same time: what one does, no other sees. Where some
    end the call, it is the one of the lowest index that does; if a signal's handler raises meanwhile, the rest may be
    left out, and the call ends at error site `site`."""

    index: Reg
    count: Operand
    body: Block
    site: int


@dataclass(frozen=True, slots=True)
class Try:
    """`outs` are what `body` leaves; where it ends in an exception of one of the classes `catches[k]`, what
    `handlers[k]` leaves. The first handler that fits is taken; other exceptions go on.

    A block without results where there are `outs` never comes to its end. `matchers[k]`: a host call that says of the
    address of an exception's class whether it is one of `catches[k]`; `site` is for errors of these calls. In handlers
    the `stacks` are what they were before.
    """

    body: Block
    handlers: tuple[Block, ...]
    catches: tuple[tuple[Any, ...], ...]
    matchers: tuple[int, ...]
    site: int
    outs: tuple[Reg, ...] = ()
    stacks: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """In the body of a Try, in no block inside of it: its handlers are not for what comes after."""


@dataclass(frozen=True, slots=True)
class Rethrow:
    """Inside a handler: raise again what it caught; `level` counts the handlers between that and this place. `site`, if
    it is given, says where this is, which the traceback then has too."""

    level: int = 0
    site: int | None = None


@dataclass(frozen=True, slots=True)
class Park:
    """Inside a handler: put what it caught aside."""


@dataclass(frozen=True, slots=True)
class Unpark:
    """Raise again what was put aside, the last but `level`; it stays there if it is to be kept."""

    level: int = 0
    keep: bool = False


@dataclass(frozen=True, slots=True)
class DropParked:
    """What was put aside, the last but `level`, is not needed any more."""

    level: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call a function of the program (recursion). It may end the whole call with an error. RecursionError (error site
    `site`) if the machine's stack is nearly used up."""

    function: str
    args: tuple[Operand, ...]
    outs: tuple[Reg, ...]
    site: int


@dataclass(frozen=True, slots=True)
class StackNew:
    """`out` (ptr) = a new empty stack, of room for `capacity` bytes to begin with; it grows as needed."""

    out: Reg
    capacity: Operand


@dataclass(frozen=True, slots=True)
class StackPush:
    """Push `values` (8 bytes each, 16 for c128). Owners pushed are moved: the stack holds their count."""

    stack: Operand
    values: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class StackPop:
    """Pop what one StackPush pushed, in the same order."""

    stack: Operand
    outs: tuple[Reg, ...]


@dataclass(frozen=True, slots=True)
class StackFree:
    """Give a stack's memory back. It must be empty."""

    stack: Operand


@dataclass(frozen=True, slots=True)
class Host:
    """Call back into Python with the GIL held: `callback(index, in words, out words) -> 0 or 1 (raised)`.

    `index` is into `Program.host_calls`; words are laid out as for the entry. `site` locates what it raises.
    """

    index: int
    args: tuple[Operand, ...]
    outs: tuple[Reg, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Poll:
    """In long loops: look for signals about every 10 ms (Ctrl-C raises KeyboardInterrupt at error site `site`)."""

    site: int


@dataclass(frozen=True, slots=True)
class Library:
    """`out` = what a function of the library of boxes gives for words: numbers, whose bits they are, and addresses.
    MemoryError if it finds no memory."""

    out: Reg
    function: str
    args: tuple[Operand, ...]


Statement: TypeAlias = (
    Scalar | Offset | LoadElement | StoreElement | ReadWord | WriteWord | Alloc | Move | Retain | Release
    | IsUnique | BlockData | Mirror | Fetch | Transfer | Constant | Launch | Copy | Check | If | While | Parallel | Try
    | Commit | Rethrow | Park | Unpark | DropParked | Call | StackNew | StackPush | StackPop | StackFree
    | Host | Library | Poll
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program; the entry has no params and results but `in` and `out` words."""

    name: str
    params: tuple[Reg, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class ErrorSite:
    """What a failed check raises, and where: an exception's name and its message, `{0}` … standing for the values."""

    exception: str
    message: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A compiled unit. `in_words`/`out_words`: the lengths of the entry's word arrays."""

    name: str
    functions: Mapping[str, Function]
    entry: str
    kernels: Mapping[str, AnyKernel]
    in_words: int
    out_words: int
    sites: tuple[ErrorSite, ...] = ()
    constants: tuple[Any, ...] = ()
    """NumPy arrays, C-contiguous."""
    host_calls: tuple[Any, ...] = field(default=())
    """Python callables `f(*args) -> tuple of results`, over NumPy arrays and Python scalars, with their word layouts:
    `HostCall`."""
    memory: str = HOST
    """Where its kernels work."""
    suspends: bool = False
    """Whether it leaves a stack, for another program to go on with."""
    fastmath: tuple[str, ...] = ()
    """What its arithmetic of floats need not keep of IEEE's, by LLVM's names of such flags."""
    nogil: bool = False
    """Whether it lets Python's other threads run from its start on, as long as it makes no host calls."""
    words_escape: bool = False
    """Whether no handler of the program is for ints that leave 64 bits (`words.leaves_word`): Python raises nothing
    there."""
    kept: bool | None = None
    """Whether its code is kept on disk for later processes; None: if it took long to make."""


@dataclass(frozen=True, slots=True, eq=False)
class DirectCall:
    """A Python function that gives the one result of a host call itself, for arguments formed otherwise."""

    function: Any
    objects: int = 0
    """How many of the first arguments, ints, are addresses of objects that it is given."""
    size: int | None = None
    """How many of the last arguments are the extents of a tuple `size`, which it is given by name; None: it is given
    none."""
    named: tuple[str, ...] = ()
    """The names by which it is given the last arguments before those."""
    known: tuple[tuple[str, Any], ...] = ()
    """What else it is given by name."""


@dataclass(frozen=True, slots=True, eq=False)
class HostCall:
    """A Python callable and the word layout of its arguments and results (`jitcore.types` types)."""

    function: Any
    arg_types: tuple[Any, ...]
    result_types: tuple[Any, ...]
    bare: bool = False
    """Numbers in, one number out: `function` gives its result itself, not in a tuple, and is called without a
    callback."""
    described: str = ""
    """What it computes, for the user; empty where there is nothing to tell."""
    objects: int = 0
    """Of a bare one: how many of the first arguments, ints, are addresses of objects that the function is given."""
    direct: DirectCall | None = None
    """What may be called in place of `function`."""
    operation: str = ""
    """The name of what it does, and what that depends on besides the arguments, for code that has no Python to call."""
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
