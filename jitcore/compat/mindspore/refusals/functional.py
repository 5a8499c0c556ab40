"""What MindSpore says to calls of `ops.functional`'s functions of Python's values:
`For 'tuple_setitem', input[0] should be Tuple, but got Int64.`"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore import ops
from jitcore.compat.mindspore import api, composite, gradients, sequences
from jitcore.compat.mindspore.refusals import (
    builtin_calls,
    items,
    mapping,
    python_operators,
    sequence_operators,
    signatures,
    user_calls,
)
from jitcore.compat.mindspore.refusals.naming import type_text
from jitcore.compat.mindspore.refusals.sequence_operators import length, taking
from jitcore.library.state import pass_through
from jitcore.ops import pythonic
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand, Operation

Answer = Callable[[str, Sequence[Operand]], "BaseException | Instead | None"]


@cache
def _functions() -> dict[int, str]:
    """The functions that have rules here, by identity."""
    unknown = (getattr(ops, f"is_sequence_{what}_unknown") for what in ("value", "shape"))
    own = (
        *unknown,
        sequences.switch,
        sequences.switch_layer,
        sequences.range_of,
        sequences.isconstant,
        composite.partial,
        api.typeof,
    )
    return {id(f): f.__name__ for f in (*(getattr(pythonic, name) for name in pythonic.NAMES), *own)}


@cache
def _counts() -> dict[int, tuple[str, int]]:
    """The functions of one operator that takes a fixed number of inputs, by identity."""
    depend, identity = ("Depend", 2), ("identity", 1)
    return {
        **{id(f): depend for f in (pass_through.depend, ops.depend)},
        **{id(f): identity for f in (pass_through.identity, ops.identity)},
        id(gradients.stop_gradient): ("", 1),
    }


def _count(callee: Any) -> tuple[str, int] | None:
    """How many inputs an operator takes, if that is known here, and its name."""
    return ("Depend", 2) if isinstance(callee, Primitive) and callee.name == "Depend" else _counts().get(id(callee))


def _miscounted(given: int, counted: tuple[str, int]) -> BaseException | None:
    name, count = counted
    if given == count:
        return None
    if not name:
        return user_calls.miscounted(count, given)
    return RuntimeError(f"For '{name}', the number of input should be {count}, but got {given}")


def knows(callee: Any) -> bool:
    """Whether a call of this is answered here: a function of Python's values, an operator over sequences, or what maps
    structures."""
    return id(callee) in _functions() or _count(callee) is not None or isinstance(type(callee), sequences.Constructible)


def answer(callee: Any, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    """The answer to such a call."""
    counted = _count(callee)
    if counted is not None:
        return _miscounted(len(args) + len(keywords), counted)
    name = _functions().get(id(callee))
    if name is None:
        return _of_object(callee, args)
    if name == "range_of":
        return builtin_calls.answer(range, args, keywords)
    if keywords or any(x.kind in ("union", "object", "instance") for x in args):
        return None
    if name in _COUNTED and (miscounted := _counted(name, args)) is not None:
        return miscounted
    check = _CHECKS.get(name)
    refused = None if check is None else check(name, args)
    return refused or _scalar(name, args)


def _of_object(callee: Any, args: Sequence[Operand]) -> BaseException | Instead | None:
    if isinstance(callee, composite.HyperMap | composite.Map):
        return mapping.answer(callee, args)
    name = type(callee).__name__
    if isinstance(callee, composite.Partial):
        return partial(name, args)
    if type(callee).__module__ != sequences.__name__:
        return None
    return signatures.refused_operands(name, list(args), {}) or sequence_operators.answer(name, args)


def partial(name: str, args: Sequence[Operand]) -> BaseException | None:
    """The answer to a function with some of its arguments."""
    if not args:
        return RuntimeError("Args size should be greater than 0")
    if args[0].kind in ("function", "type", "union", "object", "instance"):
        return None
    return TypeError(f"For 'partial', input[0] should be Function, but got {type_text(args[0])}.")


def _scalar(name: str, args: Sequence[Operand]) -> BaseException | None:
    """The answer to an operator of numbers."""
    operator = "".join(part.capitalize() for part in name.split("_"))
    if not signatures.is_operator(operator):
        return None
    count = signatures.count_of_operands(operator)
    if len(args) > count:
        return TypeError(
            f"For Operator[{operator}], the number of inputs should be less than or equal to {count}, "
            f"but got {len(args)}."
        )
    if len(args) < count:
        return TypeError(
            f"For Operator[{operator}], the number of inputs (including default arguments) should be {count}, but the "
            f"actual number of inputs is not satisfied, which is {len(args)}."
        )
    refused = signatures.refused_operands(operator, list(args), {})
    if refused is None and name in ("scalar_div", "scalar_floordiv", "scalar_mod"):
        return python_operators.divided("%" if name == "scalar_mod" else "/", args[1])
    return refused


def _item(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    shown = "TupleGetItem" if name == "tuple_getitem" else name
    if args and args[0].kind == "list":
        shown = "list_getitem"
    if (refused := taking(shown, "Sequence", "Scalar")(shown, args)) is not None:
        return refused
    return items.unindexed(*args) if args[1].kind in ("str", "bool") else items.get(Operation("item", "", tuple(args)))


def _entry(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    return taking(name, "Dictionary", "")(name, args) or items.get(Operation("item", "", tuple(args)))


def _item_set(name: str, args: Sequence[Operand]) -> BaseException | None:
    kind = "Tuple" if name.startswith("tuple") else "List"
    if (refused := taking(name, kind, "", "")(name, args)) is not None:
        return refused
    index, count = args[1], len(args[0].items)
    if index.kind == "tensor":
        return TypeError(f"For '{name}', input[1] should be Scalar, but got {type_text(index)}.")
    if index.kind != "int":
        return TypeError(f"{name} evaluator index should be an int64 number, but got a {type_text(index)} number.")
    if index.value is UNKNOWN or -count <= index.value < count:
        return None
    return IndexError(f"{name} evaluator the index: {index.value} to set out of range: [-{count},{count - 1}].")


def _negated(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) == 1 and args[0].kind in ("int", "float"):
        return sequence_operators.uncast(args[0])
    return None


def _minus(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) == 1 and args[0].kind == "bool":
        return TypeError("For 'ScalarUsub, [bool] is not a valid input dtype.")
    return None


def _of_bools(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) != 2 or all(x.kind == "bool" for x in args):
        return None
    wrong = next((x for x in args if x.kind not in ("bool", "int", "float")), None)
    if wrong is not None:
        return RuntimeError(f"The expected is Number, not {type_text(wrong)}")
    shown = [sequence_operators.plain(x) for x in args]
    operator = "".join(part.capitalize() for part in name.split("_"))
    return RuntimeError(
        f"The inputs of {operator} operator should be two booleans, but got param0: {shown[0]}, param1: {shown[1]}."
    )


def _of_strings(name: str, args: Sequence[Operand]) -> BaseException | None:
    wrong = next((x for x in args if x.kind != "str"), None)
    return None if wrong is None else RuntimeError(f"The expected is String, not {type_text(wrong)}")


def _divided(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    if (refused := taking(name, "Tuple", "Tuple")(name, args)) is not None:
        return refused
    dividends, divisors = args[0].items, args[1].items
    if len(dividends) != len(divisors):
        return RuntimeError(
            "The size of inputs of 'tuple_div' operator must be the same, but the size of divisor tuple is "
            f"{len(divisors)}, the size of dividend tuple is {len(dividends)}."
        )
    if any(x.marked for x in args):
        return RuntimeError("The 'tuple_div' operator shape's data field can't be anything, but got")
    for pair in zip(dividends, divisors, strict=True):
        wrong = next((x for x in pair if x.kind != "int"), None)
        if wrong is None:
            continue
        if wrong.kind not in ("bool", "float"):
            return sequence_operators.uncast(wrong)
        shown = sequence_operators.plain(wrong)
        return RuntimeError(
            "The data type of inputs of 'tuple_div' operator should be an int64 number, but got a "
            f"{type_text(wrong)} number {shown}."
        )
    return Instead(_quotients)


def _quotients(dividends: Any, divisors: Any) -> Any:
    for x, y in zip(dividends, divisors, strict=True):
        if y == 0:
            raise RuntimeError("The divisor value should not be 0!")
        if x % y != 0:
            raise RuntimeError(
                "The inputs of 'tuple_div' operator should be divisible, but they are not divisible now, "
                "the dividend is " + str(x) + ", the divisor is " + str(y) + "."
            )
    return tuple([x // y for x, y in zip(dividends, divisors, strict=True)])


def _counted(name: str, args: Sequence[Operand]) -> BaseException | None:
    """The answer to another number of arguments than an operator takes."""
    count = _COUNTED[name]
    if len(args) == count:
        return None
    if name == "length":
        return ValueError(f"For primitive[sequence_len], the input number must be equal to 1, but got {len(args)}.")
    if name in _UNIFORM:
        return RuntimeError(f"UniformPrimEvaluator expect {count} args, but got {len(args)} inputs")
    return RuntimeError(f"For '{name}', the number of input should be {count}, but got {len(args)}")


_UNIFORM: Final = ("string_eq", "string_concat", "bool_eq", "bool_and", "bool_or")
_COUNTED: Final = {"length": 1, "make_slice": 3, "make_dict": 2, **dict.fromkeys(_UNIFORM, 2)}


def _sliced(name: str, args: Sequence[Operand]) -> BaseException | None:
    odd = next((x for x in args if x.kind in ("str", "float", "tuple", "list", "dict")), None)
    return None if odd is None else items.unsliced(odd)


def _listed(name: str, args: Sequence[Operand]) -> Instead | None:
    """Lists are equal to tuples of the same items there."""
    return Instead(_alike) if len(args) == 2 and args[0].kind != args[1].kind else None


def _alike(x: Any, y: Any) -> bool:
    return tuple(x) == tuple(y)


def _length(name: str, args: Sequence[Operand]) -> BaseException | None:
    """Of a dict, as of what has no length."""
    return length(name, [Operand("none")] if args[0].kind == "dict" else args)


def _dict_made(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args[0].items) != len(args[1].items):
        return RuntimeError("make_dict evaluator keys' size is not equal with values' size")
    return None


def _switch_layer(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) != 2:
        return RuntimeError(f"For 'switch_layer', the number of input should be 2, but got {len(args)}")
    index, layers = args
    if index.kind != "tensor":
        return TypeError(f"For 'switch_layer', input[0] should be Tensor, but got {type_text(index)}.")
    if layers.kind != "tuple":
        return TypeError(f"For 'switch_layer', input[1] should be Tuple, but got {type_text(layers)}.")
    if not layers.items:
        return ValueError("switch_layer support at least 1 and at most 1000 but got 0 branches.")
    return items.unlayered(index)


def _switch(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) != 3:
        return RuntimeError(f"Switch evaluator requires 3 parameters, while the input size is {len(args)}.")
    condition, *branches = args
    if condition.kind in ("none", "tuple", "list", "dict", "range"):
        return RuntimeError("The pointer[cond_value] is null.")
    if condition.kind != "tensor":
        return None
    if None not in condition.shape and any(n != 1 for n in condition.shape):
        return ValueError(sequence_operators.AMBIGUOUS)
    return _unjoined(*branches)


_ABSTRACTS: Final = {
    "tensor": "AbstractTensor", "none": "AbstractNone", "tuple": "AbstractTuple", "range": "AbstractTuple",
    "list": "AbstractList", "dict": "AbstractDictionary",
    **dict.fromkeys(("bool", "int", "float", "str"), "AbstractScalar"),
}  # fmt: skip


def _unjoined(x: Operand, y: Operand) -> TypeError | None:
    """The answer to two values of which a Tensor chooses one."""
    kinds = [_ABSTRACTS.get(o.kind) for o in (x, y)]
    if None in kinds:
        return None
    if kinds[0] != kinds[1] or len(x.items) != len(y.items):
        return TypeError(f"Type Join Failed: Abstract type {kinds[0]} cannot join with {kinds[1]}.")
    types = [type_text(o).removeprefix("Tensor[").removesuffix("]") for o in (x, y)]
    if x.items or types[0] == types[1]:
        return None
    return TypeError(f"Type Join Failed: dtype1 = {types[0]}, dtype2 = {types[1]}.")


def _constant(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    """Whether an argument is known while compiling."""
    if len(args) != 1:
        return RuntimeError("IsConstant requires args input size = 1")
    return Instead(_yes if _is_known(args[0]) else _no)


def _typed(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) == 1:
        return None
    return RuntimeError(f"The Typeof operator must requires 1 argument, but the size of arguments is {len(args)}.")


def _unknown_value(name: str, args: Sequence[Operand]) -> Instead | None:
    return Instead(_no if all(map(_is_known, args)) else _yes)


def _unknown_shape(name: str, args: Sequence[Operand]) -> Instead | None:
    return Instead(_yes if any(x.dynamic for x in args) else _no)


def _is_known(x: Operand) -> bool:
    """Numbers are: those that are not come from Tensors or are marked as variable."""
    return x.kind not in ("tensor", "ndarray", "npscalar") and not x.marked and all(map(_is_known, x.items))


def _yes(x: Any) -> bool:
    return True


def _no(x: Any) -> bool:
    return False


_CHECKS: Final[dict[str, Answer]] = {
    "tuple_getitem": _item, "list_getitem": _item, "dict_getitem": _entry, "tuple_setitem": _item_set,
    "list_setitem": _item_set, "dict_setitem": taking("dict_setitem", "Dictionary", "", ""),
    "tuple_reversed": taking("tuple_reversed", "Tuple"), "in_dict": taking("in_dict", "", "Dictionary"),
    "not_in_dict": taking("not_in_dict", "", "Dictionary"), "length": _length, "make_slice": _sliced,
    "list_equal": _listed, "tuple_equal": _listed, "bool_not": _negated, "scalar_usub": _minus, "bool_and": _of_bools,
    "bool_or": _of_bools, "bool_eq": _of_bools, "string_eq": _of_strings, "string_concat": _of_strings,
    "tuple_div": _divided, "make_dict": _dict_made, "switch": _switch, "isconstant": _constant,
    "is_sequence_value_unknown": _unknown_value, "is_sequence_shape_unknown": _unknown_shape, "partial": partial,
    "typeof": _typed, "switch_layer": _switch_layer,
}  # fmt: skip
