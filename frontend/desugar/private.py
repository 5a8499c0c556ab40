"""Private names of a class, written out.

```python
class Net:
    def step(self):            def step(self):
        return self.__rate  →      return self._Net__rate
```
"""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.agreement import private_name
from jitcore.frontend.survey import Survey, nodes


def desugar(found: Survey, class_name: str) -> None:
    """Rename the private names among the nodes of a function in a class of that name."""

    def rename(owner: Any, attribute: str) -> None:
        name = getattr(owner, attribute)
        if name is not None and name.startswith("__"):
            setattr(owner, attribute, private_name(name, class_name))

    for node in nodes(found, gast.Name):
        rename(node, "id")
    for node in nodes(found, gast.Attribute):
        rename(node, "attr")
    for node in nodes(found, gast.keyword):
        rename(node, "arg")
    for node in nodes(found, gast.FunctionDef):
        rename(node, "name")
    for node in nodes(found, gast.alias):
        rename(node, "asname" if node.asname else "name")
    for node in nodes(found, gast.Global, gast.Nonlocal):
        node.names = [private_name(name, class_name) for name in node.names]
