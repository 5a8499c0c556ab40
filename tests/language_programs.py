"""The programs of one feature each (`programs/*_small.py`) as `CASES`: (function, calls) pairs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from programs.corpus import CASES as ALL

for file in sorted((Path(__file__).parent / "programs").glob("*_small.py")):
    importlib.import_module(f"programs.{file.stem}")

CASES: list[tuple[Callable[..., Any], Sequence[tuple[Any, ...]]]] = [
    (case.function, case.calls) for case in ALL if case.function.__module__.endswith("_small")
]
