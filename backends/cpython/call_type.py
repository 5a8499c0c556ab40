"""The native callable type: made once a process, from machine code that is compiled once a machine.

    native = native_type(Base, classes)              # None where native calls are not possible
    f = native.type()                                # an instance of Base, too
    native.publish(f, entries)

The type derives from a Python class without fields (`__slots__ = ()`), whose methods it has; only calling, binding as a
method and memory management are native. Its instances have a `__dict__` and weak references, and take part in garbage
collection.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

import numpy as np

from jitcore.backends import protocol
from jitcore.backends.cpython import call_code, call_editions, call_modules, call_results
from jitcore.backends.cpython.array_calls import HostRecord
from jitcore.backends.cpython.call_entry import Entry, Table
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import memory, runtime
from jitcore.backends.native.host.context import Context
from jitcore.backends.native.link import editions, object_cache
from jitcore.backends.protocol import Surroundings
from jitcore.program.nodes import HostCall
from jitcore.signature import struct_layout
from jitcore.signature.struct_layout import Counting
from jitcore.source import InternalError

# slots' numbers (CPython's typeslots.h), members' types and flags (structmember.h), types' flags (object.h)
_TP_CALL, _TP_CLEAR, _TP_DEALLOC, _TP_DESCR_GET, _TP_NEW = 50, 51, 52, 54, 65
_TP_FINALIZE, _TP_DEL = 80, 53
_TP_TRAVERSE, _TP_MEMBERS, _TP_GETSET = 71, 72, 73
_T_PYSSIZET, _READONLY = 19, 1
_DEFAULT, _HAVE_GC, _METHOD_DESCRIPTOR, _HAVE_VECTORCALL = 1 << 18, 1 << 14, 1 << 17, 1 << 11


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.c_void_p),
    )


class _Member(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _GetSet(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("get", ctypes.c_void_p),
        ("set", ctypes.c_void_p),
        ("doc", ctypes.c_char_p),
        ("closure", ctypes.c_void_p),
    )


class _Handler(ctypes.Structure):
    """PyDataMem_Handler (NEP 49)."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        ("malloc", ctypes.c_void_p),
        ("calloc", ctypes.c_void_p),
        ("realloc", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
    )


def _offsets(surroundings: Surroundings) -> dict[str, int] | None:
    """Where the slots are that native calls read; None if that cannot be told."""
    tensor, storage = surroundings.tensor, surroundings.storage
    found = {
        "TENSOR_ARRAY": struct_layout.slot_offset(tensor, "_array"),
        "TENSOR_STORAGE": struct_layout.slot_offset(tensor, "_storage"),
        "TENSOR_VIEW": struct_layout.slot_offset(tensor, "_view"),
        "TENSOR_HISTORY": struct_layout.slot_offset(tensor, "_history"),
        "TENSOR_WEAK": tensor.__weakrefoffset__ or None,
        "STORAGE_VERSION": struct_layout.slot_offset(storage, "version"),
    }
    return {k: v for k, v in found.items() if v is not None} if None not in found.values() else None


class NativeType:
    """The type, and how tables are given to its instances."""

    def __init__(self, base: type, made: type, addresses: Mapping[str, int], keep: Any) -> None:
        self.base = base
        self.type = made
        self._addresses = addresses
        self._keep = keep

    def over(self, base: type) -> NativeType:
        """The type of the same code over another class."""
        made, records = _make_type(base, self._addresses)
        native = NativeType(base, made, self._addresses, (self, records))
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(native))  # its records are read until the process ends
        return native

    def publish(self, function: Any, entries: Sequence[protocol.Entry]) -> None:
        """See `backends.protocol.NativeCalls`."""
        table = Table(cast("Sequence[Entry]", entries))
        if type(function) is not self.type:
            raise InternalError(f"{function!r} is no instance of the native type")
        python = ctypes.pythonapi
        holder = ctypes.c_void_p.from_address(id(function) + call_code.OBJECT_HOLDER)
        before = holder.value
        python.Py_IncRef(ctypes.py_object(table))
        holder.value = id(table)
        ctypes.c_void_p.from_address(id(function) + call_code.OBJECT_TABLE).value = table.address
        if before is not None:
            _decref(before)


_array_calls: Final[list[call_editions.ArrayCalls]] = []
"""The code that calls functions of arrays for programs, once there are native calls."""


def record_of(call: HostCall) -> HostRecord | None:
    """What has a host call made by native code; None where it is made through `callbacks.callback`."""
    return _array_calls[0].record(call) if _array_calls and HostRecord.serves(call) else None


_begun: Final[dict[tuple[str, ...], tuple[str, object_cache.Parts]]] = {}
"""Its text and code in the making, by what they depend on."""


def begin(surroundings: Surroundings) -> None:
    """Begin to compile the code of the native type, where there is a core to do it: it is asked for soon."""
    layout, offsets = struct_layout.layout(), _offsets(surroundings)
    if layout is not None and offsets is not None:
        _begun[_key(layout.counting, offsets)] = _first_edition(layout.counting, offsets)


def _key(counting: Counting, offsets: Mapping[str, int]) -> tuple[str, ...]:
    return counting, *map(str, offsets.values())


def _first_edition(counting: Counting, offsets: dict[str, int]) -> tuple[str, object_cache.Parts]:
    text = call_modules.support_text(counting, offsets)
    return text, call_editions.parts(text, engine.BRIEF)


def native_type(base: type, surroundings: Surroundings) -> NativeType | None:
    """The native type over `base`, made anew; None where the interpreter or NumPy is not as it must be for that."""
    layout, offsets = struct_layout.layout(), _offsets(surroundings)
    switches = [_switch_address(holder, name) for holder, name in surroundings.switches]
    if layout is None or offsets is None or None in switches or len(switches) != call_code.SWITCHES:
        return None
    text, parts = _begun.pop(_key(layout.counting, offsets), None) or _first_edition(layout.counting, offsets)
    symbols = {
        **{name: runtime.address_of(name) for name in call_modules.FUNCTIONS},
        **layout.numpy,
        **{name: runtime.symbols()[name] for name in call_modules.SUPPORT_FUNCTIONS},
        **{name: id(value) for name, value in _objects(surroundings).items()},
        "jc_enough": id(editions.enough),
        "jc_first_left": editions.LEFT,
        **{f"jc_switch_{k}": address for k, address in enumerate(switches) if address is not None},
    }
    exports = (*call_modules.EXPORTS, *call_modules.SHARED)
    loaded = parts.linked(lambda codes: engine.load_object(codes, exports, symbols))
    handler, capsule = _install_handler(loaded)
    keep = (loaded, surroundings, handler, capsule)
    made, records = _make_type(base, loaded.addresses)
    native = NativeType(base, made, loaded.addresses, (keep, records, _objects(surroundings)))
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(native))  # its code may run until the process ends
    if not _gives_memory_back(loaded):
        return None
    if layout.counting != "called":
        _free_natively(surroundings.tensor, loaded.addresses["jc_tensor_dealloc"])

    def install(addresses: Mapping[str, int]) -> None:
        _set_functions(handler, addresses)
        dealloc = ctypes.c_void_p.from_address(id(surroundings.tensor) + _TYPE_DEALLOC)
        if dealloc.value == loaded.addresses["jc_tensor_dealloc"]:
            dealloc.value = addresses["jc_tensor_dealloc"]

    better = call_editions.Better(text, loaded.addresses, symbols, install)
    array_calls = partial(call_modules.text_of_array_calls, layout.counting, offsets)
    _array_calls[:] = [call_editions.ArrayCalls(array_calls, loaded.addresses, symbols, better)]
    better.begin()
    return native


def _objects(surroundings: Surroundings) -> dict[str, Any]:
    return {
        "jc_exception_class": Exception,
        "jc_attribute_error": AttributeError,
        "jc_is_from_handler": surroundings.is_from_handler,
        "_Py_NoneStruct": None,
        "_Py_TrueStruct": True,
        "_Py_FalseStruct": False,
        "PyFloat_Type": float,
        "PyLong_Type": int,
        "PyComplex_Type": complex,
        "PyUnicode_Type": str,
        "PyList_Type": list,
        "PyArray_Type": np.ndarray,
        "jc_byte_descr": np.dtype(np.uint8),
        "jc_tensor_class": surroundings.tensor,
        "jc_slow_path": sys.intern(surroundings.slow_path),
    }


def _switch_address(holder: Any, name: str) -> int | None:
    offset = struct_layout.slot_offset(type(holder), name)
    return None if offset is None else id(holder) + offset


def _decref(address: int) -> None:
    release: Any = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("Py_DecRef", ctypes.pythonapi))
    release(address)


# --- Tensors ----------------------------------------------------------------------------------------

_TYPE_DEALLOC: Final = 48
"""PyTypeObject.tp_dealloc."""


def _free_natively(tensor: type, dealloc: int) -> None:
    """Have Tensors, of this very class or a subclass, freed by `dealloc`: it knows all that a Tensor has. What Python
    made of the class must be where it is believed to be, or it stays as it is."""
    get: Any = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_int)(("PyType_GetSlot", ctypes.pythonapi))
    field = ctypes.c_void_p.from_address(id(tensor) + _TYPE_DEALLOC)
    slots = ("_array", "_history", "_storage", "_view", "__weakref__")
    if (
        field.value == get(tensor, _TP_DEALLOC)
        and not get(tensor, _TP_FINALIZE)
        and not get(tensor, _TP_DEL)
        and tensor.__base__ is object
        and tensor.__basicsize__ == object.__basicsize__ + 8 * len(slots)
        and not tensor.__dictoffset__
        and sorted(tensor.__dict__.get("__slots__", ())) == sorted(slots)
    ):
        field.value = dealloc


# --- the memory handler -----------------------------------------------------------------------------

_CAPSULE_NAME: Final = ctypes.create_string_buffer(b"mem_handler")
"""The name NumPy looks for."""


def _set_functions(handler: _Handler, addresses: Mapping[str, int]) -> None:
    for name in ("malloc", "calloc", "realloc", "free"):
        setattr(handler, name, addresses[f"jc_array_{name}"])


def _install_handler(loaded: engine.LoadedObject) -> tuple[_Handler, Any]:
    """Make the memory handler of result arrays and tell the code of it: it and its capsule, to be kept alive."""
    handler = _Handler(call_results.HANDLER_NAME.encode(), 1)
    _set_functions(handler, loaded.addresses)
    new: Any = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi)
    )
    capsule = new(ctypes.addressof(handler), ctypes.addressof(_CAPSULE_NAME), None)
    ctypes.c_void_p.from_address(loaded.addresses["jc_memory_handler"]).value = id(capsule)
    return handler, capsule


def _gives_memory_back(loaded: engine.LoadedObject) -> bool:
    """Whether NumPy sees the handler in an array over a block, and gives the block back with it."""
    context = Context()
    owner = runtime.allocate(ctypes.addressof(context), 32)
    ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(runtime.symbols()["jc_finish"])(ctypes.addressof(context))
    runtime.retain(owner)
    try:
        array = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(loaded.addresses["jc_test_array"])(owner)
        seen = np._core.multiarray.get_handler_name(array) == call_results.HANDLER_NAME  # type: ignore[attr-defined]
        seen = seen and array.flags.owndata and array.shape == (32,) and array.ctypes.data == owner + memory.HEADER
        del array
        return seen and ctypes.c_int64.from_address(owner + memory.SHARES).value == 1
    finally:
        runtime.release(owner)


# --- the type ---------------------------------------------------------------------------------------


def _make_type(base: type, addresses: Any) -> tuple[type, Any]:
    """The type, and the records it points to."""
    members = (_Member * 4)(
        (b"__vectorcalloffset__", _T_PYSSIZET, call_code.OBJECT_VECTORCALL, _READONLY, None),
        (b"__dictoffset__", _T_PYSSIZET, call_code.OBJECT_DICT, _READONLY, None),
        (b"__weaklistoffset__", _T_PYSSIZET, call_code.OBJECT_WEAK_REFERENCES, _READONLY, None),
    )
    get_dict, set_dict = map(runtime.address_of, ("PyObject_GenericGetDict", "PyObject_GenericSetDict"))
    attributes = (_GetSet * 2)((b"__dict__", get_dict, set_dict, None, None))
    slots = (_Slot * 9)(
        (_TP_CALL, runtime.address_of("PyVectorcall_Call")),
        (_TP_NEW, addresses["jc_type_new"]),
        (_TP_DESCR_GET, addresses["jc_type_get"]),
        (_TP_TRAVERSE, addresses["jc_type_traverse"]),
        (_TP_CLEAR, addresses["jc_type_clear"]),
        (_TP_DEALLOC, addresses["jc_type_dealloc"]),
        (_TP_MEMBERS, ctypes.addressof(members)),
        (_TP_GETSET, ctypes.addressof(attributes)),
    )
    name = ctypes.create_string_buffer(f"{base.__module__}.{base.__qualname__}".encode())
    flags = _DEFAULT | _HAVE_GC | _METHOD_DESCRIPTOR | _HAVE_VECTORCALL
    spec = _Spec(ctypes.cast(name, ctypes.c_char_p), call_code.OBJECT_SIZE, 0, flags, ctypes.addressof(slots))
    make: Any = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object)(
        ("PyType_FromSpecWithBases", ctypes.pythonapi)
    )
    return make(ctypes.addressof(spec), (base,)), (members, attributes, slots, name, spec)
