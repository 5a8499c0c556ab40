"""`paddle.fluid`, as version 1.8 has it: static until `dygraph.guard()`, results with at least one axis, labels (N, 1).

It is a second dialect over Paddle's functions of today: `tensor` has its Variables, `layers` its functions, `dygraph`
its Layers; Programs are those of `jitcore.compat.paddle.static`.
"""

from __future__ import annotations
