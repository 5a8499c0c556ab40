"""Which of the two modes is on: static, in which calls are recorded into a Program, or dynamic, in which they are
computed.

Paddle begins dynamic, `paddle.fluid` static: until one is chosen each has its own.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Final


class _Mode(threading.local):
    chosen: bool | None = None
    """Whether static mode was chosen; None where none was."""


_mode: Final = _Mode()


def is_static() -> bool:
    """Whether calls are recorded."""
    return _mode.chosen is True


def is_chosen() -> bool:
    """Whether a mode was chosen."""
    return _mode.chosen is not None


def enable_static() -> None:
    """Record from now on."""
    _mode.chosen = True


def disable_static(place: object = None) -> None:
    """Compute from now on."""
    del place
    _mode.chosen = False


def in_dynamic_mode() -> bool:
    """Whether calls are computed."""
    return not is_static()


@contextmanager
def _within(chosen: bool | None) -> Generator[None]:
    before, _mode.chosen = _mode.chosen, chosen
    try:
        yield
    finally:
        _mode.chosen = before


def static() -> AbstractContextManager[None]:
    """A context in which calls are recorded."""
    return _within(True)


def dynamic() -> AbstractContextManager[None]:
    """A context in which calls are computed."""
    return _within(False)
