"""What MindSpore says to compiled code that makes Tensors, Parameters and mutable values of what they cannot be made
of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore import composite
from jitcore.compat.mindspore.api import tensor
from jitcore.compat.mindspore.refusals import tensors
from jitcore.compat.mindspore.refusals.naming import abstract, class_name, class_path, kind_name
from jitcore.library.core.mutable import mutable
from jitcore.nn import Cell
from jitcore.ops.composite import GradOperation
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand
from jitcore.runtime.tensor import Tensor

_PARAMETERS: Final = ("input_data", "dtype", "shape", "init", "internal", "const_arg")
_CLASSES: Final = {
    "none": "NoneType",
    "dict": "dict",
    "set": "set",
    "str": "str",
    "slice": "slice",
    "ellipsis": "ellipsis",
    "type": "type",
}
_NONE: Final = Operand("none", value=None)


def _tensor(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    unknown = next((k for k in keywords if k not in _PARAMETERS), None)
    if unknown is not None:
        return RuntimeError(f"Got an unexpected keyword argument '{unknown}'")
    given = {**dict(zip(_PARAMETERS, args, strict=False)), **keywords}
    data, dtype = given.get("input_data", _NONE), given.get("dtype", _NONE)
    shape = given.get("shape", _NONE)
    if data.kind == "none" and shape.kind == "none" and "init" not in given:
        return tensors.untyped("NoneType")
    if data.kind == "none" or (data.kind == "object" and not isinstance(data.value, bytes | set)):
        return None
    if data.kind == "object":
        return tensors.untyped("str" if isinstance(data.value, bytes) else "set")
    if shape.kind != "none":
        found = _value(shape)
        return None if found is UNKNOWN else tensors.shaped_twice(found)
    if data.kind in _CLASSES:
        return tensors.untyped(_CLASSES[data.kind])
    if data.kind == "dtype":
        return tensors.untyped(str(data.value).rstrip("0123456789_").capitalize())
    if data.kind != "tensor" and (wrong := _dtype(dtype)) is not None:
        return tensors.without_dtype(wrong)
    held = _value(data) if data.kind in ("tuple", "list") else UNKNOWN
    return None if held is UNKNOWN or _is_regular(held) else tensors.unsupported(held)


def _dtype(x: Operand) -> str | None:
    """What is no dtype of MindSpore's, as the message shows it."""
    if x.kind == "type":
        return x.value.__name__
    if x.kind in ("str", "int", "float", "bool", "tuple", "list") and _value(x) is not UNKNOWN:
        return repr(_value(x))
    return None


def _value(x: Operand) -> Any:
    """The Python value of an operand, as far as it is known whole."""
    if x.kind in ("tuple", "list"):
        held = [_value(i) for i in x.items]
        if any(h is UNKNOWN for h in held):
            return UNKNOWN
        return tuple(held) if x.kind == "tuple" else held
    if x.kind == "dict":
        held = [_value(i) for i in x.items]
        return UNKNOWN if any(h is UNKNOWN for h in held) else dict(zip(x.keys, held, strict=True))
    return x.value


def _is_regular(data: Any) -> bool:
    """Whether nested sequences are an array of numbers."""
    try:
        return np.asarray(data).dtype.kind in "biufc"
    except ValueError:
        return False


def _mutable(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    count = len(args) + len(keywords)
    if not 1 <= count <= 2:
        return RuntimeError(f"For 'mutable', the number of inputs should be 1 or 2, but got {count}")
    shown = [abstract(x) for x in args]
    shown += [f"AbstractKeywordArg(key: {k}, value: {abstract(x)})" for k, x in keywords.items()]
    if not args:
        return _not_mutable(f"AbstractKeywordArg(key: {next(iter(keywords))}, value:")
    if count == 2 and (len(args) < 2 or args[1].kind != "bool"):
        return TypeError(f"For 'mutable', the second input should be bool, but got: {shown[1]}".rstrip())
    is_dynamic = len(args) == 2 and args[1].value is True
    if is_dynamic and args[0].kind not in ("tuple", "list", "range", "object", "union"):
        return TypeError(
            "For 'mutable', when the variable_len is True, the first input should be "
            f"list or tuple, but got: {shown[0]}".rstrip()
        )
    if args[0].dynamic and not is_dynamic:
        return RuntimeError("For 'mutable', can not convert a dynamic length sequence to constant length.")
    if is_dynamic and (mixed := _mixed(args[0])) is not None:
        return mixed
    wrong = _unvariable(args[0])
    return None if wrong is None else _not_mutable(_abstract(wrong))


def _not_mutable(shown: str) -> TypeError:
    return TypeError(
        "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, list, dict) or their "
        f"nested structures, but got {shown}".rstrip()
    )


def _unvariable(x: Operand) -> Operand | None:
    """What of a value is neither a number nor a Tensor."""
    if x.kind in ("tuple", "list", "dict"):
        return next(filter(None, map(_unvariable, x.items)), None)
    return x if x.kind in ("str", "none", "type", "dtype", "slice", "ellipsis") else None


def _abstract(x: Operand) -> str:
    if x.kind == "type":
        return f"AbstractScalar(Type: TypeType, Value: class '{x.value.__name__}', Shape: NoShape)"
    if x.kind == "dtype":
        return f"AbstractType(Value: {str(x.value).capitalize()})"
    return "AbstractEllipsis(Value: Ellipsis)" if x.kind == "ellipsis" else abstract(x)


def _type(x: Operand) -> str:
    return class_name(x) if x.kind in ("int", "float") else {"bool": "Bool"}.get(x.kind) or kind_name(x)


def _mixed(x: Operand) -> BaseException | None:
    """The answer to items of several types in a sequence of variable length."""
    if x.items and x.items[0].kind == "dict":
        return TypeError("DynamicSequence does not support dictionary type as element type now.")
    for k, item in enumerate(x.items):
        if item.kind != x.items[0].kind:
            return ValueError(
                "In graph mode, the element type of dynamic length array must be the same."
                "The element type do not match, can not convert to dynamic length sequence. "
                f"The 0th element type is: {_type(x.items[0])}. The {k}th element type is: {_type(item)}"
            )
    return None


def _not_made(name: str) -> Callable[[Sequence[Operand], Mapping[str, Operand]], BaseException]:
    """The answer to a class whose objects compiled code does not make."""

    def answer(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException:
        return ValueError(
            f"Failed to compile in GRAPH_MODE because creating class '{name}' instances is not supported in "
            f"'construct' or @jit decorated function. Try to create class '{name}' instances external such as "
            "initialized in the method '__init__' before assigning. For more details, please refer to "
            "https://www.mindspore.cn/tutorials/zh-CN/master/compile/static_graph.html"
        )

    return answer


def _hyper_map(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    cls = _mapped_class(args, keywords)
    return None if cls is None else RuntimeError(composite.UNCAST.format(cls))


def _map(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    cls = _mapped_class(args, keywords)
    return None if cls is None else TypeError(f"{composite.UNCONSTRUCTED}Map takes a MultitypeFuncGraph, not {cls}")


def _mapped_class(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> str | None:
    """The class of what is to be mapped, a function or layer; None if it is of none that is refused."""
    given = args[0] if args else keywords.get("ops")
    if given is None or isinstance(given.value, _MAPPED):
        return None
    if isinstance(given.value, Cell):
        return f"<class '{class_path(type(given.value))}'>"
    return "<class 'function'>" if given.kind == "function" else None


_MAPPED: Final = (composite.MultitypeFuncGraph, composite.HyperMap, composite.Map, Primitive, GradOperation)


ANSWERS: Final[dict[Any, Callable[[Sequence[Operand], Mapping[str, Operand]], BaseException | None]]] = {
    Tensor: _tensor, tensor: _tensor, mutable: _mutable, composite.HyperMap: _hyper_map, composite.Map: _map,
    Parameter: _not_made("mindspore.common.parameter.Parameter"),
    composite.MultitypeFuncGraph: _not_made("mindspore.ops.composite.base.MultitypeFuncGraph"),
}  # fmt: skip
