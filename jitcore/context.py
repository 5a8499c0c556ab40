"""MindSpore's `context`: the settings of the process by its names."""

from __future__ import annotations

from typing import Any

from jitcore.config import GRAPH_MODE, LAX, PYNATIVE_MODE, STRICT, Settings, field, settings

__all__ = ["GRAPH_MODE", "LAX", "PYNATIVE_MODE", "STRICT", "get_context", "reset_context", "set_context"]


def set_context(**values: Any) -> None:
    """Change settings by name; see `jitcore.config.Settings` for what there is.

    Raises ValueError for an unknown name or value, RuntimeError for a device that is not available. On an error
    nothing is changed.

    >>> set_context(mode=GRAPH_MODE, device_target="CPU")
    >>> get_context("mode")
    0
    """
    settings.update(**values)


def get_context(name: str) -> Any:
    """The value of a setting. Raises ValueError for an unknown name."""
    return getattr(settings, field(name).name)


def reset_context() -> None:
    """Return every setting to its default."""
    defaults = Settings()
    for name in Settings.__dataclass_fields__:
        setattr(settings, name, getattr(defaults, name))
