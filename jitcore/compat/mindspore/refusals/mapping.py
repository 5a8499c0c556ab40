"""What MindSpore says to what `HyperMap` and `Map` are called with:
`The tuples in HyperMap should have the same length.`"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Final

from jitcore.compat.mindspore import composite
from jitcore.compat.mindspore.refusals.naming import items_of, type_text
from jitcore.compat.mindspore.tensor import MINDSPORE
from jitcore.library.core.marking import is_library
from jitcore.passes.infer.engine.operands import Operand, Operation

_CONTAINERS: Final = ("tuple", "range", "list", "dict")
_SHOWN: Final = {"list": "lists", "tuple": "tuples", "range": "tuples"}


def answer(mapped: composite.HyperMap | composite.Map, args: Sequence[Operand]) -> BaseException | None:
    """The answer to a call of a HyperMap or Map, whose first argument may be the function."""
    deep = isinstance(mapped, composite.HyperMap)
    if not args:
        name = f"[{mapped.ops.name}]" if isinstance(mapped.ops, composite.MultitypeFuncGraph) else ""
        kind = "hyper_map" if deep else "map"
        return RuntimeError(
            f"Function S_Prim_{kind}{name}'s input length less than PositionalKeyword Signature length."
        )
    given = args[1:] if mapped.ops is None else args
    if not given:
        alone = "The Map operator must have at least two arguments. But the size of arguments is 1."
        return None if deep else TypeError(alone)
    function = args[0].value if mapped.ops is None else mapped.ops
    if not deep:
        return _flat(given)
    return _nested(given) or (_applied(function, given) if is_library(function) else None)


def _applied(function: Callable[..., object], args: Sequence[Operand]) -> BaseException | None:
    """The answer to calls of an operator for what stands at one place of several structures; functions of the user's
    are asked about when they are called."""
    if all(x.kind in _CONTAINERS for x in args):
        places = zip(*map(items_of, args), strict=True)
        return next((refused for p in places if (refused := _applied(function, p)) is not None), None)
    required = sum(p.default is p.empty for p in inspect.signature(function).parameters.values())
    if len(args) < required:
        return TypeError(
            f"The parameters number of the function is {required}, but the number of provided arguments is {len(args)}."
        )
    rules = MINDSPORE.programs
    refused = None if rules is None else rules.answer(Operation("call", function, tuple(args)))
    return refused if isinstance(refused, BaseException) else None


def _flat(args: Sequence[Operand]) -> BaseException | None:
    first = args[0]
    if any(x.kind in ("union", "object", "instance") for x in args):
        return None
    if any(_SHOWN.get(x.kind, x.kind) != _SHOWN.get(first.kind, first.kind) for x in args):
        return RuntimeError(
            "The types of arguments in Map must be consistent, but the types of arguments are inconsistent."
        )
    if first.kind not in _SHOWN:
        return RuntimeError(f"Map can only be applied to list, tuple, but got {type_text(first)}.")
    if any(len(items_of(x)) != len(items_of(first)) for x in args):
        return RuntimeError(f"For 'Map', the length of {_SHOWN[first.kind]} must be the same.")
    return None


def _nested(args: Sequence[Operand]) -> BaseException | None:
    """The answer to structures side by side: where all are containers, these are gone into."""
    first = args[0]
    if any(x.kind not in _CONTAINERS for x in args):
        return None
    if any(_SHOWN.get(x.kind) != _SHOWN.get(first.kind) for x in args):
        return RuntimeError(
            "In a nonleaf situation, the types of arguments in HyperMap must be consistent, "
            "but the types of arguments are inconsistent."
        )
    items = [items_of(x) for x in args]
    if any(len(found) != len(items[0]) for found in items):
        return RuntimeError(f"The {_SHOWN.get(first.kind, 'dicts')} in HyperMap should have the same length.")
    return next((refused for place in zip(*items, strict=True) if (refused := _nested(place)) is not None), None)
