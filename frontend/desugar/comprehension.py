"""Variables of comprehensions, made variables of the function.

```python
[x * y for x in xs if x > y]   →   [_jc_x * y for _jc_x in xs if _jc_x > y]
```
A comprehension's variables are its own. Renamed, they are ordinary variables of the function, and the comprehension is
a loop written inside an expression, which is how it is built: where it stands, in the order of evaluation. A generator
expression runs when its consumer asks for items: it stays a function of its own.
"""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey, nodes, survey

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp)


def desugar(found: Survey, temporaries: Temporaries) -> None:
    """Rename the variables of every comprehension among the nodes of a function."""
    for comprehension in nodes(found, *COMPREHENSIONS):
        names = target_names(comprehension)
        _rename_inside(comprehension, {name: temporaries.fresh(temporaries.written(name)) for name in names})


def target_names(comprehension: Any) -> list[str]:
    """The variables a comprehension or generator expression assigns to, in order."""
    stored = [
        name.id
        for generator in comprehension.generators
        for name in survey(generator.target).get(gast.Name, ())
        if type(name.ctx) is gast.Store
    ]
    return list(dict.fromkeys(stored))


def _rename_inside(comprehension: Any, names: dict[str, str]) -> None:
    """Rename in all of a comprehension but its first iterable, which is evaluated outside."""
    stack: list[tuple[Any, dict[str, str]]] = [(part, names) for part in _parts_but_first_iterable(comprehension)]
    while stack:
        node, seen = stack.pop()
        if type(node) is gast.Name:
            node.id = seen.get(node.id, node.id)
        elif type(node) is gast.Lambda:
            stack += [(default, seen) for default in (*node.args.defaults, *node.args.kw_defaults) if default]
            own = {p.id for p in survey(node.args).get(gast.Name, ()) if type(p.ctx) is gast.Param}
            stack.append((node.body, _without(seen, own)))
        elif isinstance(node, (*COMPREHENSIONS, gast.GeneratorExp)):
            inner = _without(seen, set(target_names(node)))
            stack.append((node.generators[0].iter, seen))
            stack += [(child, inner) for child in _parts_but_first_iterable(node)]
        else:
            stack += [(child, seen) for child in gast.iter_child_nodes(node)]


def _without(names: dict[str, str], rebound: set[str]) -> dict[str, str]:
    return {name: new for name, new in names.items() if name not in rebound}


def _parts_but_first_iterable(comprehension: Any) -> list[Any]:
    first = comprehension.generators[0]
    parts = [first.target, *first.ifs, *comprehension.generators[1:]]
    if type(comprehension) is gast.DictComp:
        return [*parts, comprehension.key, comprehension.value]
    return [*parts, comprehension.elt]
