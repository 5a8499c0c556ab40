"""Values in boxes (`primitives.ops.boxes`): how their kinds are numbered, and what they are in Python."""

from __future__ import annotations

import collections
import enum
import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jitcore.modelled import modelled


class Kind(enum.IntEnum):
    """What a payload is, as the library numbers kinds."""

    NONE = 0
    BOOL = 1
    INT = 2
    FLOAT = 3
    STR = 4
    BYTES = 5
    TUPLE = 6
    LIST = 7
    DICT = 8
    SET = 9
    FROZENSET = 10
    DEQUE = 11
    COUNTER = 12
    DEFAULTDICT = 13
    ORDERED = 14
    NP_BOOL = 32
    NP_INT8 = 33
    NP_INT16 = 34
    NP_INT32 = 35
    NP_INT64 = 36
    NP_UINT8 = 37
    NP_UINT16 = 38
    NP_UINT32 = 39
    NP_FLOAT64 = 40
    NP_FLOAT32 = 41


DICTS: Final = frozenset([Kind.DICT, Kind.COUNTER, Kind.DEFAULTDICT, Kind.ORDERED])
"""The kinds of dicts."""


NUMPY: Final[dict[type[np.generic], Kind]] = {
    np.bool_: Kind.NP_BOOL, np.int8: Kind.NP_INT8, np.int16: Kind.NP_INT16, np.int32: Kind.NP_INT32,
    np.int64: Kind.NP_INT64, np.uint8: Kind.NP_UINT8, np.uint16: Kind.NP_UINT16, np.uint32: Kind.NP_UINT32,
    np.float64: Kind.NP_FLOAT64, np.float32: Kind.NP_FLOAT32,
}  # fmt: skip
"""The kinds of NumPy's numbers, whose payloads are those of the Python numbers with the same value. Not of uint64, which
has more numbers than a payload."""

BOX: Final = " box"
"""What ends the category of a value in a box, after the number of its kind."""


@modelled
def call_library(function: str, words: tuple[int, ...]) -> int:
    """Call a function of the library from Python, in the memory of this thread."""
    raise NotImplementedError


@modelled
def object_now(kind: int, payload: int) -> Any:
    """A new object that is equal to what a value is now, for a function that only looks at it."""
    raise NotImplementedError


@modelled
def box_of(obj: object, context: int | None) -> tuple[int, int]:
    """A number, string or None as a value: its kind and its payload, in the memory of a call's context (None: this
    thread's own)."""
    raise NotImplementedError


CONTAINERS: Final[dict[type, Kind]] = {
    list: Kind.LIST, dict: Kind.DICT, set: Kind.SET, frozenset: Kind.FROZENSET, collections.deque: Kind.DEQUE,
    collections.Counter: Kind.COUNTER, collections.defaultdict: Kind.DEFAULTDICT,
    collections.OrderedDict: Kind.ORDERED,
}  # fmt: skip
"""The classes of containers, and their kinds."""
MUTABLE: Final = frozenset(CONTAINERS) - {frozenset}
"""Those whose objects can be changed."""


class Factories:
    """What defaultdicts of the run make values with, by the numbers that their boxes have: 0 is None."""

    MOST: Final = 4096

    def __init__(self) -> None:
        self.held: list[object] = [None]
        self.numbers: dict[int, int] = {id(None): 0}
        self.addresses = np.zeros(self.MOST, np.int64)
        self.addresses[0] = id(None)
        self._lock = threading.Lock()

    def number(self, factory: object) -> int | None:
        """The number of a factory, which is kept for good; None where there is no room for more."""
        with self._lock:
            known = self.numbers.get(id(factory))
            if known is None and len(self.held) < self.MOST:
                known = self.numbers[id(factory)] = len(self.held)
                self.addresses[known] = id(factory)
                self.held.append(factory)
            return known


FACTORIES: Final = Factories()


class Contents:
    """What may be in an object, as words: nodes, each a number of kinds and three words for each kind, where the nodes
    of its parts are (`backends.native.boxes.entering`). `address`: where they are, after the function that looks."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = np.array([looking(), 0, 0, 0, *words], np.int64)
        self.address: int = self.words.ctypes.data

    def fit(self, obj: object) -> bool:
        """Whether an object, and all that is in it, is so."""
        return looks(obj, self.address)


@modelled
def looking() -> int:
    """The address of the function that looks whether an object has the contents it should have."""
    raise NotImplementedError


@modelled
def looks(obj: object, contents: int) -> bool:
    """Whether an object has the contents described at an address."""
    raise NotImplementedError


@modelled
def owned_object(address: int) -> Any:
    """The object at an address, with the reference that the program has to it."""
    raise NotImplementedError
