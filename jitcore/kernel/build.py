"""Makes kernels: what primitives' kernel templates and the `plan` pass write them with.

    k = KernelBuilder("transpose_sum", {"x": x_layout, "out": out_layout})
    i, j = k.axis(rows), k.axis(columns, reduce=True)
    total = k.reduce("sum", k.load("x", (j, i)))
    k.store("out", (i,), total)
    kernel, dims = k.finish()

Extents, strides and offsets are dimensions (`types.Dim`); those not known at compile time become i64 params
of the kernel, and `finish` says which dimension each stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from jitcore.kernel.nodes import (
    Address,
    Axis,
    Bound,
    Buffer,
    Compute,
    Constant,
    Contraction,
    ContractionAxis,
    ContractionOperand,
    Extent,
    Instruction,
    Kernel,
    Load,
    Param,
    ReadAxis,
    ReadParam,
    Reduction,
    Store,
    is_search,
)
from jitcore.kernel.scalar import OPS
from jitcore.structs import dataclass, field
from jitcore.types import Dim, DType, Shape, bool_, i64, u64


@dataclass(frozen=True, slots=True)
class ArrayLayout:
    """Where the elements of an array lie: element [i, j, …] is at offset + i*strides[0] + …,
    counted in elements."""

    dtype: DType
    shape: Shape
    strides: Shape
    offset: Dim = 0

    @staticmethod
    def contiguous(dtype: DType, shape: Shape) -> ArrayLayout:
        """Row-major without gaps."""
        strides: list[Dim] = []
        step: Dim = 1
        for extent in reversed(shape):
            strides.insert(0, step)
            step = step * extent
        return ArrayLayout(dtype, shape, tuple(strides))

    @property
    def is_contiguous(self) -> bool:
        """Whether it is known to be row-major without gaps (axes of extent 1 may have any stride)."""
        want = ArrayLayout.contiguous(self.dtype, self.shape).strides
        return all(s is w or s == w or d == 1 for s, w, d in zip(self.strides, want, self.shape, strict=True))


@dataclass(frozen=True, slots=True)
class Index:
    """An affine index: offset + sum(coefficient * axis) + sum(coefficient * value)."""

    offset: Dim = 0
    axes: Mapping[str, Dim] = field(default_factory=dict[str, Dim])
    values: Mapping[str, Dim] = field(default_factory=dict[str, Dim])

    def __add__(self, other: IndexLike) -> Index:
        other = as_index(other)
        return Index(self.offset + other.offset, _sum(self.axes, other.axes), _sum(self.values, other.values))

    __radd__ = __add__

    def __mul__(self, factor: Dim) -> Index:
        return Index(
            self.offset * factor,
            {k: v * factor for k, v in self.axes.items()},
            {k: v * factor for k, v in self.values.items()},
        )

    __rmul__ = __mul__

    def __neg__(self) -> Index:
        return self * -1

    def __sub__(self, other: IndexLike) -> Index:
        return self + as_index(other) * -1


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar computed in a kernel, named by its instruction."""

    name: str
    dtype: DType


IndexLike: TypeAlias = "Index | Value | Dim"


def as_index(index: IndexLike) -> Index:
    """An Index for an axis, a computed i64 value, or a dimension."""
    if isinstance(index, Index):
        return index
    if isinstance(index, Value):
        return Index(0, {}, {index.name: 1})
    return Index(index)


def _sum(a: Mapping[str, Dim], b: Mapping[str, Dim]) -> Mapping[str, Dim]:
    total = dict(a)
    for name, coefficient in b.items():
        total[name] = total.get(name, 0) + coefficient
    return {k: v for k, v in total.items() if v != 0}


class _DimParams:
    """The i64 params that stand for dimensions known at run time only."""

    def __init__(self) -> None:
        self.dims: dict[str, Dim] = {}
        self._names: dict[Dim, str] = {}

    def extent(self, dim: Dim) -> Extent:
        if isinstance(dim, int):
            return dim
        name = self._names.get(dim)
        if name is None:
            name = self._names[dim] = f"d{len(self._names)}"
            self.dims[name] = dim
        return name

    def address(self, layout: ArrayLayout, indices: Sequence[IndexLike]) -> Address:
        """The address of an element; an index of an axis with extent 1 may be anything that is 0."""
        offset = layout.offset
        axes: dict[str, Dim] = {}
        values: dict[str, Dim] = {}
        for stride, index in zip(layout.strides, indices, strict=True):
            index = as_index(index)
            offset += index.offset * stride
            for name, coefficient in index.axes.items():
                axes[name] = axes.get(name, 0) + coefficient * stride
            for name, coefficient in index.values.items():
                values[name] = values.get(name, 0) + coefficient * stride
        return Address(self._terms(axes), self.extent(offset), self._terms(values))

    def _terms(self, coefficients: Mapping[str, Dim]) -> tuple[tuple[str, Extent], ...]:
        return tuple([(name, self.extent(c)) for name, c in coefficients.items() if c != 0])


class KernelBuilder:
    """Builds one Kernel over named buffers.

    Loads and computations before the first `reduce` are the body, later ones (which may use its result) the epilogue.
    `aliases`: pairs of buffers that may be the same memory.
    """

    def __init__(
        self, name: str, layouts: Mapping[str, ArrayLayout], aliases: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self.name = name
        self.layouts = dict(layouts)
        self._aliases = aliases or {}
        self._dims = _DimParams()
        self._axes: list[Axis] = []
        self._params: dict[str, Param] = {}
        self._body: list[Instruction] = []
        self._epilogue: list[Instruction] = []
        self._reductions: list[Reduction] = []
        self._stores: list[Store] = []
        self._serial: list[str] = []
        self._count = 0
        self._cache: dict[tuple[object, ...], Value] = {}

    def axis(self, extent: Dim, reduce: bool = False, serial: bool = False) -> Index:
        """A new loop axis, inside those made before; reduce axes come last."""
        name = f"{'r' if reduce else 'i'}{len(self._axes)}"
        self._axes.append(Axis(name, self._dims.extent(extent), reduce))
        if serial:
            self._serial.append(name)
        return Index(0, {name: 1})

    def axes(self, shape: Shape, reduce: bool = False) -> tuple[Index, ...]:
        """One axis for every extent."""
        return tuple(self.axis(d, reduce) for d in shape)

    def _emit(self, make: Instruction) -> Value:
        (self._epilogue if self._reductions else self._body).append(make)
        dtype = i64 if isinstance(make, ReadAxis) else make.dtype
        return Value(make.name, dtype)

    def _once(self, key: tuple[object, ...], make: Instruction) -> Value:
        key = (bool(self._reductions), *key)
        if key not in self._cache:
            self._cache[key] = self._emit(make)
        return self._cache[key]

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def const(self, dtype: DType, value: bool | int | float | complex) -> Value:
        """A constant."""
        return self._once(("const", dtype, type(value), repr(value)), Constant(self._name(), dtype, value))

    def scalar(self, name: str, dtype: DType) -> Value:
        """The value of a scalar argument of the launch, called `name`."""
        self._params[name] = Param(name, dtype)
        return self._once(("param", name), ReadParam(self._name(), dtype, name))

    def dim(self, dim: Dim) -> Value:
        """A dimension as an i64 value."""
        extent = self._dims.extent(dim)
        if isinstance(extent, int):
            return self.const(i64, extent)
        return self._once(("param", extent), ReadParam(self._name(), i64, extent))

    def index_value(self, index: IndexLike) -> Value:
        """An index as an i64 value to compute with."""
        index = as_index(index)
        terms: list[Value] = []
        for axis, coefficient in index.axes.items():
            terms.append(self._scaled(self._once(("axis", axis), ReadAxis(self._name(), axis)), coefficient))
        for value, coefficient in index.values.items():
            terms.append(self._scaled(Value(value, i64), coefficient))
        if index.offset != 0 or not terms:
            terms.append(self.dim(index.offset))
        total = terms[0]
        for term in terms[1:]:
            total = self("add", i64, total, term)
        return total

    def _scaled(self, value: Value, coefficient: Dim) -> Value:
        return value if coefficient == 1 else self("mul", i64, value, self.dim(coefficient))

    def load(
        self,
        buffer: str,
        indices: Sequence[IndexLike],
        mask: Value | None = None,
        fill: bool | int | float | complex = 0,
    ) -> Value:
        """The element at `indices`; `fill` where the mask is false, or an index that is a computed value is outside the
        array."""
        layout = self.layouts[buffer]
        mask = self.all_of(mask, *self._computed_inside(layout, indices))
        address = self._dims.address(layout, indices)
        name = mask.name if mask else None
        key = ("load", buffer, address, name, type(fill), repr(fill))
        return self._once(key, Load(self._name(), layout.dtype, buffer, address, name, fill))

    def __call__(self, op: str, dtype: DType, *args: Value) -> Value:
        """`op(args…)`, giving `dtype`."""
        if len(args) != OPS[op].arity:
            raise TypeError(f"{op} takes {OPS[op].arity} arguments, not {len(args)}")
        names = tuple(a.name for a in args)
        return self._once((op, dtype, names), Compute(self._name(), dtype, op, names))

    def cast(self, dtype: DType, value: Value) -> Value:
        """`value` converted to `dtype`."""
        return value if value.dtype is dtype else self("cast", dtype, value)

    def within(self, index: IndexLike, extent: Dim) -> Value:
        """Whether 0 <= index < extent, as a mask."""
        value = self.index_value(index)
        low = self("ge", bool_, value, self.const(i64, 0))
        return self("and", bool_, low, self("lt", bool_, value, self.dim(extent)))

    def all_of(self, *masks: Value | None) -> Value | None:
        """The conjunction of masks; None if there is none."""
        total: Value | None = None
        for mask in masks:
            if mask is not None:
                total = mask if total is None else self("and", bool_, total, mask)
        return total

    def _computed_inside(self, layout: ArrayLayout, indices: Sequence[IndexLike]) -> list[Value]:
        """Whether the indices that are not loops' alone are in the array: here indices become addresses, and none
        leaves its buffer whatever the values are. What is out of range raises before
        (`primitives.ops.indexing.check_indices`)."""
        made = zip(map(as_index, indices), layout.shape, strict=True)
        return [self._below(index, extent) for index, extent in made if index.values]

    def _below(self, index: Index, extent: Dim) -> Value:
        """As `within`, by one comparison: as an unsigned number a negative one is too large."""
        return self("lt", bool_, self.cast(u64, self.index_value(index)), self.cast(u64, self.dim(extent)))

    def reduce(self, op: str, value: Value, dtype: DType | None = None) -> Value:
        """The fold of a body value over the reduce axes. All of a kernel's reductions come before its epilogue."""
        if self._epilogue:
            raise TypeError(f"kernel {self.name}: a reduction after the epilogue has begun")
        name = self._name()
        result = i64 if is_search(op) else dtype or value.dtype
        self._reductions.append(Reduction(name, result, op, value.name))
        return Value(name, result)

    def store(
        self,
        buffer: str,
        indices: Sequence[IndexLike],
        value: Value,
        mask: Value | None = None,
        accumulate: bool = False,
    ) -> None:
        """Write an element where the mask is true and every index that is a computed value is in the array;
        `accumulate` adds to it."""
        mask = self.all_of(mask, *self._computed_inside(self.layouts[buffer], indices))
        address = self._dims.address(self.layouts[buffer], indices)
        self._stores.append(Store(buffer, address, value.name, mask.name if mask else None, accumulate))

    def finish(self) -> tuple[Kernel, Mapping[str, Dim]]:
        """The kernel, and the dimension each of its extent params stands for. Params of `scalar` come first."""
        written = {s.buffer for s in self._stores}
        buffers = tuple(Buffer(n, a.dtype, n in written, self._aliases.get(n, ())) for n, a in self.layouts.items())
        params = (*self._params.values(), *(Param(n, i64) for n in self._dims.dims))
        kernel = Kernel(
            self.name,
            tuple(self._axes),
            buffers,
            params,
            tuple(self._body),
            tuple(self._stores),
            tuple(self._reductions),
            tuple(self._epilogue),
            tuple(self._serial),
        )
        return kernel, self._dims.dims


class ContractionBuilder:
    """Builds one Contraction over buffers "a", "b" and "c".

    k = ContractionBuilder("matmul", {"a": …, "b": …, "c": …})
    m, n, q = k.axis("m", rows), k.axis("n", columns), k.axis("k", inner)
    k.operand("a", (m, q)); k.operand("b", (q, n)); k.operand("c", (m, n))
    """

    def __init__(self, name: str, layouts: Mapping[str, ArrayLayout]) -> None:
        self.name = name
        self.layouts = layouts
        self._dims = _DimParams()
        self._axes: list[ContractionAxis] = []
        self._operands: dict[str, ContractionOperand] = {}

    def axis(self, role: str, extent: Dim) -> Index:
        """A new axis of role batch, m, n or k; axes of one role are row-major in the order they are made."""
        name = f"{role}{len(self._axes)}"
        self._axes.append(ContractionAxis(name, self._dims.extent(extent), role))
        return Index(0, {name: 1})

    def operand(self, buffer: str, indices: Sequence[IndexLike], bounds: Sequence[tuple[IndexLike, Dim]] = ()) -> None:
        """How a buffer is indexed; reads are 0 where an index of `bounds` is not in 0 … extent-1."""
        made: list[Bound] = []
        for index, extent in bounds:
            index = as_index(index)
            axes = tuple((axis, self._dims.extent(c)) for axis, c in index.axes.items())
            made.append(Bound(axes, self._dims.extent(index.offset), self._dims.extent(extent)))
        self._operands[buffer] = ContractionOperand(
            buffer, self._dims.address(self.layouts[buffer], indices), tuple(made)
        )

    def finish(self) -> tuple[Contraction, Mapping[str, Dim]]:
        """The contraction, and the dimension each of its params stands for."""
        made = Contraction(
            self.name,
            self.layouts["c"].dtype,
            tuple(self._axes),
            tuple(Param(n, i64) for n in self._dims.dims),
            self._operands["a"],
            self._operands["b"],
            self._operands["c"],
        )
        return made, self._dims.dims


class Template:
    """What a primitive's `KernelTemplate.build(t, *operands, **params)` is given: it makes launches with it.

    Operands are names of buffers; `t.layouts[name]` says where their elements lie; `t.outs` names the outputs
    (contiguous). A Python scalar operand is the name of a launch value: read it with `kernel.scalar(name, dtype)`.
    """

    def __init__(self, name: str, layouts: Mapping[str, ArrayLayout], outs: tuple[str, ...]) -> None:
        self.name = name
        self.layouts = dict(layouts)
        self.outs = outs
        self.temporaries: dict[str, ArrayLayout] = {}
        self.launches: list[tuple[KernelBuilder | ContractionBuilder, Mapping[str, str]]] = []
        """(builder, its buffer names → names in `layouts`), in the order they are to be run."""

    def kernel(self, *buffers: str) -> KernelBuilder:
        """A kernel over the named buffers (all of them if none is named)."""
        names = buffers or tuple(self.layouts)
        builder = KernelBuilder(f"{self.name}_{len(self.launches)}", {n: self.layouts[n] for n in names})
        self.launches.append((builder, {n: n for n in names}))
        return builder

    def contraction(self, a: str, b: str, c: str) -> ContractionBuilder:
        """A contraction c = a · b over the named buffers."""
        roles = {"a": a, "b": b, "c": c}
        builder = ContractionBuilder(
            f"{self.name}_{len(self.launches)}", {r: self.layouts[n] for r, n in roles.items()}
        )
        self.launches.append((builder, roles))
        return builder

    def temporary(self, dtype: DType, shape: Shape) -> str:
        """A scratch array, contiguous, alive until the last launch."""
        name = f"t{len(self.temporaries)}"
        self.temporaries[name] = self.layouts[name] = ArrayLayout.contiguous(dtype, shape)
        return name
