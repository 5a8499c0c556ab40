"""`x in y` by MindSpore's rules: Tensors are looked for among Tensors by their elements, and what no container is is refused."""

from __future__ import annotations

from typing import Any

from jitcore.compat.mindspore.refusals.naming import abstract, class_name
from jitcore.passes.infer.dialect import Instead, Operand
from jitcore.runtime.tensor import Tensor


def answer(op: str, item: Operand, container: Operand) -> BaseException | Instead | None:
    """The answer to `item in container` or `item not in container`."""
    found = _answer(item, container)
    if op == "notin" and isinstance(found, Instead):
        return Instead({_nowhere: _somewhere_else, among_tensors: not_among_tensors}[found.function])
    return found


def _answer(item: Operand, container: Operand) -> BaseException | Instead | None:
    if container.kind in ("none", "bool", "int", "float", "complex", "function"):
        return TypeError(f"argument of type '{_name(container)}' is not iterable")
    if container.kind == "str" and item.kind not in ("str", "union", "object", "instance"):
        return TypeError(f"'in <string>' requires string as left operand, not {_name(item)}")
    if container.kind == "dict":
        if item.kind in ("list", "dict"):
            return TypeError(f"unhashable type: '{item.kind}'")
        return Instead(_nowhere) if item.kind == "tensor" else None
    if container.kind in ("tuple", "list"):
        return _among(item, container)
    return None


def _among(item: Operand, container: Operand) -> BaseException | Instead | None:
    tensors = any(i.kind == "tensor" for i in container.items)
    if item.kind == "tensor":
        return Instead(among_tensors)
    if tensors and item.kind in ("bool", "int", "float") and all(i.kind == "tensor" for i in container.items):
        return TypeError(
            f"For InSequence, the list existing item abstract '{abstract(container.items[0])}' is not same with the new added "
            f"item abstract '{abstract(item)}'."
        )
    return Instead(_nowhere) if tensors and item.kind in ("str", "none") else None


def _name(x: Operand) -> str:
    return class_name(x)


def _nowhere(item: Any, container: Any) -> bool:
    return False


def _somewhere_else(item: Any, container: Any) -> bool:
    return True


def not_among_tensors(item: Any, container: Any) -> Any:
    """Whether a Tensor is not among others: a Tensor of one bool."""
    return among_tensors(item, container).logical_not()


def among_tensors(item: Any, container: Any) -> Any:
    """Whether a Tensor is among others, all elements equal: a Tensor of one bool."""
    found = Tensor(False)
    for other in container:
        if isinstance(other, Tensor) and other.shape == item.shape and other.dtype == item.dtype:
            found = found.logical_or((other == item).all())
    return found
