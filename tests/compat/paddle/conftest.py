"""The tests of this folder import paddle: jitcore stands for it."""

from __future__ import annotations

from jitcore.compat import paddle as compat

compat.install()
