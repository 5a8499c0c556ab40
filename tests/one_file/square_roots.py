"""A pass: the square root of a square is the absolute value."""

from dataclasses import dataclass, replace
from typing import ClassVar

from jitcore.ir.analysis import definitions
from jitcore.ir.rewrite import Rewriter
from jitcore.passes.registry import Pass
from jitcore.primitives.ops import elementwise


@dataclass(frozen=True)
class SquareRoots(Pass):
    """Writes sqrt(x * x) as abs(x).

    before    a = mul(x, x); b = sqrt(a)
    after     b = abs(x)
    """

    name: ClassVar[str] = "square_roots"
    cleans_up: ClassVar[tuple[int, ...]] = (55,)

    def run(self, module):
        """The module with absolute values."""
        return _Roots().module(module)


class _Roots(Rewriter):
    def enter(self, graph):
        self.made = {**getattr(self, "made", {}), **definitions(graph)}

    def rewrite(self, binding):
        """`abs` for `sqrt` of a product of one value with itself."""
        squared = self.made.get(binding.args[0]) if binding.op.name == "sqrt" else None
        if squared is None or squared.op.name != "mul" or squared.args[0] is not squared.args[1]:
            return (binding,)
        return (replace(binding, op=elementwise.abs, args=squared.args[:1]),)
