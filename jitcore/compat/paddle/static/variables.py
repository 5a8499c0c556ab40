"""Variables: what static mode has in the place of Tensors. They have a name, a dtype and a shape, and no elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeAlias, cast

import numpy as np

from jitcore.compat.paddle.dtypes import OF
from jitcore.compat.paddle.nn.parameter import Parameter as LayerParameter
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core.dtypes import as_dtype
from jitcore.types import DType, TensorType, f64, fresh_symbol

if TYPE_CHECKING:
    from jitcore.compat.paddle.static.programs import Block


def type_of(shape: Sequence[int | None] | int, dtype: object) -> TensorType:
    """A shape as users write it, in which -1 or None is any extent, and a dtype as a type."""
    extents = (shape,) if isinstance(shape, int) else shape
    unknown = (None, -1)
    return TensorType(
        as_dtype(cast("Any", dtype)),
        tuple(fresh_symbol("n") if extent in unknown else int(extent or 0) for extent in extents),
    )


class Variable:
    """What a Program computes, is fed with, or keeps. Its operators, and its methods that are a Tensor's, are recorded
    as calls."""

    __jitcore_static__: Final = True
    __array_priority__ = 100.0
    result_class: ClassVar[type[Variable]]
    """The class of what is computed of it."""

    def __init__(self, block: Block, name: str, type_: TensorType, stop_gradient: bool = True) -> None:
        self.block = block
        self.name = name
        self.type_ = type_
        self.persistable = False
        self.is_data = False
        self.need_check_feed = False
        self.lod_level = 0
        self.is_cut = False
        """Whether no gradient goes through it though one could."""
        self._stop_gradient = stop_gradient
        self.error_clip: object = None

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients end at it."""
        return self._stop_gradient

    @stop_gradient.setter
    def stop_gradient(self, stops: bool) -> None:
        self.is_cut = self.is_cut or (stops and not self._stop_gradient)
        self._stop_gradient = stops
        self.block.program.changed()

    @property
    def shape(self) -> Any:
        """The extents; -1 where they are not known before the Program runs."""
        return [extent if isinstance(extent, int) else -1 for extent in self.type_.shape]

    @property
    def dtype(self) -> Any:
        """The element type."""
        return OF[self.type_.dtype]

    @property
    def kind(self) -> DType:
        """The element type as jitcore has it."""
        return self.type_.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.type_.shape)

    def dim(self) -> int:
        """The number of axes."""
        return self.ndim

    def __len__(self) -> int:
        extent = self.type_.shape[0] if self.type_.shape else None
        if not isinstance(extent, int):
            raise TypeError(f"how many rows {self.name} has is known when the Program runs: use paddle.shape(x)[0]")
        return extent

    def _unknown(self, what: str) -> NoReturn:
        raise TypeError(
            f"{what} of the static Variable {self.name} is not known before its Program runs: fetch it with "
            "Executor.run(fetch_list=[…]), or branch with paddle.static.nn.cond and while_loop"
        )

    def __bool__(self) -> bool:
        self._unknown("bool()")

    def __int__(self) -> int:
        self._unknown("int()")

    def __float__(self) -> float:
        self._unknown("float()")

    def __index__(self) -> int:
        self._unknown("the int")

    def __array__(self, *_: object, **__: object) -> np.ndarray[Any, Any]:
        self._unknown("the array")

    def numpy(self) -> NoReturn:
        """TypeError: there are no elements before the Program runs."""
        self._unknown("numpy()")

    def item(self, *args: object) -> NoReturn:
        """TypeError: there are no elements before the Program runs."""
        del args
        self._unknown("item()")

    def tolist(self) -> NoReturn:
        """TypeError: there are no elements before the Program runs."""
        self._unknown("tolist()")

    def backward(self, *args: object) -> NoReturn:
        """TypeError: gradients are made by `minimize` or `append_backward`."""
        del args
        raise TypeError(
            f"{self.name} is a static Variable: gradients are recorded by optimizer.minimize(loss), "
            "paddle.static.append_backward(loss) or paddle.static.gradients(targets, inputs), not by backward()"
        )

    __hash__ = object.__hash__

    if TYPE_CHECKING:  # what `recording` gives it

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, index: object, /) -> Any: ...
        def __add__(self, other: object, /) -> Any: ...
        def __radd__(self, other: object, /) -> Any: ...
        def __sub__(self, other: object, /) -> Any: ...
        def __rsub__(self, other: object, /) -> Any: ...
        def __mul__(self, other: object, /) -> Any: ...
        def __rmul__(self, other: object, /) -> Any: ...
        def __truediv__(self, other: object, /) -> Any: ...
        def __rtruediv__(self, other: object, /) -> Any: ...
        def __pow__(self, other: object, /) -> Any: ...
        def __neg__(self) -> Any: ...
        def __lt__(self, other: object, /) -> Any: ...
        def __le__(self, other: object, /) -> Any: ...

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """What it is, as text."""
        del throw_on_error, with_details
        return str(self)

    def __str__(self) -> str:
        kept = "persist " if self.persistable else ""
        dims = ", ".join(map(str, self.shape))
        named = str(self.dtype).rpartition(".")[2]
        return (
            f"{kept}var {self.name} : LOD_TENSOR.shape({dims}{',' if len(self.type_.shape) == 1 else ''})"
            f".dtype({named}).stop_gradient({self.stop_gradient})"
        )

    __repr__ = __str__


Variable.result_class = Variable


class Numbers(Variable):
    """Python's numbers that are worked out before each run."""

    def __init__(self, block: Block, name: str) -> None:
        super().__init__(block, name, TensorType(f64, ()))


class Parameter(Variable):
    """A persistable Variable that is trained: it stands for a Layer's or the Program's own Parameter `tensor`."""

    def __init__(self, block: Block, name: str, type_: TensorType, tensor: LayerParameter) -> None:
        super().__init__(block, name, type_, stop_gradient=not tensor.trainable)
        self.persistable = True
        self.tensor = tensor
        self.is_distributed = False

    @property
    def trainable(self) -> bool:
        """Whether optimizers update it."""
        return not self._stop_gradient

    @trainable.setter
    def trainable(self, trained: bool) -> None:
        self._stop_gradient = not trained

    @property
    def optimize_attr(self) -> dict[str, Any]:
        """By what optimizers multiply their rate."""
        return self.tensor.optimize_attr

    @property
    def regularizer(self) -> Any:
        """Its own penalty."""
        return self.tensor.regularizer

    @property
    def need_clip(self) -> bool:
        """Whether its gradient is clipped with the others."""
        return self.tensor.need_clip

    def __str__(self) -> str:
        return super().__str__().replace("persist var", f"persist {'trainable ' if self.trainable else ''}param")

    __repr__ = __str__


Value: TypeAlias = Tensor | Variable
"""What functions of networks are given in either mode."""
