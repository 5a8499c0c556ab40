"""`paddle.fluid.layers`."""

from __future__ import annotations
