"""What kernels mean: a slow evaluator on NumPy arrays, the oracle that compiled kernels are tested against.

    evaluate(kernel, {"x": x, "out": out}, {"n": 5})      # writes out

Buffers are flat arrays, the memory that addresses count elements of. Sums are accumulated in a wider type than their
own, so they are closer to the exact sum than any order of adding would be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from jitcore.kernel.nodes import (
    Address,
    AnyKernel,
    Bound,
    Compute,
    Constant,
    Contraction,
    ContractionOperand,
    Extent,
    Instruction,
    Kernel,
    Load,
    ReadAxis,
    ReadParam,
    Reduction,
    Store,
)
from jitcore.kernel.scalar import OPS
from jitcore.types import DType

Array: TypeAlias = "npt.NDArray[Any]"
Values: TypeAlias = "dict[str, Array]"


def evaluate(kernel: AnyKernel, buffers: Mapping[str, Array], params: Mapping[str, Any] | None = None) -> None:
    """Run a kernel or contraction on flat buffers. Raises IndexError where it reads or writes outside of them."""
    if isinstance(kernel, Contraction):
        _Contraction(kernel, buffers, params or {}).run()
    else:
        _Evaluation(kernel, buffers, params or {}).run()


def _number(extent: Extent, params: Mapping[str, Any]) -> int:
    return extent if isinstance(extent, int) else int(params[extent])


def _wide(dtype: np.dtype[Any]) -> type[np.generic] | np.dtype[Any]:
    """The type sums of a dtype are accumulated in."""
    if dtype.kind == "f":
        return np.longdouble
    return np.clongdouble if dtype.kind == "c" else dtype


class _Evaluation:
    """Axes are dimensions of the arrays of values; serial axes are looped over."""

    def __init__(self, kernel: Kernel, buffers: Mapping[str, Array], params: Mapping[str, Any]) -> None:
        self.kernel = kernel
        self.buffers = buffers
        self.params = params
        self.extents = {a.name: _number(a.extent, params) for a in kernel.axes}
        together = [a for a in kernel.axes if a.name not in kernel.serial]
        self.parallel = [a.name for a in together if not a.reduce]
        self.reduced = [a.name for a in together if a.reduce]

    def run(self) -> None:
        """All points; those of serial axes in order."""
        for place in self._serial_points():
            self._run_at(place)

    def _serial_points(self) -> Iterator[dict[str, int]]:
        names = [a.name for a in self.kernel.axes if a.name in self.kernel.serial]
        for point in product(*(range(self.extents[n]) for n in names)):
            yield dict(zip(names, point, strict=True))

    def _grid(self, axes: list[str], place: Mapping[str, int]) -> dict[str, Array]:
        """The index of every axis, shaped so that together they broadcast to the grid."""
        grid: dict[str, Array] = {n: np.array(i, np.int64).reshape((1,) * len(axes)) for n, i in place.items()}
        for k, name in enumerate(axes):
            shape = [1] * len(axes)
            shape[k] = self.extents[name]
            grid[name] = np.arange(self.extents[name], dtype=np.int64).reshape(shape)
        return grid

    def _run_at(self, place: Mapping[str, int]) -> None:
        if any(self.extents[n] == 0 for n in self.parallel):
            return
        inner, outer = self._grid([*self.parallel, *self.reduced], place), self._grid(self.parallel, place)
        empty = any(self.extents[n] == 0 for n in self.reduced)
        values: Values = {}
        if not empty:
            for made in self.kernel.body:
                values[made.name] = self._one(made, values, inner)
        if not self.kernel.reductions:
            self._store_all(values, inner)
            return
        results: Values = {}
        for made in self.kernel.body:  # what does not depend on the reduce axes can be used after them
            if self._operands(made) <= results.keys() and not self._axes_of(made) & set(self.reduced):
                results[made.name] = self._one(made, results, outer)
        for r in self.kernel.reductions:
            results[r.name] = self._reduce(r, None if empty else values[r.value])
        for made in self.kernel.epilogue:
            results[made.name] = self._one(made, results, outer)
        self._store_all(results, outer)

    @staticmethod
    def _operands(made: Instruction) -> set[str]:
        if isinstance(made, Load):
            return {v for v, _ in made.address.values} | ({made.mask} if made.mask else set[str]())
        return set(made.args) if isinstance(made, Compute) else set()

    @staticmethod
    def _axes_of(made: Instruction) -> set[str]:
        if isinstance(made, Load):
            return {axis for axis, _ in made.address.axes}
        return {made.axis} if isinstance(made, ReadAxis) else set()

    def _one(self, made: Instruction, values: Values, grid: Mapping[str, Array]) -> Array:
        match made:
            case Constant():
                return self._constant(made.dtype, made.value, grid)
            case ReadParam():
                return self._constant(made.dtype, self.params[made.param], grid)
            case ReadAxis():
                return grid[made.axis]
            case Load():
                return self._load(made, values, grid)
            case _:
                op = OPS[made.op]
                args = [values[a] for a in made.args]
                dtype = made.dtype.numpy
                with np.errstate(all="ignore"):
                    got = op.reference(*args, dtype=dtype) if op.kind == "convert" else op.reference(*args)
                return got.astype(dtype)

    def _constant(self, dtype: DType, value: Any, grid: Mapping[str, Array]) -> Array:
        rank = next((a.ndim for a in grid.values()), 0)
        return np.array(value).astype(dtype.numpy).reshape((1,) * rank)

    def _address(self, address: Address, values: Values, grid: Mapping[str, Array]) -> Array:
        total = np.array(_number(address.offset, self.params), np.int64)
        for axis, coefficient in address.axes:
            total = total + grid[axis] * _number(coefficient, self.params)
        for name, coefficient in address.values:
            total = total + values[name] * _number(coefficient, self.params)
        return total

    def _load(self, made: Load, values: Values, grid: Mapping[str, Array]) -> Array:
        memory = self.buffers[made.buffer]
        address = self._address(made.address, values, grid)
        if made.mask is None:
            rank = next((a.ndim for a in grid.values()), 0)
            return _take(memory, address.reshape(address.shape or (1,) * rank))
        address, mask = np.broadcast_arrays(address, values[made.mask])
        found = np.full(address.shape, made.fill).astype(memory.dtype)
        found[mask] = _take(memory, address[mask])
        return found

    def _reduce(self, r: Reduction, value: Array | None) -> Array:
        """`value` None: there are no points."""
        rank = len(self.parallel)
        full = tuple(self.extents[n] for n in (*self.parallel, *self.reduced))
        dtype = r.dtype.numpy
        flat = np.zeros((*full[:rank], 0), dtype)
        if value is not None:
            flat = np.broadcast_to(value, full).reshape(*full[:rank], -1)
        with np.errstate(all="ignore"):
            if r.op in ("sum", "prod"):
                fold: Any = np.sum if r.op == "sum" else np.prod
                return fold(flat.astype(dtype), axis=-1, dtype=_wide(dtype)).astype(dtype)
            return getattr(np, r.op)(flat, axis=-1).astype(dtype)

    def _store_all(self, values: Values, grid: Mapping[str, Array]) -> None:
        for store in self.kernel.stores:
            self._store(store, values, grid)

    def _store(self, store: Store, values: Values, grid: Mapping[str, Array]) -> None:
        memory = self.buffers[store.buffer]
        address = self._address(store.address, values, grid)
        mask = values[store.mask] if store.mask else np.array(True)
        everywhere = np.broadcast_shapes(*(a.shape for a in grid.values())) if grid else ()
        address, value, mask = (np.broadcast_to(a, everywhere) for a in (address, values[store.value], mask))
        _check(memory, address[mask])
        if store.accumulate:
            np.add.at(memory, address[mask], value[mask].astype(memory.dtype))
        else:
            memory[address[mask]] = value[mask].astype(memory.dtype)


def _check(memory: Array, address: Array) -> None:
    if address.size and (address.min() < 0 or address.max() >= memory.size):
        raise IndexError(f"elements {address.min()} to {address.max()} of a buffer of {memory.size}")


def _take(memory: Array, address: Array) -> Array:
    _check(memory, address)
    return memory[address]


class _Contraction:
    """Operands are gathered into [batch, m, k] and [batch, k, n]."""

    def __init__(self, made: Contraction, buffers: Mapping[str, Array], params: Mapping[str, Any]) -> None:
        self.made = made
        self.buffers = buffers
        self.params = params

    def run(self) -> None:
        """c = a · b, or c += a · b."""
        a = self._gather(self.made.a, ("batch", "m", "k"))
        b = self._gather(self.made.b, ("batch", "k", "n"))
        dtype = self.made.dtype.numpy
        with np.errstate(all="ignore"):
            product_ = np.einsum("bmk,bkn->bmn", a.astype(np.longdouble), b.astype(np.longdouble)).astype(dtype)
        address, inside = self._addresses(self.made.c, ("batch", "m", "n"))
        memory = self.buffers[self.made.c.buffer]
        _check(memory, address[inside])
        if self.made.accumulate:
            memory[address[inside]] += product_[inside]
        else:
            memory[address[inside]] = product_[inside]

    def _axes(self, roles: tuple[str, ...]) -> tuple[dict[str, Array], tuple[int, ...]]:
        """The index of every axis, each role's axes as one dimension."""
        indices: dict[str, Array] = {}
        shape: list[int] = []
        for k, role in enumerate(roles):
            axes = [a for a in self.made.axes if a.role == role]
            extents = [_number(a.extent, self.params) for a in axes]
            size = int(np.prod(extents, dtype=np.int64))
            shape.append(size)
            places = (
                np.unravel_index(np.arange(size), extents) if axes and size else [np.zeros(size, np.int64)] * len(axes)
            )
            for axis, index in zip(axes, places, strict=True):
                indices[axis.name] = np.asarray(index, np.int64).reshape(
                    [-1 if d == k else 1 for d in range(len(roles))]
                )
        return indices, tuple(shape)

    def _affine(self, axes: tuple[tuple[str, Extent], ...], offset: Extent, indices: Mapping[str, Array]) -> Array:
        total = np.array(_number(offset, self.params), np.int64)
        for axis, coefficient in axes:
            total = total + indices[axis] * _number(coefficient, self.params)
        return total

    def _addresses(self, operand: ContractionOperand, roles: tuple[str, ...]) -> tuple[Array, Array]:
        indices, shape = self._axes(roles)
        address = np.broadcast_to(self._affine(operand.address.axes, operand.address.offset, indices), shape)
        inside = np.ones(shape, bool)
        for bound in operand.bounds:
            inside = inside & self._within(bound, indices)
        return address, inside

    def _within(self, bound: Bound, indices: Mapping[str, Array]) -> Array:
        index = self._affine(bound.axes, bound.offset, indices)
        return (index >= 0) & (index < _number(bound.extent, self.params))

    def _gather(self, operand: ContractionOperand, roles: tuple[str, ...]) -> Array:
        address, inside = self._addresses(operand, roles)
        memory = self.buffers[operand.buffer]
        found = np.zeros(address.shape, memory.dtype)
        found[inside] = _take(memory, address[inside])
        return found
