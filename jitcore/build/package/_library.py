"""A library of machine code as Python calls it, by ctypes; `interface.json` says what its functions take and give.

This file goes into wheels as it is: it needs NumPy and nothing else.
"""

from __future__ import annotations

import builtins
import ctypes
import inspect
import json
import re
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np

BOOL, INT, FLOAT, ARRAY = 1, 2, 3, 4
OK, UNFIT, FAILED, OVERLAP = 0, 1, 2, 3
MOST_AXES = 8
_PLAIN = {BOOL: bool, INT: int, FLOAT: float}
_KINDS = {cls.__name__: code for code, cls in _PLAIN.items()}
_CONTAINERS = {cls.__name__: cls for cls in (list, set, frozenset)}
_OF_ITEMS = {cls.__name__: cls for cls in (slice, range)}
_NEED_MORE = {
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeTranslateError",
    "ExceptionGroup",
    "BaseExceptionGroup",
}
"""Exceptions that are not made of a message alone."""

Table = Mapping[str, Any]


class Value(ctypes.Structure):
    """A number or an array, as C has it."""

    _fields_ = (
        ("kind", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("payload", ctypes.c_int64),
        ("owner", ctypes.c_uint64),
        ("shape", ctypes.c_int64 * MOST_AXES),
        ("strides", ctypes.c_int64 * MOST_AXES),
    )


class _Memory:
    """The memory of a result, which is given back when no array lies in it."""

    def __init__(self, free: Callable[[Value], object], value: Value, interface: Mapping[str, Any]) -> None:
        self._free, self._value = free, Value.from_buffer_copy(value)
        self.__array_interface__ = interface

    def __del__(self) -> None:
        self._free(self._value)


class Library:
    """The functions of a shared library, and what `interface.json` says of them."""

    def __init__(self, folder: Path) -> None:
        self.table: Table = json.loads((folder / "interface.json").read_text("utf-8"))
        self._code = ctypes.CDLL(str(folder / self.table["library"]))
        self.dtypes = {code: np.dtype(name) for code, name in enumerate(self.table["dtypes"], 1)}
        self.codes = {dtype: code for code, dtype in self.dtypes.items()}
        handle = ctypes.c_void_p
        self.new = self.function("new", handle)
        self.delete = self.function("delete", None, handle)
        self.error = self.function("error", ctypes.c_char_p, handle)
        self.free = self.function("free", None, ctypes.POINTER(Value))
        self.seed = self.function("seed", None, handle, ctypes.c_uint64)
        self.set_threads = self.function("set_threads", None, ctypes.c_int)

    def function(self, name: str, result: type[Any] | None, *arguments: type[Any]) -> Any:
        """A function of C's."""
        made = getattr(self._code, f"{self.table['name']}_{name}")
        made.restype, made.argtypes = result, arguments
        return made


class _Function:
    """One of a library's functions: from arguments to values as C has them, and back."""

    def __init__(self, library: Library, name: str, table: Table) -> None:
        self.name, self._library, self._table = name, library, table
        self._code = library.function(name, ctypes.c_int, ctypes.c_void_p, *[ctypes.POINTER(Value)] * 2)
        named = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in table["arguments"]]
        self.signature = inspect.Signature(named)
        self._written = frozenset[int](table["written"])

    def __call__(self, handle: int, lock: threading.Lock, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        kinds = self._table["inputs"]
        if keywords or len(args) != len(kinds):
            try:
                args = self.signature.bind(*args, **keywords).args
            except TypeError as error:
                raise TypeError(f"{self.name}(): {error}") from None
        leaves: list[Any] = []
        for name, arg, kind in zip(self._table["arguments"], args, kinds):  # noqa: B905  # both are as many as kinds
            self._flatten(name, arg, kind, leaves)
        given, out = (Value * max(len(leaves), 1))(), (Value * max(self._table["outputs"], 1))()
        seen = [self._put(given[k], leaf, k in self._written) for k, leaf in enumerate(leaves)]
        with lock:
            status = self._code(handle, given, out)
            text = "" if status == OK else self._library.error(handle).decode("utf-8", "replace")
        if status == OK:
            return self._result(self._table["result"], iter(out), leaves, seen)
        if status == FAILED:
            raise exception_of(text)
        raise {OVERLAP: ValueError, UNFIT: TypeError}.get(status, RuntimeError)(f"{self.name}(): {text}")

    def _flatten(self, where: str, given: object, kind: Table, leaves: list[Any]) -> None:
        """Add a value's arrays and numbers. Raises TypeError, and OverflowError, for what is not of the kind."""
        what, value = kind["is"], cast("Any", given)
        if what in ("tuple", "list"):
            if type(value).__name__ != what or len(value) != len(kind["items"]):
                raise self._unfit(where, value, kind)
            for k, inner in enumerate(kind["items"]):
                self._flatten(f"{where}[{k}]", value[k], inner, leaves)
        elif what == "dict":
            keys = list(map(constant_of, kind["keys"]))
            if type(value) is not dict or list(value) != keys:
                raise self._unfit(where, value, kind)
            for key, inner in zip(keys, kind["items"]):  # noqa: B905  # a kind for each key
                self._flatten(f"{where}[{key!r}]", value[key], inner, leaves)
        elif what == "constant":
            wanted = constant_of(kind["value"])
            if type(value) is not type(wanted) or value != wanted:
                raise self._unfit(where, value, kind)
        elif what == "array":
            is_array = type(value) in (np.ndarray, np.memmap) or isinstance(value, np.generic)
            if not is_array or value.dtype != kind["dtype"] or not _has_shape(value.shape, kind["shape"]):
                raise self._unfit(where, value, kind)
            leaves.append(value)
        else:
            if type(value) is not _PLAIN[_KINDS[what]]:
                raise self._unfit(where, value, kind)
            if what == "int" and not -(1 << 63) <= value < 1 << 63:
                raise OverflowError(f"{self.name}(): {where} is {value}, which has more than 64 bits")
            leaves.append(value)

    def _unfit(self, where: str, value: object, kind: Table) -> TypeError:
        return TypeError(f"{self.name}(): {where} must be {kind['text']}, and is {_told(value)}")

    def _put(self, to: Value, leaf: object, is_written: bool) -> np.ndarray[Any, Any] | None:
        """Have C see an array or number; the array that it sees."""
        if isinstance(leaf, (np.ndarray, np.generic)):
            array = np.require(leaf, requirements=["C", "A"])
            if is_written and array is not leaf:
                raise TypeError(f"{self.name}() writes to an argument, whose elements must lie in order (`x.copy()`)")
            if is_written and not array.flags.writeable:
                raise ValueError(f"{self.name}() writes to an argument, which is read-only")
            to.kind, to.dtype, to.rank = ARRAY, self._library.codes[array.dtype], array.ndim
            to.payload = _address(array)
            to.shape[: array.ndim], to.strides[: array.ndim] = array.shape, array.strides
            return array
        to.kind = _KINDS[type(leaf).__name__]
        number = cast("float", leaf)
        to.payload = int(np.float64(number).view(np.int64)) if to.kind == FLOAT else number
        return None

    def _result(self, kind: Table, values: Iterator[Value], leaves: Sequence[Any], seen: Sequence[Any]) -> Any:
        """A result, of the values that C gave, which are used up; `seen` are the arrays that it saw for the leaves."""
        what = kind["is"]
        if what == "constant":
            return constant_of(kind["value"])
        if what in ("number", "array"):
            made = self._taken(next(values), leaves, seen)
            return made[()] if kind.get("scalar") else made
        items = tuple([self._result(item, values, leaves, seen) for item in kind["items"]])
        if what == "dict":
            return dict(zip(map(constant_of, kind["keys"]), items))  # noqa: B905  # a key for each
        return _OF_ITEMS[what](*items) if what in _OF_ITEMS else _CONTAINERS.get(what, tuple)(items)

    def _taken(self, value: Value, leaves: Sequence[Any], seen: Sequence[Any]) -> Any:
        """A number; or an array, in memory of its own or in that of an argument, if it is not the very argument."""
        if value.kind != ARRAY:
            number = float(np.int64(value.payload).view(np.float64)) if value.kind == FLOAT else value.payload
            return _PLAIN[value.kind](number)
        shape, strides = tuple(value.shape[: value.rank]), tuple(value.strides[: value.rank])
        dtype = self._library.dtypes[value.dtype]
        arrays = [(leaf, array) for leaf, array in zip(leaves, seen) if array is not None]  # noqa: B905  # one for each
        if value.owner == 0:
            for leaf, array in arrays:
                if (_address(array), array.shape, array.strides) == (value.payload, shape, strides):
                    return leaf
        if 0 in shape:
            self._library.free(value)
            return np.empty(shape, dtype)
        for _, array in arrays:
            offset = value.payload - _address(array)
            if 0 <= offset < array.nbytes:
                self._library.free(value)
                return np.ndarray(shape, dtype, array.reshape(-1).view(np.uint8), offset, strides)
        is_owned = value.owner != 0 and value.owner % 2 == 0
        place = {"data": (value.payload, False), "shape": shape, "strides": strides, "typestr": dtype.str}
        memory = _Memory(self._library.free, value, {**place, "version": 3})
        return np.asarray(memory) if is_owned else np.array(np.asarray(memory))


def _address(array: np.ndarray[Any, Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _has_shape(shape: tuple[int, ...], wanted: Sequence[Any]) -> bool:
    return len(shape) == len(wanted) and all(
        not isinstance(n, int) or n == have
        for have, n in zip(shape, wanted)  # noqa: B905  # as many
    )


def _told(value: object) -> str:
    """A value as messages have it."""
    if isinstance(value, (np.ndarray, np.generic)):
        kind = "" if type(value) is np.ndarray else f"{type(value).__name__} "
        dtype = value.dtype.name if value.dtype.isnative else value.dtype.str
        return f"{kind}{dtype}[{', '.join(map(str, value.shape))}]"
    return type(value).__name__


def constant_of(told: object) -> Any:
    """A constant as JSON has it; tuples are `{"tuple": …}`."""
    return tuple(map(constant_of, cast("Table", told)["tuple"])) if isinstance(told, dict) else told


def exception_of(text: str) -> BaseException:
    """What a library's text says was raised: of a built-in class, or a RuntimeError that says the name of another."""
    name, message = cast("re.Match[str]", re.match(r"(\w*)(?:: |(?= \()|$)?(.*)", text, re.DOTALL)).groups()
    cls = getattr(builtins, name, None)
    if isinstance(cls, type) and issubclass(cls, BaseException) and name not in _NEED_MORE:
        return cls(message.strip())
    return RuntimeError(text)


class Model:
    """A model with parameters and a random state of its own, whose functions are methods, the first of them its call.
    Threads may share it: it is called by one after the other. Models of their own run side by side."""

    library: Library

    def __init__(self) -> None:
        handle = self.library.new()
        if not handle:
            raise MemoryError(f"there is no memory for a model of {self.library.table['name']}")
        self.handle, self.lock = handle, threading.Lock()
        weakref.finalize(self, self.library.delete, handle).atexit = False

    def __reduce__(self) -> NoReturn:
        raise TypeError("a model is neither copied nor pickled: make another one")


def _method(library: Library, name: str, table: Table) -> Any:
    """A function of a library as a method of its models."""
    function = _Function(library, name, table)

    def method(self: Model, *args: object, **keywords: object) -> Any:
        return function(self.handle, self.lock, args, keywords)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__name__, method.__qualname__, method.__doc__ = name, f"Model.{name}", table["doc"]
    cast("Any", method).__signature__ = inspect.Signature([own, *function.signature.parameters.values()])
    return method


def _seed(self: Model, key: int) -> None:
    """Begin random numbers anew, as after `jitcore.set_seed(key)`; a new model has a key of chance."""
    if not 0 <= key < 1 << 64:
        raise ValueError(f"the key must be from 0 to 2**64 - 1, and is {key}")
    with self.lock:
        self.library.seed(self.handle, key)


def load(folder: Path) -> dict[str, Any]:
    """What the package in a folder is to have: its functions, which are those of one model, `Model` and
    `set_threads`."""
    library = Library(folder)
    methods = {name: _method(library, name, table) for name, table in library.table["functions"].items()}
    parts = {"library": library, "__doc__": Model.__doc__, **methods, "__call__": next(iter(methods.values()))}
    if library.table["draws"]:
        parts["seed"] = _seed
    cls = type("Model", (Model,), {**parts, "__module__": library.table["name"]})
    model = cls()

    def set_threads(count: int) -> None:
        """Have kernels use at most so many threads, in all models; at first, as many as there are cores."""
        if count < 1:
            raise ValueError(f"kernels need at least one thread, not {count}")
        library.set_threads(count)

    names = [*methods, *(["seed"] if library.table["draws"] else [])]
    made = {**{name: getattr(model, name) for name in names}, "Model": cls, "set_threads": set_threads}
    return {**made, "__all__": list(made)}
