"""Sums of products over index maps: as a `Contraction` where the micro-kernels compute the dtype, else as a
`Kernel`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from jitcore.kernel.build import Index, Template, Value
from jitcore.structs import dataclass
from jitcore.types import Dim, DType, bool_, f16, f32, f64

Axes: TypeAlias = "Mapping[str, Index]"


@dataclass(frozen=True, slots=True)
class Access:
    """How an operand is indexed, in terms of named axes: a sum of (axis, coefficient) and an offset for every
    dimension.

    Where a `bounded` dimension's index is not in range the operand is 0.
    """

    buffer: str
    indices: tuple[tuple[tuple[tuple[str, Dim], ...], Dim], ...]
    bounded: tuple[int, ...] = ()

    def place(self, axes: Axes) -> list[Index]:
        """The indices."""
        made: list[Index] = []
        for terms, offset in self.indices:
            total = Index(offset)
            for axis, coefficient in terms:
                total = total + axes[axis] * coefficient
            made.append(total)
        return made


def index(*axes: str | tuple[str, Dim], offset: Dim = 0) -> tuple[tuple[tuple[str, Dim], ...], Dim]:
    """One dimension's index: a sum of axes, each with a coefficient or alone, and an offset."""
    return tuple((a, 1) if isinstance(a, str) else a for a in axes), offset


_ACCUMULATED = {f16: f32}
"""Dtypes whose sums are kept in another."""


def contract(t: Template, extents: Sequence[tuple[str, str, Dim]], a: Access, b: Access, c: Access) -> None:
    """c = the sum over the k axes of a * b. `extents`: (axis, role, extent), roles batch, m, n and k as in
    `kernel.nodes`.

    With a vector on either side there is no tile to compute: that is a Kernel too.
    """
    dtype = t.layouts[c.buffer].dtype
    roles = {role for _, role, _ in extents}
    if dtype in (f32, f64) and {"m", "n"} <= roles:
        _contraction(t, extents, a, b, c)
    else:
        _reduction(t, extents, a, b, c, dtype)


def _contraction(t: Template, extents: Sequence[tuple[str, str, Dim]], a: Access, b: Access, c: Access) -> None:
    k = t.contraction(a.buffer, b.buffer, c.buffer)
    axes = {name: k.axis(role, extent) for name, role, extent in extents}
    for role, access in (("a", a), ("b", b), ("c", c)):
        place = access.place(axes)
        layout = t.layouts[access.buffer]
        k.operand(role, place, [(place[d], layout.shape[d]) for d in access.bounded])


def _reduction(
    t: Template, extents: Sequence[tuple[str, str, Dim]], a: Access, b: Access, c: Access, dtype: DType
) -> None:
    k = t.kernel(*dict.fromkeys((a.buffer, b.buffer, c.buffer)))
    ordered = sorted(extents, key=lambda each: each[1] == "k")  # reduce axes come last
    axes = {name: k.axis(extent, reduce=role == "k") for name, role, extent in ordered}
    wide = _ACCUMULATED.get(dtype, dtype)
    factors: list[Value] = []
    for access in (a, b):
        place = access.place(axes)
        layout = t.layouts[access.buffer]
        inside = k.all_of(*(k.within(place[d], layout.shape[d]) for d in access.bounded))
        factors.append(k.cast(wide, k.load(access.buffer, place, inside)))
    multiply, fold = ("and", "any") if dtype is bool_ else ("mul", "sum")
    total = k.reduce(fold, k(multiply, wide, *factors))
    k.store(c.buffer, c.place(axes), k.cast(dtype, total))
