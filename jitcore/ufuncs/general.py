"""`guvectorize`: a function of arrays as a generalised ufunc, whose other dimensions NumPy loops over."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final

import numpy as np

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Array, PythonError, Static, Tuple, Value
from jitcore.passes.infer.engine import elementwise_calls
from jitcore.passes.infer.engine.core import Infer
from jitcore.passes.infer.engine.models import Model, models_family
from jitcore.primitives.core import dialects
from jitcore.primitives.core.loop_types import Given, input_types, signature_for
from jitcore.primitives.transforms import Elementwise, LoopTypes
from jitcore.runtime import records
from jitcore.structs import dataclass, replace
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
    Numbers and functions of `math` are NumPy's, as under `vectorize`.
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
        return Loop(places, Body(_each, (_Body(function),), function, of_elements=False))

    _CALLED[ufunc] = _Called(function, request, layout, axes, as_numbers, chosen)
    universal = Universal(ufunc, chosen, made, lambda _: None, False)
    for one in axes:
        universal.add((*one.inputs, *one.outputs)).prepare()
    return ufunc


class _Body:
    """The function, as the programs of loops call it: its numbers are those of functions of elements."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    def __call__(self, *arrays: object) -> None:
        self.function(*arrays)


def _each(function: _Body, *arrays: np.ndarray[Any, Any]) -> None:
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


# --- in compiled code -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Called:
    """What compiled code needs of a ufunc to call it."""

    function: Callable[..., object]
    request: Elementwise
    layout: Layout
    axes: Mapping[LoopTypes, tuple[bool, ...]]
    as_numbers: tuple[bool, ...]
    chosen: Callable[[Sequence[Given], Sequence[np.dtype[Any] | None]], Types]


_CALLED: Final[dict[np.ufunc, _Called]] = {}


def _called_by_loops(infer: Infer, body: _Body, arrays: Sequence[Value]) -> Value:
    with elementwise_calls.of_elements(infer):
        return abstract.call(infer, Static(body.function), arrays, {})


@models_family
def _model(obj: object) -> Model | None:
    if isinstance(obj, _Body):
        return lambda infer, *arrays: _called_by_loops(infer, obj, arrays)
    called = _CALLED.get(obj) if isinstance(obj, np.ufunc) else None
    return None if called is None else lambda infer, *args, **options: _in_code(infer, called, args, options)


def _in_code(infer: Infer, called: _Called, args: Sequence[Value], options: Mapping[str, Value]) -> Value:
    """A call in compiled code: arrays with the loops' dimensions as one, and a loop over it."""
    name, nin = called.request.name, called.request.nin
    if options or len(args) != nin:
        raise infer.unsupported(f"the ufunc {name!r} with other arguments than its inputs", "y[...] = f(x)")
    try:
        given = [elementwise_calls.given_as(infer, called.request, a) for a in args]
        types = called.chosen(given, [None] * called.request.nout)
    except TypeError as error:
        raise PythonError(error) from None
    axes = called.axes.get(LoopTypes(types[:nin], types[nin:]), called.as_numbers)
    plan = _Plan(_Body(called.function), called.layout, axes, types[nin:])
    inputs = [elementwise_calls.as_array_of(infer, a, t) for a, t in zip(args, types, strict=False)]
    category = dialects.first_of([a.category for a in inputs])
    plain = [replace(a, category="ndarray") for a in inputs]
    made = abstract.call(infer, Static(_over_all), [Static(plan), *plain], {})
    items = made.items if isinstance(made, Tuple) else (made,)
    if category is not None:
        items = [infer.fresh_array(infer.read(a), category) if isinstance(a, Array) else a for a in items]
    return items[0] if len(items) == 1 else Tuple(tuple(items))


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """A call with its dtypes known; see `_made` for `axes`."""

    function: _Body
    layout: Layout
    axes: tuple[bool, ...]
    outputs: Types


def _over_all(plan: _Plan, *inputs: np.ndarray[Any, Any]) -> object:
    sizes: dict[str, int] = {}
    for x, core in zip(inputs, plan.layout.inputs):  # noqa: B905  (as many, always)
        if x.ndim < len(core):
            raise ValueError("an input operand does not have enough dimensions")
        for name, extent in zip(core, x.shape[x.ndim - len(core) :]):  # noqa: B905
            if name not in sizes:
                sizes[name] = extent
            elif sizes[name] != extent:
                raise ValueError("an input operand has a mismatch in a core dimension")
    pairs = zip(inputs, plan.layout.inputs)  # noqa: B905
    around = np.broadcast_shapes(*[x.shape[: x.ndim - len(core)] for x, core in pairs])
    count = math.prod(around)
    arrays: list[Any] = []
    for x, core, axis in zip(inputs, plan.layout.inputs, plan.axes):  # noqa: B905
        inner = tuple([sizes[name] for name in core])
        whole = np.broadcast_to(x, around + inner).reshape((count, *inner))
        arrays.append(whole[:, None] if axis else whole)
    results: list[Any] = []
    for core, dtype in zip(plan.layout.outputs, plan.outputs):  # noqa: B905
        inner = tuple([sizes[name] for name in core])
        made = np.empty((count, *inner), dtype)
        arrays.append(made if core else made[:, None])
        results.append(made.reshape(around + inner))
    _each(plan.function, *arrays)
    return tuple([made[()] for made in results])
