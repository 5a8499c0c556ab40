"""NumPy's C API of ufuncs, by ctypes: a ufunc without loops is made, and gets loops and a promoter later.

The functions are public since NumPy 2.0 (`PyUFunc_AddLoopFromSpec`, `PyUFunc_AddPromoter`), their places in the table
of functions and the layout of the structures part of NumPy's ABI.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import numpy as np

_POINTER: Final = ctypes.c_void_p
_INT: Final = ctypes.c_int
_OBJECT: Final = ctypes.py_object
_STRIDED_LOOP: Final = 5
_REDUCTION_INITIAL: Final = 4
_NO_FLOATING_POINT_ERRORS: Final = 1 << 1
_IS_REORDERABLE: Final = 1 << 3
_NO_IDENTITY: Final = -1
_REORDERABLE: Final = -2
_IDENTITY_IN_OBJECT: Final = -3
_PROMOTER: Final = b"numpy._ufunc_promoter"
_NO_CASTING: Final = 0

REORDERABLE: Final = "reorderable"
"""The identity of a ufunc that has none, whose reductions may go through the elements in any order."""


class _Slot(ctypes.Structure):
    _fields_ = (("slot", _INT), ("function", _POINTER))


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("nin", _INT),
        ("nout", _INT),
        ("casting", _INT),
        ("flags", _INT),
        ("dtypes", _POINTER),
        ("slots", _POINTER),
    )


class _UfuncHead(ctypes.Structure):
    """The first fields of PyUFuncObject."""

    _fields_ = (
        ("references", ctypes.c_ssize_t),
        ("type", _POINTER),
        ("nin", _INT),
        ("nout", _INT),
        ("nargs", _INT),
        ("identity", _INT),
        ("functions", _POINTER),
        ("data", _POINTER),
        ("ntypes", _INT),
        ("reserved", _INT),
        ("name", _POINTER),
        ("types", _POINTER),
    )


def _table() -> Any:
    module = importlib.import_module("numpy._core._multiarray_umath")
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = _POINTER, [_OBJECT, ctypes.c_char_p]
    return ctypes.cast(get(module._UFUNC_API, None), ctypes.POINTER(_POINTER))


_API: Final = _table()
_make: Final = ctypes.PYFUNCTYPE(
    _OBJECT, _POINTER, _POINTER, _POINTER, _INT, _INT, _INT, _INT,
    ctypes.c_char_p, ctypes.c_char_p, _INT, ctypes.c_char_p, _OBJECT,
)(_API[42])  # fmt: skip
_add_loop: Final = ctypes.PYFUNCTYPE(_INT, _OBJECT, _POINTER)(_API[43])
_add_promoter: Final = ctypes.PYFUNCTYPE(_INT, _OBJECT, _OBJECT, _OBJECT)(_API[44])

_KEPT: Final[list[object]] = []
"""What NumPy refers to without holding it: as ufuncs, it lives as long as the process."""


_T = TypeVar("_T")


def kept(thing: _T) -> _T:
    """Keep something until the process ends."""
    _KEPT.append(thing)
    return thing


def new(name: str, doc: str, nin: int, nout: int, identity: object, layout: str | None) -> np.ufunc:
    """A ufunc without loops. `identity`: a number, None or REORDERABLE; `layout`: the signature of its core dimensions,
    None where it is for elements. Raises ValueError for a layout that NumPy does not read."""
    code = _NO_IDENTITY if identity is None else _REORDERABLE if identity == REORDERABLE else _IDENTITY_IN_OBJECT
    value = identity if code == _IDENTITY_IN_OBJECT else None
    texts = [kept(ctypes.create_string_buffer(text.encode())) for text in (name, doc)]
    core = None if layout is None else kept(ctypes.create_string_buffer(layout.encode()))
    pointers = [ctypes.cast(text, ctypes.c_char_p) for text in texts]
    return kept(_make(None, None, None, 0, nin, nout, code, *pointers, 0, core and core.value, value))


def add_loop(
    ufunc: np.ufunc, dtypes: Sequence[np.dtype[Any]], loop: int, initial: int | None, reorderable: bool
) -> None:
    """Give a ufunc the loop for dtypes: the address of a `PyArrayMethod_StridedLoop` and, for ufuncs with an identity,
    of a `PyArrayMethod_GetReductionInitial`."""
    classes = (_POINTER * len(dtypes))(*(id(type(d)) for d in dtypes))
    slots = [
        _Slot(_STRIDED_LOOP, loop),
        *([] if initial is None else [_Slot(_REDUCTION_INITIAL, initial)]),
        _Slot(0, None),
    ]
    array = (_Slot * len(slots))(*slots)
    flags = _NO_FLOATING_POINT_ERRORS | (_IS_REORDERABLE if reorderable else 0)
    spec = _Spec(
        kept(ctypes.create_string_buffer(ufunc.__name__.encode())).value,
        ufunc.nin,
        ufunc.nout,
        _NO_CASTING,
        flags,
        ctypes.addressof(classes),
        ctypes.addressof(array),
    )
    kept((classes, array, spec))
    _add_loop(ufunc, ctypes.addressof(spec))


def add_promoter(ufunc: np.ufunc, promoter: int) -> None:
    """Give a ufunc the function (a `PyArrayMethod_Promoter`) that says which of its loops serves other dtypes."""
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = _OBJECT, [_POINTER, ctypes.c_char_p, _POINTER]
    any_ = (np.dtype,) * ufunc.nin + (None,) * ufunc.nout
    _add_promoter(ufunc, any_, capsule(promoter, _PROMOTER, None))


def set_types(ufunc: np.ufunc, loops: Sequence[Sequence[np.dtype[Any]]]) -> None:
    """Have `ufunc.types` say which loops there are. (It is for reading alone: NumPy looks loops up by the promoter.)"""
    chars = b"".join(bytes([d.num]) for dtypes in loops for d in dtypes)
    head = _UfuncHead.from_address(id(ufunc))
    head.types = ctypes.addressof(kept(ctypes.create_string_buffer(chars)))
    head.ntypes = len(loops)
