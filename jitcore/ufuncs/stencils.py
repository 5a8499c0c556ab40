"""`stencil`: a function of an array's neighbourhoods, applied at every place that has one."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.frontend.fetch import fetch
from jitcore.library.core.values import require_equal, shape_of
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Array, PythonError, Slice, Static, Tuple, Value
from jitcore.passes.infer.engine import elementwise_calls
from jitcore.passes.infer.engine.core import Infer
from jitcore.passes.infer.engine.models import Model, models, models_family
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.primitives.transforms import Elementwise
from jitcore.runtime import records
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.tensor import Tensor, wrap_like
from jitcore.structs import dataclass
from jitcore.ufuncs.options import require
from jitcore.ufuncs.vectorizing import number_of_parameters

Offset: TypeAlias = "tuple[int, ...]"
Index: TypeAlias = "int | Offset"
Indexed: TypeAlias = "np.ndarray[Any, Any] | Tensor"
Neighborhood: TypeAlias = "tuple[tuple[int, int], ...]"
"""The least and the largest offset along each axis."""

NOTHING: Final = object()
"""The `cval` of a stencil that was given none."""


class Stencil:
    """What `stencil` makes of a function; see there."""

    def __init__(
        self,
        function: FunctionType,
        neighborhood: Neighborhood | None,
        cval: object,
        standard_indexing: tuple[str, ...],
    ) -> None:
        functools.update_wrapper(cast("Any", self), function)
        self.function = function
        self.neighborhood = neighborhood
        self.cval = cval
        self.parameters = function.__code__.co_varnames[: number_of_parameters(function)]
        unknown = set(standard_indexing) - set(self.parameters)
        if unknown:
            raise ValueError(f"standard_indexing names {', '.join(sorted(unknown))}, which are no parameters")
        if self.parameters[0] in standard_indexing:
            raise ValueError("the first argument of a stencil is indexed relatively: its shape is the result's")
        self.standard = frozenset(standard_indexing)
        self.offsets = _offsets(function, set(self.parameters) - self.standard)

        plainly = _Plainly(self)

        def called(*args: object) -> object:
            return plainly(*args)

        def called_into(out: Indexed, *args: object) -> object:
            return plainly(*args, out=out)

        for made in (called, called_into):
            made.__name__ = made.__qualname__ = function.__name__
        self._compiled = CompiledFunction(called), CompiledFunction(called_into)

    def __call__(self, *args: object, out: object = None) -> Any:
        given = [
            a if isinstance(a, Tensor | np.ndarray | np.generic) or np.isscalar(a) else np.asarray(a) for a in args
        ]
        return self._compiled[0](*given) if out is None else self._compiled[1](out, *given)

    def __repr__(self) -> str:
        return f"<stencil {self.function.__name__!r}>"


def stencil(
    func_or_mode: object = "constant",
    /,
    *,
    neighborhood: Neighborhood | None = None,
    cval: object = NOTHING,
    standard_indexing: str | Sequence[str] = (),
    **options: object,
) -> Any:
    """A function of neighbourhoods as one of arrays: `@stencil`, or `@stencil(cval=1.0)`.

    In the function `a[-1, 0]` is the element above the one that it is called for; it gives an element of the result,
    an array of the first argument's shape, whose places at the borders, which lack a neighbour, are `cval` (0, if it is
    not given). Arrays are indexed so, but for those named in `standard_indexing`; all have the first one's shape. Other
    arguments are numbers. Where indices are not known beforehand, `neighborhood` says between which they lie, a pair
    for each axis. With `out=` the result is written there, and its border only if there is a `cval`.

    Elements are computed as `vectorize` has it: as one kernel on all cores, with gradients, for Tensors as well, and
    fused in functions under `jit`; one with a `neighborhood` goes from place to place. The function must not write to
    its arguments.

    Raises ValueError for arrays whose shapes differ, offsets beyond the neighborhood, and a `cval` of another kind than
    the result's; CompileError, from the first call on, for what cannot be compiled.

    >>> import numpy as np
    >>> @stencil
    ... def mean(a):
    ...     return (a[-1] + a[0] + a[1]) / 3
    >>> print(mean(np.array([1.0, 2.0, 6.0, 1.0])))
    [0. 3. 3. 0.]
    """
    named = (standard_indexing,) if isinstance(standard_indexing, str) else tuple(standard_indexing)

    def made(function: object) -> Stencil:
        if not isinstance(function, FunctionType):
            raise TypeError(f"stencil is of a function, not of {type(function).__name__}")
        records.declare(function)
        return Stencil(function, neighborhood, cval, named)

    require("stencil", options)
    if isinstance(func_or_mode, FunctionType):
        return made(func_or_mode)
    if func_or_mode != "constant":
        raise ValueError(f"a stencil has the mode 'constant', whose borders are cval, not {func_or_mode!r}")
    return made


class _Plainly:
    """A stencil as the interpreter computes it, element by element, where it is not compiled."""

    def __init__(self, stencil: Stencil) -> None:
        self.stencil = stencil

    def __call__(self, *args: object, out: Indexed | None = None) -> Any:
        called, example = self.stencil, next((a for a in args if isinstance(a, Tensor)), None)
        if len(args) != len(called.parameters):
            raise _wrong_number(called, len(args))
        arrays = {p: _as_ndarray(a) for p, a in zip(called.parameters, args, strict=True)}
        relative = {
            p: a for p, a in arrays.items() if p not in called.standard and isinstance(a, np.ndarray) and a.ndim
        }
        first = relative.get(called.parameters[0])
        if first is None:
            raise _no_array(called)
        if any(a.shape != first.shape for a in relative.values()):
            raise ValueError("the arrays of a stencil have one shape")
        around = _around(called, list(relative), first.ndim)
        places = itertools.product(*(range(-low, n - high) for n, (low, high) in zip(first.shape, around, strict=True)))
        values = [
            called.function(*(_Window(relative[p], place) if p in relative else a for p, a in arrays.items()))
            for place in places
        ]
        inside = tuple(slice(-low, -high or None) for low, high in around)
        found = np.asarray(values).reshape(np.empty(first.shape)[inside].shape)
        if out is None:
            made = np.full(first.shape, cval_of(called), found.dtype)
            made[inside] = found
            return made if example is None else wrap_like(example, made)
        if called.cval is not NOTHING:
            out[...] = called.cval
        out[inside] = found
        return out


def _as_ndarray(value: object) -> object:
    return value.asnumpy() if isinstance(value, Tensor) else value


def _wrong_number(called: Stencil, count: int) -> TypeError:
    return TypeError(f"{called.function.__name__}() takes {len(called.parameters)} arguments but {count} were given")


def _no_array(called: Stencil) -> TypeError:
    return TypeError(f"the first argument of the stencil {called.function.__name__!r} is an array")


def cval_of(called: Stencil) -> Any:
    """What stands at the borders."""
    return 0 if called.cval is NOTHING else called.cval


# --- what is read -----------------------------------------------------------------------------------------


def _offsets(function: FunctionType, relative: set[str]) -> Mapping[str, frozenset[Offset] | None]:
    """The offsets at which a function reads each array; None where one is known only when it runs."""
    found: dict[str, set[Offset] | None] = {name: set() for name in sorted(relative)}
    for node in ast.walk(fetch(function).node):
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in found):
            continue
        name = node.value.id
        if not isinstance(node.ctx, ast.Load):
            raise ValueError(f"{function.__name__!r} writes to {name!r}: a stencil gives its element by return")
        offset = _constant(node.slice)
        offsets = found[name]
        if offset is None or offsets is None:
            found[name] = None
        else:
            offsets.add(offset)
    return {name: None if offsets is None else frozenset(offsets) for name, offsets in found.items()}


def _constant(index: ast.expr) -> Offset | None:
    """An index that is written as numbers."""
    try:
        value: object = ast.literal_eval(index)
    except ValueError:
        return None
    items = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
    return tuple(i for i in items if isinstance(i, int)) if all(isinstance(i, int) for i in items) else None


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """The offsets of an array, in order."""

    name: str
    offsets: tuple[Offset, ...]


class _Picked:
    """An array in a function of a neighbourhood: its elements at known offsets."""

    __jitcore_open__ = True

    def __init__(self, places: _Places, values: tuple[object, ...]) -> None:
        self.places = places
        self.values = values

    def __getitem__(self, offset: Index) -> object:
        return self.values[_place(self.places, offset)]


class _Window:
    """An array in a function of a neighbourhood: around a place."""

    __jitcore_open__ = True

    def __init__(self, array: Indexed, place: Offset) -> None:
        self.array = array
        self.place = place

    def __getitem__(self, offset: Index) -> object:
        offsets = offset if isinstance(offset, tuple) else (offset,)
        return self.array[tuple([p + k for p, k in zip(self.place, offsets)])]  # noqa: B905  (as many, or it raises)


def _place(places: _Places, offset: Index) -> int:
    return places.offsets.index(offset if isinstance(offset, tuple) else (offset,))


@models(_place)
def _known_place(infer: Infer, places: Value, offset: Value) -> Value:
    assert isinstance(places, Static)
    items = offset.items if isinstance(offset, Tuple) else (offset,)
    known = tuple(infer.need_static(item, "an offset of a stencil") for item in items)
    offsets = known[0] if len(known) == 1 and isinstance(known[0], tuple) else known
    return Static(_place(places.value, offsets))


# --- calls ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Element:
    """The function of one element's neighbourhood: what stands for each argument is made of the elements it is called
    with, by `made`."""

    function: FunctionType
    made: Callable[[Infer, Sequence[Value]], list[Value]]


@models_family
def _model(obj: object) -> Model | None:
    if isinstance(obj, _Element):
        return lambda infer, *values: abstract.call(infer, Static(obj.function), obj.made(infer, values), {})
    if isinstance(obj, Stencil | _Plainly):
        called = obj.stencil if isinstance(obj, _Plainly) else obj
        return lambda infer, *args, out=None: _called(infer, called, args, out)
    return None


def _called(infer: Infer, called: Stencil, args: Sequence[Value], out: Value | None) -> Value:
    """Call a stencil in compiled code."""
    name, first = called.function.__name__, args[0] if args else None
    if len(args) != len(called.parameters):
        raise PythonError(_wrong_number(called, len(args)))
    if not isinstance(first, Array) or not first.type.rank:
        raise PythonError(_no_array(called))
    relative = {p: a for p, a in zip(called.parameters, args, strict=True) if _is_relative(called, p, a)}
    for array in relative.values():
        if array is not first:
            call_library(infer, _require_same_shape, [first, array], {})
    try:
        around = _around(called, list(relative), first.type.rank)
    except (ValueError, IndexError) as error:
        raise PythonError(error) from None
    if called.neighborhood is None:
        values = _by_windows(infer, called, args, relative, around)
    else:
        values = _by_places(infer, called, args, relative, around)
    assert isinstance(values, Array)
    inside = Tuple(tuple(_slice(-low, -high) for low, high in around))
    dtype = values.type.dtype.numpy
    cval = cval_of(called)
    if not np.can_cast(np.min_scalar_type(cval), dtype, "same_kind"):
        raise PythonError(ValueError(f"cval is {cval!r}, and the stencil {name!r} gives {dtype}"))
    if out is not None and not (isinstance(out, Static) and out.value is None):
        if called.cval is not NOTHING:
            abstract.set_item(infer, out, Static(Ellipsis), Static(cval))
        abstract.set_item(infer, out, inside, values)
        return out
    shape = abstract.attribute(infer, first, "shape")
    made = abstract.call(infer, Static(np.full), [shape, Static(cval), Static(dtype)], {})
    abstract.set_item(infer, made, inside, values)
    assert isinstance(made, Array)
    return infer.fresh_array(infer.read(made), values.category) if values.is_tensor else made


def _is_relative(called: Stencil, parameter: str, value: Value) -> bool:
    return parameter not in called.standard and isinstance(value, Array) and value.type.rank > 0


def _require_same_shape(first: object, other: object) -> None:
    shapes = shape_of(first), shape_of(other)
    if len(shapes[0]) != len(shapes[1]):
        raise ValueError(f"the arrays of a stencil have as many dimensions, not {len(shapes[0])} and {len(shapes[1])}")
    for a, b in zip(*shapes, strict=True):
        require_equal(a, b, "the arrays of a stencil have one shape, not extents of {0} and {1}")


def _around(called: Stencil, relative: Sequence[str], rank: int) -> Neighborhood:
    """How far the neighbourhood of a place reaches along each axis, the place itself included."""
    name = called.function.__name__
    unknown = [p for p in relative if called.offsets[p] is None]
    if unknown and called.neighborhood is None:
        raise ValueError(
            f"the stencil {name!r} reads {unknown[0]!r} at offsets that are no constants: give "
            "neighborhood=((least, largest), …), a pair for each axis"
        )
    known = {offset for p in relative for offset in called.offsets[p] or ()}
    for offset in known:
        if len(offset) != rank:
            raise IndexError(f"the stencil {name!r} reads at {offset}, in arrays of {rank} dimensions")
    own = tuple(
        (min(0, *(o[k] for o in known)), max(0, *(o[k] for o in known))) if known else (0, 0) for k in range(rank)
    )
    if called.neighborhood is None:
        return own
    given = tuple((min(0, low), max(0, high)) for low, high in called.neighborhood)
    if len(given) != rank:
        raise ValueError(f"neighborhood has {len(given)} pairs, for arrays of {rank} dimensions")
    if any(low < least or high > most for (low, high), (least, most) in zip(own, given, strict=True)):
        raise ValueError(f"the stencil {name!r} reads beyond its neighborhood {called.neighborhood}")
    return given


def _by_windows(
    infer: Infer, called: Stencil, args: Sequence[Value], relative: Mapping[str, Value], around: Neighborhood
) -> Value:
    """The elements, of arrays that are moved by each offset."""
    places = {p: _Places(p, tuple(sorted(called.offsets[p] or ()))) for p in relative}
    given: list[Value] = []
    for parameter, value in zip(called.parameters, args, strict=True):
        for offset in places[parameter].offsets if parameter in relative else ():
            index = Tuple(tuple(_slice(o - low, o - high) for o, (low, high) in zip(offset, around, strict=True)))
            given.append(abstract.item(infer, value, index))
        if parameter not in relative and parameter not in called.standard:
            given.append(value)

    def made(infer: Infer, values: Sequence[Value]) -> list[Value]:
        stream, found = iter(values), list[Value]()
        for parameter, value in zip(called.parameters, args, strict=True):
            if parameter in relative:
                picked = Tuple(tuple(next(stream) for _ in places[parameter].offsets))
                found.append(abstract.new_object(infer, _Picked, [Static(places[parameter]), picked], {}))
            else:
                found.append(value if parameter in called.standard else next(stream))
        return found

    request = Elementwise(_Element(called.function, made), called.function.__name__, len(given), 1)
    return elementwise_calls.call(infer, request, given, {})


def _by_places(
    infer: Infer, called: Stencil, args: Sequence[Value], relative: Mapping[str, Value], around: Neighborhood
) -> Value:
    """The elements, each by its place in the arrays."""
    rank = len(around)
    shape = abstract.attribute(infer, args[0], "shape")
    numbers = abstract.call(infer, Static(_numbers), [shape, Static(around)], {})
    assert isinstance(numbers, Tuple)
    others = [
        value
        for parameter, value in zip(called.parameters, args, strict=True)
        if parameter not in relative and parameter not in called.standard
    ]

    def made(infer: Infer, values: Sequence[Value]) -> list[Value]:
        place, stream = Tuple(tuple(values[:rank])), iter(values[rank:])
        found: list[Value] = []
        for parameter, value in zip(called.parameters, args, strict=True):
            if parameter in relative:
                found.append(abstract.new_object(infer, _Window, [value, place], {}))
            else:
                found.append(value if parameter in called.standard else next(stream))
        return found

    request = Elementwise(_Element(called.function, made), called.function.__name__, rank + len(others), 1)
    return elementwise_calls.call(infer, request, [*numbers.items, *others], {})


def _numbers(shape: tuple[int, ...], around: Neighborhood) -> tuple[np.ndarray[Any, Any], ...]:
    """The indices of the places that have a neighbourhood, along each axis."""
    rank = len(around)
    return tuple(
        [
            np.arange(-around[k][0], max(shape[k] - around[k][1], -around[k][0])).reshape(
                (1,) * k + (-1,) + (1,) * (rank - 1 - k)
            )
            for k in range(rank)
        ]
    )


def _slice(start: int, stop: int) -> Slice:
    """From `start` to so many before the end (`stop`, not positive)."""
    return Slice(Static(start), Static(stop or None), Static(None))
