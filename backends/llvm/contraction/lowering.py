"""Contractions: matrix products, convolutions and their gradients, by one family of micro-kernels.

`lower_contraction` writes only a description of a contraction's index maps and a call; what runs it, one generic
driver for each dtype, is written by `define_contraction_runtime`, compiled once and shared by all programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Final

from jitcore.backends.llvm.contraction.blocking import Blocking, blocking
from jitcore.backends.llvm.contraction.driver import SERIAL_WORK, define_driver
from jitcore.backends.llvm.contraction.job import MAX_BOUNDS, Description, Operand, Scratch
from jitcore.backends.llvm.contraction.pack import define_bounded_packing, define_packing
from jitcore.backends.llvm.contraction.scratch import define_scratch
from jitcore.backends.llvm.contraction.tables import MAX_AXES, define_tables
from jitcore.backends.llvm.contraction.task import define_task
from jitcore.backends.llvm.contraction.tile import define_tiles
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule, quoted
from jitcore.kernel.nodes import (
    Address,
    Bound,
    Contraction,
    ContractionAxis,
    ContractionOperand,
    Extent,
    launch_signature,
)
from jitcore.source import InternalError
from jitcore.types import DType, f32, f64

_DTYPES: Final = (f32, f64)


def define_contraction_runtime(module: LLVMModule, dtype: DType, target: Target, first: bool = False) -> None:
    """Defines `jc_contract_<dtype>(description, a, b, c)` and `jc_reserve_scratch() -> i32` (call it once, before).
    Before operands with bounds, `jc_pack_bounded_<dtype>` must be the address of `jc_pack_slot_bounded_<dtype>`.

    The module needs `jc_parallel(task, data, n)`, `jc_thread_count() -> i64`, `malloc` and `free` from outside.
    It is to be compiled at `engine.LOCALS`, which puts locals into registers; more passes bring nothing. The `first`
    edition (`define_driver`) needs `jc_first_left`, too, and is compiled at `engine.BRIEF`.
    """
    shape = shape_for(dtype, target)
    for name in ("smin", "smax"):
        module.declare(f"declare i64 @llvm.{name}.i64(i64, i64)")
    define_scratch(module, Scratch(shape).size)
    define_tables(module)
    define_tiles(module, shape, target)
    define_packing(module, shape)
    define_task(module, shape)
    define_driver(module, shape, first)


def define_bounds_runtime(module: LLVMModule, dtype: DType, target: Target) -> None:
    """Defines `jc_pack_slot_bounded_<dtype>`. It needs the module of `define_contraction_runtime`, and is compiled as
    that is."""
    for name in ("smin", "smax"):
        module.declare(f"declare i64 @llvm.{name}.i64(i64, i64)")
    define_bounded_packing(module, shape_for(dtype, target))


def has_bounds(c: Contraction) -> bool:
    """Whether some of what a contraction reads is outside of its operands."""
    return bool(c.a.bounds or c.b.bounds)


def contraction_form(c: Contraction, target: Target) -> tuple[int, bool | None]:
    """How many elements the vectors have that a contraction is computed by, and whether threads share its work; None:
    that is for the extents of a call to say."""
    known = [a.extent for a in c.axes if isinstance(a.extent, int)]
    return shape_for(c.dtype, target).lanes, prod(known) >= SERIAL_WORK if len(known) == len(c.axes) else None


def shape_for(dtype: DType, target: Target) -> Blocking:
    """How contractions of a dtype are cut up on a target."""
    if dtype not in _DTYPES:
        raise InternalError(f"contractions are of f32 or f64, not {dtype}")
    many = target.vector_bytes >= 64 or target.architecture in ("aarch64", "arm64")
    return blocking(dtype, target.vector_bytes, 32 if many else 16, target.has_fma, target.caches)


def lower_contraction(c: Contraction, target: Target, module: LLVMModule) -> None:
    """Defines `void @<c.name>(buffers…, params…)`, which calls `jc_contract_<dtype>`, or `jc_contract_bounded_<dtype>`:
    the same, where the support of bounds has been loaded."""
    shape_for(c.dtype, target)
    words = _Words(c).words()
    buffers, params = launch_signature(c)
    names = {b.name: f"%b{i}" for i, b in enumerate(buffers)}
    values = {p.name: f"%p{i}" for i, p in enumerate(params)}
    head = ", ".join([*(f"ptr {n}" for n in names.values()), *(f"i64 {n}" for n in values.values())])
    constant = f"{c.name}.description"
    array = f"[{len(words)} x i64]"
    numbers = ", ".join(f"i64 {w if isinstance(w, int) else 0}" for w in words)
    module.define(constant, f"@{quoted(constant)} = private constant {array} [{numbers}]\n")
    lines, description = [f"define void @{quoted(c.name)}({head}) {{", "entry:"], f"@{quoted(constant)}"
    if any(isinstance(w, str) for w in words):
        module.declare("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        lines += [
            f"  %words = alloca {array}, align 8",
            f"  call void @llvm.memcpy.p0.p0.i64(ptr %words, ptr {description}, i64 {8 * len(words)}, i1 false)",
        ]
        for i, word in enumerate(words):
            if isinstance(word, str):
                lines.append(f"  %w{i} = getelementptr i64, ptr %words, i64 {i}")
                lines.append(f"  store i64 {values[word]}, ptr %w{i}")
        description = "%words"
    operands = ", ".join(f"ptr {names[o.buffer]}" for o in (c.a, c.b, c.c))
    driver = f"jc_contract_{'bounded_' if has_bounds(c) else ''}{c.dtype.name}"
    module.declare(f"declare void @{driver}(ptr, ptr, ptr, ptr)")
    lines += [f"  call void @{driver}(ptr {description}, {operands})", "  ret void", "}", ""]
    module.define(c.name, "\n".join(lines))


class _Words:
    """Writes a contraction's description; words known only at run time are names of params."""

    def __init__(self, c: Contraction) -> None:
        _check(c)
        self._c = c
        self._axes = _roles(c)
        self._head: list[Extent] = [0] * Description.WORDS
        self._tail: list[Extent] = []

    def words(self) -> list[Extent]:
        c = self._c
        self._head[Description.ACCUMULATE] = int(c.accumulate)
        for role, number, place in (
            ("batch", Description.BATCH_AXES, Description.BATCH_EXTENTS),
            ("k", Description.K_AXES, Description.K_EXTENTS),
        ):
            self._head[number] = len(self._axes[role])
            self._head[place] = self._put(a.extent for a in self._axes[role])
        self._head[Description.C_OFFSET] = c.c.address.offset
        self._head[Description.C_BATCH] = self._put(_coefficients(c.c.address, self._axes["batch"]))
        self._operand(Description.A, c.a, "m")
        self._operand(Description.B, c.b, "n")
        return [*self._head, *self._tail]

    def _put(self, words: Iterable[Extent]) -> int:
        place = Description.WORDS + len(self._tail)
        self._tail.extend(words)
        return place

    def _operand(self, start: int, operand: ContractionOperand, role: str) -> None:
        own, maps = self._axes[role], (operand.address, *operand.bounds)

        def rows(role: str) -> int:
            return self._put(x for m in maps for x in _coefficients(m, self._axes[role]))

        self._head[start + Operand.P_AXES] = len(own)
        self._head[start + Operand.P_EXTENTS] = self._put(a.extent for a in own)
        self._head[start + Operand.C_COEFFICIENTS] = self._put(_coefficients(self._c.c.address, own))
        self._head[start + Operand.BOUNDS] = len(operand.bounds)
        self._head[start + Operand.OFFSETS] = self._put(m.offset for m in maps)
        self._head[start + Operand.BOUND_EXTENTS] = self._put(b.extent for b in operand.bounds)
        self._head[start + Operand.P_COEFFICIENTS] = rows(role)
        self._head[start + Operand.K_COEFFICIENTS] = rows("k")
        self._head[start + Operand.BATCH_COEFFICIENTS] = rows("batch")
        self._head[start + Operand.FREE_AXES] = _free_axes(operand, self._axes["k"])


def _coefficients(index: Address | Bound, axes: Sequence[ContractionAxis]) -> list[Extent]:
    of: Mapping[str, Extent] = dict(index.axes)
    return [of.get(a.name, 0) for a in axes]


def _free_axes(operand: ContractionOperand, axes: Sequence[ContractionAxis]) -> int:
    """How many of the outermost of these axes move no bound of an operand."""
    moving = (i for i, a in enumerate(axes) if any(dict(b.axes).get(a.name, 0) != 0 for b in operand.bounds))
    return next(moving, len(axes))


def _check(c: Contraction) -> None:
    for operand in (c.a, c.b, c.c):
        if operand.address.values:
            raise InternalError(f"{c.name}: the addresses of a contraction depend on its axes only")
        if len(operand.bounds) > MAX_BOUNDS:
            raise InternalError(f"{c.name}: {len(operand.bounds)} bounds on an operand; {MAX_BOUNDS} are possible")
    if c.c.bounds:
        raise InternalError(f"{c.name}: the result of a contraction has no bounds")
    if len(c.axes) > MAX_AXES:
        raise InternalError(f"{c.name}: {len(c.axes)} axes; {MAX_AXES} are possible")


def _roles(c: Contraction) -> dict[str, list[ContractionAxis]]:
    """The axes of each role, without those of extent 1.

    A batch axis that one operand does not depend on becomes an axis of the other's own dimension: the images of a
    convolution lie side by side in n. Axes of m and n are ordered by their steps in c, where known: their order is
    of no consequence to the result.
    """
    roles: dict[str, list[ContractionAxis]] = {"batch": [], "m": [], "n": [], "k": []}
    for axis in c.axes:
        if axis.extent != 1:
            roles[_role(c, axis)].append(axis)
    steps = dict(c.c.address.axes)
    for role in ("m", "n"):
        known = [s for a in roles[role] if isinstance(s := steps.get(a.name, 0), int)]
        if len(known) == len(roles[role]):
            roles[role].sort(key=lambda a: -abs(int(steps.get(a.name, 0))))
    return roles


def _role(c: Contraction, axis: ContractionAxis) -> str:
    if axis.role != "batch":
        return axis.role
    if not _depends(c.b, axis.name):
        return "m"
    return "batch" if _depends(c.a, axis.name) else "n"


def _depends(operand: ContractionOperand, axis: str) -> bool:
    """Whether an axis moves an operand."""
    return any(name == axis and step != 0 for m in (operand.address, *operand.bounds) for name, step in m.axes)
