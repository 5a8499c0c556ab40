"""Calls of gradient functions as MindSpore makes them: by Tensors alone, by one position no tuple, and line by line
with its words for what is no cotangent; a Tensor that is several arguments has one gradient, of all of them.

    grad(lambda x, y: x * y)(t, t)     # 2 * t line by line
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, cast

from jitcore.compat.mindspore.refusals import transforms as refusals
from jitcore.compat.mindspore.refusals import user_calls
from jitcore.compat.mindspore.refusals.naming import tensor_text
from jitcore.compat.mindspore.tensor import MINDSPORE
from jitcore.library.core.mutable import is_marked
from jitcore.primitives.core.dialects import Dialect
from jitcore.primitives.transforms import AuxError, Gradient
from jitcore.runtime.tensor import Tensor
from jitcore.transforms import GradientFunction
from jitcore.types import f32


class MindSporeGradient(GradientFunction):
    """A gradient function that refuses positions and cotangents in MindSpore's words."""

    _dialect: ClassVar[Dialect | None] = MINDSPORE

    def __init__(self, request: Gradient) -> None:
        super().__init__(request)
        self._is_of_graphs = refusals.in_graph()

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        request = self.__jitcore_gradient__
        inputs = _inputs(request, args, keywords)
        if request.positions is not None and not request.by_first_if_any:
            for k in request.positions:
                if k >= len(args) + len(keywords):
                    cls = IndexError if refusals.in_graph() else RuntimeError
                    raise cls(f"Position index {k} is exceed input size.")
        try:
            return _called(request, inputs, args, keywords)
        except (AuxError, RuntimeError, AttributeError) as error:
            told = _told(error, self._is_of_graphs)
            if told is error:
                raise
            raise told from None


class _PlainGradient(GradientFunction):
    """A gradient function of MindSpore's, whose calls were looked at."""

    _dialect: ClassVar[Dialect | None] = MINDSPORE


_SEVERAL: Final = "When has_aux is True, origin fn requires more than one outputs."


def _told(error: BaseException, of_graphs: bool) -> BaseException:
    """What MindSpore raises of a function that gives one thing (a RuntimeError of a gradient that was made where it has
    graphs), and of a Cell without `construct`."""
    if isinstance(error, AttributeError):
        return user_calls.of_no_construct(error) if refusals.in_graph() else error
    if not isinstance(error, AuxError) and str(error) != _SEVERAL:
        return error
    if of_graphs:
        return RuntimeError(_SEVERAL)
    return ValueError(f"'{_SEVERAL}'" if refusals.in_graph() else _SEVERAL)


def refused(error: BaseException) -> Any:
    """A gradient function that raises whenever it is called."""

    def call(*args: Any, **keywords: Any) -> Any:
        raise error

    return call


def _inputs(request: Gradient, args: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
    """The arguments that the function gets, in order."""
    own = args[:-1] if request.sens and "sens" not in keywords else args
    return [*own, *(value for name, value in keywords.items() if name != "sens" or not request.sens)]


def _called(request: Gradient, inputs: list[Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    chosen = _of_tensors(request, inputs)
    if chosen == () and request.positions and request.weights is None and not request.has_aux and not request.sens:
        value = request.function(*args, **keywords)
        return (value, ()) if request.with_value else ()
    if chosen != request.positions and (chosen or request.positions is None):
        request = replace(request, positions=chosen, single=request.positions is not None and len(chosen or ()) == 1)
    if refusals.in_graph():
        if (error := refusals.uncounted(request, args, keywords)) is not None:
            raise error
        return _plain(request, args, keywords)
    groups = _groups(request, inputs)
    if groups is None:
        return _with_cotangent(request, args, keywords)
    wanted = tuple(sorted({k for _, places in groups for k in places}))
    found = _with_cotangent(replace(request, positions=wanted, single=False), args, keywords)
    return _regrouped(request, found, groups, wanted, inputs)


def _plain(request: Gradient, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    return _PlainGradient(request)(*args, **keywords)


def _of_tensors(request: Gradient, inputs: Sequence[Any]) -> tuple[int, ...] | None:
    """The positions of arguments that gradients are by: not those of numbers, ndarrays and other things, nor of
    containers that are not marked as variable, but for the first argument of a GradOperation."""
    if request.positions is None or request.numbers:
        return request.positions
    containers = (tuple, list, dict) if request.by_first_if_any else ()
    return tuple(
        k
        for k in request.positions
        if k >= len(inputs) or isinstance(inputs[k], (Tensor, *containers)) or is_marked(inputs[k])
    )


_Groups = list[tuple[Tensor, list[int]]]


def _groups(request: Gradient, inputs: Sequence[Any]) -> _Groups | None:
    """Each Tensor that the gradient is by, and the arguments that it is or is in; None if there is but one of each, or
    if it is by a container."""
    if any(map(is_marked, inputs)):
        return None
    if request.positions is not None:
        chosen = [inputs[k] for k in request.positions if k < len(inputs)]
    else:
        chosen = [value for value in inputs if isinstance(value, Tensor)]
    groups = [(x, [k for k, value in enumerate(inputs) if _holds(value, x)]) for x in chosen if isinstance(x, Tensor)]
    return groups if any(len(places) > 1 for _, places in groups) else None


def _holds(value: Any, tensor: Tensor) -> bool:
    return value is tensor or (isinstance(value, tuple | list | dict) and any(v is tensor for v in _items(value)))


def _regrouped(request: Gradient, found: Any, groups: _Groups, wanted: tuple[int, ...], inputs: Sequence[Any]) -> Any:
    """The gradients by each Tensor, in the structure that was asked for."""
    if request.with_value:
        inner = replace(request, with_value=False, has_aux=False)
        return found[0], _regrouped(inner, found[1], groups, wanted, inputs)
    if request.has_aux:
        return _regrouped(replace(request, has_aux=False), found[0], groups, wanted, inputs), found[1]
    if request.weights is not None:
        return _regrouped(replace(request, weights=None), found[0], groups, wanted, inputs), found[1]
    by_position = {k: zip(_items(inputs[k]), _items(g), strict=True) for k, g in zip(wanted, found, strict=True)}
    parts = [pair for pairs in by_position.values() for pair in pairs]
    made = [functools.reduce(operator.add, (g for value, g in parts if value is x)) for x, _ in groups]
    return made[0] if request.single else tuple(made)


# --- cotangents -------------------------------------------------------------------------------------


def _with_cotangent(request: Gradient, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The gradients, of a cotangent that MindSpore takes. One that may be none is looked at beside the result."""
    if not request.sens or not (args or keywords):
        return _plain(request, args, keywords)
    given = keywords["sens"] if "sens" in keywords else args[-1]
    _require_tensors(given)
    doubtful = any(_is_doubtful(item) for item in _items(given))
    try:
        if not doubtful or request.with_value or request.has_aux:
            return _plain(request, args, keywords)
        value, found = _plain(replace(request, with_value=True), args, keywords)
    except ValueError as error:
        if not str(error).startswith("sens has"):
            raise
        _require_fit(given, request.function(*args[:-1], **keywords))
        raise
    _require_fit(given, value)
    return found


def _items(value: Any) -> list[Any]:
    """What is in containers, and in those in them, in order; anything else is the only item."""
    if isinstance(value, dict):
        value = list(cast("dict[Any, Any]", value).values())
    if not isinstance(value, tuple | list):
        return [value]
    return [item for part in cast("Sequence[Any]", value) for item in _items(part)]


def _is_doubtful(item: Any) -> bool:
    return not isinstance(item, Tensor) or item.size == 1 or item.dtype is not f32


_SIZE: Final = "Failure info [The given sens gradient's size should be same as out of network!]."


def _require_tensors(given: Any) -> None:
    if given is None or (isinstance(given, tuple) and not given):
        raise RuntimeError(
            "Failure info [Can not find top cell for backward, please check your network whether set grad or inputs of "
            "your network whether be inplace modified, this is forbidden!]."
        )
    if any(not isinstance(item, Tensor | int | float) for item in _items(given)):
        raise RuntimeError(_SIZE)


def _require_fit(given: Any, value: Any) -> None:
    """Raise what MindSpore does for a cotangent unlike the result."""
    cotangents, results = _items(given), _items(value)
    if len(cotangents) != len(results):
        raise RuntimeError(_SIZE)
    for cotangent, result in zip(cotangents, results, strict=True):
        if not isinstance(result, Tensor) or result.ndim == 0:
            continue
        if not isinstance(cotangent, Tensor) or cotangent.ndim == 0:
            raise RuntimeError(
                "For grad interface or custom function, grad tensor should be broadcast to expected shape, but got "
                f"[const vector]{{}} vs {_vector(result)}"
            )
        shown = f", sens gradient abs {_abstract(cotangent)}, out abs{_abstract(result)}"
        if cotangent.shape != result.shape:
            raise ValueError(f"The shape should be {_vector(result)}, but got {_vector(cotangent)}, {shown}")
        if cotangent.dtype is not result.dtype:
            raise TypeError(f"The dtype should be {result.dtype}, but got {cotangent.dtype}, {shown}")


def _vector(x: Tensor) -> str:
    return f"[const vector]{{{', '.join(map(str, x.shape))}}}"


def _abstract(x: Tensor) -> str:
    extents = ", ".join(map(str, x.shape))
    return (
        f"AbstractTensor(shape: ({extents}), element: AbstractScalar(Type: {x.dtype}, Value: ValueAny, "
        f"Shape: NoShape), value_ptr: 0x0, value: {tensor_text(x)})"
    )
