"""What MindSpore says to items, slices and unpacking:
`TupleGetItem evaluator index should be in range[-3, 3), but got 3.`"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.refusals import (
    dynamic_length,
    names,
    put_shapes,
    sequence_operators,
    tensor_indices,
    tensor_keys,
)
from jitcore.compat.mindspore.refusals.naming import (
    abstract,
    class_name,
    dtype_name,
    items_of,
    number_text,
    tensor_text,
    type_text,
)
from jitcore.lookup import attribute_of
from jitcore.nn import Cell, CellList
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand, Operation
from jitcore.structs import replace

_SEQUENCES: Final = ("tuple", "range", "list")
_INDEXED: Final = "list, int, float, tuple, slice, ellipsis, None, array, bool, or Tensor"


_NUMBERS: Final = ("bool", "int", "float")
_UNTAKEN: Final = ("dtype", "type", "slice", "ellipsis", "ndarray", "npscalar")
_UNINDEXED: Final = ("none", "int", "float", "bool", "function")
_KEYS: Final = "key only supports string, number, type, none, constant tensor and tuple"


def unkeyed(operator: str, key: Operand) -> RuntimeError | None:
    """The answer to a key that no dict has there."""
    if key.kind == "tensor" or (key.marked and key.kind in _NUMBERS):
        return RuntimeError(f"{operator} evaluator {_KEYS}, but got ValueAny")
    return None


def made(operation: Operation) -> RuntimeError | None:
    """The answer to the keys of `{key: value}`."""
    for key in operation.operands:
        if key.kind in ("tensor", "function", "list", "dict", "slice", "type") or (key.marked and key.kind in _NUMBERS):
            return RuntimeError(f"make_dict evaluator {_KEYS}, but got {_key_text(key)}")
        if key.kind == "tuple" and any(i.kind == "tensor" for i in key.items):
            return RuntimeError("make_dict evaluator key should not be tuple that contains variables, but got ValueAny")
    return None


def _key_text(key: Operand) -> str:
    if key.kind == "type":
        return f"class '{key.value.__name__}'"
    if key.kind == "slice":
        return f"Slice[{' : '.join(str(plain(i)) for i in key.items)}]"
    shown = None if key.kind == "function" else plain(key)
    return "ValueAny" if shown is None else shown


def get(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x[i]`."""
    x, index = operation.operands
    if x.kind in _UNINDEXED:
        return TypeError(f"'{class_name(x)}' object is not subscriptable")
    if x.dynamic:
        return dynamic_length.item(x, index) or _of_sequence(x, index)
    if x.kind in _SEQUENCES:
        return _of_sequence(x, index)
    if x.kind == "dict":
        return _of_dict(x, index)
    if x.kind == "str":
        return _of_string(x, index)
    if isinstance(x.value, CellList) and index.kind == "int" and index.value is not UNKNOWN:
        return _outside(Operand("tuple"), len(x.value), index.value)
    if x.kind == "object":
        return without(x, "__getitem__")
    if x.kind != "tensor":
        return None
    meant = tensor_keys.meant(index)
    odd = tensor_keys.refused(meant) if operation.compiled else None
    return odd or _of_tensor(x, meant) or (None if meant is index else Instead(tensor_keys.got))


def without(x: Operand, method: str) -> BaseException | None:
    """The answer to what an object can do by a method alone that it does not have."""
    cls = type(x.value)
    if (
        x.value is UNKNOWN
        or hasattr(cls, method)
        or cls.__module__.partition(".")[0] in ("jitcore", "builtins", "numpy")
    ):
        return None
    return names.of_a_class(x.value, method) or AttributeError(f"'{cls.__name__}' object has no attribute '{method}'")


def _name(x: Operand) -> str:
    return "list_getitem" if x.kind == "list" else "TupleGetItem"


def _of_sequence(x: Operand, index: Operand) -> BaseException | Instead | None:
    items = items_of(x)
    if index.marked and items and index.kind == "int":
        return (
            Instead(_variable_item) if x.kind != "list" or x.marked or any(i.kind == "tensor" for i in items) else None
        )
    if index.marked and index.kind == "float":
        return TypeError("list indices must be integers or slices, not float" if x.kind == "list" else "")
    if index.kind == "slice":
        return _sliced(index)
    if index.kind == "float":
        return unindexed(x, index)
    if index.kind in ("str", "none", "tuple", "list", "dict", "range", "function", "ellipsis"):
        kind = "list" if x.kind == "list" else "tuple"
        return TypeError(f"{kind} indices must be integers or slices, not {class_name(index)}")
    if index.kind == "tensor" and None not in index.shape and any(n != 1 for n in index.shape):
        return ValueError("Only integer tensors of a single element can be converted to an index.")
    if index.kind == "tensor" and items and all(_is_layer(i) for i in items):
        return unlayered(index)
    if index.kind != "int" or index.value is UNKNOWN or (x.kind == "range" and not items):
        return None
    return _outside(x, len(items), index.value)


def _is_layer(x: Operand) -> bool:
    return x.kind == "function" or isinstance(x.value, Cell)


def unlayered(index: Operand) -> ValueError | None:
    """The answer to a Tensor that chooses among functions or Cells, if it is no int32 of no axes."""
    if index.shape != ():
        rank = len(index.shape)
        return ValueError(f"switch_layer index must be a 0 dimension tensor, but got a {rank} dimension tensor")
    if dtype_name(index.dtype) != "Int32":
        return ValueError(f"switch_layer index must be an int32, but got {dtype_name(index.dtype)}")
    return None


def _variable_item(x: Any, index: Any) -> Any:
    if index >= len(x):
        raise RuntimeError("Index[" + str(index + 1) + "] out of range[" + str(len(x) + 1) + "].")
    if index < -len(x):
        raise dynamic_length.outside(len(x), index)
    return x[index]


def unindexed(x: Operand, index: Operand) -> IndexError:
    """An index that is no int."""
    return IndexError(f"{_name(x)} evaluator index should be an int64 number, but got {abstract(index)}")


def _outside(x: Operand, count: int, index: int) -> BaseException | None:
    if not count:
        return empty(x)
    if -count <= index < count:
        return None
    return IndexError(f"{_name(x)} evaluator index should be in range[-{count}, {count}), but got {index}.")


def outside(operation: Operation) -> BaseException | None:
    """The answer to an index that is only known when the program runs, where it is not in a sequence: an argument of
    the program, or (marked) another number. Where the length is not known either, it is `{1}`, one less `{2}`."""
    x, size, index = operation.operands
    if size.value is UNKNOWN:
        return None if index.marked else _outside_of_run(x, operation.name)
    count = size.value
    if x.kind == "str":
        return RuntimeError(_outside_of_text(count, "{0}"))
    if operation.name == "put":
        if index.marked:
            return ValueError(f"idx is out of range: {-count} <= idx < {count}, but got {{0}}.")
        return IndexError(f"list_setitem evaluator the index: {{0}} to set out of range: [-{count},{count - 1}].")
    if not index.marked:
        return IndexError(f"{_name(x)} evaluator index should be in range[-{count}, {count}), but got {{0}}.")
    if x.kind == "list":
        return None
    return ValueError(f"For RealTupleGetItem, index is out of range: [-{count}, {count}), but got {{0}}.")


def _outside_of_run(x: Operand, what: str) -> IndexError:
    if x.kind == "tensor":
        return IndexError("'index {0} is out of bounds for axis 0 with size {1}'")
    if what == "put":
        return IndexError("list_setitem evaluator the index: {0} to set out of range: [-{1},{2}].")
    return IndexError(f"{_name(x)} evaluator index should be in range[-{{1}}, {{1}}), but got {{0}}.")


def missing(operation: Operation) -> ValueError:
    """The answer to a key that is only known when the program runs, where a dict has it not."""
    shown = _shown(operation.operands[0]).replace("{", "{{").replace("}", "}}")
    return ValueError(f"The key {{0}} does not exist in the dict:{shown}")


def empty(x: Operand) -> ValueError:
    """The answer to an item of an empty sequence."""
    return ValueError(f"For primitive:'{_name(x)}', cannot get item by index from an empty sequence.")


def unsliced(bound: Operand) -> TypeError:
    """The answer to a bound of a slice that is no int."""
    return TypeError(f"Slice indices must be integers or bool. But got a {type_text(bound)} number.")


def _sliced(index: Operand) -> BaseException | None:
    """Bounds that are no ints, or a step of 0."""
    for bound in index.items:
        if bound.kind in ("str", "float", "tuple", "list", "dict"):
            return unsliced(bound)
    return ValueError("Slice step cannot be zero.") if index.items[2].value == 0 else None


def _of_dict(x: Operand, index: Operand) -> BaseException | None:
    if index.kind == "tensor" or (index.marked and index.kind != "tuple"):
        return unkeyed("dict_getitem", index)
    if index.kind == "none" and None not in x.keys:
        return KeyError("None")
    if index.kind == "ellipsis":
        return KeyError("Ellipsis")
    if index.kind in ("list", "function") and _shown(x) == "ValueAny":  # whose values are a tuple
        return TypeError(f"tuple indices must be integers or slices, not {class_name(index)}")
    if (
        index.kind == "tuple"
        and UNKNOWN not in (i.value for i in index.items)
        and tuple(i.value for i in index.items) not in x.keys
    ):
        return ValueError(f"The key {plain(index)} does not exist in the dict:{_shown(x)}")
    if index.value is UNKNOWN or index.kind not in ("str", "int", "bool", "float") or index.value in x.keys:
        return None
    return ValueError(f"The key {number_text(index.value)} does not exist in the dict:{_shown(x)}")


def _shown(x: Operand) -> str:
    values = [plain(i) for i in x.items]
    if any(v is None for v in values):
        return "ValueAny"
    return "{" + ", ".join(f"'{number_text(k)}': {v}" for k, v in zip(x.keys, values, strict=True)) + "}"


def plain(x: Operand) -> Any:
    """A value as MindSpore writes a constant; None of one that is not known."""
    if x.kind == "dict":
        inner = [plain(i) for i in x.items]
        return "{" + ", ".join(f"'{number_text(k)}': {v}" for k, v in zip(x.keys, inner, strict=True)) + "}"
    if x.kind in ("tuple", "list"):
        inner = [plain(i) for i in x.items]
        if any(v is None for v in inner):
            return None
        return f"({', '.join(inner)})" if x.kind == "tuple" else f"[{', '.join(inner)}]"
    if x.held is not None:
        return tensor_text(x.held) if x.kind == "tensor" else f"PythonObject(type: {type(x.held)}, value: {x.held})"
    if x.value is UNKNOWN or x.marked or x.kind == "tensor":
        return None
    return number_text(x.value)


def _of_string(x: Operand, index: Operand) -> BaseException | None:
    if index.kind == "slice":
        refused = _sliced(index)
        return refused if isinstance(refused, TypeError) else None
    if index.kind == "int" and index.marked and x.value is not UNKNOWN:
        return RuntimeError(
            f"string_getitem requires the input to be a string and an integer, but got {x.value} and ValueAny."
        )
    if index.kind in ("float", "bool") and UNKNOWN not in (x.value, index.value):
        shown = f"{index.value:g}" if index.kind == "float" else str(index.value).lower()
        return RuntimeError(
            f"string_getitem requires the input to be a string and an integer, but got {x.value} and {shown}."
        )
    if index.kind == "int" and UNKNOWN not in (x.value, index.value):
        count = len(x.value)
        if not -count <= index.value < count:
            return RuntimeError(_outside_of_text(count, index.value))
    wide = index.kind == "tensor" and None not in index.shape and any(n != 1 for n in index.shape)
    return ValueError("Only integer tensors of a single element can be converted to an index.") if wide else None


def _outside_of_text(count: int, index: Any) -> str:
    return f"String index out of range, expect:[{-count if count else 0}, {count - 1}], but got {index}."


def _of_tensor(x: Operand, index: Operand) -> BaseException | None:
    if index.kind in ("str", "dict", "function"):
        return _unindexed(index)
    if index.kind == "float":
        return IndexError(f"Number index of tensor must be int or bool, but got {index.value}.")
    if x.shape == () and (refused := tensor_indices.of_scalar(index)) is not None:
        return refused
    if index.kind == "slice":
        refused = _sliced(index)
        if isinstance(refused, ValueError):
            return ValueError("For 'StridedSlice', input 'strides' can not contain 0.")
        return refused
    if index.kind == "int":
        return _row(x, index.value)
    if index.kind == "tensor":
        return _by_tensor(x, index)
    if index.kind in ("tuple", "list") and (refused := _by_several(x, index)) is not None:
        return refused
    if index.kind == "tuple":
        return tensor_indices.of_several(x, index.items)
    if index.kind == "bool" and index.value is False:
        return IndexError("When tensor is indexed by a bool object, the value only support 'True'.")
    return tensor_indices.of_flags(x, index.items) if index.kind == "list" else None


def _by_tensor(x: Operand, index: Operand) -> IndexError | None:
    """The answer to indices that are a Tensor."""
    if index.dtype is None or index.dtype.kind in "iu":
        return None
    if index.dtype.kind != "b":
        return IndexError(f"The tensor index must be int or bool type, but got {dtype_name(index.dtype)}.")
    return tensor_indices.of_mask(x, index)


def _by_several(x: Operand, index: Operand) -> BaseException | None:
    """The answer to indices that are a tuple or list."""
    odd = next((i for i in index.items if i.kind in ("float", "str", "dict")), None)
    if odd is not None:
        return TypeError(
            "For 'tensor_setitem_by_tuple', the types only support 'Slice', 'Ellipsis', 'None', 'Tensor', 'int', "
            f"'List', 'Tuple', 'bool', but got {type_text(odd)}"
        )
    if (several := _ellipses(index)) is not None:
        return several
    size = x.shape[0] if x.shape else None
    if index.kind == "tuple" or size is None or not all(type(i.value) is int for i in index.items):
        return None
    far = next((i.value for i in index.items if not -size <= i.value < size), None)
    if far is None:
        return None
    return RuntimeError(
        f"For 'Gather', the 'input_indices' should be in the range [0, {size}), but got "
        f"{far if far > 0 else far + size}, error_code[58]"
    )


def _ellipses(index: Operand) -> IndexError | None:
    several = sum(i.kind == "ellipsis" for i in index.items) > 1
    return IndexError("An index can only have a single ellipsis('...')") if several else None


def _unindexed(index: Operand) -> IndexError:
    shown = repr(index.value) if index.kind == "str" else plain(index)
    return IndexError(
        f"Unsupported Python object type received: <class '{class_name(index)}'>. Supported types for tensor indexing "
        f"are: {_INDEXED}. Received value: {shown}"
    )


def _row(x: Operand, index: Any) -> BaseException | None:
    if not x.shape:
        return TypeError("For 'StridedSlice', input can not be a scalar.")
    count = x.shape[0]
    if count is None or index is UNKNOWN or -count <= index < count:
        return None
    return IndexError(tensor_indices.OUTSIDE.format(0, count, index))


def _put_in_list(x: Operand, index: Operand, value: Operand) -> BaseException | Instead | None:
    if index.kind == "slice":
        if (refused := _sliced(index)) is not None:
            return refused
        if value.kind == "none":
            return TypeError("can only assign an iterable")
        return TypeError("'can only assign an iterable'") if value.kind in ("int", "float", "bool") else None
    if index.kind in ("float", "bool"):
        return TypeError(
            f"list_setitem evaluator index should be an int64 number, but got a {type_text(index)} number."
        )
    if index.kind == "tensor" and None not in index.shape and any(n != 1 for n in index.shape):
        return ValueError("Only integer tensors of a single element can be converted to an index.")
    if index.kind == "int" and not x.items:
        return ValueError("Can not setitem for an empty sequence.")
    if index.kind == "int" and index.marked:
        return _put_variably(x, value)
    if index.kind == "int" and UNKNOWN is not index.value:
        count = len(x.items)
        if not -count <= index.value < count:
            return IndexError(
                f"list_setitem evaluator the index: {index.value} to set out of range: [-{count},{count - 1}]."
            )
        told = x.marked and value.kind in (*_NUMBERS, "str")
        return TypeError("") if told and sequence_operators.is_unlike(x.items[index.value], value) else None
    return None


def _put_variably(x: Operand, value: Operand) -> BaseException | Instead:
    """The answer to an item that is set at an index of the run: all items have its type."""
    what = "For list_setitem, when the index is variable and the queue is constant length, the"
    first = x.items[0]
    for k, item in enumerate(x.items):
        if sequence_operators.is_unlike(first, item):
            return TypeError(
                f"{what} sequence[0] item abstract '{abstract(first)}' is not same with the sequence[{k}] "
                f"item abstract '{abstract(item)}'."
            )
    if sequence_operators.is_unlike(first, value):
        return TypeError(
            f"{what} element within constant length sequence abstract '{abstract(first)}' is not same with the target "
            f"element abstract '{abstract(value)}'."
        )
    return Instead(_set)


def _set(x: Any, index: Any, value: Any) -> None:
    count = str(len(x))
    if not -len(x) <= index < len(x):
        raise ValueError("idx is out of range: -" + count + " <= idx < " + count + ", but got " + str(index) + ".")
    x[index] = value


def put(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x[i] = value`."""
    x, index, value = operation.operands
    if x.kind == "dict":
        return unkeyed("dict_setitem", index)
    if x.dynamic:
        return dynamic_length.put(x, index, value)
    if x.kind == "range":
        return TypeError("'tuple' object does not support item assignment")
    if x.kind == "list":
        return _put_in_list(x, index, value)
    if x.kind != "tensor":
        return None
    if value.kind == "none":
        return TypeError(
            "only support numbers, Tensor, tuple, list as value, but got None with type <class 'NoneType'>"
        )
    if value.kind in ("str", "dict"):
        return _unindexed(value)
    if operation.compiled and value.kind in _UNTAKEN and (odd := tensor_keys.untaken(value)) is not None:
        return odd
    if index.kind in ("str", "dict", "function"):
        return _unindexed(index)
    meant = tensor_keys.meant(index)
    if meant is not index:
        refused = put(replace(operation, operands=(x, meant, value)))
        return refused or Instead(tensor_keys.put)
    if (
        operation.compiled
        and (odd := tensor_keys.refused(index, put=True) or tensor_keys.written(x, index)) is not None
    ):
        return odd
    count = x.shape[0] if x.shape else None
    if index.kind == "int" and count is not None and index.value is not UNKNOWN and not -count <= index.value < count:
        return IndexError(f"'index {index.value} is out of bounds for axis 0 with size {count}'")
    if index.kind == "list" and count is not None and all(type(i.value) is int for i in index.items):
        far = next((i.value for i in index.items if i.value >= count), None)
        if far is not None:
            return ValueError(
                "For 'TensorScatterUpdate', indices out of range for input_x. Please check the indices which is "
                f"[const vector]{{{far}}}"
            )
    return _ellipses(index) or put_shapes.put(operation)


def unpack(operation: Operation) -> BaseException | Instead | None:
    """The answer to `a, b = x`, whose items are taken one by one."""
    (x,) = operation.operands
    count, starred = operation.name
    if starred and x.kind in _ITERATED:
        return iterate(x)
    if x.kind in _UNINDEXED:
        return TypeError(f"'{class_name(x)}' object is not subscriptable")
    if x.kind == "dict":
        return _of_dict(x, Operand("int", value=count - 1)) or Instead(_entries(count))
    held = _length(x)
    if held is None or held == count or (starred and held > count):
        return None
    if held > count:  # the others are not looked at
        return Instead(_first(count))
    if x.kind == "tensor":
        return _row(x, held)
    return _of_string(x, Operand("int", value=held)) if x.kind == "str" else _outside(x, held, held)


def _length(x: Operand) -> int | None:
    """The number of items of what is unpacked; None where it is not known."""
    if x.kind in _SEQUENCES:
        return len(items_of(x))
    if x.kind == "str":
        return len(x.value) if isinstance(x.value, str) else None
    return (
        (x.shape[0] if x.shape else 0) if x.kind in ("tensor", "ndarray") and (x.shape or x.kind == "tensor") else None
    )


@cache
def _entries(count: int) -> Callable[[Any], Any]:
    """What takes the values of so many keys, counted from 0."""

    def entries(x: Mapping[Any, Any]) -> tuple[Any, ...]:
        return tuple([x[k] for k in range(count)])

    return entries


@cache
def _first(count: int) -> Callable[[Any], Any]:
    """What takes so many items from the front."""

    def first(x: Any) -> Any:
        return x[:count]

    return first


_ITERATED: Final = {"int": "int64", "float": "float32", "bool": "bool", "none": "none"}


def iterate(x: Operand) -> BaseException | None:
    """The answer to a loop over `x`."""
    if x.kind in _ITERATED:
        return TypeError(f"'{_ITERATED[x.kind]}' object is not iterable")
    if x.kind == "tensor" and x.shape == ():
        return TypeError("Not support len of a 0-D tensor.")
    if x.kind == "function":
        return AttributeError("'Function' object has no attribute '__len__'")
    if x.kind == "type":
        return TypeError("'typetype' object is not iterable")
    if isinstance(x.value, Cell):
        return without(x, "__len__")
    if attribute_of(type(x.value), "__ms_class__", False):
        return TypeError("'class' object is not iterable")
    return None
