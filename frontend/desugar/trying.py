"""`else` of `try` where the body may be left by `return`, `break` or `continue`: a test of whether it came to its end.

```python
try:                    →   _jc_completed = False
    if f():                 try:
        return                  if f():
except ValueError:                  return
    x = 0                       _jc_completed = True
else:                       except ValueError:
    g(x)                        x = 0
                            if _jc_completed:
                                g(x)
```
Afterwards a `try` has an `else` or a `finally`, but not both. (`exits` takes `finally` apart.)
"""

from __future__ import annotations

from typing import Any, Final

import gast

from jitcore.frontend.desugar.nodes import assign, constant, if_, load, located
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey, nodes, survey

ORDER: Final = 40


def is_needed(found: Survey) -> bool:
    """Whether there are `try` statements."""
    return gast.Try in found


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree with `else` only where `try` needs one."""
    return _Else(temporaries).visit(tree)


class _Else(gast.NodeTransformer):
    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries

    def visit_Try(self, node: Any) -> Any:
        """The `try`, inside of one that has its `finally`."""
        self.generic_visit(node)
        if not node.orelse:
            return node
        statements: list[Any] = [located(gast.Try(node.body, node.handlers, node.orelse, []), node)]
        if any(nodes(survey(s), gast.Return, gast.Break, gast.Continue) for s in node.body):
            completed = self.temporaries.fresh("completed")
            body = [*node.body, assign(completed, constant(True, node), node)]
            tried = located(gast.Try(body, node.handlers, [], []), node)
            after = if_(load(completed, node), node.orelse, [], node)
            statements = [assign(completed, constant(False, node), node), tried, after]
        if not node.finalbody:
            return statements
        return located(gast.Try(statements, [], [], node.finalbody), node)
