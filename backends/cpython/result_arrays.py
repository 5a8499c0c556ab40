"""Native calls, in LLVM: the arrays among the results of a program as ndarrays (`call_results`)."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.host.memory import HEADER
from jitcore.signature import records as r
from jitcore.signature import struct_layout as at

RESULT_ARRAYS: Final = f"""
@jc_memory_handler = global ptr null ; the capsule of the handler

define internal ptr @new_array(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data, i32 %flags) {{
  call void @incref(ptr %descr)
  %array = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr, i32 %rank, ptr %extents,
      ptr %strides, ptr %data, i32 %flags, ptr null)
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

define internal ptr @view_of_argument(ptr %descr, i32 %rank, ptr %extents,
    ptr %strides, ptr %data, ptr %owner) noinline {{
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

define internal ptr @copy_of_constant(ptr %descr, i32 %rank, ptr %extents, ptr %strides, ptr %data) noinline optnone {{
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
