"""What a wheel made by `jitcore build --wheel` is imported as: functions of one model, and `Model` for more of them.

Beside this file are the library and `interface.json`, which say what there is.
"""

from __future__ import annotations

from pathlib import Path

from ._library import load

globals().update(load(Path(__file__).parent))
