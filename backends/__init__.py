"""Backends: a folder or module each, exporting BACKEND (see `protocol`)."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jitcore.backends.protocol import Backend

if __name__ != "jitcore.backends":
    raise ImportError("import jitcore.backends, not backends")

_BACKENDS: Final = {"CPU": "jitcore.backends.cpu"}


@cache
def lookup(device_target: str) -> Backend:
    """The backend whose programs run on a device (a setting's `device_target`), imported when it is first asked for."""
    return import_module(_BACKENDS[device_target]).BACKEND
