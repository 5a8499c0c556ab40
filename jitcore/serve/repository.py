"""The models a server has at the moment: which version is asked for, how many requests are under way, reloading."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from jitcore.serve.batching import Batcher
from jitcore.serve.errors import RequestError, ServeError
from jitcore.serve.limits import Limits
from jitcore.serve.metrics import Metrics
from jitcore.serve.models import Model, ModelFileError, UnservedError, find_folders, load_versions


class Served:
    """A loaded model with its queue. Requests that have it keep it, also when another has taken its place."""

    def __init__(self, model: Model, limits: Limits, metrics: Metrics) -> None:
        self.model = model
        self.batcher = Batcher(model, limits, metrics)
        self._limit = limits.queue
        self._count = 0

    @contextmanager
    def admitted(self) -> Generator[None]:
        """While a request is under way. Raises RequestError if there are too many."""
        if self._count >= self._limit:
            message = f"{self._limit} requests for the model {self.model.name!r} are under way"
            raise RequestError(message, 503, {"Retry-After": "1"})
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1


class Repository:
    """The models in folders. They are loaded when it is made, in any thread; its methods are the event loop's. Raises
    ServeError if one cannot be."""

    def __init__(self, paths: Sequence[Path], limits: Limits, metrics: Metrics) -> None:
        self._paths = paths
        self._limits = limits
        self._metrics = metrics
        self._loading = asyncio.Lock()
        try:
            loaded = {name: load_versions(name, folders) for name, folders in find_folders(paths).items()}
        except (ModelFileError, UnservedError) as error:
            raise ServeError(str(error)) from error
        self._models = {name: self._served(versions) for name, versions in loaded.items()}

    @property
    def names(self) -> Sequence[str]:
        return list(self._models)

    def versions(self, name: str) -> Sequence[int]:
        """The versions of a model. Raises RequestError if there is no such model."""
        if name not in self._models:
            raise RequestError(f"there is no model {name!r}", 404)
        return list(self._models[name])

    def find(self, name: str, version: str | None) -> Served:
        """A version of a model; the greatest if none is named. Raises RequestError if there is none."""
        versions = self.versions(name)
        if version is None:
            return self._models[name][max(versions)]
        number = next((v for v in versions if str(v) == version), None)
        if number is None:
            raise RequestError(f"the model {name!r} has no version {version!r}", 404)
        return self._models[name][number]

    async def reload(self, name: str) -> None:
        """Read a model's folders anew, and serve what is in them from here on. Raises RequestError, and leaves all as
        it is, if they hold no model that can be served."""
        async with self._loading:
            try:
                versions = await asyncio.to_thread(self._read, name)
            except (ServeError, ModelFileError, UnservedError) as error:
                raise RequestError(f"the model {name!r} is not loaded: {error}") from error
            self._models = {**self._models, name: self._served(versions)}

    async def reload_all(self) -> Mapping[str, RequestError | None]:
        """Reload the models there are, and load those that are new; what of them was refused, by name."""
        try:
            folders = await asyncio.to_thread(find_folders, self._paths)
        except ServeError:
            folders = {}  # each of those there are says so itself
        refused: dict[str, RequestError | None] = {}
        for name in dict.fromkeys([*self._models, *folders]):
            refused[name] = None
            try:
                await self.reload(name)
            except RequestError as error:
                refused[name] = error
        return refused

    def _read(self, name: str) -> Mapping[int, Model]:
        folders = find_folders(self._paths)
        if name not in folders:
            status = 400 if name in self._models else 404
            raise RequestError(f"there is no model {name!r} in the folders that are served", status)
        return load_versions(name, folders[name])

    def _served(self, versions: Mapping[int, Model]) -> Mapping[int, Served]:
        return {version: Served(model, self._limits, self._metrics) for version, model in versions.items()}
