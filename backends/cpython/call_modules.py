"""The LLVM modules of native calls: what they need from outside, what they give, and their text."""

from __future__ import annotations

import re
from typing import Final

from jitcore.backends.cpython.array_calls import CALL_OF_ARRAYS
from jitcore.backends.cpython.call_assumptions import ASSUMPTIONS
from jitcore.backends.cpython.call_code import CALLS, SWITCHES
from jitcore.backends.cpython.call_guards import COUNTING, guard_text
from jitcore.backends.cpython.call_results import result_text
from jitcore.backends.cpython.call_tensors import SOLE, tensor_text
from jitcore.backends.native.host import context
from jitcore.backends.native.ir.text import reached
from jitcore.signature.struct_layout import Counting

FUNCTIONS: Final = {
    "Py_IncRef": "void (ptr)",
    "Py_DecRef": "void (ptr)",
    "PyFloat_AsDouble": "double (ptr)",
    "PyFloat_FromDouble": "ptr (double)",
    "PyLong_AsLongLong": "i64 (ptr)",
    "PyLong_AsLongLongAndOverflow": "i64 (ptr, ptr)",
    "PyLong_FromLongLong": "ptr (i64)",
    "PyLong_FromVoidPtr": "ptr (ptr)",
    "PyComplex_RealAsDouble": "double (ptr)",
    "PyComplex_ImagAsDouble": "double (ptr)",
    "PyComplex_FromDoubles": "ptr (double, double)",
    "PyBytes_AsString": "ptr (ptr)",
    "PyBytes_FromStringAndSize": "ptr (ptr, i64)",
    "PyUnicode_AsUCS4": "ptr (ptr, ptr, i64, i32)",
    "PyUnicode_FromKindAndData": "ptr (i32, ptr, i64)",
    "PyUnicode_FromOrdinal": "ptr (i32)",
    "PyObject_GetAttr": "ptr (ptr, ptr)",
    "PyObject_IsTrue": "i32 (ptr)",
    "PyObject_GenericGetDict": "ptr (ptr, ptr)",
    "PyObject_SetAttr": "i32 (ptr, ptr, ptr)",
    "PyObject_GetItem": "ptr (ptr, ptr)",
    "PyObject_Size": "i64 (ptr)",
    "PyList_GetItem": "ptr (ptr, i64)",
    "PyObject_RichCompareBool": "i32 (ptr, ptr, i32)",
    "PyObject_Vectorcall": "ptr (ptr, ptr, i64, ptr)",
    "PyObject_VectorcallMethod": "ptr (ptr, ptr, i64, ptr)",
    "PyDict_GetItemWithError": "ptr (ptr, ptr)",
    "PyDict_Size": "i64 (ptr)",
    "PyEval_RestoreThread": "void (ptr)",
    "PyEval_SaveThread": "ptr ()",
    "PyCell_Get": "ptr (ptr)",
    "PyTuple_New": "ptr (i64)",
    "PyTuple_SetItem": "i32 (ptr, i64, ptr)",
    "PyTuple_Size": "i64 (ptr)",
    "PyTuple_GetItem": "ptr (ptr, i64)",
    "PyType_GenericAlloc": "ptr (ptr, i64)",
    "PyErr_Clear": "void ()",
    "PyErr_NoMemory": "ptr ()",
    "PyErr_ExceptionMatches": "i32 (ptr)",
    "PyErr_Fetch": "void (ptr, ptr, ptr)",
    "PyErr_GivenExceptionMatches": "i32 (ptr, ptr)",
    "PyErr_NormalizeException": "void (ptr, ptr, ptr)",
    "PyException_SetTraceback": "i32 (ptr, ptr)",
    "PyErr_Occurred": "ptr ()",
    "PyErr_Restore": "void (ptr, ptr, ptr)",
    "PyException_GetTraceback": "ptr (ptr)",
    "PyMethod_New": "ptr (ptr, ptr)",
    "PyObject_GC_UnTrack": "void (ptr)",
    "_Py_NewReference": "void (ptr)",
    "PyObject_GC_Del": "void (ptr)",
    "PyObject_ClearWeakRefs": "void (ptr)",
}
"""What is called of Python's C API."""

NUMPY_FUNCTIONS: Final = {
    "PyArray_NewFromDescr": "ptr (ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)",
    "PyArray_Scalar": "ptr (ptr, ptr, ptr)",
    "PyArray_SetBaseObject": "i32 (ptr, ptr)",
    "PyArray_NewCopy": "ptr (ptr, i32)",
}

SUPPORT_FUNCTIONS: Final = {
    "jc_alloc": "ptr (ptr, i64)",
    "jc_begin": "void (ptr)",
    "jc_end": "void (ptr)",
    "jc_finish": "void (ptr)",
    "jc_release": "void (ptr)",
    "jc_retain": "void (ptr)",
}

OBJECTS: Final = (
    "jc_exception_class", "jc_attribute_error", "jc_is_from_handler", "_Py_NoneStruct", "_Py_TrueStruct",
    "_Py_FalseStruct", "PyFloat_Type", "PyLong_Type", "PyComplex_Type", "PyUnicode_Type", "PyList_Type",
    "PyArray_Type", "jc_byte_descr", "jc_tensor_class", "jc_slow_path", "jc_enough",
)  # fmt: skip
"""Objects that the code knows by name: the names' addresses are the objects'."""

_INTRINSICS: Final = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
"""

STATE: Final = ("jc_memory_handler", "jc_spare_counts", "jc_spares")
"""What it remembers, which both editions have in common (`call_editions`)."""
BETTER: Final = (
    "jc_vectorcall", "jc_array_malloc", "jc_array_calloc", "jc_array_realloc", "jc_array_free", "jc_tensor_dealloc",
)  # fmt: skip
"""What the better edition gives, besides what is `SHARED`."""
EXPORTS: Final = (
    *BETTER, *STATE, "jc_type_new", "jc_type_get", "jc_type_traverse", "jc_type_clear", "jc_type_dealloc",
    "jc_test_array", "jc_serving",
)  # fmt: skip
SHARED: Final = ("build_results", "array_result")
"""What calls of functions of arrays need of it besides."""


def support_text(counting: Counting, offsets: dict[str, int]) -> str:
    """The LLVM text of native calls; `offsets` are those of `TENSOR_ARRAY` and the other slots it reads."""
    text = _text(counting, offsets, CALLS)
    for name in SHARED:
        text = re.sub(rf"^define internal (?=.*@{name}\()", "define ", text, flags=re.MULTILINE)
    return text


def better_text(text: str) -> str:
    """The LLVM text of the edition for many calls: of that of native calls, what most calls run."""
    state = "|".join(STATE)
    text = re.sub(rf"(?m)^@({state}) = global (.*?) (?:null|zeroinitializer)\b", r"@\1 = external global \2", text)
    text = re.sub(r"(?m)^@jc_serving = .*\n", "", text)
    return reached(text, (*BETTER, *SHARED), ())


def text_of_array_calls(counting: Counting, offsets: dict[str, int]) -> str:
    """The LLVM text of `jc_call_of_arrays`, which few programs need: with what it calls of the rest, but for what is
    `SHARED`."""
    text = _text(counting, offsets, CALL_OF_ARRAYS)
    return reached(text, ["jc_call_of_arrays"], SHARED)


def _text(counting: Counting, offsets: dict[str, int], own: str) -> str:
    parts = [_INTRINSICS]
    for name, type_ in {**FUNCTIONS, **NUMPY_FUNCTIONS, **SUPPORT_FUNCTIONS}.items():
        result, _, arguments = type_.partition(" ")
        parts.append(f"declare {result} @{name}{arguments}\n")
    parts += [f"@{name} = external global i8\n" for name in OBJECTS]
    parts += [f"@jc_switch_{k} = external global ptr\n" for k in range(SWITCHES)]
    parts.append("@jc_first_left = external global i64\n")
    parts += [COUNTING[counting], ASSUMPTIONS, guard_text(), result_text(), tensor_text(), own]
    text = "".join(parts).replace("$CONTEXT_SIZE$", str(context.SIZE))
    text = text.replace("$SOLE$", SOLE[counting])
    for name, offset in offsets.items():
        text = text.replace(f"${name}$", str(offset))
    return text
