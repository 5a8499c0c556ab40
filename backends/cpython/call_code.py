"""Native calls, in LLVM: what a call of a compiled function runs, from its arguments to its result.

`jc_vectorcall` is the `vectorcall` of the type (`call_type`). It tries the entries of the callable's table; the first
whose steps hold runs its program, and changes places with the first of all. Arguments given by name come last; an entry
is for names in one order. Without a table, while the switches are set otherwise (a gradient is being recorded,
compiling is off), and where no entry fits, the call is the slow path's: a method of the callable, in Python.

    object: 16 vectorcall, 24 table (records, see `signature.records`; 0: none), 32 __dict__, 40 weak references,
            48 the Python object that keeps the table alive

All of this is compiled twice (`call_editions`): in a moment for the first calls, which `jc_first_calls` counts, and
with care where there is more to do.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.host import context
from jitcore.backends.native.link import editions
from jitcore.signature import records as r
from jitcore.signature import struct_layout as at

OBJECT_VECTORCALL: Final = 16
OBJECT_TABLE: Final = 24
OBJECT_DICT: Final = 32
OBJECT_WEAK_REFERENCES: Final = 40
OBJECT_HOLDER: Final = 48
OBJECT_SIZE: Final = 56

SWITCHES: Final = 2
"""`jc_switch_0` … are where object references are kept; native calls are made while each is True."""

_VERSIONS: Final = f"""
; The versions of the Tensors written to go up; one whose storage nobody has asked for needs none.
define internal i1 @count_writes(ptr %entry.record, ptr %registers) noinline {{
entry:
  %overflow = alloca i32
  %written = call ptr @pointer(ptr %entry.record, i64 {r.WRITTEN})
  %count = call i64 @word(ptr %entry.record, i64 {r.WRITTEN_COUNT})
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %look, label %done
look:
  %register = call i64 @word(ptr %written, i64 %k)
  %tensor = call ptr @pointer(ptr %registers, i64 %register)
  %storage = call ptr @field(ptr %tensor, i64 $TENSOR_STORAGE$)
  %unasked = icmp eq ptr %storage, @_Py_NoneStruct
  br i1 %unasked, label %next, label %count.it
count.it:
  %version.at = getelementptr i8, ptr %storage, i64 $STORAGE_VERSION$
  %version = load ptr, ptr %version.at
  %number = call i64 @PyLong_AsLongLongAndOverflow(ptr %version, ptr %overflow)
  %number.1 = add i64 %number, 1
  %new = call ptr @PyLong_FromLongLong(i64 %number.1)
  %none = icmp eq ptr %new, null
  br i1 %none, label %failed, label %store
store:
  store ptr %new, ptr %version.at
  call void @decref(ptr %version)
  br label %next
next:
  %k.next = add i64 %k, 1
  br label %each
done:
  ret i1 true
failed:
  ret i1 false
}}
"""

_ATTEMPT: Final = f"""
; How many names a tuple of names has; null is none.
define internal i64 @count_names(ptr %names) noinline optnone {{
entry:
  %none = icmp eq ptr %names, null
  br i1 %none, label %no, label %some
no:
  ret i64 0
some:
  %count = call i64 @PyTuple_Size(ptr %names)
  ret i64 %count
}}

; `callable(first, *args)`, where the last of the `count` arguments have these names; null: there are none.
define internal ptr @call_before(ptr %callable, ptr %first, ptr %args, i64 %count, ptr %names) noinline {{
  %room = add i64 %count, 1
  %given = alloca ptr, i64 %room
  store ptr %first, ptr %given
  %rest = getelementptr ptr, ptr %given, i64 1
  %bytes = mul i64 %count, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %args, i64 %bytes, i1 false)
  %by.name = call i64 @count_names(ptr %names)
  %positional = sub i64 %room, %by.name
  %result = call ptr @PyObject_Vectorcall(ptr %callable, ptr %given, i64 %positional, ptr %names)
  ret ptr %result
}}

; The program has failed: set the exception that its context stands for, in a call with these arguments. False: the call
; is not to be served after all.
define internal i1 @raise_failure(ptr %entry.record, ptr %ctx, ptr %args) noinline optnone {{
entry:
  %count = call i64 @word(ptr %entry.record, i64 {r.ARGUMENTS})
  %names = call ptr @pointer(ptr %entry.record, i64 {r.KEYWORDS})
  %fail = call ptr @pointer(ptr %entry.record, i64 {r.FAIL})
  %address = call ptr @PyLong_FromVoidPtr(ptr %ctx)
  %no.address = icmp eq ptr %address, null
  br i1 %no.address, label %done, label %make
make:
  %exception = call ptr @call_before(ptr %fail, ptr %address, ptr %args, i64 %count, ptr %names)
  call void @Py_DecRef(ptr %address)
  %none = icmp eq ptr %exception, null
  br i1 %none, label %done, label %look
look:
  %refused = icmp eq ptr %exception, @_Py_NoneStruct
  br i1 %refused, label %refuse, label %set
refuse:
  call void @decref(ptr %exception)
  ret i1 false
set:
  %class = call ptr @field(ptr %exception, i64 {at.OB_TYPE})
  call void @Py_IncRef(ptr %class)
  %traceback = call ptr @PyException_GetTraceback(ptr %exception)
  ; not PyErr_SetObject, which would set its __context__
  call void @PyErr_Restore(ptr %class, ptr %exception, ptr %traceback)
  br label %done
done:
  ret i1 true
}}

; What a call gives that gradients go back through, given its result, which is dropped: what RECORD makes of it.
define internal ptr @record(ptr %entry.record, ptr %value, ptr %args) noinline {{
entry:
  %count = call i64 @word(ptr %entry.record, i64 {r.ARGUMENTS})
  %names = call ptr @pointer(ptr %entry.record, i64 {r.KEYWORDS})
  %recorder = call ptr @pointer(ptr %entry.record, i64 {r.RECORD})
  %none = icmp eq ptr %recorder, null
  %failed = icmp eq ptr %value, null
  %as.it.is = or i1 %none, %failed
  br i1 %as.it.is, label %keep, label %give
keep:
  ret ptr %value
give:
  %made = call ptr @call_before(ptr %recorder, ptr %value, ptr %args, i64 %count, ptr %names)
  call void @decref(ptr %value)
  ret ptr %made
}}

; Run the program, which lets the GIL go if it takes long: 0, or 1.
define internal i32 @run_program(ptr %entry.record, ptr %ctx, ptr %in, ptr %out) alwaysinline {{
entry:
  %run = call ptr @pointer(ptr %entry.record, i64 {r.RUN})
  call void @jc_begin(ptr %ctx)
  %status = call i32 %run(ptr %ctx, ptr %in, ptr %out)
  call void @jc_end(ptr %ctx)
  ret i32 %status
}}

; Serve a call by an entry: whether it does; if so, the result (null with the exception set) is in `%result`.
; Its loops are over a few words: they are not to become calls of memcpy and memset ("no-builtins").
define internal i1 @attempt(ptr %entry.record, ptr %args, ptr %result) noinline "no-builtins" {{
entry:
  %ctx = alloca [{context.SIZE} x i8], align 16
  %progress = alloca %progress
  %size = call i64 @word(ptr %entry.record, i64 {r.FRAME_WORDS})
  %frame = alloca i64, i64 %size, align 16
  %given = call i64 @word(ptr %entry.record, i64 {r.ARGUMENTS})
  %register.count = call i64 @word(ptr %entry.record, i64 {r.REGISTERS})
  %array.count = call i64 @word(ptr %entry.record, i64 {r.ARRAYS})
  %in.count = call i64 @word(ptr %entry.record, i64 {r.IN_WORDS})
  %out.count = call i64 @word(ptr %entry.record, i64 {r.OUT_WORDS})
  %result.count = call i64 @word(ptr %entry.record, i64 {r.RESULT_COUNT})
  %steps = call ptr @pointer(ptr %entry.record, i64 {r.STEPS})
  %step.count = call i64 @word(ptr %entry.record, i64 {r.STEP_COUNT})
  %arrays = getelementptr i64, ptr %frame, i64 %register.count
  %in = getelementptr i64, ptr %arrays, i64 %array.count
  %out = getelementptr i64, ptr %in, i64 %in.count
  %made = getelementptr i64, ptr %out, i64 %out.count
  %scratch = getelementptr i64, ptr %made, i64 %result.count
  %step.words = mul i64 %step.count, {r.STEP_WORDS}
  %steps.end = getelementptr i64, ptr %steps, i64 %step.words
  store %progress zeroinitializer, ptr %progress
  %fetches = icmp ne i64 %register.count, %given
  br i1 %fetches, label %argument, label %begin
argument:
  %k = phi i64 [ 0, %entry ], [ %k.next, %copy ]
  %more.arguments = icmp slt i64 %k, %given
  br i1 %more.arguments, label %copy, label %begin
copy:
  %argument.value = call ptr @pointer(ptr %args, i64 %k)
  %argument.at = getelementptr ptr, ptr %frame, i64 %k
  store ptr %argument.value, ptr %argument.at
  %k.next = add i64 %k, 1
  br label %argument
begin:
  ; where nothing is fetched the arguments are the registers as they stand
  %registers = phi ptr [ %args, %entry ], [ %frame, %argument ]
  br label %step
step:
  %step.at = phi ptr [ %steps, %begin ], [ %step.next, %checked ]
  %more.steps = icmp ne ptr %step.at, %steps.end
  br i1 %more.steps, label %check, label %hold
check:
  %op = load i64, ptr %step.at
  %is.array = icmp sge i64 %op, {r.NDARRAY}
  br i1 %is.array, label %check.array, label %check.number
check.array:
  %array.fits = call i1 @check_array(ptr %step.at, i64 %op, ptr %registers, ptr %arrays, ptr %in, ptr %scratch,
    ptr %progress)
  br i1 %array.fits, label %checked, label %miss
check.number:
  %is.float = icmp eq i64 %op, {r.FLOAT}
  %is.int = icmp eq i64 %op, {r.INT}
  %is.number = or i1 %is.float, %is.int
  br i1 %is.number, label %take.number, label %check.other
take.number:
  %number.fits = call i1 @check_number(ptr %step.at, i64 %op, ptr %registers, ptr %in, ptr %scratch)
  br i1 %number.fits, label %checked, label %miss
check.other:
  %ok = call i1 @check_step(ptr %step.at, ptr %registers, ptr %in, ptr %progress)
  br i1 %ok, label %checked, label %failed.step
checked:
  %step.next = getelementptr i64, ptr %step.at, i64 {r.STEP_WORDS}
  br label %step
hold:
  %overlaps = call ptr @pointer(ptr %entry.record, i64 {r.OVERLAPS})
  %apart = icmp eq ptr %overlaps, null
  br i1 %apart, label %prepare, label %compare
compare:
  %fits = call i1 @overlaps_fit(ptr %entry.record, ptr %arrays, ptr %scratch)
  br i1 %fits, label %prepare, label %miss
prepare:
  %calls.at = getelementptr i64, ptr %entry.record, i64 {r.CALLS}
  %calls = load i64, ptr %calls.at
  %calls.1 = add i64 %calls, 1
  store i64 %calls.1, ptr %calls.at
  call void @llvm.memset.p0.i64(ptr align 16 %ctx, i8 0, i64 {context.SIZE}, i1 false)
  br label %clear
clear:
  %c = phi i64 [ 0, %prepare ], [ %c.next, %clear.one ]
  %more.results = icmp slt i64 %c, %result.count
  br i1 %more.results, label %clear.one, label %run
clear.one:
  %made.at = getelementptr ptr, ptr %made, i64 %c
  store ptr null, ptr %made.at
  %c.next = add i64 %c, 1
  br label %clear
run:
  %status = call i32 @run_program(ptr %entry.record, ptr %ctx, ptr %in, ptr %out)
  %written = call i64 @word(ptr %entry.record, i64 {r.WRITTEN_COUNT})
  %no.writes = icmp eq i64 %written, 0
  br i1 %no.writes, label %ran, label %writes
writes:
  %counted = call i1 @count_writes(ptr %entry.record, ptr %registers)
  br i1 %counted, label %ran, label %uncounted
uncounted:
  %succeeded = icmp eq i32 %status, 0
  br i1 %succeeded, label %drop, label %raise
ran:
  %good = icmp eq i32 %status, 0
  br i1 %good, label %look.at.results, label %raise
look.at.results:
  %memory = call i64 @word(ptr %entry.record, i64 {r.MEMORY})
  %anywhere = icmp eq i64 %memory, {r.ANYWHERE}
  br i1 %anywhere, label %build, label %ask
ask:
  %borrows = call i1 @has_borrowed(ptr %entry.record, ptr %out)
  %is.to.borrow = icmp eq i64 %memory, {r.VIEW}
  %as.wanted = icmp eq i1 %borrows, %is.to.borrow
  br i1 %as.wanted, label %build, label %refuse
refuse:
  call void @drop_results(ptr %entry.record, ptr %made, ptr %out)
  br label %miss
raise:
  %raised = call i1 @raise_failure(ptr %entry.record, ptr %ctx, ptr %args)
  store ptr null, ptr %result
  br i1 %raised, label %finish, label %miss
build:
  %value = call ptr @build_results(ptr %entry.record, ptr %registers, ptr %out, ptr %made, ptr %scratch)
  store ptr %value, ptr %result
  %recorded.at = getelementptr i64, ptr %progress, i64 2
  %recorded = load i64, ptr %recorded.at
  %unknown = icmp eq i64 %recorded, 0
  br i1 %unknown, label %drop.built, label %tell
tell:
  %told = call ptr @record(ptr %entry.record, ptr %value, ptr %args)
  store ptr %told, ptr %result
  br label %drop.built
drop:
  store ptr null, ptr %result
  br label %drop.built
drop.built:
  call void @drop_results(ptr %entry.record, ptr %made, ptr %out)
  br label %finish
finish:
  call void @let_go(ptr %registers, i64 %given, ptr %arrays, ptr %progress)
  ret i1 true
failed.step:
  %ends = call i1 @forget_error()
  br i1 %ends, label %pass.on, label %miss
pass.on:
  store ptr null, ptr %result
  br label %finish
miss:
  call void @let_go(ptr %registers, i64 %given, ptr %arrays, ptr %progress)
  ret i1 false
}}

; Drop the arrays passed and the registers that steps have set.
define internal void @let_go(ptr %registers, i64 %given, ptr %arrays, ptr %progress) alwaysinline {{
  %set = load i64, ptr %progress
  %passed.at = getelementptr i64, ptr %progress, i64 1
  %passed = load i64, ptr %passed.at
  %fetched = getelementptr ptr, ptr %registers, i64 %given
  call void @drop_objects(ptr %arrays, i64 %passed)
  call void @drop_objects(ptr %fetched, i64 %set)
  ret void
}}
"""

_CALL: Final = f"""
define ptr @jc_vectorcall(ptr %self, ptr %args, i64 %nargsf, ptr %keywords) {{
entry:
  %result = alloca ptr
  %count = and i64 %nargsf, {(1 << 63) - 1}
  %table = call ptr @field(ptr %self, i64 {OBJECT_TABLE})
  %slow.0 = icmp eq ptr %table, null
$SWITCHES$
  br i1 %slow.{SWITCHES}, label %slow, label %count.all
count.all:
  %none.named = icmp eq ptr %keywords, null
  br i1 %none.named, label %native, label %count.named
count.named:
  %named = call i64 @PyTuple_Size(ptr %keywords)
  %both = add i64 %count, %named
  br label %native
native:
  %given = phi i64 [ %count, %count.all ], [ %both, %count.named ]
  %owner = call ptr @pointer(ptr %table, i64 {r.TABLE_OWNER})
  call void @incref(ptr %owner)
  %entries = call i64 @word(ptr %table, i64 {r.TABLE_COUNT})
  %list = getelementptr ptr, ptr %table, i64 {r.TABLE_ENTRIES}
  br label %each
each:
  %i = phi i64 [ 0, %native ], [ %i.next, %next ]
  %more = icmp slt i64 %i, %entries
  br i1 %more, label %look, label %missed
look:
  %record = call ptr @pointer(ptr %list, i64 %i)
  %arguments = call i64 @word(ptr %record, i64 {r.ARGUMENTS})
  %same = icmp eq i64 %arguments, %given
  br i1 %same, label %look.named, label %next
look.named:
  %names = call ptr @pointer(ptr %record, i64 {r.KEYWORDS})
  %same.names = icmp eq ptr %names, %keywords
  br i1 %same.names, label %try, label %compare
compare:
  %equal.names = call i1 @equal_names(ptr %names, ptr %keywords)
  br i1 %equal.names, label %try, label %next
try:
  %served = call i1 @attempt(ptr %record, ptr %args, ptr %result)
  br i1 %served, label %hit, label %next
next:
  %i.next = add i64 %i, 1
  br label %each
hit:
  %first = call ptr @pointer(ptr %list, i64 0)
  %at = getelementptr ptr, ptr %list, i64 %i
  store ptr %first, ptr %at
  store ptr %record, ptr %list
  %value = load ptr, ptr %result
  call void @decref(ptr %owner)
  ret ptr %value
missed:
  call void @decref(ptr %owner)
  br label %slow
slow:
  %answer = call ptr @call_slowly(ptr %self, ptr %args, i64 %count, ptr %keywords)
  ret ptr %answer
}}

; Whether two tuples of names are equal; null is none.
define internal i1 @equal_names(ptr %a, ptr %b) noinline {{
entry:
  %no.a = icmp eq ptr %a, null
  %no.b = icmp eq ptr %b, null
  %one.only = or i1 %no.a, %no.b
  br i1 %one.only, label %no, label %measure
measure:
  %count = call i64 @PyTuple_Size(ptr %a)
  %b.count = call i64 @PyTuple_Size(ptr %b)
  %same.count = icmp eq i64 %count, %b.count
  br i1 %same.count, label %each, label %no
each:
  %k = phi i64 [ 0, %measure ], [ %k.next, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %look, label %yes
look:
  %a.name = call ptr @PyTuple_GetItem(ptr %a, i64 %k)
  %b.name = call ptr @PyTuple_GetItem(ptr %b, i64 %k)
  %same = icmp eq ptr %a.name, %b.name
  br i1 %same, label %next, label %compare
compare:
  %equal = call i1 @equal_objects(ptr %a.name, ptr %b.name)
  br i1 %equal, label %next, label %no
next:
  %k.next = add i64 %k, 1
  br label %each
yes:
  ret i1 true
no:
  ret i1 false
}}

; The slow path, given the callable before the arguments.
define internal ptr @call_slowly(ptr %self, ptr %args, i64 %count, ptr %keywords) noinline optnone {{
entry:
  %by.name = call i64 @count_names(ptr %keywords)
  %all = add i64 %count, %by.name
  %room = add i64 %all, 1
  %given = alloca ptr, i64 %room
  store ptr %self, ptr %given
  %rest = getelementptr ptr, ptr %given, i64 1
  %bytes = mul i64 %all, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %args, i64 %bytes, i1 false)
  %positional = add i64 %count, 1
  %result = call ptr @PyObject_VectorcallMethod(ptr @jc_slow_path, ptr %given, i64 %positional, ptr %keywords)
  ret ptr %result
}}
"""

_FIRST_CALLS: Final = f"""
@jc_serving = global ptr @jc_first_calls ; what serves the calls of new objects

; The first calls of a process. When first editions have done enough, Python is told, once; from when there is better
; code, objects have that.
define ptr @jc_first_calls(ptr %self, ptr %args, i64 %nargsf, ptr %keywords) noinline optnone {{
entry:
  %left = load i64, ptr @jc_first_left
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %count, label %ask
count:
  %left.1 = sub i64 %left, 1
  store i64 %left.1, ptr @jc_first_left
  br label %serve
ask:
  %untold = icmp sgt i64 %left, {editions.TOLD // 2}
  br i1 %untold, label %tell, label %look
tell:
  store i64 {editions.TOLD}, ptr @jc_first_left
  %told = call ptr @PyObject_Vectorcall(ptr @jc_enough, ptr null, i64 0, ptr null)
  %failed = icmp eq ptr %told, null
  br i1 %failed, label %raise, label %drop
raise:
  ret ptr null
drop:
  call void @Py_DecRef(ptr %told)
  br label %serve
look:
  %better = load ptr, ptr @jc_serving
  %none = icmp eq ptr %better, @jc_first_calls
  br i1 %none, label %serve, label %pass.on
pass.on:
  %vectorcall.at = getelementptr i8, ptr %self, i64 {OBJECT_VECTORCALL}
  store ptr %better, ptr %vectorcall.at
  %better.result = call ptr %better(ptr %self, ptr %args, i64 %nargsf, ptr %keywords)
  ret ptr %better.result
serve:
  %result = call ptr @jc_vectorcall(ptr %self, ptr %args, i64 %nargsf, ptr %keywords)
  ret ptr %result
}}
"""

_TYPE: Final = f"""
define ptr @jc_type_new(ptr %class, ptr %args, ptr %keywords) noinline optnone {{
entry:
  %self = call ptr @PyType_GenericAlloc(ptr %class, i64 0)
  %none = icmp eq ptr %self, null
  br i1 %none, label %done, label %set
set:
  %at = getelementptr i8, ptr %self, i64 {OBJECT_VECTORCALL}
  %serving = load ptr, ptr @jc_serving
  store ptr %serving, ptr %at
  br label %done
done:
  ret ptr %self
}}

; As an attribute of a class it is a method.
define ptr @jc_type_get(ptr %self, ptr %instance, ptr %class) {{
entry:
  %none = icmp eq ptr %instance, null
  br i1 %none, label %itself, label %bind
itself:
  call void @Py_IncRef(ptr %self)
  ret ptr %self
bind:
  %method = call ptr @PyMethod_New(ptr %self, ptr %instance)
  ret ptr %method
}}

define i32 @jc_type_traverse(ptr %self, ptr %visit, ptr %argument) noinline optnone {{
entry:
  %class = call ptr @field(ptr %self, i64 {at.OB_TYPE})
  %status = call i32 %visit(ptr %class, ptr %argument)
  %stop = icmp ne i32 %status, 0
  br i1 %stop, label %done, label %dict
dict:
  %names = call ptr @field(ptr %self, i64 {OBJECT_DICT})
  %no.names = icmp eq ptr %names, null
  br i1 %no.names, label %holder, label %visit.dict
visit.dict:
  %dict.status = call i32 %visit(ptr %names, ptr %argument)
  %dict.stop = icmp ne i32 %dict.status, 0
  br i1 %dict.stop, label %done, label %holder
holder:
  %held = call ptr @field(ptr %self, i64 {OBJECT_HOLDER})
  %no.holder = icmp eq ptr %held, null
  br i1 %no.holder, label %done, label %visit.holder
visit.holder:
  %holder.status = call i32 %visit(ptr %held, ptr %argument)
  br label %done
done:
  %result = phi i32 [ %status, %entry ], [ %dict.status, %visit.dict ], [ 0, %holder ],
    [ %holder.status, %visit.holder ]
  ret i32 %result
}}

define i32 @jc_type_clear(ptr %self) noinline optnone {{
  %table.at = getelementptr i8, ptr %self, i64 {OBJECT_TABLE}
  store ptr null, ptr %table.at
  %dict.at = getelementptr i8, ptr %self, i64 {OBJECT_DICT}
  %names = load ptr, ptr %dict.at
  store ptr null, ptr %dict.at
  %holder.at = getelementptr i8, ptr %self, i64 {OBJECT_HOLDER}
  %held = load ptr, ptr %holder.at
  store ptr null, ptr %holder.at
  call void @Py_DecRef(ptr %names)
  call void @Py_DecRef(ptr %held)
  ret i32 0
}}

define void @jc_type_dealloc(ptr %self) noinline optnone {{
entry:
  call void @PyObject_GC_UnTrack(ptr %self)
  %weak = call ptr @field(ptr %self, i64 {OBJECT_WEAK_REFERENCES})
  %none = icmp eq ptr %weak, null
  br i1 %none, label %clear, label %forget
forget:
  call void @PyObject_ClearWeakRefs(ptr %self)
  br label %clear
clear:
  %ignored = call i32 @jc_type_clear(ptr %self)
  %class = call ptr @field(ptr %self, i64 {at.OB_TYPE})
  call void @PyObject_GC_Del(ptr %self)
  call void @Py_DecRef(ptr %class)
  ret void
}}
"""


def _switches() -> str:
    lines: list[str] = []
    for k in range(SWITCHES):
        lines.append(f"  %switch.{k} = load ptr, ptr @jc_switch_{k}")
        lines.append(f"  %off.{k} = icmp ne ptr %switch.{k}, @_Py_TrueStruct")
        lines.append(f"  %slow.{k + 1} = or i1 %slow.{k}, %off.{k}")
    return "\n".join(lines) + "\n"


CALLS: Final = (_VERSIONS + _ATTEMPT + _CALL + _FIRST_CALLS + _TYPE).replace("$SWITCHES$\n", _switches())
"""All of it."""
