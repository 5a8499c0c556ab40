"""What MindSpore refuses, and in which words: the rules that inference asks while `jitcore.compat.mindspore` is active.

    @jit
    def f(x):
        return x + None     # TypeError: Failed calling add with "add(None)".

Refusals are told by their kind (an operator's operands, a call's arguments, shapes, dtypes), each from a table of facts
about MindSpore. jitcore's own rules remain Python's: what MindSpore does not refuse is inferred as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jitcore.common.initializer import Initializer
from jitcore.compat.mindspore.refusals import (
    calls,
    cells,
    class_objects,
    cotangents,
    dtypes,
    dynamic_length,
    folding,
    given_gradients,
    initializers,
    items,
    jitting,
    joins,
    names,
    outputs,
    python_operators,
    raising,
    sequence_operators,
    syntax,
    tensor_indices,
    tensors,
    transform_calls,
    user_calls,
)
from jitcore.nn import Cell
from jitcore.nn.metrics import Measure
from jitcore.passes.infer.engine.dialect import Quoted, Shown
from jitcore.passes.infer.engine.operands import Instead, Operation
from jitcore.primitives.ops.conversions import (  # the module has the name of one of this package
    array_index_message,
    index_message,
)
from jitcore.primitives.transforms import AuxError
from jitcore.runtime.dispatch import CompiledFunction

_ANSWERS: Final[dict[str, Callable[[Operation], BaseException | Instead | Quoted | Shown | str | None]]] = {
    "binary": python_operators.binary,
    "compare": python_operators.binary,
    "inplace": python_operators.inplace,
    "unary": python_operators.unary,
    "truth": python_operators.truth,
    "attribute": names.attribute,
    "absent": names.absent,
    "output": outputs.refused,
    "shown": raising.shown,
    "name": names.missing,
    "item": items.get,
    "put": items.put,
    "outside": items.outside,
    "missing": items.missing,
    "given": lambda operation: dynamic_length.given(operation.operands[0]),
    "unpack": items.unpack,
    "constant": lambda operation: TypeError(f"Unsupported Constant type : {operation.name}"),
    "result": lambda operation: Instead(tuple),
    "dict": items.made,
    "set_attribute": names.put,
    "display": lambda operation: next(filter(None, map(items.iterate, operation.operands)), None),
    "starred": user_calls.starred,
    "iterate": lambda operation: items.iterate(operation.operands[0]),
    "source": lambda operation: syntax.refused(operation.name),
    "join": joins.refused,
    "raise": raising.answer,
    "gradients": given_gradients.in_graph,
    "cotangents": cotangents.in_graph,
    "backward": given_gradients.backward,
    "folded": lambda operation: folding.folded(operation.name, alike=operation.operands[0].value),
    "user_call": calls.of_users,
}


WORDS: Final[dict[str, str | BaseException]] = {
    "maximum recursion depth exceeded": RuntimeError(
        "Exceed function call depth limit 1000, (function call depth: 1001, simulate call depth: 1000)."
    ),
    "range() arg 3 must not be zero": RuntimeError("For 'range', the argument 'step' could not be 0."),
    AuxError.ALONE: RuntimeError("When has_aux is True, origin fn requires more than one outputs."),
    AuxError.DIRECTED: ValueError(transform_calls.SEVERAL),
    **{
        index_message(axis): IndexError(tensor_indices.OUTSIDE.format(axis, "{1}", "{0}"))
        for axis in range(tensor_indices.MOST_AXES)
    },
    **{array_index_message(axis): RuntimeError(tensor_indices.UNGATHERED) for axis in range(tensor_indices.MOST_AXES)},
    array_index_message(0, True): ValueError(tensor_indices.UNSCATTERED),
    "pop index out of range": IndexError("The pop index out of range."),
    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()": (
        sequence_operators.AMBIGUOUS
    ),
    "negative shift count": ValueError("For shift operator, shift count must be a non-negative integer."),
    "{0} is not in list": "{0} is not in",
    "tuple.index(x): x not in tuple": "{0} is not in",
}
"""Messages of Python's that are MindSpore's in other words, or in another class."""


def rules(operation: Operation) -> BaseException | Instead | Quoted | Shown | str | None:
    """The answer to an operation; in jitcore's own code, to calls alone, of operands whose shapes or values do not fit:
    the types that its layers call operators with are no mistake of the user's."""
    if (refused := class_objects.answer(operation)) is not None:
        return refused
    if operation.what in ("call", "method"):
        answer = calls.call(operation)
        return (
            None if operation.library and isinstance(answer, TypeError) and not dtypes.is_of_dtype(answer) else answer
        )
    if operation.library and operation.what != "user_call":
        return None
    return _ANSWERS[operation.what](operation)


def worded(cls: type, given: Mapping[str, Any], error: BaseException) -> BaseException:
    """MindSpore's exception for what a class was given, of which `error` was raised."""
    if "fill" in given:
        return initializers.of_fill(given["fill"])
    if issubclass(cls, CompiledFunction):
        return jitting.worded(given["called"], given["args"], given["keywords"], error)
    if issubclass(cls, Initializer):
        return initializers.worded(cls, given, error)
    if issubclass(cls, Measure):
        return tensors.unhashable(given["eval_type"]) or TypeError(
            f"The argument 'eval_type' must be in {{'classification', 'multilabel'}}, but got {given['eval_type']}"
        )
    return cells.worded(cls, given, error) if issubclass(cls, Cell) else tensors.worded(cls, given, error)
