"""Native code that calls a Python function of arrays and numbers for a program: how arguments are boxed and results
taken out of what it gives.

    HostRecord.serves(call)            # or the call must go through `host.callback`
    record = HostRecord(call)
    record.run(address)

What is called is described by a record as an entry of native calls is (`signature.records`): its array results are here
the arrays among the arguments, its build operations make the objects and call the function with them. Behind the words
of an entry are those below. `jc_host` (`support`) runs the code at HOST_FUNCTION. Arrays the function is given are
views of the program's memory that keep their block (or the argument they belong to) alive; arrays it returns are copied
into new blocks of the call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.backends.cpython.call_entry import Records, stack_depth
from jitcore.backends.native.host.memory import HEADER, MUCH
from jitcore.program.nodes import DirectCall, HostCall
from jitcore.program.words import type_words
from jitcore.signature import records as r
from jitcore.signature import struct_layout as at
from jitcore.signature.steps import ArrayResult, Build
from jitcore.source import InternalError
from jitcore.types import RefType, ScalarType, TensorType, Type

_OUTPUTS: Final = r.HOST_FUNCTION + 1
"""What the call leaves: so many values, each described by the words below."""
_OUTPUT_COUNT: Final = r.HOST_FUNCTION + 2
_HOST_WORDS: Final = r.HOST_FUNCTION + 3

_KIND: Final = 0
_WORD: Final = 1
"""Where its words begin in `out`."""
_RANK: Final = 2
_DESCR: Final = 3
_TYPE_NUMBER: Final = 4
_ITEMSIZE: Final = 5
_SETTLE: Final = 6
"""A callable that makes of another object the C-contiguous ndarray that is meant."""
_OUTPUT_WORDS: Final = 7

_BOOL, _INT, _FLOAT, _COMPLEX, _ARRAY = range(5)
_PUSHES: Final = (r.PUSH_BOOL, r.PUSH_INT, r.PUSH_FLOAT, r.PUSH_COMPLEX)

CALL_OF_ARRAYS: Final = f"""
; An array that a function is given: it holds what its words are in. A new reference, or null with the exception set.
define internal ptr @array_argument(ptr %described, ptr %in) {{
entry:
  %word = call i64 @word(ptr %described, i64 {r.RESULT_WORD})
  %words = getelementptr i64, ptr %in, i64 %word
  %owner = call i64 @word(ptr %words, i64 1)
  %odd = and i64 %owner, 1
  %no.block = icmp ne i64 %odd, 0
  %none = icmp eq i64 %owner, 0
  %foreign = or i1 %no.block, %none
  br i1 %foreign, label %borrow, label %block
block:
  %held = inttoptr i64 %owner to ptr
  call void @jc_retain(ptr %held)
  %of.block = call ptr @array_result(ptr %described, ptr %in)
  ret ptr %of.block
borrow:
  %rank = call i64 @word(ptr %described, i64 {r.RESULT_RANK})
  %rank.32 = trunc i64 %rank to i32
  %descr = call ptr @pointer(ptr %described, i64 {r.RESULT_DESCR})
  %data = load ptr, ptr %words
  %extents = getelementptr i64, ptr %words, i64 2
  %strides = getelementptr i64, ptr %extents, i64 %rank
  br i1 %none, label %constant, label %argument
constant:
  %of.constant = call ptr @new_array(ptr %descr, i32 %rank.32, ptr %extents, ptr %strides, ptr %data, i32 0)
  ret ptr %of.constant
argument:
  %even = sub i64 %owner, 1
  %object = inttoptr i64 %even to ptr
  %class = call ptr @field(ptr %object, i64 {at.OB_TYPE})
  %is.array = icmp eq ptr %class, @PyArray_Type
  br i1 %is.array, label %look, label %view
look:
  %flags.at = getelementptr i8, ptr %object, i64 {at.ARRAY_FLAGS}
  %all.flags = load i32, ptr %flags.at
  %writeable = and i32 %all.flags, {at.WRITEABLE}
  br label %view
view:
  %flags = phi i32 [ 0, %argument ], [ %writeable, %look ]
  %array = call ptr @new_array(ptr %descr, i32 %rank.32, ptr %extents, ptr %strides, ptr %data, i32 %flags)
  %based = call ptr @with_base(ptr %array, ptr %object)
  ret ptr %based
}}

; Copy a C-contiguous array into a new block of the call, and write its words: 0, or 1 with the exception set.
define internal i32 @copy_to_block(ptr %ctx, ptr %output, ptr %array, ptr %words) {{
entry:
  %rank = call i64 @word(ptr %output, i64 {_RANK})
  %itemsize = call i64 @word(ptr %output, i64 {_ITEMSIZE})
  %extents = call ptr @field(ptr %array, i64 {at.ARRAY_EXTENTS})
  %extents.to = getelementptr i64, ptr %words, i64 2
  %strides.to = getelementptr i64, ptr %extents.to, i64 %rank
  br label %axis
axis:
  %left = phi i64 [ %rank, %entry ], [ %k, %extent ]
  %bytes = phi i64 [ %itemsize, %entry ], [ %bytes.next, %extent ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %allocate, label %extent
extent:
  %k = sub i64 %left, 1
  %n = call i64 @word(ptr %extents, i64 %k)
  %extent.at = getelementptr i64, ptr %extents.to, i64 %k
  store i64 %n, ptr %extent.at
  %stride.at = getelementptr i64, ptr %strides.to, i64 %k
  store i64 %bytes, ptr %stride.at
  %bytes.next = mul i64 %bytes, %n
  br label %axis
allocate:
  %owner = call ptr @jc_alloc(ptr %ctx, i64 %bytes)
  %none = icmp eq ptr %owner, null
  br i1 %none, label %full, label %copy
copy:
  %to = getelementptr i8, ptr %owner, i64 {HEADER}
  %from = call ptr @field(ptr %array, i64 {at.ARRAY_DATA})
  %much = icmp uge i64 %bytes, {MUCH}
  br i1 %much, label %let.go, label %at.once
let.go: ; other threads of Python may run meanwhile
  %thread = call ptr @PyEval_SaveThread()
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  call void @PyEval_RestoreThread(ptr %thread)
  br label %copied
at.once:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  br label %copied
copied:
  store ptr %to, ptr %words
  %owner.at = getelementptr i64, ptr %words, i64 1
  store ptr %owner, ptr %owner.at
  ret i32 0
full:
  %ignored = call ptr @PyErr_NoMemory()
  ret i32 1
}}

; Take an array out of an object: 0, or 1 with the exception set.
define internal i32 @take_output_array(ptr %ctx, ptr %output, ptr %object, ptr %words) {{
entry:
  %class = call ptr @field(ptr %object, i64 {at.OB_TYPE})
  %is.array = icmp eq ptr %class, @PyArray_Type
  br i1 %is.array, label %look, label %settle
look:
  %rank.at = getelementptr i8, ptr %object, i64 {at.ARRAY_RANK}
  %rank.32 = load i32, ptr %rank.at
  %rank = zext i32 %rank.32 to i64
  %wanted.rank = call i64 @word(ptr %output, i64 {_RANK})
  %same.rank = icmp eq i64 %rank, %wanted.rank
  %flags.at = getelementptr i8, ptr %object, i64 {at.ARRAY_FLAGS}
  %flags = load i32, ptr %flags.at
  %in.order = and i32 %flags, {at.C_CONTIGUOUS}
  %contiguous = icmp ne i32 %in.order, 0
  %laid.out = and i1 %same.rank, %contiguous
  br i1 %laid.out, label %type, label %settle
type:
  %descr = call ptr @field(ptr %object, i64 {at.ARRAY_DESCR})
  %wanted.descr = call ptr @pointer(ptr %output, i64 {_DESCR})
  %same.descr = icmp eq ptr %descr, %wanted.descr
  br i1 %same.descr, label %copy, label %other.descr
other.descr:
  %number = call i64 @word(ptr %output, i64 {_TYPE_NUMBER})
  %same.type = call i1 @same_type(ptr %descr, i64 %number)
  br i1 %same.type, label %copy, label %settle
copy:
  %status = call i32 @copy_to_block(ptr %ctx, ptr %output, ptr %object, ptr %words)
  ret i32 %status
settle:
  %settling = call ptr @pointer(ptr %output, i64 {_SETTLE})
  %settled = call ptr @apply(ptr %settling, ptr %object)
  %none = icmp eq ptr %settled, null
  br i1 %none, label %failed, label %copy.settled
copy.settled:
  %settled.status = call i32 @copy_to_block(ptr %ctx, ptr %output, ptr %settled, ptr %words)
  call void @decref(ptr %settled)
  ret i32 %settled.status
failed:
  ret i32 1
}}

; Write the words of what a function gave, an object for each output: 0, or 1 with the exception set.
define internal i32 @take_outputs(ptr %ctx, ptr %record, ptr %values, ptr %out) {{
entry:
  %count = call i64 @word(ptr %record, i64 {_OUTPUT_COUNT})
  %outputs = call ptr @pointer(ptr %record, i64 {_OUTPUTS})
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %taken ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %take, label %done
take:
  %offset = mul i64 %k, {_OUTPUT_WORDS}
  %output = getelementptr i64, ptr %outputs, i64 %offset
  %kind = call i64 @word(ptr %output, i64 {_KIND})
  %word = call i64 @word(ptr %output, i64 {_WORD})
  %to = getelementptr i64, ptr %out, i64 %word
  %object = call ptr @PyTuple_GetItem(ptr %values, i64 %k)
  %missing = icmp eq ptr %object, null
  br i1 %missing, label %failed, label %unbox
unbox:
  switch i64 %kind, label %array [ i64 {_BOOL}, label %bool i64 {_INT}, label %int
                                   i64 {_FLOAT}, label %float i64 {_COMPLEX}, label %complex ]
bool:
  %truth = call i32 @PyObject_IsTrue(ptr %object)
  %truth.word = zext i32 %truth to i64
  store i64 %truth.word, ptr %to
  br label %number
int:
  %int.word = call i64 @PyLong_AsLongLong(ptr %object)
  store i64 %int.word, ptr %to
  br label %number
float:
  %double = call double @PyFloat_AsDouble(ptr %object)
  store double %double, ptr %to
  br label %number
complex:
  %re = call double @PyComplex_RealAsDouble(ptr %object)
  %im = call double @PyComplex_ImagAsDouble(ptr %object)
  %im.to = getelementptr double, ptr %to, i64 1
  store double %re, ptr %to
  store double %im, ptr %im.to
  br label %number
number:
  %error = call ptr @PyErr_Occurred()
  %unfit = icmp ne ptr %error, null
  br i1 %unfit, label %failed, label %taken
array:
  %status = call i32 @take_output_array(ptr %ctx, ptr %output, ptr %object, ptr %to)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %taken, label %failed
taken:
  %k.next = add i64 %k, 1
  br label %each
done:
  ret i32 0
failed:
  ret i32 1
}}

; Call a function with what lies at `in`, as a record says, and write what it gives to `out`; with the GIL
; held. 0, or 1 with the exception set.
define i32 @jc_call_of_arrays(ptr %ctx, ptr %record, ptr %in, ptr %out) "no-builtins" {{
entry:
  %count = call i64 @word(ptr %record, i64 {r.RESULT_COUNT})
  %size = call i64 @word(ptr %record, i64 {r.FRAME_WORDS})
  %arrays = alloca ptr, i64 %size, align 16
  %stack = getelementptr ptr, ptr %arrays, i64 %count
  %all.described = call ptr @pointer(ptr %record, i64 {r.RESULTS})
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %made ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %make, label %call
make:
  %offset = mul i64 %k, {r.RESULT_WORDS}
  %described = getelementptr i64, ptr %all.described, i64 %offset
  %array = call ptr @array_argument(ptr %described, ptr %in)
  %none = icmp eq ptr %array, null
  br i1 %none, label %drop, label %made
made:
  %array.at = getelementptr ptr, ptr %arrays, i64 %k
  store ptr %array, ptr %array.at
  %k.next = add i64 %k, 1
  br label %each
call:
  %values = call ptr @build_results(ptr %record, ptr null, ptr %in, ptr %arrays, ptr %stack)
  %raised = icmp eq ptr %values, null
  br i1 %raised, label %drop, label %take
take:
  %taken = call i32 @take_outputs(ptr %ctx, ptr %record, ptr %values, ptr %out)
  call void @decref(ptr %values)
  br label %drop
drop:
  %status = phi i32 [ 1, %make ], [ 1, %call ], [ %taken, %take ]
  call void @drop_objects(ptr %arrays, i64 %k)
  ret i32 %status
}}
"""


class HostRecord(Records):
    """The record of a host call. Its `address` is odd in the tables of programs, which tells it from a callable."""

    @staticmethod
    def serves(call: HostCall) -> bool:
        """Whether a call may have a record: nothing else than arrays and numbers is passed."""
        return all(_target(t) is not None or isinstance(t, ScalarType) for t in (*call.arg_types, *call.result_types))

    def __init__(self, call: HostCall) -> None:
        self._kept: list[Any] = []
        arrays, build = _arguments(call)
        build += [Build(r.CALL, len(build), call.function)] if call.direct is None else _called(call.direct, len(build))
        words = [0] * _HOST_WORDS
        words[r.RESULT_COUNT] = len(arrays)
        words[r.RESULTS] = self._table(w for array in arrays for w in self._result(array))
        words[r.BUILD] = self._table(w for operation in build for w in self._build(operation))
        words[r.BUILD_COUNT] = len(build)
        words[r.FRAME_WORDS] = len(arrays) + stack_depth(build)
        words[_OUTPUTS] = self._table(self._outputs(call.result_types))
        words[_OUTPUT_COUNT] = len(call.result_types)
        self._words = (ctypes.c_int64 * _HOST_WORDS)(*words)

    def run(self, code: int) -> None:
        """Have calls made by the code at an address."""
        self._words[r.HOST_FUNCTION] = code

    @property
    def address(self) -> int:
        """Where the record is, and 1."""
        return ctypes.addressof(self._words) | 1

    def _outputs(self, types: Sequence[Type]) -> list[int]:
        found: list[int] = []
        word = 0
        for type_ in types:
            array = _target(type_)
            output = [0] * _OUTPUT_WORDS
            output[_WORD] = word
            output[_KIND] = _ARRAY if array is not None else _kind(type_)
            if array is not None:
                dtype = array.dtype.numpy
                output[_RANK], output[_DESCR] = array.rank, self._object(dtype)
                output[_TYPE_NUMBER], output[_ITEMSIZE] = dtype.num, dtype.itemsize
                output[_SETTLE] = self._object(_settling(array))
            found += output
            word += type_words(type_)
        return found


def _arguments(call: HostCall) -> tuple[list[ArrayResult], list[Build]]:
    """The arrays among the arguments of a call, and what makes an object of each argument."""
    objects = 0 if call.direct is None else call.direct.objects
    arrays: list[ArrayResult] = []
    build: list[Build] = []
    word = 0
    for k, type_ in enumerate(call.arg_types):
        array = _target(type_)
        if array is None:
            build.append(Build(r.PUSH_OBJECT if k < objects else _PUSHES[_kind(type_)], word))
        else:
            build.append(Build(r.PUSH_ARRAY, len(arrays)))
            arrays.append(ArrayResult(word, array.rank, array.dtype.numpy))
        word += type_words(type_)
    return arrays, build


def _called(direct: DirectCall, count: int) -> list[Build]:
    """What calls a function with so many objects, and makes a tuple of the one that it gives."""
    names = direct.named
    build: list[Build] = []
    if direct.size is not None:
        build.append(Build(r.MAKE_TUPLE, direct.size))
        count += 1 - direct.size
        names = (*names, "size")
    build += [Build(r.PUSH_CONSTANT, object=value) for _, value in direct.known]
    names = (*names, *(name for name, _ in direct.known))
    call = (
        Build(r.CALL_NAMED, count + len(direct.known), direct.function, names)
        if names
        else Build(r.CALL, count, direct.function)
    )
    return [*build, call, Build(r.MAKE_TUPLE, 1)]


def _target(type_: Type) -> TensorType | None:
    """The type of an array, or of what is at a place."""
    target = type_.target if isinstance(type_, RefType) else type_
    return target if isinstance(target, TensorType) else None


def _kind(type_: Type) -> int:
    assert isinstance(type_, ScalarType)
    dtype = type_.dtype
    return _BOOL if dtype.kind == "b" else _FLOAT if dtype.is_float else _COMPLEX if dtype.kind == "c" else _INT


def _settling(type_: TensorType) -> Callable[[Any], Any]:
    def settle(value: Any) -> Any:
        array = np.array(value, order="C")
        if array.dtype != type_.dtype.numpy or array.ndim != type_.rank:
            raise InternalError(f"a host call gave {array.dtype} of rank {array.ndim} for {type_!r}")
        return array

    return settle
