"""The primitives. `ops` declares them, a family a file; `core` has what a declaration is made of."""

from jitcore.primitives import ops
from jitcore.primitives.core.registry import PRIMITIVES, Primitive, declare

__all__ = ["PRIMITIVES", "Primitive", "declare", "ops"]
