"""Recording: in static mode a call is added to the Program in place of being computed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from jitcore.compat.paddle import declaring, naming
from jitcore.compat.paddle.functions.creation import detach
from jitcore.compat.paddle.nn.parameter import Parameter as LayerParameter
from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.static.calls import made_by
from jitcore.compat.paddle.static.expressions import own
from jitcore.compat.paddle.static.operators import OPERATORS
from jitcore.compat.paddle.static.programs import Block, default_main_program, default_startup_program
from jitcore.compat.paddle.static.statements import Call, Initial, variables_in
from jitcore.compat.paddle.static.variables import Parameter, Variable
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core.values import dtype_of_value
from jitcore.types import TensorType

_OPERATORS: Final = frozenset(OPERATORS.values())


def record(
    function: Callable[..., Any], args: Sequence[object], keywords: Mapping[str, object], kept: bool = False
) -> Any:
    """Add a call to the Program; what it gives, Variables in the place of Tensors. Raises what the call is bound to
    raise.

    Tensors among the arguments are persistable Variables of the Program, which have the Tensors' memory.
    """
    block = default_main_program().current_block()
    args = tuple(_taken(own(arg), block) for arg in args)
    keywords = {name: _taken(own(arg), block) for name, arg in keywords.items()}
    made = made_by(function, args, keywords)
    inputs = list(variables_in((args, keywords)))
    cls = next((type(v).result_class for v in inputs), Variable)
    label = (
        "tmp" if function in _OPERATORS else naming.generate(getattr(function, "__name__", "call").strip("_")) + ".tmp"
    )
    stops = function is detach or all(v.stop_gradient for v in inputs)
    numbers: Iterator[str] = (naming.generate("tmp") if label == "tmp" else f"{label}_{k}" for k in range(1_000_000))
    outputs = _outputs(
        made.result,
        lambda type_: block.add(
            cls(block, next(numbers), block.program.plain(type_), stops or not type_.dtype.is_differentiable)
        ),
    )
    for variable in made.mutated:
        if not variable.persistable:
            variable.stop_gradient = variable.stop_gradient and stops
    block.append(Call(function, args, keywords, outputs, made.mutated, made.draws, kept))
    return outputs


def _outputs(tree: object, variable: Callable[[TensorType], Variable]) -> Any:
    """What a call gives, with a Variable for each type."""
    if isinstance(tree, TensorType):
        return variable(tree)
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_outputs(item, variable) for item in cast("Sequence[Any]", tree)))
    if isinstance(tree, tuple | list):
        return type(cast("list[Any]", tree))([_outputs(item, variable) for item in cast("Sequence[Any]", tree)])
    if isinstance(tree, dict):
        return {key: _outputs(item, variable) for key, item in cast("dict[Any, Any]", tree).items()}
    return tree


def _taken(tree: object, block: Block) -> Any:
    """Arguments with Variables in the place of Tensors."""
    if isinstance(tree, Tensor):
        return captured(tree, block)
    if type(tree) in (tuple, list):
        items = cast("Sequence[Any]", tree)
        return type(cast("list[Any]", tree))([_taken(item, block) for item in items])
    if type(tree) is dict:
        return {key: _taken(item, block) for key, item in cast("dict[Any, Any]", tree).items()}
    return tree


def captured(tensor: Tensor, block: Block) -> Variable:
    """The persistable Variable of a Program that stands for a Tensor. In static mode the startup Program gives the
    Tensor the value again that it has now."""
    program = block.program
    for name, known in program.captured.items():
        if known is tensor:
            return program.global_block().vars[name]
    around = program.global_block()
    name = tensor.name if tensor.persistable and not around.has_var(tensor.name) else naming.generate("captured")
    type_ = TensorType(dtype_of_value(tensor), tuple(tensor.shape))
    if hasattr(tensor, "optimize_attr"):
        made: Variable = Parameter(around, name, type_, cast("Any", tensor))
    else:
        made = Variable(around, name, type_, tensor.stop_gradient)
    made.persistable = True
    program.captured[name] = tensor
    if modes.is_static():
        startup = default_startup_program().global_block()
        startup.append(Initial(made, tensor, tensor.numpy()))
    return around.add(made)


class _Recorder:
    """Has operations recorded in static mode, and where one of their arguments is a Variable."""

    def wants(self, function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> bool:
        """Whether a call is to be recorded."""
        del function
        return modes.is_static() or next(variables_in((args, keywords)), None) is not None

    def record(self, function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """What the recorded call gives."""
        return record(function, args, {name: arg for name, arg in keywords.items() if name != "name"})


declaring.set_recorder(_Recorder())


def tensors(tree: object) -> Any:
    """Values with Variables in the place of numbers and Tensors."""
    if isinstance(tree, Tensor):
        return captured(tree, default_main_program().current_block())
    if isinstance(tree, bool | int | float):
        kind = "bool" if isinstance(tree, bool) else "int64" if isinstance(tree, int) else "float64"
        return record(declaring.FUNCTIONS["full"], ([], tree), {"dtype": kind})
    if isinstance(tree, tuple | list):
        return type(cast("list[Any]", tree))([tensors(item) for item in cast("Sequence[Any]", tree)])
    if isinstance(tree, dict):
        return {key: tensors(item) for key, item in cast("dict[Any, Any]", tree).items()}
    return tree


def assign_to(target: Variable, function: Callable[..., Any], *args: object, **keywords: object) -> Variable:
    """Record a call whose result is the new value of a Variable."""
    record(function, args, keywords)
    block = default_main_program().current_block()
    call = block.ops[-1]
    assert isinstance(call, Call)
    block.forget(call.outputs)
    call.outputs = target
    return target


# --- Variables' methods -------------------------------------------------------------------------------


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Variable, *args: object, **keywords: object) -> Any:
        return record(function, (self, *args), keywords)

    return method


def _operator(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """An operator of Parameters, which is recorded in static mode."""
    plain = getattr(Tensor, name)

    def operator(self: Any, *others: object) -> Any:
        return record(function, (self, *others), {}) if modes.is_static() else plain(self, *others)

    return operator


def _attribute(self: Variable, name: str) -> Any:
    """What a Variable has as Tensors have it: methods, and properties that are computed."""
    found = None if name.startswith("__") else getattr(Tensor, name, None)
    if isinstance(found, property):
        assert found.fget is not None
        return record(found.fget, (self,), {})
    if not callable(found):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
    return functools.partial(_method(found), self)


for _name, _function in OPERATORS.items():
    setattr(Variable, _name, _method(_function))
    setattr(LayerParameter, _name, _operator(_name, _function))
LayerParameter.__hash__ = Tensor.__hash__
Variable.__hash__ = object.__hash__
Variable.__getattr__ = _attribute  # pyright: ignore[reportAttributeAccessIssue]
