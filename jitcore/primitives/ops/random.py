"""Random numbers: the process's state, and a generator that is a pure function of a key and two counters.

A draw is two steps. `random_state` takes the next draw number of a stream, which is an effect: it happens once, in the
order of the program. `philox` makes the bits of every element from key, draw number and the element's index, which may
be computed anywhere and any number of times: eager and compiled programs, and recomputed gradients, see the same
numbers.
"""

from __future__ import annotations

import os
import random as python_random
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.forking import process_lock
from jitcore.ir.nodes import Effects
from jitcore.kernel.scalar import OPS
from jitcore.primitives.core.array_classes import as_objects
from jitcore.primitives.core.registry import Elementwise, HostCode, Nondifferentiable, Sample, declare
from jitcore.primitives.core.rules import array, elementwise_rule, require_dtype
from jitcore.types import DType, ScalarType, TensorType, Type, i64, u64

Stream: TypeAlias = "tuple[int, int]"
"""The seeds an operator was set up with: (0, 0) for the process's own stream; (k, -1) for that of the k-th
generator."""

_MASK: Final = 2**32 - 1


def chance() -> int:
    """A key of chance."""
    return int.from_bytes(os.urandom(8), "little")


class _State:
    """The key of the process, how often each stream was drawn from, and the keys that generators have of their own."""

    def __init__(self) -> None:
        self.lock = process_lock()
        self.keys: dict[Stream, int] = {}
        self.seed(chance())

    def seed(self, value: int) -> None:
        with self.lock:
            self.key = value % 2**64
            kept = {stream: count for stream, count in getattr(self, "draws", {}).items() if stream in self.keys}
            self.draws: dict[Stream, int] = kept

    def open(self) -> Stream:
        """A new stream with a key of its own, 0 at first."""
        with self.lock:
            stream = (len(self.keys), -1)
            self.keys[stream] = 0
        return stream

    def read(self, stream: Stream) -> tuple[int, int]:
        """The key of a stream, and how often it was drawn from."""
        with self.lock:
            return self.keys.get(stream, self.key), self.draws.get(stream, 0)

    def write(self, stream: Stream, key: int, count: int) -> None:
        """Set the key of a stream, and how often it was drawn from."""
        with self.lock:
            if stream in self.keys:
                self.keys[stream] = key % 2**64
            else:
                self.key = key % 2**64
            self.draws[stream] = count

    def next_draw(self, stream: Stream) -> tuple[int, int]:
        """The key of a stream and the number of its next draw."""
        with self.lock:
            count = self.draws.get(stream, 0)
            self.draws[stream] = count + 1
        if stream == (0, 0):
            return self.key, count
        if stream in self.keys:
            return self.keys[stream], count
        first, second = stream
        # another constant for each (the golden ratio and its like, as in Weyl sequences): other seeds, other keys
        key = self.key + first * 0x9E3779B97F4A7C15 + second * 0xD1B54A32D192ED03
        return key % 2**64, count


_state = _State()


def seed(value: int) -> None:
    """Begin all streams anew, with another key; generators have their own."""
    _state.seed(value)


open_stream, read_stream, write_stream = _state.open, _state.read, _state.write


def _next(*, stream: Stream) -> tuple[Any, Any]:
    key, draw = _state.next_draw(stream)
    return np.array(key, np.uint64), np.array(draw, np.uint64)


random_state = declare(
    "random_state",
    "",
    rule=lambda *, stream: (TensorType(u64, ()), TensorType(u64, ())),
    reference=_next,
    lowering=HostCode(quick=True),
    derivative=Nondifferentiable("it depends on nothing"),
    samples=lambda: (),
    effects=Effects(io=True),
    doc="The key of a random stream and the number of a new draw from it.",
)


# --- Philox 4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3") ----------------------

_MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
_WEYL: Final = (0x9E3779B9, 0xBB67AE85)
_ROUNDS: Final = 10
_COUNTERS: Final = elementwise_rule("philox", 3, "u")


def _philox(k: Any, index: Any, draw: Any, key: Any) -> Any:
    def constant(value: int) -> Any:
        return k.const(u64, value)

    mask, half = constant(_MASK), constant(32)

    def low(x: Any) -> Any:
        return k("and", u64, x, mask)

    def high(x: Any) -> Any:
        return k("shr", u64, x, half)

    def xor(*xs: Any) -> Any:
        first, *rest = xs
        for x in rest:
            first = k("xor", u64, first, x)
        return first

    counter = [low(index), high(index), low(draw), high(draw)]
    keys = [low(key), high(key)]
    for _ in range(_ROUNDS):
        a = k("mul", u64, constant(_MULTIPLIERS[0]), counter[0])
        b = k("mul", u64, constant(_MULTIPLIERS[1]), counter[2])
        counter = [xor(high(b), counter[1], keys[0]), low(b), xor(high(a), counter[3], keys[1]), low(a)]
        keys = [low(k("add", u64, w, constant(step))) for w, step in zip(keys, _WEYL, strict=True)]
    return k("or", u64, k("shl", u64, counter[0], half), counter[1])


class _NumpyWriter:
    """Evaluates scalar code on arrays."""

    def __call__(self, op: str, dtype: DType, *args: Any) -> Any:
        del dtype
        return OPS[op].reference(*args)

    def const(self, dtype: DType, value: Any) -> Any:
        """A constant."""
        return np.array(value, dtype.numpy)


def _philox_reference(index: Any, draw: Any, key: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.asarray(_philox(_NumpyWriter(), *(np.asarray(x) for x in (index, draw, key))))


def _philox_rule(*types: Type) -> Type:
    for type_ in types:
        require_dtype(array(type_), u64, "counter and key of philox")
    return _COUNTERS(*types)


def _philox_samples() -> Iterable[Sample]:
    many = np.arange(2**40 - 5, 2**40 + 14, dtype=np.uint64)
    yield Sample((many, np.array(3, np.uint64), np.array(2**64 - 7, np.uint64)))
    yield Sample((many.reshape(19, 1)[:4], many[:3], np.array(0, np.uint64)))
    yield Sample((np.array(0, np.uint64),) * 3)


philox = declare(
    "philox",
    "index draw key",
    rule=_philox_rule,
    reference=_philox_reference,
    lowering=Elementwise(_philox),
    derivative=Nondifferentiable("its results are integers"),
    samples=_philox_samples,
    doc="The first two 32-bit words of Philox 4x32-10 at the counter (index, draw): the first is the upper half.",
)


# --- order ------------------------------------------------------------------------------------------


def _order_rule(bits: Type) -> Type:
    type_ = array(bits, "bits")
    return TensorType(i64, type_.shape)


random_order = declare(
    "random_order",
    "bits",
    rule=_order_rule,
    reference=lambda bits: np.argsort(np.asarray(bits), axis=-1, kind="stable").astype(np.int64),
    lowering=HostCode(),
    derivative=Nondifferentiable("an order of elements is locally constant"),
    samples=lambda: (
        Sample((np.array([5, 1, 9, 1], np.uint64),)),
        Sample((np.array([[0.5, 0.25], [0.1, 0.9]]),)),
    ),
    doc="The positions along the last axis that sort the elements, ascending.",
)

# --- Python's and NumPy's own generators ----------------------------------------------------------------------------


def _plain(arg: Any) -> Any:
    return arg.item() if isinstance(arg, np.ndarray | np.generic) and not arg.ndim else arg


def _function_of_numbers(module: str, name: str, dtype: DType) -> Any:
    """The module's own function."""
    del dtype
    return getattr(python_random if module == "random" else np.random, name)


def _draw_of_host(*args: Any, module: str, name: str, dtype: DType) -> Any:
    made = _function_of_numbers(module, name, dtype)(*map(_plain, args))
    return dtype.numpy.type(made).item()


host_random = declare(
    "host_random",
    "*args",
    rule=lambda *args, module, name, dtype: ScalarType(dtype),
    reference=_draw_of_host,
    lowering=HostCode(_function_of_numbers),
    derivative=Nondifferentiable("what is drawn does not depend on the arguments continuously"),
    samples=lambda: (),
    effects=Effects(io=True, raises=("ValueError",)),
    doc="A function of Python's `random` or of `numpy.random`, called with numbers: it draws a "
    "number from the module's own generator.",
)


def _seed_host(*args: Any, module: str, known: tuple[Any, ...], categories: tuple[str, ...] = ()) -> None:
    generator: Any = python_random if module == "random" else np.random
    generator.seed(*as_objects(args, categories), *known)


host_seed = declare(
    "host_seed",
    "*args",
    rule=lambda *args, module, known, categories=(): (),
    reference=_seed_host,
    lowering=HostCode(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (),
    effects=Effects(io=True, raises=("ValueError", "TypeError")),
    doc="Seeds Python's `random` or `numpy.random` with a value of the run, or with the arguments `known`; "
    "`categories` says what an array among them is.",
)
