"""How far training is, as Paddle prints it."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

_SHORTEST: Final = 1e-3
"""What smaller numbers are written with an exponent."""


def _number(value: object) -> str:
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind == "f":
        value = value.item()
    if isinstance(value, float | np.floating):
        return f" {value:.4f}" if abs(value) > _SHORTEST else f" {value:.4e}"
    return f" {value}"


def _told(values: Iterable[tuple[str, Any]]) -> str:
    text = ""
    for name, value in values:
        text += f" - {name}:" + "".join(map(_number, value if isinstance(value, list) else [value]))
    return text


class ProgressBar:
    """Lines (`verbose` 2 and 3), or one that is written over (1)."""

    def __init__(self, num: int | None = None, width: int = 30, verbose: int = 1, name: str = "step") -> None:
        columns = shutil.get_terminal_size().columns
        self._num = num
        self._width = min(width, int(columns * 0.6), columns - 50)
        self._verbose = verbose
        self._name = name
        self._start = time.time()
        self._written = 0

    def update(self, current: int, values: Iterable[tuple[str, Any]] = ()) -> None:
        """Tell how far it is."""
        each = (time.time() - self._start) / current if current else 0.0
        rate = f" - {self._rate(each)}/{self._name}"
        if self._verbose == 1:
            self._write_over(current, _told(values), each, rate)
        elif self._verbose in (2, 3):
            sys.stdout.write(f"{self._count(current)}{_told(values)}{rate}\n")
        sys.stdout.flush()

    def _rate(self, each: float) -> str:
        if each >= 1 or each == 0:
            return f"{each:.0f}s"
        return f"{each * 1e3:.0f}ms" if each >= 1e-3 else f"{each * 1e6:.0f}us"

    def _count(self, current: int) -> str:
        if self._num is None:
            return f"{self._name} {current:3}"
        return f"{self._name} {current:{len(str(self._num))}d}/{self._num}"

    def _write_over(self, current: int, told: str, each: float, rate: str) -> None:
        sys.stdout.write("\b" * self._written + "\r")
        count, left = self._count(current), ""
        if self._num is not None:
            done = int(self._width * current / self._num)
            head = "=" * (done - 1) + (">" if current < self._num else "=") if done else ""
            count = f"{count} [{head}{'.' * (self._width - done)}]"
            if current < self._num:
                left = f" - ETA: {_duration(int(each * (self._num - current)))}"
        text = f"{count}{told}{left}{rate}"
        sys.stdout.write(text.ljust(self._written))
        self._written = len(text)
        if self._num is None or current >= self._num:
            sys.stdout.write("\n")


def _duration(seconds: int) -> str:
    if seconds > 3600:
        return f"{seconds // 3600}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}" if seconds > 60 else f"{seconds}s"
