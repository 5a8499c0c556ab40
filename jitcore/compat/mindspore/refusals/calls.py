"""Calls of MindSpore's functions, operators and methods: which of them is meant, and whether it takes its arguments."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from functools import cache
from types import BuiltinMethodType
from typing import Any, Final

from jitcore import ops
from jitcore.compat.mindspore.looping import Loop
from jitcore.compat.mindspore.refusals import (
    builtin_calls,
    container_methods,
    functional,
    functions,
    layer_arguments,
    layer_dtypes,
    looping,
    method_functions,
    methods,
    number_operands,
    operators,
    overloads,
    probed,
    python_operators,
    signatures,
    transforms,
    user_calls,
)
from jitcore.compat.mindspore.sequences import Constructible
from jitcore.library.core import declarations
from jitcore.nn import Cell, CellDict, CellList
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.engine.operands import Instead, Operand, Operation, of_object
from jitcore.primitives.core.dialects import meant
from jitcore.primitives.transforms import Gradient, Vmap
from jitcore.runtime.tensor import Tensor

_METHOD_OPERATORS: Final = {
    "add": "Add", "sub": "Sub", "subtract": "Sub", "mul": "Mul", "div": "Div", "matmul": "MatMulExt", "sum": "SumExt",
    "reshape": "Reshape", "view": "Reshape", "squeeze": "Squeeze", "expand_dims": "ExpandDims", "prod": "ProdExt",
    "gather": "Gather", "softmax": "Softmax", "permute": "Transpose", "broadcast_to": "BroadcastTo", "pow": "Pow",
    "eq": "Equal", "equal": "Equal", "ne": "NotEqual", "not_equal": "NotEqual", "gt": "Greater", "greater": "Greater",
    "ge": "GreaterEqual", "greater_equal": "GreaterEqual", "lt": "Less", "less": "Less", "le": "LessEqual",
    "less_equal": "LessEqual", "maximum": "Maximum", "minimum": "Minimum", "logical_and": "LogicalAnd",
    "logical_or": "LogicalOr", "atan2": "Atan2", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "rsqrt": "Rsqrt",
    "sin": "Sin", "cos": "Cos", "tan": "Tan", "tanh": "Tanh", "sigmoid": "Sigmoid", "floor": "Floor", "ceil": "Ceil",
    "erf": "Erf", "erfc": "Erfc", "neg": "Neg", "square": "Square", "reciprocal": "Reciprocal", "isnan": "IsNan",
    "isfinite": "IsFinite", "isinf": "IsInf", "sign": "Sign", "log1p": "Log1p", "expm1": "Expm1", "asin": "Asin",
    "acos": "ACos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh",
}  # fmt: skip
"""Methods whose operands are their operator's, after the Tensor itself."""
_PACKED: Final = frozenset(["reshape", "view", "permute", "tile", "broadcast_to"])
"""Methods that take the items of a tuple one by one as well."""
_NEEDS_INTS: Final = {
    "reshape": "Reshape",
    "view": "Reshape",
    "tile": "Tile",
    "broadcast_to": "BroadcastTo",
    "repeat": "Repeat",
}
"""Those of them that need some, and their operators."""


_OF_SEQUENCES: Final = {"add": "+", "sub": "-"}
"""Methods that make a Tensor of a sequence, as these operators do."""
_OF_ANY: Final = ("add", "sub", "mul")
"""Methods that take anything, by their forms: what it is, their operators look at."""


@cache
def _functions() -> dict[int, str]:
    """The names of functions of `ops`, by identity; of several names the function's own, if its checks are known by
    that."""
    named: dict[int, str] = {}
    chosen = (name.partition(".")[2] for name in overloads.names_in("ops"))
    for name in (*signatures.function_names(), *chosen, *functions.names(), *probed.function_names()):
        function = getattr(ops, name, None)
        if function is not None:
            own = getattr(function, "__name__", name)
            named.setdefault(id(function), own if functions.has(own) and functions.checked(own) else name)
    return named


@cache
def _overloaded() -> dict[int, str]:
    """The functions of `mint` that are chosen by the types of their arguments, by identity."""
    found: dict[int, str] = {}
    mint = importlib.import_module("mindspore.mint")
    for key in overloads.names_in("mint"):
        name = key.partition(".")[2]
        function = meant(getattr(mint, name, None))
        if function is not None and function is not getattr(ops, name, None):
            found[id(function)] = key
    return found


def overload_name(function: Any) -> str | None:
    """The name of a function of `mint` that is chosen by the types of its arguments."""
    return _overloaded().get(id(function))


def function_name(function: Any) -> str | None:
    """The name of a function of `ops`."""
    return _functions().get(id(function))


@cache
def _callees() -> dict[int, str]:
    """The functions of `ops` and methods of Tensors by identity, as the table of calls names them; not those that are
    several of which it says other things, nor methods that are functions as well."""
    named: dict[int, list[str]] = {}
    for name in probed.function_names():
        named.setdefault(id(getattr(ops, name, None)), []).append(f"ops.{name}")
    found = {k: names[0] for k, names in named.items() if probed.are_alike(names)}
    functions = {id(function) for function in vars(ops).values()}
    for name in probed.method_names():
        method = getattr(Tensor, name, None)
        method = getattr(method, "__jitcore_method__", method)  # the one that is checked first
        if id(method) not in functions and getattr(ops, name, None) is not method:
            found.setdefault(id(method), f"Tensor.{name}")
    return found


def callee(function: Any) -> str | None:
    """A function or method as the table of calls names it."""
    return _callees().get(id(function))


def call(operation: Operation) -> BaseException | Instead | None:
    """The answer to a call."""
    callee, args, keywords = operation.name, operation.operands, operation.keywords
    if any(x.kind == "union" for x in (*args, *keywords.values())):
        return None
    if operation.what == "method" and args and container_methods.is_container(args[0]):
        return None if operation.library else container_methods.answer(callee, args[0], args[1:], keywords)
    if operation.what == "method":
        instead = None if operation.compiled or operation.library else methods.line_by_line(callee, args)
        return instead or _method(callee, args, keywords, operation.library)
    if not operation.library and _is_containers(callee):
        return container_methods.answer(callee.__name__, of_object(callee.__self__), args, keywords)
    if isinstance(callee, Operand):
        return user_calls.uncalled(callee)
    if isinstance(callee, Loop):
        return looping.answer(callee, args, keywords)
    if functional.knows(callee):
        return functional.answer(callee, args, keywords)
    request = getattr(callee, "__jitcore_gradient__", None)
    if isinstance(request, Gradient):
        return transforms.gradient(request, args, keywords)
    transform = getattr(callee, "__jitcore_transform__", None)
    if isinstance(transform, Vmap):
        return transforms.vmap(transform, args)
    if isinstance(callee, Constructible) and (args or keywords) and callee.__init__ is object.__init__:
        return TypeError("too many positional arguments")
    found = None if operation.library else builtin_calls.answer(callee, args, keywords) or _uncallable(callee)
    if found is not None:
        return found
    if isinstance(callee, Primitive) and type(callee).__module__.startswith("jitcore."):
        options = {k: of_object(v) for k, v in callee.params.items()}
        if (refused := operators.miscounted(callee.name, len(args), tuple(keywords))) is not None:
            return refused
        refused = operators.refused(callee.name, list(args), options)
        if refused is None and not operation.library:
            refused = of_operator(callee, args, "graph")
        return refused or number_operands.answer(callee.name, callee, args)
    if isinstance(callee, Cell):
        return None if operation.library else of_layer(callee, args, keywords, "graph")
    chosen = None if operation.library else overload_name(callee)
    if chosen is not None and (refused := overloads.refused_function(chosen, args, keywords)) is not None:
        return refused
    name = function_name(callee)
    if name is None or any(_has_another_name(callee, name, k, len(args)) for k in keywords):
        return None
    known = None if operation.library else _callees().get(id(callee))
    refused = _function(name, args, keywords, operation.library)
    if refused is None and known is not None:
        refused = probed.refused(known, args, keywords, "graph")
    return refused or (None if keywords or operation.library else number_operands.answer(name, callee, args))


def of_users(operation: Operation) -> BaseException | None:
    """The answer to a call of a function of the user's, or of a Cell: layers of the library's have rules of their
    own."""
    if (uncalled := _uncallable(operation.callee)) is not None and operation.callee is not None:
        return uncalled
    refused = user_calls.answer(operation.name, operation.operands, operation.keywords)
    if refused is None and isinstance(operation.callee, Cell):
        return of_layer(operation.callee, operation.operands, operation.keywords, "graph")
    return refused


def of_operator(operator: Primitive, args: Sequence[Operand], mode: str) -> BaseException | None:
    """What MindSpore says, by its answers around calls, to the operands of an operator that was made."""
    callee = f"P.{operator.name}"
    if not probed.has(callee):
        return None
    plain = all(p.default == operator.params[n] for n, p in type(operator).constructor().parameters.items())
    return probed.refused(callee, args, {}, mode, options=not plain)


def of_layer(layer: Cell, args: Sequence[Operand], keywords: Mapping[str, Operand], mode: str) -> BaseException | None:
    """What MindSpore says, by its answers around calls, to the arguments of a layer of its own."""
    cls = type(layer)
    callee = f"nn.{cls.__name__}"
    if not cls.__module__.startswith("jitcore.nn"):
        return None
    if mode == "eager" and (refused := layer_arguments.called(cls.__name__, args, keywords)) is not None:
        return refused
    if not probed.has(callee):
        return None
    return layer_dtypes.as_of_float32(layer, args, keywords, lambda a, k: probed.refused(callee, a, k, mode))


def _is_containers(callee: Any) -> bool:
    """Whether it is a method of a tuple, list, dict or string that is known."""
    return isinstance(callee, BuiltinMethodType) and isinstance(callee.__self__, tuple | list | dict | str)


def _uncallable(callee: Any) -> BaseException | None:
    is_none = not callable(callee) or isinstance(callee, CellList | CellDict)
    return user_calls.uncalled(of_object(callee)) if is_none else None


def _has_another_name(function: Any, name: str, keyword: str, given: int) -> bool:
    """Whether a keyword is a name that a parameter had in an earlier MindSpore."""
    known = functions.parameters(name) if functions.has(name) else signatures.parameters(name)
    return keyword not in known and declarations.understands(function, keyword, given)


def _function(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], library: bool
) -> BaseException | None:
    if overloads.has_function(f"ops.{name}"):
        return overloads.refused_function(f"ops.{name}", args, keywords)
    if functions.has(name):
        if (miscounted := functions.miscounted(name, args, keywords)) is not None:
            return miscounted
        if functions.checked(name):
            refused = functions.refused(name, args, keywords, operators.made_and_called)
            return refused if not library or isinstance(refused, ValueError | RuntimeError) else None
    if not signatures.is_function(name):
        return None
    if not functions.has(name) and (miscounted := signatures.miscalled(name, args, keywords)) is not None:
        return miscounted
    return operators.refused(*signatures.of_function(name, args, keywords))


def _method(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], library: bool
) -> BaseException | Instead | None:
    if args[0].kind != "tensor":
        return None
    if name in _OF_SEQUENCES and not keywords and len(args) == 2 and args[1].kind in ("tuple", "list"):
        return python_operators.binary(Operation("binary", _OF_SEQUENCES[name], tuple(args)))
    if overloads.has_method(name) and (refused := overloads.refused_method(name, args[1:], keywords)) is not None:
        return refused
    if (refused := method_functions.miscalled(name, args, keywords)) is not None:
        return refused
    if len(args) == 1 and not keywords and name in _NEEDS_INTS:
        return signatures.lacking(_NEEDS_INTS[name], 2, 1)
    args = _packed(name, args)
    if (refused := methods.refused(name, args, keywords)) is not None:
        return refused
    if (refused := functions.refused_method(name, args, keywords, operators.made_and_called)) is not None:
        return refused
    refused = _by_function(name, args, keywords, library) or _by_operator(name, args, keywords)
    return refused or (None if library else probed.refused(f"Tensor.{name}", args, keywords, "graph"))


def _by_function(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], library: bool
) -> BaseException | None:
    """What is said of a method by the function that it calls."""
    called = method_functions.called(name, args, keywords)
    if called is None:
        return None
    callee, operands, named = called
    refused = _function(callee, operands, named, library)
    return refused or (None if library else probed.refused(f"ops.{callee}", operands, named, "graph"))


def _packed(name: str, args: Sequence[Operand]) -> Sequence[Operand]:
    """The arguments of a method, with the ints that it takes one by one as a tuple."""
    ints = len(args) > 1 and all(x.kind == "int" for x in args[1:])
    if name not in _PACKED or not (ints or (len(args) == 2 and args[1].kind == "dict")):
        return args
    return args[0], Operand("tuple", items=tuple(args[1:]))


def of_method(name: str, args: Sequence[Operand], keywords: Mapping[str, Any]) -> tuple[str | None, Sequence[Operand]]:
    """The operator that a method calls, if it is known and there are no arguments by name, and its operands."""
    of_arrays = any(x.kind in ("none", "dtype") for x in args[2:])  # NumPy's form, with a dtype after the axis
    return None if keywords or of_arrays else _METHOD_OPERATORS.get(name), _packed(name, args)


def _by_operator(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """What is said of a method by the operator that it calls."""
    overloaded = overloads.has_method(name)
    operator = _METHOD_OPERATORS.get(name)
    if operator is None or keywords:
        return None
    operands = list(args)
    if any(x.kind in ("none", "dtype") for x in operands) and name not in _OF_ANY:
        return None
    refused = operators.refused(operator, operands, {})
    swapped = overloaded and isinstance(refused, TypeError) and all(x.kind in ("tensor", "int") for x in operands)
    return None if swapped else refused  # another of its forms takes these types, in another order
