"""Native calls, in LLVM: the steps of an entry, which check a call and fetch and unwrap what its program reads.

`check_array` and `check_number` do the steps of most calls on a call's frame (`signature.records`), `check_step` any
other. A step that does not hold, or in which Python raised, is false with no exception left: the call is then the slow
path's, which raises what there is to raise.
"""

from __future__ import annotations

from typing import Final

from jitcore.signature import records as r
from jitcore.signature import struct_layout as at

ACCESS: Final = """
define internal i64 @word(ptr %base, i64 %index) alwaysinline {
  %at = getelementptr i64, ptr %base, i64 %index
  %value = load i64, ptr %at
  ret i64 %value
}

define internal ptr @pointer(ptr %base, i64 %index) alwaysinline {
  %at = getelementptr ptr, ptr %base, i64 %index
  %value = load ptr, ptr %at
  ret ptr %value
}

define internal ptr @field(ptr %object, i64 %offset) alwaysinline {
  %at = getelementptr i8, ptr %object, i64 %offset
  %value = load ptr, ptr %at
  ret ptr %value
}
"""

_COUNTING_PLAIN: Final = """
define internal void @incref(ptr %object) alwaysinline {
  %count = load i64, ptr %object
  %more = add i64 %count, 1
  store i64 %more, ptr %object
  ret void
}

define internal void @decref(ptr %object) alwaysinline {
entry:
  %count = load i64, ptr %object
  %last = icmp eq i64 %count, 1
  br i1 %last, label %drop, label %less
less:
  %fewer = sub i64 %count, 1
  store i64 %fewer, ptr %object
  ret void
drop:
  call void @Py_DecRef(ptr %object)
  ret void
}
"""

_COUNTING_SATURATING: Final = """
define internal void @incref(ptr %object) alwaysinline {
entry:
  %count = load i32, ptr %object
  %more = add i32 %count, 1
  %immortal = icmp eq i32 %more, 0
  br i1 %immortal, label %done, label %count.it
count.it:
  store i32 %more, ptr %object
  br label %done
done:
  ret void
}

define internal void @decref(ptr %object) alwaysinline {
entry:
  %count = load i32, ptr %object
  %many = icmp sgt i32 %count, 1
  br i1 %many, label %less, label %rare
less:
  %wide = load i64, ptr %object
  %fewer = sub i64 %wide, 1
  store i64 %fewer, ptr %object
  ret void
rare:
  call void @Py_DecRef(ptr %object)
  ret void
}
"""

_COUNTING_CALLED: Final = """
define internal void @incref(ptr %object) alwaysinline {
  call void @Py_IncRef(ptr %object)
  ret void
}

define internal void @decref(ptr %object) alwaysinline {
  call void @Py_DecRef(ptr %object)
  ret void
}
"""

COUNTING: Final = {"plain": _COUNTING_PLAIN, "saturating": _COUNTING_SATURATING, "called": _COUNTING_CALLED}
"""How references are counted, by `struct_layout.Layout.counting`."""

_ARRAYS: Final = f"""
; Whether an object is an ndarray as a step describes it; its words are written to `%words`. Gives the number of its elements, or
; -1 if it is another kind of object.
define internal i64 @take_array(ptr %step, ptr %array, ptr %words) alwaysinline {{
entry:
  %class = call ptr @field(ptr %array, i64 {at.OB_TYPE})
  %is.array = icmp eq ptr %class, @PyArray_Type
  br i1 %is.array, label %look, label %no
look:
  %rank.at = getelementptr i8, ptr %array, i64 {at.ARRAY_RANK}
  %rank.32 = load i32, ptr %rank.at
  %rank = zext i32 %rank.32 to i64
  %wanted.rank = call i64 @word(ptr %step, i64 {r.COUNT})
  %same.rank = icmp eq i64 %rank, %wanted.rank
  %flags.at = getelementptr i8, ptr %array, i64 {at.ARRAY_FLAGS}
  %flags.32 = load i32, ptr %flags.at
  %flags = zext i32 %flags.32 to i64
  %mask = call i64 @word(ptr %step, i64 {r.MASK})
  %masked = and i64 %flags, %mask
  %wanted.flags = call i64 @word(ptr %step, i64 {r.FLAGS})
  %same.flags = icmp eq i64 %masked, %wanted.flags
  %both = and i1 %same.rank, %same.flags
  br i1 %both, label %type, label %no
type:
  %descr = call ptr @field(ptr %array, i64 {at.ARRAY_DESCR})
  %wanted.descr = call ptr @pointer(ptr %step, i64 {r.OBJECT})
  %same.descr = icmp eq ptr %descr, %wanted.descr
  br i1 %same.descr, label %begin, label %other.descr
other.descr:
  %number = call i64 @word(ptr %step, i64 {r.TYPE_NUMBER})
  %equal = call i1 @same_type(ptr %descr, i64 %number)
  br i1 %equal, label %begin, label %no
begin:
  %data = call ptr @field(ptr %array, i64 {at.ARRAY_DATA})
  store ptr %data, ptr %words
  %address = ptrtoint ptr %array to i64
  %owner = or i64 %address, 1
  %owner.at = getelementptr i64, ptr %words, i64 1
  store i64 %owner, ptr %owner.at
  %extents = call ptr @field(ptr %array, i64 {at.ARRAY_EXTENTS})
  %strides = call ptr @field(ptr %array, i64 {at.ARRAY_STRIDES})
  %wanted.at = call ptr @pointer(ptr %step, i64 {r.OTHER})
  %extents.to = getelementptr i64, ptr %words, i64 2
  %strides.to = getelementptr i64, ptr %extents.to, i64 %rank
  br label %axis
axis:
  %k = phi i64 [ 0, %begin ], [ %k.next, %next ]
  %size = phi i64 [ 1, %begin ], [ %size.next, %next ]
  %more = icmp slt i64 %k, %rank
  br i1 %more, label %compare, label %done
compare:
  %extent = call i64 @word(ptr %extents, i64 %k)
  %wanted = call i64 @word(ptr %wanted.at, i64 %k)
  %same = icmp eq i64 %extent, %wanted
  br i1 %same, label %next, label %symbolic
symbolic:
  %any = icmp eq i64 %wanted, {r.ANY}
  %not.one = icmp eq i64 %wanted, {r.NOT_ONE}
  %several = icmp ne i64 %extent, 1
  %other = and i1 %not.one, %several
  %fits = or i1 %any, %other
  br i1 %fits, label %next, label %no
next:
  %stride = call i64 @word(ptr %strides, i64 %k)
  %extent.to = getelementptr i64, ptr %extents.to, i64 %k
  store i64 %extent, ptr %extent.to
  %stride.to = getelementptr i64, ptr %strides.to, i64 %k
  store i64 %stride, ptr %stride.to
  %size.next = mul i64 %size, %extent
  %k.next = add i64 %k, 1
  br label %axis
done:
  ret i64 %size
no:
  ret i64 -1
}}

; Whether a descr that is not the usual one for its type is of a type all the same: unpickled arrays have such.
define internal i1 @same_type(ptr %descr, i64 %wanted) noinline cold {{
  %number.at = getelementptr i8, ptr %descr, i64 {at.DESCR_TYPE_NUMBER}
  %number.32 = load i32, ptr %number.at
  %number = sext i32 %number.32 to i64
  %same.number = icmp eq i64 %number, %wanted
  %order.at = getelementptr i8, ptr %descr, i64 {at.DESCR_BYTE_ORDER}
  %order = load i8, ptr %order.at
  %native = icmp eq i8 %order, {ord("=")}
  %no.order = icmp eq i8 %order, {ord("|")}
  %little = icmp eq i8 %order, {ord("<")}
  %native.1 = or i1 %native, %no.order
  %native.2 = or i1 %native.1, %little
  %equal = and i1 %same.number, %native.2
  ret i1 %equal
}}

; The first byte of an array and the one past its last; null twice if it has no elements.
define internal {{ i64, i64 }} @bounds(ptr %array, i64 %itemsize) {{
entry:
  %rank.at = getelementptr i8, ptr %array, i64 {at.ARRAY_RANK}
  %rank.32 = load i32, ptr %rank.at
  %rank = sext i32 %rank.32 to i64
  %data = call ptr @field(ptr %array, i64 {at.ARRAY_DATA})
  %start = ptrtoint ptr %data to i64
  %extents = call ptr @field(ptr %array, i64 {at.ARRAY_EXTENTS})
  %strides = call ptr @field(ptr %array, i64 {at.ARRAY_STRIDES})
  br label %axis
axis:
  %k = phi i64 [ 0, %entry ], [ %k.next, %span ]
  %low = phi i64 [ %start, %entry ], [ %low.next, %span ]
  %high = phi i64 [ %start, %entry ], [ %high.next, %span ]
  %more = icmp slt i64 %k, %rank
  br i1 %more, label %extent, label %done
extent:
  %n = call i64 @word(ptr %extents, i64 %k)
  %none = icmp eq i64 %n, 0
  br i1 %none, label %empty, label %span
span:
  %stride = call i64 @word(ptr %strides, i64 %k)
  %last = sub i64 %n, 1
  %reach = mul i64 %last, %stride
  %down = icmp slt i64 %reach, 0
  %below = select i1 %down, i64 %reach, i64 0
  %above = select i1 %down, i64 0, i64 %reach
  %low.next = add i64 %low, %below
  %high.next = add i64 %high, %above
  %k.next = add i64 %k, 1
  br label %axis
done:
  %end = add i64 %high, %itemsize
  %a = insertvalue {{ i64, i64 }} poison, i64 %low, 0
  %b = insertvalue {{ i64, i64 }} %a, i64 %end, 1
  ret {{ i64, i64 }} %b
empty:
  ret {{ i64, i64 }} zeroinitializer
}}

; Whether the arrays of a call share memory as they did when its program was made. `scratch` has room for their bounds.
define internal i1 @overlaps_fit(ptr %entry.record, ptr %arrays, ptr %scratch) noinline {{
entry:
  %record = call ptr @pointer(ptr %entry.record, i64 {r.OVERLAPS})
  %count = call i64 @word(ptr %entry.record, i64 {r.ARRAYS})
  %matrix = getelementptr i64, ptr %record, i64 %count
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %place, label %yes
place:
  %array = call ptr @pointer(ptr %arrays, i64 %i)
  %itemsize = call i64 @word(ptr %record, i64 %i)
  %bounds = call {{ i64, i64 }} @bounds(ptr %array, i64 %itemsize)
  %low = extractvalue {{ i64, i64 }} %bounds, 0
  %high = extractvalue {{ i64, i64 }} %bounds, 1
  %kept = getelementptr {{ i64, i64 }}, ptr %scratch, i64 %i
  store {{ i64, i64 }} %bounds, ptr %kept
  %row.offset = mul i64 %i, %count
  %row.at = getelementptr i8, ptr %matrix, i64 %row.offset
  br label %pair
pair:
  %j = phi i64 [ 0, %place ], [ %j.next, %pair.end ]
  %before = icmp slt i64 %j, %i
  br i1 %before, label %compare, label %row.end
compare:
  %other.at = getelementptr {{ i64, i64 }}, ptr %scratch, i64 %j
  %other.low = load i64, ptr %other.at
  %other.high = call i64 @word(ptr %other.at, i64 1)
  %a = icmp ult i64 %low, %other.high
  %b = icmp ult i64 %other.low, %high
  %overlap = and i1 %a, %b
  %expected.at = getelementptr i8, ptr %row.at, i64 %j
  %expected.8 = load i8, ptr %expected.at
  %expected = icmp ne i8 %expected.8, 0
  %same = icmp eq i1 %overlap, %expected
  br i1 %same, label %pair.end, label %no
pair.end:
  %j.next = add i64 %j, 1
  br label %pair
row.end:
  %i.next = add i64 %i, 1
  br label %row
yes:
  ret i1 true
no:
  ret i1 false
}}
"""

_COMPARING: Final = f"""
; Whether two objects are of one type and equal, for types whose comparison runs no Python of the user's.
define internal i1 @equal_objects(ptr %a, ptr %b) noinline {{
entry:
  %a.class = call ptr @field(ptr %a, i64 {at.OB_TYPE})
  %b.class = call ptr @field(ptr %b, i64 {at.OB_TYPE})
  %same = icmp eq ptr %a.class, %b.class
  br i1 %same, label %ask, label %no
ask:
  %equal = call i32 @PyObject_RichCompareBool(ptr %a, ptr %b, i32 2)
  %yes = icmp eq i32 %equal, 1
  ret i1 %yes
no:
  ret i1 false
}}

; `callable(object)`: a new reference, or null.
define internal ptr @apply(ptr %callable, ptr %object) noinline {{
  %argument = alloca ptr
  store ptr %object, ptr %argument
  %result = call ptr @PyObject_Vectorcall(ptr %callable, ptr %argument, i64 1, ptr null)
  ret ptr %result
}}

define internal i1 @holds(ptr %predicate, ptr %object) noinline {{
entry:
  %result = call ptr @apply(ptr %predicate, ptr %object)
  %none = icmp eq ptr %result, null
  br i1 %none, label %no, label %look
look:
  %yes = icmp eq ptr %result, @_Py_TrueStruct
  call void @decref(ptr %result)
  ret i1 %yes
no:
  ret i1 false
}}

; What a name stands for in a dict, or in a second one if that isn't null: a new reference, or null.
define internal ptr @look_up(ptr %dict, ptr %name, ptr %second) noinline {{
entry:
  %found = call ptr @PyDict_GetItemWithError(ptr %dict, ptr %name)
  %missing = icmp eq ptr %found, null
  br i1 %missing, label %again, label %have
again:
  %no.second = icmp eq ptr %second, null
  br i1 %no.second, label %none, label %builtin
builtin:
  %other = call ptr @PyDict_GetItemWithError(ptr %second, ptr %name)
  %absent = icmp eq ptr %other, null
  br i1 %absent, label %none, label %have
have:
  %object = phi ptr [ %found, %entry ], [ %other, %builtin ]
  call void @incref(ptr %object)
  ret ptr %object
none:
  ret ptr null
}}

; Whether the version of a Tensor that is written to can be told afterwards: its storage is known already, or it is no
; view, and nobody has asked for its storage.
define internal i1 @is_versioned(ptr %tensor) {{
  %storage.at = getelementptr i8, ptr %tensor, i64 $TENSOR_STORAGE$
  %storage = load ptr, ptr %storage.at
  %view.at = getelementptr i8, ptr %tensor, i64 $TENSOR_VIEW$
  %view = load ptr, ptr %view.at
  %unasked = icmp eq ptr %storage, @_Py_NoneStruct
  %known = xor i1 %unasked, true
  %no.view = icmp eq ptr %view, @_Py_NoneStruct
  %versioned = or i1 %known, %no.view
  ret i1 %versioned
}}
"""

_ERRORS: Final = """
; Python code that a step called may have raised: forget that, unless it ends the call. What a signal's handler raised does, and what is no
; Exception. Gives whether it does; it is set then.
define internal i1 @forget_error() noinline cold {
entry:
  %class.at = alloca ptr
  %value.at = alloca ptr
  %traceback.at = alloca ptr
  %said = call ptr @PyErr_Occurred()
  %silent = icmp eq ptr %said, null
  br i1 %silent, label %no, label %look
look:
  call void @PyErr_Fetch(ptr %class.at, ptr %value.at, ptr %traceback.at)
  %class = load ptr, ptr %class.at
  %ordinary = call i32 @PyErr_GivenExceptionMatches(ptr %class, ptr @jc_exception_class)
  %is.other = icmp eq i32 %ordinary, 0
  br i1 %is.other, label %set, label %trace
trace:
  %traceback = load ptr, ptr %traceback.at
  %of.no.python = icmp eq ptr %traceback, null
  br i1 %of.no.python, label %forget, label %ask
ask:
  call void @PyErr_NormalizeException(ptr %class.at, ptr %value.at, ptr %traceback.at)
  %value = load ptr, ptr %value.at
  %traceback.now = load ptr, ptr %traceback.at
  %ignored = call i32 @PyException_SetTraceback(ptr %value, ptr %traceback.now)
  %answer = call ptr @apply(ptr @jc_is_from_handler, ptr %value)
  %raised = icmp eq ptr %answer, null
  br i1 %raised, label %drop, label %answered
answered:
  call void @decref(ptr %answer)
  %is.handlers = icmp eq ptr %answer, @_Py_TrueStruct
  br i1 %is.handlers, label %set, label %forget
set:
  %class.again = load ptr, ptr %class.at
  %value.again = load ptr, ptr %value.at
  %traceback.again = load ptr, ptr %traceback.at
  call void @PyErr_Restore(ptr %class.again, ptr %value.again, ptr %traceback.again)
  br label %yes
forget:
  call void @drop_error(ptr %class.at, ptr %value.at, ptr %traceback.at)
  br label %no
drop:
  ; another handler has raised meanwhile
  call void @drop_error(ptr %class.at, ptr %value.at, ptr %traceback.at)
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}

define internal void @drop_error(ptr %class.at, ptr %value.at, ptr %traceback.at) noinline {
  %class = load ptr, ptr %class.at
  %value = load ptr, ptr %value.at
  %traceback = load ptr, ptr %traceback.at
  call void @Py_DecRef(ptr %class)
  call void @Py_DecRef(ptr %value)
  call void @Py_DecRef(ptr %traceback)
  ret void
}

; Whether an object has an attribute: 1 or 0, or -1 with an exception set.
define internal i64 @has_attribute(ptr %object, ptr %name) noinline {
entry:
  %found = call ptr @PyObject_GetAttr(ptr %object, ptr %name)
  %none = icmp eq ptr %found, null
  br i1 %none, label %missing, label %there
there:
  call void @decref(ptr %found)
  ret i64 1
missing:
  %matches = call i32 @PyErr_ExceptionMatches(ptr @jc_attribute_error)
  %is.attribute.error = icmp ne i32 %matches, 0
  br i1 %is.attribute.error, label %forget, label %fails
forget:
  %ends = call i1 @forget_error()
  br i1 %ends, label %fails, label %absent
absent:
  ret i64 0
fails:
  ret i64 -1
}
"""

_ALIKE: Final = f"""
; Whether two numbers computed from extents are both 1, or neither is.
define internal i1 @alike(ptr %step, ptr %in) noinline {{
entry:
  %stack = alloca [{r.MOST_NUMBERS} x i64]
  %code = call ptr @pointer(ptr %step, i64 {r.OTHER})
  %count = call i64 @word(ptr %step, i64 {r.COUNT})
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %top = phi ptr [ %stack, %entry ], [ %top.next, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %operate, label %compare
operate:
  %offset = mul i64 %k, {r.OPERATION_WORDS}
  %operation = getelementptr i64, ptr %code, i64 %offset
  %op = load i64, ptr %operation
  %operand = call i64 @word(ptr %operation, i64 1)
  %pushes = icmp sle i64 %op, {r.WORD}
  br i1 %pushes, label %push, label %take
push:
  %is.word = icmp eq i64 %op, {r.WORD}
  br i1 %is.word, label %read, label %pushed
read:
  %read.value = call i64 @word(ptr %in, i64 %operand)
  br label %pushed
pushed:
  %number = phi i64 [ %operand, %push ], [ %read.value, %read ]
  store i64 %number, ptr %top
  %above = getelementptr i64, ptr %top, i64 1
  br label %next
take:
  %a = call i64 @word(ptr %top, i64 -2)
  %b = call i64 @word(ptr %top, i64 -1)
  switch i64 %op, label %no [
    i64 {r.ADD}, label %add
    i64 {r.MULTIPLY}, label %multiply
    i64 {r.DIVIDE}, label %divide
    i64 {r.REMAINDER}, label %divide
    i64 {r.MAXIMUM}, label %maximum
    i64 {r.MINIMUM}, label %minimum
  ]
add:
  %sum = add i64 %a, %b
  br label %computed
multiply:
  %product = mul i64 %a, %b
  br label %computed
maximum:
  %larger = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  br label %computed
minimum:
  %smaller = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  br label %computed
divide:
  %positive = icmp sgt i64 %b, 0
  br i1 %positive, label %divided, label %no
divided:
  %quotient = sdiv i64 %a, %b
  %remainder = srem i64 %a, %b
  %below = icmp slt i64 %remainder, 0
  %down = sext i1 %below to i64
  %floor = add i64 %quotient, %down
  %up = select i1 %below, i64 %b, i64 0
  %modulo = add i64 %remainder, %up
  %wants.floor = icmp eq i64 %op, {r.DIVIDE}
  %either = select i1 %wants.floor, i64 %floor, i64 %modulo
  br label %computed
computed:
  %result = phi i64 [ %sum, %add ], [ %product, %multiply ], [ %larger, %maximum ], [ %smaller, %minimum ], [ %either, %divided ]
  %result.at = getelementptr i64, ptr %top, i64 -2
  store i64 %result, ptr %result.at
  %lower = getelementptr i64, ptr %top, i64 -1
  br label %next
next:
  %top.next = phi ptr [ %above, %pushed ], [ %lower, %computed ]
  %k.next = add i64 %k, 1
  br label %each
compare:
  %first = call i64 @word(ptr %top, i64 -2)
  %second = call i64 @word(ptr %top, i64 -1)
  %first.one = icmp eq i64 %first, 1
  %second.one = icmp eq i64 %second, 1
  %same = icmp eq i1 %first.one, %second.one
  ret i1 %same
no:
  ret i1 false
}}
"""

_STRINGS: Final = f"""
; The words of the array that a str or bytes is, and the object that holds its elements: the bytes themselves, or new ones that hold the
; code points of the str. Null with the exception set.
; A new array of what is in a list of numbers of one type, bool, int or float; null if it is no such list, or an int is too large.
define internal ptr @column(ptr %value, ptr %descr, ptr %class) noinline {{
entry:
  %overflow = alloca i32
  %extent = alloca i64
  %its.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %is.list = icmp eq ptr %its.class, @PyList_Type
  br i1 %is.list, label %make, label %no
make:
  %length = call i64 @PyObject_Size(ptr %value)
  store i64 %length, ptr %extent
  call void @incref(ptr %descr)
  %array = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr, i32 1, ptr %extent, ptr null, ptr null, i32 0, ptr null)
  %none = icmp eq ptr %array, null
  br i1 %none, label %no, label %begin
begin:
  %data = call ptr @field(ptr %array, i64 {at.ARRAY_DATA})
  %is.float = icmp eq ptr %class, @PyFloat_Type
  %is.int = icmp eq ptr %class, @PyLong_Type
  br label %each
each:
  %k = phi i64 [ 0, %begin ], [ %k.next, %next ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %look, label %done
look:
  %item = call ptr @PyList_GetItem(ptr %value, i64 %k)
  %item.class = call ptr @field(ptr %item, i64 {at.OB_TYPE})
  %right = icmp eq ptr %item.class, %class
  br i1 %right, label %take, label %drop
take:
  br i1 %is.float, label %float, label %whole
float:
  %float.value = call double @PyFloat_AsDouble(ptr %item)
  %float.at = getelementptr double, ptr %data, i64 %k
  store double %float.value, ptr %float.at
  br label %next
whole:
  br i1 %is.int, label %int, label %bool
int:
  %int.value = call i64 @PyLong_AsLongLongAndOverflow(ptr %item, ptr %overflow)
  %int.at = getelementptr i64, ptr %data, i64 %k
  store i64 %int.value, ptr %int.at
  %over = load i32, ptr %overflow
  %fits = icmp eq i32 %over, 0
  br i1 %fits, label %next, label %drop
bool:
  %is.true = icmp eq ptr %item, @_Py_TrueStruct
  %truth = zext i1 %is.true to i8
  %bool.at = getelementptr i8, ptr %data, i64 %k
  store i8 %truth, ptr %bool.at
  br label %next
next:
  %k.next = add i64 %k, 1
  br label %each
drop:
  call void @decref(ptr %array)
  ret ptr null
done:
  ret ptr %array
no:
  ret ptr null
}}

define internal ptr @string_words(ptr %value, ptr %words) noinline {{
entry:
  %length.at = getelementptr i64, ptr %words, i64 2
  %stride.at = getelementptr i64, ptr %words, i64 3
  %length = call i64 @PyObject_Size(ptr %value)
  store i64 %length, ptr %length.at
  %class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %is.str = icmp eq ptr %class, @PyUnicode_Type
  br i1 %is.str, label %str, label %bytes
str:
  store i64 4, ptr %stride.at
  %size = shl i64 %length, 2
  %made = call ptr @PyBytes_FromStringAndSize(ptr null, i64 %size)
  %none = icmp eq ptr %made, null
  br i1 %none, label %failed, label %fill
fill:
  %points = call ptr @PyBytes_AsString(ptr %made)
  %filled = call ptr @PyUnicode_AsUCS4(ptr %value, ptr %points, i64 %length, i32 0)
  br label %done
bytes:
  store i64 1, ptr %stride.at
  call void @incref(ptr %value)
  br label %done
done:
  %holder = phi ptr [ %made, %fill ], [ %value, %bytes ]
  %data = call ptr @PyBytes_AsString(ptr %holder)
  store ptr %data, ptr %words
  %address = ptrtoint ptr %holder to i64
  %owner = or i64 %address, 1
  %owner.at = getelementptr i64, ptr %words, i64 1
  store i64 %owner, ptr %owner.at
  ret ptr %holder
failed:
  ret ptr null
}}
"""

_STEP: Final = f"""
%progress = type {{ i64, i64 }} ; registers set, arrays passed

define internal i1 @check_step(ptr %step, ptr %registers, ptr %in, ptr %progress) noinline {{
entry:
  %nowhere = alloca [2 x i64]
  %op = call i64 @word(ptr %step, i64 {r.OP})
  %source = call i64 @word(ptr %step, i64 {r.SOURCE})
  %target = call i64 @word(ptr %step, i64 {r.TARGET})
  %object = call ptr @pointer(ptr %step, i64 {r.OBJECT})
  %other = call ptr @pointer(ptr %step, i64 {r.OTHER})
  %wanted.class = call ptr @pointer(ptr %step, i64 {r.CLASS})
  %value = call ptr @pointer(ptr %registers, i64 %source)
  %passed = icmp sge i64 %target, 0
  %word.at = getelementptr i64, ptr %in, i64 %target
  %target.at = select i1 %passed, ptr %word.at, ptr %nowhere
  switch i64 %op, label %no [
    i64 {r.CONSTANT}, label %constant
    i64 {r.GLOBAL}, label %global
    i64 {r.CELL}, label %cell
    i64 {r.ATTRIBUTE}, label %attribute
    i64 {r.ITEM}, label %item
    i64 {r.APPLY}, label %applied
    i64 {r.COLUMN}, label %column
    i64 {r.STRING}, label %string
    i64 {r.IS}, label %is
    i64 {r.EQUALS}, label %equals
    i64 {r.HOLDS}, label %holds
    i64 {r.HAS_CLASS}, label %has.class
    i64 {r.SEQUENCE}, label %sequence
    i64 {r.BOOL}, label %bool
    i64 {r.COMPLEX}, label %complex
    i64 {r.VERSIONED}, label %versioned
    i64 {r.SCALAR}, label %scalar
    i64 {r.ALIKE}, label %alike
    i64 {r.FIELDS}, label %fields
    i64 {r.CLASSES}, label %classes
    i64 {r.ENTRIES}, label %entries
    i64 {r.LACKS_OWN}, label %lacks
    i64 {r.HAS}, label %has
    i64 {r.HANDLE}, label %handle
    i64 {r.DIFFERS}, label %differs
  ]

constant:
  call void @incref(ptr %object)
  br label %got
global:
  %named = call ptr @look_up(ptr %object, ptr %other, ptr %wanted.class)
  br label %got
cell:
  %content = call ptr @PyCell_Get(ptr %object)
  br label %got
attribute:
  %attribute.value = call ptr @PyObject_GetAttr(ptr %value, ptr %object)
  br label %got
item:
  %item.value = call ptr @PyObject_GetItem(ptr %value, ptr %object)
  br label %got
applied:
  %applied.value = call ptr @apply(ptr %object, ptr %value)
  br label %got
column:
  %column.value = call ptr @column(ptr %value, ptr %object, ptr %wanted.class)
  br label %got
string:
  %string.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %right.string = icmp eq ptr %string.class, %wanted.class
  br i1 %right.string, label %take.string, label %no
take.string:
  %string.word = call i64 @word(ptr %step, i64 {r.COUNT})
  %string.words = getelementptr i64, ptr %in, i64 %string.word
  %string.value = call ptr @string_words(ptr %value, ptr %string.words)
  br label %got
got:
  %new = phi ptr [ %object, %constant ], [ %named, %global ], [ %content, %cell ], [ %attribute.value, %attribute ], [ %item.value, %item ], [ %applied.value, %applied ], [ %column.value, %column ], [ %string.value, %take.string ]
  %nothing = icmp eq ptr %new, null
  br i1 %nothing, label %no, label %set
set:
  %register.at = getelementptr ptr, ptr %registers, i64 %target
  store ptr %new, ptr %register.at
  %set.count = load i64, ptr %progress
  %set.more = add i64 %set.count, 1
  store i64 %set.more, ptr %progress
  br label %yes

is:
  %identical = icmp eq ptr %value, %object
  br i1 %identical, label %yes, label %no
differs:
  %other.register = call i64 @word(ptr %step, i64 {r.COUNT})
  %other.value = call ptr @pointer(ptr %registers, i64 %other.register)
  %one.object = icmp eq ptr %value, %other.value
  br i1 %one.object, label %no, label %yes
equals:
  %same = icmp eq ptr %value, %object
  br i1 %same, label %yes, label %compare
compare:
  %equal = call i1 @equal_objects(ptr %value, ptr %object)
  br i1 %equal, label %yes, label %no
holds:
  %the.same = icmp eq ptr %value, %object
  br i1 %the.same, label %yes, label %ask
ask:
  %held = call i1 @holds(ptr %other, ptr %value)
  br i1 %held, label %yes, label %no
has.class:
  %its.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %right.class = icmp eq ptr %its.class, %wanted.class
  br i1 %right.class, label %yes, label %no
sequence:
  %sequence.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %right.sequence = icmp eq ptr %sequence.class, %wanted.class
  br i1 %right.sequence, label %measure, label %no
measure:
  %length = call i64 @PyObject_Size(ptr %value)
  %wanted.length = call i64 @word(ptr %step, i64 {r.COUNT})
  %right.length = icmp eq i64 %length, %wanted.length
  br i1 %right.length, label %yes, label %no

bool:
  %is.true = icmp eq ptr %value, @_Py_TrueStruct
  %is.false = icmp eq ptr %value, @_Py_FalseStruct
  %truth = zext i1 %is.true to i64
  store i64 %truth, ptr %target.at
  %is.bool = or i1 %is.true, %is.false
  br i1 %is.bool, label %yes, label %no
complex:
  %complex.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %is.complex = icmp eq ptr %complex.class, @PyComplex_Type
  br i1 %is.complex, label %take.complex, label %no
take.complex:
  %real = call double @PyComplex_RealAsDouble(ptr %value)
  %imag = call double @PyComplex_ImagAsDouble(ptr %value)
  store double %real, ptr %target.at
  %imag.at = getelementptr i64, ptr %target.at, i64 1
  store double %imag, ptr %imag.at
  br label %yes

versioned:
  %is.versioned = call i1 @is_versioned(ptr %value)
  br i1 %is.versioned, label %yes, label %no

scalar:
  %scalar.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %right.scalar = icmp eq ptr %scalar.class, %wanted.class
  br i1 %right.scalar, label %take.scalar, label %no
take.scalar:
  %value.offset = call i64 @word(ptr %step, i64 {r.COUNT})
  %value.at = getelementptr i8, ptr %value, i64 %value.offset
  store ptr %value.at, ptr %target.at
  %address = ptrtoint ptr %value to i64
  %owner = or i64 %address, 1
  %owner.at = getelementptr i64, ptr %target.at, i64 1
  store i64 %owner, ptr %owner.at
  br label %yes

fields:
  %fields.hold = call i1 @fields_hold(ptr %step)
  br i1 %fields.hold, label %yes, label %no
classes:
  %classes.hold = call i1 @classes_hold(ptr %step)
  br i1 %classes.hold, label %yes, label %no
entries:
  %entries.hold = call i1 @entries_hold(ptr %step)
  br i1 %entries.hold, label %yes, label %no
lacks:
  %lacks.it = call i1 @lacks_own(ptr %value, ptr %object)
  br i1 %lacks.it, label %yes, label %no
has:
  %has.word = call i64 @has_attribute(ptr %value, ptr %object)
  %has.wanted = call i64 @word(ptr %step, i64 {r.COUNT})
  %has.so = icmp eq i64 %has.word, %has.wanted
  br i1 %has.so, label %yes, label %no

handle:
  %handle.class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %right.handle = icmp eq ptr %handle.class, %wanted.class
  %not.handle = icmp eq ptr %value, %object
  %other.handle = xor i1 %not.handle, true
  %handle.fits = and i1 %right.handle, %other.handle
  br i1 %handle.fits, label %own.attributes, label %no
own.attributes:
  %asked = icmp ne ptr %other, null
  br i1 %asked, label %ask.own, label %take.handle
ask.own:
  %as.its.class = call i1 @has_none_but(ptr %value, ptr %other)
  br i1 %as.its.class, label %take.handle, label %no
take.handle:
  store ptr %value, ptr %target.at
  br label %yes

alike:
  %are.alike = call i1 @alike(ptr %step, ptr %in)
  br i1 %are.alike, label %yes, label %no

yes:
  ret i1 true
no:
  ret i1 false
}}

; A step for a float or an int.
define internal i1 @check_number(ptr %step, i64 %op, ptr %registers, ptr %in, ptr %scratch) alwaysinline {{
entry:
  %overflow = alloca i32
  %source = call i64 @word(ptr %step, i64 {r.SOURCE})
  %target = call i64 @word(ptr %step, i64 {r.TARGET})
  %value = call ptr @pointer(ptr %registers, i64 %source)
  %passed = icmp sge i64 %target, 0
  %target.at = getelementptr i64, ptr %in, i64 %target
  %word.at = select i1 %passed, ptr %target.at, ptr %scratch
  %class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %wants.float = icmp eq i64 %op, {r.FLOAT}
  %wanted = select i1 %wants.float, ptr @PyFloat_Type, ptr @PyLong_Type
  %right = icmp eq ptr %class, %wanted
  br i1 %right, label %take, label %no
take:
  br i1 %wants.float, label %float, label %int
float:
  %float.value = call double @PyFloat_AsDouble(ptr %value)
  store double %float.value, ptr %word.at
  ret i1 true
int:
  %int.value = call i64 @PyLong_AsLongLongAndOverflow(ptr %value, ptr %overflow)
  store i64 %int.value, ptr %word.at
  %overflowed = load i32, ptr %overflow
  %fits = icmp eq i32 %overflowed, 0
  ret i1 %fits
no:
  ret i1 false
}}

; A step for an array, from a Tensor or not.
define internal i1 @check_array(ptr %step, i64 %op, ptr %registers, ptr %arrays, ptr %in, ptr %scratch, ptr %progress) alwaysinline {{
entry:
  %source = call i64 @word(ptr %step, i64 {r.SOURCE})
  %target = call i64 @word(ptr %step, i64 {r.TARGET})
  %value = call ptr @pointer(ptr %registers, i64 %source)
  %passed = icmp sge i64 %target, 0
  %target.at = getelementptr i64, ptr %in, i64 %target
  %words = select i1 %passed, ptr %target.at, ptr %scratch
  %wrapped = icmp eq i64 %op, {r.TENSOR}
  br i1 %wrapped, label %tensor, label %array
tensor:
  %wanted.class = call ptr @pointer(ptr %step, i64 {r.CLASS})
  %class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %is.tensor = icmp eq ptr %class, %wanted.class
  br i1 %is.tensor, label %unwrap, label %no
unwrap:
  %held = call ptr @field(ptr %value, i64 $TENSOR_ARRAY$)
  %deleted = icmp eq ptr %held, null
  br i1 %deleted, label %no, label %array
array:
  %ndarray = phi ptr [ %value, %entry ], [ %held, %unwrap ]
  %size = call i64 @take_array(ptr %step, ptr %ndarray, ptr %words)
  %refused = icmp slt i64 %size, 0
  br i1 %refused, label %no, label %fits
fits:
  br i1 %passed, label %pass, label %yes
pass:
  %passed.at = getelementptr i64, ptr %progress, i64 1
  call void @incref(ptr %ndarray)
  %count = load i64, ptr %passed.at
  %array.at = getelementptr ptr, ptr %arrays, i64 %count
  store ptr %ndarray, ptr %array.at
  %more = add i64 %count, 1
  store i64 %more, ptr %passed.at
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}}
"""


def guard_text() -> str:
    """The LLVM text of all this. `$TENSOR_ARRAY$` and its like stand for offsets of slots."""
    return ACCESS + _ARRAYS + _COMPARING + _ERRORS + _ALIKE + _STRINGS + _STEP
