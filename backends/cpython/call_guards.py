"""Native calls, in LLVM: the steps of an entry, which check a call and fetch and unwrap what its program reads.

`check_array` and `check_number` do the steps of most calls on a call's frame (`signature.records`), `check_step` any
other. A step that does not hold, or in which Python raised, is false with no exception left: the call is then the slow
path's, which raises what there is to raise.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.cpython.call_arrays import ARRAYS
from jitcore.backends.cpython.call_values import ALIKE, COMPARING, STRINGS
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

_ERRORS: Final = """
; Python code that a step called may have raised: forget that, unless it ends the call. What a signal's handler raised
; does, and what is no Exception. Gives whether it does; it is set then.
define internal i1 @forget_error() noinline optnone {
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

define internal void @drop_error(ptr %class.at, ptr %value.at, ptr %traceback.at) noinline optnone {
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

_STEP: Final = f"""
%progress = type {{ i64, i64, i64 }} ; registers set, arrays passed, whether gradients know of one

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
  %new = phi ptr [ %object, %constant ], [ %named, %global ], [ %content, %cell ], [ %attribute.value, %attribute ],
      [ %item.value, %item ], [ %applied.value, %applied ], [ %column.value, %column ], [ %string.value, %take.string ]
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
  %contents = call i64 @word(ptr %step, i64 {r.COUNT})
  %any.contents = icmp eq i64 %contents, 0
  br i1 %any.contents, label %pass.handle, label %look.inside
look.inside:
  %contents.at = inttoptr i64 %contents to ptr
  %looks = load ptr, ptr %contents.at
  %described = add i64 %contents, 8
  %value.word = ptrtoint ptr %value to i64
  %looked = call i64 %looks(i64 %value.word, i64 %described, i64 0, i64 0)
  %as.described = icmp ne i64 %looked, 0
  br i1 %as.described, label %pass.handle, label %no
pass.handle:
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
define internal i1 @check_array(ptr %step, i64 %op, ptr %registers, ptr %arrays, ptr %in,
    ptr %scratch, ptr %progress) alwaysinline {{
entry:
  %source = call i64 @word(ptr %step, i64 {r.SOURCE})
  %target = call i64 @word(ptr %step, i64 {r.TARGET})
  %value = call ptr @pointer(ptr %registers, i64 %source)
  %passed = icmp sge i64 %target, 0
  %target.at = getelementptr i64, ptr %in, i64 %target
  %words = select i1 %passed, ptr %target.at, ptr %scratch
  %wrapped = icmp sge i64 %op, {r.TENSOR}
  br i1 %wrapped, label %tensor, label %array
tensor:
  %wanted.class = call ptr @pointer(ptr %step, i64 {r.CLASS})
  %class = call ptr @field(ptr %value, i64 {at.OB_TYPE})
  %is.tensor = icmp eq ptr %class, %wanted.class
  br i1 %is.tensor, label %unwrap, label %no
unwrap:
  %held = call ptr @field(ptr %value, i64 $TENSOR_ARRAY$)
  %deleted = icmp eq ptr %held, null
  br i1 %deleted, label %no, label %held.there
held.there:
  %unrecorded = call i1 @is_unrecorded(ptr %value)
  br i1 %unrecorded, label %array, label %recorded
recorded:
  %recorded.at = getelementptr i64, ptr %progress, i64 2
  store i64 1, ptr %recorded.at
  %may.be = icmp eq i64 %op, {r.RECORDED}
  br i1 %may.be, label %array, label %no
array:
  %ndarray = phi ptr [ %value, %entry ], [ %held, %held.there ], [ %held, %recorded ]
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
    return ACCESS + ARRAYS + COMPARING + _ERRORS + ALIKE + STRINGS + _STEP
