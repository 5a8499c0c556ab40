"""Native calls, in LLVM: the steps of an entry (`call_guards`) that are about arrays."""

from __future__ import annotations

from typing import Final

from jitcore.signature import records as r
from jitcore.signature import struct_layout as at

ARRAYS: Final = f"""
; Whether an object is an ndarray as a step describes it; its words are written to `%words`. Gives the number of its
; elements, or -1 if it is another kind of object.
define internal i64 @take_array(ptr %step, ptr %array, ptr %words) alwaysinline {{
entry:
  %class = call ptr @field(ptr %array, i64 {at.OB_TYPE})
  %is.array = icmp eq ptr %class, @PyArray_Type
  br i1 %is.array, label %look, label %no
look:
  %rank.at = getelementptr i8, ptr %array, i64 {at.ARRAY_RANK}
  %rank.32 = load i32, ptr %rank.at
  %rank = zext i32 %rank.32 to i64
  %wanted.rank = call i64 @word(ptr %step, i64 {r.COUNT})
  %same.rank = icmp eq i64 %rank, %wanted.rank
  %flags.at = getelementptr i8, ptr %array, i64 {at.ARRAY_FLAGS}
  %flags.32 = load i32, ptr %flags.at
  %flags = zext i32 %flags.32 to i64
  %mask = call i64 @word(ptr %step, i64 {r.MASK})
  %masked = and i64 %flags, %mask
  %wanted.flags = call i64 @word(ptr %step, i64 {r.FLAGS})
  %same.flags = icmp eq i64 %masked, %wanted.flags
  %both = and i1 %same.rank, %same.flags
  br i1 %both, label %type, label %no
type:
  %descr = call ptr @field(ptr %array, i64 {at.ARRAY_DESCR})
  %wanted.descr = call ptr @pointer(ptr %step, i64 {r.OBJECT})
  %same.descr = icmp eq ptr %descr, %wanted.descr
  br i1 %same.descr, label %begin, label %other.descr
other.descr:
  %number = call i64 @word(ptr %step, i64 {r.TYPE_NUMBER})
  %equal = call i1 @same_type(ptr %descr, i64 %number)
  br i1 %equal, label %begin, label %no
begin:
  %data = call ptr @field(ptr %array, i64 {at.ARRAY_DATA})
  store ptr %data, ptr %words
  %address = ptrtoint ptr %array to i64
  %owner = or i64 %address, 1
  %owner.at = getelementptr i64, ptr %words, i64 1
  store i64 %owner, ptr %owner.at
  %extents = call ptr @field(ptr %array, i64 {at.ARRAY_EXTENTS})
  %strides = call ptr @field(ptr %array, i64 {at.ARRAY_STRIDES})
  %wanted.at = call ptr @pointer(ptr %step, i64 {r.OTHER})
  %extents.to = getelementptr i64, ptr %words, i64 2
  %strides.to = getelementptr i64, ptr %extents.to, i64 %rank
  br label %axis
axis:
  %k = phi i64 [ 0, %begin ], [ %k.next, %next ]
  %size = phi i64 [ 1, %begin ], [ %size.next, %next ]
  %more = icmp slt i64 %k, %rank
  br i1 %more, label %compare, label %done
compare:
  %extent = call i64 @word(ptr %extents, i64 %k)
  %wanted = call i64 @word(ptr %wanted.at, i64 %k)
  %same = icmp eq i64 %extent, %wanted
  br i1 %same, label %next, label %symbolic
symbolic:
  %any = icmp eq i64 %wanted, {r.ANY}
  %not.one = icmp eq i64 %wanted, {r.NOT_ONE}
  %several = icmp ne i64 %extent, 1
  %other = and i1 %not.one, %several
  %fits = or i1 %any, %other
  br i1 %fits, label %next, label %no
next:
  %stride = call i64 @word(ptr %strides, i64 %k)
  %extent.to = getelementptr i64, ptr %extents.to, i64 %k
  store i64 %extent, ptr %extent.to
  %stride.to = getelementptr i64, ptr %strides.to, i64 %k
  store i64 %stride, ptr %stride.to
  %size.next = mul i64 %size, %extent
  %k.next = add i64 %k, 1
  br label %axis
done:
  ret i64 %size
no:
  ret i64 -1
}}

; Whether a descr that is not the usual one for its type is of a type all the same: unpickled arrays have such.
define internal i1 @same_type(ptr %descr, i64 %wanted) noinline optnone {{
  %number.at = getelementptr i8, ptr %descr, i64 {at.DESCR_TYPE_NUMBER}
  %number.32 = load i32, ptr %number.at
  %number = sext i32 %number.32 to i64
  %same.number = icmp eq i64 %number, %wanted
  %order.at = getelementptr i8, ptr %descr, i64 {at.DESCR_BYTE_ORDER}
  %order = load i8, ptr %order.at
  %native = icmp eq i8 %order, {ord("=")}
  %no.order = icmp eq i8 %order, {ord("|")}
  %little = icmp eq i8 %order, {ord("<")}
  %native.1 = or i1 %native, %no.order
  %native.2 = or i1 %native.1, %little
  %equal = and i1 %same.number, %native.2
  ret i1 %equal
}}

; The first byte of an array and the one past its last; null twice if it has no elements.
define internal {{ i64, i64 }} @bounds(ptr %array, i64 %itemsize) {{
entry:
  %rank.at = getelementptr i8, ptr %array, i64 {at.ARRAY_RANK}
  %rank.32 = load i32, ptr %rank.at
  %rank = sext i32 %rank.32 to i64
  %data = call ptr @field(ptr %array, i64 {at.ARRAY_DATA})
  %start = ptrtoint ptr %data to i64
  %extents = call ptr @field(ptr %array, i64 {at.ARRAY_EXTENTS})
  %strides = call ptr @field(ptr %array, i64 {at.ARRAY_STRIDES})
  br label %axis
axis:
  %k = phi i64 [ 0, %entry ], [ %k.next, %span ]
  %low = phi i64 [ %start, %entry ], [ %low.next, %span ]
  %high = phi i64 [ %start, %entry ], [ %high.next, %span ]
  %more = icmp slt i64 %k, %rank
  br i1 %more, label %extent, label %done
extent:
  %n = call i64 @word(ptr %extents, i64 %k)
  %none = icmp eq i64 %n, 0
  br i1 %none, label %empty, label %span
span:
  %stride = call i64 @word(ptr %strides, i64 %k)
  %last = sub i64 %n, 1
  %reach = mul i64 %last, %stride
  %down = icmp slt i64 %reach, 0
  %below = select i1 %down, i64 %reach, i64 0
  %above = select i1 %down, i64 0, i64 %reach
  %low.next = add i64 %low, %below
  %high.next = add i64 %high, %above
  %k.next = add i64 %k, 1
  br label %axis
done:
  %end = add i64 %high, %itemsize
  %a = insertvalue {{ i64, i64 }} poison, i64 %low, 0
  %b = insertvalue {{ i64, i64 }} %a, i64 %end, 1
  ret {{ i64, i64 }} %b
empty:
  ret {{ i64, i64 }} zeroinitializer
}}

; Whether the arrays of a call share memory as they did when its program was made. `scratch` has room for their bounds.
define internal i1 @overlaps_fit(ptr %entry.record, ptr %arrays, ptr %scratch) noinline {{
entry:
  %record = call ptr @pointer(ptr %entry.record, i64 {r.OVERLAPS})
  %count = call i64 @word(ptr %entry.record, i64 {r.ARRAYS})
  %matrix = getelementptr i64, ptr %record, i64 %count
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %place, label %yes
place:
  %array = call ptr @pointer(ptr %arrays, i64 %i)
  %itemsize = call i64 @word(ptr %record, i64 %i)
  %bounds = call {{ i64, i64 }} @bounds(ptr %array, i64 %itemsize)
  %low = extractvalue {{ i64, i64 }} %bounds, 0
  %high = extractvalue {{ i64, i64 }} %bounds, 1
  %kept = getelementptr {{ i64, i64 }}, ptr %scratch, i64 %i
  store {{ i64, i64 }} %bounds, ptr %kept
  %row.offset = mul i64 %i, %count
  %row.at = getelementptr i8, ptr %matrix, i64 %row.offset
  br label %pair
pair:
  %j = phi i64 [ 0, %place ], [ %j.next, %pair.end ]
  %before = icmp slt i64 %j, %i
  br i1 %before, label %compare, label %row.end
compare:
  %other.at = getelementptr {{ i64, i64 }}, ptr %scratch, i64 %j
  %other.low = load i64, ptr %other.at
  %other.high = call i64 @word(ptr %other.at, i64 1)
  %a = icmp ult i64 %low, %other.high
  %b = icmp ult i64 %other.low, %high
  %overlap = and i1 %a, %b
  %expected.at = getelementptr i8, ptr %row.at, i64 %j
  %expected.8 = load i8, ptr %expected.at
  %expected = icmp ne i8 %expected.8, 0
  %same = icmp eq i1 %overlap, %expected
  br i1 %same, label %pair.end, label %no
pair.end:
  %j.next = add i64 %j, 1
  br label %pair
row.end:
  %i.next = add i64 %i, 1
  br label %row
yes:
  ret i1 true
no:
  ret i1 false
}}
"""
