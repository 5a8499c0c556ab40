"""Native calls, in LLVM: the results of a program as Python objects.

An array result becomes an ndarray over the block that the program left. The ndarray owns its memory: its memory handler
(NEP 49) is ours, and gives the block back to the pool. A part of a block gets a base that owns it, a view of an
argument gets the argument. `build_results` runs an entry's build operations and gives the object they leave, or null
with the exception set; `drop_results` then lets go of what was not used.
"""

from __future__ import annotations

from typing import Final

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

define ptr @jc_array_calloc(ptr %unused, i64 %count, i64 %size) {{
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

define ptr @jc_array_realloc(ptr %unused, ptr %data, i64 %size) {{
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

_ARRAYS: Final = f"""
@jc_memory_handler = global ptr null ; the capsule of the handler

define internal ptr @new_array(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, i32 %flags) {{
  call void @incref(ptr %descr)
  %array = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, i32 %flags, ptr null)
  ret ptr %array
}}

; Let an array own the block that its data begin, or give the block back if there is no array.
define internal void @own_block(ptr %array, ptr %owner) alwaysinline {{
entry:
  %none = icmp eq ptr %array, null
  br i1 %none, label %failed, label %own
own:
  %flags.at = getelementptr i8, ptr %array, i64 {at.ARRAY_FLAGS}
  %flags = load i32, ptr %flags.at
  %owning = or i32 %flags, {at.OWNS_DATA}
  store i32 %owning, ptr %flags.at
  %handler = load ptr, ptr @jc_memory_handler
  call void @incref(ptr %handler)
  %handler.at = getelementptr i8, ptr %array, i64 {at.ARRAY_MEMORY_HANDLER}
  store ptr %handler, ptr %handler.at
  ret void
failed:
  call void @jc_release(ptr %owner)
  ret void
}}

; Set an array's base (a reference to it is taken): the array, or null.
define internal ptr @with_base(ptr %array, ptr %base) {{
entry:
  %none = icmp eq ptr %array, null
  br i1 %none, label %failed, label %set
set:
  call void @incref(ptr %base)
  %status = call i32 @PyArray_SetBaseObject(ptr %array, ptr %base)
  %bad = icmp slt i32 %status, 0
  br i1 %bad, label %drop, label %done
drop:
  call void @Py_DecRef(ptr %array)
  br label %failed
done:
  ret ptr %array
failed:
  ret ptr null
}}

define internal ptr @empty_array(ptr %descr, i32 %rank, ptr %extents, ptr %owner) noinline {{
entry:
  %array = call ptr @new_array(ptr %descr, i32 %rank, ptr %extents, ptr null, ptr null, i32 0)
  call void @release_owner(ptr %owner)
  ret ptr %array
}}

define internal ptr @part_of_block(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, ptr %owner) noinline {{
entry:
  %capacity = getelementptr i8, ptr %owner, i64 40
  %begin = getelementptr i8, ptr %owner, i64 {HEADER}
  %whole = call ptr @new_array(ptr @jc_byte_descr, i32 1, ptr %capacity, ptr null, ptr %begin, i32 {at.WRITEABLE})
  call void @own_block(ptr %whole, ptr %owner)
  %none = icmp eq ptr %whole, null
  br i1 %none, label %failed, label %view
view:
  %array = call ptr @new_array(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, i32 {at.WRITEABLE})
  %based = call ptr @with_base(ptr %array, ptr %whole)
  call void @Py_DecRef(ptr %whole)
  ret ptr %based
failed:
  ret ptr null
}}

define internal ptr @view_of_argument(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, ptr %owner) noinline {{
entry:
  %number = ptrtoint ptr %owner to i64
  %even = sub i64 %number, 1
  %argument = inttoptr i64 %even to ptr
  %class = call ptr @field(ptr %argument, i64 {at.OB_TYPE})
  %is.array = icmp eq ptr %class, @PyArray_Type
  br i1 %is.array, label %view, label %scalar
scalar:
  ; a NumPy scalar, which never changes
  %copy = call ptr @copy_of_constant(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data)
  ret ptr %copy
view:
  %flags.at = getelementptr i8, ptr %argument, i64 {at.ARRAY_FLAGS}
  %argument.flags = load i32, ptr %flags.at
  %flags = and i32 %argument.flags, {at.WRITEABLE}
  %array = call ptr @new_array(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, i32 %flags)
  %based = call ptr @with_base(ptr %array, ptr %argument)
  ret ptr %based
}}

define internal ptr @copy_of_constant(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data) noinline {{
entry:
  %array = call ptr @new_array(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, i32 0)
  %none = icmp eq ptr %array, null
  br i1 %none, label %failed, label %copy
copy:
  %copy.made = call ptr @PyArray_NewCopy(ptr %array, i32 0)
  call void @Py_DecRef(ptr %array)
  ret ptr %copy.made
failed:
  ret ptr null
}}

; Give back what a result owned: only blocks are counted.
define internal void @release_owner(ptr %owner) {{
entry:
  %number = ptrtoint ptr %owner to i64
  %odd = and i64 %number, 1
  %is.odd = icmp ne i64 %odd, 0
  %is.null = icmp eq i64 %number, 0
  %foreign = or i1 %is.odd, %is.null
  br i1 %foreign, label %done, label %release
release:
  call void @jc_release(ptr %owner)
  br label %done
done:
  ret void
}}

; An array result: a new reference, or null with the exception set. Its count of a block is used up in either case.
define internal ptr @array_result(ptr %result, ptr %out) {{
entry:
  %word = call i64 @word(ptr %result, i64 {r.RESULT_WORD})
  %rank = call i64 @word(ptr %result, i64 {r.RESULT_RANK})
  %descr = call ptr @pointer(ptr %result, i64 {r.RESULT_DESCR})
  %scalar = call i64 @word(ptr %result, i64 {r.RESULT_SCALAR})
  %words = getelementptr i64, ptr %out, i64 %word
  %data = load ptr, ptr %words
  %owner = call ptr @pointer(ptr %words, i64 1)
  %extents = getelementptr i64, ptr %words, i64 2
  %strides = getelementptr i64, ptr %extents, i64 %rank
  %rank.32 = trunc i64 %rank to i32
  %is.scalar = icmp ne i64 %scalar, 0
  br i1 %is.scalar, label %numpy.scalar, label %axis
numpy.scalar:
  %number = call ptr @PyArray_Scalar(ptr %data, ptr %descr, ptr null)
  call void @release_owner(ptr %owner)
  ret ptr %number
axis:
  %k = phi i64 [ 0, %entry ], [ %k.next, %extent ]
  %more = icmp slt i64 %k, %rank
  br i1 %more, label %extent, label %some
extent:
  %n = call i64 @word(ptr %extents, i64 %k)
  %k.next = add i64 %k, 1
  %zero = icmp eq i64 %n, 0
  br i1 %zero, label %empty, label %axis
empty:
  ; NumPy looks at the address even of no elements
  %nothing = call ptr @empty_array(ptr %descr, i32 %rank.32, ptr %extents, ptr %owner)
  ret ptr %nothing
some:
  %begin = getelementptr i8, ptr %owner, i64 {HEADER}
  %whole = icmp eq ptr %data, %begin
  br i1 %whole, label %block, label %other
block:
  %array = call ptr @new_array(ptr %descr, i32 %rank.32, ptr %extents, ptr %strides, ptr %data, i32 {at.WRITEABLE})
  call void @own_block(ptr %array, ptr %owner)
  ret ptr %array
other:
  %owner.number = ptrtoint ptr %owner to i64
  %is.null = icmp eq i64 %owner.number, 0
  br i1 %is.null, label %constant, label %borrowed
constant:
  %copy = call ptr @copy_of_constant(ptr %descr, i32 %rank.32, ptr %extents, ptr %strides, ptr %data)
  ret ptr %copy
borrowed:
  %odd = and i64 %owner.number, 1
  %is.odd = icmp ne i64 %odd, 0
  br i1 %is.odd, label %argument, label %part
argument:
  %view = call ptr @view_of_argument(ptr %descr, i32 %rank.32, ptr %extents, ptr %strides, ptr %data, ptr %owner)
  ret ptr %view
part:
  %inner = call ptr @part_of_block(ptr %descr, i32 %rank.32, ptr %extents, ptr %strides, ptr %data, ptr %owner)
  ret ptr %inner
}}

; The index-th array result, made when first asked for: borrowed, or null with the exception set.
define internal ptr @made_result(ptr %entry.record, ptr %made, ptr %out, i64 %index) alwaysinline {{
entry:
  %made.at = getelementptr ptr, ptr %made, i64 %index
  %known = load ptr, ptr %made.at
  %unmade = icmp eq ptr %known, null
  br i1 %unmade, label %make, label %done
make:
  %results = call ptr @pointer(ptr %entry.record, i64 {r.RESULTS})
  %offset = mul i64 %index, {r.RESULT_WORDS}
  %result = getelementptr i64, ptr %results, i64 %offset
  %new = call ptr @array_result(ptr %result, ptr %out)
  %failed = icmp eq ptr %new, null
  %kept = select i1 %failed, ptr inttoptr (i64 1 to ptr), ptr %new
  store ptr %kept, ptr %made.at
  br label %done
done:
  %array = phi ptr [ %known, %entry ], [ %new, %make ]
  ret ptr %array
}}

; Whether one of the array results is in the memory of an argument.
define internal i1 @has_borrowed(ptr %entry.record, ptr %out) {{
entry:
  %count = call i64 @word(ptr %entry.record, i64 {r.RESULT_COUNT})
  %results = call ptr @pointer(ptr %entry.record, i64 {r.RESULTS})
  br label %each
each:
  %index = phi i64 [ 0, %entry ], [ %index.next, %look ]
  %more = icmp slt i64 %index, %count
  br i1 %more, label %look, label %no
look:
  %offset = mul i64 %index, {r.RESULT_WORDS}
  %result = getelementptr i64, ptr %results, i64 %offset
  %word = call i64 @word(ptr %result, i64 {r.RESULT_WORD})
  %words = getelementptr i64, ptr %out, i64 %word
  %owner = call i64 @word(ptr %words, i64 1)
  %odd = and i64 %owner, 1
  %borrowed = icmp ne i64 %odd, 0
  %index.next = add i64 %index, 1
  br i1 %borrowed, label %yes, label %each
yes:
  ret i1 true
no:
  ret i1 false
}}

; Let go of the array results: those made are held by what was built of them, the others are not wanted.
define internal void @drop_results(ptr %entry.record, ptr %made, ptr %out) {{
entry:
  %count = call i64 @word(ptr %entry.record, i64 {r.RESULT_COUNT})
  %results = call ptr @pointer(ptr %entry.record, i64 {r.RESULTS})
  br label %each
each:
  %index = phi i64 [ 0, %entry ], [ %index.next, %next ]
  %more = icmp slt i64 %index, %count
  br i1 %more, label %look, label %done
look:
  %array = call ptr @pointer(ptr %made, i64 %index)
  %unmade = icmp eq ptr %array, null
  br i1 %unmade, label %unwanted, label %was.made
was.made:
  %failed = icmp eq ptr %array, inttoptr (i64 1 to ptr)
  br i1 %failed, label %next, label %drop
drop:
  call void @decref(ptr %array)
  br label %next
unwanted:
  %offset = mul i64 %index, {r.RESULT_WORDS}
  %result = getelementptr i64, ptr %results, i64 %offset
  %tag.word = call i64 @word(ptr %result, i64 {r.RESULT_TAG_WORD})
  %always = icmp slt i64 %tag.word, 0
  br i1 %always, label %release, label %tagged
tagged:
  %tag = call i64 @word(ptr %out, i64 %tag.word)
  %wanted.tag = call i64 @word(ptr %result, i64 {r.RESULT_TAG})
  %there = icmp eq i64 %tag, %wanted.tag
  br i1 %there, label %release, label %next
release:
  %word.index = call i64 @word(ptr %result, i64 {r.RESULT_WORD})
  %words = getelementptr i64, ptr %out, i64 %word.index
  %owner = call ptr @pointer(ptr %words, i64 1)
  call void @release_owner(ptr %owner)
  br label %next
next:
  %index.next = add i64 %index, 1
  br label %each
done:
  ret void
}}
"""

_SELF_TEST: Final = f"""
; An array of 32 bytes over a block, which it owns: what the loader tests memory handling with.
@jc_test_extent = internal constant [1 x i64] [i64 32]
define ptr @jc_test_array(ptr %owner) {{
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

; Tell a Tensor of the index-th array result how it was viewed, if it is a view of an argument. Takes over the reference to `view`.
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
  %i = phi i64 [ 0, %entry ], [ %pushed.next, %store ], [ %skip.next, %skipped ], [ %set.next, %set.done ], [ %view.next, %set.view ]
  %top = phi i64 [ 0, %entry ], [ %pushed.top, %store ], [ %top, %skipped ], [ %below, %set.done ], [ %below, %set.view ]
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
    i64 {r.SET_VIEW}, label %set.view
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
  %new = phi ptr [ %float.object, %push.float ], [ %int.object, %push.int ], [ %bool.object, %push.bool ], [ %complex.object, %push.complex ], [ %character, %push.character ], [ %string, %push.string ], [ %array, %hold.array ], [ %spare, %push.tensor ], [ %tensor, %wrap ], [ %object, %push.constant ], [ %register, %push.register ], [ %addressed, %push.object ]
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
  %left = phi i64 [ %top, %run ], [ %top, %push.array ], [ %top, %make.tensor ], [ %pushed.at, %check ], [ %below, %set ]
  call void @drop_objects(ptr %stack, i64 %left)
  ret ptr null
done:
  %result = load ptr, ptr %stack
  ret ptr %result
}}
"""


def result_text() -> str:
    """The LLVM text of all this. `$TENSOR_ARRAY$` and its like stand for offsets of slots."""
    return _HANDLER + _ARRAYS + _SELF_TEST + _BUILDING
