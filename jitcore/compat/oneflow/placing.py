"""Where global Tensors are, and how they are split (`placement`, `sbp`): one process on the CPU has all of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias, cast

Ranks: TypeAlias = "int | Sequence[int] | Sequence[Sequence[int]] | Mapping[int, int | Sequence[int]]"


class placement:
    """The processes, by their ranks, that have a global Tensor. Raises RuntimeError for a device that there is not,
    ValueError for ranks besides 0, of which there is none.

    >>> placement("cpu", ranks=[0])
    oneflow.placement(type="cpu", ranks=[0])
    """

    def __init__(self, type: str, ranks: Ranks = (0,)) -> None:
        if type != "cpu":
            raise RuntimeError(f"there is no device {type!r} here: jitcore computes on the CPU")
        given = list(ranks.values()) if isinstance(ranks, Mapping) else ranks
        if set(_flat(given)) != {0}:
            raise ValueError(f"there are no ranks {ranks!r}: this is one process, whose rank is 0")
        self.type = type
        self.ranks = [0]

    @classmethod
    def all(cls, device_type: str) -> placement:
        """The placement of all processes."""
        return cls(device_type, [0])

    @property
    def device_type(self) -> str:
        """The kind of device."""
        return self.type

    def __repr__(self) -> str:
        return f'oneflow.placement(type="{self.type}", ranks={self.ranks})'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, placement) and (self.type, self.ranks) == (other.type, other.ranks)

    def __hash__(self) -> int:
        return hash(self.type)


def _flat(ranks: object) -> list[object]:
    if not isinstance(ranks, list | tuple):
        return [ranks]
    return [rank for item in cast("Sequence[object]", ranks) for rank in _flat(item)]


class sbp:
    """How a global Tensor is split among processes: see `split`, `broadcast` and `partial_sum`."""

    _known: ClassVar[dict[str, sbp]] = {}

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"oneflow.sbp.{self._text}"

    def __call__(self) -> sbp:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, sbp) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


broadcast: Final = sbp("broadcast")
"""Every process has all of it."""
partial_sum: Final = sbp("partial_sum")
"""It is the sum of what the processes have."""


def split(dim: int) -> sbp:
    """Each process has a part of it along an axis.

    >>> split(0)
    oneflow.sbp.split(dim=0)
    """
    return sbp(f"split(dim={dim})")


def local_only(what: str) -> RuntimeError:
    """What is raised where a Tensor is asked for what only global ones have."""
    return RuntimeError(f"Local tensor has no {what} property: in one process all Tensors are local")
