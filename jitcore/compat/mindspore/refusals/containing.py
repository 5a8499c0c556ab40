"""`x in y` by MindSpore's rules: Tensors are looked for among Tensors by their elements, and what no container is is
refused."""

from __future__ import annotations

from typing import Any, Final

from jitcore.compat.mindspore.refusals import sequence_operators
from jitcore.compat.mindspore.refusals.dynamic_length import contains, nowhere
from jitcore.compat.mindspore.refusals.naming import abstract, python_name
from jitcore.compat.mindspore.tensor import Tensor
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand
from jitcore.runtime.tensor import Tensor as AnyTensor

_NUMBERS: Final = ("bool", "int", "float")
_UNCONTAINING: Final = ("none", "bool", "int", "float", "complex", "function", "dtype")


def answer(op: str, item: Operand, container: Operand) -> BaseException | Instead | None:
    """The answer to `item in container` or `item not in container`."""
    found = _answer(item, container)
    if op == "notin" and isinstance(found, Instead):
        return Instead(_NEGATED[found.function])
    if op == "notin" and found is None and _is_number_beside_tensors(item, container):
        return Instead(_number_not_among)
    return found


def _is_number_beside_tensors(item: Operand, container: Operand) -> bool:
    return (
        item.kind in _NUMBERS
        and container.kind in ("tuple", "list")
        and not container.dynamic
        and any(i.kind == "tensor" for i in container.items)
    )


def uncontaining(item: Operand, container: Operand) -> TypeError | None:
    """The answer to a container that is none by its class."""
    cls = container.value if container.kind == "instance" else type(container.value)
    if container.kind in ("slice", "ellipsis", "type", "npscalar") or (
        container.kind in ("instance", "object")
        and container.value is not UNKNOWN
        and isinstance(cls, type)
        and not any(hasattr(cls, name) for name in ("__contains__", "__iter__", "__getitem__"))
    ):
        return TypeError(f"argument of type '{python_name(container)}' is not iterable")
    return None


def _answer(item: Operand, container: Operand) -> BaseException | Instead | None:
    if container.kind in _UNCONTAINING:
        return TypeError(f"argument of type '{python_name(container)}' is not iterable")
    if container.kind == "str" and item.kind not in ("str", "union", "object", "instance"):
        return TypeError(f"'in <string>' requires string as left operand, not {python_name(item)}")
    if container.kind == "dict":
        if item.kind in ("list", "dict"):
            return TypeError(f"unhashable type: '{item.kind}'")
        return Instead(nowhere) if item.kind == "tensor" else None
    if container.kind == "tensor":
        return Instead(nowhere) if item.kind in ("tuple", "list", "range") else None
    if container.kind in ("tuple", "list", "range"):
        return _among(item, container)
    return None


def _among(item: Operand, container: Operand) -> BaseException | Instead | None:
    if container.dynamic:
        return contains(item, container)
    if item.kind in ("tuple", "list") and (refused := _compared_with(item, container)) is not None:
        return refused
    tensors = any(i.kind == "tensor" for i in container.items)
    if item.kind == "tensor":
        return Instead(among_tensors)
    if item.kind in _NUMBERS and (container.marked or (item.marked and len({i.kind for i in container.items}) == 1)):
        return sequence_operators.unlike("InSequence", container, item)
    if not tensors:
        return None
    if item.kind in _NUMBERS and all(i.kind == "tensor" for i in container.items):
        return TypeError(
            f"For InSequence, the list existing item abstract '{abstract(container.items[0])}' is not same with the "
            f"new added item abstract '{abstract(item)}'."
        )
    if item.kind in _NUMBERS:
        return sequence_operators.ambiguous(next(i for i in container.items if i.kind == "tensor"))
    return Instead(_among_others) if item.kind in ("str", "none", "tuple", "list", "range", "dict") else None


def _compared_with(item: Operand, container: Operand) -> BaseException | None:
    """The answer to a sequence that is compared with others, of which one has a Tensor of several elements."""
    alike = [i for i in container.items if i.kind == item.kind and len(i.items) == len(item.items)]
    tensors = (t for i in alike for t in (*item.items, *i.items) if t.kind == "tensor")
    return next(filter(None, map(sequence_operators.ambiguous, tensors)), None)


def _among_others(item: Any, container: Any) -> bool:
    """Whether what is no Tensor is among the items that are none."""
    found = False
    for other in container:
        if not isinstance(other, AnyTensor):
            found = found or other == item
    return found


def _not_among_others(item: Any, container: Any) -> bool:
    return not _among_others(item, container)


def _number_not_among(item: Any, container: Any) -> Any:
    """Whether a number is not among Tensors of one element and others: a Tensor of one bool."""
    found = Tensor(False)
    for other in container:
        if isinstance(other, AnyTensor):
            found = found.logical_or((other == item).all())
        elif other == item:
            found = found.logical_or(Tensor(True))
    return found.logical_not()


def _somewhere_else(item: Any, container: Any) -> bool:
    return True


def _is_alike(item: Any, other: Any) -> bool:
    return isinstance(other, AnyTensor) and other.shape == item.shape and other.dtype == item.dtype


def not_among_tensors(item: Any, container: Any) -> Any:
    """Whether a Tensor is not among others: True if none has its shape and dtype, else a Tensor of one bool."""
    alike = False
    for other in container:
        alike = alike or _is_alike(item, other)
    return among_tensors(item, container).logical_not() if alike else True


def among_tensors(item: Any, container: Any) -> Any:
    """Whether a Tensor is among others, all elements equal: a Tensor of one bool."""
    found = Tensor(False)
    for other in container:
        if _is_alike(item, other):
            found = found.logical_or((other == item).all())
    return found


_NEGATED: Final = {_among_others: _not_among_others, nowhere: _somewhere_else, among_tensors: not_among_tensors}
