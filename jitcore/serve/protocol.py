"""The bytes of inference requests and answers: JSON, and tensors in binary after it (the protocol's binary tensor data
extension).

    {"inputs": [{"name": "x", "datatype": "FP32", "shape": [2, 2], "data": [1, 2, 3, 4]}]}
    {"inputs": [{"name": "x", "datatype": "FP32", "shape": [2, 2], "parameters": {"binary_data_size": 16}}]}<16 bytes>

Raises RequestError for whatever is not a request that a model can be called with.

https://github.com/kserve/open-inference-protocol; Triton Inference Server, docs/protocol/extension_binary_data.md
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, TypeAlias, cast

import numpy as np

from jitcore.serve.errors import RequestError
from jitcore.serve.interface import DATATYPES, Array, Input, Interface, Output
from jitcore.structs import dataclass

Json: TypeAlias = "dict[str, object]"

_MOST_EXTENT: Final = np.iinfo(np.int64).max
_ELEMENTS: Final[Mapping[str, tuple[frozenset[type], str]]] = {
    "b": (frozenset({bool}), "true or false"),
    "i": (frozenset({int}), "ints"),
    "u": (frozenset({int}), "ints"),
    "f": (frozenset({int, float}), "numbers"),
}
"""By the kind of a dtype: the classes that JSON's reader makes its elements of, and what they are called."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """An output that was asked for."""

    name: str
    is_binary: bool


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """A request: an array for each input of the model. `wanted` are the outputs, None all; `is_binary` of those for
    which nothing is said."""

    id: str | None
    arrays: tuple[Array, ...]
    wanted: tuple[Wanted, ...] | None
    is_binary: bool


# --- requests ----------------------------------------------------------------------------------------


def read_request(body: bytes, json_length: str | None, interface: Interface) -> Inference:
    """The request that a body is. `json_length`: the header that says how much of it is JSON, if there is one."""
    length = _length(json_length, len(body))
    given = _object(_json(body[:length]), "the request")
    tensors = given.get("inputs")
    if not isinstance(tensors, list):
        raise RequestError('the request has no list "inputs"')
    id_ = given.get("id")
    if id_ is not None and not isinstance(id_, str):
        raise RequestError('"id" is not a string')
    is_binary = _flag(_parameters(given, "the request"), "binary_data_output", False)
    wanted = _wanted(given.get("outputs"), is_binary, interface)
    arrays = _arrays(cast("list[object]", tensors), memoryview(body)[length:], interface.inputs)
    return Inference(id_, arrays, wanted, is_binary)


def _length(header: str | None, size: int) -> int:
    if header is None:
        return size
    if not (header.isascii() and header.isdigit() and len(header) < 20 and int(header) <= size):
        raise RequestError(f"Inference-Header-Content-Length is no length of JSON in {size} bytes")
    return int(header)


def _json(data: bytes) -> object:
    try:
        return json.loads(data.decode(), parse_constant=_refuse_constant)
    except RecursionError:
        raise RequestError("the JSON is nested too deeply") from None
    except ValueError as error:  # of the text, its encoding, or the digits of an int
        raise RequestError(f"the request is no JSON: {error}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON's")


def _arrays(tensors: Sequence[object], binary: memoryview, inputs: Sequence[Input]) -> tuple[Array, ...]:
    """The arrays for a model's inputs, in their order."""
    known = {i.name: i for i in inputs}
    found: dict[str, Array] = {}
    for item in tensors:
        tensor = _object(item, "an input")
        name = tensor.get("name")
        if not isinstance(name, str) or name not in known:
            raise RequestError(f"the model has no input {_shown(name)}: its inputs are {', '.join(known) or 'none'}")
        if name in found:
            raise RequestError(f"the input {name!r} is given twice")
        found[name], binary = _tensor(tensor, known[name], binary)
    missing = [name for name in known if name not in found]
    if missing:
        raise RequestError(f"the input {missing[0]!r} is missing")
    if len(binary):
        raise RequestError(f"{len(binary)} bytes after the JSON belong to no input")
    return tuple(found[name] for name in known)


def _tensor(tensor: Json, wanted: Input, binary: memoryview) -> tuple[Array, memoryview]:
    """The array that a tensor is, and the binary data behind its own."""
    name = wanted.name
    datatype = DATATYPES[wanted.dtype.name]
    if tensor.get("datatype") != datatype:
        raise RequestError(f"the input {name!r} is of {datatype}, not of {_shown(tensor.get('datatype'))}")
    shape = _shape(tensor.get("shape"), wanted)
    size = _parameters(tensor, f"the input {name!r}").get("binary_data_size")
    if size is None:
        array = _of_json(tensor.get("data"), shape, wanted)
    else:
        if "data" in tensor:
            raise RequestError(f'the input {name!r} has both "data" and binary data')
        length = math.prod(shape) * wanted.dtype.itemsize
        if type(size) is not int or size != length:
            raise RequestError(f"the input {name!r} of shape {list(shape)} takes {length} bytes, not {_shown(size)}")
        if len(binary) < length:
            raise RequestError(f"the input {name!r} takes {length} bytes, and there are {len(binary)} left")
        array, binary = _of_bytes(binary[:length], wanted), binary[length:]
    try:
        return array.reshape(shape), binary
    except ValueError:  # no elements, and an extent so large that NumPy does not count with it
        raise RequestError(f"the input {name!r} has the shape {list(shape)}, which no array can have") from None


def _shape(given: object, wanted: Input) -> tuple[int, ...]:
    extents = cast("list[object]", given) if isinstance(given, list) else [None]
    shape = [n for n in extents if type(n) is int and 0 <= n <= _MOST_EXTENT]
    if len(shape) != len(extents):
        raise RequestError(
            f"the shape of the input {wanted.name!r} is a list of extents from 0 on, not {_shown(given)}"
        )
    if not wanted.is_of_shape(shape):
        expected = [n if isinstance(n, int) else -1 for n in wanted.shape]
        raise RequestError(f"the input {wanted.name!r} is of shape {expected}, not {_shown(shape)}")
    return tuple(shape)


def _of_bytes(data: memoryview, wanted: Input) -> Array:
    if wanted.dtype.kind == "b" and np.any(np.frombuffer(data, np.uint8) > 1):
        raise RequestError(f"the input {wanted.name!r} is of BOOL, with a byte that is neither 0 nor 1")
    return np.frombuffer(data, wanted.dtype.newbyteorder("<")).astype(wanted.dtype)  # a copy: it is written to


def _of_json(data: object, shape: Sequence[int], wanted: Input) -> Array:
    if not isinstance(data, list):
        raise RequestError(f'the input {wanted.name!r} has no list "data", and no "binary_data_size"')
    elements = _flat(cast("list[object]", data), shape, wanted.name)
    classes, called = _ELEMENTS[wanted.dtype.kind]
    if not set(map(type, elements)) <= classes:
        raise RequestError(f"the data of the input {wanted.name!r} are not all {called}")
    try:
        with np.errstate(over="ignore"):
            array = np.array(cast("list[Any]", elements), wanted.dtype)
    except OverflowError:
        raise RequestError(
            f"the data of the input {wanted.name!r} are not all in {DATATYPES[wanted.dtype.name]}"
        ) from None
    if wanted.dtype.kind == "f" and not np.isfinite(array).all():
        raise RequestError(f"the data of the input {wanted.name!r} are not all in {DATATYPES[wanted.dtype.name]}")
    return array


def _flat(data: list[object], shape: Sequence[int], name: str) -> list[object]:
    """The elements in order, of data that are flat or nested as the shape is."""
    message = f"the data of the input {name!r} are neither {math.prod(shape)} elements nor nested as {list(shape)}"
    if list not in set(map(type, data)):
        if len(data) != math.prod(shape):
            raise RequestError(message)
        return data
    rows: list[object] = [data]
    for extent in shape:
        lists = [cast("list[object]", row) for row in rows if isinstance(row, list)]
        if len(lists) != len(rows) or any(len(row) != extent for row in lists):
            raise RequestError(message)
        rows = list(itertools.chain.from_iterable(lists))
    return rows


def _wanted(given: object, is_binary: bool, interface: Interface) -> tuple[Wanted, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list):
        raise RequestError('"outputs" is not a list')
    found: list[Wanted] = []
    for item in cast("list[object]", given):
        output = _object(item, "an output")
        name = output.get("name")
        if not isinstance(name, str):
            raise RequestError("an output has no name")
        if interface.is_complete and name not in (o.name for o in interface.outputs):
            raise _no_output(name, [o.name for o in interface.outputs])
        parameters = _parameters(output, f"the output {name!r}")
        if "classification" in parameters:
            raise RequestError("the classification extension is not served")
        found.append(Wanted(name, _flag(parameters, "binary_data", is_binary)))
    return tuple(found)


def _no_output(name: str, names: Sequence[str]) -> RequestError:
    return RequestError(f"the model has no output {_shown(name)}: its outputs are {', '.join(names) or 'none'}")


def _object(value: object, what: str) -> Json:
    if not isinstance(value, dict):
        raise RequestError(f"{what} is no object of JSON's")
    return cast("Json", value)


def _parameters(given: Json, what: str) -> Json:
    value = given.get("parameters")
    return {} if value is None else _object(value, f'"parameters" of {what}')


def _flag(parameters: Json, name: str, default: bool) -> bool:
    value = parameters.get(name, default)
    if not isinstance(value, bool):
        raise RequestError(f'"{name}" is true or false, not {_shown(value)}')
    return value


def _shown(value: object) -> str:
    """A value of a request, as messages have it."""
    text = repr(value) if not isinstance(value, dict | list) else json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


# --- answers -----------------------------------------------------------------------------------------


def answer(request: Inference, outputs: Mapping[str, Array], model: str, version: str) -> tuple[bytes, int | None]:
    """The bytes of an answer, and how many of them are JSON if binary data follow."""
    wanted = request.wanted
    if wanted is None:
        wanted = tuple(Wanted(name, request.is_binary) for name in outputs)
    told: list[Json] = []
    binary: list[bytes] = []
    for output in wanted:
        if output.name not in outputs:
            raise _no_output(output.name, list(outputs))
        array = outputs[output.name]
        tensor: Json = {
            "name": output.name, "datatype": DATATYPES[array.dtype.name], "shape": list(array.shape)
        }  # fmt: skip
        if output.is_binary:
            data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
            tensor["parameters"] = {"binary_data_size": len(data)}
            binary.append(data)
        else:
            tensor["data"] = _elements(output.name, array)
        told.append(tensor)
    head: Json = {"model_name": model, "model_version": version, "outputs": told}
    if request.id is not None:
        head["id"] = request.id
    text = json_bytes(head)
    return b"".join([text, *binary]), len(text) if binary else None


def _elements(name: str, array: Array) -> list[object]:
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise RequestError(
            f'the output {name!r} holds NaN or infinity, which JSON has not: ask for it with "binary_data": true'
        )
    return array.reshape(-1).tolist()


def json_bytes(value: object) -> bytes:
    """JSON, in ASCII: strings of requests that UTF-8 has not are in it, too."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def metadata(model: str, versions: Sequence[int], interface: Interface) -> Json:
    """What a model takes and gives."""
    return {
        "name": model,
        "versions": list(map(str, versions)),
        "platform": "jitcore",
        "inputs": list(map(_told, interface.inputs)),
        "outputs": list(map(_told, interface.outputs)),
    }


def _told(tensor: Input | Output) -> Json:
    shape = [n if isinstance(n, int) else -1 for n in tensor.shape]
    return {"name": tensor.name, "datatype": DATATYPES[tensor.dtype.name], "shape": shape}
