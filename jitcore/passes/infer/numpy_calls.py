"""Calls of NumPy's functions, operators and ndarrays' methods: the library function that stands for each, NumPy's `out=`, and
NumPy's own words where it refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.passes.infer.refusal import refusal
from jitcore.passes.infer.tracing import call_library
from jitcore.passes.infer.values import Array, PythonError, Static, Tuple, Value
from jitcore.primitives.functions import tables

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

_WITH_OUT: Final = frozenset([np.clip, np.round, np.around, np.concatenate, np.stack])
"""Functions besides ufuncs whose result goes to `out` as if it were assigned."""
_JOINING: Final = frozenset([np.concatenate, np.stack])
"""Functions that refuse lists without items."""
_METHODS: Final = {function: name for name, function in tables.ARRAY_METHODS.items()}


def call(
    infer: Infer, obj: Any, function: Callable[..., Any], args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call `obj`, a function of NumPy, for which the library function `function` stands."""
    from jitcore.passes.infer import list_arrays

    if obj not in _JOINING and any(infer.heap.buffer(a) is not None for a in args):
        arrays = [list_arrays.for_numpy(infer, a) for a in args]
        return infer.distribute(arrays, lambda vs: [call(infer, obj, function, vs, keywords)])[0]
    out: Value = Static(None)
    if isinstance(obj, np.ufunc) and len(args) == obj.nargs:
        args, out = args[:-1], args[-1]
    if "out" in keywords and (isinstance(obj, np.ufunc) or obj in _WITH_OUT):
        out = keywords["out"]
        keywords = {k: v for k, v in keywords.items() if k != "out"}
    made = call_or_refuse(infer, obj.__name__, obj, function, args, keywords)
    if obj is np.ascontiguousarray and isinstance(made, Array):
        made = _in_order(infer, made)
    if isinstance(out, Tuple) and len(out.items) == 1:
        (out,) = out.items
    if isinstance(out, Static) and out.value is None:
        return made
    if not isinstance(out, Array):
        raise refusal(infer, f"{obj.__name__} into this", lambda o, *a: obj(*a, out=o), out, *args)
    call_library(infer, tables.UPDATE, [out, made], {})
    return out


def _in_order(infer: Infer, x: Array) -> Value:
    """An array itself if it is contiguous, else a copy."""
    layout = infer.layouts.get(x.atom)
    if layout is None and x.path is None:
        raise infer.unsupported("ascontiguousarray of an array that may be contiguous or not", "x.copy()")
    return x if layout is not None and layout.is_contiguous else call_library(infer, tables.COPY, [x], {})


def call_method(infer: Infer, function: Any, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Call a library function that is perhaps a method of arrays (the first argument)."""
    name = _METHODS.get(function)
    if name is None:
        return call_library(infer, function, args, keywords)

    def method(x: Any, *rest: Any, **named: Any) -> Any:
        return getattr(x, name)(*rest, **named)

    return call_or_refuse(infer, name, method, function, args, keywords)


def call_or_refuse(
    infer: Infer,
    name: str,
    plain: Callable[..., Any],
    function: Callable[..., Any],
    args: Sequence[Value],
    keywords: Mapping[str, Value],
) -> Value:
    """Call the library function that stands for `plain`. Where it does not take such arguments, either NumPy does not (then
    the program raises what NumPy raises), or it is compiled code that does not."""
    try:
        return call_library(infer, function, args, keywords)
    except PythonError as error:
        values = [*args, *keywords.values()]
        if not isinstance(error.error, TypeError) or any(_has_tensor(infer, v) for v in values):
            raise

        def call_plain(*samples: Any) -> Any:
            return plain(*samples[: len(args)], **dict(zip(keywords, samples[len(args) :], strict=True)))

        raise refusal(infer, f"{name} of such arguments", call_plain, *values) from error


def _has_tensor(infer: Infer, value: Value) -> bool:
    from jitcore.passes.infer import containers

    if isinstance(value, Array):
        return value.category == "tensor"
    if not isinstance(value, Static) and containers.static_sequence(value):
        return any(_has_tensor(infer, v) for v in containers.iterate_static(infer, value) or ())
    return False
