"""The kernel IR: what one launch computes. Loop axes, loads, stores and a closed set of scalar operations.

A `Kernel` is evaluated as

    for every point of the parallel axes:
        for every point of the reduce axes:
            run `body`; fold the value of every reduction into its accumulator
        run `epilogue` (it sees the reductions' results by name)
        do the `stores`

Without reductions there are no reduce axes and no epilogue: `body`, then `stores`. A kernel never raises
and never writes outside its buffers: whoever builds it masks accesses (`Load.mask`, `Store.mask`).
Results depend on the kernel and its extents alone, never on the number of threads.

A `Contraction` is a (batched) matrix product whose operands are read through index maps; convolutions
and their gradients are contractions too.

Extents, strides and offsets are ints, or names of i64 parameters where they are known only at run time.
All strides and offsets count elements.
"""

from __future__ import annotations

from typing import TypeAlias

from jitcore.structs import dataclass
from jitcore.types import DType

Extent: TypeAlias = "int | str"
"""A number, or the name of an i64 parameter."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One loop. `reduce` axes are innermost and come after all parallel ones, outermost first."""

    name: str
    extent: Extent
    reduce: bool = False


@dataclass(frozen=True, slots=True)
class Buffer:
    """A pointer argument. `written` if any store goes to it; buffers of one kernel overlap only if `aliases` says so
    (then elementwise: each point reads only what it writes itself)."""

    name: str
    dtype: DType
    written: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Param:
    """A scalar argument: an extent or stride (i64), or a value of any dtype."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Address:
    """offset + sum(coefficient * axis) + sum(coefficient * value), in elements of the buffer.

    `axes` maps axis names, `values` names of i64 instructions, to coefficients.
    """

    axes: tuple[tuple[str, Extent], ...] = ()
    offset: Extent = 0
    values: tuple[tuple[str, Extent], ...] = ()


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of a dtype."""

    name: str
    dtype: DType
    value: bool | int | float | complex


@dataclass(frozen=True, slots=True)
class ReadParam:
    """The value of a scalar parameter."""

    name: str
    dtype: DType
    param: str


@dataclass(frozen=True, slots=True)
class ReadAxis:
    """The index of an axis, as i64."""

    name: str
    axis: str


@dataclass(frozen=True, slots=True)
class Load:
    """buffer[address]; where `mask` (a bool_ instruction) is false nothing is read and the value is `fill`."""

    name: str
    dtype: DType
    buffer: str
    address: Address
    mask: str | None = None
    fill: bool | int | float | complex = 0


@dataclass(frozen=True, slots=True)
class Compute:
    """`op(args…)` of `kernel.scalar.OPS`. `dtype` is the result's; the arguments' are their own."""

    name: str
    dtype: DType
    op: str
    args: tuple[str, ...]


Instruction: TypeAlias = "Constant | ReadParam | ReadAxis | Load | Compute"


@dataclass(frozen=True, slots=True)
class Reduction:
    """The fold of `value` over the reduce axes. `op`: sum, prod, max, min (NumPy's: NaN wins), any, all,
    argmax, argmin (i64: the first place in row-major order of the reduce axes; a NaN counts as the extreme)."""

    name: str
    dtype: DType
    op: str
    value: str

    @property
    def is_search(self) -> bool:
        """Whether it gives a place, not what is there."""
        return is_search(self.op)


def is_search(op: str) -> bool:
    """Whether a reduction gives a place, not what is there."""
    return op in ("argmax", "argmin")


@dataclass(frozen=True, slots=True)
class Store:
    """buffer[address] = value where `mask`; `accumulate` adds to what is there (atomic or serial: any order of
    points that collide must give the same result on every run, so a kernel with colliding stores is `serial`)."""

    buffer: str
    address: Address
    value: str
    mask: str | None = None
    accumulate: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    """See the module's docstring. `serial` names parallel axes whose points must be run in order by one thread."""

    name: str
    axes: tuple[Axis, ...]
    buffers: tuple[Buffer, ...]
    params: tuple[Param, ...]
    body: tuple[Instruction, ...]
    stores: tuple[Store, ...]
    reductions: tuple[Reduction, ...] = ()
    epilogue: tuple[Instruction, ...] = ()
    serial: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bound:
    """0 <= offset + sum(coefficient * axis) < extent; outside of it the operand reads as 0."""

    axes: tuple[tuple[str, Extent], ...]
    offset: Extent
    extent: Extent


@dataclass(frozen=True, slots=True)
class ContractionAxis:
    """One index of a contraction. `role`: batch (in a, b and c), m (a and c), n (b and c), k (a and b)."""

    name: str
    extent: Extent
    role: str


@dataclass(frozen=True, slots=True)
class ContractionOperand:
    """How an operand is read or written: an affine address, and bounds outside of which it is 0 (reads only)."""

    buffer: str
    address: Address
    bounds: tuple[Bound, ...] = ()


@dataclass(frozen=True, slots=True)
class Contraction:
    """c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, k, n], each index being several axes, row-major.

    Examples: a matrix product has one axis each of roles m, n, k; a convolution NCHW/OIHW has batch axis `n`,
    m axis `o`, n axes `oh ow`, k axes `c kh kw`, with bounds on b for the padding.
    `dtype` is that of all operands (f32 or f64; others are computed by a Kernel).
    """

    name: str
    dtype: DType
    axes: tuple[ContractionAxis, ...]
    params: tuple[Param, ...]
    a: ContractionOperand
    b: ContractionOperand
    c: ContractionOperand
    accumulate: bool = False


AnyKernel: TypeAlias = "Kernel | Contraction"


def launch_signature(kernel: AnyKernel) -> tuple[tuple[Buffer, ...], tuple[Param, ...]]:
    """The arguments of a launch, in order: pointers to the buffers, then the params."""
    if isinstance(kernel, Kernel):
        return kernel.buffers, kernel.params
    names = dict.fromkeys((kernel.a.buffer, kernel.b.buffer, kernel.c.buffer))
    return tuple(Buffer(n, kernel.dtype, written=n == kernel.c.buffer) for n in names), kernel.params
