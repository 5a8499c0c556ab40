"""Checkpoints as bytes: safetensors, with what else is saved, and a digest of all of it, in its metadata.

A tensor is under the name of its Parameter; one that begins like safetensors' own `__metadata__` gets a backslash
before it. Complex arrays are pairs of floats, on a last axis of 2. The metadata are strings: `format` and `version`;
`names`, a JSON list of all names in order; `complex`, a JSON list of the names of the pairs; `values`, a JSON object of
what is no array; `count`, how many names there are; and `sha256`, over the other metadata and each tensor's name,
dtype, shape and bytes. Files of other programs, which have none of that, are read as well.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np

_METADATA: Final = "__metadata__"
_FORMAT: Final = "jitcore"
_VERSION: Final = "1"
_OWN: Final = frozenset(["version", "names", "complex", "values", "count", "sha256"])
_DTYPES: Final[Mapping[str, str]] = {
    "BOOL": "?", "I8": "<i1", "I16": "<i2", "I32": "<i4", "I64": "<i8", "U8": "<u1", "U16": "<u2", "U32": "<u4",
    "U64": "<u8", "F16": "<f2", "F32": "<f4", "F64": "<f8", "C64": "<c8",
}  # fmt: skip
_LARGEST: Final = {"b": 1, "i": 8, "u": 8, "f": 8, "c": 16}
"""Bytes of an element, by kind of dtype: longer floats are the machine's own."""
_HEADER: Final = 8
"""Bytes that say how long the header is."""


def encode(content: Mapping[str, Any]) -> bytes:
    """The bytes of a checkpoint of arrays and JSON's values, by name. Raises TypeError for what is neither."""
    from safetensors.numpy import save

    arrays: dict[str, np.ndarray[Any, Any]] = {}
    pairs: list[str] = []
    values: dict[str, Any] = {}
    for name, value in content.items():
        if not isinstance(value, np.ndarray):
            values[name] = value
            continue
        array = cast("np.ndarray[Any, Any]", value)
        if array.dtype.kind not in "biufc" or array.dtype.itemsize > _LARGEST[array.dtype.kind]:
            raise TypeError(f"{name!r} is an array of {array.dtype}, which a checkpoint does not hold")
        array = np.array(array, array.dtype.newbyteorder("="), order="C")
        if array.dtype.kind == "c":
            pairs.append(name)
            array = array.reshape(*array.shape, 1).view(f"f{array.dtype.itemsize // 2}")
        arrays[_escaped(name)] = array
    try:
        told = {
            "format": _FORMAT,
            "version": _VERSION,
            "names": json.dumps(list(content)),
            "complex": json.dumps(pairs),
            "values": json.dumps(values),
            "count": str(len(content)),
        }
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"what a checkpoint holds besides arrays is written as JSON: {error}") from error
    return save(arrays, metadata={**told, "sha256": _digest(told, arrays)})


def decode(data: bytes) -> dict[str, Any]:
    """What is in the bytes of a checkpoint, by name. Raises ValueError if they are damaged, or are none."""
    from safetensors import SafetensorError
    from safetensors import deserialize as read

    try:
        tensors: list[tuple[str, dict[str, Any]]] = read(data)
        told = _metadata_of(data)
    except (SafetensorError, ValueError, RecursionError) as error:
        raise ValueError(f"it is damaged: {error}") from error
    arrays = {key: _array(key, tensor) for key, tensor in tensors}
    if told.get("format") != _FORMAT and _OWN.isdisjoint(told):
        return dict(arrays)
    return _own(told, arrays)


def _own(told: Mapping[str, str], arrays: dict[str, np.ndarray[Any, Any]]) -> dict[str, Any]:
    """What a checkpoint of jitcore holds."""
    if not (told.keys() >= _OWN and "format" in told):
        raise ValueError("it is damaged: a part of what it says about itself is missing")
    known = {k: v for k, v in told.items() if k != "sha256"}
    if _digest(known, arrays) != told["sha256"]:
        raise ValueError("it is damaged: its contents are not those that its digest is of")
    if told["version"] != _VERSION:
        raise ValueError(f"it is of version {told['version']}, and this jitcore reads version {_VERSION}")
    names, pairs, values = (json.loads(told[k]) for k in ("names", "complex", "values"))
    found: dict[str, Any] = dict(values)
    for key, array in arrays.items():
        name = _unescaped(key)
        is_pair = name in pairs
        found[name] = array.view(f"c{2 * array.dtype.itemsize}").reshape(array.shape[:-1]) if is_pair else array
    if len(names) != int(told["count"]) or found.keys() != set(names):
        raise ValueError("it is damaged: it does not hold what it says it does")
    return {name: found[name] for name in names}


def _digest(told: Mapping[str, str], arrays: Mapping[str, np.ndarray[Any, Any]]) -> str:
    """The SHA-256 of metadata, but for the digest, and of tensors. What may be of any length has its length before
    it."""
    made = hashlib.sha256(json.dumps(told, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        made.update(f"\n{json.dumps(name)} {array.dtype.name} {array.shape}\n".encode())
        made.update(array.data if array.size and array.ndim else array.tobytes())
    return made.hexdigest()


def _metadata_of(data: bytes) -> dict[str, str]:
    size = int.from_bytes(data[:_HEADER], "little")
    return json.loads(data[_HEADER : _HEADER + size]).get(_METADATA) or {}


def _array(name: str, tensor: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """A tensor as safetensors gives it. Halves of floats of 32 bits (bfloat16) become whole ones."""
    shape, data = tensor["shape"], tensor["data"]
    if tensor["dtype"] == "BF16":
        return (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32).reshape(shape)
    dtype = _DTYPES.get(tensor["dtype"])
    if dtype is None:
        raise ValueError(f"{name!r} is of {tensor['dtype']}, which no array here is of")
    return np.frombuffer(data, dtype).reshape(shape).astype(np.dtype(dtype).newbyteorder("="))


def _escaped(name: str) -> str:
    return f"\\{name}" if name.lstrip("\\").startswith(_METADATA) else name


def _unescaped(key: str) -> str:
    return key[1:] if key.startswith("\\") and key.lstrip("\\").startswith(_METADATA) else key
