"""The logger `jitcore`: what is compiled and why (INFO), what each stage takes (DEBUG), what the interpreter runs or
Python is called for (WARNING). It is silent until the program sets logging up, as those of libraries are.

    logging.basicConfig(level=logging.INFO)

The module `logging` is not loaded for it: as long as nobody has, nobody listens.
"""

from __future__ import annotations

import functools
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from logging import Logger

NAME: Final = "jitcore"
DEBUG: Final = 10
INFO: Final = 20
WARNING: Final = 30


def log(level: int, message: str, *args: object) -> None:
    """Log a message, of which `args` are formatted in if somebody listens."""
    if "logging" in sys.modules:
        _logger().log(level, message, *args)


@functools.cache
def _logger() -> Logger:
    logging = import_module("logging")
    made: Logger = logging.getLogger(NAME)
    made.addHandler(logging.NullHandler())
    return made
