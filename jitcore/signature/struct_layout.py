"""Where CPython and NumPy keep what the native call path reads: offsets, and the test that they are right here.

The offsets are those of CPython 3.11 to 3.14 and NumPy 2 on 64-bit machines. `layout()` compares each with what the
interpreter itself reports, by writing nothing and reading only objects made for the purpose. Where one differs (another
implementation, a free-threaded build, a later version that moved something) it gives None, and calls go through Python.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import sysconfig
from functools import cache
from types import FunctionType
from typing import Any, Final, Literal, cast

import numpy as np

from jitcore.structs import dataclass

OB_TYPE: Final = 8

# PyTypeObject (cpython/object.h)
TYPE_VERSION: Final = 384

# PyFunctionObject, PyCellObject
FUNCTION_FIELDS: Final = {"__code__": 48, "__defaults__": 56, "__kwdefaults__": 64}
CELL_CONTENTS: Final = 16

# PyDictObject, and PyDictKeysObject (internal/pycore_dict.h)
DICT_KEYS: Final = 32
KEYS_INDEX_BYTES: Final = 9
KEYS_KIND: Final = 10
KEYS_VERSION: Final = 12
KEYS_COUNT: Final = 24
KEYS_INDICES: Final = 32
_KEYS_OF_STRINGS: Final = 1
_ENTRY_SIZE: Final = 16

# PyArrayObject_fields (numpy/ndarraytypes.h)
ARRAY_DATA: Final = 16
ARRAY_RANK: Final = 24
ARRAY_EXTENTS: Final = 32
ARRAY_STRIDES: Final = 40
ARRAY_BASE: Final = 48
ARRAY_DESCR: Final = 56
ARRAY_FLAGS: Final = 64
ARRAY_WEAK_REFERENCES: Final = 72
ARRAY_BUFFERS: Final = 80
ARRAY_MEMORY_HANDLER: Final = 88

# PyArray_Descr
DESCR_BYTE_ORDER: Final = 26
DESCR_TYPE_NUMBER: Final = 28

# flags of an array
C_CONTIGUOUS: Final = 0x0001
F_CONTIGUOUS: Final = 0x0002
OWNS_DATA: Final = 0x0004
ALIGNED: Final = 0x0100
WRITEABLE: Final = 0x0400

# indices into NumPy's table of C functions
NUMPY_FUNCTIONS: Final = {
    "PyArray_Scalar": 60,
    "PyArray_NewCopy": 85,
    "PyArray_NewFromDescr": 94,
    "PyArray_SetBaseObject": 282,
}
_NDARRAY_INDEX: Final = 2
_GET_HANDLER_INDEX: Final = 305
_DESCRIPTOR_SIZE: Final = 48
_MEMBER_OF_DESCRIPTOR: Final = 40
_OFFSET_OF_MEMBER: Final = 16

Counting = Literal["plain", "saturating", "called"]


@dataclass(frozen=True, slots=True)
class Layout:
    """What differs between interpreters this runs on.

    `counting` says how references are counted: `plain` (3.11: a signed word), `saturating` (3.12, 3.13: 32 bits,
    immortal where they are negative), or `called` (through Py_IncRef and Py_DecRef, wherever it isn't known). `numpy`
    are the addresses of NumPy's C functions.
    """

    counting: Counting
    numpy: dict[str, int]


@cache
def layout() -> Layout | None:
    """The layout, or None where native calls are not possible."""
    if sys.implementation.name != "cpython" or struct.calcsize("P") != 8 or sys.byteorder != "little":
        return None
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    table = _numpy_table()
    if table is None or not (_objects_are_laid_out() and _functions_are_laid_out() and _types_are_numbered()):
        return None
    if not all(map(_array_is_laid_out, _samples())):
        return None
    return Layout(_counting(), {name: table[index] for name, index in NUMPY_FUNCTIONS.items()})


def slot_offset(cls: type, name: str) -> int | None:
    """Where instances of a class keep a `__slots__` member; None if that cannot be told."""
    descriptor = cls.__dict__.get(name)
    if type(descriptor) is not type(_Probe.__dict__["first"]):
        return None
    return _member_offset(descriptor)


def _member_offset(descriptor: Any) -> int:
    """PyMemberDescrObject.d_member->offset."""
    if type(descriptor).__basicsize__ != _DESCRIPTOR_SIZE:
        return 0
    member = ctypes.c_void_p.from_address(id(descriptor) + _MEMBER_OF_DESCRIPTOR).value
    if member is None:
        return 0
    return ctypes.c_ssize_t.from_address(member + _OFFSET_OF_MEMBER).value


def scalar_offset(value: np.generic) -> int | None:
    """Where NumPy scalars of this one's class keep their value, as NumPy tells of this one; None if that cannot be
    told."""
    cls, size = type(value), value.dtype.itemsize
    if value.dtype.type is not cls:
        return None
    told = np.asarray(memoryview(cast("Any", value)))
    offset = told.ctypes.data - id(value)
    if not OB_TYPE + 8 <= offset <= cls.__basicsize__ - size or offset % told.dtype.alignment:
        return None
    return offset if ctypes.string_at(id(value) + offset, size) == value.tobytes() else None


class _Probe:
    __slots__ = ("first", "second")

    def __init__(self) -> None:
        self.first = object()
        self.second = object()


def _pointer(address: int) -> int | None:
    return ctypes.c_void_p.from_address(address).value


def _objects_are_laid_out() -> bool:
    """The head of an object, and where slots are."""
    probe = _Probe()
    if _pointer(id(probe) + OB_TYPE) != id(_Probe):
        return False
    for name in ("first", "second"):
        offset = _member_offset(_Probe.__dict__[name])
        if not 16 <= offset <= _Probe.__basicsize__ - 8 or _pointer(id(probe) + offset) != id(getattr(probe, name)):
            return False
    return True


def _functions_are_laid_out() -> bool:
    """Functions and the cells of closures."""

    def plain() -> object:
        return probe

    def with_defaults(a: int = 1, *, b: int = 2) -> object:
        return a, b, probe

    probe = object()
    cell = (plain.__closure__ or (None,))[0]
    fields = ((f, getattr(f, name), offset) for f in (plain, with_defaults) for name, offset in FUNCTION_FIELDS.items())
    return _pointer(id(cell) + CELL_CONTENTS) == id(probe) and all(
        _pointer(id(f) + offset) == (None if value is None else id(value)) for f, value, offset in fields
    )


def _types_are_numbered() -> bool:
    """Whether a class has a number that changes when it or a base does, and only then."""

    class Base:
        kept = 1

    class Derived(Base):
        pass

    number = ctypes.c_uint32.from_address(id(Derived) + TYPE_VERSION)
    seen: list[int] = []
    for change in (lambda: None, lambda: setattr(Base, "added", 2), lambda: setattr(Derived, "kept", 3)):
        change()
        seen += [Derived.kept and number.value for _ in range(2)]
    return seen[0] == seen[1] != seen[2] == seen[3] != seen[4] == seen[5] and len({*seen, 0}) == 4


@cache
def keys_are_numbered() -> bool:
    """Whether the keys of dicts are where they are believed to be, with a number that goes when a key is added or
    removed."""
    if layout() is None:
        return False
    values = {name: object() for name in ("first", "second", "third")}
    learnt = learn_keys(values)
    if learnt is None or any(_pointer(learnt.keys + learnt.offsets[k]) != id(v) for k, v in values.items()):
        return False
    values["second"] = probe = object()
    if keys_version(values) != learnt.version or _pointer(learnt.keys + learnt.offsets["second"]) != id(probe):
        return False
    copy = values.copy()
    copy["fourth"] = None
    del values["third"]
    return keys_version(copy) != learnt.version != keys_version(values)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a dict: where they are, their number, and where the value of each is, counted from there."""

    keys: int
    version: int
    offsets: dict[str, int]


def keys_version(names: dict[str, Any]) -> int:
    """The number that the interpreter gave the keys of a dict; 0 if it has none."""
    return ctypes.c_uint32.from_address((_pointer(id(names) + DICT_KEYS) or 0) + KEYS_VERSION).value


def learn_keys(names: dict[str, Any]) -> Keys | None:
    """What machine code needs to read the entries of a dict whose keys are strings; None if they have no number."""
    keys = _pointer(id(names) + DICT_KEYS)
    if keys is None or not all(type(name) is str for name in names):
        return None
    if not keys_version(names):
        _have_numbered(names)
    version, kind = keys_version(names), ctypes.c_uint8.from_address(keys + KEYS_KIND).value
    count = ctypes.c_ssize_t.from_address(keys + KEYS_COUNT).value
    index_bytes = ctypes.c_uint8.from_address(keys + KEYS_INDEX_BYTES).value
    if not version or kind != _KEYS_OF_STRINGS or index_bytes > 40 or count < len(names):
        return None
    first = KEYS_INDICES + (1 << index_bytes)
    held = {id(name): name for name in names}
    offsets: dict[str, int] = {}
    for k in range(count):
        at = first + k * _ENTRY_SIZE
        name = held.get(_pointer(keys + at) or 0)
        if name is not None:
            offsets[name] = at + 8
    return Keys(keys, version, offsets) if len(offsets) == len(names) else None


_ENOUGH_READS: Final = 64
"""After so many the interpreter has specialised an instruction (PEP 659)."""


def _have_numbered(names: dict[str, Any]) -> None:
    """Have the interpreter number the keys of a dict, as it does where globals in it are read often."""
    first = next(iter(names), None)
    if first is None:
        return
    code = _read_global.__code__.replace(co_names=(first,))
    read = FunctionType(code, names)
    for _ in range(_ENOUGH_READS):
        read()


def _read_global() -> Any:
    return __name__


def _counting() -> Counting:
    """How this version counts references, believed only if it counts as it should."""
    probe = object()
    reported = sys.getrefcount(probe) - 1
    if sys.version_info[:2] == (3, 11):
        return "plain" if ctypes.c_ssize_t.from_address(id(probe)).value == reported else "called"
    if sys.version_info[:2] in ((3, 12), (3, 13)):
        counts = ctypes.c_uint32.from_address(id(probe)).value == reported
        immortal = ctypes.c_int32.from_address(id(None)).value < 0
        return "saturating" if counts and immortal else "called"
    return "called"


# --- arrays -----------------------------------------------------------------------------------------


def _numpy_table() -> Any:
    """NumPy's table of C functions; None if it isn't where NumPy 2 has it."""
    try:
        from numpy._core._multiarray_umath import _ARRAY_API  # pyright: ignore[reportAttributeAccessIssue]
    except ImportError:
        return None
    get: Any = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = (ctypes.c_void_p * (_GET_HANDLER_INDEX + 1)).from_address(get(_ARRAY_API, None))
    if table[_NDARRAY_INDEX] != id(np.ndarray) or not all(table[k] for k in NUMPY_FUNCTIONS.values()):
        return None
    return table


def _samples() -> list[Any]:
    base = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    read_only = np.zeros((2, 2), np.int64)
    read_only.flags.writeable = False
    return [base, base[::-1, ::2, 1:], np.array(1.5), np.zeros((0, 3), np.int8), read_only, np.zeros(3, ">f4")]


def _array_is_laid_out(array: Any) -> bool:
    """Whether an array's fields are where they are believed to be. No address is followed before all else agrees."""
    at, rank = id(array), array.ndim
    handler = _pointer(at + ARRAY_MEMORY_HANDLER)
    if (
        np.ndarray.__basicsize__ < ARRAY_MEMORY_HANDLER + 8
        or _pointer(at + ARRAY_DATA) != array.ctypes.data
        or ctypes.c_int.from_address(at + ARRAY_RANK).value != rank
        or _pointer(at + ARRAY_BASE) != (None if array.base is None else id(array.base))
        or _pointer(at + ARRAY_DESCR) != id(array.dtype)
        or ctypes.c_int.from_address(at + ARRAY_FLAGS).value != array.flags.num
        or handler != (_current_handler() if array.flags.owndata else None)
    ):
        return False
    extents, strides = _pointer(at + ARRAY_EXTENTS), _pointer(at + ARRAY_STRIDES)
    if rank:
        if extents is None or strides != extents + 8 * rank:  # NumPy allocates them as one
            return False
        if tuple((ctypes.c_int64 * (2 * rank)).from_address(extents)) != (*array.shape, *array.strides):
            return False
    return _descr_is_laid_out(array.dtype)


def _current_handler() -> int:
    """The address of the memory handler that arrays are made with now."""
    get: Any = ctypes.PYFUNCTYPE(ctypes.py_object)(_numpy_table()[_GET_HANDLER_INDEX])
    return id(get())


def _descr_is_laid_out(dtype: Any) -> bool:
    order = ctypes.c_char.from_address(id(dtype) + DESCR_BYTE_ORDER).value.decode()
    number = ctypes.c_int.from_address(id(dtype) + DESCR_TYPE_NUMBER).value
    return order == dtype.byteorder and number == dtype.num
