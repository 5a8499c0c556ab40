"""What MindSpore says to Python's functions over sequences and objects, and what they give there: tuples and lists,
where Python has iterators."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import ModuleType, UnionType
from typing import Any, Final

import numpy as np

from jitcore.compat.mindspore.refusals import eager_operators, items, names, powers, sequence_operators, user_calls
from jitcore.compat.mindspore.refusals.container_methods import counted
from jitcore.compat.mindspore.refusals.naming import class_name, items_of, python_name, type_text
from jitcore.nn import Cell
from jitcore.passes.infer.domain.callees import Parameters
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand, Operation

Answer = Callable[[Sequence[Operand], Mapping[str, Operand]], "BaseException | Instead | None"]
_SEQUENCES: Final = ("tuple", "list", "range")
_NUMBERS: Final = ("bool", "int", "float", "npscalar")
_MOST: Final = 64
"""Up to this many items are put together where an iterator would hand them on."""


_UNSEEN: Final = ("object", "union")


def _is_short(x: Operand) -> bool:
    """Whether an operand is a sequence of few items."""
    if x.kind == "range" and any(i.value is UNKNOWN for i in x.items):
        return False
    return x.kind in _SEQUENCES and len(items_of(x)) <= _MOST


def _map(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if not args:
        return RuntimeError("Function S_Prim_map's input length less than PositionalKeyword Signature length.")
    function, *over = args
    if not over and function.kind not in _UNSEEN:
        return TypeError("The Map operator must have at least two arguments. But the size of arguments is 1.")
    uncalled = user_calls.uncalled(function)
    if uncalled is not None:
        return uncalled
    if not over:
        return TypeError("The Map operator must have at least two arguments. But the size of arguments is 1.")
    kinds = {("tuple" if x.kind == "range" else x.kind) for x in over}
    if kinds & {"object", "union", "instance", "ndarray"}:
        return None
    if len(kinds) > 1:
        return RuntimeError(
            "The types of arguments in Map must be consistent, but the types of arguments are inconsistent."
        )
    if kinds - {"tuple", "list"}:
        return RuntimeError(f"Map can only be applied to list, tuple, but got {type_text(over[0])}.")
    if len({len(items_of(x)) for x in over}) > 1:
        return RuntimeError(f"For 'Map', the length of {kinds.pop()}s must be the same.")
    return Instead(_map_list if "list" in kinds else _map_tuple) if all(map(_is_short, over)) else None


def _map_list(function: Callable[..., Any], *over: Any) -> list[Any]:
    return list(map(partial(_applied, function), *over))


def _map_tuple(function: Callable[..., Any], *over: Any) -> tuple[Any, ...]:
    return tuple(map(partial(_applied, function), *over))


def _applied(function: Callable[..., Any], *row: Any) -> Any:
    return function(*row)


def _filter(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if len(args) != 2:
        return counted(2, len(args))
    refused = items.iterate(args[1]) or user_calls.uncalled(args[0])
    if refused is None and args[1].kind == "tensor":
        return Instead(_kept)
    return refused or (Instead(_filtered) if _is_short(args[1]) else None)


def _filtered(function: Callable[..., Any] | None, x: Iterable[Any]) -> list[Any]:
    return list(filter(function, x))


def _kept(function: Callable[..., Any] | None, x: Iterable[Any]) -> list[Any]:
    kept: list[Any] = []
    for row in x:
        if row if function is None else function(row):
            kept.append(row)
    return kept


for _function in (_applied, _kept):
    _function.__dict__["__jitcore_asks__"] = True


def _enumerate(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    miscounted = user_calls.answer(_ENUMERATE, args, keywords)
    if miscounted is not None:
        return miscounted
    if keywords:
        return None
    if args[0].kind in ("none", "function"):
        return AttributeError(
            f"'{'NoneType' if args[0].kind == 'none' else 'Function'}' object has no attribute '__len__'"
        )
    if args[0].kind == "tensor" and args[0].shape == ():
        return ValueError("For primitive:'TupleGetItem', cannot get item by index from an empty sequence.")
    if len(args) == 2 and args[1].kind == "none":
        return TypeError("'For 'enumerate', the 'start' should be a const int number, but got not const.'")
    return Instead(_enumerated) if len(args) == 1 and not keywords and _is_short(args[0]) else None


_ENUMERATE: Final = Parameters(("x", "start"), ("x", "start"), ("start",), False, False, "enumerate_")


def _enumerated(x: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(enumerate(x))


def _zip(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    unknown = next(iter(keywords), None)
    if unknown is not None:
        return RuntimeError(f"Got an unexpected keyword argument '{unknown}'")
    if any(x.kind == "tensor" and x.shape == () for x in args):
        return TypeError("'Cannot iterate over a scalar tensor.'")
    return Instead(_zipped) if args and all(map(_is_short, args)) else None


def _zipped(*args: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(zip(*args, strict=False))


def _next(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if len(args) != 1:
        return RuntimeError(f"For 'Next', the number of input should be 1, but got {len(args)}")
    (x,) = args
    if x.kind in ("bool", "int", "float", "none"):
        return TypeError(f"'{class_name(x)}' object is not subscriptable")
    if x.kind in ("function", "type"):
        what = f"type '{x.value.__name__}' is" if x.kind == "type" else "'function' object is"
        return TypeError(f"{what} not subscriptable")
    if x.kind in ("tuple", "list", "dict") and not x.items:
        return items.empty(x)
    if x.value == "":
        return RuntimeError("String index out of range, expect:[0, -1], but got 0.")
    if x.kind == "tensor" and x.shape == ():
        return TypeError("For 'StridedSlice', input can not be a scalar.")
    if x.kind == "dict":
        return Instead(_first_entry)
    return Instead(_first) if x.kind in ("tuple", "list", "str", "tensor", "range") else None


def _first(x: Any) -> Any:
    sequence = tuple(x) if isinstance(x, range) else x
    return sequence[0], sequence[1:]


def _first_entry(x: Mapping[Any, Any]) -> Any:
    keys = list(x)
    return keys[0], {key: x[key] for key in keys[1:]}


def _iter(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if len(args) != 1:
        return RuntimeError(f"For 'IterConverter', the number of input should be 1, but got {len(args)}")
    (x,) = args
    if x.kind in ("function", "type"):
        return items.iterate(x)
    if x.kind == "dict" or _is_short(x):
        return Instead(_itself if x.kind in ("tuple", "list") else _from)
    return Instead(_itself) if x.kind in ("tuple", "list", "str", "tensor") else None


def _from(x: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(x)


def _itself(x: object) -> object:
    return x


def _reversed(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) == 1 and args[0].kind in ("none", "function", "type", *_NUMBERS):
        cls = args[0].kind if args[0].kind in ("function", "type") else class_name(args[0])
        return TypeError(f"'{cls}' object is not reversible")
    scalar = len(args) == 1 and args[0].kind == "tensor" and args[0].shape == ()
    return TypeError("Not support len of a 0-D tensor") if scalar else None


def _divmod(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    told = ("tensor", "str", "none", "tuple", "list", "dict", *_NUMBERS)
    if len(args) != 2 or not all(x.kind in told for x in args) or all(x.kind in _NUMBERS for x in args):
        return None
    names = " and ".join(f"'{class_name(x)}'" for x in args)
    return TypeError(f"unsupported operand type(s) for divmod(): {names}")


_NO_TYPES: Final = ("int", "str", "float", "list", "none", "bool", "dict", "tensor", "dtype", "function")


def _isinstance(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) + len(keywords) != 2:
        return None
    classes = args[1:]
    if keywords or _is_no_type(classes[0]) or _holds_no_type(classes[0]):
        return TypeError("isinstance() arg 2 must be a type or tuple of types.")
    return None


def _is_no_type(x: Operand) -> bool:
    return x.kind in _NO_TYPES or isinstance(x.value, UnionType | ModuleType)


def _holds_no_type(x: Operand) -> bool:
    return any(i.kind in _NO_TYPES or _holds_no_type(i) for i in x.items)


def _type(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    return None if len(args) in (1, 3) else TypeError("type() takes 1 or 3 arguments")


def _getattr(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) in (2, 3):
        return None
    return RuntimeError(f"For Primitive GetAttr, the input size should be 2 or 3, but got size: {len(args)}")


def _hasattr(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) != 2:
        return counted(2, len(args))
    if args[1].value in ("__enter__", "__exit__"):
        return _managed(args[0], args[1].value)
    if args[1].kind in ("str", "object", "union"):
        return None
    return TypeError(f"getattr(): attribute name must be string but got: {type_text(args[1])}")


def _managed(x: Operand, method: str) -> BaseException | None:
    """The answer to `with x`, which needs a method."""
    if x.kind in ("object", "instance"):
        cls = x.value if x.kind == "instance" else type(x.value)
        if issubclass(cls, Cell):
            return TypeError("Only support jit_class instance, but got ValueAny")
        if hasattr(cls, "__ms_class__"):
            return (
                None
                if hasattr(cls, method)
                else RuntimeError(f"MsClassObject: {cls.__name__!r} has no {method} function, please check the code.")
            )
        if cls.__module__.partition(".")[0] == "jitcore":
            return None
        value = f"<{cls.__module__}.{cls.__qualname__} object at {id(cls):#x}>" if x.kind == "instance" else x.value
        return TypeError(f"Only support jit_class instance, but got PythonObject(type: {cls}, value: {value})")
    if x.kind not in ("none", "int", "float", "bool", "str", "tuple", "list", "dict", "tensor"):
        return None
    return TypeError(f"Only support jit_class instance, but got {items.plain(x) or 'ValueAny'}")


def _eval(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """The answer to `eval` of a text alone, which sees no names of the program's."""
    if len(args) != 1 or not isinstance(args[0].value, str):
        return None
    try:
        tree = ast.parse(args[0].value.strip(), mode="eval")
    except SyntaxError:
        return None
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    bound = {n.id for n in names if isinstance(n.ctx, ast.Store)} | {
        n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)
    }
    free = [n for n in names if n.id not in bound and not hasattr(builtins, n.id)]
    first = min(free, key=lambda n: (n.lineno, n.col_offset), default=None)
    return None if first is None else NameError(f"name '{first.id}' is not defined")


def _setattr(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if len(args) == 3 and args[0].kind == "tensor" and isinstance(args[1].value, str):
        return names.put(Operation("set_attribute", args[1].value, (args[0], args[2])))
    return None


def _print(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    return _unnamed(keywords)


def _unnamed(keywords: Mapping[str, Operand]) -> BaseException | None:
    """The answer of a function that takes nothing by name."""
    unknown = next(iter(keywords), None)
    return None if unknown is None else RuntimeError(f"Got an unexpected keyword argument '{unknown}'")


def _concatenated(texts: Any, start: Any) -> Any:
    for text in texts:
        start = start + text
    return start


def _sum(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if (unnamed := _unnamed(keywords)) is not None:
        return unnamed
    if not 1 <= len(args) + len(keywords) <= 2:
        return TypeError("'sum() requires 1 or 2 arguments.'")
    if len(args) == 2 and args[1].kind == "str":
        other = next((i for i in args[0].items if i.kind != "str"), None) if args[0].kind in _SEQUENCES else None
        if other is not None:
            return TypeError(f'can only concatenate str (not "{class_name(other)}") to str')
        return Instead(_concatenated) if args[0].kind in ("tuple", "list", "str", "dict") else None
    if args and args[0].kind == "tensor" and args[0].shape == ():
        return TypeError("'Cannot iterate over a scalar tensor.'")
    if args and args[0].kind == "function":
        return AttributeError("'Function' object has no attribute '__len__'")
    return items.iterate(args[0]) if args and args[0].kind == "none" else None


def _extreme(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if (unnamed := _unnamed(keywords)) is not None:
        return unnamed
    if len(args) == 1 and args[0].kind == "tensor" and args[0].shape == ():
        return TypeError("'Cannot iterate over a scalar tensor.'")
    if len(args) == 1 and (
        _is_wide(args[0], 2) or (len(args[0].items) > 1 and any(_is_wide(i, 1) for i in args[0].items))
    ):
        return ValueError("'The truth value of an array with more than one element is ambiguous.'")
    return None


_UNORDERED: Final = frozenset(["tuple", "list", "range", "none", "str", "dict", "dtype", "ellipsis"])


def _unlike_tensor(args: Sequence[Operand], op: str) -> BaseException | None:
    """The answer where the first comparison, of the second argument with the first, is of a Tensor and what it is not
    compared with."""
    kinds = {x.kind for x in args[:2]}
    if "tensor" not in kinds or not kinds & _UNORDERED:
        return None
    if any(x.kind == "tensor" and sequence_operators.ambiguous(x) is not None for x in args[:2]):
        return ValueError("'The truth value of an array with more than one element is ambiguous.'")
    return eager_operators.refused(op, args[1], args[0])


def _least(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    return _extreme(args, keywords) or _unlike_tensor(args, "<")


def _greatest(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    return _extreme(args, keywords) or _unlike_tensor(args, ">")


def _is_wide(x: Operand, rank: int) -> bool:
    return x.kind == "tensor" and len(x.shape) >= rank and x.shape[-1] not in (1, None)


def _len(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    unknown = next(iter(keywords), None)
    if unknown is not None:
        return RuntimeError(f"Got an unexpected keyword argument '{unknown}'")
    if not args:
        return counted(1, 0)
    name = {"function": "Function", "slice": "slice", "ellipsis": "ellipsis"}.get(args[0].kind)
    if args[0].kind == "dtype":
        name = python_name(args[0])
    return None if name is None or len(args) > 1 else AttributeError(f"'{name}' object has no attribute '__len__'")


def _most(count: int, refusal: Callable[[int], BaseException]) -> Answer:
    """A function that takes so many arguments at most."""

    def check(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
        unnamed = None if refusal is _of_dict else _unnamed(keywords)
        return refusal(len(args)) if len(args) > count else unnamed

    return check


def _of_dict(given: int) -> BaseException:
    return TypeError(f"dict expected at most 1 argument, got {given}")


def _from_sequence(operator: str) -> Answer:
    return _most(1, lambda n: RuntimeError(f"For '{operator}', the number of input should be 0 or 1, but got {n}"))


def _elementwise(operator: str) -> Answer:
    def check(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
        if not args:
            missing = RuntimeError(f"Size should be greater than 0, during running Inner{operator}Evaluator")
            return next((_mistyped(operator, keyed(k, x)) for k, x in keywords.items()), missing)
        if args[0].kind == "function":
            return _mistyped(operator, "Func")
        held = args[0].kind in ("list", "tuple") and any(i.kind == "tensor" for i in args[0].items)
        return _mistyped(operator, type_text(args[0])) if held or args[0].kind == "dict" else None

    return check


def keyed(name: str, x: Operand) -> str:
    """The type of an argument by name."""
    return f"Keyword[key : {name}, value : {type_text(x)}]"


def _mistyped(operator: str, shown: str, argument: str = "input", expected: str = "Tensor") -> TypeError:
    return TypeError(
        f"For Operator[{operator}], {argument}'s type '{shown}' does not match expected type '{expected}'."
    )


_SCALARS: Final = ("bool", "int", "float")


def _absolute(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    """Of a number, whatever else is given."""
    count = len(args) + len(keywords)
    if args and count > 1:
        if args[0].kind in ("tensor", "none"):
            return TypeError(f"For Operator[Abs], the inputs number should be 1 but got {count}.")
        if args[0].kind in _SCALARS:
            return Instead(_absolute_first)
        if args[0].kind in ("str", "tuple", "list", "range"):
            return TypeError(f"bad operand type for abs(): '{class_name(args[0])}'")
    return _elementwise("Abs")(args, keywords)


def _absolute_first(x: Any, *others: Any, **named: Any) -> Any:
    return abs(x)


def _power(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    """`x ** y` of the first two: MindSpore's of two alone, else Python's."""
    if len(args) < 2:
        return None if keywords else NameError(f"name '__input_key_{len(args)}__' is not defined")
    return Instead(_power_of_two) if len(args) > 2 or keywords else powers.answer(*args)


def _power_of_two(x: Any, y: Any, *others: Any, **named: Any) -> Any:
    return x**y


def _rounded(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if len(args) > 2:
        return RuntimeError("round() requires 1 or 2 arguments.")
    if len(args) == 2 and args[1].kind in ("str", "float", "tuple", "list", "dict"):
        return TypeError(f"'{args[1].kind}' object cannot be interpreted as an integer")
    if args and keywords:
        if args[0].kind in _SCALARS:
            return _mistyped("Round", type_text(args[0]))
        name, given = next(iter(keywords.items()))
        return _mistyped("Round", keyed(name, given), "decimals", "int") if args[0].kind == "tensor" else None
    if len(args) == 2 and args[0].kind == "tensor" and isinstance(args[1].value, int) and args[1].value != 0:
        return RuntimeError(f"For Round only support decimals equal 0, but got decimals equal {args[1].value}")
    return _elementwise("Round")(args, keywords)


def _reduction(name: str) -> Answer:
    """A function of NumPy's, which calls the Tensor's method with arguments that it does not have."""

    def check(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
        if len(args) != 1 or keywords or args[0].kind != "tensor":
            return None
        if name == "mean":
            return TypeError("mean() got an unexpected keyword argument 'out'.")
        return TypeError(f'Failed calling {name} with "{name}(axis=None, out=None)".')

    return check


def _unpaired(x: Operand) -> tuple[int, int] | None:
    """The place of the first entry that is no pair, and its length."""
    if x.kind == "tensor":
        if len(x.shape) < 2:
            return None
        width = x.shape[1]
        return None if width in (2, None) or not x.shape[0] else (0, width)
    if x.kind not in ("tuple", "list"):
        return None
    lengths = [
        len(i.value) if isinstance(i.value, str) else len(i.items) if i.kind in ("tuple", "list") else 2
        for i in x.items
    ]
    return next(((k, n) for k, n in enumerate(lengths) if n != 2), None)


def _dict(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    (x,) = args if len(args) == 1 else (None,)
    scalars = x is not None and x.kind in _SEQUENCES and x.items and x.items[0].kind in ("none", *_NUMBERS)
    if scalars or (x is not None and x.kind == "tensor" and len(x.shape) == 1 and x.shape[0]):
        return TypeError("cannot convert dictionary update sequence element #0 to a sequence")
    if x is not None and x.kind == "tensor" and x.shape == ():
        return TypeError("iteration over a 0-d tensor")
    if x is not None and (uneven := _unpaired(x)) is not None:
        place, length = uneven
        return ValueError(f"dictionary update sequence element #{place} has length {length}; 2 is required")
    return _most(1, _of_dict)(args, keywords)


def _truths(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """Of `all` and `any`, which ask the first item whatever it is."""
    if len(args) == 1 and args[0].kind == "tensor" and len(args[0].shape) > 1:
        rows = Operand("tensor", args[0].dtype, args[0].shape[1:])
        return sequence_operators.ambiguous(rows)
    first = next(iter(args[0].items), None) if len(args) == 1 and args[0].kind in _SEQUENCES else None
    return None if first is None or first.kind != "tensor" else sequence_operators.ambiguous(first)


def _sorted(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) == 1 and args[0].kind == "tensor" and args[0].shape == ():
        return TypeError("iteration over a 0-d tensor")
    if len(args) != 1 or "key" in keywords or len(args[0].items) < 2 or args[0].kind not in _SEQUENCES:
        return None
    wide = next((i for i in args[0].items if i.kind == "tensor"), None)
    return None if wide is None else sequence_operators.ambiguous(wide)


def _set(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if len(args) == 1 and args[0].kind == "tensor" and args[0].shape == ():
        return TypeError("iteration over a 0-d tensor")
    return _most(1, lambda n: TypeError(f"set expected at most 1 argument, got {n}"))(args, keywords)


def _character(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    wide = len(args) == 1 and args[0].kind == "tensor" and any(n != 1 for n in args[0].shape)
    return ValueError("Only integer tensors of a single element can be converted to an index.") if wide else None


ANSWERS: Final[dict[Any, Answer]] = {
    eval: _eval, map: _map, filter: _filter, enumerate: _enumerate, zip: _zip, next: _next, iter: _iter,
    reversed: _reversed, divmod: _divmod, isinstance: _isinstance, type: _type, getattr: _getattr, hasattr: _hasattr,
    setattr: _setattr, sum: _sum, max: _greatest, min: _least, len: _len,
    int: _most(2, lambda n: TypeError("int() requires 0, 1 or 2 arguments.")),
    bool: _most(1, lambda n: TypeError("bool() requires 0 or 1 arguments.")), list: _from_sequence("ListFunc"),
    tuple: _from_sequence("TupleFunc"), abs: _absolute, pow: _power, round: _rounded, set: _set, chr: _character,
    dict: _dict, str: _most(1, lambda n: TypeError("str() requires 0 or 1 arguments.")),
    float: _most(1, lambda n: TypeError("float() requires 0 or 1 arguments.")), print: _print, all: _truths,
    any: _truths, sorted: _sorted,
    **{getattr(np, name): _reduction(name) for name in ("sum", "prod", "max", "min", "all", "any", "mean")},
}  # fmt: skip
