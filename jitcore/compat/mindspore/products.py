"""MindSpore's Cells of products with Jacobians: jitcore's, which refuse in its words."""

from __future__ import annotations

from typing import Any

from jitcore import nn, transforms
from jitcore.compat.mindspore.refusals import transforms as refusals
from jitcore.library.core.marking import library


@library("raw")
def _require_tangents(fn: Any, args: Any) -> None:
    wrong = refusals.unfitting_call(fn, args[:-1]) or refusals.unjoined_tangents(args)
    if wrong is not None:
        raise wrong


class Jvp(nn.Jvp):
    """As `jitcore.nn.Jvp`, which refuses in MindSpore's words."""

    def construct(self, *args: Any) -> Any:
        """(value, tangent)."""
        _require_tangents(self.fn, args)
        return nn.Jvp.construct(self, *args)


@library("raw")
def _require_inputs(fn: Any, args: Any) -> None:
    wrong = refusals.unfitting_call(fn, args[:-1], bound=True)
    if wrong is not None:
        raise wrong


@library("raw")
def _require_cotangents(given: Any, value: Any) -> None:
    wrong = refusals.unjoined(given, value)
    if wrong is not None:
        raise wrong


class Vjp(nn.Vjp):
    """As `jitcore.nn.Vjp`, which refuses in MindSpore's words."""

    def construct(self, *args: Any) -> Any:
        """(value, cotangents)."""
        _require_inputs(self.fn, args)
        value, back = transforms.vjp(self.fn, *args[:-1])
        _require_cotangents(args[-1], value)
        return value, back(args[-1])
