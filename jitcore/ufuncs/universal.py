"""ufuncs of Python functions: NumPy's own objects, to which loops are added for the dtypes they are called with."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.backends.cpython import loop_entry
from jitcore.forking import process_lock
from jitcore.passes.infer.domain.signature import ArrayArg, ResultArray, ResultContainer, ResultInput, StaticArg
from jitcore.primitives.core.loop_types import Given, input_types, signature_for
from jitcore.primitives.transforms import ELEMENTWISE, Elementwise, LoopTypes
from jitcore.runtime import compile as driver
from jitcore.runtime.descriptions import describe_captured
from jitcore.runtime.interrupts import carried
from jitcore.structs import replace
from jitcore.types import RefType, TensorType, dtype_of
from jitcore.ufuncs import numpy_ufuncs
from jitcore.ufuncs.loops import Body, Loop, Place

Array: TypeAlias = "np.ndarray[Any, Any]"
Elements: TypeAlias = "Callable[..., Any]"
"""A ufunc, as the programs of its loops call it."""
Types: TypeAlias = "tuple[np.dtype[Any], ...]"
"""The dtypes of a loop: of the inputs, then of the outputs."""

_WEAK: Final[dict[str, type]] = {"_PyLongDType": int, "_PyFloatDType": float, "_PyComplexDType": complex}
"""NumPy's classes of Python's numbers, whose dtype goes by the other arguments'."""


class Universal:
    """A ufunc and its loops. `chosen` gives the dtypes of the loop that serves arguments (their dtypes, or the classes
    of Python's numbers) and outputs (dtypes, None where none is given), or raises TypeError; `made` makes a loop."""

    def __init__(
        self,
        ufunc: np.ufunc,
        chosen: Callable[[Sequence[Given], Sequence[np.dtype[Any] | None]], Types],
        made: Callable[[Types], Loop],
        initial: Callable[[np.dtype[Any]], bytes | None],
        reorderable: bool,
    ) -> None:
        self.ufunc = ufunc
        self.loops: dict[Types, Loop] = {}
        self._chosen, self._made, self._initial, self._reorderable = chosen, made, initial, reorderable
        self._lock = process_lock()
        kind = ctypes.PYFUNCTYPE(ctypes.py_object, *[ctypes.c_void_p] * 4)
        self._callback = kind(self._choose)
        self._code = loop_entry.promoter(cast(int, ctypes.cast(self._callback, ctypes.c_void_p).value))
        numpy_ufuncs.add_promoter(ufunc, self._code.addresses["promote"])
        numpy_ufuncs.kept(self)

    def add(self, types: Types) -> Loop:
        """The loop for dtypes, which the ufunc has from here on."""
        with self._lock:
            if types not in self.loops:
                made, value, start = self._made(types), self._initial(types[0]), None
                if value is not None:
                    code = numpy_ufuncs.kept(loop_entry.initial(types[0].itemsize, value))
                    start = code.addresses["initial"]
                numpy_ufuncs.add_loop(self.ufunc, types, made.address, start, self._reorderable)
                self.loops[types] = made
                numpy_ufuncs.set_types(self.ufunc, list(self.loops))
            return self.loops[types]

    def _choose(self, _: int, dtypes: int, signature: int, chosen: int) -> BaseException | None:
        """NumPy has no loop for operands of these classes: choose one, which is made if it is not there."""
        try:
            nin, nargs = self.ufunc.nin, self.ufunc.nargs
            given, wanted = (_classes(at, nargs) for at in (dtypes, signature))
            inputs = [
                _given(w or g or next(filter(None, given))) for g, w in zip(given[:nin], wanted[:nin], strict=True)
            ]
            outputs = [None if w is None else _dtype(w) for w in wanted[nin:]]
            types = carried(lambda: self._chosen(inputs, outputs))
            carried(lambda: self.add(types))
            where = (ctypes.c_void_p * nargs).from_address(chosen)
            for k, dtype in enumerate(types):
                cls = type(dtype)
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(cls))
                where[k] = id(cls)
        except BaseException as error:
            return error.with_traceback(None)
        return None


def _classes(at: int, count: int) -> list[type | None]:
    return [
        None if address is None else ctypes.cast(address, ctypes.py_object).value
        for address in (ctypes.c_void_p * count).from_address(at)
    ]


def _given(cls: type) -> Given:
    return _WEAK.get(cls.__name__) or _dtype(cls)


def _dtype(cls: type) -> np.dtype[Any]:
    if cls.__name__ in _WEAK:
        return np.dtype(_WEAK[cls.__name__])
    try:
        return cast("np.dtype[Any]", cls())
    except TypeError:
        raise TypeError(f"ufuncs of Python functions compute with numbers, not with {cls.__name__}") from None


# --- of functions of elements ---------------------------------------------------------------------------


def _fill(universal: Elements, nin: int, *arrays: Array) -> None:
    made = universal(*arrays[:nin])
    if len(arrays) == nin + 1:
        arrays[nin][...] = made
        return
    for out, one in zip(arrays[nin:], made):  # noqa: B905  (as many, always)
        out[...] = one


def _reduced(universal: Elements, nin: int, values: Array, out: Array) -> None:
    value = out[()]
    for k in range(values.shape[0]):
        value = universal(value, values[k])
    out[()] = value


def _accumulated(universal: Elements, nin: int, first: Array, values: Array, out: Array) -> None:
    value = first[()]
    for k in range(values.shape[0]):
        value = universal(value, values[k])
        out[k] = value


class _Typed:
    """An elementwise function of one loop's dtypes, as compiled code calls it."""

    def __init__(self, request: Elementwise, types: LoopTypes) -> None:
        self.__jitcore_transform__ = replace(request, signatures=(types,))
        self.__name__ = request.name


def of_elements(request: Elementwise, doc: str, identity: object) -> Universal:
    """The ufunc of a function of elements."""
    ufunc = numpy_ufuncs.new(request.name, doc, request.nin, request.nout, identity, None)
    ELEMENTWISE[ufunc] = request
    nin = request.nin

    def chosen(given: Sequence[Given], wanted: Sequence[np.dtype[Any] | None]) -> Types:
        inputs = input_types(request, given)
        signature = signature_for(request, given)
        own = output_types(request, inputs) if signature is None else signature.outputs
        for natural, output in zip(own, wanted, strict=True):
            if output is not None and not np.can_cast(natural, output, "same_kind"):
                raise TypeError(f"ufunc {request.name!r} gives {natural}, which is not cast to {output}")
        outputs = tuple(w or o for w, o in zip(wanted, own, strict=True))
        return (*inputs, *outputs)

    def made(types: Types) -> Loop:
        typed = _Typed(request, LoopTypes(types[:nin], types[nin:]))
        folds = (request.nin, request.nout) == (2, 1) and types[0] == types[2]
        places = [Place(d, (), k < nin) for k, d in enumerate(types)]
        return Loop(places, Body(_fill, (typed, nin), plainly), (_reduced, _accumulated) if folds else None)

    def plainly(*operands: Array) -> None:
        made = request.function(*operands[:nin])
        for out, one in zip(operands[nin:], made if request.nout > 1 else (made,), strict=True):
            out[0] = one

    def initial(dtype: np.dtype[Any]) -> bytes | None:
        has_none = identity is None or identity == numpy_ufuncs.REORDERABLE
        return None if has_none else np.array(identity, dtype).tobytes()

    return Universal(ufunc, chosen, made, initial, identity is not None)


def _give(universal: Elements, *arrays: Array) -> Any:
    return universal(*arrays)


def output_types(request: Elementwise, inputs: Types) -> Types:
    """What a function gives for arguments of dtypes. Raises CompileError."""
    args = [StaticArg(_Untyped(request)), *(ArrayArg(dtype_of(d), (), "npscalar") for d in inputs)]
    made = driver.compile_call(
        _give, args, {}, describe_captured, shown=False, judged=False, is_recorded=lambda _: True
    )
    inferred = made.inferred
    result = inferred.result
    items = result.items if isinstance(result, ResultContainer) else (result,)
    found: list[np.dtype[Any]] = []
    for item in items:
        if isinstance(item, ResultInput):
            type_ = inferred.inputs[item.index].type
        elif isinstance(item, ResultArray):
            type_ = inferred.module.main.result_types[item.index]
        else:
            raise TypeError(f"ufunc {request.name!r} gives no number for arguments of these dtypes: it always raises")
        found.append(cast(TensorType, type_.target if isinstance(type_, RefType) else type_).dtype.numpy)
    return tuple(found)


class _Untyped:
    """An elementwise function, as compiled code calls it."""

    def __init__(self, request: Elementwise) -> None:
        self.__jitcore_transform__ = request
        self.__name__ = request.name
