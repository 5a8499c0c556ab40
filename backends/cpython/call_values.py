"""Native calls, in LLVM: the steps of an entry (`call_guards`) that compare values, sizes and strings."""

from __future__ import annotations

from typing import Final

from jitcore.signature import records as r
from jitcore.signature import struct_layout as at

_MOST_VIEWS: Final = 64
"""Views of views of a Tensor that are followed to where its memory is."""

COMPARING: Final = f"""
; Whether two objects are of one type and equal, for types whose comparison runs no Python of the user's.
define internal i1 @equal_objects(ptr %a, ptr %b) noinline {{
entry:
  %a.class = call ptr @field(ptr %a, i64 {at.OB_TYPE})
  %b.class = call ptr @field(ptr %b, i64 {at.OB_TYPE})
  %same = icmp eq ptr %a.class, %b.class
  br i1 %same, label %ask, label %no
ask:
  %equal = call i32 @PyObject_RichCompareBool(ptr %a, ptr %b, i32 2)
  %yes = icmp eq i32 %equal, 1
  ret i1 %yes
no:
  ret i1 false
}}

; `callable(object)`: a new reference, or null.
define internal ptr @apply(ptr %callable, ptr %object) noinline {{
  %argument = alloca ptr
  store ptr %object, ptr %argument
  %result = call ptr @PyObject_Vectorcall(ptr %callable, ptr %argument, i64 1, ptr null)
  ret ptr %result
}}

define internal i1 @holds(ptr %predicate, ptr %object) noinline {{
entry:
  %result = call ptr @apply(ptr %predicate, ptr %object)
  %none = icmp eq ptr %result, null
  br i1 %none, label %no, label %look
look:
  %yes = icmp eq ptr %result, @_Py_TrueStruct
  call void @decref(ptr %result)
  ret i1 %yes
no:
  ret i1 false
}}

; What a name stands for in a dict, or in a second one if that isn't null: a new reference, or null.
define internal ptr @look_up(ptr %dict, ptr %name, ptr %second) noinline {{
entry:
  %found = call ptr @PyDict_GetItemWithError(ptr %dict, ptr %name)
  %missing = icmp eq ptr %found, null
  br i1 %missing, label %again, label %have
again:
  %no.second = icmp eq ptr %second, null
  br i1 %no.second, label %none, label %builtin
builtin:
  %other = call ptr @PyDict_GetItemWithError(ptr %second, ptr %name)
  %absent = icmp eq ptr %other, null
  br i1 %absent, label %none, label %have
have:
  %object = phi ptr [ %found, %entry ], [ %other, %builtin ]
  call void @incref(ptr %object)
  ret ptr %object
none:
  ret ptr null
}}

; Whether the version of a Tensor that is written to can be told afterwards: its storage is known already, or it is no
; view, and nobody has asked for its storage.
define internal i1 @is_versioned(ptr %tensor) {{
  %storage.at = getelementptr i8, ptr %tensor, i64 $TENSOR_STORAGE$
  %storage = load ptr, ptr %storage.at
  %view.at = getelementptr i8, ptr %tensor, i64 $TENSOR_VIEW$
  %view = load ptr, ptr %view.at
  %unasked = icmp eq ptr %storage, @_Py_NoneStruct
  %known = xor i1 %unasked, true
  %no.view = icmp eq ptr %view, @_Py_NoneStruct
  %versioned = or i1 %known, %no.view
  ret i1 %versioned
}}

; Whether gradients know nothing of a Tensor, nor of what it is a view of.
define internal i1 @is_unrecorded(ptr %tensor) alwaysinline {{
entry:
  %history = call ptr @field(ptr %tensor, i64 $TENSOR_HISTORY$)
  %unknown = icmp eq ptr %history, @_Py_NoneStruct
  br i1 %unknown, label %look, label %no
look:
  %view = call ptr @field(ptr %tensor, i64 $TENSOR_VIEW$)
  %no.view = icmp eq ptr %view, @_Py_NoneStruct
  br i1 %no.view, label %yes, label %walk
walk:
  %unrecorded = call i1 @is_unrecorded_view(ptr %view)
  ret i1 %unrecorded
yes:
  ret i1 true
no:
  ret i1 false
}}

; The same of a view, given what it keeps of how it was made; false if there are too many views of views to ask.
define internal i1 @is_unrecorded_view(ptr %made) noinline {{
entry:
  br label %each
each:
  %view = phi ptr [ %made, %entry ], [ %next, %look ]
  %k = phi i64 [ 0, %entry ], [ %k.1, %look ]
  %k.1 = add i64 %k, 1
  %many = icmp sgt i64 %k, {_MOST_VIEWS}
  br i1 %many, label %no, label %base
base:
  %tensor = call ptr @PyTuple_GetItem(ptr %view, i64 0)
  %history = call ptr @field(ptr %tensor, i64 $TENSOR_HISTORY$)
  %unknown = icmp eq ptr %history, @_Py_NoneStruct
  br i1 %unknown, label %look, label %no
look:
  %next = call ptr @field(ptr %tensor, i64 $TENSOR_VIEW$)
  %no.view = icmp eq ptr %next, @_Py_NoneStruct
  br i1 %no.view, label %yes, label %each
yes:
  ret i1 true
no:
  ret i1 false
}}
"""

ALIKE: Final = f"""
; Whether two numbers computed from extents are both 1, or neither is.
define internal i1 @alike(ptr %step, ptr %in) noinline {{
entry:
  %stack = alloca [{r.MOST_NUMBERS} x i64]
  %code = call ptr @pointer(ptr %step, i64 {r.OTHER})
  %count = call i64 @word(ptr %step, i64 {r.COUNT})
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %top = phi ptr [ %stack, %entry ], [ %top.next, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %operate, label %compare
operate:
  %offset = mul i64 %k, {r.OPERATION_WORDS}
  %operation = getelementptr i64, ptr %code, i64 %offset
  %op = load i64, ptr %operation
  %operand = call i64 @word(ptr %operation, i64 1)
  %pushes = icmp sle i64 %op, {r.WORD}
  br i1 %pushes, label %push, label %take
push:
  %is.word = icmp eq i64 %op, {r.WORD}
  br i1 %is.word, label %read, label %pushed
read:
  %read.value = call i64 @word(ptr %in, i64 %operand)
  br label %pushed
pushed:
  %number = phi i64 [ %operand, %push ], [ %read.value, %read ]
  store i64 %number, ptr %top
  %above = getelementptr i64, ptr %top, i64 1
  br label %next
take:
  %a = call i64 @word(ptr %top, i64 -2)
  %b = call i64 @word(ptr %top, i64 -1)
  switch i64 %op, label %no [
    i64 {r.ADD}, label %add
    i64 {r.MULTIPLY}, label %multiply
    i64 {r.DIVIDE}, label %divide
    i64 {r.REMAINDER}, label %divide
    i64 {r.MAXIMUM}, label %maximum
    i64 {r.MINIMUM}, label %minimum
  ]
add:
  %sum = add i64 %a, %b
  br label %computed
multiply:
  %product = mul i64 %a, %b
  br label %computed
maximum:
  %larger = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  br label %computed
minimum:
  %smaller = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  br label %computed
divide:
  %positive = icmp sgt i64 %b, 0
  br i1 %positive, label %divided, label %no
divided:
  %quotient = sdiv i64 %a, %b
  %remainder = srem i64 %a, %b
  %below = icmp slt i64 %remainder, 0
  %down = sext i1 %below to i64
  %floor = add i64 %quotient, %down
  %up = select i1 %below, i64 %b, i64 0
  %modulo = add i64 %remainder, %up
  %wants.floor = icmp eq i64 %op, {r.DIVIDE}
  %either = select i1 %wants.floor, i64 %floor, i64 %modulo
  br label %computed
computed:
  %result = phi i64 [ %sum, %add ], [ %product, %multiply ], [ %larger, %maximum ],
      [ %smaller, %minimum ], [ %either, %divided ]
  %result.at = getelementptr i64, ptr %top, i64 -2
  store i64 %result, ptr %result.at
  %lower = getelementptr i64, ptr %top, i64 -1
  br label %next
next:
  %top.next = phi ptr [ %above, %pushed ], [ %lower, %computed ]
  %k.next = add i64 %k, 1
  br label %each
compare:
  %first = call i64 @word(ptr %top, i64 -2)
  %second = call i64 @word(ptr %top, i64 -1)
  %first.one = icmp eq i64 %first, 1
  %second.one = icmp eq i64 %second, 1
  %same = icmp eq i1 %first.one, %second.one
  ret i1 %same
no:
  ret i1 false
}}
"""

STRINGS: Final = f"""
; The words of the array that a str or bytes is, and the object that holds its elements: the bytes themselves, or new
; ones that hold the code points of the str. Null with the exception set.
; A new array of what is in a list of numbers of one type, bool, int or float; null if it is
; no such list, or an int is too large.
define internal ptr @column(ptr %value, ptr %descr, ptr %class) noinline {{
entry:
  %overflow = alloca i32
  %extent = alloca i64
  %its.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %is.list = icmp eq ptr %its.class, @PyList_Type
  br i1 %is.list, label %make, label %no
make:
  %length = call i64 @PyObject_Size(ptr %value)
  store i64 %length, ptr %extent
  call void @incref(ptr %descr)
  %array = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr, i32 1, ptr %extent,
      ptr null, ptr null, i32 0, ptr null)
  %none = icmp eq ptr %array, null
  br i1 %none, label %no, label %begin
begin:
  %data = call ptr @field(ptr %array, i64 {at.ARRAY_DATA})
  %is.float = icmp eq ptr %class, @PyFloat_Type
  %is.int = icmp eq ptr %class, @PyLong_Type
  br label %each
each:
  %k = phi i64 [ 0, %begin ], [ %k.next, %next ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %look, label %done
look:
  %item = call ptr @PyList_GetItem(ptr %value, i64 %k)
  %item.class = call ptr @field(ptr %item, i64 {at.OB_TYPE})
  %right = icmp eq ptr %item.class, %class
  br i1 %right, label %take, label %drop
take:
  br i1 %is.float, label %float, label %whole
float:
  %float.value = call double @PyFloat_AsDouble(ptr %item)
  %float.at = getelementptr double, ptr %data, i64 %k
  store double %float.value, ptr %float.at
  br label %next
whole:
  br i1 %is.int, label %int, label %bool
int:
  %int.value = call i64 @PyLong_AsLongLongAndOverflow(ptr %item, ptr %overflow)
  %int.at = getelementptr i64, ptr %data, i64 %k
  store i64 %int.value, ptr %int.at
  %over = load i32, ptr %overflow
  %fits = icmp eq i32 %over, 0
  br i1 %fits, label %next, label %drop
bool:
  %is.true = icmp eq ptr %item, @_Py_TrueStruct
  %truth = zext i1 %is.true to i8
  %bool.at = getelementptr i8, ptr %data, i64 %k
  store i8 %truth, ptr %bool.at
  br label %next
next:
  %k.next = add i64 %k, 1
  br label %each
drop:
  call void @decref(ptr %array)
  ret ptr null
done:
  ret ptr %array
no:
  ret ptr null
}}

define internal ptr @string_words(ptr %value, ptr %words) noinline {{
entry:
  %length.at = getelementptr i64, ptr %words, i64 2
  %stride.at = getelementptr i64, ptr %words, i64 3
  %length = call i64 @PyObject_Size(ptr %value)
  store i64 %length, ptr %length.at
  %class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %is.str = icmp eq ptr %class, @PyUnicode_Type
  br i1 %is.str, label %str, label %bytes
str:
  store i64 4, ptr %stride.at
  %size = shl i64 %length, 2
  %made = call ptr @PyBytes_FromStringAndSize(ptr null, i64 %size)
  %none = icmp eq ptr %made, null
  br i1 %none, label %failed, label %fill
fill:
  %points = call ptr @PyBytes_AsString(ptr %made)
  %filled = call ptr @PyUnicode_AsUCS4(ptr %value, ptr %points, i64 %length, i32 0)
  br label %done
bytes:
  store i64 1, ptr %stride.at
  call void @incref(ptr %value)
  br label %done
done:
  %holder = phi ptr [ %made, %fill ], [ %value, %bytes ]
  %data = call ptr @PyBytes_AsString(ptr %holder)
  store ptr %data, ptr %words
  %address = ptrtoint ptr %holder to i64
  %owner = or i64 %address, 1
  %owner.at = getelementptr i64, ptr %words, i64 1
  store i64 %owner, ptr %owner.at
  ret ptr %holder
failed:
  ret ptr null
}}
"""
