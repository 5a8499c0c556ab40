"""Arrays of other libraries, and NumPy's own of other kinds than Tensors hold, as ndarrays: without a copy where that
can be.

    array = as_ndarray(value)               # None: it is no array
    given = Given.of(args, keywords)        # of a call: None if there are none among its arguments

Other libraries are never imported: their arrays are known by the protocols they have (`__dlpack__`,
`__array_interface__`, `__array__`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.lookup import attribute_of, has_attribute
from jitcore.runtime import tensor_models
from jitcore.runtime.arguments import is_plain_object
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.parts import slots_of
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass, field

_CPU: Final = 1
"""DLPack's number of a device whose memory the CPU has (kDLCPU)."""
_OURS: Final = (Tensor, np.generic, bool, int, float, complex, str, bytes, tuple, list, dict, type(None))


def is_foreign(value: Any) -> bool:
    """Whether a value is an array of another library."""
    if isinstance(value, (np.ndarray, *_OURS)):
        return False
    cls = cast("type[Any]", type(value))
    return hasattr(cls, "__dlpack_device__") or has_attribute(value, "__array_interface__")


@tensor_models.as_ndarray.model
def as_ndarray(value: Any) -> np.ndarray[Any, Any] | None:
    """An object that has elements as an ndarray, in its memory where that can be; None if it has none.

    Raises TypeError for arrays on devices, with gradients of their own, with masks, or of elements that no ndarray has.
    """
    if isinstance(value, np.ndarray):
        return _native(cast("np.ndarray[Any, Any]", value))
    if isinstance(value, _OURS):
        return None
    if is_foreign(value):
        _require_plain(value)
        return _native(_shared(value))
    if isinstance(value, memoryview) or type(value).__module__ == "array":
        return _native(np.asarray(value))
    return _native(np.asarray(value)) if hasattr(cast("type[Any]", type(value)), "__array__") else None


def captured(value: Any) -> np.ndarray[Any, Any] | None:
    """What stands in compiled code for an array of another library, or in another byte order, that a program reads
    besides its arguments; None if nothing does."""
    if not needs_stand_in(value) or (not isinstance(value, np.ndarray) and _attributes(value) is _COMMON):
        return None
    try:
        return as_ndarray(value)
    except TypeError as error:  # Python says so where it is used
        if is_from_handler(error):
            raise
        return None


def _native(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An ndarray as it is, or with its bytes in the machine's order."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("a masked array has elements that are none: write x.filled(value), or x.data to take them all")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _require_plain(value: Any) -> None:
    name = class_name(value)
    device = attribute_of(value, "__dlpack_device__", None)
    kind = _CPU if device is None else int(device()[0])
    if kind != _CPU:
        raise TypeError(f"a {name} on another device than the CPU: write x.cpu(), or what copies it to the host")
    if getattr(value, "requires_grad", False) is True:
        raise TypeError(
            f"a {name} that requires grad: no gradient of its library goes through jitcore; write x.detach()"
        )


class NoArrayError(TypeError):
    """An array of another library has elements that no ndarray has."""


def _shared(value: Any) -> np.ndarray[Any, Any]:
    try:
        as_array = has_attribute(value, "__array_interface__") or has_attribute(value, "__array__")
        return np.asarray(value) if as_array else np.from_dlpack(value)
    except (TypeError, RuntimeError, ValueError, BufferError) as error:
        if is_from_handler(error):
            raise
        message = f"a {class_name(value)} cannot be taken as an ndarray: {error}; convert it to a dtype that NumPy has"
        raise NoArrayError(message) from error


def class_name(value: Any) -> str:
    """The name of an object's class, with its module."""
    if isinstance(value, Tensor):
        return f"jitcore.{type(value).__name__}"
    cls = cast("type[Any]", type(value))
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def refuse_operand(op: str, left: Any, right: Any) -> None:
    """Raise TypeError if one operand is a Tensor and the other an array of another library: whose array is the result
    to be?"""
    other = right if isinstance(left, Tensor) else left
    if is_foreign(other):
        raise TypeError(
            f"unsupported operand type(s) for {op}: '{class_name(left)}' and '{class_name(right)}': "
            f"write Tensor(y) for the {class_name(other)} y, or x.asnumpy() for the Tensor x"
        )


# --- arguments of compiled functions ------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Given:
    """The arguments of a call with ndarrays in the place of arrays of other libraries.

    Those that had to be copied are written back by `write_back`.
    """

    originals: tuple[Sequence[Any], Mapping[str, Any]]
    args: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict[str, Any])
    attributes: frozenset[str] | None = None
    """Which attributes of the ndarrays mean what they mean there; None: all."""
    interpreted: bool = False
    """Whether Python ran the call after all, on the arguments as they came."""
    _arrays: dict[int, tuple[Any, np.ndarray[Any, Any]]] = field(
        default_factory=dict[int, "tuple[Any, np.ndarray[Any, Any]]"]
    )
    """By identity, what came and what stands for it."""

    @staticmethod
    def of(args: Sequence[Any], keywords: Mapping[str, Any]) -> Given | None:
        """The arguments of a call; None if there are no such arrays among them, or if copies of them would not share
        what they do."""
        if not any(map(_needs_place, args)) and not any(map(_needs_place, keywords.values())):
            return None
        given = Given((args, keywords))
        try:
            given.args = tuple(map(given._taken, args))
            given.keywords = {name: given._taken(value) for name, value in keywords.items()}
        except NoArrayError:
            return None  # Python may know what to do with it
        return None if given._overlap() else given

    def _taken(self, value: Any) -> Any:
        if type(value) is tuple:
            return tuple(map(self._taken, cast("tuple[Any, ...]", value)))
        if not _needs_place(value):
            return value
        if id(value) not in self._arrays:
            array = as_ndarray(value)
            assert array is not None
            if not isinstance(value, np.ndarray):
                known = _attributes(value)
                self.attributes = known if self.attributes is None else self.attributes & known
            self._arrays[id(value)] = (value, array)
        return self._arrays[id(value)][1]

    def _copies(self) -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
        """Arrays in another byte order, and their copies."""
        pairs = self._arrays.values()
        return [(v, a) for v, a in pairs if isinstance(v, np.ndarray) and not np.may_share_memory(v, a)]

    def _overlap(self) -> bool:
        arguments = [v for v in (*self.originals[0], *self.originals[1].values()) if isinstance(v, np.ndarray)]
        return any(
            other is not original and np.may_share_memory(original, other)
            for original, _ in self._copies()
            for other in arguments
        )

    def write_back(self) -> None:
        """Have what was written to copies in what they are copies of."""
        for original, copy in self._copies():
            if (
                not self.interpreted
                and original.flags.writeable
                and original.astype(copy.dtype).tobytes() != copy.tobytes()
            ):
                original[...] = copy

    def with_originals(self, result: Any) -> Any:
        """A result, with the arguments that it is or has in it as they came."""
        if self.interpreted:
            return result
        if isinstance(result, np.ndarray):
            return next((v for v, a in self._arrays.values() if a is result), cast("Any", result))
        if type(result) is tuple or type(result) is list:
            items = cast("Sequence[Any]", result)
            return type(result)(map(self.with_originals, items))
        return result


def _needs_place(value: Any) -> bool:
    """Whether compiled code takes an argument, or an item of it, as another ndarray."""
    if type(value) is not tuple:
        return needs_stand_in(value)
    pending, seen = [cast("tuple[Any, ...]", value)], set[int]()
    while pending:
        for item in pending.pop():
            if type(item) is not tuple:
                if needs_stand_in(item):
                    return True
            elif id(item) not in seen:  # tuples may be in many places
                seen.add(id(item))
                pending.append(cast("tuple[Any, ...]", item))
    return False


_COMMON: Final = frozenset(["T", "flatten", "ndim", "reshape", "shape", "sum"])
"""Attributes that mean the same in libraries with meanings of their own (`x.std()` divides by another number,
`x.transpose(0, 1)` swaps)."""
_NUMPYS: Final = frozenset(dir(np.ndarray))


def _attributes(value: Any) -> frozenset[str]:
    """The attributes of an array of another library that mean what they mean in NumPy."""
    return _NUMPYS if hasattr(cast("type[Any]", type(value)), "__array_namespace__") else _COMMON


def needs_stand_in(value: Any) -> bool:
    """Whether compiled code takes an object as another ndarray."""
    if type(value) is np.ndarray:
        return not value.dtype.isnative and value.dtype.kind in "iufc"
    return is_foreign(value) and (bool(slots_of(type(value))) or not is_plain_object(value))


class _Standing(threading.local):
    def __init__(self) -> None:
        self.calls: list[Given] = []


_standing = _Standing()


class standing_in:  # read as a statement: `with standing_in(given):`
    """What runs inside knows which arguments the call came with."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def __enter__(self) -> None:
        _standing.calls.append(self._given)

    def __exit__(self, *_: object) -> None:
        _standing.calls.pop()


def call_standing_in(function: Any, given: Given) -> Any:
    """A call of a compiled function whose arrays of other libraries ndarrays stand for: where they do not serve, it is
    run on those it came with."""
    try:
        with standing_in(given):
            known = given.attributes is None
            made = function(*given.args, **given.keywords) if known else function.dispatch(given.args, given.keywords)
    finally:
        given.write_back()
    return given.with_originals(made)


def standing_for(args: Sequence[Any]) -> Given | None:
    """The call whose arguments these ones stand for."""
    return next((given for given in _standing.calls[-1:] if given.args is args), None)


def as_they_came(args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments of a call that Python runs: those of other libraries, if ndarrays stand for them."""
    for given in reversed(_standing.calls):
        same = len(args) == len(given.args) and all(a is b for a, b in zip(args, given.args, strict=True))
        if (
            same
            and keywords.keys() == given.keywords.keys()
            and all(keywords[k] is v for k, v in given.keywords.items())
        ):
            given.interpreted = True
            return given.originals
    return args, keywords
