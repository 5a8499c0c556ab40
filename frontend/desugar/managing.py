"""`with`: calls of a manager's methods around a `try`.

```python
with manager() as x:    →   _jc_manager = manager()
    use(x)                  _jc_value = _jc_manager.__enter__()
                            _jc_left = True
                            try:
                                x = _jc_value
                                use(x)
                            except BaseException as _jc_error:
                                _jc_left = False
                                if not _jc_manager.__exit__(_jc_error.__class__, _jc_error, _jc_error.__traceback__):
                                    raise
                            finally:    # not after an exception
                                if _jc_left:
                                    _jc_manager.__exit__(None, None, None)
```
"""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.desugar.nodes import assign, builtin, constant, if_, load, located, negated, store
from jitcore.frontend.desugar.temporaries import Temporaries


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree without `with`."""
    return _With(temporaries).visit(tree)


class _With(gast.NodeTransformer):
    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries

    def visit_With(self, node: Any) -> Any:
        """The items from the last to the first, each around what is inside it."""
        self.generic_visit(node)
        body = node.body
        for item in reversed(node.items):
            body = self._managed(item, body, item.context_expr)
        return body

    def _managed(self, item: Any, body: list[Any], place: Any) -> list[Any]:
        manager, value, left, error = map(self.temporaries.fresh, ("manager", "value", "left", "error"))
        enter = _call(_attribute(load(manager, place), "__enter__", place), [], place)
        if item.optional_vars is not None:
            target = item.optional_vars
            body = [located(gast.Assign([target], load(value, place), None), target), *body]
        details: list[Any] = [
            _attribute(load(error, place), "__class__", place),
            load(error, place),
            _attribute(load(error, place), "__traceback__", place),
        ]
        again = if_(
            negated(self._exit(manager, details, place), place), [located(gast.Raise(None, None), place)], [], place
        )
        handler = gast.ExceptHandler(
            builtin("BaseException", place), store(error, place), [assign(left, constant(False, place), place), again]
        )
        nothing = [constant(None, place) for _ in range(3)]
        finish = located(gast.Expr(self._exit(manager, nothing, place)), place)
        tried = located(
            gast.Try(body, [located(handler, place)], [], [if_(load(left, place), [finish], [], place)]), place
        )
        tried.is_for_leaving = True
        return [
            assign(manager, item.context_expr, place),
            *self._protocol(manager, place),
            assign(value, enter, place),
            assign(left, constant(True, place), place),
            tried,
        ]

    def _exit(self, manager: str, args: list[Any], place: Any) -> Any:
        return _call(_attribute(load(manager, place), "__exit__", place), args, place)

    def _protocol(self, manager: str, place: Any) -> list[Any]:
        """What raises the TypeError of an object that is no context manager."""
        checks: list[Any] = []
        for name, missed in (("__enter__", ""), ("__exit__", " (missed __exit__ method)")):
            cls = _call(builtin("type", place), [load(manager, place)], place)
            shown = located(gast.FormattedValue(_attribute(cls, "__name__", place), -1, None), place)
            end = constant(f"' object does not support the context manager protocol{missed}", place)
            text = located(gast.JoinedStr([constant("'", place), shown, end]), place)
            error = _call(builtin("TypeError", place), [text], place)
            has = _call(builtin("hasattr", place), [load(manager, place), constant(name, place)], place)
            checks.append(if_(negated(has, place), [located(gast.Raise(error, None), place)], [], place))
        return checks


def _attribute(value: Any, name: str, place: Any) -> Any:
    return located(gast.Attribute(value, name, gast.Load()), place)


def _call(function: Any, args: list[Any], place: Any) -> Any:
    return located(gast.Call(function, args, []), place)
