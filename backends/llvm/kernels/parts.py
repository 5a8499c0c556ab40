"""What a part of a kernel is, and how results of cut reductions are kept and finished.

**Huge reductions to few results** are cut into chunks of CHUNK points or more, at most MAX_CHUNKS of them: each is
folded on its own, by any thread, and the chunks' results are folded in order. Whether and where a reduction is cut
depends on its extents alone. Reduce points are numbered row-major; a part is given the numbers from `r_lo` to `r_hi`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jitcore.backends.llvm.kernels.code import KernelCode, Places, Scalars
from jitcore.backends.llvm.kernels.fold import Fields, Fold
from jitcore.backends.llvm.kernels.lanes import ALONE, Lanes
from jitcore.backends.llvm.kernels.prepare import operands
from jitcore.backends.native.ir.vectors import Code, Index, Vec
from jitcore.kernel.nodes import Instruction, Kernel, ReadAxis
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import i64

CHUNK: Final = 16384
MAX_CHUNKS: Final = 64
MAX_CUT_RESULTS: Final = 64
"""A reduction to more results than this has work for every thread without being cut."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a part function is to compute: rows, columns and reduce points from … to. Where `partial` is not null,
    accumulators go there and nothing is stored; None: it never is."""

    row_lo: Index
    row_hi: Index
    col_lo: Index
    col_hi: Index
    r_lo: Index
    r_hi: Index
    partial: Vec | None = None
    partial_base: Index = 0
    """The number of the part's first result among all partial ones."""


def unless_stopped(code: Code, asks: Vec, end: Index, instead: Vec) -> Index:
    """Where a block of work ends, at its start if the rest of the kernel is to be left out; it `asks` where enough
    points have been folded since it last did."""
    code.module.declare("declare i1 @jc_stop()")
    code.module.declare("@jc_interrupted = external global i32")
    interrupted = code.load(Vec(code, "@jc_interrupted", "ptr"), "i32").ne(0)  # it may be another thread's kernel
    asks = asks | interrupted
    before, ask, go_on = code.label, code.new_label("ask"), code.new_label("fold")
    code.branch(asks, ask, go_on)
    code.block(ask)
    stopped = code.emit("i1", 1, "call i1 @jc_stop()")
    kept = code.pick(stopped, instead, end)
    asked = code.label
    code.jump(go_on)
    code.block(go_on)
    return code.phi((code.index(end), before), (code.index(kept), asked))


def folds_of(kernel: Kernel) -> list[Fold]:
    """The kernel's reductions."""
    dtypes = {i.name: i64 if isinstance(i, ReadAxis) else i.dtype for i in kernel.body}
    return [Fold(r, dtypes[r.value]) for r in kernel.reductions]


def partial_layout(folds: Sequence[Fold]) -> tuple[list[tuple[int, int]], int]:
    """Where a partial result's fields lie: (fold, offset) in order, and the bytes of all."""
    offsets: list[tuple[int, int]] = []
    total = 0
    for number, fold in enumerate(folds):
        for _ in fold.types():
            offsets.append((number, total))
            total += 8
    return offsets, total


def _partial_addresses(kernel: KernelCode, folds: Sequence[Fold], partial: Vec, number: Index) -> list[list[Vec]]:
    code = kernel.code
    offsets, size = partial_layout(folds)
    base = code.offset(partial, code.mul(number, size), "i8")
    found: list[list[Vec]] = [[] for _ in folds]
    for fold, offset in offsets:
        found[fold].append(code.offset(base, offset, "i8"))
    return found


def write_partial(
    kernel: KernelCode, folds: Sequence[Fold], partial: Vec, number: Index, all_: Sequence[Fields]
) -> None:
    """Keep the accumulators of one result of a chunk."""
    for places, fields in zip(_partial_addresses(kernel, folds, partial, number), all_, strict=True):
        for place, field in zip(places, fields, strict=True):
            kernel.code.store(field, place)


def read_partial(kernel: KernelCode, folds: Sequence[Fold], partial: Vec, number: Index) -> list[Fields]:
    """The accumulators of one result of a chunk."""
    addresses = _partial_addresses(kernel, folds, partial, number)
    return [
        tuple(kernel.code.load(a, t) for a, t in zip(places, fold.types(), strict=True))
        for places, fold in zip(addresses, folds, strict=True)
    ]


def tail_instructions(kernel: KernelCode) -> list[Instruction]:
    """What runs after the folding: the epilogue, and the part of the body that it or the stores read."""
    k = kernel.plan.kernel
    wanted = {r for s in k.stores for r in (s.value, s.mask or "", *(v for v, _ in s.address.values))}
    for made in reversed(k.epilogue):
        wanted |= set(operands(made))
    for made in reversed(k.body):
        if made.name in wanted:
            wanted |= set(operands(made))
    reduced = {a.name for a in k.axes if a.reduce}
    first = [i for i in k.body if i.name in wanted]
    for made in first:
        if kernel.plan.depends[made.name] & reduced:
            raise InternalError(f"{k.name}: {made.name} has no value after the reduction")
    return [*first, *k.epilogue]


def finish_point(kernel: KernelCode, folds: Sequence[Fold], all_: Sequence[Fields], places: Places) -> None:
    """The epilogue and the stores of one result."""
    code = kernel.code
    scalars: Scalars = {f.reduction.name: f.result(code, fields) for f, fields in zip(folds, all_, strict=True)}
    scalars = kernel.add_scalars(tail_instructions(kernel), scalars, places, volatile=True)
    point = Lanes(kernel, ALONE, scalars, places)
    point.lanes = 1
    point.store(kernel.plan.kernel.stores)


def finish_or_keep(kernel: KernelCode, part: Part, finish: Callable[[], None], keep: Callable[[Vec], None]) -> None:
    """The end of a result: its epilogue and stores, or its accumulators kept."""
    if part.partial is None:
        finish()
        return
    code = kernel.code
    kept = code.emit("i1", 1, f"icmp ne ptr {part.partial}, null")
    with code.when(kept):
        keep(part.partial)
    with code.when(~kept):
        finish()
