"""Kernels run by the references of their operations."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from jitcore.backends.interpreter.program.memory import Memory, Numbers, require
from jitcore.kernel import nodes as kernel_ir
from jitcore.kernel.scalar import OPS
from jitcore.types import DType

_Values: TypeAlias = "dict[str, Numbers]"
"""By name, a value for each point."""


def run_kernel(memory: Memory, kernel: kernel_ir.Kernel, pointers: Sequence[int], params: Sequence[np.generic]) -> None:
    """Launch a kernel on memory: a pointer for each buffer, a value for each parameter."""
    _Launch(memory, kernel, pointers, params).run()


class _Launch:
    """A kernel with its arguments; values of all points are computed together, but where they may meet."""

    def __init__(
        self, memory: Memory, kernel: kernel_ir.Kernel, pointers: Sequence[int], params: Sequence[np.generic]
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

    def points(self, index: _Values, count: int) -> None:
        inner = [a for a in self.kernel.axes if a.reduce]
        values: _Values = {}
        if not self.kernel.reductions:
            self.compute(self.kernel.body, index, values, count)
        else:
            grids = [np.arange(self.extent(a.extent)) for a in inner]
            rows = int(np.prod([len(g) for g in grids]))
            mesh = [m.reshape(-1) for m in np.meshgrid(*grids, indexing="ij")]
            full = {k: np.repeat(v, rows) for k, v in index.items()}
            full |= {a.name: np.tile(m, count) for a, m in zip(inner, mesh, strict=True)}
            body: _Values = {}
            self.compute(self.kernel.body, full, body, count * rows)
            for r in self.kernel.reductions:
                values[r.name] = self.fold(r, np.broadcast_to(body[r.value], (count * rows,)).reshape(count, rows))
            self.compute(self.kernel.epilogue, index, values, count)
        for s in self.kernel.stores:
            self.store(s, index, values, count)

    def fold(self, r: kernel_ir.Reduction, table: Numbers) -> Numbers:
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

    def address(self, address: kernel_ir.Address, index: _Values, values: _Values, count: int) -> Numbers:
        total = np.full(count, self.extent(address.offset), np.int64)
        for axis, c in address.axes:
            total = total + index[axis] * self.extent(c)
        for value, c in address.values:
            total = total + values[value] * self.extent(c)
        return total

    def compute(self, body: Sequence[kernel_ir.Instruction], index: _Values, values: _Values, count: int) -> None:
        for i in body:
            match i:
                case kernel_ir.Constant():
                    values[i.name] = np.full(count, i.value, i.dtype.numpy)
                case kernel_ir.ReadParam():
                    values[i.name] = np.full(count, self.params[i.param], i.dtype.numpy)
                case kernel_ir.ReadAxis():
                    values[i.name] = index[i.axis].astype(np.int64)
                case kernel_ir.Load():
                    require(self.dtypes[i.buffer] is i.dtype, f"{i.buffer} is loaded as {i.dtype}")
                    values[i.name] = self.load(i, index, values, count)
                case kernel_ir.Compute():
                    values[i.name] = compute(i.op, i.dtype, [values[a] for a in i.args])

    def load(self, i: kernel_ir.Load, index: _Values, values: _Values, count: int) -> Numbers:
        where = values[i.mask] if i.mask else np.ones(count, bool)
        addresses = self.pointers[i.buffer] + self.address(i.address, index, values, count) * i.dtype.itemsize
        out = np.full(count, i.fill, i.dtype.numpy)
        out[where] = self.memory.load(addresses[where], i.dtype)
        return out

    def store(self, s: kernel_ir.Store, index: _Values, values: _Values, count: int) -> None:
        where = values[s.mask] if s.mask else np.ones(count, bool)
        dtype = self.dtypes[s.buffer]
        addresses = self.pointers[s.buffer] + self.address(s.address, index, values, count) * dtype.itemsize
        value = np.broadcast_to(values[s.value], (count,))
        require(value.dtype == dtype.numpy, f"a store of {value.dtype} to {dtype}")
        value = value[where]
        if s.accumulate:
            value = compute("add", dtype, [self.memory.load(addresses[where], dtype), value])
        self.memory.store(addresses[where], value, dtype)


def compute(op: str, dtype: DType, args: Sequence[Numbers]) -> Numbers:
    """An operation of kernels, on arrays of one length."""
    described = OPS[op]
    with np.errstate(all="ignore"):
        if described.kind == "convert":
            return np.asarray(described.reference(*args, dtype=dtype.numpy)).astype(dtype.numpy, copy=False)
        made = np.asarray(described.reference(*args))
    if described.kind == "arithmetic":
        for a in args:
            require(a.dtype == dtype.numpy, f"{op}: {a.dtype} where {dtype} is given")
    return made.astype(dtype.numpy, copy=False)


def run_contraction(
    memory: Memory, c: kernel_ir.Contraction, pointers: Sequence[int], params: Sequence[np.generic]
) -> None:
    """Launch a sum of products, point by point."""
    buffers, declared = kernel_ir.launch_signature(c)
    at = dict(zip((b.name for b in buffers), pointers, strict=True))
    given = dict(zip((p.name for p in declared), params, strict=True))

    def extent(e: kernel_ir.Extent) -> int:
        return e if isinstance(e, int) else int(given[e])

    def affine(axes: Sequence[tuple[str, kernel_ir.Extent]], offset: kernel_ir.Extent, point: dict[str, int]) -> int:
        return extent(offset) + sum(point[a] * extent(k) for a, k in axes)

    def read(operand: kernel_ir.ContractionOperand, point: dict[str, int]) -> Numbers:
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
