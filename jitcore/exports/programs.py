"""The program of a function and examples of its arguments: what every kind of model is made of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType, MethodType
from typing import Any, TypeAlias, cast

import numpy as np

from jitcore.exports.specs import InputSpec
from jitcore.ir.nodes import Module
from jitcore.lookup import attribute_of
from jitcore.passes.infer.domain.signature import (
    Arg,
    ArrayArg,
    DictArg,
    Inferred,
    Input,
    ListArg,
    StaticArg,
    TupleArg,
)
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import Pass, run_passes
from jitcore.runtime import compile as driver
from jitcore.runtime.arguments import Call
from jitcore.runtime.callables import known_to_users, plain_function
from jitcore.runtime.descriptions import describe, describe_captured
from jitcore.runtime.requests import caller_of
from jitcore.runtime.specialisation import resolve, steps_of
from jitcore.runtime.tensor import Tensor
from jitcore.source import NOWHERE, Problem
from jitcore.structs import dataclass
from jitcore.types import Dim, Shape, fresh_symbol

Path: TypeAlias = "tuple[Any, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """What a function is, compiled for arguments: the optimised `module`, and what inference says of it. `shapes` are
    those of the arguments' arrays; `first` is what the function is given before the arguments."""

    inferred: Inferred
    module: Module
    shapes: tuple[Shape, ...]
    first: tuple[object, ...]

    def is_given(self, path: Path) -> bool:
        """Whether a path begins at an argument of the exported function."""
        return path[0] == "arg" and path[1] >= len(self.first)

    def shifted(self, path: Path) -> Path:
        """The path from that argument, what comes before the arguments not counted."""
        return ("arg", path[1] - len(self.first), *path[2:])

    def captured(self, spec: Input) -> object:
        """What an input that is no argument is: a parameter, a captured array or number, or what no model holds."""
        return spec.source if spec.source is not None else resolve(spec.path, self.first, {})


def compiled(
    function: Callable[..., Any],
    given: Sequence[object],
    ones: frozenset[object] = frozenset(),
    passes: Sequence[Pass] = OPTIMISATIONS,
) -> Program:
    """The program for examples of arguments, after some passes; of the extents that may be anything, those named in
    `ones` are 1."""
    target = getattr(function, "__jitcore_function__", function)
    called, first = _called(target)
    args: list[Arg] = list(map(StaticArg, first))
    shapes: list[Shape] = []
    for k, value in enumerate(given):
        args.append(_described(value, (k,), ones, shapes))
    made = driver.compile_call(
        called, args, {}, describe_captured, shown=False, judged=False, is_recorded=lambda _: True
    )
    return Program(made.inferred, run_passes(made.inferred.module, passes), tuple(shapes), first)


def _called(function: Callable[..., Any]) -> tuple[Callable[..., Any], tuple[object, ...]]:
    """The function that is compiled, and what it is given before the arguments."""
    if isinstance(function, FunctionType):
        return function, ()
    construct: object = getattr(type(function), "construct", None)
    if isinstance(construct, FunctionType) and "construct" not in vars(function):
        return construct, (function,)
    return caller_of(function), (function,)


def _described(value: object, place: Path, ones: frozenset[object], shapes: list[Shape]) -> Arg:
    """The description of an example, in which there may be `InputSpec`s; the shapes of its arrays are added."""
    if isinstance(value, InputSpec):
        shapes.append(tuple(_dim((*place, axis), n, ones) for axis, n in enumerate(value.shape)))
        return ArrayArg(value.dtype, shapes[-1], value.category)
    if any(True for _ in specs_in(value, place)):
        items = tuple(_described(item, (*place, key), ones, shapes) for key, item in _items(value))
        if isinstance(value, dict):
            return DictArg(tuple(cast("dict[object, object]", value)), items)
        return TupleArg(items) if isinstance(value, tuple) else ListArg(items)
    own = tuple(Call.of((value,), {}).shapes)
    shapes += own
    return describe(value, iter(own))


def specs_in(value: object, place: Path) -> Iterator[tuple[Path, InputSpec]]:
    """The `InputSpec`s in an example, and where they are."""
    if isinstance(value, InputSpec):
        yield place, value
    for key, item in _items(value):
        yield from specs_in(item, (*place, key))


def _items(value: object) -> Iterable[tuple[object, object]]:
    if type(value) is dict:
        return cast("dict[object, object]", value).items()
    return enumerate(cast("Sequence[object]", value)) if type(value) in (tuple, list) else ()


def _dim(place: Path, extent: int | str | None, ones: frozenset[object]) -> Dim:
    if isinstance(extent, int):
        return extent
    return 1 if (extent if extent is not None else place) in ones else fresh_symbol("n")


# --- names --------------------------------------------------------------------------------------------


def name_of(function: Callable[..., Any]) -> str:
    """What users call a function, or the class of a network."""
    known = known_to_users(function)
    named = known if isinstance(function, FunctionType | MethodType) or plain_function(function) is None else function
    return str(getattr(named, "__qualname__", type(function).__qualname__))


def names_of_arguments(function: Callable[..., Any], count: int) -> list[str]:
    """The names of the first parameters, by which arguments may be given; a gradient's are those of its function."""
    called = _transformed(function)
    try:
        parameters = list(inspect.signature(_method_of(called) or called).parameters.values())
    except (TypeError, ValueError):  # it has no signature
        parameters = []
    named = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    return named[:count] if len(named) >= count else [f"x{k}" for k in range(count)]


def _transformed(function: Callable[..., Any]) -> Callable[..., Any]:
    """What `grad` and its like were given, where a function is of their making."""
    request: Any = attribute_of(function, "__jitcore_gradient__", None)
    request = attribute_of(function, "__jitcore_transform__", None) if request is None else request
    return function if request is None else _transformed(request.function)


def doc_of(function: Callable[..., Any]) -> str:
    """The docstring of a function, or of a network's method or class; empty where there is none of its own, as of
    gradients."""
    method = _method_of(function)
    called = method or (plain_function(function) if _transformed(function) is function else None)
    own: object = getattr(called, "__doc__", None) or (vars(type(function)).get("__doc__") if method else None)
    return inspect.cleandoc(own) if isinstance(own, str) else ""


def _method_of(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """What a network's call does."""
    return getattr(function, "forward", None) or getattr(function, "construct", None)


def name_of_captured(spec: Input, value: object) -> str:
    """The name of a parameter or captured array."""
    steps = [str(key) for kind, key in steps_of(spec.path) if kind in ("attr", "item")]
    named = getattr(value, "name", None)
    if isinstance(named, str) and named:
        return named
    if spec.path[0] in ("global", "free"):
        steps.insert(0, str(spec.path[2]))
    return ".".join(step for step in steps if step not in ("_parameters", "_modules", "_cells", "_buffers")) or "array"


# --- what cannot leave Python -------------------------------------------------------------------------


def is_array(value: object) -> bool:
    """Whether a captured value is an array."""
    return isinstance(value, Tensor | np.ndarray | np.generic)


def is_number(value: object) -> bool:
    """Whether a captured value is a number."""
    return type(value) in (bool, int, float, complex)


def not_held(spec: Input, value: object) -> Problem:
    """What is wrong with an input that no model holds."""
    message = f"it reads {_said(spec.path)}, an object of {type(value).__name__}, which cannot leave Python"
    return Problem(NOWHERE, message, "an argument of the exported function")


def _said(path: Path) -> str:
    """A path as the user knows it."""
    if path[0] in ("global", "free"):
        return f"{path[2]!r}"
    return ".".join(str(key) for _, key in steps_of(path)) or "what is around it"


def outer_changes(program: Program) -> list[Problem]:
    """What is wrong with a program that changes, or returns, containers of the code outside."""
    inferred, span = program.inferred, program.module.main.span
    problems: list[Problem] = []
    if inferred.attribute_writes or inferred.container_writes or inferred.containers:
        message = "it changes attributes, lists or dicts of the code outside"
        problems.append(Problem(span, message, "a result, or a Parameter"))
    if inferred.returned:
        problems.append(Problem(span, "it returns a list or dict of the code outside", "a copy of it"))
    return problems
