"""What a model takes and gives, as the protocol has it: named tensors of a datatype and a shape.

    (x: tensor float32["n", 8], k: int) -> {"y": tensor float32["n", 2]}
    inputs  x FP32 [-1, 8], k INT64 [1]
    outputs y FP32 [-1, 2]

Arguments that are constants are no inputs. Results in containers are named by their places: `output_0`, `output_1` of
a tuple, the keys of a dict, `key.0` of a tuple in a dict; an array or number alone is `output_0`; None is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.exports import LoadedFunction
from jitcore.exports.arguments import Kind, text_of
from jitcore.exports.descriptions import read
from jitcore.passes.infer.domain import signature
from jitcore.primitives.core import dialects
from jitcore.runtime.tensor import Tensor, made_of, wrap
from jitcore.serve.errors import RequestError, UnservedError
from jitcore.structs import dataclass
from jitcore.types import DTYPES, DimExpr, RefType, ScalarType, TensorType, Type

Array: TypeAlias = "np.ndarray[Any, Any]"

DATATYPES: Final[Mapping[str, str]] = {
    "bool": "BOOL", "int8": "INT8", "int16": "INT16", "int32": "INT32", "int64": "INT64", "uint8": "UINT8",
    "uint16": "UINT16", "uint32": "UINT32", "uint64": "UINT64", "float16": "FP16", "float32": "FP32",
    "float64": "FP64",
}  # fmt: skip
"""The protocol's names of NumPy's dtypes; there are none for complex numbers."""
_NUMBERS: Final[Mapping[str, str]] = {"bool": "bool", "int": "int64", "float": "float64"}
_OF_LISTS: Final[Mapping[str, str]] = {str(d): d.numpy.name for d in DTYPES.values()}


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """An argument that requests give; `made` makes it of an array. Extents of `shape` that may be anything have a name
    or None. A number is of shape [1], or []."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int | str | None, ...]
    is_number: bool
    made: Callable[[Array], object]

    def is_of_shape(self, shape: Sequence[int]) -> bool:
        if self.is_number and not shape:
            return True
        fits = (not isinstance(n, int) or n == m for n, m in zip(self.shape, shape, strict=False))
        return len(shape) == len(self.shape) and all(fits)


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """A part of the result; extents are as the program has them."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int | DimExpr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """`arguments`: each is an input, or the constant that it always is. `outputs` are those that are known before a
    call: all of them if `is_complete`. `has_state`: a call changes what later ones compute."""

    arguments: tuple[Input | Constant, ...]
    outputs: tuple[Output, ...]
    is_complete: bool
    has_rows: bool
    has_state: bool

    @property
    def inputs(self) -> tuple[Input, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Input))

    def call_arguments(self, arrays: Sequence[Array]) -> list[object]:
        """What the model is called with, of an array for each input."""
        given = iter(arrays)
        return [a.made(next(given)) if isinstance(a, Input) else a.value for a in self.arguments]


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """An argument that has one value."""

    value: object


def interface_of(function: LoadedFunction) -> Interface:
    """The interface of a model. Raises UnservedError if it takes or gives what the protocol has not."""
    manifest = function.manifest
    arguments = tuple(map(_argument, manifest["arguments"], manifest["inputs"]))
    inferred = function.specialisations[0].compilation.inferred
    outputs: list[Output] = []
    unknown: list[str] = []
    for name, part in _named(inferred.result):
        found = _output(name, part, inferred)
        if found is None:
            unknown.append(name)
        else:
            outputs.append(found)
    has_state = any(told["written"] for program in manifest["programs"] for told in program["inputs"])
    has_rows = not has_state and not unknown and _share_rows(arguments, outputs, inferred)
    return Interface(arguments, tuple(outputs), not unknown, has_rows, has_state)


# --- inputs ------------------------------------------------------------------------------------------


def _argument(name: str, kind: Kind) -> Input | Constant:
    match kind["is"]:
        case "constant":
            return Constant(read(kind["value"]))
        case "array" if kind["dtype"] in DATATYPES:
            return Input(name, np.dtype(kind["dtype"]), tuple(kind["shape"]), False, _maker(kind["kind"]))
        case "numbers" if _OF_LISTS[kind["type"]] in DATATYPES:
            return Input(name, np.dtype(_OF_LISTS[kind["type"]]), (None,), False, _numbers)
        case "bool" | "int" | "float":
            return Input(name, np.dtype(_NUMBERS[kind["is"]]), (1,), True, _number)
        case _:
            raise UnservedError(f"its argument {name!r} is a {text_of(kind)}, for which the protocol has no tensor")


def _maker(category: str) -> Callable[[Array], object]:
    if category == "ndarray":
        return _itself
    if category == "npscalar":
        return _scalar
    if category == dialects.OWN:
        return wrap
    cls = dialects.known[category].cls
    return lambda array: made_of(cls, array)


def _itself(array: Array) -> object:
    return array


def _scalar(array: Array) -> object:
    return array[()]


def _number(array: Array) -> object:
    return array.item()


def _numbers(array: Array) -> object:
    return array.tolist()


# --- outputs -----------------------------------------------------------------------------------------


def arrays_of(result: object) -> dict[str, Array]:
    """The parts of a result by name. Raises RequestError for what the protocol has no tensor for."""
    found: dict[str, Array] = {}
    for name, part in _named(result):
        if name in found:
            raise RequestError(f"the model's result has two parts of the name {name!r}")
        found[name] = _array(name, part)
    return found


def _named(result: object, name: str = "") -> Iterator[tuple[str, object]]:
    """The parts of a result, or of the description of one."""
    match result:
        case signature.ResultContainer(cls=cls) if cls is dict:
            items = dict(zip(result.keys, result.items, strict=True)).items()
        case dict():
            items = cast("dict[object, object]", result).items()
        case signature.ResultContainer(cls=cls) if cls in (tuple, list):
            items = enumerate(result.items)
        case tuple() | list():
            items = enumerate(cast("Sequence[object]", result))
        case None | signature.ResultConstant(value=None):
            return
        case _:
            yield name or "output_0", result
            return
    is_dict = isinstance(result, dict) or (isinstance(result, signature.ResultContainer) and result.cls is dict)
    for key, item in items:
        inner = f"{name}.{key}" if name else str(key) if is_dict else f"output_{key}"
        yield from _named(item, inner)


def _array(name: str, part: object) -> Array:
    if isinstance(part, Tensor):
        array = part.asnumpy()
    elif type(part).__name__ in _NUMBERS:
        array = np.array(part, _NUMBERS[type(part).__name__])
    elif isinstance(part, np.ndarray | np.generic):
        array = np.asarray(cast("Any", part))
    else:
        raise RequestError(f"{name} of the model's result is a {type(part).__name__}, which is no tensor")
    if array.dtype.name not in DATATYPES:
        raise RequestError(f"{name} of the model's result is of {array.dtype.name}, which the protocol has not")
    return array


def _output(name: str, part: object, inferred: signature.Inferred) -> Output | None:
    """What is known of a part of the result; None if its type depends on the call."""
    main = inferred.module.main
    type_: Type | None
    match part:
        case signature.ResultNumber(index=index) | signature.ResultArray(index=index):
            type_ = main.result_types[index]
        case signature.ResultInput(index=index) if index < len(main.params):
            type_ = main.params[index].type
        case signature.ResultConstant(value=value) if type(value).__name__ in _NUMBERS:
            return Output(name, np.dtype(_NUMBERS[type(value).__name__]), ())
        case _:
            return None
    target = type_.target if isinstance(type_, RefType) else type_
    if not isinstance(target, ScalarType | TensorType):
        return None
    dtype = target.dtype.numpy
    if dtype.name not in DATATYPES:
        raise UnservedError(f"{name} of its result is of {dtype.name}, which the protocol has not")
    return Output(name, dtype, target.shape if isinstance(target, TensorType) else ())


# --- rows --------------------------------------------------------------------------------------------


def _share_rows(arguments: Sequence[Input | Constant], outputs: Sequence[Output], inferred: signature.Inferred) -> bool:
    """Whether inputs and outputs are arrays whose first extent, and it alone, is one that may be anything: rows of
    several requests can then be put one below the other, if the model computes each by itself."""
    inputs = [a for a in arguments if isinstance(a, Input)]
    if not inputs or not outputs or not all(i.shape and not isinstance(i.shape[0], int) for i in inputs):
        return False
    names = {i.shape[0] for i in inputs}
    if len(names) > 1 or (None in names and len(inputs) > 1):
        return False
    extents = {
        param.type.shape[0]
        for spec, param in zip(inferred.inputs, inferred.module.main.params, strict=True)
        if spec.path[0] == "arg" and isinstance(param.type, TensorType) and param.type.shape
    }
    return all(o.shape and not isinstance(o.shape[0], int) and o.shape[0] in extents for o in outputs)
