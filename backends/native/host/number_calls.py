"""Runtime support, in LLVM: a Python function of numbers, called with them as they are and asked for a number.

Arguments are boxed, the function is called by the vectorcall protocol and its result is unboxed here, so that a call
costs what it costs CPython: the way over a callback, which reads words in Python, takes a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.program.words import PAST_64_BITS
from jitcore.types import DType, ScalarType

MOST_ARGUMENTS: Final = 20
_KIND_BITS: Final = 3
_BOOL, _INT, _FLOAT, _COMPLEX, _OBJECT = range(5)

SYMBOLS: Final = (
    "PyBool_FromLong",
    "PyComplex_FromDoubles",
    "PyComplex_ImagAsDouble",
    "PyComplex_RealAsDouble",
    "PyErr_Occurred",
    "PyErr_SetString",
    "PyFloat_FromDouble",
    "PyLong_AsLongLong",
    "PyLong_FromLongLong",
    "PyObject_IsTrue",
    "PyObject_Vectorcall",
)
"""What it takes of Python's C API beyond the other support."""


def kind(type_: ScalarType) -> int:
    """How a number's type is told to `jc_call_of_numbers`."""
    dtype: DType = type_.dtype
    if dtype.kind == "b":
        return _BOOL
    return _FLOAT if dtype.is_float else _COMPLEX if dtype.kind == "c" else _INT


def kinds(types: Sequence[ScalarType], objects: int = 0) -> int:
    """The types of arguments, the first one's kind in the lowest bits; the first `objects` of them are addresses of
    objects."""
    return sum((_OBJECT if k < objects else kind(t)) << _KIND_BITS * k for k, t in enumerate(types))


RETURNED: Final = """returned:
  call void @resume_holding(ptr %ctx)
  call void @PyGILState_Release(i32 %gil)
  ret i32 0
failed:
  call void @keep_exception(ptr %ctx)
  call void @resume_holding(ptr %ctx)
  call void @PyGILState_Release(i32 %gil)
  ret i32 1
"""
"""How a call into Python ends that took the GIL as `%gil`: 0, or 1 with what was raised in the context."""

CALL_OF_NUMBERS: Final = f"""
@jc_past_word = private constant [{len(PAST_64_BITS) + 1} x i8] c"{PAST_64_BITS}\\00"
declare void @PyErr_SetString(ptr, ptr)
declare ptr @PyBool_FromLong(i64)
declare ptr @PyComplex_FromDoubles(double, double)
declare double @PyComplex_ImagAsDouble(ptr)
declare double @PyComplex_RealAsDouble(ptr)
declare ptr @PyErr_Occurred()
declare ptr @PyFloat_FromDouble(double)
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare i32 @PyObject_IsTrue(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)

; Call `callable` with `count` numbers of these kinds, which lie at `in`; its result, a number of kind `wanted`, is
; written to `out`. 0, or 1 if something was raised.
define i32 @jc_call_of_numbers(ptr %ctx, ptr %callable, i64 %count, i64 %kinds, i64 %wanted, ptr %in, ptr %out) {{
entry:
  %boxes = alloca [{MOST_ARGUMENTS + 1} x ptr]
  %first = getelementptr ptr, ptr %boxes, i64 1
  %gil = call i32 @PyGILState_Ensure()
  call void @pause_holding()
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k.next, %stored ]
  %word = phi i64 [ 0, %entry ], [ %word.next, %stored ]
  %rest = phi i64 [ %kinds, %entry ], [ %rest.next, %stored ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %box, label %call
box:
  %at = getelementptr i64, ptr %in, i64 %word
  %bits = load i64, ptr %at
  %kind = and i64 %rest, {(1 << _KIND_BITS) - 1}
  switch i64 %kind, label %box.int [ i64 {_BOOL}, label %box.bool i64 {_FLOAT}, label %box.float
                                     i64 {_COMPLEX}, label %box.complex i64 {_OBJECT}, label %box.object ]
box.bool:
  %bool = call ptr @PyBool_FromLong(i64 %bits)
  br label %boxed
box.int:
  %int = call ptr @PyLong_FromLongLong(i64 %bits)
  br label %boxed
box.float:
  %double = load double, ptr %at
  %float = call ptr @PyFloat_FromDouble(double %double)
  br label %boxed
box.complex:
  %re = load double, ptr %at
  %im.at = getelementptr double, ptr %at, i64 1
  %im = load double, ptr %im.at
  %complex = call ptr @PyComplex_FromDoubles(double %re, double %im)
  br label %boxed
box.object:
  %held.object = inttoptr i64 %bits to ptr
  call void @Py_IncRef(ptr %held.object)
  br label %boxed
boxed:
  %object = phi ptr [ %bool, %box.bool ], [ %int, %box.int ], [ %float, %box.float ], [ %complex, %box.complex ],
                    [ %held.object, %box.object ]
  %made = icmp ne ptr %object, null
  br i1 %made, label %stored, label %dropping
stored:
  %slot = getelementptr ptr, ptr %first, i64 %k
  store ptr %object, ptr %slot
  %wide = icmp eq i64 %kind, {_COMPLEX}
  %words = select i1 %wide, i64 2, i64 1
  %word.next = add i64 %word, %words
  %rest.next = lshr i64 %rest, {_KIND_BITS}
  %k.next = add i64 %k, 1
  br label %next
call:
  %flagged = or i64 %count, -9223372036854775808
  %answer = call ptr @PyObject_Vectorcall(ptr %callable, ptr %first, i64 %flagged, ptr null)
  br label %dropping
dropping:
  %result = phi ptr [ null, %boxed ], [ %answer, %call ]
  br label %drop
drop:
  %left = phi i64 [ %k, %dropping ], [ %left.next, %dropped ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %look, label %dropped
dropped:
  %left.next = sub i64 %left, 1
  %held.at = getelementptr ptr, ptr %first, i64 %left.next
  %held = load ptr, ptr %held.at
  call void @Py_DecRef(ptr %held)
  br label %drop
look:
  %raised = icmp eq ptr %result, null
  br i1 %raised, label %failed, label %unbox
unbox:
  switch i64 %wanted, label %unbox.int [ i64 {_BOOL}, label %unbox.bool i64 {_FLOAT}, label %unbox.float
                                         i64 {_COMPLEX}, label %unbox.complex ]
unbox.bool:
  %truth = call i32 @PyObject_IsTrue(ptr %result)
  %truth.word = zext i32 %truth to i64
  store i64 %truth.word, ptr %out
  br label %unboxed
unbox.int:
  %int.word = call i64 @PyLong_AsLongLong(ptr %result)
  store i64 %int.word, ptr %out
  br label %unboxed
unbox.float:
  %float.word = call double @PyFloat_AsDouble(ptr %result)
  store double %float.word, ptr %out
  br label %unboxed
unbox.complex:
  %re.word = call double @PyComplex_RealAsDouble(ptr %result)
  %im.word = call double @PyComplex_ImagAsDouble(ptr %result)
  %im.out = getelementptr double, ptr %out, i64 1
  store double %re.word, ptr %out
  store double %im.word, ptr %im.out
  br label %unboxed
unboxed:
  call void @Py_DecRef(ptr %result)
  %error = call ptr @PyErr_Occurred()
  %unfit = icmp ne ptr %error, null
  br i1 %unfit, label %say, label %returned
say:
  %past = load ptr, ptr @PyExc_OverflowError
  %is.past = call i32 @PyErr_ExceptionMatches(ptr %past)
  %past.word = icmp ne i32 %is.past, 0
  br i1 %past.word, label %say.so, label %failed
say.so:
  call void @PyErr_SetString(ptr %past, ptr @jc_past_word)
  br label %failed
{RETURNED}}}
"""
