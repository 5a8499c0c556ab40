"""Assertions: a test and a raise.

```python
assert x > 0, "sign"   →   if not x > 0:
                               raise AssertionError("sign")
```
The error is the builtin one even where the program has another meaning for its name. Under `python -O` an assertion is
nothing, as there.
"""

from __future__ import annotations

from typing import Any, Final

import gast

from jitcore.frontend.desugar.nodes import builtin, if_, located, negated
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey

ORDER: Final = 10


def is_needed(found: Survey) -> bool:
    """Whether there are assertions."""
    return gast.Assert in found


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree without assertions."""
    return _Assertions().visit(tree)


class _Assertions(gast.NodeTransformer):
    def visit_Assert(self, node: Any) -> Any:
        if not __debug__:
            return located(gast.Pass(), node)
        self.generic_visit(node)
        place = _raising_place(node.test) or node
        error = builtin("AssertionError", place)
        if node.msg is not None:
            error = located(gast.Call(error, [node.msg], []), place)
        return if_(negated(node.test, node), [located(gast.Raise(error, None), place)], [], node)


def _raising_place(test: Any) -> Any:
    """Where a traceback shows the assertion failing: the last comparison of its test, if there is one.

    CPython's compiler takes the place of each comparison it tests and keeps it (compiler_jump_if in Python/compile.c).
    """
    if type(test) is gast.UnaryOp and type(test.op) is gast.Not:
        return _raising_place(test.operand)
    if type(test) is gast.BoolOp:
        parts = test.values
    elif type(test) is gast.IfExp:
        parts = [test.test, test.body, test.orelse]
    else:
        return test if type(test) is gast.Compare else None
    return next((place for place in map(_raising_place, reversed(parts)) if place is not None), None)
