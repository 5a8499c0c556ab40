"""What a call gives, before it is computed: dtypes and shapes, by jitcore's own inference of the function."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Final

from jitcore.compat.paddle.declaring import CATEGORY
from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.static.expressions import Names, function_of
from jitcore.compat.paddle.static.statements import Call, variables_in
from jitcore.compat.paddle.static.variables import Variable
from jitcore.ir.analysis import all_bindings
from jitcore.ir.nodes import Literal, Module
from jitcore.passes.infer.domain.signature import (
    ArrayArg,
    Inferred,
    Result,
    ResultArray,
    ResultConstant,
    ResultContainer,
    ResultInput,
)
from jitcore.runtime import compile as driver
from jitcore.runtime.descriptions import describe_captured
from jitcore.structs import dataclass
from jitcore.types import RefType, TensorType

_DRAWING: Final = frozenset(["random_state", "host_random", "host_draw", "host_method"])


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """What a call gives: a tree with a type in the place of each array, and the Variable in that of one that was
    given; the Variables that it writes to; and whether it draws random numbers."""

    result: Any
    mutated: tuple[Variable, ...]
    draws: bool


def made_by(function: Callable[..., Any], args: Sequence[object], keywords: Mapping[str, object]) -> Made:
    """What a call with Variables in the place of arrays gives. Raises what the call is bound to raise, and TypeError
    where it gives what no Program can hold."""
    names = Names()
    given: dict[str, tuple[str, Variable]] = {}

    def named(variable: Variable) -> str:
        if variable.name not in given:
            given[variable.name] = names.fresh(variable.name), variable
        return given[variable.name][0]

    called = names.call(function, args, keywords, named)
    text = f"def call({', '.join(name for name, _ in given.values())}):\n    return {called}\n"
    variables = [variable for _, variable in given.values()]
    with modes.dynamic():
        inferred = driver.compile_call(
            function_of(text, "call", names.values),
            [ArrayArg(v.type_.dtype, v.type_.shape, CATEGORY) for v in variables],
            {},
            describe_captured,
            shown=False,
            judged=False,
            is_recorded=lambda _: True,
        ).inferred
    _require_possible(inferred.module)
    label = getattr(function, "__name__", "the call")
    return Made(
        _tree(inferred.result, inferred, variables, label),
        tuple(variables[spec.path[1]] for spec in inferred.inputs if spec.written and spec.path[0] == "arg"),
        any(binding.op.name in _DRAWING for binding in all_bindings(inferred.module)),
    )


def _require_possible(module: Module) -> None:
    """Raise what the function raises whatever the elements are."""
    for binding in module.main.body:
        if binding.op.name == "check" and isinstance(binding.args[0], Literal) and not binding.args[0].value:
            kind = binding.params["exception"]
            raised = getattr(builtins, kind, None) if isinstance(kind, str) else kind
            raise (raised or ValueError)(binding.params["message"])


def _tree(result: Result, inferred: Inferred, variables: Sequence[Variable], label: str) -> Any:
    if isinstance(result, ResultArray):
        type_ = inferred.module.main.results[result.index].type
        type_ = type_.target if isinstance(type_, RefType) else type_
        assert isinstance(type_, TensorType)
        return type_
    if isinstance(result, ResultInput) and result.index < len(inferred.inputs):
        path = inferred.inputs[result.index].path
        if path[0] == "arg":
            return variables[path[1]]
    if isinstance(result, ResultConstant):
        return result.value
    if isinstance(result, ResultContainer):
        items = [_tree(item, inferred, variables, label) for item in result.items]
        if result.cls is dict:
            return dict(zip(result.keys, items, strict=True))
        if result.cls in (tuple, list):
            return result.cls(items)
        if hasattr(result.cls, "_fields"):  # a named tuple
            return result.cls(*items)
    raise TypeError(
        f"{label} gives what is known when the Program runs and is no Tensor: in static mode results are Tensors"
    )


_OPPOSITE: Final = {"training": False, "is_test": True}
"""The parameters that say whether a network is being trained, and what they are where it is not."""


def for_test(call: Call) -> Call:
    """A call as it is where nothing is trained."""
    try:
        signature = inspect.signature(call.function)
    except (TypeError, ValueError):  # a function without one
        return call
    changed = {name: value for name, value in _OPPOSITE.items() if name in signature.parameters}
    if not changed:
        return call
    bound = signature.bind(*call.args, **call.keywords)
    bound.arguments.update(changed)
    made = copy(call)
    made.args, made.keywords = bound.args, bound.kwargs
    found = made_by(made.function, made.args, made.keywords)
    made.mutated, made.draws = found.mutated, found.draws
    return made


def inputs_of(args: object, keywords: object) -> list[Variable]:
    """The Variables that a call is given."""
    return list(variables_in((args, keywords)))
