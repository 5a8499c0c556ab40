"""Inner loops of ufuncs: programs for each way that operands lie in memory, made when they are first needed."""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable, Iterator, Sequence
from threading import get_ident
from typing import Any, Final, cast

import numpy as np

from jitcore.backends import lookup
from jitcore.backends.cpython import loop_entry
from jitcore.backends.cpython.loop_entry import (
    ACCUMULATED,
    CONTIGUOUS,
    ONE,
    REDUCED,
    Given,
    Known,
    Operand,
)
from jitcore.backends.native.host.loaded import NativeProgram
from jitcore.config import settings
from jitcore.exports.arguments import array_of
from jitcore.forking import process_lock
from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import FOR, WHILE
from jitcore.ir.nodes import Module
from jitcore.passes.count import Count
from jitcore.passes.fuse import Fuse
from jitcore.passes.hoist import Hoist
from jitcore.passes.infer.domain.signature import Arg, ArrayArg, Input, Result, StaticArg
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.plan import plan
from jitcore.passes.registry import run_passes
from jitcore.primitives.core.registry import Primitive
from jitcore.program.nodes import Program
from jitcore.runtime import compile as driver
from jitcore.runtime import errors
from jitcore.runtime.descriptions import describe_captured
from jitcore.runtime.interrupts import carried
from jitcore.runtime.specialisation import resolve
from jitcore.source import NOWHERE, CompileError, Problem
from jitcore.structs import dataclass
from jitcore.types import Dim, ScalarType, dtype_of, fresh_symbol

_ENTRY: Final = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_ssize_t),
    ctypes.POINTER(ctypes.c_ssize_t),
    ctypes.c_void_p,
)
_WORD: Final = struct.Struct("=q")
_FLOAT: Final = struct.Struct("=d")


@dataclass(frozen=True, slots=True)
class Body:
    """What a loop does: `function(*statics, *arrays)` for arrays that have the loop's axis, which writes to the last
    ones. `of_elements`: inputs that are one for all rounds have no such axis."""

    function: Callable[..., None]
    statics: tuple[object, ...]
    plainly: Callable[..., object]
    """What is called for each round, where nothing is compiled, with the operands: numbers, and arrays of the core
    dimensions."""
    of_elements: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """An operand: its dtype, the numbers of its core dimensions, whether it is an input, and whether one without core
    dimensions is an array of one element to the function."""

    dtype: np.dtype[Any]
    core: tuple[int, ...]
    is_input: bool
    axis: bool = False


class Loop:
    """A loop of a ufunc for operands of some dtypes; `address` is what NumPy calls. `reduced` and `accumulated` are
    what the rounds of reductions do, where the body `folds`."""

    def __init__(
        self,
        places: Sequence[Place],
        body: Body,
        folding: tuple[Callable[..., None], Callable[..., None]] | None = None,
    ) -> None:
        self.places = tuple(places)
        self._body = body
        self._folding = folding
        self._operands = tuple(
            Operand(p.dtype.itemsize, p.core, p.is_input, p.is_input and body.of_elements) for p in places
        )
        count = loop_entry.keys(self._operands)
        self._table = (ctypes.c_void_p * count)()
        self._programs: dict[int, tuple[Compiled | None, object]] = {}
        self._errors: dict[tuple[int, int], BaseException] = {}
        """By the place of an entry, and the thread."""
        self._lock = process_lock()
        missing = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(self._missing)
        problem = ctypes.CFUNCTYPE(ctypes.py_object, ctypes.c_int64, ctypes.c_void_p)(self._problem)
        self._callbacks = (missing, problem)
        addresses = [cast(int, ctypes.cast(f, ctypes.c_void_p).value) for f in self._callbacks]
        table = ctypes.addressof(self._table)
        self._code = loop_entry.loop(self._operands, table, *addresses, folds=folding is not None)
        self.address = self._code.addresses["loop"]

    def prepare(self) -> None:
        """Make the entry for contiguous operands. Raises CompileError."""
        self._entry(loop_entry.key_of(self._operands, (CONTIGUOUS,) * len(self.places)))

    # --- callbacks, which must not raise ---------------------------------------------------------------

    def _missing(self, key: int) -> int | None:
        try:
            return carried(lambda: self._entry(key))
        except BaseException as error:
            self._errors[key, get_ident()] = error
            return None

    def _problem(self, key: int, ctx: int | None) -> BaseException:
        try:
            program = None if ctx is None else self._programs[key][0]
            if program is None or ctx is None:
                return self._errors.pop((key, get_ident())).with_traceback(None)
            return errors.user_error(program.native.failed(ctx))
        except BaseException as error:
            return error

    def _interpret(self, key: int, data: Sequence[int], dims: Sequence[int], strides: Sequence[int], _: int) -> int:
        """A loop, line by line: for a debugger."""
        try:
            arrays = [
                _at(data[k], place, dims, strides[k], [strides[at + j] for j in range(len(place.core))])
                for k, (place, at) in enumerate(zip(self.places, self._starts(), strict=True))
            ]
            for k in range(dims[0]):
                self._body.plainly(*(array[k] for array in arrays))
        except BaseException as error:
            self._errors[key, get_ident()] = error
            return 1
        return 0

    def _starts(self) -> Iterator[int]:
        """Where the strides of each operand's core dimensions begin."""
        start = len(self.places)
        for place in self.places:
            yield start
            start += len(place.core)

    # --- programs ---------------------------------------------------------------------------------------

    def _entry(self, key: int) -> int:
        """The address of an entry, made if it is not there."""
        with self._lock:
            if key not in self._programs and not settings.jit:
                callback = _ENTRY(functools.partial(self._interpret, key))
                self._programs[key] = None, callback
                self._table[key] = ctypes.cast(callback, ctypes.c_void_p).value
            elif key not in self._programs:
                way, shared = loop_entry.way_of(self._operands, key)
                made, inputs = self._compiled(way, shared)
                native = made.native
                in_parts = made.goes_by_rounds and not isinstance(way, str) and (self._body.of_elements or not shared)
                words, run = native.program.out_words, native.run_address
                code = loop_entry.entry(self._operands, inputs, words, run, in_parts=in_parts)
                self._programs[key] = made, code
                (self._table[key],) = code.addresses.values()
            found = self._table[key]
            assert found is not None
            return found

    def _compiled(self, way: Sequence[int] | str, shared: bool) -> tuple[Compiled, list[Given | Known]]:
        """The program for operands that lie in some way, and its inputs."""
        function, order, looped = self._body.function, list(range(len(self.places))), [True] * len(self.places)
        contiguous = [False] * len(self.places)
        if isinstance(way, str):
            assert self._folding is not None
            function, shared = self._folding[way == ACCUMULATED], False
            if way == REDUCED:  # what is reduced to is the first input, too
                order, looped = [1, 2], [False, True, False]
            else:
                looped = [False, True, True]
        else:
            looped = [kind != ONE for kind in way]
            contiguous = [kind == CONTIGUOUS for kind in way]
        n = fresh_symbol("n")
        dims: dict[int, Dim] = {}
        args: list[Arg] = list(map(StaticArg, self._body.statics))
        for k in order:
            args.append(self._argument(k, n, dims, looped[k], contiguous[k]))
        places = dict(enumerate(order, len(self._body.statics)))
        made = compiled(
            function,
            args,
            lambda inputs: self._overlaps(inputs, places) if shared else [frozenset[int]()] * len(inputs),
        )
        inputs: list[Given | Known] = []
        for number in made.numbers:
            at = made.argument(number)
            if at is not None and self.places[places[at]].is_input and made.is_written(number):
                name = f"input {places[at] + 1}"
                raise refused(
                    f"it writes to {name}, which may be anything's memory", "an output, or a copy of the input"
                )
            if at is None:
                inputs.append(Known(made.words(number)))
            else:
                k = places[at]
                inputs.append(Given(k, looped[k], self.places[k].axis))
        return made, inputs

    def _argument(self, k: int, n: Dim, dims: dict[int, Dim], looped: bool, contiguous: bool) -> ArrayArg:
        place = self.places[k]
        shape: list[Dim] = [n] if looped else []
        shape += [dims.setdefault(d, fresh_symbol("d")) for d in place.core]
        if place.axis:
            shape.append(1)
        return ArrayArg(dtype_of(place.dtype), tuple(shape), "ndarray", contiguous or not shape)

    def _overlaps(self, inputs: Sequence[Input], places: dict[int, int]) -> list[frozenset[int]]:
        """Which inputs of a program share memory, if inputs of the ufunc are outputs as well."""
        reads = [i.path[0] == "arg" and self.places[places[i.path[1]]].is_input for i in inputs]
        writes = [i.path[0] == "arg" and not self.places[places[i.path[1]]].is_input for i in inputs]
        every = range(len(inputs))
        return [frozenset(j for j in every if (reads[k] and writes[j]) or (writes[k] and reads[j])) for k in every]


class _Memory:
    """Memory as NumPy makes an array of it."""

    def __init__(self, **interface: object) -> None:
        self.__array_interface__ = {"version": 3, **interface}


def _at(address: int, place: Place, dims: Sequence[int], stride: int, core: Sequence[int]) -> np.ndarray[Any, Any]:
    """An operand, as an array that has the loop's axis first; an element without core dimensions is an array, too."""
    extents = [dims[1 + d] for d in place.core]
    if place.axis or (not place.core and not place.is_input):
        extents, core = [1], [place.dtype.itemsize]
    shape, strides = (dims[0], *extents), (stride, *core)
    return np.asarray(_Memory(data=(address, False), typestr=place.dtype.str, shape=shape, strides=strides))


class Compiled:
    """A program of a function for described arguments, what it gives, and its inputs by their `numbers`."""

    def __init__(self, native: NativeProgram, inputs: Sequence[Input], result: Result, goes_by_rounds: bool) -> None:
        self.native = native
        self.result = result
        self.goes_by_rounds = goes_by_rounds
        """Whether it is a loop in one thread, in which nothing depends on the order of other things."""
        self.numbers = range(len(inputs))
        self._inputs = inputs
        self._held: list[object] = []

    def argument(self, number: int) -> int | None:
        """Which argument an input is; None for what the function reads of the code outside."""
        path = self._inputs[number].path
        return path[1] if path[0] == "arg" and len(path) == 2 else None

    def is_written(self, number: int) -> bool:
        """Whether the program writes to an input."""
        return self._inputs[number].written

    def words(self, number: int) -> tuple[int, ...]:
        """What the function reads of the code outside, as words: numbers as they are now, arrays where they are."""
        spec = self._inputs[number]
        value = spec.source if spec.source is not None else resolve(spec.path, (), {})
        if isinstance(spec.type, ScalarType):
            return _words_of_number(spec.type, cast("complex", value))
        array = array_of(value)
        if spec.category not in ("ndarray", "npscalar") or not isinstance(array, np.ndarray | np.generic):
            raise refused(f"it reads an object of {type(value).__name__}")
        if spec.written:
            raise refused("it writes to an array that is no argument")
        held = np.asarray(array)
        self._held.append(held)
        return (held.ctypes.data, 0, *held.shape, *held.strides)


def compiled(
    function: Callable[..., object],
    args: Sequence[Arg],
    overlaps: Callable[[Sequence[Input]], Sequence[frozenset[int]]] | None = None,
) -> Compiled:
    """Compile a function for described arguments, for this machine's memory. Raises CompileError."""
    made = driver.compile_call(
        function,
        args,
        {},
        describe_captured,
        overlaps,
        shown=False,
        knows_numbers=False,
        judged=False,
        is_recorded=lambda _: True,
    )
    inferred = made.inferred
    if inferred.containers or inferred.attribute_writes or inferred.container_writes:
        raise refused("it changes lists, dicts or attributes of the code outside")
    fused = run_passes(run_passes(inferred.module, OPTIMISATIONS), (Count(), Hoist(), Fuse()))
    backend = lookup("CPU")
    loaded = backend.load(plan(fused, made.layouts, backend.memory))
    native = cast(NativeProgram, loaded)
    return Compiled(native, inferred.inputs, inferred.result, _goes_by_rounds(fused, native.program))


def _goes_by_rounds(module: Module, program: Program) -> bool:
    if program.host_calls or len(program.functions) > 1 or not program.sites:
        return False
    bindings = list(all_bindings(module.main))
    is_ordered = any(isinstance(b.op, Primitive) and b.op.effects.io for b in bindings)
    return not is_ordered and any(b.op in (FOR, WHILE) for b in bindings)


def _words_of_number(type_: ScalarType, number: complex) -> tuple[int, ...]:
    if type_.dtype.kind == "c":
        return tuple(_WORD.unpack(_FLOAT.pack(part))[0] for part in (number.real, number.imag))
    made = _FLOAT.pack(float(number.real)) if type_.dtype.is_float else _WORD.pack(int(number.real))
    return (_WORD.unpack(made)[0],)


def refused(message: str, hint: str = "an argument, or a result") -> CompileError:
    """What is raised for a program that native code cannot call."""
    return CompileError([Problem(NOWHERE, message, hint)], "cannot be called by native code")
