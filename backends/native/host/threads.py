"""The thread pool, in LLVM: `jc_parallel(task, data, n)` runs `task(data, i)` for every i < n, on several threads.

Work is taken by tickets: one atomic word holds how many tasks a region has and which is next, so a region costs two
atomic operations a task and no lock. Workers look for the next region for a while, then sleep on a futex. They are
threads of the C library that never touch Python, so they need no GIL and do not delay the interpreter's end; signals
are left to Python's threads.

The pool starts with the first region that is worth it. A region runs on the caller alone, in order, where the pool is
busy (nested regions, other threads), where it has one thread, and on systems other than Linux. After a fork the child
finds the pool to be another process's and starts its own. In the child that a signal's handler forked in the middle of
a region, the tasks that workers had are never finished: the call raises there.
"""

from __future__ import annotations

import platform
import sys
from typing import Final

from jitcore.backends.native.host import context

EXPORTS: Final = (
    "jc_parallel",
    "jc_round_failed",
    "jc_fail_by_round",
    "jc_thread_count",
    "jc_set_thread_count",
    "jc_pool_workers",
)
MAX_THREADS: Final = 256
RECORD_WORDS: Final = 10
"""Of the record of rounds that may fail (`jc_round_failed`): the lowest that has, a lock, what it failed by: the first
fields of its context, and what Python raised."""
MAX_TASKS: Final = (1 << 20) - 2 * MAX_THREADS
"""Tickets past the last task are drawn too, at most one by each thread."""

_KEPT_BYTES: Final = 40
"""Of a context: the site, and the values of its message."""

_SPINS: Final = 4000
"""Looks at the generation before a worker sleeps: some 50 to 100 microseconds."""
_YIELD_SPINS: Final = 4000
"""Looks before the caller offers its core to a worker that was put off its own."""

# (number of the futex system call, the instruction that says "I am spinning"), by machine
_MACHINES: Final = {
    "x86_64": (202, "call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": (98, "call void @llvm.aarch64.hint(i32 1)", "declare void @llvm.aarch64.hint(i32)"),
}


def has_pool(system: str = sys.platform, machine: str | None = None) -> bool:
    """Whether a system has what the pool is made of, on a machine (this one)."""
    return system.startswith("linux") and (machine or platform.machine()) in _MACHINES


def support_text(system: str = sys.platform, machine: str | None = None) -> str:
    """The pool's LLVM text, for a system and a machine (this one)."""
    if not has_pool(system, machine):
        return _SERIAL
    futex, pause, declare_pause = _MACHINES[machine or platform.machine()]
    text = _POOL + _STARTING
    for name, value in {
        "FUTEX": str(futex),
        "PAUSE": pause,
        "SPINS": str(_SPINS),
        "YIELDS": str(_YIELD_SPINS),
        "MAX_TASKS": str(MAX_TASKS),
        "MAX_THREADS": str(MAX_THREADS),
        "HANDLES": str(MAX_THREADS * 8),
    }.items():
        text = text.replace(f"${name}$", value)
    return declare_pause + text


_RUN_IN_ORDER: Final = """
define internal void @in_order(ptr %task, ptr %data, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %ask, label %done
ask:
  %stop = call i1 @jc_stop()
  br i1 %stop, label %done, label %body
body:
  call void %task(ptr %data, i64 %i)
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""

_FAILED: Final = f"""
; A round, which has this context, has failed: the lowest one is kept.
define void @jc_round_failed(ptr %record, i64 %index, ptr %ctx) cold noinline {{
entry:
  %dropped = alloca [3 x ptr]
{context.field_address("raised", context.EXCEPTION)}
  call void @jc_unwind(ptr %ctx)
  call void @llvm.memcpy.p0.p0.i64(ptr %dropped, ptr %raised, i64 24, i1 false)
  %kept = getelementptr i8, ptr %record, i64 16
  %kept.raised = getelementptr i8, ptr %kept, i64 {_KEPT_BYTES}
  %lock = getelementptr i8, ptr %record, i64 8
  call void @lock(ptr %lock)
  %lowest = load atomic i64, ptr %record monotonic, align 8
  %lower = icmp slt i64 %index, %lowest
  br i1 %lower, label %keep, label %done
keep:
  store atomic i64 %index, ptr %record monotonic, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %dropped, ptr %kept.raised, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %kept, ptr %ctx, i64 {_KEPT_BYTES}, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %kept.raised, ptr %raised, i64 24, i1 false)
  br label %done
done:
  call void @unlock(ptr %lock)
  call void @drop_references(ptr %dropped)
  ret void
}}

; Rounds have ended, and one of them has failed: so does the call.
define void @jc_fail_by_round(ptr %ctx, ptr %record) cold noinline {{
{context.field_address("raised", context.EXCEPTION)}
  %kept = getelementptr i8, ptr %record, i64 16
  %kept.raised = getelementptr i8, ptr %kept, i64 {_KEPT_BYTES}
  call void @llvm.memcpy.p0.p0.i64(ptr %ctx, ptr %kept, i64 {_KEPT_BYTES}, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %raised, ptr %kept.raised, i64 24, i1 false)
  ret void
}}
"""

_SERIAL: Final = f"""
{_FAILED}
{_RUN_IN_ORDER}
define internal i1 @are_workers_lost() {{
  ret i1 false
}}
define internal i1 @is_worker() {{
  ret i1 false
}}
define void @jc_parallel(ptr %task, ptr %data, i64 %n) {{
  call void @let_go()
  call void @in_order(ptr %task, ptr %data, i64 %n)
  ret void
}}
define i64 @jc_thread_count() {{
  ret i64 1
}}
define void @jc_set_thread_count(i64 %n) {{
  ret void
}}
define i64 @jc_pool_workers() {{
  ret i64 0
}}
"""

_POOL: Final = f"""
@tickets = internal global i64 0, align 64      ; tasks << 20 | the next one
@generation = internal global i32 0, align 64   ; counts regions; what workers sleep on
@sleepers = internal global i32 0, align 64
@finished = internal global i64 0, align 64     ; tasks done in this region
@region_task = internal global ptr null, align 64
@region_data = internal global ptr null
@busy = internal global i32 0, align 64         ; a region runs, or the pool changes
@stopping = internal global i32 0
@workers_lost = internal global i32 0           ; those that had tasks of this region are in the parent of this process
@threads = internal global i64 1                ; how many there are to be, the caller included
@workers = internal global i64 0                ; how many were started
@owner = internal global i32 0                  ; the process the workers belong to; 0: there are none
declare i64 @syscall(i64, ...)
declare i32 @getpid()
declare i32 @sched_yield()
{_FAILED}
{_RUN_IN_ORDER}
; draw tickets and run their tasks until there are none
define internal void @run_tasks() {{
entry:
  br label %draw
draw:
  %old = atomicrmw add ptr @tickets, i64 1 acq_rel
  %index = and i64 %old, 1048575
  %count = lshr i64 %old, 20
  %some = icmp ult i64 %index, %count
  br i1 %some, label %ask, label %done
ask:
  %stop = call i1 @jc_stop()
  br i1 %stop, label %count.it, label %run
run:
  %task = load ptr, ptr @region_task
  %data = load ptr, ptr @region_data
  call void %task(ptr %data, i64 %index)
  br label %count.it
count.it:
  %f = atomicrmw add ptr @finished, i64 1 acq_rel
  br label %draw
done:
  ret void
}}

; a thread of the pool; its argument is the generation in which it was made
define internal ptr @work(ptr %made) {{
entry:
  %made.64 = ptrtoint ptr %made to i64
  %first = trunc i64 %made.64 to i32
  br label %wait
wait:
  %seen = phi i32 [ %first, %entry ], [ %now, %region ]
  br label %look
look:
  %spun = phi i32 [ 0, %wait ], [ %spun.next, %again ], [ 0, %sleep ]
  %now = load atomic i32, ptr @generation acquire, align 4
  %new = icmp ne i32 %now, %seen
  br i1 %new, label %woken, label %again
again:
  $PAUSE$
  %spun.next = add i32 %spun, 1
  %enough = icmp ugt i32 %spun.next, $SPINS$
  br i1 %enough, label %sleep, label %look
sleep:
  %s = atomicrmw add ptr @sleepers, i32 1 seq_cst
  %w = call i64 (i64, ...) @syscall(i64 $FUTEX$, ptr @generation, i64 128, i32 %seen, ptr null)
  %s.back = atomicrmw sub ptr @sleepers, i32 1 seq_cst
  br label %look
woken:
  %stop = load atomic i32, ptr @stopping acquire, align 4
  %ends = icmp ne i32 %stop, 0
  br i1 %ends, label %end, label %region
region:
  call void @run_tasks()
  br label %wait
end:
  ret ptr null
}}

; begin a new generation and wake who sleeps
define internal void @announce() {{
  %g = atomicrmw add ptr @generation, i32 1 seq_cst
  %asleep = load atomic i32, ptr @sleepers seq_cst, align 4
  %some = icmp ne i32 %asleep, 0
  br i1 %some, label %wake, label %done
wake:
  %w = call i64 (i64, ...) @syscall(i64 $FUTEX$, ptr @generation, i64 129, i64 2147483647)
  br label %done
done:
  ret void
}}

; Whether the main thread's region has workers in another process: a signal's handler has forked.
define internal i1 @are_workers_lost() {{
entry:
  %region = load i32, ptr @main_region
  %some = icmp ne i32 %region, 0
  br i1 %some, label %look, label %no
look:
  %pid = call i32 @getpid()
  %owner = load atomic i32, ptr @owner acquire, align 4
  %lost = icmp ne i32 %owner, %pid
  br i1 %lost, label %note, label %no
note:
  store atomic i32 1, ptr @workers_lost monotonic, align 4
  ret i1 true
no:
  ret i1 false
}}

define internal void @in_region(ptr %task, ptr %data, i64 %n) {{
entry:
  store ptr %task, ptr @region_task
  store ptr %data, ptr @region_data
  %is.main = call i1 @is_main()
  %main = zext i1 %is.main to i32
  store i32 %main, ptr @main_region
  store atomic i32 0, ptr @region_stop monotonic, align 4
  store atomic i32 0, ptr @workers_lost monotonic, align 4
  store atomic i64 0, ptr @finished release, align 8
  %count = shl i64 %n, 20
  store atomic i64 %count, ptr @tickets release, align 8
  call void @announce()
  call void @run_tasks()
  br label %look
look:
  %spun = phi i64 [ 0, %entry ], [ %spun.next, %again ], [ 0, %yield ]
  %done = load atomic i64, ptr @finished acquire, align 8
  %all = icmp eq i64 %done, %n
  %lost = load atomic i32, ptr @workers_lost monotonic, align 4
  %in.vain = icmp ne i32 %lost, 0
  %over = or i1 %all, %in.vain
  br i1 %over, label %end, label %again
again:
  $PAUSE$
  %spun.next = add i64 %spun, 1
  %enough = icmp ugt i64 %spun.next, $YIELDS$
  br i1 %enough, label %yield, label %look
yield:
  %y = call i32 @sched_yield()
  br label %look
end:
  store i32 0, ptr @main_region
  store atomic i32 0, ptr @region_stop monotonic, align 4
  ret void
}}

define void @jc_parallel(ptr %task, ptr %data, i64 %n) {{
entry:
  call void @let_go()
  %threads = load atomic i64, ptr @threads monotonic, align 8
  %one.thread = icmp slt i64 %threads, 2
  %one.task = icmp slt i64 %n, 2
  %too.many = icmp sgt i64 %n, $MAX_TASKS$
  %a = or i1 %one.thread, %one.task
  %b = or i1 %a, %too.many
  br i1 %b, label %alone, label %ask
ask:
  %pid = call i32 @getpid()
  %owner = load atomic i32, ptr @owner acquire, align 4
  %ours = icmp eq i32 %owner, %pid
  br i1 %ours, label %take, label %start
start:
  %started = call i1 @start(i32 %pid)
  br i1 %started, label %take, label %alone
take:
  %was = atomicrmw xchg ptr @busy, i32 1 acquire
  %free = icmp eq i32 %was, 0
  br i1 %free, label %region, label %alone
region:
  call void @in_region(ptr %task, ptr %data, i64 %n)
  store atomic i32 0, ptr @busy release, align 4
  ret void
alone:
  call void @in_order(ptr %task, ptr %data, i64 %n)
  ret void
}}

define i64 @jc_thread_count() {{
  %n = load atomic i64, ptr @threads monotonic, align 8
  ret i64 %n
}}
define i64 @jc_pool_workers() {{
  %n = load atomic i64, ptr @workers monotonic, align 8
  ret i64 %n
}}
"""

_STARTING: Final = """
@handles = internal global [$MAX_THREADS$ x i64] zeroinitializer

; Whether this thread is of the pool.
define internal i1 @is_worker() noinline {
entry:
  %self = call i64 @this_thread()
  %workers = load atomic i64, ptr @workers monotonic, align 8
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %look ]
  %more = icmp slt i64 %k, %workers
  br i1 %more, label %look, label %no
look:
  %at = getelementptr i64, ptr @handles, i64 %k
  %handle = load i64, ptr %at
  %is = icmp eq i64 %handle, %self
  %next = add i64 %k, 1
  br i1 %is, label %yes, label %head
yes:
  ret i1 true
no:
  ret i1 false
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigfillset(ptr)
declare i32 @sigdelset(ptr, i32)

; Make the workers of this process, once: whoever sets `owner` to -pid does. False while another thread is at it.
define internal i1 @start(i32 %pid) noinline {
entry:
  %minus = sub i32 0, %pid
  %old = load atomic i32, ptr @owner acquire, align 4
  %ready = icmp eq i32 %old, %pid
  br i1 %ready, label %yes, label %first
first:
  %at.it = icmp eq i32 %old, %minus
  br i1 %at.it, label %no, label %claim
claim:
  %swap = cmpxchg ptr @owner, i32 %old, i32 %minus acq_rel acquire
  %won = extractvalue { i32, i1 } %swap, 1
  br i1 %won, label %reset, label %no
reset:
  ; what another process's regions left in the words, if this one was forked from it
  store atomic i64 0, ptr @tickets release, align 8
  store atomic i32 0, ptr @sleepers release, align 4
  store atomic i32 0, ptr @stopping release, align 4
  store atomic i32 0, ptr @busy release, align 4
  call void @make_workers()
  store atomic i32 %pid, ptr @owner release, align 4
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}

define internal void @make_workers() {
entry:
  %set = alloca [128 x i8], align 16
  %kept = alloca [128 x i8], align 16
  %f = call i32 @sigfillset(ptr %set)
  ; faults are the thread's own: SIGILL, SIGBUS, SIGFPE, SIGSEGV
  %d4 = call i32 @sigdelset(ptr %set, i32 4)
  %d7 = call i32 @sigdelset(ptr %set, i32 7)
  %d8 = call i32 @sigdelset(ptr %set, i32 8)
  %d11 = call i32 @sigdelset(ptr %set, i32 11)
  %m = call i32 @pthread_sigmask(i32 2, ptr %set, ptr %kept)
  %threads = load atomic i64, ptr @threads monotonic, align 8
  %want = sub i64 %threads, 1
  %now = load atomic i32, ptr @generation acquire, align 4
  %now.64 = zext i32 %now to i64
  %argument = inttoptr i64 %now.64 to ptr
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %made ]
  %more = icmp slt i64 %k, %want
  br i1 %more, label %body, label %done
body:
  %handle = getelementptr i64, ptr @handles, i64 %k
  %failed = call i32 @pthread_create(ptr %handle, ptr null, ptr @work, ptr %argument)
  %ok = icmp eq i32 %failed, 0
  br i1 %ok, label %made, label %done
made:
  %k.next = add i64 %k, 1
  br label %head
done:
  %count = phi i64 [ %k, %head ], [ %k, %body ]
  store atomic i64 %count, ptr @workers monotonic, align 8
  %u = call i32 @pthread_sigmask(i32 2, ptr %kept, ptr null)
  ret void
}

; How many threads there are to be. Waits for the region that runs, ends the workers; the next region starts others.
define void @jc_set_thread_count(i64 %n) {
entry:
  %low = icmp slt i64 %n, 1
  %high = icmp sgt i64 %n, $MAX_THREADS$
  %n.low = select i1 %low, i64 1, i64 %n
  %count = select i1 %high, i64 $MAX_THREADS$, i64 %n.low
  %pid = call i32 @getpid()
  br label %look
look:
  %owner = load atomic i32, ptr @owner acquire, align 4
  %minus = sub i32 0, %pid
  %starting = icmp eq i32 %owner, %minus
  br i1 %starting, label %pause, label %ask
pause:
  %y = call i32 @sched_yield()
  br label %look
ask:
  %ours = icmp eq i32 %owner, %pid
  br i1 %ours, label %take, label %set
take:
  %was = atomicrmw xchg ptr @busy, i32 1 acquire
  %free = icmp eq i32 %was, 0
  br i1 %free, label %stop, label %pause
stop:
  store atomic i32 1, ptr @stopping release, align 4
  call void @announce()
  %workers = load atomic i64, ptr @workers monotonic, align 8
  br label %head
head:
  %k = phi i64 [ 0, %stop ], [ %k.next, %body ]
  %more = icmp slt i64 %k, %workers
  br i1 %more, label %body, label %stopped
body:
  %handle = getelementptr i64, ptr @handles, i64 %k
  %thread = load i64, ptr %handle
  %j = call i32 @pthread_join(i64 %thread, ptr null)
  %k.next = add i64 %k, 1
  br label %head
stopped:
  store atomic i64 0, ptr @workers monotonic, align 8
  store atomic i64 %count, ptr @threads monotonic, align 8
  ; `busy` is opened by whoever starts the next workers
  store atomic i32 0, ptr @owner release, align 4
  ret void
set:
  store atomic i64 %count, ptr @threads monotonic, align 8
  ret void
}
"""
