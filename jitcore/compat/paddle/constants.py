"""Names of the module `paddle` that are no functions of Tensors, and its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

__version__ = "3.3.1+jitcore"
newaxis: Final = None

_flags: Final[dict[str, Any]] = {}


def set_flags(flags: Mapping[str, Any]) -> None:
    """Note settings of Paddle's, which change nothing here. Raises TypeError for what is no dict."""
    if not isinstance(flags, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("flags in set_flags should be a dict")
    _flags.update(flags)


def get_flags(flags: str | Sequence[str]) -> dict[str, Any]:
    """What `set_flags` was told, by name. Raises ValueError for what it was not."""
    wanted = [flags] if isinstance(flags, str) else list(flags)
    for name in wanted:
        if name not in _flags:
            raise ValueError(f"Flag {name} has not been set: jitcore has no settings of Paddle's")
    return {name: _flags[name] for name in wanted}


def disable_signal_handler() -> None:
    """Nothing: jitcore handles no signals."""
