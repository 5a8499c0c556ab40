"""Runtime support, in LLVM: long work lets other threads of Python run, and ends where a signal's handler raises.

**The GIL.** A call comes with the GIL, and most are over before letting it go would pay. `jc_begin` notes that the
thread holds it; the first work that is worth the thread pool, and loops that have gone on for a while, let it go
(`let_go`), and `jc_end` takes it back. While Python code runs, called from the program, the note is withdrawn
(`pause_holding`): other threads may get the GIL then.

**Signals.** Python runs handlers in the main thread only. Between the tasks of a region and the blocks of a
contraction, the main thread asks `jc_stop`, which looks for signals about every 10 ms; if a handler raises, its
exception is kept, the rest of the kernel is left out, by the workers too, and the program ends behind the launch
(`jc_take_interrupt`). Where it looks for signals it also sees whether first editions have done enough (`editions`).
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.host import context
from jitcore.backends.native.link import editions

POLL_PERIOD: Final = 10_000_000
"""Nanoseconds between two looks for signals."""
EXPORTS: Final = (
    "jc_begin",
    "jc_end",
    "jc_interrupted",
    "jc_main_thread",
    "jc_stop",
    "jc_stop_region",
    "jc_take_interrupt",
    "jc_work",
)
SYMBOLS: Final = ("PyEval_SaveThread", "PyEval_RestoreThread", "PyExc_RuntimeError")
"""What it takes of Python's C API beyond the other support."""
LONG_WORK: Final = 32768
"""Additions that take long enough for letting the GIL go to pay: some ten microseconds."""

_LOST: Final = (
    "a signal's handler forked this process while compiled code ran on several threads, which only the parent has: "
    "the child cannot go on with that call. Have it leave the handler by os._exit or an exception, or fork elsewhere"
)

TEXT: Final = f"""
@workers_are_lost = private constant [{len(_LOST) + 1} x i8] c"{_LOST}\\00"
@PyExc_RuntimeError = external global ptr
@jc_enough = external global i8
@jc_first_left = external global i64
@holder = internal global i64 0          ; the thread that runs a program with the GIL; 0: none does
@held_context = internal global ptr null ; the program's context
@jc_main_thread = global i64 0           ; the one that signals' handlers run in
@jc_interrupted = global i32 0           ; a handler has raised in a kernel of the main thread
@interrupt = internal global [3 x ptr] zeroinitializer ; what it raised
@polling = internal global i32 0         ; a handler runs in a kernel of the main thread
@last_poll = internal global i64 0       ; when the main thread last looked for signals in a kernel
@main_region = internal global i32 0     ; the region of the pool is the main thread's
@region_stop = internal global i32 0     ; its tasks are not to be run any more
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define internal i1 @is_main() {{
  %self = call i64 @this_thread()
  %main = load i64, ptr @jc_main_thread
  %is = icmp eq i64 %self, %main
  ret i1 %is
}}

; A program begins, with the GIL.
define void @jc_begin(ptr %ctx) {{
{context.field_address("held.at", context.HELD)}
  store i64 1, ptr %held.at
  %self = call i64 @this_thread()
  store i64 %self, ptr @holder
  store ptr %ctx, ptr @held_context
  ret void
}}

; It has ended: the GIL is held again.
define void @jc_end(ptr %ctx) {{
entry:
{context.field_address("thread.at", context.THREAD)}
  %thread = load ptr, ptr %thread.at
  %kept = icmp eq ptr %thread, null
  br i1 %kept, label %done, label %take
take:
  call void @PyEval_RestoreThread(ptr %thread)
  br label %done
done:
  store i64 0, ptr @holder
  ret void
}}

; What is done from here on takes long.
define internal void @let_go() {{
entry:
  %self = call i64 @this_thread()
  %holder = load i64, ptr @holder
  %mine = icmp eq i64 %self, %holder
  br i1 %mine, label %go, label %done
go:
  %ctx = load ptr, ptr @held_context
  store i64 0, ptr @holder
  %main = load i64, ptr @jc_main_thread
  %is.main = icmp eq i64 %self, %main
  br i1 %is.main, label %note, label %save
note:
  %now = call i64 @clock()
  store i64 %now, ptr @last_poll
  br label %save
save:
{context.field_address("thread.at", context.THREAD)}
  %thread = call ptr @PyEval_SaveThread()
  store ptr %thread, ptr %thread.at
  br label %done
done:
  ret void
}}

; So many additions are to be done by this thread alone.
define void @jc_work(i64 %additions) {{
entry:
  %long = icmp sge i64 %additions, {LONG_WORK}
  br i1 %long, label %go, label %done
go:
  call void @let_go()
  br label %done
done:
  ret void
}}

; Python code is called, with the GIL: it may let it go.
define internal void @pause_holding() {{
  store i64 0, ptr @holder
  ret void
}}

; It has returned.
define internal void @resume_holding(ptr %ctx) {{
entry:
{context.field_address("held.at", context.HELD)}
{context.field_address("thread.at", context.THREAD)}
  %held = load i64, ptr %held.at
  %came.with = icmp ne i64 %held, 0
  %thread = load ptr, ptr %thread.at
  %kept = icmp eq ptr %thread, null
  %holds = and i1 %came.with, %kept
  br i1 %holds, label %note, label %done
note:
  %self = call i64 @this_thread()
  store i64 %self, ptr @holder
  store ptr %ctx, ptr @held_context
  br label %done
done:
  ret void
}}

; Run the handlers of signals, and have better editions made if it is time: not 0 where that raises.
define internal i32 @look_around() {{
entry:
  %status = call i32 @PyErr_CheckSignals()
  %raised = icmp ne i32 %status, 0
  br i1 %raised, label %done, label %look
look:
  %left = load i64, ptr @jc_first_left
  %used.up = icmp sle i64 %left, 0
  %untold = icmp sgt i64 %left, {editions.TOLD // 2}
  %due = and i1 %used.up, %untold
  br i1 %due, label %tell, label %done
tell:
  store i64 {editions.TOLD}, ptr @jc_first_left
  %told = call ptr (ptr, ptr, ...) @PyObject_CallFunction(ptr @jc_enough, ptr null)
  %failed = icmp eq ptr %told, null
  br i1 %failed, label %fail, label %drop
fail:
  ret i32 1
drop:
  call void @Py_DecRef(ptr %told)
  br label %done
done:
  ret i32 %status
}}

; Whether the rest of a kernel is to be left out.
define i1 @jc_stop() {{
entry:
  %is.main = call i1 @is_main()
  br i1 %is.main, label %main, label %other
other:
  %stopped = load atomic i32, ptr @region_stop monotonic, align 4
  %asked = icmp ne i32 %stopped, 0
  br i1 %asked, label %who, label %no
who:
  %worker = call i1 @is_worker()
  ret i1 %worker
main:
  %known = load i32, ptr @jc_interrupted
  %raised.before = icmp ne i32 %known, 0
  br i1 %raised.before, label %yes, label %look
look:
  %busy = load i32, ptr @polling
  %nested = icmp ne i32 %busy, 0
  br i1 %nested, label %no, label %read
read:
  %now = call i64 @clock()
  %last = load i64, ptr @last_poll
  %waited = sub i64 %now, %last
  %due = icmp uge i64 %waited, {POLL_PERIOD}
  br i1 %due, label %poll, label %no
poll:
  store i64 %now, ptr @last_poll
  store i32 1, ptr @polling
  %gil = call i32 @PyGILState_Ensure()
  %holder = load i64, ptr @holder
  %ctx = load ptr, ptr @held_context
  call void @pause_holding()
  %status = call i32 @look_around()
  %handler.raised = icmp ne i32 %status, 0
  %lost = call i1 @are_workers_lost()
  %raised = or i1 %handler.raised, %lost
  %only.lost = icmp ugt i1 %raised, %handler.raised
  br i1 %only.lost, label %complain, label %judge
complain:
  %error = load ptr, ptr @PyExc_RuntimeError
  call void @PyErr_SetString(ptr %error, ptr @workers_are_lost)
  br label %judge
judge:
  br i1 %raised, label %keep, label %quiet
keep:
  %value.at = getelementptr i8, ptr @interrupt, i64 8
  %traceback.at = getelementptr i8, ptr @interrupt, i64 16
  call void @PyErr_Fetch(ptr @interrupt, ptr %value.at, ptr %traceback.at)
  store i32 1, ptr @jc_interrupted
  %region = load i32, ptr @main_region
  store atomic i32 %region, ptr @region_stop monotonic, align 4
  br label %quiet
quiet:
  %held = icmp ne i64 %holder, 0
  br i1 %held, label %resume, label %over
resume:
  store i64 %holder, ptr @holder
  store ptr %ctx, ptr @held_context
  br label %over
over:
  call void @PyGILState_Release(i32 %gil)
  store i32 0, ptr @polling
  ret i1 %raised
yes:
  ret i1 true
no:
  ret i1 false
}}

; What the main thread does in its region has been interrupted: the others are to end, too.
define void @jc_stop_region() cold noinline {{
entry:
  %is.main = call i1 @is_main()
  br i1 %is.main, label %main, label %done
main:
  %region = load i32, ptr @main_region
  store atomic i32 %region, ptr @region_stop monotonic, align 4
  br label %done
done:
  ret void
}}

; A kernel has ended, and one of the main thread was interrupted: whether it was this one. The call ends at a site then.
define i1 @jc_take_interrupt(ptr %ctx, i64 %site) cold noinline {{
entry:
  %is.main = call i1 @is_main()
  br i1 %is.main, label %main, label %no
main:
  %known = load i32, ptr @jc_interrupted
  %raised = icmp ne i32 %known, 0
  br i1 %raised, label %take, label %no
take:
  store i32 0, ptr @jc_interrupted
{context.field_address("exception.at", context.EXCEPTION)}
  call void @drop_references(ptr %exception.at)
  call void @llvm.memcpy.p0.p0.i64(ptr %exception.at, ptr @interrupt, i64 24, i1 false)
  %ignored = call i32 @jc_fail(ptr %ctx, i64 %site, i64 0, i64 0, i64 0, i64 0)
  ret i1 true
no:
  ret i1 false
}}
"""
