"""Descriptions of arguments and captured objects, as inference takes them."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.ir.closures import with_variables, without_closure
from jitcore.ir.python import FunctionSource
from jitcore.library.core.mutable import plain_class
from jitcore.passes.infer.domain.signature import (
    Arg,
    ArrayArg,
    BoundArg,
    ColumnArg,
    DictArg,
    FunctionArg,
    HandleArg,
    Inferred,
    Input,
    ListArg,
    NestedArg,
    NumberArg,
    ObjectArg,
    RangeArg,
    StaticArg,
    StringArg,
    StringsArg,
    TupleArg,
)
from jitcore.primitives.core.code_points import DTYPES
from jitcore.primitives.ops.generators import is_generator, method_name
from jitcore.runtime import foreign
from jitcore.runtime.arguments import check_int, is_plain_object
from jitcore.runtime.list_arguments import NUMBERS, column_dtype, nesting_of, strings_of
from jitcore.runtime.parts import Parts, attributes_of, taken_apart
from jitcore.runtime.tensor import Tensor, category_of
from jitcore.source import NOWHERE, CompileError, Problem
from jitcore.types import DType, RefType, Shape, dtype_of

Reader: TypeAlias = "Callable[[FunctionType], FunctionSource]"
"""What gives the sources of functions."""


def describe(value: Any, shapes: Iterator[Shape], *, by_structure: Reader | None = None, columns: bool = True) -> Arg:
    """The description of an argument, its arrays having the given shapes in turn. `by_structure`, which reads
    functions: so are objects of users' classes that have nothing but attributes, and functions that others made.
    `columns`: long lists of numbers are passed as arrays."""
    cls = type(value)
    if cls in NUMBERS:
        if cls is int:
            check_int(value)
        return NumberArg(NUMBERS[cls], value)
    if cls in DTYPES:
        return StringArg(cls, value)
    if isinstance(value, Tensor):
        array = value._array
        return ArrayArg(_dtype_of(array), next(shapes), category_of(value), array.flags.c_contiguous)
    if isinstance(value, np.ndarray):
        return ArrayArg(_dtype_of(value), next(shapes), "ndarray", value.flags.c_contiguous)
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return ArrayArg(_dtype_of(value), (), "npscalar")
    if isinstance(value, tuple) and (cls is tuple or hasattr(cls, "_fields")):
        items = cast("tuple[Any, ...]", value)
        return TupleArg(tuple(describe(v, shapes, by_structure=by_structure, columns=columns) for v in items), cls)
    return _described_container(value, shapes, by_structure, columns)


def _dtype_of(array: Any) -> DType:
    """The dtype of an array or NumPy scalar. Raises CompileError for what compiled code does not take."""
    if isinstance(array, np.ndarray) and type(array) not in (
        np.ndarray,
        np.memmap,
    ):  # a memmap is one in a file's memory
        raise _refused(f"arrays of class {type(array).__name__}", "np.asarray(x)")
    try:
        return dtype_of(array.dtype)
    except TypeError as error:
        raise _refused(f"arrays of dtype {array.dtype}", "x.astype(…) to one of the supported dtypes") from error


def require_aligned(inputs: Sequence[Input], objects: Sequence[Any]) -> None:
    """Raise CompileError if the program writes to an array whose elements are not aligned (those it reads are
    copied)."""
    for made, value in zip(inputs, objects, strict=True):
        array = value._array if isinstance(value, Tensor) else value
        if isinstance(made.type, RefType) and isinstance(array, np.ndarray) and not array.dtype.isnative:
            raise _refused(
                "arrays to write to whose bytes are in another order, but as arguments",
                "x.astype(x.dtype.newbyteorder('='))",
            )
        if isinstance(made.type, RefType) and isinstance(array, np.ndarray) and not array.flags.aligned:
            raise _refused("arrays to write to whose elements are not aligned in memory", "a copy of the array")


def require_new_containers(made: Inferred) -> None:
    """Raise CompileError if a part of a function gives the rest a list, dict or set that it has already: what is one
    object must not come to other parts as two arguments."""
    if made.notes["shares_containers"]:
        message = "a list, dict or set gets a second name here, or is kept in an object"
        raise CompileError([Problem(NOWHERE, message, "one name for each list, dict or set")])


def _refused(what: str, hint: str) -> CompileError:
    return CompileError([Problem(NOWHERE, f"compiled code does not take {what}", hint)])


def _described_container(value: Any, shapes: Iterator[Shape], by_structure: Reader | None, columns: bool) -> Arg:
    cls = cast("type[Any]", type(value))

    def each(items: Iterable[Any]) -> tuple[Arg, ...]:
        return tuple(describe(v, shapes, by_structure=by_structure, columns=columns) for v in items)

    if cls is list and (dtype := column_dtype(value)) is not None:
        (extent,) = next(shapes)
        return ColumnArg(dtype, extent) if columns else _item_by_item(value)
    elif cls is list and (nesting := nesting_of(value)) is not None:
        extents = [extent for _ in nesting.arrays for extent in next(shapes)]
        return NestedArg(nesting, tuple(extents)) if columns else _item_by_item(value)
    elif cls is list and (strings := strings_of(value)) is not None:
        (extent,) = next(shapes)
        return StringsArg(strings, extent) if columns else _item_by_item(value)
    if plain_class(cls) is list:
        return ListArg(each(value), cls)
    if plain_class(cls) is dict:
        return DictArg(tuple(value), each(value.values()), cls)
    if is_generator(value):
        return HandleArg(cls)
    if (method := method_name(value)) is not None:
        return HandleArg(type(value.__self__), method, cls)
    if by_structure is not None and is_plain_object(value):
        attributes = attributes_of(value)
        return ObjectArg(cls, tuple(attributes), each(attributes.values()))
    if by_structure is not None and (made := taken_apart(value)) is not None:
        return _described_in_parts(value, made, by_structure, each)
    return StaticArg(set(value) if cls is set else value)


def _described_in_parts(value: Any, made: Parts, read: Reader, each: Callable[[Iterable[Any]], tuple[Arg, ...]]) -> Arg:
    steps = tuple(where for where, _ in made.parts)
    items = each(part for _, part in made.parts)
    if isinstance(value, range | slice):
        return RangeArg(type(value), items)
    if isinstance(value, FunctionType):
        source, variables = with_variables(read(without_closure(value)))
        defaults = value.__defaults__ or ()
        return FunctionArg(source, variables, items, steps, len(defaults), tuple(value.__kwdefaults__ or ()))
    if isinstance(value, MethodType):
        return BoundArg((StaticArg(value.__func__), *items), ((("attr", "__func__"),), *steps))
    return BoundArg(items, steps, tuple(value.keywords))


def _item_by_item(value: Any) -> Arg:
    """A list of numbers, or of such lists, that is not passed as arrays."""
    if type(value) is not list:
        return describe(value, iter(()))
    return ListArg(tuple(map(_item_by_item, cast("list[Any]", value))))


_NEVER_ARRAYS: Final = (FunctionType, BuiltinFunctionType, ModuleType, type, str, Enum)


def describe_captured(value: Any) -> ArrayArg | None:
    """The description of an object the program reads besides its arguments, if it is an array."""
    if isinstance(value, _NEVER_ARRAYS):
        return None
    stand_in = foreign.captured(value)
    if stand_in is not None:
        return ArrayArg(_dtype_of(stand_in), stand_in.shape, "ndarray", bool(stand_in.flags.c_contiguous))
    return describe_own(value)


def describe_own(value: Any) -> ArrayArg | None:
    """`describe_captured` where arrays of other libraries stay what they are: in parts of a function, whose other parts
    get them."""
    if isinstance(value, _NEVER_ARRAYS):
        return None
    if isinstance(value, Tensor | np.ndarray) or (isinstance(value, np.generic) and value.dtype.kind in "biufc"):
        array = value._array if isinstance(value, Tensor) else value
        return ArrayArg(_dtype_of(array), array.shape, category_of(value), bool(array.flags.c_contiguous))
    return None
