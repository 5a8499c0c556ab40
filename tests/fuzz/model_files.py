"""Changed files of exported models: bytes, lines, tokens, fields of JSON, headers, whole files exchanged; most with
checksums that fit, so that what is behind them is reached."""

from __future__ import annotations

import hashlib
import json
import random
import re
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from jitcore.exports import folders
from jitcore.primitives.core.registry import PRIMITIVES

Files = Mapping[str, bytes]

NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    7,
    255,
    1 << 20,
    1 << 31,
    1 << 40,
    (1 << 62) + 1,
    (1 << 63) - 1,
    -(1 << 63),
    1 << 64,
    10**30,
)
WORDS = (
    "", "x", "n0", "n1", "f64", "f32", "i64", "bool_", "c128", "__import__('os')", "().__class__", "../../etc/passwd", "ndarray",
    "tensor", "npscalar", "torch", "mindspore", "n0 * 2", "max(n0, 3)", "{0.__class__}", "{0:999999999}", "\0", "é" * 3, "9" * 5000,
)  # fmt: skip
VALUES = (*NUMBERS, *WORDS, None, True, False, 1.5, float("1e300"), [], {}, [[]], {"is": "tuple", "items": []})
NAMES = tuple(PRIMITIVES)
_TOKEN = re.compile(rb"-?\d+(?:\.\d+)?|[A-Za-z_]\w*|[^\w\s]")


class Mutator:
    """Changes the files of `models`, of which the first is meant."""

    def __init__(self, models: Sequence[Files], seed: int) -> None:
        self._models = models
        self._chance = random.Random(seed)

    def mutated(self) -> dict[str, bytes]:
        """The files of a model with one to four changes."""
        chance = self._chance
        files = dict(self._models[0])
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            name = chance.choice(sorted(files))
            ways = [self._bytes, self._bytes]
            if name.endswith(".ir"):
                ways = [self._bytes, self._lines, self._lines, self._tokens, self._tokens, self._tokens]
            elif name.endswith(".json"):
                ways = [self._bytes, self._fields, self._fields, self._fields]
            elif name.endswith(".safetensors"):
                ways = [self._bytes, self._header, self._header]
            if chance.random() < 0.05:
                other = chance.choice(self._models)
                files[name] = other[chance.choice(sorted(other))]
            else:
                files[name] = chance.choice(ways)(files[name])
        return sealed(files) if chance.random() < 0.9 else files

    def _bytes(self, data: bytes) -> bytes:
        made, chance = bytearray(data), self._chance
        for _ in range(chance.choice((1, 1, 3))):
            k = chance.randrange(len(made) + 1)
            match chance.randrange(5):
                case 0:
                    made[k : k + 1] = bytes([chance.randrange(256)])
                case 1 if k < len(made):
                    made[k] ^= 1 << chance.randrange(8)
                case 2:
                    del made[k : k + chance.randrange(1, 20)]
                case 3:
                    made[k:k] = bytes(chance.randrange(32, 127) for _ in range(3))
                case _:
                    del made[k:]
        return bytes(made)

    def _lines(self, data: bytes) -> bytes:
        lines, chance = data.split(b"\n"), self._chance
        i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                lines[i], lines[j] = lines[j], lines[i]
            case 1:
                lines.insert(j, lines[i])
            case 2:
                del lines[i]
            case _:
                others = [
                    line for f in self._models for n, d in f.items() if n.endswith(".ir") for line in d.split(b"\n")
                ]
                lines.insert(j, chance.choice(others))
        return b"\n".join(lines)

    def _tokens(self, data: bytes) -> bytes:
        """A number, name or sign of a program gets another in its place."""
        chance = self._chance
        found = [m for m in _TOKEN.finditer(data) if not data[: m.start()].rpartition(b"\n")[2].count(b"#:")]
        if not found:
            return data
        token = chance.choice(found)
        text = token.group()
        if text.lstrip(b"-")[:1].isdigit():
            whole = int(float(text)) if b"." in text else int(text)
            new = str(chance.choice((*NUMBERS, whole + 1, whole - 1, whole * 2))).encode() + (
                b".0" if b"." in text else b""
            )
        elif text.decode(errors="replace") in PRIMITIVES and chance.random() < 0.7:
            new = chance.choice(NAMES).encode()
        else:
            new = chance.choice(found).group()
        return data[: token.start()] + new + data[token.end() :]

    def _fields(self, data: bytes) -> bytes:
        """A value somewhere in JSON is another, gone, there twice, or one from elsewhere in it."""
        try:
            told = json.loads(data)
        except ValueError:
            return self._bytes(data)
        places = list(_places(told))
        if not places:
            return data
        chance = self._chance
        holder, key = chance.choice(places)
        match chance.randrange(5):
            case 0:
                holder[key] = chance.choice(VALUES)
            case 1:
                del holder[key]
            case 2:
                other, name = chance.choice(places)
                holder[key] = json.loads(json.dumps(other[name]))
            case 3 if isinstance(holder, list):
                holder.insert(key, json.loads(json.dumps(holder[key])))
            case 4 if isinstance(holder, dict):
                holder[chance.choice(WORDS)] = holder.pop(key)
            case _:
                value = holder[key]
                holder[key] = (
                    value + 1 if type(value) is int else [value] if chance.random() < 0.5 else chance.choice(VALUES)
                )
        return json.dumps(told).encode()

    def _header(self, data: bytes) -> bytes:
        """The head of a file of tensors says something else."""
        chance = self._chance
        if len(data) < 8:
            return self._bytes(data)
        (length,) = struct.unpack("<Q", data[:8])
        if chance.random() < 0.3:
            word = chance.choice((0, 1, length - 1, length + 1, length * 2, 1 << 40, (1 << 64) - 1))
            return struct.pack("<Q", word % (1 << 64)) + data[8:]
        head = self._fields(data[8 : 8 + length])
        return struct.pack("<Q", len(head)) + head + data[8 + length :]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """All that is within lists and dicts: what holds it, and where."""
    found: list[tuple[Any, Any]] = []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(entries):
        found.append((value, key))
        found += _places(item)
    return found


def sealed(files: Files) -> dict[str, bytes]:
    """The files with checksums that fit, where the manifest can still be read."""
    try:
        told = json.loads(files[folders.MANIFEST])
        for name, data in files.items():
            if name in told["files"]:
                told["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        rest = {k: v for k, v in told.items() if k != "checksum"}
        told["checksum"] = hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
        return {**files, folders.MANIFEST: json.dumps(told).encode()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return dict(files)
