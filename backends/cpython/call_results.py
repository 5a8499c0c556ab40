"""Native calls, in LLVM: the results of a program as Python objects.

An array result becomes an ndarray over the block that the program left. The ndarray owns its memory: its memory handler
(NEP 49) is ours, and gives the block back to the pool. A part of a block gets a base that owns it, a view of an
argument gets the argument. `build_results` runs an entry's build operations and gives the object they leave, or null
with the exception set; `drop_results` then lets go of what was not used.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.cpython.result_arrays import RESULT_ARRAYS
from jitcore.backends.native.host.memory import HEADER
from jitcore.signature import records as r
from jitcore.signature import struct_layout as at

HANDLER_NAME: Final = "jitcore"
"""The memory handler's name, as NumPy tells it."""

_HANDLER: Final = f"""
; what NumPy asks of a memory handler. It allocates only where a result is resized in place.
define ptr @jc_array_malloc(ptr %unused, i64 %size) {{
entry:
  %ctx = alloca [$CONTEXT_SIZE$ x i8], align 16
  call void @llvm.memset.p0.i64(ptr align 16 %ctx, i8 0, i64 $CONTEXT_SIZE$, i1 false)
  %block = call ptr @jc_alloc(ptr %ctx, i64 %size)
  %none = icmp eq ptr %block, null
  br i1 %none, label %failed, label %made
made:
  call void @jc_finish(ptr %ctx)
  %data = getelementptr i8, ptr %block, i64 {HEADER}
  ret ptr %data
failed:
  ret ptr null
}}

define ptr @jc_array_calloc(ptr %unused, i64 %count, i64 %size) noinline optnone {{
entry:
  %product = call {{ i64, i1 }} @llvm.umul.with.overflow.i64(i64 %count, i64 %size)
  %overflows = extractvalue {{ i64, i1 }} %product, 1
  br i1 %overflows, label %failed, label %try
try:
  %bytes = extractvalue {{ i64, i1 }} %product, 0
  %data = call ptr @jc_array_malloc(ptr null, i64 %bytes)
  %none = icmp eq ptr %data, null
  br i1 %none, label %failed, label %clear
clear:
  call void @llvm.memset.p0.i64(ptr %data, i8 0, i64 %bytes, i1 false)
  ret ptr %data
failed:
  ret ptr null
}}

define void @jc_array_free(ptr %unused, ptr %data, i64 %size) {{
entry:
  %none = icmp eq ptr %data, null
  br i1 %none, label %done, label %free
free:
  %block = getelementptr i8, ptr %data, i64 -{HEADER}
  call void @jc_release(ptr %block)
  br label %done
done:
  ret void
}}

define ptr @jc_array_realloc(ptr %unused, ptr %data, i64 %size) noinline optnone {{
entry:
  %made = call ptr @jc_array_malloc(ptr null, i64 %size)
  %none = icmp eq ptr %made, null
  %nothing = icmp eq ptr %data, null
  %done.now = or i1 %none, %nothing
  br i1 %done.now, label %done, label %copy
copy:
  %capacity.at = getelementptr i8, ptr %data, i64 {40 - HEADER}
  %capacity = load i64, ptr %capacity.at
  %bytes = call i64 @llvm.umin.i64(i64 %capacity, i64 %size)
  call void @llvm.memcpy.p0.p0.i64(ptr %made, ptr %data, i64 %bytes, i1 false)
  call void @jc_array_free(ptr null, ptr %data, i64 0)
  br label %done
done:
  ret ptr %made
}}
"""

_SELF_TEST: Final = f"""
; An array of 32 bytes over a block, which it owns: what the loader tests memory handling with.
@jc_test_extent = internal constant [1 x i64] [i64 32]
define ptr @jc_test_array(ptr %owner) noinline optnone {{
  %begin = getelementptr i8, ptr %owner, i64 {HEADER}
  %array = call ptr @new_array(ptr @jc_byte_descr, i32 1, ptr @jc_test_extent, ptr null, ptr %begin, i32 {at.WRITEABLE})
  call void @own_block(ptr %array, ptr %owner)
  ret ptr %array
}}
"""

_BUILDING: Final = f"""
; The str or bytes whose code points or bytes are an array: null with the exception set.
define internal ptr @string_of(ptr %words, i1 %is.str) noinline {{
entry:
  %data = call ptr @pointer(ptr %words, i64 0)
  %length = call i64 @word(ptr %words, i64 2)
  %stride = call i64 @word(ptr %words, i64 3)
  %itemsize = select i1 %is.str, i64 4, i64 1
  %in.order = icmp eq i64 %stride, %itemsize
  %single = icmp sle i64 %length, 1
  %as.is = or i1 %in.order, %single
  br i1 %as.is, label %make, label %gather
gather:
  %size = mul i64 %length, %itemsize
  %holder = call ptr @PyBytes_FromStringAndSize(ptr null, i64 %size)
  %none = icmp eq ptr %holder, null
  br i1 %none, label %failed, label %fill
fill:
  %gathered = call ptr @PyBytes_AsString(ptr %holder)
  br label %each
each:
  %k = phi i64 [ 0, %fill ], [ %k.next, %next ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %copy, label %make
copy:
  %from.offset = mul i64 %k, %stride
  %from = getelementptr i8, ptr %data, i64 %from.offset
  %to.offset = mul i64 %k, %itemsize
  %to = getelementptr i8, ptr %gathered, i64 %to.offset
  br i1 %is.str, label %copy.point, label %copy.byte
copy.point:
  %point = load i32, ptr %from
  store i32 %point, ptr %to
  br label %next
copy.byte:
  %byte = load i8, ptr %from
  store i8 %byte, ptr %to
  br label %next
next:
  %k.next = add i64 %k, 1
  br label %each
make:
  %items = phi ptr [ %data, %entry ], [ %gathered, %each ]
  %held = phi ptr [ null, %entry ], [ %holder, %each ]
  br i1 %is.str, label %str, label %bytes
str:
  %str.made = call ptr @PyUnicode_FromKindAndData(i32 4, ptr %items, i64 %length)
  br label %made
bytes:
  %bytes.made = call ptr @PyBytes_FromStringAndSize(ptr %items, i64 %length)
  br label %made
made:
  %result = phi ptr [ %str.made, %str ], [ %bytes.made, %bytes ]
  %borrowed = icmp eq ptr %held, null
  br i1 %borrowed, label %done, label %drop
drop:
  call void @decref(ptr %held)
  br label %done
done:
  ret ptr %result
failed:
  ret ptr null
}}

; Tell a Tensor of the index-th array result how it was viewed, if it is a view of an
; argument. Takes over the reference to `view`.
define internal void @set_view(ptr %entry.record, ptr %out, i64 %index, ptr %tensor, ptr %view) {{
entry:
  %results = call ptr @pointer(ptr %entry.record, i64 {r.RESULTS})
  %offset = mul i64 %index, {r.RESULT_WORDS}
  %result = getelementptr i64, ptr %results, i64 %offset
  %word = call i64 @word(ptr %result, i64 {r.RESULT_WORD})
  %words = getelementptr i64, ptr %out, i64 %word
  %owner = call i64 @word(ptr %words, i64 1)
  %odd = and i64 %owner, 1
  %borrowed = icmp ne i64 %odd, 0
  %array = call ptr @field(ptr %tensor, i64 $TENSOR_ARRAY$)
  %base = call ptr @field(ptr %array, i64 {at.ARRAY_BASE})
  %based = icmp ne ptr %base, null
  %is.view = and i1 %borrowed, %based
  br i1 %is.view, label %set, label %drop
set:
  %view.at = getelementptr i8, ptr %tensor, i64 $TENSOR_VIEW$
  %before = load ptr, ptr %view.at
  store ptr %view, ptr %view.at
  call void @decref(ptr %before)
  ret void
drop:
  ; without elements, or copied: it has memory of its own
  call void @decref(ptr %view)
  ret void
}}

; Drop `count` objects.
define internal void @drop_objects(ptr %objects, i64 %count) {{
entry:
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %drop ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %drop, label %done
drop:
  %object = call ptr @pointer(ptr %objects, i64 %k)
  call void @decref(ptr %object)
  %k.next = add i64 %k, 1
  br label %each
done:
  ret void
}}

; A tuple of `count` objects, whose references it takes over; they are dropped if there is none.
define internal ptr @tuple_of(ptr %objects, i64 %count) {{
entry:
  %tuple = call ptr @PyTuple_New(i64 %count)
  %none = icmp eq ptr %tuple, null
  br i1 %none, label %failed, label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %set ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %set, label %done
set:
  %object = call ptr @pointer(ptr %objects, i64 %k)
  %ignored = call i32 @PyTuple_SetItem(ptr %tuple, i64 %k, ptr %object)
  %k.next = add i64 %k, 1
  br label %each
done:
  ret ptr %tuple
failed:
  call void @drop_objects(ptr %objects, i64 %count)
  ret ptr null
}}

; The Python object that the build operations of an entry make; null with the exception set.
define internal ptr @build_results(ptr %entry.record, ptr %registers, ptr %out, ptr %made, ptr %stack) {{
entry:
  %operations = call ptr @pointer(ptr %entry.record, i64 {r.BUILD})
  %count = call i64 @word(ptr %entry.record, i64 {r.BUILD_COUNT})
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %pushed.next, %store ], [ %skip.next, %skipped ],
      [ %set.next, %set.done ], [ %view.next, %set.view ], [ %class.next, %set.class ]
  %top = phi i64 [ 0, %entry ], [ %pushed.top, %store ], [ %top, %skipped ],
      [ %below, %set.done ], [ %below, %set.view ], [ %top, %set.class ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %run, label %done
run:
  %offset = mul i64 %i, {r.BUILD_WORDS}
  %operation = getelementptr i64, ptr %operations, i64 %offset
  %op = call i64 @word(ptr %operation, i64 {r.OP})
  %n = call i64 @word(ptr %operation, i64 {r.BUILD_N})
  %object = call ptr @pointer(ptr %operation, i64 {r.BUILD_OBJECT})
  %other = call ptr @pointer(ptr %operation, i64 {r.BUILD_OTHER})
  %word.at = getelementptr i64, ptr %out, i64 %n
  %below = sub i64 %top, 1
  %first = sub i64 %top, %n
  %first.at = getelementptr ptr, ptr %stack, i64 %first
  switch i64 %op, label %failed [
    i64 {r.PUSH_FLOAT}, label %push.float
    i64 {r.PUSH_INT}, label %push.int
    i64 {r.PUSH_BOOL}, label %push.bool
    i64 {r.PUSH_COMPLEX}, label %push.complex
    i64 {r.PUSH_ARRAY}, label %push.array
    i64 {r.PUSH_TENSOR}, label %push.tensor
    i64 {r.PUSH_CONSTANT}, label %push.constant
    i64 {r.PUSH_REGISTER}, label %push.register
    i64 {r.MAKE_TUPLE}, label %make.tuple
    i64 {r.CALL}, label %call
    i64 {r.CALL_NAMED}, label %call.named
    i64 {r.SET_ATTRIBUTE}, label %set
    i64 {r.SKIP_UNLESS}, label %skip.unless
    i64 {r.SKIP}, label %skip
    i64 {r.PUSH_CHARACTER}, label %push.character
    i64 {r.PUSH_STRING}, label %push.string
    i64 {r.PUSH_BYTES}, label %push.string
    i64 {r.PUSH_OBJECT}, label %push.object
    i64 {r.PUSH_OWNED}, label %push.owned
    i64 {r.SET_VIEW}, label %set.view
    i64 {r.SET_CLASS}, label %set.class
  ]
push.float:
  %float = load double, ptr %word.at
  %float.object = call ptr @PyFloat_FromDouble(double %float)
  br label %push
push.int:
  %int = load i64, ptr %word.at
  %int.object = call ptr @PyLong_FromLongLong(i64 %int)
  br label %push
push.bool:
  %truth = load i64, ptr %word.at
  %truth.bit = and i64 %truth, 1
  %true = icmp ne i64 %truth.bit, 0
  %bool.object = select i1 %true, ptr @_Py_TrueStruct, ptr @_Py_FalseStruct
  call void @incref(ptr %bool.object)
  br label %push
push.complex:
  %real = load double, ptr %word.at
  %imag.at = getelementptr i64, ptr %word.at, i64 1
  %imag = load double, ptr %imag.at
  %complex.object = call ptr @PyComplex_FromDoubles(double %real, double %imag)
  br label %push
push.character:
  %point = load i64, ptr %word.at
  %point.32 = trunc i64 %point to i32
  %character = call ptr @PyUnicode_FromOrdinal(i32 %point.32)
  br label %push
push.string:
  %is.str = icmp eq i64 %op, {r.PUSH_STRING}
  %string = call ptr @string_of(ptr %word.at, i1 %is.str)
  br label %push
push.array:
  %array = call ptr @made_result(ptr %entry.record, ptr %made, ptr %out, i64 %n)
  %no.array = icmp eq ptr %array, null
  br i1 %no.array, label %failed, label %hold.array
hold.array:
  call void @incref(ptr %array)
  br label %push
push.tensor:
  %spare = call ptr @spare_tensor(ptr %entry.record, ptr %made, ptr %out, i64 %n)
  %no.spare = icmp eq ptr %spare, null
  br i1 %no.spare, label %make.tensor, label %push
make.tensor:
  %tensor.array = call ptr @made_result(ptr %entry.record, ptr %made, ptr %out, i64 %n)
  %no.tensor = icmp eq ptr %tensor.array, null
  br i1 %no.tensor, label %failed, label %wrap
wrap:
  %tensor = call ptr @new_tensor(ptr %tensor.array)
  br label %push
push.constant:
  call void @incref(ptr %object)
  br label %push
push.register:
  %register = call ptr @pointer(ptr %registers, i64 %n)
  call void @incref(ptr %register)
  br label %push
push.object:
  %addressed = load ptr, ptr %word.at
  call void @incref(ptr %addressed)
  br label %push
push.owned:
  %owned = load ptr, ptr %word.at
  br label %push
make.tuple:
  %tuple = call ptr @tuple_of(ptr %first.at, i64 %n)
  br label %replace
call:
  %called = call ptr @PyObject_Vectorcall(ptr %object, ptr %first.at, i64 %n, ptr null)
  call void @drop_objects(ptr %first.at, i64 %n)
  br label %replace
call.named:
  %names = call i64 @PyTuple_Size(ptr %other)
  %unnamed = sub i64 %n, %names
  %called.named = call ptr @PyObject_Vectorcall(ptr %object, ptr %first.at, i64 %unnamed, ptr %other)
  call void @drop_objects(ptr %first.at, i64 %n)
  br label %replace
push:
  %new = phi ptr [ %float.object, %push.float ], [ %int.object, %push.int ], [ %bool.object, %push.bool ],
      [ %complex.object, %push.complex ], [ %character, %push.character ], [ %string, %push.string ],
      [ %array, %hold.array ], [ %spare, %push.tensor ], [ %tensor, %wrap ], [ %object, %push.constant ],
      [ %register, %push.register ], [ %addressed, %push.object ], [ %owned, %push.owned ]
  br label %check
replace:
  %replacing = phi ptr [ %tuple, %make.tuple ], [ %called, %call ], [ %called.named, %call.named ]
  br label %check
check:
  %pushed = phi ptr [ %new, %push ], [ %replacing, %replace ]
  %pushed.at = phi i64 [ %top, %push ], [ %first, %replace ]
  %none = icmp eq ptr %pushed, null
  br i1 %none, label %failed, label %store
store:
  %place = getelementptr ptr, ptr %stack, i64 %pushed.at
  store ptr %pushed, ptr %place
  %pushed.top = add i64 %pushed.at, 1
  %pushed.next = add i64 %i, 1
  br label %each
set:
  %value = call ptr @pointer(ptr %stack, i64 %below)
  %status = call i32 @PyObject_SetAttr(ptr %object, ptr %other, ptr %value)
  call void @decref(ptr %value)
  %refused = icmp slt i32 %status, 0
  br i1 %refused, label %failed, label %set.done
set.done:
  %set.next = add i64 %i, 1
  br label %each
set.view:
  %viewed.index = sub i64 %top, 2
  %viewed = call ptr @pointer(ptr %stack, i64 %viewed.index)
  %view = call ptr @pointer(ptr %stack, i64 %below)
  call void @set_view(ptr %entry.record, ptr %out, i64 %n, ptr %viewed, ptr %view)
  %view.next = add i64 %i, 1
  br label %each
set.class:
  %of.class = call ptr @pointer(ptr %stack, i64 %below)
  %class.at = getelementptr i8, ptr %of.class, i64 {at.OB_TYPE}
  %class.before = load ptr, ptr %class.at
  call void @incref(ptr %object)
  store ptr %object, ptr %class.at
  call void @decref(ptr %class.before)
  %class.next = add i64 %i, 1
  br label %each
skip.unless:
  %tag = load i64, ptr %word.at
  %wanted = ptrtoint ptr %object to i64
  %is.it = icmp eq i64 %tag, %wanted
  %distance = ptrtoint ptr %other to i64
  %over = select i1 %is.it, i64 0, i64 %distance
  br label %skipped
skip:
  br label %skipped
skipped:
  %skip.count = phi i64 [ %over, %skip.unless ], [ %n, %skip ]
  %skip.past = add i64 %i, %skip.count
  %skip.next = add i64 %skip.past, 1
  br label %each
failed:
  %left = phi i64 [ %top, %run ], [ %top, %push.array ], [ %top, %make.tensor ],
      [ %pushed.at, %check ], [ %below, %set ]
  call void @drop_objects(ptr %stack, i64 %left)
  ret ptr null
done:
  %result = load ptr, ptr %stack
  ret ptr %result
}}
"""


def result_text() -> str:
    """The LLVM text of all this. `$TENSOR_ARRAY$` and its like stand for offsets of slots."""
    return _HANDLER + RESULT_ARRAYS + _SELF_TEST + _BUILDING
