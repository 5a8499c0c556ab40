"""What checks a call and fetches what its program reads, and what builds its results (`signature.records`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore.signature.records import ANYWHERE
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A step of an entry; the fields are those of `signature.records`, Python objects where it has addresses."""

    op: int
    source: int = 0
    target: int = -1
    object: Any = None
    other: Any = None
    count: int = 0
    mask: int = 0
    flags: int = 0
    cls: Any = None
    """Of GLOBAL: the second dict."""
    extents: tuple[int, ...] | None = None
    """Of arrays, whose `object` is their dtype: for each axis an extent, ANY or NOT_ONE."""
    operations: tuple[int, ...] | None = None
    """Of ALIKE: the words of its operations."""
    table: ctypes.Array[ctypes.c_int64] | None = None
    """Of FIELDS, CLASSES and ENTRIES: what OTHER is the address of."""
    kept: Any = None
    """What the words point to."""


@dataclass(frozen=True, slots=True)
class ArrayResult:
    """An array among the results; see `signature.records`."""

    word: int
    rank: int
    dtype: np.dtype[Any]
    scalar: bool = False
    tag_word: int = -1
    tag: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Build:
    """A build operation. Of SKIP_UNLESS, `object` and `other` are numbers."""

    op: int
    n: int = 0
    object: Any = None
    other: Any = None


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Which of the arrays passed share memory: their item sizes, and for each the later ones it overlaps with."""

    itemsizes: tuple[int, ...]
    pairs: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class EntryPlan:
    """What serves the calls of one specialisation: `names` are those of its last arguments, `written` the registers of
    the Tensors that its program writes to, `memory` where its array results are to be."""

    arguments: int
    names: tuple[str, ...]
    steps: Sequence[Step]
    results: Sequence[ArrayResult]
    build: Sequence[Build]
    written: Sequence[int]
    overlaps: Overlaps | None
    fail: Callable[..., BaseException | None]
    """Makes the exception of a failed call, from the address of its context and the call's arguments; None where
    something else is to serve the call."""
    memory: int = ANYWHERE
    record: Callable[..., Any] | None = None
    """Is given the result and the arguments of a call that gradients go back through, and gives what the call gives."""
