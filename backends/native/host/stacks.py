"""Runtime support, in LLVM: stacks.

A stack is a block of {top, limit, base, chunk, spare}; its values lie in chunks, blocks too, each beginning with the
chunk before it and that one's top and limit. What is pushed at once lies in one chunk. One emptied chunk is kept as
a spare so that a loop around a boundary does not allocate each time. All are blocks of the call (`memory`): a
failure frees them, and the blocks whose owners were pushed.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.host.memory import HEADER

SPARE: Final = 4
"""The last word of a stack."""
CHUNK_HEADER: Final = 32
CHUNK_LIMIT: Final = 16 << 20
"""Chunks double up to this size."""

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

EXPORTS: Final = ("jc_stack_new", "jc_stack_grow", "jc_stack_shrink", "jc_stack_free")


def support_text() -> str:
    """The LLVM text of all this; it needs `memory`'s."""
    return _STACKS
