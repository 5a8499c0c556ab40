"""`operator.attrgetter`, `itemgetter` and `methodcaller` objects, called."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Tuple, Value
from jitcore.passes.infer.engine.models import Model, models_family

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@models_family
def _of_getter(obj: object) -> Model | None:
    if isinstance(obj, operator.attrgetter | operator.itemgetter | operator.methodcaller):
        return lambda infer, value, /: _call(infer, obj, value)
    return None


def _call(infer: Infer, getter: Any, value: Value) -> Value:
    """`getter(value)`."""
    made = getter.__reduce__()
    if isinstance(getter, operator.methodcaller):
        bound, rest = made  # methodcaller, or a partial of it that has the keywords
        given = getattr(bound, "keywords", {})
        name, *args = (*getattr(bound, "args", ()), *rest)
        constants = {k: infer.inputs.constant(v) for k, v in given.items()}
        return abstract.call(
            infer, abstract.attribute(infer, value, name), [infer.inputs.constant(a) for a in args], constants
        )
    if isinstance(getter, operator.itemgetter):
        return _each(made[1], lambda key: abstract.item(infer, value, infer.inputs.constant(key)))

    def attribute(path: str) -> Value:
        found = value
        for name in path.split("."):
            found = abstract.attribute(infer, found, name)
        return found

    return _each(made[1], attribute)


def _each(keys: Sequence[Any], get: Callable[[Any], Value]) -> Value:
    found = tuple(map(get, keys))
    return found[0] if len(found) == 1 else Tuple(found)
