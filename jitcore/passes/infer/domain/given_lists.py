"""Lists of the call's that are in pools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.passes.infer.domain.values import Path, Value
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Lists of the call's that are in a pool, from a number on, and the path that leads to them."""

    pool: int
    first: Value
    path: Path


def changed(infer: State) -> list[Given]:
    """The lists of the call's that may have been changed."""
    return [given for given in infer.pooling.given if given.pool in infer.pooling.changed]
