"""What MindSpore says and does, line by line, before it reads or writes a Tensor at a key that jitcore takes for
something else.

x[[[0, 1], [1, 0]]]     means x[[0, 1], [1, 0]]
x[0, np.int64(1)]       # Unsupported Python object type received: <class 'numpy.int64'>. …
x[::-1] = 1             # For 'TensorScatterUpdate', indices out of range for input_x. …
"""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jitcore.compat.mindspore.refusals import eager_items, tensor_keys
from jitcore.compat.mindspore.refusals.masks import put_by_mask
from jitcore.compat.mindspore.refusals.naming import dtype_name
from jitcore.passes.infer.engine.operands import Instead, Operand, of_object
from jitcore.runtime.operand_rules import OWN
from jitcore.runtime.tensor import Tensor
from jitcore.types import bool_

_NUMBERS: Final = (bool, int, float)


def got(x: Tensor, key: Any) -> Any:
    """The result of `x[key]`, or `OWN`; raises what MindSpore does."""
    refused = eager_items.unusable(x, key) or (unkeyed(key) if isinstance(key, tuple) else None)
    if refused is not None:
        raise refused
    if isinstance(key, tuple) and any(k is False for k in key):
        raise IndexError("Bool element of tuple index must be 'True', but got 'False'.")
    return x[tuple(key)] if _means_a_tuple(key) else OWN


def put(x: Tensor, key: Any, value: Any) -> Any:
    """Writes `x[key] = value` where jitcore's own would not be MindSpore's, `OWN` elsewhere; raises what MindSpore
    does."""
    refused = eager_items.untaken(value) or (
        _unfit(x, key, value) if isinstance(value, Tensor | tuple | list) else None
    )
    if refused is None and isinstance(key, list) and not key:
        return None
    refused = refused or eager_items.unusable(x, key, put=True) or (unkeyed(key) if isinstance(key, tuple) else None)
    if refused is not None:
        raise refused
    if _means_a_tuple(key):
        x[tuple(key)] = value
        return None
    if isinstance(value, _NUMBERS) and _is_wider_mask(x, key):
        put_by_mask(x, key, value)
        return None
    if not goes_back(key):
        return OWN
    items = key if isinstance(key, tuple) else (key,)
    answer = (
        None
        if any(not isinstance(i, int | slice | None) for i in items)
        else tensor_keys.backwards(x.shape, [_cut(i) for i in items], len(x.shape))
    )
    if isinstance(answer, BaseException):
        raise answer
    if not isinstance(answer, Instead):
        return OWN
    answer.function(x, key, value)
    return None


def _cut(index: Any) -> Operand:
    if not isinstance(index, slice):
        return of_object(index)
    return Operand("slice", items=tuple(of_object(n) for n in (index.start, index.stop, index.step)))


def goes_back(key: Any) -> bool:
    """Whether there is a slice among indices that goes backwards."""
    return any(
        isinstance(k, slice) and isinstance(k.step, int) and k.step < 0
        for k in (key if isinstance(key, tuple) else (key,))
    )


def _means_a_tuple(key: Any) -> bool:
    return isinstance(key, list) and any(not isinstance(k, int | np.generic) for k in key)


def unkeyed(key: Sequence[Any]) -> BaseException | None:
    """The answer to what is no index among several."""
    for item in key:
        if isinstance(item, np.ndarray | np.floating):
            kind, shown = ("Array", item) if isinstance(item, np.ndarray) else ("Float", f"{item:g}")
            return TypeError(
                "For tuple index, the types only support 'Slice', 'Ellipsis', 'None', 'Tensor', 'int', 'List', "
                f"'Tuple', 'bool', but got type '{kind}', value: {shown}"
            )
        if isinstance(item, np.generic):
            return eager_items.unsupported(item)
    return None


# --- values that do not fit --------------------------------------------------------------------------


def _unfit(x: Tensor, key: Any, value: Any) -> BaseException | None:
    """The answer to a Tensor or sequence whose shape is not that of what it is written to."""
    of_one = isinstance(key, tuple) and len(key) == x.ndim and all(type(k) is int for k in key)
    if isinstance(value, tuple | list):
        if of_one and value:
            return ValueError("Input array must have the same size across all dimensions.")
        unmade = _unmade(x, value)
        if unmade is not None:
            return unmade
        if isinstance(key, Tensor) and key.dtype is bool_:
            return _unmasked(x, key, _shape(value))
        if isinstance(key, Tensor) and not key.ndim:
            return _at_a_tensor(x, _shape(value))
    rank = _rank(x, key)
    shape = _shape(value)
    if rank is None or rank < 0 or len(shape) <= rank or of_one:
        return None
    return ValueError(
        "For primitive [BroadcastTo]: input's rank should be less equal to the number of proposed_shape, but got "
        f"{len(shape)} and {rank}"
    )


def _rank(x: Tensor, key: Any) -> int | None:
    """How many axes there are behind ints and slices, at least one of them; None for other keys."""
    items = key if isinstance(key, tuple) else (key,)
    if not items or any(type(k) is not int and not isinstance(k, slice) for k in items):
        return None
    return x.ndim - sum(type(k) is int for k in items)


def _shape(value: Any) -> tuple[int, ...]:
    if isinstance(value, list | tuple):
        return (len(value), *(_shape(value[0]) if value else ()))
    return tuple(np.shape(value))


def _unmasked(x: Tensor, mask: Tensor, shape: tuple[int, ...]) -> ValueError | None:
    """The answer to a sequence that is written by a mask: it is taken for one at indices first."""
    if mask.shape != x.shape[: mask.ndim]:
        return None
    whole = (*mask.shape, *x.shape[1:])
    count = int(mask.asnumpy().sum())
    places = (count, *x.shape[mask.ndim :])
    if not _broadcasts(shape, whole):
        return eager_items.unbroadcast(shape, whole, number=True)
    return None if _broadcasts(whole, places) else eager_items.unbroadcast(whole, places, number=True)


def _broadcasts(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    return len(shape) <= len(target) and all(n in (1, m) for n, m in zip(shape[::-1], target[::-1], strict=False))


def _at_a_tensor(x: Tensor, shape: tuple[int, ...]) -> ValueError:
    """The answer to a sequence that is written at an index that is a Tensor."""
    if not _broadcasts(shape, x.shape[1:]):
        return eager_items.unbroadcast(shape, x.shape[1:], number=True)
    return ValueError("For TensorScatterUpdate, the dimension of 'indices' cannot be less than 2,  but got 1")


def _is_wider_mask(x: Tensor, key: Any) -> bool:
    """Whether a key is a mask of other extents that x's are broadcast from."""
    if not isinstance(key, Tensor) or key.dtype is not bool_ or key.shape == x.shape[: key.ndim]:
        return False
    return _broadcasts((*key.shape, *(1,) * (x.ndim - key.ndim)), x.shape)


def _unmade(x: Tensor, value: Any) -> BaseException | None:
    """The answer to a sequence of which no Tensor is made."""
    if not isinstance(value, tuple | list) or all(isinstance(v, _NUMBERS) for v in value):
        return None
    odd = eager_items.unfit(value)
    if odd is not None or all(isinstance(v, Tensor) for v in value):
        return odd
    if not any(isinstance(v, Tensor) for v in value):
        return None
    dtypes = [v.dtype if isinstance(v, Tensor) else x.dtype for v in value]
    unlike = next((k for k, d in enumerate(dtypes) if d is not dtypes[0]), None)
    if unlike is None:
        return None
    first, other = (f"Tensor[{dtype_name(d)}]" for d in (dtypes[0], dtypes[unlike]))
    return TypeError(f"All input must have the same data type!input[{unlike}] data type = {other}infer_type0= {first}")
