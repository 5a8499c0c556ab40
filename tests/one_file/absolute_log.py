"""An elementwise operation with a kernel: log(1 + |x|)."""

import numpy as np

from jitcore.library.core.declarations import operator
from jitcore.library.core.marking import library
from jitcore.library.core.values import promote
from jitcore.primitives.core.registry import Elementwise, Partials, declare
from jitcore.primitives.core.rules import elementwise_rule
from jitcore.primitives.core.sampling import unary
from jitcore.primitives.ops import elementwise as ew

_primitive = declare(
    "absolute_log",
    "x",
    rule=elementwise_rule("absolute_log", 1, "f"),
    reference=lambda x: np.log1p(np.abs(x)),
    lowering=Elementwise(lambda k, x: k("log1p", x.dtype, k("abs", x.dtype, x))),
    derivative=Partials(lambda out, x: (lambda: ew.div(ew.sign(x), ew.add(1, ew.abs(x))),)),
    samples=unary(0.5, 3),
    doc="log(1 + |x|)",
)


@library("scalar")
@operator("absolute_log")
def absolute_log(x):
    """log(1 + |x|)."""
    return _primitive(*promote("absolute_log", x))
