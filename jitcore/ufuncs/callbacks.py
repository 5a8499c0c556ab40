"""`cfunc`: a Python function as a C function that libraries call back."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from jitcore.backends.cpython import callback_entry
from jitcore.backends.cpython.callback_entry import POINTED, CType
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.signature import Arg, ArrayArg, NumberArg, ResultConstant, ResultNumber, StaticArg
from jitcore.passes.infer.domain.values import Array, Static, Value
from jitcore.passes.infer.engine.core import Infer
from jitcore.passes.infer.engine.models import models
from jitcore.runtime import errors, records
from jitcore.source import NOWHERE, CompileError, Problem
from jitcore.types import BOOL, FLOAT, INT, dtype_of
from jitcore.ufuncs import loops, numpy_ufuncs
from jitcore.ufuncs import signatures as reading
from jitcore.ufuncs.options import require
from jitcore.ufuncs.signatures import Typed

_NUMBERS: Final[dict[str, type]] = {"b": bool, "i": int, "u": int, "f": float}
"""The class of a number of a dtype of some kind."""


class CFunc:
    """A C function of a Python function. Calling it calls the Python function; compiled code is inlined."""

    def __init__(self, function: FunctionType, signature: reading.Signature) -> None:
        arguments = [_c_type(t) for t in signature.arguments]
        if signature.result is None or len(signature.result) > 1:
            raise TypeError("a signature of cfunc says what is returned, one number or void: 'float64(float64)'")
        returned = signature.result[0] if signature.result else None
        result = None if returned is None else _c_type(returned)
        if result is not None and result.is_pointer:
            raise TypeError("a C function made of a Python function returns a number or nothing, no pointer")
        self.__jitcore_function__ = function
        functools.update_wrapper(cast("Any", self), function)
        self.native_name = f"cfunc_{function.__name__ if function.__name__.isidentifier() else 'function'}"
        program = _compiled(function, arguments, result)
        known = None if result is None else _known(program.result)
        first = 1 if result is None else 2  # what comes before the arguments
        inputs = [program.words(k) if (at := program.argument(k)) is None else at - first for k in program.numbers]
        self._program = program
        report = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._report)
        address = cast(int, ctypes.cast(report, ctypes.c_void_p).value)
        native = program.native
        self._code = callback_entry.callback(
            self.native_name, arguments, result, inputs, native.program.out_words, known, native.run_address, address
        )
        self.address: int = self._code.addresses[self.native_name]
        kind = ctypes.CFUNCTYPE(None if returned is None else _ctypes(returned), *map(_ctypes, signature.arguments))
        self.ctypes = kind(self.address)
        numpy_ufuncs.kept((self, report))

    def _report(self, ctx: int) -> None:
        """Raise what a call ended with: ctypes tells `sys.unraisablehook`, since the caller has no exceptions."""
        raise errors.user_error(self._program.native.failed(ctx))

    @property
    def __wrapped__(self) -> FunctionType:
        return self.__jitcore_function__

    @__wrapped__.setter
    def __wrapped__(self, function: FunctionType) -> None:
        assert function is self.__jitcore_function__

    def __call__(self, *args: object) -> Any:
        return self.__jitcore_function__(*args)

    def inspect_llvm(self) -> str:
        """The LLVM text of the program."""
        return self._program.native.texts["llvm"]()

    def __repr__(self) -> str:
        return f"<cfunc {self.__jitcore_function__.__name__!r} at {self.address:#x}>"


def cfunc(sig: object, /, **options: object) -> Callable[[Callable[..., object]], CFunc]:
    """A function as a C function: `@cfunc("float64(float64, int32)")`, with numba's signatures.

    `address` is where it is, `ctypes` what ctypes calls and SciPy makes a `LowLevelCallable` of, `native_name` its
    symbol; calling the object itself calls the plain function. Arguments are Python numbers; pointers
    (`CPointer(float64)`, `voidptr`) are made arrays by `carray`. It may be called without the GIL, from any thread.
    Globals are those at the time of the decoration.

    C has no exceptions: one that leaves the function is printed (`sys.unraisablehook`), and NaN is returned, or 0 where
    an integer is.

    Raises TypeError for signatures that C has no types for, CompileError for what cannot be compiled.

    >>> import math
    >>> @cfunc("float64(float64)")
    ... def density(x):
    ...     return math.exp(-x * x / 2)
    >>> density.ctypes(0.0)
    1.0
    """
    require("cfunc", options)
    signature = reading.parsed(sig)

    def made(function: Callable[..., object]) -> CFunc:
        if not isinstance(function, FunctionType):
            raise TypeError(f"cfunc makes C functions of functions, not of {type(function).__name__}")
        if function.__code__.co_argcount != len(signature.arguments):
            raise TypeError(
                f"a signature of {function.__name__!r} has {len(signature.arguments)} arguments, "
                f"where there are {function.__code__.co_argcount}"
            )
        records.declare(function)
        return CFunc(function, signature)

    return made


def carray(ptr: object, shape: int | tuple[int, ...], dtype: npt.DTypeLike | None = None) -> np.ndarray[Any, Any]:
    """What lies behind a pointer that a function under `cfunc` is given, as an array of a shape (an int or a tuple), in
    row-major order; `dtype` says of what, behind a `voidptr`. In plain Python it takes ctypes' pointers."""
    if isinstance(ptr, ctypes._Pointer | ctypes.c_void_p):  # pyright: ignore[reportPrivateUsage]
        return _of_ctypes(ptr, shape, dtype)
    raise TypeError(f"carray is given a pointer of a function under cfunc, or one of ctypes, not {type(ptr).__name__}")


def _of_ctypes(ptr: object, shape: int | tuple[int, ...], dtype: npt.DTypeLike | None) -> np.ndarray[Any, Any]:
    if isinstance(ptr, ctypes.c_void_p) and dtype is not None:
        ptr = ctypes.cast(ptr, ctypes.POINTER(np.ctypeslib.as_ctypes_type(dtype)))
    return np.ctypeslib.as_array(ptr, shape if isinstance(shape, tuple) else (shape,))


@models(carray)
def _carray(infer: Infer, ptr: Value, shape: Value, dtype: Value = Static(None)) -> Value:
    if not isinstance(ptr, Array):
        raise infer.unsupported("carray of what is no pointer", "a parameter that the signature says is one")
    given = infer.need_static(dtype, "the dtype of carray")
    wanted = ptr.type.dtype.numpy if given is None else np.dtype(given)
    if wanted != ptr.type.dtype.numpy:
        if ptr.path is None:
            raise infer.unsupported(f"a pointer to {ptr.type.dtype.numpy} read as one to {wanted}", "one dtype for it")
        raise _PointsToError(ptr.path[1], wanted)
    return abstract.call(infer, Static(_behind), [ptr, shape], {})


def _behind(memory: np.ndarray[Any, Any], shape: int | tuple[int, ...]) -> object:
    extents = shape if isinstance(shape, tuple) else (shape,)
    count = 1
    for extent in extents:
        if extent < 0:
            raise ValueError("an array behind a pointer has no negative extents")
        count = count * extent
    return memory[:count].reshape(extents)


class _PointsToError(CompileError):
    """A function reads elements of a dtype behind a pointer whose signature says `void*`."""

    def __init__(self, argument: int, dtype: np.dtype[Any]) -> None:
        super().__init__([Problem(NOWHERE, f"a void* is read as a pointer to {dtype}")])
        self.argument, self.dtype = argument, dtype


def _compiled(function: FunctionType, arguments: list[CType], result: CType | None) -> loops.Compiled:
    """The program of a function; in `arguments` pointers have the types that they are read by."""
    caller, first = _nothing_of, [StaticArg(function)]
    if result is not None:
        caller, first = _number_of, [StaticArg(function), StaticArg(_NUMBERS[result.dtype.kind])]
    retyped: set[int] = set()
    while True:
        try:
            return loops.compiled(caller, [*first, *map(_argument, arguments)])
        except _PointsToError as found:
            k = found.argument - len(first)
            if k in retyped:
                raise
            retyped.add(k)
            arguments[k] = CType(dtype_of(found.dtype), True)


def _number_of(function: Callable[..., Any], cls: type, *args: object) -> Any:
    return cls(function(*args))


def _nothing_of(function: Callable[..., Any], *args: object) -> None:
    function(*args)


def _known(result: object) -> float | None:
    if isinstance(result, ResultNumber):
        return None
    if isinstance(result, ResultConstant) and isinstance(result.value, bool | int | float):
        return result.value
    raise CompileError([Problem(NOWHERE, "a C function returns one number", "return a number on every path")])


def _c_type(typed: Typed) -> CType:
    dtype = dtype_of(typed.dtype)
    if typed.rank is not None:
        raise TypeError("C has no arrays: write CPointer(float64), and carray(pointer, shape) in the function")
    if not typed.is_pointer and (dtype.kind not in _NUMBERS or typed.dtype == np.float16):
        raise TypeError(f"C functions have no {typed.dtype} that a Python function could be given")
    return CType(dtype, typed.is_pointer)


def _argument(type_: CType) -> Arg:
    if type_.is_pointer:
        return ArrayArg(type_.dtype, (POINTED // type_.dtype.itemsize,), "ndarray")
    return NumberArg({"b": BOOL, "f": FLOAT}.get(type_.dtype.kind, INT).dtype)


def _ctypes(typed: Typed) -> Any:
    if typed.is_void:
        return ctypes.c_void_p
    made = np.ctypeslib.as_ctypes_type(typed.dtype)
    return made if not typed.is_pointer else ctypes.POINTER(made)
