"""Runtime support, in LLVM: memory from the system and back, and giving up the processor.

On Linux, blocks of 2 MB and more are mapped on their own, in huge pages where the system grants them: touching newly
mapped memory is 16 times faster so. All else is the C library's.
"""

from __future__ import annotations

import sys
from typing import Final

LARGE: Final = 2 << 20
"""From here on blocks are mapped: the size of a huge page."""
PAGE: Final = 64 << 10
"""The largest size of a page: 64 KB on some machines with ARM's processors, 4 KB on those with Intel's."""

_MALLOC: Final = """
declare ptr @malloc(i64)
declare void @free(ptr)

define internal ptr @from_malloc(i64 %size) {
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
}
"""

# PROT_READ | PROT_WRITE = 3; MAP_PRIVATE | MAP_ANONYMOUS = 0x22; MADV_HUGEPAGE = 14 (Linux, all architectures we run
# on)
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
  %up = add i64 %size, {PAGE - 1}
  %length = and i64 %up, {-PAGE}
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


def support_text(platform: str = sys.platform) -> str:
    """The LLVM text of all this, for the system that `sys.platform` names."""
    if platform.startswith("linux"):
        return _MALLOC + _LINUX
    return _MALLOC + _YIELD.get(platform, _YIELD[""]) + _OTHER_SYSTEMS
