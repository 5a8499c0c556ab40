"""Arrays that a caller gives up to a call (`jit(donate_argnums=…)`): results may be in their memory, and nobody uses
them again."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.primitives.core.dialects import OWN
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import distinct_leaves
from jitcore.types import TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.signature import Inferred, Input

_EMPTY: Final = np.empty(0)


def donated_inputs(
    inferred: Inferred, shared: Sequence[frozenset[int]], donated: frozenset[int | str]
) -> frozenset[int]:
    """The inputs of a program whose memory it may give to results, as those among the `donated` arguments, or in them:
    arrays in order that share memory with no other input. There are none where the interpreter may have to run the call
    anew."""
    if not donated or inferred.containers:
        return frozenset()
    return frozenset(
        k
        for k, (spec, others) in enumerate(zip(inferred.inputs, shared, strict=True))
        if _is_array(spec) and spec.path[0] == "arg" and spec.path[1] in donated and spec.contiguous and not others
    )


def _is_array(spec: Input) -> bool:
    return isinstance(spec.type, TensorType) and spec.category in (OWN, "ndarray") and spec.type.rank > 0


def give_up(values: Iterable[object], result: object) -> None:
    """Make the Tensors among values, and in their containers, unusable: they were donated. Those that are results, too,
    stay what they are, and so do those of other frameworks, whose memory is not given to results: gradients may go back
    through them."""
    kept = {id(leaf) for leaf in distinct_leaves(result)}
    for leaf in (leaf for value in values for leaf in distinct_leaves(value)):
        if isinstance(leaf, Tensor) and not (isinstance(leaf, _Donated) or leaf._dialect or id(leaf) in kept):
            leaf._array = _EMPTY
            leaf.__class__ = _donated_class(type(leaf))


class _Donated:
    """What marks the classes of Tensors that were donated."""

    __slots__ = ()


@functools.cache
def _donated_class(cls: type[Tensor]) -> Any:
    def refuse(self: object, name: str) -> object:
        if name == "__class__":
            return type(self)
        raise RuntimeError(
            f"this {cls.__name__} was donated to a compiled function (donate_argnums), which has its memory now: "
            "use what the call gave, or a copy made before"
        )

    def said(self: object) -> str:
        return f"<donated {cls.__name__}>"

    names = {"__slots__": (), "__getattribute__": refuse, "__repr__": said, "__str__": said}
    return type(cls.__name__, (cls, _Donated), names)
