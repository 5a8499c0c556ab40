"""What MindSpore says to the gradients that a user's `bprop` gives: too few, of other shapes or dtypes, no tuple.

def bprop(self, x, y, out, dout):
    return (dout,)      # RuntimeError: Grad size should lager than forward inputs, but got 1 vs 2

`set_context(check_bprop=True)` has it look at more. Graphs and the tape have words of their own. And to the cotangents
and tangents that a program gives: in a graph they are joined with what they are of, line by line they are looked at one
by one.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import Any, Final, cast

from jitcore.compat.mindspore import context
from jitcore.compat.mindspore.refusals.naming import abstract, dtype_name, python_name, shape_text, type_text
from jitcore.library.core.values import dtype_of_value
from jitcore.passes.infer.engine.operands import Operand, Operation, of_object
from jitcore.runtime.custom import is_broadcast
from jitcore.runtime.tensor import Tensor

_KINDS: Final = {
    "tensor": "TensorType", "int": "Int", "float": "Float", "bool": "Bool", "str": "String", "none": "NoneType",
    "list": "list", "dict": "list",
}  # fmt: skip
_UNTOLD: Final = ("object", "union", "instance")
_METHOD: Final = "For user defined method 'bprop'"
_EXCEPT: Final = "input arguments except 'out' and 'dout', which is:"


def _is_checked() -> bool:
    return bool(context.get_context("check_bprop"))


def backward(operation: Operation) -> BaseException | None:
    """The answer in a graph to a `bprop` (the operation's name) that does not have a parameter for each argument of
    `construct`, and two more."""
    if not isinstance(operation.name, FunctionType):
        return None
    parameters = inspect.signature(operation.name).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None  # as MindSpore takes it line by line
    declared, wanted = len(parameters) - 1, len(operation.operands)
    if declared < 2:
        return RuntimeError(
            "The function 'bprop' of Primitive or Cell requires at least 2 params 'out' and 'dout', "
            f"but got only {declared}."
        )
    if declared - 2 < wanted:
        return TypeError(
            "The params of function 'bprop' of Primitive or Cell requires the forward inputs "
            "as well as the 'out' and 'dout'."
        )
    if declared - 2 == wanted:
        return None
    name = f"{operation.name.__module__}_{operation.name.__qualname__.rpartition('.')[0]}_construct"
    shown = name.replace(".", "_").replace("<", "_").replace(">", "_")
    return TypeError(
        f"Function {shown}, The number of parameter of this primal function is {wanted}, "
        f"but the number of parameters of bprop is {declared - 2}"
    )


def in_graph(operation: Operation) -> BaseException | None:
    """The answer in compiled code to what was given for arguments; the operation's name is the Cell, and whether
    MindSpore would compile it, too."""
    found, *args = operation.operands
    cell, compiled = operation.name
    if found.kind in _UNTOLD:
        return None
    if not compiled:
        return _line_by_line(found, args)
    checked = _is_checked()
    if found.kind != "tuple":
        if checked:
            kind = _KINDS.get(found.kind, found.kind)
            return TypeError(
                f"For 'user defined method 'bprop'', the type of 'grads' should be 'tuple', but got type '{kind}'."
            )
        return TypeError(f"For bprop function, output should be a tuple, but got {abstract(found)}".rstrip())
    given, count = len(found.items), len(args)
    if checked and given != count:
        return ValueError(
            f"{_METHOD}, the number of return values(gradients) must be equal to the number of "
            f"{_EXCEPT}{count} but got {given}."
        )
    if given < count:
        return RuntimeError(
            "The output size of the 'bprop' must match the number of parameters in its corresponding primal function "
            f"'{cell}' : {given} vs. {count}."
        )
    pairs = zip(found.items, args, strict=True) if checked else ()
    return next(filter(None, (_unlike_in_graph(k, g, x) for k, (g, x) in enumerate(pairs))), None)


def _unlike_in_graph(number: int, gradient: Operand, x: Operand) -> BaseException | None:
    if x.kind != "tensor" or gradient.kind in _UNTOLD:
        return None
    if gradient.kind != "tensor" or gradient.dtype is not x.dtype:
        return TypeError(f"{_METHOD}{_asked(number, 'dtype')}{type_text(x)}, but got: {type_text(gradient)}.")
    if gradient.shape != x.shape and None not in (*gradient.shape, *x.shape):
        return ValueError(f"{_METHOD}{_asked(number, 'shape')}{list(x.shape)}, but got: {list(gradient.shape)}.")
    return None


def _asked(number: int, what: str) -> str:
    argument = f"{number}th argument"
    return (
        f", the {number}th return value(gradient of the {argument}) should have the same {what} "
        f"as the {argument}, which is:"
    )


def operand(value: Any) -> Operand:
    """What the rules see of a value that is at hand, and of what is in a sequence."""
    if isinstance(value, Tensor):
        return Operand("tensor", dtype_of_value(value), tuple(value.shape), value=value)
    if type(cast("object", value)) in (tuple, list):
        items = tuple(map(operand, cast("Sequence[Any]", value)))
        return Operand("tuple" if isinstance(value, tuple) else "list", value=value, items=items)
    return of_object(value)


def line_by_line(found: Any, args: Sequence[Any]) -> BaseException | None:
    """The answer to what was given for arguments where nothing is compiled."""
    return _line_by_line(operand(found), [operand(x) for x in args])


def _line_by_line(found: Operand, args: Sequence[Operand]) -> BaseException | None:
    if found.kind == "none":
        return TypeError("The python function output is none.")
    if len(args) == 1 and args[0].kind != "tensor":
        return None
    checked, count = _is_checked(), len(args)
    sequence = found.kind == "tuple" or (found.kind == "list" and not checked)
    items = found.items if sequence else (found,)
    if checked:
        return _checked(items, args)
    if not items:
        return RuntimeError("Hook fn grad output is empty!") if count else None
    if len(items) < count:
        return RuntimeError(f"Grad size should lager than forward inputs, but got {len(items)} vs {count}")
    return next(filter(None, map(_unfitting, items, args)), None)


def _checked(items: Sequence[Operand], args: Sequence[Operand]) -> BaseException | None:
    method = f"{_METHOD} of net 'CellCustomBackward'"
    if len(items) != len(args):
        return TypeError(
            f"{method}, the number of return values(gradients) should be equal to the number of {_EXCEPT} "
            f"{len(args)}, but got:{len(items)}."
        )
    for number, (gradient, x) in enumerate(zip(items, args, strict=True)):
        if x.kind != "tensor":
            continue
        if gradient.kind != "tensor":
            return TypeError(
                f"{method}, the {number}th return value(gradient of the {number}th argument) should be Tensor, "
                f"but got {python_name(gradient)}, and the value is {gradient.value}."
            )
        own, given = dtype_name(x.dtype), dtype_name(gradient.dtype)
        if own != given:
            return TypeError(f"{method}{_asked(number, 'dtype')}{own}, but got: {given}.")
        if gradient.shape != x.shape:
            return ValueError(f"{method}{_asked(number, 'shape')}{x.shape}, but got: {gradient.shape}.")
    return None


def _unfitting(gradient: Operand, x: Operand) -> BaseException | None:
    """The answer to what is no gradient of a Tensor."""
    want = tuple(n for n in x.shape if n is not None)
    have = tuple(n for n in gradient.shape if n is not None)
    if x.kind != "tensor" or want != x.shape or have != gradient.shape:
        return None
    if gradient.kind in ("str", "dict"):
        return TypeError(f"Unreasonable data type: <class '{gradient.kind}'>.")
    if gradient.kind not in ("tensor", "int", "float", "bool") or is_broadcast(want, have):
        return None
    return RuntimeError(
        "For grad interface or custom function, grad tensor should be broadcast to expected shape, but got "
        f"{shape_text(have)} vs {shape_text(want)}"
    )


_ABSTRACT: Final = {
    "tensor": "AbstractTensor", "tuple": "AbstractTuple", "list": "AbstractList", "dict": "AbstractDictionary",
    "none": "AbstractNone", "str": "AbstractScalar", "int": "AbstractScalar",
    "float": "AbstractScalar", "bool": "AbstractScalar",
}  # fmt: skip


def unjoined(given: Operand, of: Operand) -> BaseException | None:
    """The answer in a graph to a cotangent or tangent, of which `of` is the value."""
    if given.kind not in _ABSTRACT or of.kind not in _ABSTRACT:
        return None
    if of.kind == "tensor" and given.kind in ("int", "float", "bool", "str"):
        return TypeError(f"Type Join Failed: dtype1 = {type_text(given)}, dtype2 = Any.")
    if given.kind != of.kind:
        names = f"{_ABSTRACT[given.kind]} cannot join with {_ABSTRACT[of.kind]}"
        return TypeError(f"Type Join Failed: Abstract type {names}.")
    if of.kind == "tensor":
        if given.dtype is of.dtype:
            return None
        return TypeError(f"Type Join Failed: dtype1 = {dtype_name(given.dtype)}, dtype2 = {dtype_name(of.dtype)}.")
    if len(given.items) < len(of.items):
        count = len(given.items)
        return IndexError(f"TupleGetItem evaluator index should be in range[-{count}, {count}), but got {count}.")
    return next(filter(None, map(unjoined, given.items, of.items)), None)
