"""Names of the module `paddle` that are no functions."""

from __future__ import annotations

from typing import Final

__version__ = "3.3.1+jitcore"
newaxis: Final = None
