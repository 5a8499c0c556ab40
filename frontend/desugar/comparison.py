"""Chained comparisons: pairs joined by `and`, the operands between evaluated once.

```python
a < f(b) <= c   →   a < (_jc_operand := f(b)) and _jc_operand <= c
```
"""

from __future__ import annotations

from typing import Any, Final

import gast

from jitcore.frontend.desugar.nodes import load, located, store
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey

ORDER: Final = 30


def is_needed(found: Survey) -> bool:
    """Whether there is a chained comparison among the nodes of a function."""
    return any(len(node.ops) > 1 for node in found.get(gast.Compare, ()))


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree without chained comparisons."""
    return _Chains(temporaries).visit(tree)


class _Chains(gast.NodeTransformer):
    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries

    def visit_Compare(self, node: Any) -> Any:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        left, pairs = node.left, []
        for op, comparator in zip(node.ops[:-1], node.comparators[:-1], strict=True):
            name = self.temporaries.fresh("operand")
            kept = located(gast.NamedExpr(store(name, comparator), comparator), comparator)
            pairs.append(located(gast.Compare(left, [op], [kept]), node))
            left = load(name, comparator)
        pairs.append(located(gast.Compare(left, [node.ops[-1]], [node.comparators[-1]]), node))
        return located(gast.BoolOp(gast.And(), pairs), node)
