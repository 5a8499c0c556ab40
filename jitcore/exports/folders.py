"""The folder of an exported model: files with checksums, of which all are there or none is."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

FORMAT: Final = "jitcore model"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
CONSTANTS: Final = "constants.safetensors"


class ModelFileError(ValueError):
    """A folder holds no model that can be loaded: it is damaged, foreign, or newer than this jitcore."""


def write(path: Path, manifest: dict[str, Any], files: Mapping[str, bytes]) -> None:
    """Write a model's folder, in the place of an older model if there is one. Raises FileExistsError where something
    else is."""
    if path.exists() and not (path / MANIFEST).is_file():
        raise FileExistsError(f"{path} is there, and is no exported model")
    path.parent.mkdir(parents=True, exist_ok=True)
    sums = {name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()}
    told = {"format": FORMAT, "version": VERSION, **manifest, "files": sums}
    told["checksum"] = _checksum(told)
    aside = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")
    aside.mkdir()
    try:
        for name, data in files.items():
            _write(aside / name, data)
        _write(aside / MANIFEST, json.dumps(told, indent=1, allow_nan=False).encode())
        if path.exists():
            old = aside.with_suffix(".old")
            path.rename(old)
            aside.rename(path)
            shutil.rmtree(old)
        else:
            aside.rename(path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def read(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the files of a model. Raises ModelFileError."""
    try:
        told: Any = json.loads((path / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ModelFileError(f"{path} holds no exported model: {MANIFEST}: {error}") from error
    if not isinstance(told, dict) or cast("dict[str, Any]", told).get("format") != FORMAT:
        raise ModelFileError(f"{path} holds no exported model: {MANIFEST} is of another program")
    manifest = cast("dict[str, Any]", told)
    version: object = manifest.get("version")
    if type(version) is int and version > VERSION:
        raise ModelFileError(f"{path} is of version {version} of the format, and this jitcore reads {VERSION}")
    if version != VERSION or manifest.get("checksum") != _checksum(manifest):
        raise ModelFileError(f"{path} is damaged: {MANIFEST} is not what was written")
    files: object = manifest.get("files")
    if not isinstance(files, dict):
        raise ModelFileError(f"{path} is damaged: {MANIFEST} says of no files")
    return manifest, {name: _read(path, name, sums) for name, sums in cast("dict[str, object]", files).items()}


def _read(path: Path, name: str, told: object) -> bytes:
    sums: dict[str, object] = cast("dict[str, object]", told) if isinstance(told, dict) else {}
    if Path(name).name != name or "\0" in name:
        raise ModelFileError(f"{path} is damaged: {name!r} is no file of it")
    try:
        data = (path / name).read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path} is damaged: {name}: {error.strerror}") from error
    if len(data) != sums.get("bytes") or hashlib.sha256(data).hexdigest() != sums.get("sha256"):
        raise ModelFileError(f"{path} is damaged: {name} is not what was written")
    return data


def _checksum(manifest: Mapping[str, Any]) -> str:
    """Of a manifest but for itself."""
    rest = {k: v for k, v in manifest.items() if k != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _write(file: Path, data: bytes) -> None:
    with open(file, "xb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
