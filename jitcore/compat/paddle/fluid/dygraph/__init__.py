"""`paddle.fluid.dygraph`: dynamic mode, and its Layers."""

from __future__ import annotations
