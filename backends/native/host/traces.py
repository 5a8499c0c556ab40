"""Traces: the calls of a program's functions that an exception came out of, noted while it goes outwards, and where it
was raised again by name.

A trace is a block of words that PyMem_RawMalloc made: how many places there were, the first `KEPT` of them (the
innermost), and a ring of the last `KEPT`. A call is known by its error site, a `raise` by what `raised_again_at` makes
of its.
"""

from __future__ import annotations

import ctypes
from typing import Final

from jitcore.backends.native.host import context

KEPT: Final = 4096
"""How many places are kept at either end."""
_WORDS: Final = 1 + 2 * KEPT

TRACES: Final = f"""
; What was raised has come to a place. Where there is no memory, it is not noted.
define void @jc_trace(ptr %ctx, i64 %site) cold noinline {{
entry:
{context.field_address("trace.at", context.TRACE)}
  %there = load ptr, ptr %trace.at
  %none = icmp eq ptr %there, null
  br i1 %none, label %make, label %note
make:
  %made = call ptr @PyMem_RawMalloc(i64 {8 * _WORDS})
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %done, label %begin
begin:
  store i64 0, ptr %made
  store ptr %made, ptr %trace.at
  br label %note
note:
  %trace = phi ptr [ %there, %entry ], [ %made, %begin ]
  %count = load i64, ptr %trace
  %following = add i64 %count, 1
  store i64 %following, ptr %trace
  %is.first = icmp ult i64 %count, {KEPT}
  %past = sub i64 %count, {KEPT}
  %in.ring = urem i64 %past, {KEPT}
  %last = add i64 %in.ring, {KEPT}
  %place = select i1 %is.first, i64 %count, i64 %last
  %word = add i64 %place, 1
  %at = getelementptr i64, ptr %trace, i64 %word
  store i64 %site, ptr %at
  br label %done
done:
  ret void
}}

; Put a copy of a trace in its place, null where there is no memory for one.
define internal void @copy_trace(ptr %trace.at) {{
entry:
  %trace = load ptr, ptr %trace.at
  %none = icmp eq ptr %trace, null
  br i1 %none, label %done, label %make
make:
  %made = call ptr @PyMem_RawMalloc(i64 {8 * _WORDS})
  store ptr %made, ptr %trace.at
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %done, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %made, ptr %trace, i64 {8 * _WORDS}, i1 false)
  br label %done
done:
  ret void
}}

define internal void @drop_trace(ptr %trace.at) {{
  %trace = load ptr, ptr %trace.at
  store ptr null, ptr %trace.at
  call void @PyMem_RawFree(ptr %trace)
  ret void
}}
"""


def raised_again_at(site: int) -> int:
    """How a trace says that an exception was raised again at an error site. Done twice, it gives the site."""
    return -1 - site


def entries(address: int) -> list[int]:
    """The places in the trace at an address, the innermost first."""
    words = (ctypes.c_int64 * _WORDS).from_address(address)
    count = words[0]
    first = words[1 : 1 + min(count, KEPT)]
    if count <= KEPT:
        return first
    past = count - KEPT
    if past <= KEPT:
        return first + words[1 + KEPT : 1 + KEPT + past]
    oldest = past % KEPT
    ring = words[1 + KEPT :]
    return first + ring[oldest:] + ring[:oldest]
