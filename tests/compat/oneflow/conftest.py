"""The tests of this folder import oneflow and flowvision: jitcore stands for them."""

from __future__ import annotations

from jitcore.compat import oneflow as compat

compat.install()
