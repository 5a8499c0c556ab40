"""Runtime support, in LLVM: blocks of memory, and the blocks of a call.

**Blocks.** A block is a header of 64 bytes and then its data, 64-byte aligned. Blocks come in size classes, four to
each doubling; each class has a list of free blocks under a spin lock (a dozen nanoseconds to allocate or free).
Free blocks are
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
succeeds, those left are its results, and their uses become shares (`jc_finish`), given back by `jc_release`. A call
that another one goes on from leaves the blocks of its stacks in its context (`jc_suspend`).
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.host import context
from jitcore.backends.native.host.free_lists import (
    CLASS_BYTES,
    CLASS_FREE,
    CLASS_IN_USE,
    FREE_LISTS,
    HEADER,
    SHARED_FROM,
)

USES: Final = 0
SHARES: Final = 8
MUCH: Final = 1 << 18
"""Bytes that take long enough to be copied or filled for letting the GIL go to pay: some ten microseconds."""

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

; Copy memory that does not overlap; while much is copied, other threads of Python may run.
define void @jc_copy(ptr %to, ptr %from, i64 %bytes) {{
entry:
  call void @let_go_for(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}}

define internal void @clear(ptr %to, i64 %bytes) {{
entry:
  call void @let_go_for(i64 %bytes)
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  ret void
}}

define internal void @let_go_for(i64 %bytes) {{
entry:
  %much = icmp uge i64 %bytes, {MUCH}
  br i1 %much, label %go, label %done
go:
  call void @let_go()
  br label %done
done:
  ret void
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
  call void @clear(ptr %data, i64 %bytes)
  br label %done
done:
  ret ptr %block
}}

; A new block of rows, of which the first are those at a place and the others zeros; the old block is
; given up. Null if there is no memory.
define ptr @jc_move(ptr %ctx, i64 %rows, i64 %size, ptr %source, i64 %kept, ptr %old) {{
entry:
  %pair = call {{ i64, i1 }} @llvm.umul.with.overflow.i64(i64 %rows, i64 %size)
  %bytes = extractvalue {{ i64, i1 }} %pair, 0
  %too.large = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %too.large, label %failed, label %allocate
allocate:
  %block = call ptr @jc_alloc(ptr %ctx, i64 %bytes)
  %none = icmp eq ptr %block, null
  br i1 %none, label %failed, label %copy
copy:
  %data = getelementptr i8, ptr %block, i64 {HEADER}
  %copied = mul i64 %kept, %size
  call void @jc_copy(ptr %data, ptr %source, i64 %copied)
  %fresh.at = getelementptr i8, ptr %block, i64 36
  %fresh = load i32, ptr %fresh.at
  %zeros = icmp ne i32 %fresh, 0
  br i1 %zeros, label %done, label %clear
clear:
  %rest = getelementptr i8, ptr %data, i64 %copied
  %left = sub i64 %bytes, %copied
  call void @clear(ptr %rest, i64 %left)
  br label %done
done:
  call void @jc_drop(ptr %ctx, ptr %old)
  ret ptr %block
failed:
  ret ptr null
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
  call void @unlink(ptr %ctx, ptr %block)
  call void @end_uses(ptr %block)
  br label %done
done:
  ret void
}}

; Take a block out of its call's list.
define internal void @unlink(ptr %ctx, ptr %block) alwaysinline {{
entry:
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
  br i1 %is.last, label %done, label %after
after:
  %next.previous.at = getelementptr i8, ptr %next, i64 16
  store ptr %previous, ptr %next.previous.at
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
  %block = phi ptr [ %first, %entry ], [ %next, %own ], [ %next, %shared ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %some
some:
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  %uses = load i64, ptr %block
  %seen = load atomic i64, ptr %shares.at monotonic, align 8
  %unknown = icmp eq i64 %seen, 0
  br i1 %unknown, label %own, label %shared
own:
  ; Python has never seen the block: nobody else can touch it
  store i64 %uses, ptr %shares.at
  store i64 0, ptr %block
  br label %each
shared:
  %class = call ptr @class_of(ptr %block)
  call void @lock(ptr %class)
  %shares = load i64, ptr %shares.at
  %all = add i64 %shares, %uses
  store i64 %all, ptr %shares.at
  store i64 0, ptr %block
  call void @unlock(ptr %class)
  br label %each
done:
  ret void
}}

; How many of the words of results are the address of a block.
define internal i64 @count_among(ptr %words, i64 %count, ptr %block) {{
entry:
  %address = ptrtoint ptr %block to i64
  br label %look
look:
  %k = phi i64 [ 0, %entry ], [ %following, %compare ]
  %found = phi i64 [ 0, %entry ], [ %more, %compare ]
  %over = icmp eq i64 %k, %count
  br i1 %over, label %done, label %compare
compare:
  %word.at = getelementptr i64, ptr %words, i64 %k
  %word = load i64, ptr %word.at
  %same = icmp eq i64 %word, %address
  %one = zext i1 %same to i64
  %more = add i64 %found, %one
  %following = add i64 %k, 1
  br label %look
done:
  ret i64 %found
}}

; A call has succeeded, and another one goes on with what it has on a stack: uses by its results become shares, and
; blocks with further uses stay those of the call.
define void @jc_suspend(ptr %ctx, ptr %words, i64 %count) {{
entry:
{context.field_address("first.at", context.BLOCKS)}
  %first = load ptr, ptr %first.at
  br label %each
each:
  %block = phi ptr [ %first, %entry ], [ %next, %some ], [ %next, %share ], [ %next, %unused ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %some
some:
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
  %found = call i64 @count_among(ptr %words, i64 %count, ptr %block)
  %none = icmp eq i64 %found, 0
  br i1 %none, label %each, label %share
share:
  %class = call ptr @class_of(ptr %block)
  call void @lock(ptr %class)
  %shares.at = getelementptr i8, ptr %block, i64 {SHARES}
  %shares = load i64, ptr %shares.at
  %all = add i64 %shares, %found
  store i64 %all, ptr %shares.at
  %uses = load i64, ptr %block
  %left = sub i64 %uses, %found
  store i64 %left, ptr %block
  call void @unlock(ptr %class)
  %is.unused = icmp eq i64 %left, 0
  br i1 %is.unused, label %unused, label %each
unused:
  call void @unlink(ptr %ctx, ptr %block)
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

; An exception was caught: free the blocks made since `first` was the first.
define void @jc_unwind_to(ptr %ctx, ptr %first) {{
entry:
{context.field_address("first.at", context.BLOCKS)}
  %newest = load ptr, ptr %first.at
  store ptr %first, ptr %first.at
  br label %each
each:
  %block = phi ptr [ %newest, %entry ], [ %next, %some ]
  %end = icmp eq ptr %block, %first
  br i1 %end, label %freed, label %some
some:
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
  call void @end_uses(ptr %block)
  br label %each
freed:
  %none = icmp eq ptr %first, null
  br i1 %none, label %done, label %old
old:
  %previous.at = getelementptr i8, ptr %first, i64 16
  store ptr null, ptr %previous.at
  br label %done
done:
  ret void
}}

; A call that caught exceptions has succeeded: code that was left halfway may have kept uses, so count those among the
; results' words anew, and free the blocks without any.
define void @jc_settle(ptr %ctx, ptr %words, i64 %count) {{
entry:
{context.field_address("first.at", context.BLOCKS)}
  %newest = load ptr, ptr %first.at
  store ptr null, ptr %first.at
  br label %each
each:
  %block = phi ptr [ %newest, %entry ], [ %next, %unused ], [ %next, %used ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %some
some:
  %next.at = getelementptr i8, ptr %block, i64 24
  %next = load ptr, ptr %next.at
  %uses = call i64 @count_among(ptr %words, i64 %count, ptr %block)
  %none = icmp eq i64 %uses, 0
  br i1 %none, label %unused, label %used
unused:
  call void @end_uses(ptr %block)
  br label %each
used:
  store i64 %uses, ptr %block
  %kept = load ptr, ptr %first.at
  store ptr %kept, ptr %next.at
  store ptr %block, ptr %first.at
  br label %each
done:
  ret void
}}
"""

EXPORTS: Final = (
    "jc_suspend",
    "jc_alloc",
    "jc_alloc_zeroed",
    "jc_copy",
    "jc_move",
    "jc_use",
    "jc_is_unique",
    "jc_drop",
    "jc_retain",
    "jc_release",
    "jc_finish",
    "jc_unwind",
    "jc_unwind_to",
    "jc_settle",
    "jc_trim",
    "jc_classes",
    "jc_cached_bytes",
    "jc_cache_limit",
)


def support_text() -> str:
    """The LLVM text of all this; it needs `system_memory`'s."""
    return FREE_LISTS + _BLOCKS
