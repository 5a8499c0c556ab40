"""What a call is expected to write to, so that inference need not find it out in an attempt of its own.

Objects say what calls of them write to (`__jitcore_writes__`, which gives arrays): optimizers do, and normalisations
that keep averages. Those that a function may reach are asked. Where it is found to write to something else, too, or not
to something expected, inference begins anew, as it does where nothing was expected.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from jitcore.lookup import attribute_of
from jitcore.passes.infer.domain.values import Origin

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_MOST_OBJECTS: Final = 200
"""So many functions and objects that they reach are looked at."""


def expected_writes(function: Any, *args: Any) -> frozenset[Origin]:
    """The arrays that calls of a function with these objects are expected to write to."""
    found: set[Origin] = set()
    waiting, seen = [function, *args], set[int]()
    while waiting and len(seen) < _MOST_OBJECTS:
        obj = waiting.pop()
        if id(obj) in seen:
            continue
        seen.add(id(obj))
        writes = attribute_of(type(obj), "__jitcore_writes__", None)
        if writes is not None:
            found.update(("input", id(array)) for array in writes(obj))
        waiting += _reached(obj)
    return frozenset(found)


def _reached(obj: Any) -> Iterator[Any]:
    """What a function or a callable object may call, as far as that is plain to see."""
    if isinstance(obj, FunctionType):
        for cell in obj.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:  # it has nothing yet
                continue
        yield from (obj.__globals__[name] for name in _names(obj.__code__) if name in obj.__globals__)
    elif isinstance(obj, MethodType):
        yield from (obj.__self__, obj.__func__)
    elif isinstance(obj, functools.partial):
        yield obj.func
    elif not isinstance(obj, type) and callable(obj):
        for name in ("__jitcore_gradient__", "__jitcore_transform__", "__jitcore_function__"):
            request = attribute_of(obj, name, None)
            if request is not None:
                yield attribute_of(request, "function", request)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def missed(infer: Infer) -> frozenset[Origin]:
    """The arrays of the program that were expected to be written to, and are not."""
    return (infer.assumptions.expected - infer.written) & infer.inputs.origins()
