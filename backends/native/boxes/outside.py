"""Functions from outside that the library calls: of C and of Python, as LLVM text over words, and by ctypes."""

from __future__ import annotations

import collections
import ctypes
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from jitcore.backends.native.boxes import characters
from jitcore.backends.native.host import runtime
from jitcore.backends.native.host.memory import HEADER
from jitcore.program.boxes import FACTORIES, NUMPY, Kind
from jitcore.signature import struct_layout

HASH_NAME: Final = next(name for name in ("Py_HashBuffer", "_Py_HashBytes") if hasattr(ctypes.pythonapi, name))
"""Python's hash of bytes, with the secret of this process: so strings have here the hashes that they have there."""
_TO_TEXT: Final = ctypes.PYFUNCTYPE(
    ctypes.c_void_p, ctypes.c_double, ctypes.c_char, ctypes.c_int, ctypes.c_int, ctypes.c_void_p
)(("PyOS_double_to_string", ctypes.pythonapi))
_FREE_TEXT: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("PyMem_Free", ctypes.pythonapi))
_NEXT_ENTRY: Final = ctypes.PYFUNCTYPE(ctypes.c_int, *[ctypes.c_int64] * 4)(("PyDict_Next", ctypes.pythonapi))
CLASSES: Final = (
    type(None), bool, int, float, str, bytes, tuple, list, dict, set, frozenset, collections.deque,
    collections.Counter, collections.defaultdict, collections.OrderedDict,
)  # fmt: skip
"""The classes of values, by their kinds."""
_GIVEN: Final = (ctypes.c_int64 * 4098)()
_GIVEN_INTS: Final = (ctypes.c_int64 * 32770)()
_OBJECTS_USED: Final = (
    dict.__new__, collections.OrderedDict.clear, collections.deque.clear, "maxlen", "default_factory",
)  # fmt: skip
_NUMPY_CLASSES: Final = tuple(
    id(cls) if struct_layout.scalar_offset(cls(1)) == float.__basicsize__ - 8 else 0 for cls in NUMPY
)
"""The addresses of the classes of NumPy's numbers, of those that are laid out as floats are."""
_BEFORE_NUMPY: Final = tuple(map(id, (*CLASSES, *_OBJECTS_USED)))
TYPES: Final = (*_BEFORE_NUMPY, *([0] * (Kind.NP_BOOL - len(_BEFORE_NUMPY))), *_NUMPY_CLASSES)
"""The addresses of the classes by their kinds, and of other objects that the library uses."""
_TYPES: Final = (ctypes.c_int64 * len(TYPES))(*TYPES)
_blocks: Final[dict[int, Any]] = {}
_HASH: Final = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)((HASH_NAME, ctypes.pythonapi))


def allocate(ctx: int, size: int) -> int:
    """A block of the runtime's for a call: the address of its bytes; 0 if there is none."""
    try:
        return runtime.allocate(ctx, size) + HEADER
    except MemoryError:
        return 0


def free(ctx: int, address: int) -> int:
    """Give a call's block back."""
    drop_block: Any = ctypes.PYFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(runtime.symbols()["jc_drop"])
    drop_block(ctx, address - HEADER)
    return 0


def same_bytes(a: int, b: int, size: int) -> int:
    """Whether bytes at two places are the same."""
    return int(ctypes.string_at(a, size) == ctypes.string_at(b, size))


def find_byte(address: int, size: int, byte: int) -> int:
    """Where a byte is among some; -1 if it is not."""
    return ctypes.string_at(address, size).find(byte)


def poisons() -> int:
    """Whether freed boxes are filled with ones, so that tests notice who uses them."""
    return 0


def seed() -> int:
    """A secret of this process, for hashes that nobody sees."""
    return hash(b"jitcore")


def hash_of_bytes(address: int, size: int) -> int:
    """Python's hash of bytes."""
    return _HASH(address, size)


def character_block(first: int) -> int:
    """Where it says what the 256 characters from a number on are."""
    index = first >> 8
    if index not in _blocks:
        _blocks[index] = characters.block(index)
    return _blocks[index].ctypes.data


def double_text(bits: int, code: int, precision: int, flags: int, target: int) -> int:
    """The text of a float by one of Python's format codes, put at a place: its length."""
    value = ctypes.c_double.from_buffer(ctypes.c_int64(bits)).value
    text = _TO_TEXT(value, code, precision, flags, None)
    made = ctypes.string_at(text)
    _FREE_TEXT(text)
    ctypes.memmove(target, made, len(made))
    return len(made)


def double_of_text(text: int, size: int, out: int) -> int:
    """1, and the bits at `out` of the float that a text of ASCII is; 0 if it is none."""
    try:
        value = float(ctypes.string_at(text, size))
    except ValueError:
        return 0
    ctypes.c_double.from_address(out).value = value
    return 1


def floor_of(word: int) -> int:
    """The bits of the largest whole f64 that is not greater than one, given as bits."""
    value = ctypes.c_double.from_buffer(ctypes.c_int64(word)).value
    whole = math.floor(value) if math.isfinite(value) else value
    return ctypes.c_int64.from_buffer(ctypes.c_double(whole)).value


class _Api:
    """A function of Python's C API that takes and gives words; `result`: int, or object (a new or borrowed address)."""

    def __init__(self, name: str, count: int, *, gives_int: bool = False) -> None:
        self.name = name
        self.count = count
        self.gives_int = gives_int
        result = ctypes.c_int if gives_int else ctypes.c_int64
        self._function: Any = ctypes.PYFUNCTYPE(result, *[ctypes.c_int64] * count)((name, ctypes.pythonapi))

    def __call__(self, *words: int) -> int:
        return self._function(*words)

    def text(self, name: str) -> str:
        """The function over words, as LLVM text."""
        given = ", ".join(f"i64 %w{k}" for k in range(self.count))
        types = ", ".join(["i64"] * self.count)
        type_ = "i32" if self.gives_int else "i64"
        made = f"  %made = call {type_} @{self.name}({given})\n"
        end = "  %wide = sext i32 %made to i64\n  ret i64 %wide\n" if self.gives_int else "  ret i64 %made\n"
        head = f"declare {type_} @{self.name}({types})\ndefine i64 @jb_{name}({given}) nounwind {{\n"
        return f"{head}{made}{end}}}\n"


new_int = _Api("PyLong_FromLongLong", 1)
new_str = _Api("PyUnicode_FromKindAndData", 3)
new_tuple_object = _Api("PyTuple_New", 1)
put_in_tuple = _Api("PyTuple_SetItem", 3, gives_int=True)
new_list_object = _Api("PyList_New", 1)
put_in_list = _Api("PyList_SetItem", 3, gives_int=True)
new_dict_object = _Api("PyDict_New", 0)
put_in_dict = _Api("PyDict_SetItem", 3, gives_int=True)
put_in_ordered = _Api("PyObject_SetItem", 3, gives_int=True)
new_set_object = _Api("PySet_New", 1)
new_frozenset_object = _Api("PyFrozenSet_New", 1)
put_in_set = _Api("PySet_Add", 2, gives_int=True)
called_with = _Api("PyObject_CallOneArg", 2)
called_with_all = _Api("PyObject_Call", 3)
attribute_of = _Api("PyObject_GetAttr", 2)
extend_in_place = _Api("PySequence_InPlaceConcat", 2)
list_of_items = _Api("PySequence_List", 1)
list_of_entries = _Api("PyMapping_Items", 1)
called = _Api("PyObject_CallNoArgs", 1)
new_bool = _Api("PyBool_FromLong", 1)
keep = _Api("Py_IncRef", 1)
drop = _Api("Py_DecRef", 1)
begin_python = _Api("PyGILState_Ensure", 0, gives_int=True)
end_python = _Api("PyGILState_Release", 1)
collect_no_more = _Api("PyGC_Disable", 0, gives_int=True)
collect_again = _Api("PyGC_Enable", 0, gives_int=True)
forget_error = _Api("PyErr_Clear", 0)
size_of_list = _Api("PyList_Size", 1)
item_of_list = _Api("PyList_GetItem", 2)
replace_in_list = _Api("PyList_SetSlice", 4, gives_int=True)
size_of_tuple = _Api("PyTuple_Size", 1)
item_of_tuple = _Api("PyTuple_GetItem", 2)
clear_dict = _Api("PyDict_Clear", 1)
remove_from_set = _Api("PySet_Discard", 2, gives_int=True)
append_to_list = _Api("PyList_Append", 2, gives_int=True)
size_of_str = _Api("PyUnicode_GetLength", 1)
str_to_codes = _Api("PyUnicode_AsUCS4", 4)
API: Final[Mapping[str, _Api]] = {name: value for name, value in list(globals().items()) if isinstance(value, _Api)}


def int_of(obj: int, out: int) -> int:
    """Put an int of Python's at a place, if it fits 64 bits: whether it does."""
    value = int(ctypes.cast(obj, ctypes.py_object).value)
    if not -(2**63) <= value < 2**63:
        return 0
    ctypes.c_int64.from_address(out).value = value
    return 1


def dict_entry_after(obj: int, place: int) -> int:
    """Whether a dict has an entry after the position at a place, which is moved; its key and value are put behind."""
    return _NEXT_ENTRY(obj, place, place + 8, place + 16)


def types() -> int:
    """Where the addresses of the classes of values are, by their kinds."""
    return ctypes.addressof(_TYPES)


def given_texts() -> int:
    """Where it says how many strings were given as objects, and which: pairs of addresses from the third word on. It is
    changed with Python's lock held."""
    return ctypes.addressof(_GIVEN)


def given_ints() -> int:
    """Where it says how many ints were given as objects, and which: pairs of numbers and addresses from the third word
    on."""
    return ctypes.addressof(_GIVEN_INTS)


def factories() -> int:
    """Where the addresses of default factories are, by their numbers."""
    return FACTORIES.addresses.ctypes.data


def none_object() -> int:
    """The address of None."""
    return id(None)


def deque_class() -> int:
    """The address of `collections.deque`."""
    return id(collections.deque)


def new_float(bits: int) -> int:
    """A float of Python's."""
    made = ctypes.c_double.from_buffer(ctypes.c_int64(bits)).value
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    return id(made)


def new_numpy(number: int, bits: int) -> int:
    """A number of NumPy's, of the class with a number among `NUMPY`, whose kind is so much more than the first one."""
    made = np.array([bits]).view(list(NUMPY)[number])[0]
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    return id(made)


NEW_NUMPY: Final = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


@NEW_NUMPY
def read_numpy(data: int, descr: int, _: int | None) -> object:
    """What NumPy's function `PyArray_Scalar` does, where that is not found."""
    dtype = ctypes.cast(descr, ctypes.py_object).value
    return np.frombuffer(ctypes.string_at(data, dtype.itemsize), dtype)[0]


COUNTS: Final[Mapping[str, int]] = {
    "allocate": 2, "same_bytes": 3, "find_byte": 3, "seed": 0, "poisons": 0, "free": 2, "hash_of_bytes": 2,
    "floor_of": 1, "character_block": 1, "double_text": 5, "double_of_text": 3, "none_object": 0, "deque_class": 0,
    "new_float": 1, "int_of": 2, "given_texts": 0, "given_ints": 0, "dict_entry_after": 2, "types": 0, "factories": 0,
    "new_numpy": 2,
    **{n: f.count for n, f in API.items()},
}  # fmt: skip
"""How many words each takes."""

SYMBOLS: Final = (
    "PyOS_double_to_string", "PyOS_string_to_double", "PyMem_Free",
    "PyErr_Occurred", "PyErr_Clear", "PyGILState_Ensure", "PyGILState_Release", HASH_NAME, "PyFloat_FromDouble",
    "_Py_NoneStruct", "PyLong_AsLongLongAndOverflow", "PyDict_Next",
    *(f.name for f in API.values()),
)  # fmt: skip

_OWN: Final = f"""
declare ptr @jc_alloc(ptr, i64)
declare void @jc_drop(ptr, ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare ptr @memchr(ptr, i32, i64)
@jb_secret = global i64 0
declare ptr @PyOS_double_to_string(double, i8, i32, i32, ptr)
declare double @PyOS_string_to_double(ptr, ptr, ptr)
declare void @PyMem_Free(ptr)
declare ptr @PyErr_Occurred()
declare ptr @PyFloat_FromDouble(double)
@_Py_NoneStruct = external global i8
declare i64 @{HASH_NAME}(ptr, i64)
declare double @llvm.floor.f64(double)
declare i64 @strlen(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i64 @jb_allocate(i64 %ctx.word, i64 %size) nounwind {{
  %ctx = inttoptr i64 %ctx.word to ptr
  %made = call ptr @jc_alloc(ptr %ctx, i64 %size)
  %word = ptrtoint ptr %made to i64
  %none = icmp eq i64 %word, 0
  %data = add i64 %word, {HEADER}
  %found = select i1 %none, i64 0, i64 %data
  ret i64 %found
}}

define i64 @jb_free(i64 %ctx.word, i64 %word) nounwind {{
  %ctx = inttoptr i64 %ctx.word to ptr
  %block = sub i64 %word, {HEADER}
  %at = inttoptr i64 %block to ptr
  call void @jc_drop(ptr %ctx, ptr %at)
  ret i64 0
}}

define i64 @jb_same_bytes(i64 %a, i64 %b, i64 %size) nounwind alwaysinline {{
  %x = inttoptr i64 %a to ptr
  %y = inttoptr i64 %b to ptr
  %order = call i32 @memcmp(ptr %x, ptr %y, i64 %size)
  %same = icmp eq i32 %order, 0
  %word = zext i1 %same to i64
  ret i64 %word
}}

define i64 @jb_find_byte(i64 %word, i64 %size, i64 %byte) nounwind alwaysinline {{
  %at = inttoptr i64 %word to ptr
  %sought = trunc i64 %byte to i32
  %found = call ptr @memchr(ptr %at, i32 %sought, i64 %size)
  %place = ptrtoint ptr %found to i64
  %none = icmp eq i64 %place, 0
  %number = sub i64 %place, %word
  %made = select i1 %none, i64 -1, i64 %number
  ret i64 %made
}}

@jb_poison = global i64 0
define i64 @jb_poisons() nounwind alwaysinline {{
  %is = load i64, ptr @jb_poison
  ret i64 %is
}}

define i64 @jb_seed() nounwind alwaysinline {{
  %secret = load i64, ptr @jb_secret
  ret i64 %secret
}}

define i64 @jb_hash_of_bytes(i64 %word, i64 %size) nounwind {{
  %at = inttoptr i64 %word to ptr
  %made = call i64 @{HASH_NAME}(ptr %at, i64 %size)
  ret i64 %made
}}

define i64 @jb_floor_of(i64 %word) nounwind {{
  %x = bitcast i64 %word to double
  %made = call double @llvm.floor.f64(double %x)
  %bits = bitcast double %made to i64
  ret i64 %bits
}}

@jb_fill_characters = global ptr null
@jb_characters = global [4352 x i64] zeroinitializer

; What is known of the 256 characters from a number on (a multiple of 256): 64 bytes each.
define i64 @jb_character_block(i64 %first) nounwind {{
entry:
  %index = lshr i64 %first, 8
  %at = getelementptr [4352 x i64], ptr @jb_characters, i64 0, i64 %index
  %known = load i64, ptr %at
  %is = icmp ne i64 %known, 0
  br i1 %is, label %done, label %fill
fill:
  %function = load ptr, ptr @jb_fill_characters
  %made = call i64 %function(i64 %index)
  store i64 %made, ptr %at
  ret i64 %made
done:
  ret i64 %known
}}

; The text of an f64 as Python's C API writes it, of at most `room` bytes: its length.
define i64 @jb_double_text(i64 %bits, i64 %code, i64 %precision, i64 %flags, i64 %target) nounwind {{
entry:
  %x = bitcast i64 %bits to double
  %c = trunc i64 %code to i8
  %p = trunc i64 %precision to i32
  %f = trunc i64 %flags to i32
  %gil = call i64 @jb_begin_python()
  %made = call ptr @PyOS_double_to_string(double %x, i8 %c, i32 %p, i32 %f, ptr null)
  %none = icmp eq ptr %made, null
  br i1 %none, label %failed, label %copy
copy:
  %size = call i64 @strlen(ptr %made)
  %at = inttoptr i64 %target to ptr
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %made, i64 %size, i1 false)
  call void @PyMem_Free(ptr %made)
  %released.1 = call i64 @jb_end_python(i64 %gil)
  ret i64 %size
failed:
  call i64 @PyErr_Clear()
  %released.2 = call i64 @jb_end_python(i64 %gil)
  ret i64 0
}}

; 1 and the bits at `out` of the number that a text of ASCII (which ends in a zero byte) is; 0 if it is none.
define i64 @jb_double_of_text(i64 %text, i64 %size, i64 %out) nounwind {{
entry:
  %at = inttoptr i64 %text to ptr
  %gil = call i64 @jb_begin_python()
  %made = call double @PyOS_string_to_double(ptr %at, ptr null, ptr null)
  %error = call ptr @PyErr_Occurred()
  %fine = icmp eq ptr %error, null
  br i1 %fine, label %good, label %bad
good:
  %to = inttoptr i64 %out to ptr
  store double %made, ptr %to
  %released.3 = call i64 @jb_end_python(i64 %gil)
  ret i64 1
bad:
  call i64 @PyErr_Clear()
  %released.4 = call i64 @jb_end_python(i64 %gil)
  ret i64 0
}}
"""

_OBJECTS: Final = """
@jb_deque = global i64 0
@jb_types_table = global [64 x i64] zeroinitializer
@jb_read_numpy = global ptr null
@jb_numpy_descrs = global [16 x ptr] zeroinitializer
declare i64 @PyLong_AsLongLongAndOverflow(i64, ptr)
declare i32 @PyDict_Next(i64, ptr, ptr, ptr)

@jb_given = global [4098 x i64] zeroinitializer
@jb_ints = global [32770 x i64] zeroinitializer
define i64 @jb_given_ints() nounwind alwaysinline {
  ret i64 ptrtoint (ptr @jb_ints to i64)
}

define i64 @jb_given_texts() nounwind alwaysinline {
  ret i64 ptrtoint (ptr @jb_given to i64)
}

define i64 @jb_types() nounwind alwaysinline {
  ret i64 ptrtoint (ptr @jb_types_table to i64)
}

@jb_factories_table = global i64 0
define i64 @jb_factories() nounwind {
  %table = load i64, ptr @jb_factories_table
  ret i64 %table
}

define i64 @jb_int_of(i64 %object, i64 %out) nounwind {
  %overflow = alloca i32
  %made = call i64 @PyLong_AsLongLongAndOverflow(i64 %object, ptr %overflow)
  %at = inttoptr i64 %out to ptr
  store i64 %made, ptr %at
  %over = load i32, ptr %overflow
  %fits = icmp eq i32 %over, 0
  %word = zext i1 %fits to i64
  ret i64 %word
}

define i64 @jb_dict_entry_after(i64 %object, i64 %place) nounwind {
  %at = inttoptr i64 %place to ptr
  %key = getelementptr i8, ptr %at, i64 8
  %value = getelementptr i8, ptr %at, i64 16
  %more = call i32 @PyDict_Next(i64 %object, ptr %at, ptr %key, ptr %value)
  %word = zext i32 %more to i64
  ret i64 %word
}

define i64 @jb_new_numpy(i64 %number, i64 %bits) nounwind {
  %data = alloca i64
  store i64 %bits, ptr %data
  %at = getelementptr [16 x ptr], ptr @jb_numpy_descrs, i64 0, i64 %number
  %descr = load ptr, ptr %at
  %function = load ptr, ptr @jb_read_numpy
  %made = call ptr %function(ptr %data, ptr %descr, ptr null)
  %word = ptrtoint ptr %made to i64
  ret i64 %word
}

define i64 @jb_none_object() nounwind {
  ret i64 ptrtoint (ptr @_Py_NoneStruct to i64)
}

define i64 @jb_deque_class() nounwind {
  %class = load i64, ptr @jb_deque
  ret i64 %class
}

define i64 @jb_new_float(i64 %bits) nounwind {
  %x = bitcast i64 %bits to double
  %made = call ptr @PyFloat_FromDouble(double %x)
  %word = ptrtoint ptr %made to i64
  ret i64 %word
}
"""
TEXT: Final = _OWN + _OBJECTS + "".join(f.text(name) for name, f in API.items())
