"""Models in folders: which there are, their versions, and calls of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from jitcore.exports import ModelFileError, load
from jitcore.exports.folders import MANIFEST
from jitcore.serve.errors import RequestError, ServeError, UnservedError
from jitcore.serve.interface import Array, arrays_of, interface_of

Folders: TypeAlias = "Mapping[str, Mapping[int, Path]]"
"""By name and version."""
_ONLY_VERSION: Final = 1
_LONGEST_MESSAGE: Final = 2_000


class Model:
    """A version of a model, loaded. Raises ModelFileError and UnservedError."""

    def __init__(self, name: str, version: int, folder: Path) -> None:
        self.name = name
        self.version = version
        self._function = load(folder)
        try:
            self.interface = interface_of(self._function)
        except UnservedError as error:
            raise UnservedError(f"{folder} cannot be served: {error}") from None

    def call(self, arrays: Sequence[Array]) -> dict[str, Array]:
        """The outputs by name, of an array for each input. Raises RequestError with what the model raises."""
        try:
            result: object = self._function(*self.interface.call_arguments(arrays))
        except BaseException as error:  # the model's, whatever it is: the server goes on
            raise RequestError(f"{type(error).__name__}: {error}"[:_LONGEST_MESSAGE]) from error
        return arrays_of(result)


def load_versions(name: str, folders: Mapping[int, Path]) -> dict[int, Model]:
    """All versions of a model, or none of them. Raises ModelFileError and UnservedError."""
    return {version: Model(name, version, folder) for version, folder in sorted(folders.items())}


def find_folders(paths: Iterable[Path]) -> Folders:
    """The models at paths: each a model, a model's versions, or a folder of such. Raises ServeError."""
    found: dict[str, Mapping[int, Path]] = {}
    for path in paths:
        models = dict(_models_at(path))
        if not models:
            raise ServeError(f"there is no exported model at {str(path)!r}, NAME/ or NAME/VERSION/ in it")
        for name, folders in models.items():
            if name in found:
                raise ServeError(f"there are two models {name!r}: {_one(found[name])} and {_one(folders)}")
            found[name] = folders
    return found


def _one(folders: Mapping[int, Path]) -> str:
    return repr(str(folders[max(folders)]))


def _models_at(path: Path) -> Iterator[tuple[str, Mapping[int, Path]]]:
    own = _versions_at(path)
    if own:
        yield path.resolve().name, own
        return
    for folder in _folders_in(path):
        versions = _versions_at(folder)
        if versions:
            yield folder.name, versions


def _versions_at(path: Path) -> Mapping[int, Path]:
    if (path / MANIFEST).is_file():
        return {_ONLY_VERSION: path}
    return {int(f.name): f for f in _folders_in(path) if _is_version(f.name) and (f / MANIFEST).is_file()}


def _is_version(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) < 20 and name == str(int(name))


def _folders_in(path: Path) -> Sequence[Path]:
    """Those that are not hidden: a model that is being written is."""
    try:
        return sorted(f for f in path.iterdir() if f.is_dir() and not f.name.startswith("."))
    except OSError as error:
        raise ServeError(f"cannot read the folder {str(path)!r}: {error.strerror}") from None


__all__ = ["Folders", "Model", "ModelFileError", "UnservedError", "find_folders", "load_versions"]
