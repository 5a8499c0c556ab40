"""Files of arrays by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jitcore.train import atomic_files, checkpoint_format


def write(file: str | Path, held: Mapping[str, Any]) -> None:
    """Write arrays, and numbers, by name; the folder is made if there is none."""
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    content = {name: np.asarray(value) if hasattr(value, "__array__") else value for name, value in held.items()}
    atomic_files.write(Path(file), checkpoint_format.encode(content))


def read(file: str | Path) -> dict[str, Any]:
    """What was written. Raises FileNotFoundError where there is no file, ValueError for one of another kind."""
    return checkpoint_format.decode(Path(file).read_bytes())
