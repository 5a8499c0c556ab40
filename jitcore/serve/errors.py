"""What a request is answered with that cannot be served."""

from __future__ import annotations

from collections.abc import Mapping


class RequestError(Exception):
    """A request that is not served: the HTTP status, and a message for whoever sent it."""

    def __init__(self, message: str, status: int = 400, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


class UnservedError(ValueError):
    """A model that the protocol has no words for."""


class ServeError(Exception):
    """Why a server does not start: a folder that holds no model, an address that is in use."""
