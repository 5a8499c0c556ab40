"""Tests of `while` that assign: moved into the loop, so that the loop's test only tests.

```python
while (x := step(x)) > 0:   →   while True:
    use(x)                          if not (x := step(x)) > 0:
                                        break
                                    use(x)
```
With `else`, which runs when the test fails but not after a `break`, a flag says that it was the test.
"""

from __future__ import annotations

from typing import Any, Final

import gast

from jitcore.frontend.desugar.nodes import assign, constant, if_, load, located, negated
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey, survey

ORDER: Final = 20


def is_needed(found: Survey) -> bool:
    """Whether there is such a loop among the nodes of a function."""
    return gast.NamedExpr in found and any(gast.NamedExpr in survey(node.test) for node in found.get(gast.While, ()))


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree with tests of `while` that assign nothing."""
    return _Tests(temporaries).visit(tree)


class _Tests(gast.NodeTransformer):
    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries

    def visit_While(self, node: Any) -> Any:
        self.generic_visit(node)
        if gast.NamedExpr not in survey(node.test):
            return node
        test, orelse = node.test, node.orelse
        leave = [located(gast.Break(), node)]
        node.test, node.orelse = constant(True, node), []
        if not orelse:
            node.body.insert(0, if_(negated(test, node), leave, [], node))
            return node
        finished = self.temporaries.fresh("finished")
        leave.insert(0, assign(finished, constant(True, node), node))
        node.body.insert(0, if_(negated(test, node), leave, [], node))
        before = assign(finished, constant(False, node), node)
        return [before, node, if_(load(finished, node), orelse, [], node)]
