"""Runtime support, in LLVM: failing, polling for signals, calling into Python, how deep the machine's stack goes.

Python is reached through its stable C API, by name. Code runs without the GIL or with it: whatever needs it takes it
with PyGILState_Ensure, which is right in both cases. An exception raised in Python is kept in the context
(`context.EXCEPTION`) until the caller of `run` takes it out, and the program ends as by a failed check.
"""

from __future__ import annotations

import sys
from typing import Final

from jitcore.backends.native.host import context, stack_limits
from jitcore.backends.native.host.number_calls import CALL_OF_NUMBERS, RETURNED
from jitcore.backends.native.host.traces import TRACES
from jitcore.backends.native.host.waiting import POLL_PERIOD
from jitcore.signature.records import HOST_FUNCTION

CLOCK_PERIOD: Final = 500_000
"""Nanoseconds between two readings of the clock, about."""
MAX_POLL_INTERVAL: Final = 1 << 30
STACK_MARGIN: Final = 512 << 10
"""What must be left of the machine's stack for a call: kernels, callbacks into Python and signal handlers need it.
At most a quarter of the stack, for threads with small ones."""

_PYTHON: Final = f"""
@jc_three_words = private constant [4 x i8] c"KKK\\00"
@PyExc_OverflowError = external global ptr
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare i32 @PyErr_CheckSignals()
declare i32 @PyErr_ExceptionMatches(ptr)
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_Clear()
declare ptr @PyObject_CallFunction(ptr, ptr, ...)
declare double @PyFloat_AsDouble(ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyMem_RawMalloc(i64)
declare void @PyMem_RawFree(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; End a call at an error site: always 1.
define i32 @jc_fail(ptr %ctx, i64 %site, i64 %kinds, i64 %a, i64 %b, i64 %c) cold noinline {{
{context.field_address("kinds.at", context.KINDS)}
{context.field_address("a.at", context.VALUES)}
{context.field_address("b.at", context.VALUES + 8)}
{context.field_address("c.at", context.VALUES + 16)}
  store i64 %site, ptr %ctx
  store i64 %kinds, ptr %kinds.at
  store i64 %a, ptr %a.at
  store i64 %b, ptr %b.at
  store i64 %c, ptr %c.at
  ret i32 1
}}

define internal void @keep_exception(ptr %ctx) {{
{context.field_address("type.at", context.EXCEPTION)}
{context.field_address("value.at", context.EXCEPTION + 8)}
{context.field_address("traceback.at", context.EXCEPTION + 16)}
  call void @PyErr_Fetch(ptr %type.at, ptr %value.at, ptr %traceback.at)
  ret void
}}

; An exception was caught: take what the context says of it, which is as if nothing had been raised then.
define void @jc_catch(ptr %ctx, ptr %area, i64 %site) cold noinline {{
{context.field_address("exception.at", context.EXCEPTION)}
{context.field_address("handled.at", context.HANDLED)}
{context.field_address("origin.at", context.ORIGIN)}
{context.field_address("origins.at", context.ORIGINS)}
{context.field_address("kept.at", context.AREA_EXCEPTION, "%area")}
{context.field_address("next.at", context.AREA_HANDLED, "%area")}
{context.field_address("own.at", context.AREA_ORIGIN, "%area")}
{context.field_address("trace.at", context.TRACE)}
{context.field_address("own.trace.at", context.AREA_TRACE, "%area")}
{context.field_address("caught.at", context.AREA_CAUGHT_AT, "%area")}
  store i64 %site, ptr %caught.at
  %trace = load ptr, ptr %trace.at
  store ptr %trace, ptr %own.trace.at
  store ptr null, ptr %trace.at
  call void @llvm.memcpy.p0.p0.i64(ptr %area, ptr %ctx, i64 40, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %kept.at, ptr %exception.at, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr %exception.at, i8 0, i64 24, i1 false)
  %handled = load ptr, ptr %handled.at
  store ptr %handled, ptr %next.at
  store ptr null, ptr %handled.at
  %again = load i64, ptr %origin.at
  store i64 0, ptr %origin.at
  %last = load i64, ptr %origins.at
  %new = add i64 %last, 1
  store i64 %new, ptr %origins.at
  %is.new = icmp eq i64 %again, 0
  %origin = select i1 %is.new, i64 %new, i64 %again
  store i64 %origin, ptr %own.at
  ret void
}}

define internal void @keep_references(ptr %exception.at) {{
entry:
  %type = load ptr, ptr %exception.at
  %none = icmp eq ptr %type, null
  br i1 %none, label %done, label %keep
keep:
  %value.at = getelementptr i8, ptr %exception.at, i64 8
  %value = load ptr, ptr %value.at
  %traceback.at = getelementptr i8, ptr %exception.at, i64 16
  %traceback = load ptr, ptr %traceback.at
  %gil = call i32 @PyGILState_Ensure()
  call void @Py_IncRef(ptr %type)
  call void @Py_IncRef(ptr %value)
  call void @Py_IncRef(ptr %traceback)
  call void @PyGILState_Release(i32 %gil)
  br label %done
done:
  ret void
}}

define internal void @drop_references(ptr %exception.at) {{
entry:
  %type = load ptr, ptr %exception.at
  %none = icmp eq ptr %type, null
  br i1 %none, label %done, label %drop
drop:
  %value.at = getelementptr i8, ptr %exception.at, i64 8
  %value = load ptr, ptr %value.at
  %traceback.at = getelementptr i8, ptr %exception.at, i64 16
  %traceback = load ptr, ptr %traceback.at
  call void @llvm.memset.p0.i64(ptr %exception.at, i8 0, i64 24, i1 false)
  %gil = call i32 @PyGILState_Ensure()
  call void @pause_holding()
  call void @Py_DecRef(ptr %type)
  call void @Py_DecRef(ptr %value)
  call void @Py_DecRef(ptr %traceback)
  call void @PyGILState_Release(i32 %gil)
  br label %done
done:
  ret void
}}

; A copy of the list of areas that starts at `%first`, as far as there is memory for it.
define internal ptr @copy_areas(ptr %first) noinline {{
entry:
  %head = alloca ptr
  store ptr null, ptr %head
  br label %next
next:
  %area = phi ptr [ %first, %entry ], [ %following, %copy ]
  %to = phi ptr [ %head, %entry ], [ %next.at, %copy ]
  %end = icmp eq ptr %area, null
  br i1 %end, label %done, label %make
make:
  %made = call ptr @PyMem_RawMalloc(i64 {context.AREA_SIZE})
  %none = icmp eq ptr %made, null
  br i1 %none, label %done, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %made, ptr %area, i64 {context.AREA_SIZE}, i1 false)
{context.field_address("kept.at", context.AREA_EXCEPTION, "%made")}
  call void @keep_references(ptr %kept.at)
{context.field_address("trace.at", context.AREA_TRACE, "%made")}
  call void @copy_trace(ptr %trace.at)
{context.field_address("next.at", context.AREA_HANDLED, "%made")}
  %following = load ptr, ptr %next.at
  store ptr null, ptr %next.at
  store ptr %made, ptr %to
  br label %next
done:
  %copied = load ptr, ptr %head
  ret ptr %copied
}}

; Raise again what was taken, which is kept: more may be raised while it is handled.
define void @jc_rethrow(ptr %ctx, ptr %area) cold noinline {{
{context.field_address("exception.at", context.EXCEPTION)}
{context.field_address("handled.at", context.HANDLED)}
{context.field_address("origin.at", context.ORIGIN)}
{context.field_address("kept.at", context.AREA_EXCEPTION, "%area")}
{context.field_address("next.at", context.AREA_HANDLED, "%area")}
{context.field_address("own.at", context.AREA_ORIGIN, "%area")}
{context.field_address("trace.at", context.TRACE)}
{context.field_address("own.trace.at", context.AREA_TRACE, "%area")}
  %trace = load ptr, ptr %own.trace.at
  store ptr %trace, ptr %trace.at
  call void @copy_trace(ptr %trace.at)
  call void @llvm.memcpy.p0.p0.i64(ptr %ctx, ptr %area, i64 40, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %exception.at, ptr %kept.at, i64 24, i1 false)
  call void @keep_references(ptr %exception.at)
  %first = load ptr, ptr %next.at
  %copied = call ptr @copy_areas(ptr %first)
  store ptr %copied, ptr %handled.at
  %origin = load i64, ptr %own.at
  store i64 %origin, ptr %origin.at
  ret void
}}

; What was taken is not needed any more.
define void @jc_forget(ptr %area) cold noinline {{
entry:
{context.field_address("first.kept.at", context.AREA_EXCEPTION, "%area")}
{context.field_address("first.at", context.AREA_HANDLED, "%area")}
  call void @drop_references(ptr %first.kept.at)
{context.field_address("first.trace.at", context.AREA_TRACE, "%area")}
  call void @drop_trace(ptr %first.trace.at)
  %first = load ptr, ptr %first.at
  store ptr null, ptr %first.at
  br label %next
next:
  %old = phi ptr [ %first, %entry ], [ %following, %free ]
  %end = icmp eq ptr %old, null
  br i1 %end, label %done, label %free
free:
{context.field_address("kept.at", context.AREA_EXCEPTION, "%old")}
{context.field_address("next.at", context.AREA_HANDLED, "%old")}
  call void @drop_references(ptr %kept.at)
{context.field_address("trace.at", context.AREA_TRACE, "%old")}
  call void @drop_trace(ptr %trace.at)
  %following = load ptr, ptr %next.at
  call void @PyMem_RawFree(ptr %old)
  br label %next
done:
  ret void
}}

; A handler is left by an exception: what it handled goes to the end of the list of what was being handled, unless it is
; what is raised or in the list.
define void @jc_leave(ptr %ctx, ptr %area) cold noinline {{
entry:
{context.field_address("handled.at", context.HANDLED)}
{context.field_address("origin.at", context.ORIGIN)}
{context.field_address("own.at", context.AREA_ORIGIN, "%area")}
  %own = load i64, ptr %own.at
  %raised = load i64, ptr %origin.at
  %same = icmp eq i64 %own, %raised
  br i1 %same, label %forget, label %look
look:
  %at = phi ptr [ %handled.at, %entry ], [ %next.at, %more ]
  %area.there = load ptr, ptr %at
  %end = icmp eq ptr %area.there, null
  br i1 %end, label %make, label %more
more:
{context.field_address("next.at", context.AREA_HANDLED, "%area.there")}
{context.field_address("there.at", context.AREA_ORIGIN, "%area.there")}
  %there = load i64, ptr %there.at
  %listed = icmp eq i64 %there, %own
  br i1 %listed, label %forget, label %look
make:
  %made = call ptr @PyMem_RawMalloc(i64 {context.AREA_SIZE})
  %none = icmp eq ptr %made, null
  br i1 %none, label %forget, label %move
move:
  call void @llvm.memcpy.p0.p0.i64(ptr %made, ptr %area, i64 {context.AREA_SIZE}, i1 false)
  store ptr %made, ptr %at
  br label %done
forget:
  call void @jc_forget(ptr %area)
  br label %done
done:
  ret void
}}

; Put what was taken aside: the handler has nothing then. Where there is no memory, MemoryError is put aside instead.
define void @jc_park(ptr %ctx, ptr %area) cold noinline {{
entry:
{context.field_address("parked.at", context.PARKED)}
  %made = call ptr @PyMem_RawMalloc(i64 {context.AREA_SIZE})
  %none = icmp eq ptr %made, null
  br i1 %none, label %forget, label %move
move:
  call void @llvm.memcpy.p0.p0.i64(ptr %made, ptr %area, i64 {context.AREA_SIZE}, i1 false)
  call void @llvm.memset.p0.i64(ptr %area, i8 0, i64 {context.AREA_SIZE}, i1 false)
  %last = load ptr, ptr %parked.at
{context.field_address("next.at", context.AREA_NEXT_PARKED, "%made")}
  store ptr %last, ptr %next.at
  store ptr %made, ptr %parked.at
  br label %done
forget:
  call void @jc_forget(ptr %area)
  br label %done
done:
  ret void
}}

; Where the address of what was put aside is kept, the last but `level`: null at the end of the list.
define internal ptr @parked_at(ptr %ctx, i64 %level) {{
entry:
{context.field_address("first.at", context.PARKED)}
  br label %look
look:
  %at = phi ptr [ %first.at, %entry ], [ %next.at, %more ]
  %left = phi i64 [ %level, %entry ], [ %fewer, %more ]
  %area = load ptr, ptr %at
  %end = icmp eq ptr %area, null
  %here = icmp eq i64 %left, 0
  %found = or i1 %end, %here
  br i1 %found, label %done, label %more
more:
{context.field_address("next.at", context.AREA_NEXT_PARKED, "%area")}
  %fewer = sub i64 %left, 1
  br label %look
done:
  ret ptr %at
}}

; Raise again what was put aside, the last but `level`.
define void @jc_unpark(ptr %ctx, i64 %level, i1 %keep) cold noinline {{
entry:
  %at = call ptr @parked_at(ptr %ctx, i64 %level)
  %area = load ptr, ptr %at
  %lost = icmp eq ptr %area, null
  br i1 %lost, label %no.memory, label %take
take:
  call void @jc_rethrow(ptr %ctx, ptr %area)
  br i1 %keep, label %done, label %drop
drop:
  call void @jc_drop_parked(ptr %ctx, i64 %level)
  br label %done
no.memory:
  %ignored = call i32 @jc_fail(ptr %ctx, i64 {context.MEMORY_ERROR}, i64 0, i64 0, i64 0, i64 0)
  br label %done
done:
  ret void
}}

; What was put aside, the last but `level`, is not needed any more.
define void @jc_drop_parked(ptr %ctx, i64 %level) cold noinline {{
entry:
  %at = call ptr @parked_at(ptr %ctx, i64 %level)
  %area = load ptr, ptr %at
  %none = icmp eq ptr %area, null
  br i1 %none, label %done, label %drop
drop:
{context.field_address("next.at", context.AREA_NEXT_PARKED, "%area")}
  %next = load ptr, ptr %next.at
  store ptr %next, ptr %at
  call void @jc_forget(ptr %area)
  call void @PyMem_RawFree(ptr %area)
  br label %done
done:
  ret void
}}

; Call `callable(context, in, out)` in Python, all as ints; or at an odd address, the code that a record has
; (`array_calls`): 0, or 1 if it raised.
define i32 @jc_host(ptr %ctx, ptr %callable, ptr %in, ptr %out) {{
entry:
  %gil = call i32 @PyGILState_Ensure()
  call void @pause_holding()
  %number = ptrtoint ptr %callable to i64
  %odd = and i64 %number, 1
  %is.record = icmp ne i64 %odd, 0
  br i1 %is.record, label %native, label %python
native:
  %record = getelementptr i8, ptr %callable, i64 -1
  %code.at = getelementptr i64, ptr %record, i64 {HOST_FUNCTION}
  %code = load ptr, ptr %code.at
  %status = call i32 %code(ptr %ctx, ptr %record, ptr %in, ptr %out)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %returned, label %failed
python:
  %a = ptrtoint ptr %ctx to i64
  %b = ptrtoint ptr %in to i64
  %c = ptrtoint ptr %out to i64
  %result = call ptr (ptr, ptr, ...) @PyObject_CallFunction(ptr %callable, ptr @jc_three_words, i64 %a, i64 %b, i64 %c)
  %raised = icmp eq ptr %result, null
  br i1 %raised, label %failed, label %drop
drop:
  call void @Py_DecRef(ptr %result)
  br label %returned
{RETURNED}}}

; A function of Python's math module that no C library has. Infinity where it overflows, else NaN where it raises.
@jc_math_functions = global [2 x ptr] zeroinitializer
@jc_one_double = private constant [2 x i8] c"d\\00"
define double @jc_math(i64 %index, double %x) {{
entry:
  %gil = call i32 @PyGILState_Ensure()
  %at = getelementptr ptr, ptr @jc_math_functions, i64 %index
  %callable = load ptr, ptr %at
  %result = call ptr (ptr, ptr, ...) @PyObject_CallFunction(ptr %callable, ptr @jc_one_double, double %x)
  %raised = icmp eq ptr %result, null
  br i1 %raised, label %failed, label %returned
returned:
  %value = call double @PyFloat_AsDouble(ptr %result)
  call void @Py_DecRef(ptr %result)
  br label %done
failed:
  %overflow = load ptr, ptr @PyExc_OverflowError
  %matches = call i32 @PyErr_ExceptionMatches(ptr %overflow)
  %overflowed = icmp ne i32 %matches, 0
  %instead = select i1 %overflowed, double 0x7FF0000000000000, double 0x7FF8000000000000
  call void @PyErr_Clear()
  br label %done
done:
  %y = phi double [ %value, %returned ], [ %instead, %failed ]
  call void @PyGILState_Release(i32 %gil)
  ret double %y
}}

declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)

; The count of polls has run out: read the clock, look for signals if it is time. The next count, or -1 if a signal's
; handler raised. The count is doubled until the clock is read every {CLOCK_PERIOD} ns or so, and cut where the
; program has become slower.
define i64 @jc_poll(ptr %ctx) cold noinline {{
entry:
{context.field_address("interval.at", context.POLL_INTERVAL)}
{context.field_address("clock.at", context.POLL_CLOCK)}
{context.field_address("signals.at", context.POLL_SIGNALS)}
  %now = call i64 @clock()
  %last = load i64, ptr %clock.at
  store i64 %now, ptr %clock.at
  %first = icmp eq i64 %last, 0
  br i1 %first, label %begin, label %adapt
begin:
  store i64 %now, ptr %signals.at
  store i64 16, ptr %interval.at
  ret i64 16
adapt:
  %interval = load i64, ptr %interval.at
  %elapsed.0 = sub i64 %now, %last
  %elapsed = call i64 @llvm.umax.i64(i64 %elapsed.0, i64 1)
  %scaled = mul i64 %interval, {CLOCK_PERIOD}
  %fitting = udiv i64 %scaled, %elapsed
  %double = shl i64 %interval, 1
  %grown = call i64 @llvm.umin.i64(i64 %fitting, i64 %double)
  %capped = call i64 @llvm.umin.i64(i64 %grown, i64 {MAX_POLL_INTERVAL})
  %next = call i64 @llvm.umax.i64(i64 %capped, i64 1)
  store i64 %next, ptr %interval.at
  call void @let_go() ; it has gone on for long enough to have been asked twice
  %since = load i64, ptr %signals.at
  %waited = sub i64 %now, %since
  %due = icmp uge i64 %waited, {POLL_PERIOD}
  br i1 %due, label %whose, label %done
whose:
  store i64 %now, ptr %signals.at
  %is.main = call i1 @is_main() ; handlers are run by no other thread
  br i1 %is.main, label %look, label %other
other:
  %stopped = call i1 @jc_stop() ; of the pool, whose region is over: what called it is not waited for
  br i1 %stopped, label %left.out, label %done
left.out:
  ret i64 -1
look:
  %gil = call i32 @PyGILState_Ensure()
  call void @pause_holding()
  %status = call i32 @look_around()
  %raised = icmp ne i32 %status, 0
  br i1 %raised, label %failed, label %quiet
quiet:
  call void @resume_holding(ptr %ctx)
  call void @PyGILState_Release(i32 %gil)
  br label %done
failed:
  call void @keep_exception(ptr %ctx)
  call void @resume_holding(ptr %ctx)
  call void @PyGILState_Release(i32 %gil)
  ret i64 -1
done:
  ret i64 %next
}}

; Before a program that recurses: note how far down its frames may go.
define void @jc_limit_stack(ptr %ctx) {{
entry:
{context.field_address("limit.at", context.STACK_LIMIT)}
  %lowest = alloca i64
  %size = alloca i64
  %known = call i64 @stack_bounds(ptr %lowest, ptr %size)
  %cached = icmp ne i64 %known, 0
  br i1 %cached, label %done, label %compute
compute:
  %low = load i64, ptr %lowest
  %bytes = load i64, ptr %size
  %quarter = lshr i64 %bytes, 2
  %margin = call i64 @llvm.umin.i64(i64 %quarter, i64 {STACK_MARGIN})
  %computed = add i64 %low, %margin
  call void @remember_limit(i64 %computed)
  br label %done
done:
  %limit = phi i64 [ %known, %entry ], [ %computed, %compute ]
  store i64 %limit, ptr %limit.at
  ret void
}}
"""

_CLOCK_GETTIME: Final = """
declare i32 @clock_gettime(i32, ptr)
define internal i64 @clock() {
  %time = alloca [2 x i64]
  %ignored = call i32 @clock_gettime(i32 CLOCK, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}
"""

_TICK_COUNT: Final = """
declare i64 @GetTickCount64()
define internal i64 @clock() {
  %ticks = call i64 @GetTickCount64()
  %now = mul i64 %ticks, 1000000
  ret i64 %now
}
"""

_CLOCKS: Final = {"linux": 1, "darwin": 6}
"""CLOCK_MONOTONIC; elsewhere CLOCK_REALTIME, 0."""

EXPORTS: Final = (
    "jc_call_of_numbers",
    "jc_catch",
    "jc_drop_parked",
    "jc_fail",
    "jc_forget",
    "jc_host",
    "jc_leave",
    "jc_math",
    "jc_math_functions",
    "jc_park",
    "jc_poll",
    "jc_limit_stack",
    "jc_prepare",
    "jc_rethrow",
    "jc_trace",
    "jc_unpark",
)

MATH_FUNCTIONS: Final = ("gamma", "lgamma")
"""The functions of `math` that CPython computes itself: `jc_math`'s indices."""


def support_text(platform: str = sys.platform) -> str:
    """The LLVM text of all this, for the system that `sys.platform` names."""
    clock = _TICK_COUNT if platform == "win32" else _CLOCK_GETTIME.replace("CLOCK,", f"{_CLOCKS.get(platform, 0)},")
    return _PYTHON + CALL_OF_NUMBERS + TRACES + stack_limits.bounds_text(platform) + clock
