"""Where data sets are: the folder in which Paddle keeps what it has downloaded. Nothing is downloaded here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "JITCORE_PADDLE_HOME"
"""The environment variable that names the folder."""


def home() -> Path:
    """The folder of all data sets: `~/.cache/paddle/dataset`, or what the environment variable names."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path.home() / ".cache" / "paddle" / "dataset"


def found(*parts: str) -> Path:
    """A file of a data set. Raises FileNotFoundError, which says where to put it, where it is not there."""
    file = home().joinpath(*parts)
    if not file.is_file():
        raise FileNotFoundError(
            f"there is no file {file}: data sets are not downloaded here. Put {parts[-1]} there, or name the folder "
            f"that holds {'/'.join(parts)} in the environment variable {VARIABLE}"
        )
    return file
