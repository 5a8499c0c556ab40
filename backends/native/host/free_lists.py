"""Runtime support, in LLVM: the free blocks of memory, a list for each class of sizes."""

from __future__ import annotations

from typing import Final

HEADER: Final = 64
"""Bytes before a block's data."""
CLASS_COUNT: Final = 240
"""Classes 0 … 239 hold 32 bytes to 2**65; the largest ever asked for is 2**46."""
CLASS_BYTES: Final = 64
"""A class's entry: lock (i32), padding, first free block, blocks in use, blocks free; one cache line each."""
CLASS_IN_USE: Final = 16
CLASS_FREE: Final = 24
SMALL_CLASS_LIMIT: Final = 1 << 20
"""Bytes of free blocks kept for a class under SHARED_FROM."""
SHARED_FROM: Final = 32 << 10
"""Classes of this capacity and more share one limit, `jc_cache_limit`."""

FREE_LISTS: Final = f"""
@jc_classes = global [{CLASS_COUNT * CLASS_BYTES} x i8] zeroinitializer, align 64
@jc_cached_bytes = global i64 0
@jc_cache_limit = global i64 {256 << 20}

declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare {{ i64, i1 }} @llvm.umul.with.overflow.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal void @lock(ptr %lock) alwaysinline {{
entry:
  %first = atomicrmw xchg ptr %lock, i32 1 acquire
  %free = icmp eq i32 %first, 0
  br i1 %free, label %done, label %wait
wait:
  call void @lock_slowly(ptr %lock)
  br label %done
done:
  ret void
}}

define internal void @lock_slowly(ptr %lock) noinline cold {{
entry:
  br label %spin
spin:
  %count = phi i32 [ 0, %entry ], [ %next, %again ], [ 0, %taken ], [ 0, %yield ]
  %seen = load atomic i32, ptr %lock monotonic, align 4
  %free = icmp eq i32 %seen, 0
  br i1 %free, label %taken, label %again.0
again.0:
  %next = add i32 %count, 1
  %tired = icmp ugt i32 %next, 200
  br i1 %tired, label %yield, label %again
again:
  br label %spin
yield:
  call void @yield_thread()
  br label %spin
taken:
  %old = atomicrmw xchg ptr %lock, i32 1 acquire
  %mine = icmp eq i32 %old, 0
  br i1 %mine, label %done, label %spin
done:
  ret void
}}

define internal void @unlock(ptr %lock) alwaysinline {{
  store atomic i32 0, ptr %lock release, align 4
  ret void
}}

define internal ptr @class_of(ptr %block) alwaysinline {{
  %index.at = getelementptr i8, ptr %block, i64 32
  %index = load i32, ptr %index.at
  %wide = zext i32 %index to i64
  %offset = mul i64 %wide, {CLASS_BYTES}
  %entry = getelementptr i8, ptr @jc_classes, i64 %offset
  ret ptr %entry
}}

define internal ptr @new_block(i64 %capacity, i32 %class) noinline {{
entry:
  %size = add i64 %capacity, {HEADER}
  br label %try
try:
  %again = phi i1 [ true, %entry ], [ false, %trim ]
  %block = call ptr @from_system(i64 %size)
  %none = icmp eq ptr %block, null
  br i1 %none, label %short, label %made
short:
  br i1 %again, label %trim, label %failed
trim:
  call void @jc_trim()
  br label %try
made:
  %class.at = getelementptr i8, ptr %block, i64 32
  store i32 %class, ptr %class.at
  %capacity.at = getelementptr i8, ptr %block, i64 40
  store i64 %capacity, ptr %capacity.at
  ret ptr %block
failed:
  ret ptr null
}}

; Return every free block to the system.
define void @jc_trim() {{
entry:
  br label %each
each:
  %index = phi i64 [ 0, %entry ], [ %next.index, %end ]
  %offset = mul i64 %index, {CLASS_BYTES}
  %class = getelementptr i8, ptr @jc_classes, i64 %offset
  %head.at = getelementptr i8, ptr %class, i64 8
  %free.at = getelementptr i8, ptr %class, i64 {CLASS_FREE}
  call void @lock(ptr %class)
  %head = load ptr, ptr %head.at
  store ptr null, ptr %head.at
  store i64 0, ptr %free.at
  call void @unlock(ptr %class)
  br label %blocks
blocks:
  %block = phi ptr [ %head, %each ], [ %next, %give ]
  %last = icmp eq ptr %block, null
  br i1 %last, label %end, label %give
give:
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
  %capacity.at = getelementptr i8, ptr %block, i64 40
  %capacity = load i64, ptr %capacity.at
  %shared = icmp uge i64 %capacity, {SHARED_FROM}
  %counted = select i1 %shared, i64 %capacity, i64 0
  %before = atomicrmw sub ptr @jc_cached_bytes, i64 %counted monotonic
  call void @to_system(ptr %block)
  br label %blocks
end:
  %next.index = add i64 %index, 1
  %more = icmp ult i64 %next.index, {CLASS_COUNT}
  br i1 %more, label %each, label %done
done:
  ret void
}}

; Take a block, of which nobody holds a reference any more, out of use. The class's lock is held, and let go here.
define internal void @recycle(ptr %class, ptr %block) {{
entry:
  %used.at = getelementptr i8, ptr %class, i64 {CLASS_IN_USE}
  %used = load i64, ptr %used.at
  %used.1 = sub i64 %used, 1
  store i64 %used.1, ptr %used.at
  %free.at = getelementptr i8, ptr %class, i64 {CLASS_FREE}
  %free = load i64, ptr %free.at
  %fresh.at = getelementptr i8, ptr %block, i64 36
  store i32 0, ptr %fresh.at
  %capacity.at = getelementptr i8, ptr %block, i64 40
  %capacity = load i64, ptr %capacity.at
  %shared = icmp uge i64 %capacity, {SHARED_FROM}
  br i1 %shared, label %large, label %small
small:
  %kept = mul i64 %free, %capacity
  %room = icmp ult i64 %kept, {SMALL_CLASS_LIMIT}
  br i1 %room, label %keep, label %give
large:
  %limit = load atomic i64, ptr @jc_cache_limit monotonic, align 8
  %before = atomicrmw add ptr @jc_cached_bytes, i64 %capacity monotonic
  %after = add i64 %before, %capacity
  %fits = icmp ule i64 %after, %limit
  br i1 %fits, label %keep, label %full
full:
  %undone = atomicrmw sub ptr @jc_cached_bytes, i64 %capacity monotonic
  %alone = icmp ule i64 %capacity, %limit
  br i1 %alone, label %replace, label %give
replace:
  ; what is kept is of other sizes than those in use now: let it go, and keep this one
  call void @unlock(ptr %class)
  call void @jc_trim()
  call void @lock(ptr %class)
  %again = atomicrmw add ptr @jc_cached_bytes, i64 %capacity monotonic
  br label %keep
keep:
  %count = load i64, ptr %free.at
  %count.1 = add i64 %count, 1
  store i64 %count.1, ptr %free.at
  %head.at = getelementptr i8, ptr %class, i64 8
  %head = load ptr, ptr %head.at
  %next.at = getelementptr i8, ptr %block, i64 24
  store ptr %head, ptr %next.at
  store ptr %block, ptr %head.at
  call void @unlock(ptr %class)
  ret void
give:
  call void @unlock(ptr %class)
  call void @to_system(ptr %block)
  ret void
}}
"""
