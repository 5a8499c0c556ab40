"""Native calls, in LLVM: Tensors of results, made and freed without Python's and NumPy's general machinery.

A Tensor's end is `jc_tensor_dealloc`. If its ndarray is known to nobody else, and owns its memory through our handler,
the block goes back to the pool and the two objects are kept as a spare: the next result of the same rank is put into
them, which costs a tenth of making two objects. An ndarray's fields are set as NumPy's own functions set them. A Tensor
from a spare is unknown to the garbage collector: what it refers to (an array, a storage, the Tensor it is a view of)
was there before it, and cannot lead back to it.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.host.memory import HEADER
from jitcore.signature import records as r
from jitcore.signature import struct_layout as at

RANKS: Final = 8
"""Spares are kept for ranks below this."""
SPARES: Final = 32
"""How many of each rank."""

SOLE: Final = {
    "plain": "  %count = load i64, ptr %object\n  %sole = icmp eq i64 %count, 1\n  ret i1 %sole",
    "saturating": "  %count = load i32, ptr %object\n  %sole = icmp eq i32 %count, 1\n  ret i1 %sole",
    "called": "  ret i1 false",
}
"""Whether there is one reference to an object, by `struct_layout.Layout.counting`; false where that cannot be told."""

_SPARES: Final = f"""
@jc_spare_counts = global [{RANKS} x i64] zeroinitializer
@jc_spares = global [{RANKS * SPARES} x ptr] zeroinitializer

define internal i1 @is_sole(ptr %object) alwaysinline {{
$SOLE$
}}

; Whether an ndarray can be used again: nothing refers to it or its memory but the Tensor that ends.
define internal i1 @is_reusable(ptr %array) {{
entry:
  %none = icmp eq ptr %array, null
  br i1 %none, label %no, label %count
count:
  %sole = call i1 @is_sole(ptr %array)
  %class = call ptr @field(ptr %array, i64 {at.OB_TYPE})
  %exact = icmp eq ptr %class, @PyArray_Type
  %ours.0 = and i1 %sole, %exact
  br i1 %ours.0, label %look, label %no
look:
  %handler = call ptr @field(ptr %array, i64 {at.ARRAY_MEMORY_HANDLER})
  %our.handler = load ptr, ptr @jc_memory_handler
  %handled = icmp eq ptr %handler, %our.handler
  %base = call ptr @field(ptr %array, i64 {at.ARRAY_BASE})
  %no.base = icmp eq ptr %base, null
  %weak = call ptr @field(ptr %array, i64 {at.ARRAY_WEAK_REFERENCES})
  %no.weak = icmp eq ptr %weak, null
  %buffers = call ptr @field(ptr %array, i64 {at.ARRAY_BUFFERS})
  %no.buffers = icmp eq ptr %buffers, null
  %flags.at = getelementptr i8, ptr %array, i64 {at.ARRAY_FLAGS}
  %flags = load i32, ptr %flags.at
  %owning = and i32 %flags, {at.OWNS_DATA}
  %owns = icmp ne i32 %owning, 0
  %rank.at = getelementptr i8, ptr %array, i64 {at.ARRAY_RANK}
  %rank = load i32, ptr %rank.at
  %low = icmp ult i32 %rank, {RANKS}
  %a = and i1 %handled, %no.base
  %b = and i1 %no.weak, %no.buffers
  %c = and i1 %owns, %low
  %d = and i1 %a, %b
  %reusable = and i1 %c, %d
  ret i1 %reusable
no:
  ret i1 false
}}

define internal void @drop_if_any(ptr %object) alwaysinline {{
entry:
  %none = icmp eq ptr %object, null
  br i1 %none, label %done, label %drop
drop:
  call void @decref(ptr %object)
  br label %done
done:
  ret void
}}

define void @jc_tensor_dealloc(ptr %self) {{
entry:
  %class = call ptr @field(ptr %self, i64 {at.OB_TYPE})
  call void @PyObject_GC_UnTrack(ptr %self)
  %weak = call ptr @field(ptr %self, i64 $TENSOR_WEAK$)
  %unwatched = icmp eq ptr %weak, null
  br i1 %unwatched, label %clear, label %forget
forget:
  call void @PyObject_ClearWeakRefs(ptr %self)
  br label %clear
clear:
  %array.at = getelementptr i8, ptr %self, i64 $TENSOR_ARRAY$
  %storage.at = getelementptr i8, ptr %self, i64 $TENSOR_STORAGE$
  %view.at = getelementptr i8, ptr %self, i64 $TENSOR_VIEW$
  %history.at = getelementptr i8, ptr %self, i64 $TENSOR_HISTORY$
  %storage = load ptr, ptr %storage.at
  store ptr null, ptr %storage.at
  %view = load ptr, ptr %view.at
  store ptr null, ptr %view.at
  %history = load ptr, ptr %history.at
  store ptr null, ptr %history.at
  call void @drop_if_any(ptr %storage)
  call void @drop_if_any(ptr %view)
  call void @drop_if_any(ptr %history)
  %array = load ptr, ptr %array.at
  %plain = icmp eq ptr %class, @jc_tensor_class
  br i1 %plain, label %look, label %free
look:
  %reusable = call i1 @is_reusable(ptr %array)
  br i1 %reusable, label %room, label %free
room:
  %rank.at = getelementptr i8, ptr %array, i64 {at.ARRAY_RANK}
  %rank.32 = load i32, ptr %rank.at
  %rank = zext i32 %rank.32 to i64
  %count.at = getelementptr i64, ptr @jc_spare_counts, i64 %rank
  %count = load i64, ptr %count.at
  %full = icmp uge i64 %count, {SPARES}
  br i1 %full, label %free, label %keep
keep:
  %data.at = getelementptr i8, ptr %array, i64 {at.ARRAY_DATA}
  %data = load ptr, ptr %data.at
  store ptr null, ptr %data.at
  %flags.at = getelementptr i8, ptr %array, i64 {at.ARRAY_FLAGS}
  store i32 0, ptr %flags.at
  call void @jc_array_free(ptr null, ptr %data, i64 0)
  %first = mul i64 %rank, {SPARES}
  %index = add i64 %first, %count
  %spare.at = getelementptr ptr, ptr @jc_spares, i64 %index
  store ptr %self, ptr %spare.at
  %count.1 = add i64 %count, 1
  store i64 %count.1, ptr %count.at
  ret void
free:
  store ptr null, ptr %array.at
  call void @drop_if_any(ptr %array)
  call void @PyObject_GC_Del(ptr %self)
  call void @Py_DecRef(ptr %class)
  ret void
}}
"""

_FLAGS: Final = f"""
; Contiguity as NumPy tells it: axes of one element do not count. -1 if there are no elements.
define internal i32 @contiguity(ptr %extents, ptr %strides, i64 %rank, i64 %itemsize) alwaysinline {{
entry:
  br label %last
last:
  %k = phi i64 [ %rank, %entry ], [ %axis, %last.next ]
  %run = phi i64 [ %itemsize, %entry ], [ %run.next, %last.next ]
  %c = phi i1 [ true, %entry ], [ %c.next, %last.next ]
  %more = icmp sgt i64 %k, 0
  br i1 %more, label %last.look, label %first
last.look:
  %axis = sub i64 %k, 1
  %n = call i64 @word(ptr %extents, i64 %axis)
  %none = icmp eq i64 %n, 0
  br i1 %none, label %empty, label %last.next
last.next:
  %stride = call i64 @word(ptr %strides, i64 %axis)
  %one = icmp eq i64 %n, 1
  %fits = icmp eq i64 %stride, %run
  %good = or i1 %one, %fits
  %c.next = and i1 %c, %good
  %run.next = mul i64 %run, %n
  br label %last
first:
  %j = phi i64 [ 0, %last ], [ %j.next, %first.next ]
  %f.run = phi i64 [ %itemsize, %last ], [ %f.run.next, %first.next ]
  %f = phi i1 [ true, %last ], [ %f.next, %first.next ]
  %f.more = icmp slt i64 %j, %rank
  br i1 %f.more, label %first.next, label %done
first.next:
  %f.n = call i64 @word(ptr %extents, i64 %j)
  %f.stride = call i64 @word(ptr %strides, i64 %j)
  %f.one = icmp eq i64 %f.n, 1
  %f.fits = icmp eq i64 %f.stride, %f.run
  %f.good = or i1 %f.one, %f.fits
  %f.next = and i1 %f, %f.good
  %f.run.next = mul i64 %f.run, %f.n
  %j.next = add i64 %j, 1
  br label %first
done:
  %c.flag = select i1 %c, i32 {at.C_CONTIGUOUS}, i32 0
  %f.flag = select i1 %f, i32 {at.F_CONTIGUOUS}, i32 0
  %flags = or i32 %c.flag, %f.flag
  ret i32 %flags
empty:
  ret i32 -1
}}
"""

_NEW: Final = f"""
; Put references to None into a Tensor's slots for its storage, how it was viewed, and what gradients know of it.
define internal void @clear_history(ptr %tensor) alwaysinline {{
  call void @incref(ptr @_Py_NoneStruct)
  call void @incref(ptr @_Py_NoneStruct)
  call void @incref(ptr @_Py_NoneStruct)
  %storage.at = getelementptr i8, ptr %tensor, i64 $TENSOR_STORAGE$
  store ptr @_Py_NoneStruct, ptr %storage.at
  %view.at = getelementptr i8, ptr %tensor, i64 $TENSOR_VIEW$
  store ptr @_Py_NoneStruct, ptr %view.at
  %history.at = getelementptr i8, ptr %tensor, i64 $TENSOR_HISTORY$
  store ptr @_Py_NoneStruct, ptr %history.at
  ret void
}}

; A Tensor of an ndarray, to which it takes a reference: a new one, or null.
define internal ptr @new_tensor(ptr %array) noinline {{
entry:
  %tensor = call ptr @PyType_GenericAlloc(ptr @jc_tensor_class, i64 0)
  %none = icmp eq ptr %tensor, null
  br i1 %none, label %done, label %fill
fill:
  call void @incref(ptr %array)
  %array.at = getelementptr i8, ptr %tensor, i64 $TENSOR_ARRAY$
  store ptr %array, ptr %array.at
  call void @clear_history(ptr %tensor)
  br label %done
done:
  ret ptr %tensor
}}

; The index-th array result as a Tensor, in a spare one: a new reference, or null if
; there is none or it doesn't fit one.
define internal ptr @spare_tensor(ptr %entry.record, ptr %made, ptr %out, i64 %index) alwaysinline {{
entry:
  %made.at = getelementptr ptr, ptr %made, i64 %index
  %known = load ptr, ptr %made.at
  %unmade = icmp eq ptr %known, null
  br i1 %unmade, label %look, label %no
look:
  %results = call ptr @pointer(ptr %entry.record, i64 {r.RESULTS})
  %offset = mul i64 %index, {r.RESULT_WORDS}
  %result = getelementptr i64, ptr %results, i64 %offset
  %word = call i64 @word(ptr %result, i64 {r.RESULT_WORD})
  %rank = call i64 @word(ptr %result, i64 {r.RESULT_RANK})
  %itemsize = call i64 @word(ptr %result, i64 {r.RESULT_ITEMSIZE})
  %low = icmp ult i64 %rank, {RANKS}
  br i1 %low, label %find, label %no
find:
  %words = getelementptr i64, ptr %out, i64 %word
  %data = load ptr, ptr %words
  %owner = call ptr @pointer(ptr %words, i64 1)
  %begin = getelementptr i8, ptr %owner, i64 {HEADER}
  %whole = icmp eq ptr %data, %begin
  %count.at = getelementptr i64, ptr @jc_spare_counts, i64 %rank
  %count = load i64, ptr %count.at
  %some = icmp ne i64 %count, 0
  %both = and i1 %whole, %some
  br i1 %both, label %measure, label %no
measure:
  %extents = getelementptr i64, ptr %words, i64 2
  %strides = getelementptr i64, ptr %extents, i64 %rank
  %contiguity = call i32 @contiguity(ptr %extents, ptr %strides, i64 %rank, i64 %itemsize)
  %empty = icmp slt i32 %contiguity, 0
  br i1 %empty, label %no, label %take
take:
  %count.1 = sub i64 %count, 1
  store i64 %count.1, ptr %count.at
  %first = mul i64 %rank, {SPARES}
  %spare.index = add i64 %first, %count.1
  %spare.at = getelementptr ptr, ptr @jc_spares, i64 %spare.index
  %tensor = load ptr, ptr %spare.at
  %array = call ptr @field(ptr %tensor, i64 $TENSOR_ARRAY$)
  call void @fill_array(ptr %array, ptr %result, ptr %data, ptr %extents, ptr %strides, i64 %rank, i32 %contiguity)
  call void @incref(ptr %array)
  store ptr %array, ptr %made.at
  call void @clear_history(ptr %tensor)
  call void @_Py_NewReference(ptr %tensor)
  ret ptr %tensor
no:
  ret ptr null
}}

define internal void @fill_array(ptr %array, ptr %result, ptr %data, ptr %extents, ptr %strides,
    i64 %rank, i32 %contiguity) alwaysinline {{
entry:
  %data.at = getelementptr i8, ptr %array, i64 {at.ARRAY_DATA}
  store ptr %data, ptr %data.at
  %flags = or i32 %contiguity, {at.OWNS_DATA | at.ALIGNED | at.WRITEABLE}
  %flags.at = getelementptr i8, ptr %array, i64 {at.ARRAY_FLAGS}
  store i32 %flags, ptr %flags.at
  %extents.to = call ptr @field(ptr %array, i64 {at.ARRAY_EXTENTS})
  %strides.to = call ptr @field(ptr %array, i64 {at.ARRAY_STRIDES})
  br label %axis
axis:
  %k = phi i64 [ 0, %entry ], [ %k.next, %copy ]
  %more = icmp slt i64 %k, %rank
  br i1 %more, label %copy, label %type
copy:
  %n = call i64 @word(ptr %extents, i64 %k)
  %n.to = getelementptr i64, ptr %extents.to, i64 %k
  store i64 %n, ptr %n.to
  %stride = call i64 @word(ptr %strides, i64 %k)
  %stride.to = getelementptr i64, ptr %strides.to, i64 %k
  store i64 %stride, ptr %stride.to
  %k.next = add i64 %k, 1
  br label %axis
type:
  %descr = call ptr @pointer(ptr %result, i64 {r.RESULT_DESCR})
  %before = call ptr @field(ptr %array, i64 {at.ARRAY_DESCR})
  %same = icmp eq ptr %descr, %before
  br i1 %same, label %done, label %change
change:
  call void @incref(ptr %descr)
  %descr.at = getelementptr i8, ptr %array, i64 {at.ARRAY_DESCR}
  store ptr %descr, ptr %descr.at
  call void @decref(ptr %before)
  br label %done
done:
  ret void
}}
"""


def tensor_text() -> str:
    """The LLVM text of all this. `$TENSOR_ARRAY$` and its like stand for offsets of slots, `$SOLE$` for one of
    `SOLE`."""
    return _SPARES + _FLAGS + _NEW
