"""`guvectorize`: a function of arrays as a generalised ufunc, whose other dimensions NumPy loops over."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final

import numpy as np

from jitcore.primitives.core.loop_types import Given, input_types, signature_for
from jitcore.primitives.transforms import Elementwise, LoopTypes
from jitcore.runtime import records
from jitcore.structs import dataclass
from jitcore.ufuncs import numpy_ufuncs
from jitcore.ufuncs import signatures as reading
from jitcore.ufuncs.loops import Body, Loop, Place
from jitcore.ufuncs.options import require
from jitcore.ufuncs.universal import Types, Universal
from jitcore.ufuncs.vectorizing import number_of_parameters

_LAYOUT: Final = re.compile(r"(\([\w\s,]*\)(?:,\([\w\s,]*\))*)->(\([\w\s,]*\)(?:,\([\w\s,]*\))*)$")


@dataclass(frozen=True, slots=True)
class Layout:
    """The names of the core dimensions of each input and output."""

    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]

    @property
    def operands(self) -> tuple[tuple[str, ...], ...]:
        """Those of all."""
        return (*self.inputs, *self.outputs)

    @property
    def numbers(self) -> tuple[tuple[int, ...], ...]:
        """The operands' core dimensions as NumPy counts them: by where a name stands first."""
        names = list(dict.fromkeys(name for operand in self.operands for name in operand))
        return tuple(tuple(map(names.index, operand)) for operand in self.operands)


def guvectorize(
    ftylist_or_layout: object, layout: str | None = None, /, *, writable_args: Sequence[object] = (), **options: object
) -> Callable[[Callable[..., object]], np.ufunc]:
    """A function of arrays as a generalised ufunc: `@guvectorize(["void(float64[:], float64, float64[:])"],
    "(n),()->(n)")`, or with the layout alone.

    The layout names the dimensions that a call of the function gets of each argument; NumPy loops over all others,
    broadcast. The function is given the outputs after the inputs, writes to them, and returns nothing. An input without
    dimensions is a number, or an array of one element where its signature has `[:]`; such an output always is that.
    Without signatures the function is compiled for the dtypes it is called with, and results have the common one (or
    `dtype=`). It is a `numpy.ufunc`, with `axes`, `axis`, `keepdims`, `out`, `casting`.

    Raises TypeError for what is no signature, layout or option, CompileError (from the first call on, or at once with
    signatures) for what cannot be compiled, and for a function that writes to an input.

    >>> import numpy as np
    >>> @guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()")
    ... def dot(x, y, result):
    ...     result[0] = 0
    ...     for i in range(x.shape[0]):
    ...         result[0] += x[i] * y[i]
    >>> print(dot(np.ones((2, 3)), np.arange(3.0)))
    [3. 3.]
    """
    if layout is None:
        ftylist_or_layout, layout = [], _text(ftylist_or_layout)
    if writable_args:
        raise TypeError(
            "guvectorize does not take writable_args: name what the function writes to as an output, '(n)->(n)', and "
            "pass out=x to have it in an input's place"
        )
    require("guvectorize", options)
    text = "".join(layout.split())
    read = _layout(text)
    types = reading.signatures(ftylist_or_layout) if ftylist_or_layout else []

    def made(function: Callable[..., object]) -> np.ufunc:
        if not isinstance(function, FunctionType):
            raise TypeError(f"guvectorize makes ufuncs of functions, not of {type(function).__name__}")
        return _made(function, read, text, types)

    return made


def _text(layout: object) -> str:
    if not isinstance(layout, str):
        raise TypeError("guvectorize is given signatures and a layout, such as '(n),()->(n)', or the layout alone")
    return layout


def _layout(text: str) -> Layout:
    found = _LAYOUT.match(text)
    if found is None:
        raise TypeError(f"{text!r} is no layout of arguments and results, such as '(m,n),(n)->(m)'")
    inputs, outputs = (
        tuple(tuple(filter(None, part.split(","))) for part in re.findall(r"\(([\w,]*)\)", side))
        for side in found.groups()
    )
    return Layout(inputs, outputs)


def _made(function: FunctionType, layout: Layout, text: str, types: Sequence[reading.Signature]) -> np.ufunc:
    name, nin = function.__name__, len(layout.inputs)
    if number_of_parameters(function) != len(layout.operands):
        raise TypeError(
            f"{name!r} has {number_of_parameters(function)} parameters, and the layout {text!r} {len(layout.operands)} "
            "arguments and results: a function is given both"
        )
    records.declare(function)
    axes = {_loop_types(s, layout, name): _axes(s, layout) for s in types}
    request = Elementwise(function, name, nin, len(layout.outputs), tuple(axes))
    ufunc = numpy_ufuncs.new(name, inspect.getdoc(function) or "", nin, len(layout.outputs), None, text)
    as_numbers = tuple(not core and k >= nin for k, core in enumerate(layout.operands))

    def chosen(given: Sequence[Given], wanted: Sequence[np.dtype[Any] | None]) -> Types:
        signature = signature_for(request, given)
        if signature is not None:
            return (*signature.inputs, *signature.outputs)
        inputs = input_types(request, given)
        common = np.result_type(*inputs)
        return (*inputs, *(w or common for w in wanted))

    def made(types: Types) -> Loop:
        of_one = axes.get(LoopTypes(types[:nin], types[nin:]), as_numbers)
        parts = zip(types, layout.numbers, of_one, strict=True)
        places = [Place(d, core, k < nin, axis) for k, (d, core, axis) in enumerate(parts)]
        return Loop(places, Body(_each, (function,), of_elements=False))

    universal = Universal(ufunc, chosen, made, lambda _: None, False)
    for one in axes:
        universal.add((*one.inputs, *one.outputs)).prepare()
    return ufunc


def _each(function: Callable[..., object], *arrays: np.ndarray[Any, Any]) -> None:
    for k in range(arrays[0].shape[0]):
        function(*[array[k] for array in arrays])


def _loop_types(signature: reading.Signature, layout: Layout, name: str) -> LoopTypes:
    types, nin = signature.arguments, len(layout.inputs)
    if signature.result:
        raise TypeError(f"a function under guvectorize returns nothing: write the signature of {name!r} as 'void(…)'")
    if len(types) != len(layout.operands):
        raise TypeError(f"a signature of {name!r} has {len(types)} arguments, and the layout {len(layout.operands)}")
    for k, (typed, core) in enumerate(zip(types, layout.operands, strict=True)):
        allowed = (len(core),) if core else (1,) if k >= nin else (None, 1)
        if typed.is_pointer or typed.rank not in allowed:
            has = "a number" if typed.rank is None else f"an array of {typed.rank} dimensions"
            raise TypeError(
                f"argument {k + 1} of a signature of {name!r} is {has}, where the layout has ({', '.join(core)}): "
                f"write {typed.dtype.name}[{', '.join(':' * max(len(core), 1))}]"
            )
    return LoopTypes(tuple(t.dtype for t in types[:nin]), tuple(t.dtype for t in types[nin:]))


def _axes(signature: reading.Signature, layout: Layout) -> tuple[bool, ...]:
    """Which operands without core dimensions are arrays of one element to the function."""
    return tuple(not core and t.rank == 1 for t, core in zip(signature.arguments, layout.operands, strict=True))
