"""Native calls, in LLVM: whether objects from outside are as they were when a program was compiled.

Each function does a step of COUNT comparisons by the table at its OTHER (`signature.records`).
"""

from __future__ import annotations

from typing import Final

from jitcore.signature import records as r
from jitcore.signature import struct_layout as at


def _comparisons(comment: str, name: str, now: str, otherwise: str) -> str:
    """A function that compares what is at COUNT addresses with what was there. `now` reads one as `%now`; where it is
    another, control goes to the label of `otherwise`, or it does not hold."""
    differs = otherwise.partition(":")[0] or "no"
    return f"""
; {comment}
define internal i1 @{name}(ptr %step) noinline {{
entry:
  %table = call ptr @pointer(ptr %step, i64 {r.OTHER})
  %count = call i64 @word(ptr %step, i64 {r.COUNT})
  %words = mul i64 %count, 2
  %end = getelementptr i64, ptr %table, i64 %words
  br label %each
each:
  %at = phi ptr [ %table, %entry ], [ %next, %compare ]
  %more = icmp ne ptr %at, %end
  br i1 %more, label %compare, label %yes
compare:
  %address = load ptr, ptr %at
  %wanted = call i64 @word(ptr %at, i64 1)
{now}  %same = icmp eq i64 %now, %wanted
  %next = getelementptr i64, ptr %at, i64 2
  br i1 %same, label %each, label %{differs}
{otherwise}yes:
  ret i1 true
no:
  ret i1 false
}}
"""


_FIELDS: Final = _comparisons(
    "Whether words of memory are what they were.", "fields_hold", "  %now = load i64, ptr %address\n", ""
)
_CLASSES: Final = _comparisons(
    "Whether classes have the numbers that they had, or are what they were all the same.",
    "classes_hold",
    "  %number = load i32, ptr %address\n  %now = zext i32 %number to i64\n",
    f"""ask:
  %check = call ptr @pointer(ptr %step, i64 {r.OBJECT})
  %holds = call i1 @holds(ptr %check, ptr %check)
  ret i1 %holds
""",
)

_OBJECTS: Final = f"""
; Whether a dict has the entries that it had, and lacks those that it lacked.
define internal i1 @entries_hold(ptr %step) noinline {{
entry:
  %dict = call ptr @pointer(ptr %step, i64 {r.OBJECT})
  %table = call ptr @pointer(ptr %step, i64 {r.OTHER})
  %count = call i64 @word(ptr %step, i64 {r.COUNT})
  %words = mul i64 %count, {r.NAME_WORDS}
  %first = getelementptr i64, ptr %table, i64 {r.ENTRIES_FIRST}
  %end = getelementptr i64, ptr %first, i64 %words
  %keys = call ptr @field(ptr %dict, i64 {at.DICT_KEYS})
  %version.at = getelementptr i8, ptr %keys, i64 {at.KEYS_VERSION}
  %version.32 = load i32, ptr %version.at
  %version = zext i32 %version.32 to i64
  %known = call i64 @word(ptr %table, i64 {r.ENTRIES_VERSION})
  %same.keys = icmp eq i64 %version, %known
  br i1 %same.keys, label %each, label %each.looked.up
each:
  %at = phi ptr [ %first, %entry ], [ %next, %take ], [ %next, %compare ]
  %more = icmp ne ptr %at, %end
  br i1 %more, label %take, label %yes
take:
  %wanted = call ptr @pointer(ptr %at, i64 {r.ENTRY_VALUE})
  %next = getelementptr i64, ptr %at, i64 {r.NAME_WORDS}
  %absent = icmp eq ptr %wanted, null
  br i1 %absent, label %each, label %compare
compare:
  %offset = call i64 @word(ptr %at, i64 {r.ENTRY_OFFSET})
  %now = call ptr @field(ptr %keys, i64 %offset)
  %same = icmp eq ptr %now, %wanted
  br i1 %same, label %each, label %no
each.looked.up:
  %slow.at = phi ptr [ %first, %entry ], [ %slow.next, %look.up ]
  %slow.more = icmp ne ptr %slow.at, %end
  br i1 %slow.more, label %look.up, label %hold
look.up:
  %name = call ptr @pointer(ptr %slow.at, i64 {r.ENTRY_NAME})
  %slow.wanted = call ptr @pointer(ptr %slow.at, i64 {r.ENTRY_VALUE})
  %found = call ptr @PyDict_GetItemWithError(ptr %dict, ptr %name)
  %slow.same = icmp eq ptr %found, %slow.wanted
  %slow.next = getelementptr i64, ptr %slow.at, i64 {r.NAME_WORDS}
  br i1 %slow.same, label %each.looked.up, label %no
hold:
  ; keys without a number cannot be gone by
  %numbered = icmp ne i64 %version, 0
  br i1 %numbered, label %learn, label %yes
learn:
  %learning = call ptr @pointer(ptr %step, i64 {r.CLASS})
  %ignored = call i1 @holds(ptr %learning, ptr %learning)
  %ends = call i1 @forget_error()
  br i1 %ends, label %no, label %yes
yes:
  ret i1 true
no:
  ret i1 false
}}

; Whether an object has no attributes of its own, or one under a name.
define internal i1 @has_none_but(ptr %object, ptr %name) noinline {{
entry:
  %dict = call ptr @PyObject_GenericGetDict(ptr %object, ptr null)
  %none = icmp eq ptr %dict, null
  br i1 %none, label %no, label %count
count:
  %size = call i64 @PyDict_Size(ptr %dict)
  %empty = icmp eq i64 %size, 0
  br i1 %empty, label %counted, label %look
look:
  %found = call ptr @PyDict_GetItemWithError(ptr %dict, ptr %name)
  %there = icmp ne ptr %found, null
  %one = icmp eq i64 %size, 1
  %alone = and i1 %there, %one
  br label %counted
counted:
  %holds = phi i1 [ true, %count ], [ %alone, %look ]
  call void @decref(ptr %dict)
  ret i1 %holds
no:
  ret i1 false
}}

; Whether an object has no attribute of its own under a name.
define internal i1 @lacks_own(ptr %object, ptr %name) noinline {{
entry:
  %dict = call ptr @PyObject_GenericGetDict(ptr %object, ptr null)
  %none = icmp eq ptr %dict, null
  br i1 %none, label %no, label %look
look:
  %found = call ptr @PyDict_GetItemWithError(ptr %dict, ptr %name)
  call void @decref(ptr %dict)
  %lacks = icmp eq ptr %found, null
  ret i1 %lacks
no:
  ret i1 false
}}
"""

ASSUMPTIONS: Final = _FIELDS + _CLASSES + _OBJECTS
