"""Runtime support, in LLVM: blocks of memory, the blocks of a call, and stacks.

**Blocks.** A block is a header of 64 bytes and then its data, 64-byte aligned. Blocks come in size classes, four to
each doubling; each class has a list of free blocks under a spin lock (a dozen nanoseconds to allocate or free).
Blocks of 2 MB and more are mapped on their own, in huge pages where the system grants them. Free blocks are
kept up to a limit for each small class and one for all large classes together; what is beyond goes back to the
system.

    header:  0 uses     references counted by the program that runs
             8 shares   references held by Python
            16 previous, 24 next   in the list of its call's blocks; `next` also in a free list
            32 class (i32), 36 fresh (i32): its data are zeros still
            40 capacity  bytes of data
            48 raw       what the system gave, 56 its length if mapped, else 0

`uses` is written by one thread only, the one that runs the program, without a lock; that it falls to zero, and every
change of `shares`, is under the class's lock, and whoever sees both at zero frees the block.

**Calls.** Blocks allocated in a call are linked from its context. If the call fails all of them are freed; if it
succeeds, those left are its results, and their uses become shares (`jc_finish`), given back by `jc_release`.

**Stacks.** A stack is a block of {top, limit, base, chunk, spare}; its values lie in chunks, blocks too, each
beginning with the chunk before it and that one's top and limit. What is pushed at once lies in one chunk. One
emptied chunk is kept as a spare so that a loop around a boundary does not allocate each time.
"""

from __future__ import annotations

import sys
from typing import Final

from jitcore.backends.llvm import context

HEADER: Final = 64
"""Bytes before a block's data."""
USES: Final = 0
SHARES: Final = 8
CLASS_COUNT: Final = 240
"""Classes 0 … 239 hold 32 bytes to 2**65; the largest ever asked for is 2**46."""
CLASS_BYTES: Final = 64
"""A class's entry: lock (i32), padding, first free block, blocks in use, blocks free; one cache line each."""
CLASS_IN_USE: Final = 16
CLASS_FREE: Final = 24
LARGE: Final = 2 << 20
"""From here on blocks are mapped: the size of a huge page."""
SMALL_CLASS_LIMIT: Final = 1 << 20
"""Bytes of free blocks kept for a class under SHARED_FROM."""
SHARED_FROM: Final = 32 << 10
"""Classes of this capacity and more share one limit, `jc_cache_limit`."""
CHUNK_HEADER: Final = 32
CHUNK_LIMIT: Final = 16 << 20
"""Chunks double up to this size."""

_FREE_LISTS: Final = f"""
@jc_classes = global [{CLASS_COUNT * CLASS_BYTES} x i8] zeroinitializer, align 64
@jc_cached_bytes = global i64 0
@jc_cache_limit = global i64 {256 << 20}

declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @malloc(i64)
declare void @free(ptr)

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

define internal ptr @from_malloc(i64 %size) {{
entry:
  %padded = add i64 %size, 63
  %raw = call ptr @malloc(i64 %padded)
  %none = icmp eq ptr %raw, null
  br i1 %none, label %failed, label %align
align:
  %number = ptrtoint ptr %raw to i64
  %over = add i64 %number, 63
  %aligned = and i64 %over, -64
  %block = inttoptr i64 %aligned to ptr
  %raw.at = getelementptr i8, ptr %block, i64 48
  store ptr %raw, ptr %raw.at
  %length.at = getelementptr i8, ptr %block, i64 56
  store i64 0, ptr %length.at
  %fresh.at = getelementptr i8, ptr %block, i64 36
  store i32 0, ptr %fresh.at
  ret ptr %block
failed:
  ret ptr null
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

_BLOCKS: Final = f"""
; A new block with one use, linked into the call's list; null if there is no memory.
define ptr @jc_alloc(ptr %ctx, i64 %bytes) {{
entry:
  %too.large = icmp ugt i64 %bytes, {1 << 46}
  br i1 %too.large, label %failed, label %classify
classify:
  %wanted = call i64 @llvm.umax.i64(i64 %bytes, i64 64)
  %last = sub i64 %wanted, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %last, i1 true)
  %exponent = sub i64 63, %zeros
  %shift = sub i64 %exponent, 2
  %quarter = lshr i64 %last, %shift
  %quarters = add i64 %quarter, 1
  %capacity = shl i64 %quarters, %shift
  %group = sub i64 %exponent, 5
  %group.4 = shl i64 %group, 2
  %step = sub i64 %quarter, 4
  %index = add i64 %group.4, %step
  %offset = mul i64 %index, {CLASS_BYTES}
  %class = getelementptr i8, ptr @jc_classes, i64 %offset
  %head.at = getelementptr i8, ptr %class, i64 8
  %used.at = getelementptr i8, ptr %class, i64 {CLASS_IN_USE}
  %free.at = getelementptr i8, ptr %class, i64 {CLASS_FREE}
  call void @lock(ptr %class)
  %head = load ptr, ptr %head.at
  %empty = icmp eq ptr %head, null
  br i1 %empty, label %make, label %take
take:
  %head.next.at = getelementptr i8, ptr %head, i64 24
  %head.next = load ptr, ptr %head.next.at
  store ptr %head.next, ptr %head.at
  %free = load i64, ptr %free.at
  %free.1 = sub i64 %free, 1
  store i64 %free.1, ptr %free.at
  %used = load i64, ptr %used.at
  %used.1 = add i64 %used, 1
  store i64 %used.1, ptr %used.at
  call void @unlock(ptr %class)
  %shared = icmp uge i64 %capacity, {SHARED_FROM}
  br i1 %shared, label %uncache, label %have
uncache:
  %before = atomicrmw sub ptr @jc_cached_bytes, i64 %capacity monotonic
  br label %have
make:
  call void @unlock(ptr %class)
  %index.32 = trunc i64 %index to i32
  %made = call ptr @new_block(i64 %capacity, i32 %index.32)
  %none = icmp eq ptr %made, null
  br i1 %none, label %failed, label %count
count:
  call void @lock(ptr %class)
  %used.2 = load i64, ptr %used.at
  %used.3 = add i64 %used.2, 1
  store i64 %used.3, ptr %used.at
  call void @unlock(ptr %class)
  br label %have
have:
  %block = phi ptr [ %head, %take ], [ %head, %uncache ], [ %made, %count ]
  store i64 1, ptr %block
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  store i64 0, ptr %shares.at
  %previous.at = getelementptr i8, ptr %block, i64 16
  store ptr null, ptr %previous.at
{context.field_address("first.at", context.BLOCKS)}
  %first = load ptr, ptr %first.at
  %next.at = getelementptr i8, ptr %block, i64 24
  store ptr %first, ptr %next.at
  store ptr %block, ptr %first.at
  %only = icmp eq ptr %first, null
  br i1 %only, label %done, label %link
link:
  %first.previous.at = getelementptr i8, ptr %first, i64 16
  store ptr %block, ptr %first.previous.at
  br label %done
done:
  ret ptr %block
failed:
  ret ptr null
}}

define ptr @jc_alloc_zeroed(ptr %ctx, i64 %bytes) {{
entry:
  %block = call ptr @jc_alloc(ptr %ctx, i64 %bytes)
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %look
look:
  %fresh.at = getelementptr i8, ptr %block, i64 36
  %fresh = load i32, ptr %fresh.at
  %zeros = icmp ne i32 %fresh, 0
  br i1 %zeros, label %done, label %clear
clear:
  %data = getelementptr i8, ptr %block, i64 {HEADER}
  call void @llvm.memset.p0.i64(ptr align 64 %data, i8 0, i64 %bytes, i1 false)
  br label %done
done:
  ret ptr %block
}}

; The program takes another use.
define void @jc_use(ptr %block) {{
entry:
  %number = ptrtoint ptr %block to i64
  %odd = and i64 %number, 1
  %is.odd = icmp ne i64 %odd, 0
  %is.null = icmp eq i64 %number, 0
  %foreign = or i1 %is.odd, %is.null
  br i1 %foreign, label %done, label %count
count:
  %uses = load i64, ptr %block
  %uses.1 = add i64 %uses, 1
  store i64 %uses.1, ptr %block
  br label %done
done:
  ret void
}}

; Whether the program's is the only reference to a block of its own.
define i1 @jc_is_unique(ptr %block) {{
entry:
  %number = ptrtoint ptr %block to i64
  %odd = and i64 %number, 1
  %is.odd = icmp ne i64 %odd, 0
  %is.null = icmp eq i64 %number, 0
  %foreign = or i1 %is.odd, %is.null
  br i1 %foreign, label %no, label %look
look:
  %uses = load i64, ptr %block
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  %shares = load i64, ptr %shares.at
  %one = icmp eq i64 %uses, 1
  %unshared = icmp eq i64 %shares, 0
  %unique = and i1 %one, %unshared
  ret i1 %unique
no:
  ret i1 false
}}

; The program gives up a use. Owner 0 and odd owners are not blocks.
define void @jc_drop(ptr %ctx, ptr %block) {{
entry:
  %number = ptrtoint ptr %block to i64
  %odd = and i64 %number, 1
  %is.odd = icmp ne i64 %odd, 0
  %is.null = icmp eq i64 %number, 0
  %foreign = or i1 %is.odd, %is.null
  br i1 %foreign, label %done, label %count
count:
  %uses = load i64, ptr %block
  %last = icmp eq i64 %uses, 1
  br i1 %last, label %unlink, label %less
less:
  %uses.1 = sub i64 %uses, 1
  store i64 %uses.1, ptr %block
  br label %done
unlink:
  %previous.at = getelementptr i8, ptr %block, i64 16
  %previous = load ptr, ptr %previous.at
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
{context.field_address("first.at", context.BLOCKS)}
  %previous.next.at = getelementptr i8, ptr %previous, i64 24
  %is.first = icmp eq ptr %previous, null
  %before.at = select i1 %is.first, ptr %first.at, ptr %previous.next.at
  store ptr %next, ptr %before.at
  %is.last = icmp eq ptr %next, null
  br i1 %is.last, label %drop, label %after
after:
  %next.previous.at = getelementptr i8, ptr %next, i64 16
  store ptr %previous, ptr %next.previous.at
  br label %drop
drop:
  call void @end_uses(ptr %block)
  br label %done
done:
  ret void
}}

define internal void @end_uses(ptr %block) {{
entry:
  %class = call ptr @class_of(ptr %block)
  call void @lock(ptr %class)
  store i64 0, ptr %block
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  %shares = load i64, ptr %shares.at
  %unshared = icmp eq i64 %shares, 0
  br i1 %unshared, label %recycle, label %keep
recycle:
  call void @recycle(ptr %class, ptr %block)
  ret void
keep:
  call void @unlock(ptr %class)
  ret void
}}

; Python takes a reference to a block.
define void @jc_retain(ptr %block) {{
  %class = call ptr @class_of(ptr %block)
  call void @lock(ptr %class)
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  %shares = load i64, ptr %shares.at
  %more = add i64 %shares, 1
  store i64 %more, ptr %shares.at
  call void @unlock(ptr %class)
  ret void
}}

; Python gives a reference back.
define void @jc_release(ptr %block) {{
entry:
  %class = call ptr @class_of(ptr %block)
  call void @lock(ptr %class)
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  %shares = load i64, ptr %shares.at
  %fewer = sub i64 %shares, 1
  store i64 %fewer, ptr %shares.at
  %uses = load i64, ptr %block
  %all = or i64 %uses, %fewer
  %unheld = icmp eq i64 %all, 0
  br i1 %unheld, label %recycle, label %keep
recycle:
  call void @recycle(ptr %class, ptr %block)
  ret void
keep:
  call void @unlock(ptr %class)
  ret void
}}

; A call has succeeded: the uses of the blocks it leaves become shares.
define void @jc_finish(ptr %ctx) {{
entry:
{context.field_address("first.at", context.BLOCKS)}
  %first = load ptr, ptr %first.at
  store ptr null, ptr %first.at
  br label %each
each:
  %block = phi ptr [ %first, %entry ], [ %next, %some ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %some
some:
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
  %class = call ptr @class_of(ptr %block)
  call void @lock(ptr %class)
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  %uses = load i64, ptr %block
  %shares = load i64, ptr %shares.at
  %all = add i64 %shares, %uses
  store i64 %all, ptr %shares.at
  store i64 0, ptr %block
  call void @unlock(ptr %class)
  br label %each
done:
  ret void
}}

; A call has failed: nothing it allocated is in use any more.
define void @jc_unwind(ptr %ctx) {{
entry:
{context.field_address("first.at", context.BLOCKS)}
  %first = load ptr, ptr %first.at
  store ptr null, ptr %first.at
  br label %each
each:
  %block = phi ptr [ %first, %entry ], [ %next, %some ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %some
some:
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
  call void @end_uses(ptr %block)
  br label %each
done:
  ret void
}}
"""

_STACKS: Final = f"""
; A new stack with room for `capacity` bytes; null if there is no memory.
define ptr @jc_stack_new(ptr %ctx, i64 %capacity) {{
entry:
  %block = call ptr @jc_alloc_zeroed(ptr %ctx, i64 64)
  %none = icmp eq ptr %block, null
  br i1 %none, label %failed, label %chunk
chunk:
  %stack = getelementptr i8, ptr %block, i64 {HEADER}
  %room = call i64 @llvm.umax.i64(i64 %capacity, i64 {512 - CHUNK_HEADER})
  %top = call ptr @add_chunk(ptr %ctx, ptr %stack, i64 %room)
  %full = icmp eq ptr %top, null
  br i1 %full, label %failed, label %done
done:
  ret ptr %stack
failed:
  ret ptr null
}}

; Put a chunk with room for `room` bytes on a stack: the new top, or null if there is no memory.
define internal ptr @add_chunk(ptr %ctx, ptr %stack, i64 %room) {{
entry:
  %limit.at = getelementptr i8, ptr %stack, i64 8
  %base.at = getelementptr i8, ptr %stack, i64 16
  %chunk.at = getelementptr i8, ptr %stack, i64 24
  %spare.at = getelementptr i8, ptr %stack, i64 32
  %spare = load ptr, ptr %spare.at
  %no.spare = icmp eq ptr %spare, null
  br i1 %no.spare, label %allocate, label %measure
measure:
  %spare.capacity.at = getelementptr i8, ptr %spare, i64 40
  %spare.capacity = load i64, ptr %spare.capacity.at
  %spare.room = sub i64 %spare.capacity, {CHUNK_HEADER}
  %enough = icmp uge i64 %spare.room, %room
  store ptr null, ptr %spare.at
  br i1 %enough, label %use, label %discard
discard:
  call void @jc_drop(ptr %ctx, ptr %spare)
  br label %allocate
allocate:
  %overflows = icmp ugt i64 %room, {1 << 45}
  %asked = add i64 %room, {CHUNK_HEADER}
  %size = select i1 %overflows, i64 -1, i64 %asked
  %made = call ptr @jc_alloc(ptr %ctx, i64 %size)
  %none = icmp eq ptr %made, null
  br i1 %none, label %failed, label %use
use:
  %block = phi ptr [ %spare, %measure ], [ %made, %allocate ]
  %data = getelementptr i8, ptr %block, i64 {HEADER}
  %data.top.at = getelementptr i8, ptr %data, i64 8
  %data.limit.at = getelementptr i8, ptr %data, i64 16
  %old.chunk = load ptr, ptr %chunk.at
  %old.top = load ptr, ptr %stack
  %old.limit = load ptr, ptr %limit.at
  store ptr %old.chunk, ptr %data
  store ptr %old.top, ptr %data.top.at
  store ptr %old.limit, ptr %data.limit.at
  %capacity.at = getelementptr i8, ptr %block, i64 40
  %capacity = load i64, ptr %capacity.at
  %base = getelementptr i8, ptr %data, i64 {CHUNK_HEADER}
  %limit = getelementptr i8, ptr %data, i64 %capacity
  store ptr %base, ptr %stack
  store ptr %limit, ptr %limit.at
  store ptr %base, ptr %base.at
  store ptr %block, ptr %chunk.at
  ret ptr %base
failed:
  ret ptr null
}}

; There is no room for `bytes` more: the top of a new chunk, or null if there is no memory.
define ptr @jc_stack_grow(ptr %ctx, ptr %stack, i64 %bytes) cold {{
  %limit.at = getelementptr i8, ptr %stack, i64 8
  %base.at = getelementptr i8, ptr %stack, i64 16
  %limit = load i64, ptr %limit.at
  %base = load i64, ptr %base.at
  %size = sub i64 %limit, %base
  %double = shl i64 %size, 1
  %capped = call i64 @llvm.umin.i64(i64 %double, i64 {CHUNK_LIMIT})
  %room = call i64 @llvm.umax.i64(i64 %capped, i64 %bytes)
  %top = call ptr @add_chunk(ptr %ctx, ptr %stack, i64 %room)
  ret ptr %top
}}

; The chunk is empty: go back to the one before it. Its top, or null if there is none.
define ptr @jc_stack_shrink(ptr %ctx, ptr %stack) cold {{
entry:
  %limit.at = getelementptr i8, ptr %stack, i64 8
  %base.at = getelementptr i8, ptr %stack, i64 16
  %chunk.at = getelementptr i8, ptr %stack, i64 24
  %spare.at = getelementptr i8, ptr %stack, i64 32
  %chunk = load ptr, ptr %chunk.at
  %data = getelementptr i8, ptr %chunk, i64 {HEADER}
  %previous = load ptr, ptr %data
  %none = icmp eq ptr %previous, null
  br i1 %none, label %failed, label %back
back:
  %spare = load ptr, ptr %spare.at
  call void @jc_drop(ptr %ctx, ptr %spare)
  store ptr %chunk, ptr %spare.at
  %data.top.at = getelementptr i8, ptr %data, i64 8
  %data.limit.at = getelementptr i8, ptr %data, i64 16
  %top = load ptr, ptr %data.top.at
  %limit = load ptr, ptr %data.limit.at
  %base = getelementptr i8, ptr %previous, i64 {HEADER + CHUNK_HEADER}
  store ptr %top, ptr %stack
  store ptr %limit, ptr %limit.at
  store ptr %base, ptr %base.at
  store ptr %previous, ptr %chunk.at
  ret ptr %top
failed:
  ret ptr null
}}

define void @jc_stack_free(ptr %ctx, ptr %stack) {{
entry:
  %chunk.at = getelementptr i8, ptr %stack, i64 24
  %spare.at = getelementptr i8, ptr %stack, i64 32
  %spare = load ptr, ptr %spare.at
  call void @jc_drop(ptr %ctx, ptr %spare)
  %last = load ptr, ptr %chunk.at
  br label %each
each:
  %chunk = phi ptr [ %last, %entry ], [ %previous, %some ]
  %end = icmp eq ptr %chunk, null
  br i1 %end, label %done, label %some
some:
  %data = getelementptr i8, ptr %chunk, i64 {HEADER}
  %previous = load ptr, ptr %data
  call void @jc_drop(ptr %ctx, ptr %chunk)
  br label %each
done:
  %block = getelementptr i8, ptr %stack, i64 -{HEADER}
  call void @jc_drop(ptr %ctx, ptr %block)
  ret void
}}
"""

# PROT_READ | PROT_WRITE = 3; MAP_PRIVATE | MAP_ANONYMOUS = 0x22; MADV_HUGEPAGE = 14 (Linux, all architectures we run on)
_LINUX: Final = f"""
declare i32 @sched_yield()
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @munmap(ptr, i64)
declare i32 @madvise(ptr, i64, i32)

define internal void @yield_thread() {{
  %ignored = call i32 @sched_yield()
  ret void
}}

define internal ptr @from_system(i64 %size) {{
entry:
  %large = icmp uge i64 %size, {LARGE}
  br i1 %large, label %map, label %small
small:
  %block.small = call ptr @from_malloc(i64 %size)
  ret ptr %block.small
map:
  ; one huge page more than needed, so that it can begin at a multiple of one; the rest is given back
  %up = add i64 %size, 4095
  %length = and i64 %up, -4096
  %padded = add i64 %length, {LARGE}
  %raw = call ptr @mmap(ptr null, i64 %padded, i32 3, i32 34, i32 -1, i64 0)
  %number = ptrtoint ptr %raw to i64
  %failed = icmp eq i64 %number, -1
  br i1 %failed, label %none, label %align
align:
  %over = add i64 %number, {LARGE - 1}
  %start = and i64 %over, {-LARGE}
  %block = inttoptr i64 %start to ptr
  %before = sub i64 %start, %number
  %has.before = icmp ne i64 %before, 0
  br i1 %has.before, label %cut.before, label %cut.after
cut.before:
  %unmapped.0 = call i32 @munmap(ptr %raw, i64 %before)
  br label %cut.after
cut.after:
  %after = sub i64 {LARGE}, %before
  %end = getelementptr i8, ptr %block, i64 %length
  %has.after = icmp ne i64 %after, 0
  br i1 %has.after, label %cut, label %advise
cut:
  %unmapped.1 = call i32 @munmap(ptr %end, i64 %after)
  br label %advise
advise:
  ; a kernel without huge pages refuses, which costs nothing but speed
  %advised = call i32 @madvise(ptr %block, i64 %length, i32 14)
  %raw.at = getelementptr i8, ptr %block, i64 48
  store ptr %block, ptr %raw.at
  %length.at = getelementptr i8, ptr %block, i64 56
  store i64 %length, ptr %length.at
  %fresh.at = getelementptr i8, ptr %block, i64 36
  store i32 1, ptr %fresh.at
  ret ptr %block
none:
  ret ptr null
}}

define internal void @to_system(ptr %block) {{
entry:
  %raw.at = getelementptr i8, ptr %block, i64 48
  %raw = load ptr, ptr %raw.at
  %length.at = getelementptr i8, ptr %block, i64 56
  %length = load i64, ptr %length.at
  %mapped = icmp ne i64 %length, 0
  br i1 %mapped, label %unmap, label %release
unmap:
  %ignored = call i32 @munmap(ptr %raw, i64 %length)
  ret void
release:
  call void @free(ptr %raw)
  ret void
}}
"""

_OTHER_SYSTEMS: Final = """
define internal ptr @from_system(i64 %size) {
  %block = call ptr @from_malloc(i64 %size)
  ret ptr %block
}

define internal void @to_system(ptr %block) {
  %raw.at = getelementptr i8, ptr %block, i64 48
  %raw = load ptr, ptr %raw.at
  call void @free(ptr %raw)
  ret void
}
"""

_YIELD: Final = {
    "win32": "declare i32 @SwitchToThread()\n"
    "define internal void @yield_thread() {\n  %ignored = call i32 @SwitchToThread()\n  ret void\n}\n",
    "": "declare i32 @sched_yield()\n"
    "define internal void @yield_thread() {\n  %ignored = call i32 @sched_yield()\n  ret void\n}\n",
}

EXPORTS: Final = (
    "jc_alloc",
    "jc_alloc_zeroed",
    "jc_use",
    "jc_is_unique",
    "jc_drop",
    "jc_retain",
    "jc_release",
    "jc_finish",
    "jc_unwind",
    "jc_trim",
    "jc_stack_new",
    "jc_stack_grow",
    "jc_stack_shrink",
    "jc_stack_free",
    "jc_classes",
    "jc_cached_bytes",
    "jc_cache_limit",
)


def support_text(platform: str = sys.platform) -> str:
    """The LLVM text of all this, for the system that `sys.platform` names."""
    system = _LINUX if platform.startswith("linux") else _YIELD.get(platform, _YIELD[""]) + _OTHER_SYSTEMS
    return _FREE_LISTS + _BLOCKS + _STACKS + system
