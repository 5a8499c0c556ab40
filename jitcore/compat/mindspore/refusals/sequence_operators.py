"""What MindSpore says to its operators over sequences (`ops.operations._sequence_ops`) and to their functions in
`ops.functional`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals import ranges
from jitcore.compat.mindspore.refusals.naming import abstract, items_of, type_text
from jitcore.compat.mindspore.refusals.sequence_programs import PROGRAMS, index_of_the_run
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand
from jitcore.structs import replace

Answer = Callable[[str, Sequence[Operand]], "BaseException | Instead | None"]

_SEQUENCES: Final = ("tuple", "range", "list")
_COUNTS: Final = {
    "TupleToTensor": 2, "ListToTensor": 2, "TensorToTuple": 1, "TensorToList": 1, "TensorToScalar": 1,
    "sequence_len": 1, "ListAppend": 2, "ListInsert": 3, "SequenceCount": 2, "SequenceIndex": 4, "SequenceMax": 1,
    "SequenceMin": 1, "SequenceMul": 2, "SequenceAdd": 2, "SequenceSlice": 4, "SequenceSliceSetItem": 5,
    "SequenceZerosLike": 1, "InSequence": 2, "SequenceStack": 1, "SequenceUnstack": 1,
    **dict.fromkeys(
        ("tuple_equal", "list_equal", "tuple_lt", "tuple_le", "tuple_greater_than", "tuple_greater_equal"), 2
    ),
    **dict.fromkeys(("list_lt", "list_le", "list_greater_than", "list_greater_equal"), 2),
}  # fmt: skip
_IMMEDIATES: Final = {
    "bool": "BoolImm",
    "int": "Int64Imm",
    "float": "FP32Imm",
    "str": "StringImm",
    "none": "None",
}
_NUMBERS: Final = ("bool", "int", "float")
_TYPE_NUMBERS: Final = {"bool": 30, "int": 35, "float": 43}
"""MindSpore's numbers of types (`mindspore/core/ir/dtype/type_id.h`)."""


def answer(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    """The answer to a call of an operator."""
    count = _COUNTS.get(name)
    if name == "TupleToTensor" and len(args) == 1:
        args = [*args, Operand("none", value=None)]
    if count is not None and len(args) != count:
        return ValueError(f"For primitive[{name}], the input number must be equal to {count}, but got {len(args)}.")
    if any(x.kind in ("union", "object", "instance") for x in args):
        return None
    check = _CHECKS.get(name)
    answered = None if check is None else check(name, args)
    if answered is None and name in PROGRAMS:
        return Instead(PROGRAMS[name])
    return answered


def _tuple_to_tensor(name: str, args: Sequence[Operand]) -> BaseException | None:
    """`signatures` has looked at the types of these."""
    x, dtype = args
    if dtype.kind == "none":
        return ValueError("For primitive[TupleToTensor], the `dtype` should has valid value for static type.")
    kinds = [i.kind for i in items_of(x)]
    other = next((k for k in kinds if k != kinds[0]), None)
    if other is None or kinds[0] not in _TYPE_NUMBERS or other not in _TYPE_NUMBERS:
        return None
    return TypeError(
        f"the tuple elements type must be same, first element type = {_TYPE_NUMBERS[kinds[0]]} "
        f"cur_type = {_TYPE_NUMBERS[other]}"
    )


def _list_to_tensor(name: str, args: Sequence[Operand]) -> BaseException | None:
    (x, _) = args
    if x.kind not in _SEQUENCES:
        return TypeError(f"For 'ListToTensor', the input should be sequence but got: {abstract(x)}")
    return _no_kernel(name, args) if x.marked else None


def _no_kernel(name: str, args: Sequence[Operand]) -> RuntimeError:
    """The answer where no kernel takes the types, on the lines below the first."""
    return RuntimeError(f"\n{name} of ({', '.join(map(type_text, args))}) is not supported.")


def _unmatched(name: str, args: Sequence[Operand]) -> TypeError:
    return TypeError(f"\n{name} of ({', '.join(map(type_text, args))}) is not supported.")


def _shapeless(name: str, args: Sequence[Operand]) -> BaseException | None:
    if args[0].kind != "tensor":
        return RuntimeError("The method 'GetShapeVector()' doesn't implement")
    if name == "TensorToList" and len(args[0].shape) < 2:
        return _no_kernel(name, args)
    return None


def _tensor_to_scalar(name: str, args: Sequence[Operand]) -> BaseException | None:
    if args[0].kind == "tensor":
        return None
    return TypeError(f"For Primitive[TensorToScalar], the input must be a Tensor but got {type_text(args[0])}.")


def _null(argument: str) -> RuntimeError:
    return RuntimeError(f"The pointer[{argument}] is null.")


def length(name: str, args: Sequence[Operand]) -> BaseException | None:
    """The answer to the length of what is no sequence."""
    return None if args[0].kind in (*_SEQUENCES, "dict") else _null("seq_abs")


def _append(name: str, args: Sequence[Operand]) -> BaseException | None:
    sequence, item = args[0], args[-1]
    if sequence.kind not in _SEQUENCES:
        return _null("data_abs")
    return uncast(args[1]) if len(args) == 3 and args[1].kind != "int" else unlike(name, sequence, item)


def uncast(x: Operand) -> RuntimeError:
    """The answer to a value of another type than an operator reads it as."""
    return RuntimeError(f"Cast failed, original value: {plain(x)}, type: {_IMMEDIATES.get(x.kind, type_text(x))}")


def plain(x: Operand) -> str:
    """A number or string as MindSpore prints it."""
    if x.marked:
        return "ValueAny"
    if isinstance(x.value, bool):
        return str(x.value).lower()
    return f"{x.value:.6g}" if isinstance(x.value, float) else str(x.value)


def is_unlike(first: Operand, second: Operand) -> bool:
    """Whether two items are of different types, or Tensors of different shapes."""
    return type_text(first) != type_text(second) or (first.kind == "tensor" and first.shape != second.shape)


def unlike(name: str, sequence: Operand, item: Operand) -> TypeError | None:
    """The answer to an item of another type than a sequence's items."""
    items = items_of(sequence)
    if not items or (not sequence.marked and name.startswith("List")) or not is_unlike(items[0], item):
        return None
    which = "mutable list" if sequence.dynamic and name.startswith("List") else "list"
    return TypeError(
        f"For {name}, the {which} existing item abstract '{abstract(items[0])}' "
        f"is not same with the new added item abstract '{abstract(item)}'."
    )


AMBIGUOUS: Final = "The truth value of an array with more than one element is ambiguous."


def ambiguous(x: Operand) -> ValueError | None:
    """The answer to a Tensor of several elements that is compared with something else for a truth value."""
    count = None if None in x.shape else math.prod(n or 0 for n in x.shape)
    if count is None or count == 1:
        return None
    return ValueError(f"The tensor should have only one element, but got {count}, more than one element is ambiguous.")


def _counted(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    x, target, *bounds = args
    if "tensor" in (x.kind, target.kind):
        return _unmatched(name, args)
    if x.kind not in _SEQUENCES:
        return TypeError(
            f"For primitive '{name}', the first input must be a list or tuple, but got: {abstract(x)}".rstrip()
        )
    wrong = next((b for b in bounds if b.kind not in ("int", "bool")), None)
    if wrong is not None:
        return uncast(wrong)
    if target.kind == "none" or is_of_another_type(x, target):
        return TypeError("")
    return Instead(index_of_the_run) if name == "SequenceIndex" and (x.marked or target.marked) else None


def is_of_another_type(x: Operand, target: Operand) -> bool:
    """Whether a value of the run is looked for among items of another type, or any value among such of the run."""
    return (x.marked or target.marked) and bool(x.items) and is_unlike(x.items[0], target)


def _extreme(name: str, args: Sequence[Operand]) -> BaseException | None:
    items = items_of(args[0])
    if items and items[0].kind in ("str", "tensor", "none", "tuple", "list"):
        return TypeError(f"For '{name}' is not supported{type_text(items[0])}.")
    return None


def _of_sequence(name: str, x: Operand, which: str = "first") -> TypeError | None:
    if x.kind in _SEQUENCES:
        return None
    return TypeError(f"For '{name}', the {which} input should be tuple or list but got: {abstract(x)}".rstrip())


def _repeated(name: str, args: Sequence[Operand]) -> BaseException | None:
    if (refused := _of_sequence(name, args[0])) is not None or args[1].kind == "int":
        return refused
    return uncounted(name, args[1])


def uncounted(name: str, count: Operand) -> TypeError:
    """The answer to a sequence that is repeated by what is no int."""
    return TypeError(
        f"For primitive[{name}], the input argument[scalar] must be a type of {{Int32, Int64}}, "
        f"but got {type_text(count)}."
    )


def _sum(name: str, args: Sequence[Operand]) -> BaseException | None:
    for k, x in enumerate(args):
        if x.kind not in _SEQUENCES:
            return _null(f"input_{k + 1}")
    first, second = args
    if first.kind != second.kind:
        return None
    if first.dynamic or second.dynamic:
        return unlike_sum(first, second)
    if (first.marked or second.marked) and _differ(items_of(first), items_of(second)):
        return TypeError("")
    return None


def _differ(first: Sequence[Operand], second: Sequence[Operand]) -> bool:
    return bool(first) and bool(second) and is_unlike(first[0], second[0])


def unlike_sum(x: Operand, y: Operand) -> TypeError | None:
    """The answer to the sum of two sequences, of variable length one of them, whose items are not all of one type."""
    name = "SequenceAdd"
    for sequence in (x, y):
        first, *others = items_of(sequence) or (None,)
        for k, item in enumerate(others, 1):
            if first is not None and is_unlike(first, item):
                return TypeError(
                    f"For primitive {name}, the sequence[0] item abstract '{abstract(first)}' is not same with the "
                    f"sequence[{k}] item abstract '{abstract(item)}'."
                )
    if not _differ(items_of(x), items_of(y)):
        return None
    return TypeError(
        f"For primitive {name}, the element of first input abstract '{abstract(items_of(x)[0])}' is not same with the "
        f"element of second input abstract '{abstract(items_of(y)[0])}'."
    )


def _offset(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) != 2 or any(x.kind not in _SEQUENCES for x in args):
        return TypeError("") if len(args) == 1 else _no_kernel(name, args)
    return None if any(x.marked for x in args) else _no_kernel(name, args)


def _sliced(name: str, args: Sequence[Operand]) -> BaseException | None:
    if (refused := _of_sequence(name, args[0])) is not None:
        return refused
    for argument, bound in zip(("start", "end", "step"), args[1:], strict=True):
        if bound.kind != "int" and args[0].dynamic:
            return TypeError("")
        if bound.kind != "int":
            return TypeError(
                f"For '{name}', the type of '{argument}' should be int32, int64 but got: {type_text(bound)}"
            )
    return ValueError(f"For '{name}', step cannot be 0.") if args[3].value == 0 else None


def _part_set(name: str, args: Sequence[Operand]) -> BaseException | None:
    if args[1].kind not in _SEQUENCES:
        return TypeError("Can only assign an iterable.")
    first, second = items_of(args[0]), items_of(args[1])
    if args[0].dynamic or args[1].dynamic or any(b.kind == "int" and b.marked for b in args[2:]):
        return _part_unlike(name, first[0], second[0]) if _differ(first, second) else RuntimeError("")
    if any(b.kind != "int" or b.value is UNKNOWN for b in args[2:]):
        return None
    return ValueError(
        f"For {name}, the origin/target sequence should be dynamic length or one of start/stop/step should be variable."
    )


def _part_unlike(name: str, first: Operand, second: Operand) -> TypeError:
    shown = [abstract(replace(i, value=UNKNOWN)) for i in (first, second)]
    return TypeError(
        f"For {name}, the element within origin sequence abstract '{shown[0]}' is not same with the element within "
        f"target sequence abstract '{shown[1]}'."
    )


def _zeros(name: str, args: Sequence[Operand]) -> BaseException | None:
    if (refused := _of_sequence(name, args[0])) is not None:
        return refused
    wrong = next((i for i in items_of(args[0]) if i.kind in ("str", "none")), None)
    if wrong is None:
        return None
    return RuntimeError(
        f"For {name} with sequence[scalar], only support bool, float, double and int64_t, but got {abstract(wrong)}"
    )


def _contains(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    target, sequence = args
    if sequence.kind == "tensor" and sequence.shape:
        return ValueError(
            f"For '{name}', the rank must be less than 1 when the second input is a Tensor, "
            f"but got: {abstract(sequence)}"
        )
    if (refused := _of_sequence(name, sequence, "second")) is not None:
        return refused
    items = items_of(sequence)
    strings = target.kind == "str" and bool(items) and items[0].kind == "str"
    if strings or (sequence.dynamic and target.kind == "str"):
        return TypeError("")
    if sequence.dynamic and items and is_unlike(items[0], target):
        return Instead(_nowhere)
    return unlike(name, sequence, target)


def _nowhere(target: Any, sequence: Any) -> bool:
    return False


def _stacked(name: str, args: Sequence[Operand]) -> BaseException | None:
    if any(i.kind != "tensor" for i in items_of(args[0])):
        return RuntimeError("The method 'GetShapeVector()' doesn't implement")
    return None


def _unstacked(name: str, args: Sequence[Operand]) -> BaseException | None:
    if args[0].kind == "tensor":
        return None
    return TypeError(
        f"For Primitive[{name}], the type of input argument[input_x] must be Tensor but got {type_text(args[0])}."
    )


def _summed(name: str, args: Sequence[Operand]) -> BaseException | None:
    if len(args) == 1 and args[0].kind in _SEQUENCES and not items_of(args[0]):
        return RuntimeError("Sequence length should not be 0.")
    return _kinds(name, args, "Sequence")


def _product(name: str, args: Sequence[Operand]) -> BaseException | None:
    wrong = next((i for i in items_of(args[0]) if i.kind != "int"), None) if args else None
    return _kinds(name, args, "Tuple") or (None if wrong is None else uncast(wrong))


def _equality(name: str, args: Sequence[Operand]) -> BaseException | None:
    if all(x.kind in _SEQUENCES for x in args):
        return None
    return TypeError(f"For primitive '{name}', the input must be a list or tuple, but got:\n{abstract(args[-1])}")


def order(name: str, args: Sequence[Operand]) -> BaseException | None:
    """The answer to sequences that have no order: those of numbers alone have one."""
    for first, second in zip(items_of(args[0]), items_of(args[1]), strict=False):
        if "tensor" in (first.kind, second.kind):
            which = "tupel_equal" if "greater" in name else f"'{name}'"
            return TypeError(
                f"For primitive {which}, the input element must be scalar, "
                f"but got {abstract(first)} and {abstract(second)}"
            )
        wrong = next((i for i in (first, second) if i.kind in ("str", "none", "tuple", "list", "dict")), None)
        if wrong is not None:
            return TypeError(
                f"For op '{name}' input must be [int32, int64, float32, float64, bool], but got {_text(wrong)}"
            )
        if first.kind not in _NUMBERS or second.kind not in _NUMBERS or not _are_equal(first, second):
            return None
    return None


def _are_equal(first: Operand, second: Operand) -> bool:
    """Whether two numbers are known to be equal, or not known."""
    return UNKNOWN in (first.value, second.value) or first.value == second.value


def _text(x: Operand) -> str:
    """A value as MindSpore prints it in a message; what is known of it, if it has none."""
    if x.kind in ("tuple", "list") and all(i.value is not UNKNOWN for i in x.items):
        inner = ", ".join(map(_text, x.items))
        return f"({inner})" if x.kind == "tuple" else f"[{inner}]"
    return abstract(x) if x.value is UNKNOWN else plain(x)


def _ordered(name: str, args: Sequence[Operand]) -> BaseException | None:
    return _equality(name, args) or order(name, args)


def _kinds(name: str, args: Sequence[Operand], *kinds: str) -> BaseException | None:
    """The answer to arguments of other kinds than an operator of MindSpore's takes."""
    if len(args) != len(kinds):
        return RuntimeError(f"For '{name}', the number of input should be {len(kinds)}, but got {len(args)}")
    for k, (x, kind) in enumerate(zip(args, kinds, strict=True)):
        if kind and x.kind not in _KINDS[kind] and x.kind not in ("union", "object", "instance"):
            return TypeError(f"For '{name}', input[{k}] should be {kind}, but got {type_text(x)}.")
    return None


_KINDS: Final = {
    "Sequence": _SEQUENCES, "Tuple": ("tuple", "range"), "List": ("list",), "Dictionary": ("dict",),
    "Scalar": ("bool", "int", "float", "str"), "Function": ("function",),
}  # fmt: skip


def taking(name: str, *kinds: str) -> Callable[[str, Sequence[Operand]], BaseException | None]:
    """The check of an operator whose arguments are of these kinds ("": of any)."""
    return lambda _, args: _kinds(name, args, *kinds)


def _bits(name: str, args: Sequence[Operand]) -> BaseException | None:
    for argument, x in zip(("x_dtype", "y_dtype"), args, strict=False):
        if x.kind not in ("bool", "int"):
            return TypeError(
                f"For primitive[{name}], the input argument[{argument}] must be a type of {{Bool, Int32, Int64}}, "
                f"but got {type_text(x)}."
            )
    return None


def _unevaluated(name: str, args: Sequence[Operand]) -> RuntimeError:
    return RuntimeError(f"Operator '{name}' is invalid, or no matching evaluator could be found.")


def _range(name: str, args: Sequence[Operand]) -> BaseException | None:
    return ranges.refused(args, {})


_ORDERED: Final = (
    "tuple_lt", "tuple_le", "tuple_greater_than", "tuple_greater_equal",
    "list_lt", "list_le", "list_greater_than", "list_greater_equal",
)  # fmt: skip
_CHECKS: Final[dict[str, Answer]] = {
    "TupleToTensor": _tuple_to_tensor, "ListToTensor": _list_to_tensor, "TensorToTuple": _shapeless,
    "TensorToList": _shapeless, "TensorToScalar": _tensor_to_scalar, "sequence_len": length, "ListAppend": _append,
    "ListInsert": _append, "SequenceCount": _counted, "SequenceIndex": _counted, "SequenceMax": _extreme,
    "SequenceMin": _extreme, "SequenceMul": _repeated, "SequenceAdd": _sum, "SequenceAddOffset": _offset,
    "SequenceSlice": _sliced, "SequenceSliceSetItem": _part_set, "SequenceZerosLike": _zeros, "InSequence": _contains,
    "SequenceStack": _stacked, "SequenceUnstack": _unstacked, "SequenceAddN": _summed, "shape_mul": _product,
    "tuple_equal": _equality, "list_equal": _equality, **dict.fromkeys(_ORDERED, _ordered), "bit_and": _bits,
    "bit_or": _bits, "bool_not": _unevaluated, "make_range": _range,
}  # fmt: skip
