"""What MindSpore says to operators, functions and items of Tensors of strings, line by line:
`Select CPU operator[Equal] fail! Unsupported data type!`"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from jitcore import nn
from jitcore.compat.mindspore.refusals import calls, conversions, dtypes, eager_items, eager_operators, signatures
from jitcore.compat.mindspore.refusals.naming import type_text
from jitcore.nn import Cell
from jitcore.passes.infer.engine.operands import Operand
from jitcore.primitives.core.dialects import meant
from jitcore.runtime.tensor import Tensor

COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=")
_UNCONVERTED: Final = ("==", "<")
"""Operators that convert no operand before they look for a kernel."""
_NAMES: Final = {
    "+": "AddExt", "-": "SubExt", "*": "Mul", "/": "Div", "//": "FloorDiv", "%": "FloorMod", "**": "Pow", "@": "MatMul",
    "&": "BitwiseAnd", "|": "BitwiseOr", "^": "BitwiseXor", "==": "Equal", "!=": "NotEqual", "<": "Less",
    "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual",
}  # fmt: skip
OPERATORS: Final = (*_NAMES, "<<", ">>")
_INVALID: Final = frozenset(["//", "**"])
"""Operators that have another word for two Tensors of strings."""


def no_number() -> TypeError:
    """The answer to `bool(x)`, `int(x)`, `x.item()`."""
    return TypeError("Not support tensor data type: 12.")


def no_view() -> TypeError:
    """The answer to what would be a view of strings."""
    return TypeError("type_id:String is invalid")


def unselected(name: str) -> TypeError:
    """That no kernel of an operator takes strings."""
    return TypeError(f"Select CPU operator[{name}] fail! Unsupported data type!")


def no_item(x: Tensor, key: Any) -> BaseException:
    """The answer to `x[key]`."""
    told = eager_items.unusable(x, key) or eager_items.got(x, key)
    return told or (TypeError("") if isinstance(key, Tensor | list) else no_view())


def unput(x: Tensor, key: Any, value: Any) -> BaseException:
    """The answer to `x[key] = value`."""
    if isinstance(value, Tensor):
        return conversions.of_dtype(x.dtype) or no_view()
    return (
        eager_items.untaken(value)
        or eager_items.got(x, key)
        or RuntimeError(
            "self_tensor->data_type is not equal to src_tensor->data_type, "
            "self_tensor->data_type:12,  src_tensor->data_type:52"
        )
    )


def is_of_strings(x: Any) -> bool:
    """Whether a value is a Tensor of strings."""
    return isinstance(x, Tensor) and x.asnumpy().dtype.kind in "US"


def in_graph(error: BaseException, args: Sequence[Any]) -> BaseException | None:
    """What a graph says in place of the words of lines, whose first line it leaves empty for what has no kernel."""
    text = str(error)
    if text == str(unselected("Equal")) and not any(map(is_of_strings, args)):
        return _invalid("Equal")
    if text.startswith(("Select CPU operator[", "type_id:String", "Reduce does not support this kernel")):
        return type(error)("")
    primitive = {"For primitive[AddExt]": "Add", "For primitive[SubExt]": "Sub"}.get(text.partition(",")[0], "")
    return dtypes.refused(primitive, list(map(eager_operators.operand, args)))


# --- operators --------------------------------------------------------------------------------------


def operated(op: str, left: Any, right: Any) -> Any:
    """The result of an operator with a Tensor of strings on one side, if there is one."""
    other = right if is_of_strings(left) else left
    if isinstance(other, np.generic) and other.dtype.kind in "biuf":
        return operated(op, *(x.item() if isinstance(x, np.generic) else x for x in (left, right)))
    if op in ("<<", ">>"):
        return NotImplemented
    if not isinstance(other, Tensor | bool | int | float):
        return _beside_others(op, left, right, other)
    raise _of_tensors(op, left, right) if isinstance(other, Tensor) else _of_number(op, left, right)


def _beside_others(op: str, left: Any, right: Any, other: Any) -> Any:
    """The answer to what no operator of Tensors takes, and to sequences, which some convert."""
    if op in ("==", "!="):
        return op == "!="
    if isinstance(other, tuple | list) and op in ("+", "-", "//"):
        if not all(type(i) in (int, float, bool) for i in other):
            raise TypeError(f"For Tensor, the input_data is {tuple(other)} that contain unsupported element.")
        raise _unconverted(type_text(eager_operators.operand(Tensor(list(other))))[7:-1], "String")
    if is_of_strings(right) and op in ("&", "|", "^"):
        return NotImplemented
    raise eager_operators.refused(op, eager_operators.operand(left), eager_operators.operand(right))


def _unconverted(one: str, other: str) -> TypeError:
    return TypeError(f"Type implicit conversion between {one} and {other} is not supported.")


def _of_tensors(op: str, left: Tensor, right: Tensor) -> BaseException:
    x, y = eager_operators.operand(left), eager_operators.operand(right)
    name = _NAMES[op]
    if op == "%" and is_of_strings(left) and is_of_strings(right):
        return TypeError("")
    if op in _UNCONVERTED:
        return unselected(name)
    if is_of_strings(left) and is_of_strings(right):
        if op in ("+", "-"):
            shown = f"{type_text(x)} and {type_text(y)}"
            return TypeError(f"For primitive[{name}], the input arguments must have error data type, got {shown}")
        if op in _INVALID:
            return _invalid(name)
        return dtypes.refused(name, (x, y)) or unselected(name)
    if op == "@":
        return eager_operators.unlike(op, (left, right)) or unselected(name)
    return _invalid(name) if op in ("*", "/") else _unconverted(*(type_text(o)[7:-1] for o in (y, x)))


def _invalid(name: str) -> TypeError:
    return TypeError(f"For Op[{name}], the type Stringis invalid")


def _of_number(op: str, left: Any, right: Any) -> BaseException:
    on_left = is_of_strings(left)
    number = right if on_left else left
    if op in ("*", "/"):
        return (
            TypeError(f"For {_NAMES[op]}{'s' * (op == '/')}, unsupported dtype: String")
            if on_left or op == "*"
            else unselected("Reciprocal")
        )
    if op in _UNCONVERTED:
        return unselected(_NAMES[op])
    if op == "@" or (not on_left and op in ("&", "|", "^")):
        return eager_operators.refused(op, eager_operators.operand(left), eager_operators.operand(right))
    dtype = {bool: "Bool", int: "Int64", float: "Float32"}[type(number)]
    return _unconverted(f"Tensor[{dtype}]", "String") if on_left or op == "+" else _unconverted("Tensor[String]", dtype)


# --- functions --------------------------------------------------------------------------------------

_TAKES_STRINGS: Final = frozenset([
    "shape", "rank", "size", "is_tensor", "print", "fill", "contiguous", "numel", "dim", "asnumpy", "to", "value",
    "has_init", "const_arg", "is_floating_point", "is_signed", "is_complex",
])  # fmt: skip
_VIEWS: Final = frozenset([
    "reshape", "squeeze", "expand_dims", "unsqueeze", "flatten", "ravel", "view", "transpose", "permute", "swapaxes",
    "split", "chunk", "broadcast_to", "argmax", "argmin", "diagonal", "narrow", "select",
])  # fmt: skip
_REDUCTIONS: Final = {
    "sum": ",Bool,Bool",
    "mean": ",Bool",
    "max": ",Bool",
    "min": ",Bool",
    "prod": ",Bool",
    "amax": ",Bool",
    "amin": ",Bool",
}
_CASTS: Final = frozenset(["cast", "Cast", "astype", "float", "int", "half", "bool", "long", "double"])
_INVALIDATED: Final = {"where": "Select", "cat": "Concat", "concat": "Concat", "select": "Select"}


def refused(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
    """The answer to a function, method or operator that is called on Tensors of strings."""
    if not _has_strings([*args, *keywords.values()]):
        return None
    if isinstance(function, Cell):
        return _of_layer(type(function))
    name = calls.function_name(function) or getattr(function, "name", None) or getattr(function, "__name__", "")
    name = _NAMED.get(name, name.removesuffix("_").removesuffix("_method"))
    if name in _TAKES_STRINGS:
        return None
    if name in _VIEWS:
        return no_view()
    if name in _REDUCTIONS:
        return RuntimeError(
            "Reduce does not support this kernel data type: [Kernel Attr] all same: 0, "
            f"input(String,Unknown{_REDUCTIONS[name]}) , output(String)."
        )
    if name in _CASTS:
        return unselected("Cast")
    return _invalid(_INVALIDATED[name]) if name in _INVALIDATED else _called(name, args, keywords)


def _has_strings(values: Sequence[Any]) -> bool:
    return any(is_of_strings(v) or (isinstance(v, tuple | list) and any(map(is_of_strings, v))) for v in values)


def _of_layer(layer: type[Cell]) -> BaseException | None:
    """The answer of a layer of MindSpore's."""
    if not layer.__module__.startswith("jitcore."):
        return None
    return (
        no_view()
        if meant(layer) in _VIEWING
        else dtypes.untaken(layer.__name__, "String") or unselected(layer.__name__)
    )


_NAMED: Final = {"absolute": "abs"}
_VIEWING: Final = (nn.Dense, nn.Flatten)


def _called(name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException:
    """By the operator that a function calls, if it is known."""
    operands = [eager_operators.operand(a) for a in args]
    named: dict[str, Operand] = {k: eager_operators.operand(v) for k, v in keywords.items()}
    if signatures.is_function(name) and signatures.miscalled(name, operands, named) is None:
        operator, operands, _ = signatures.of_function(name, operands, named)
    else:
        operator = calls.of_method(name, operands, keywords)[0] or "".join(w.capitalize() for w in name.split("_"))
    return dtypes.refused(operator, operands) or dtypes.untaken(operator, "String") or unselected(operator)
