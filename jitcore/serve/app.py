"""The endpoints: the Open Inference Protocol's, reloading, and metrics.

Errors are answered with `{"error": "…"}`: 400 for what is no request for the model, or what the model raises; 404 for
what there is not; 413 and 503 for more than the limits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from importlib import metadata
from typing import Final, TypeVar

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from jitcore.serve import protocol
from jitcore.serve.errors import RequestError
from jitcore.serve.limits import Limits
from jitcore.serve.metrics import CONTENT_TYPE, Metrics
from jitcore.serve.repository import Repository, Served

_T = TypeVar("_T")
_SMALL: Final = 1 << 14
"""Bytes that are read in less time than it takes to ask a thread: as JSON, some 100 µs."""
_JSON_LENGTH: Final = "Inference-Header-Content-Length"
_MODEL: Final = "/v2/models/{name}"
_VERSION: Final = "/v2/models/{name}/versions/{version}"


class Service:
    """What the endpoints do."""

    def __init__(self, repository: Repository, limits: Limits, metrics: Metrics) -> None:
        self._repository = repository
        self._limits = limits
        self._metrics = metrics

    async def server(self, request: Request) -> Response:
        version = metadata.version("jitcore")
        return _json({"name": "jitcore", "version": version, "extensions": ["binary_tensor_data"]})

    async def live(self, request: Request) -> Response:
        return _json({"live": True})

    async def ready(self, request: Request) -> Response:
        return _json({"ready": True})

    async def model(self, request: Request) -> Response:
        served = self._asked(request)
        model = served.model
        return _json(protocol.metadata(model.name, self._repository.versions(model.name), model.interface))

    async def model_ready(self, request: Request) -> Response:
        return _json({"name": self._asked(request).model.name, "ready": True})

    async def load(self, request: Request) -> Response:
        name = request.path_params["name"]
        await self._repository.reload(name)
        return _json({"name": name, "versions": list(map(str, self._repository.versions(name)))})

    async def metrics(self, request: Request) -> Response:
        return Response(self._metrics.text(), media_type=CONTENT_TYPE)

    async def infer(self, request: Request) -> Response:
        started = time.perf_counter()
        name, status = "", 500
        try:
            served = self._asked(request)
            name = served.model.name
            response = await self._inferred(served, request)
            status = response.status_code
        except RequestError as error:
            status = error.status
            raise
        finally:
            self._metrics.requests.labels(name, str(status)).inc()
            self._metrics.seconds.labels(name).observe(time.perf_counter() - started)
        return response

    async def _inferred(self, served: Served, request: Request) -> Response:
        model = served.model
        with served.admitted():
            with served.batcher.expecting():
                body = await self._body(request)
                header = request.headers.get(_JSON_LENGTH)
                given = await _aside(len(body), protocol.read_request, body, header, model.interface)
            outputs = await served.batcher.infer(given.arrays)
            size = sum(array.nbytes for array in outputs.values())
            content, length = await _aside(
                size, protocol.answer, given, outputs, model.name, str(model.version)
            )  # fmt: skip
        if length is None:
            return Response(content, media_type="application/json")
        return Response(content, headers={_JSON_LENGTH: str(length)}, media_type="application/octet-stream")

    async def _body(self, request: Request) -> bytes:
        if request.headers.get("Content-Encoding", "identity") != "identity":
            raise RequestError("compressed requests are not served", 415)
        most = self._limits.max_body
        told = request.headers.get("Content-Length", "0")
        body = bytearray()
        if told.isascii() and told.isdigit() and int(told[:20]) > most:
            raise _too_large(most)
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise _too_large(most)
        except ClientDisconnect:
            raise RequestError("the request ended before its body did") from None
        return bytes(body)

    def _asked(self, request: Request) -> Served:
        return self._repository.find(request.path_params["name"], request.path_params.get("version"))


def make_app(repository: Repository, limits: Limits, metrics: Metrics) -> FastAPI:
    """The application that serves the models of a repository."""
    service = Service(repository, limits, metrics)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    for path, endpoint in (
        ("/v2", service.server),
        ("/v2/health/live", service.live),
        ("/v2/health/ready", service.ready),
        (_MODEL, service.model),
        (_VERSION, service.model),
        (f"{_MODEL}/ready", service.model_ready),
        (f"{_VERSION}/ready", service.model_ready),
        ("/metrics", service.metrics),
    ):
        app.add_route(path, endpoint, methods=["GET"])
    for path, endpoint in (
        (f"{_MODEL}/infer", service.infer),
        (f"{_VERSION}/infer", service.infer),
        ("/v2/repository/models/{name}/load", service.load),
    ):
        app.add_route(path, endpoint, methods=["POST"])
    app.add_exception_handler(RequestError, _refused)
    app.add_exception_handler(HTTPException, _no_endpoint)
    app.add_exception_handler(Exception, _fault)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return _json({"error": str(error)}, error.status, dict(error.headers))


async def _no_endpoint(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = f"{error.detail}: {request.method} {request.url.path}"
    return _json({"error": message}, error.status_code, dict(error.headers or {}))


async def _fault(request: Request, error: Exception) -> Response:
    """A fault of the server's own, which its log has."""
    return _json({"error": "the server failed; its log says why"}, 500)


async def _aside(size: int, function: Callable[..., _T], *args: object) -> _T:
    """What a function gives that reads or writes so many bytes: where these are many, a thread calls it, and the event
    loop goes on meanwhile."""
    return function(*args) if size <= _SMALL else await asyncio.to_thread(function, *args)


def _too_large(most: int) -> RequestError:
    return RequestError(f"the request has more than {most} bytes", 413)


def _json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(protocol.json_bytes(value), status, headers, media_type="application/json")
