"""Paddle's Tensor: jitcore's, with Paddle's methods, promotion and text, and gradients by `backward()`."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final, Self, cast

import numpy as np

import jitcore
from jitcore.compat.missing import MissingError
from jitcore.compat.paddle import autograd as ways
from jitcore.compat.paddle import dtypes, names, naming
from jitcore.compat.paddle.declaring import METHODS, refusal
from jitcore.compat.paddle.places import CPUPlace, Place, place_of
from jitcore.compat.paddle.promotion import promoted
from jitcore.compat.paddle.sizes import Size
from jitcore.compat.paddle.text import text_of
from jitcore.compat.torch.autograd import GradientFunction, RemovableHandle
from jitcore.library.array import creation, insertions
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime import autograd, nodes
from jitcore.runtime.dialects import dialect
from jitcore.runtime.tensor import made_of
from jitcore.types import has_derivatives


class _Kept:
    """Attributes of Tensors, which have no room for them, as long as the Tensors are."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[weakref.ref[jitcore.Tensor], dict[str, Any]]] = {}

    def of(self, tensor: jitcore.Tensor) -> dict[str, Any]:
        """Those of a Tensor, which may be added to."""
        found = self._of.get(id(tensor))
        if found is not None and found[0]() is tensor:
            return found[1]
        number = id(tensor)
        made = weakref.ref(tensor, lambda _: self._of.pop(number, None)), dict[str, Any]()
        self._of[number] = made
        return made[1]

    def get(self, tensor: jitcore.Tensor, name: str, default: object) -> Any:
        """An attribute of a Tensor, `default` if it has not got it."""
        found = self._of.get(id(tensor))
        return default if found is None or found[0]() is not tensor else found[1].get(name, default)


_kept: Final = _Kept()


@marking.library("tensor")
def constructed(data: object = None, dtype: object = None) -> Any:
    """`paddle.Tensor(…)` of data."""
    if values.category(data) == "tensor":
        return elementwise.astype(data, default_float() if dtype is None else dtype)
    return creation.array(data, default_float() if dtype is None else dtype)


@marking.library("raw")
def _shape(tensor: jitcore.Tensor) -> Any:
    """The extents."""
    found = list(map(values.evaluator().number, values.shape_of(tensor)))
    return found if evaluation.is_tracing() else Size(found)


@marking.library("raw")
def _dtype(tensor: jitcore.Tensor) -> Any:
    """The element type."""
    return dtypes.OF[values.dtype_of_value(tensor)]


@marking.library("raw")
def _size(tensor: jitcore.Tensor) -> Any:
    """The number of elements."""
    return values.evaluator().number(insertions.size_of(tensor))


@dialect("paddle", promotion=promoted, construct=constructed, refused=refusal)
class Tensor(jitcore.Tensor):
    """`paddle.Tensor`: see Paddle's documentation of it.

    >>> from jitcore.compat.paddle.functions.creation import to_tensor
    >>> x = to_tensor([1.0, 2.0], stop_gradient=False)
    >>> (x * x).sum().backward()
    >>> x.grad
    Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=False,
           [2., 4.])
    """

    __slots__ = ()

    def __init__(self, data: object = None, dtype: object = None, place: object = None) -> None:
        place_of(place)
        given = np.zeros(0, default_float().numpy) if data is None else data
        super().__init__(given if dtype is None else np.asarray(given, np.dtype(cast("Any", dtype))))

    # --- what it is ---------------------------------------------------------------------------------------

    dtype: Any = property(_dtype)
    shape: Any = property(_shape)
    size: Any = property(_size)

    @property
    def name(self) -> str:
        """Its name, which no other Tensor has unless it was given it."""
        kept = _kept.of(self)
        if "name" not in kept:
            kept["name"] = naming.generate("generated_tensor" if autograd.is_leaf(self) else "eager_tmp")
        return kept["name"]

    @name.setter
    def name(self, name: str) -> None:
        _kept.of(self)["name"] = name

    @property
    def persistable(self) -> bool:
        """Whether it is kept between runs of a program."""
        return _kept.get(self, "persistable", False)

    @persistable.setter
    def persistable(self, persistable: bool) -> None:
        _kept.of(self)["persistable"] = persistable

    @property
    def place(self) -> Place:
        """Where its memory is."""
        return CPUPlace()

    @property
    def strides(self) -> Any:
        """How many elements of memory are from one to the next along each axis."""
        return [step // self._array.itemsize for step in self._array.strides]

    @property
    def inplace_version(self) -> int:
        """How often its memory has been written to."""
        return self.storage.version

    @property
    def offset(self) -> int:
        """How many bytes of memory are before the first element, in the array that this is a view of."""
        return self.storage_offset() * self._array.itemsize

    def get_strides(self) -> list[int]:
        """`strides`."""
        return self.strides

    def ndimension(self) -> int:
        """The number of axes."""
        return self.ndim

    rank = ndimension

    def element_size(self) -> int:
        """The bytes of an element."""
        return self._array.itemsize

    # --- gradients ----------------------------------------------------------------------------------------

    @property
    @marking.between
    def stop_gradient(self) -> bool:
        """Whether no gradients go to it, or through it."""
        return not (autograd.needs_gradient(self) or _kept.get(self, "is_gradient", False))

    @stop_gradient.setter
    @marking.between
    def stop_gradient(self, stop: bool) -> None:
        if not stop:
            if has_derivatives(self._dtype):
                autograd.set_requires_grad(self, True)
            return
        _kept.of(self).pop("is_gradient", None)
        if autograd.is_leaf(self):
            autograd.set_requires_grad(self, False)
        else:
            autograd.cut(self)

    @property
    @marking.between
    def requires_grad(self) -> bool:
        """Whether gradients go to it, or through it."""
        return autograd.needs_gradient(self)

    @requires_grad.setter
    @marking.between
    def requires_grad(self, required: bool) -> None:
        self.stop_gradient = not required

    @marking.between
    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Have it need a gradient, or not; the Tensor."""
        self.stop_gradient = not requires_grad
        return self

    @property
    @marking.between
    def is_leaf(self) -> bool:
        """Whether nothing that is recorded made it."""
        return autograd.is_leaf(self)

    @property
    @marking.between
    def grad(self) -> Any:
        """The gradient that has been added up; None if there is none."""
        return _shown_grad(autograd.grad_of(self))

    @grad.setter
    @marking.between
    def grad(self, grad: jitcore.Tensor | None) -> None:
        if grad is not None and not isinstance(cast("object", grad), jitcore.Tensor):
            raise TypeError(f"the gradient of a Tensor is a Tensor or None, not {type(grad).__name__}")
        autograd.set_grad(self, grad)

    @property
    def grad_(self) -> Any:
        """`grad`."""
        return self.grad

    @property
    @marking.between
    def grad_fn(self) -> Any:
        """What made it."""
        edge = autograd.edge_of(self)
        return GradientFunction(edge[0]) if isinstance(edge, tuple) else None

    @marking.between
    def gradient(self) -> Any:
        """The gradient that has been added up as an ndarray; None if there is none."""
        grad = autograd.grad_of(self)
        return None if grad is None else grad._array

    @marking.between
    def backward(self, grad_tensor: jitcore.Tensor | None = None, retain_graph: bool = False) -> None:
        """Add the gradients of what it came of to their `grad`; without `grad_tensor` that of the sum of its
        elements."""
        ways.backward(self, grad_tensor, retain_graph)

    @marking.between
    def clear_gradient(self, set_to_zero: bool = True) -> None:
        """Have the gradient be 0, or with `set_to_zero=False` have none."""
        grad = autograd.grad_of(self)
        autograd.set_grad(
            self, made_of(Tensor, np.zeros_like(grad._array)) if grad is not None and set_to_zero else None
        )

    @marking.between
    def clear_grad(self) -> None:
        """Have the gradient be 0."""
        self.clear_gradient()

    @marking.between
    def register_hook(self, hook: Callable[[Any], Any]) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Have `hook(gradient)` called when its gradient is complete. Raises RuntimeError if there will be none."""
        if self.stop_gradient:
            raise RuntimeError("Cannot register hook on a tensor that stop gradient.")
        return RemovableHandle(autograd.register_hook(self, hook))

    @marking.between
    def retain_grads(self) -> None:
        """Keep its gradient though it is no leaf."""
        if autograd.needs_gradient(self):
            autograd.retain(self)

    # --- memory -------------------------------------------------------------------------------------------

    def numpy(self) -> Any:
        """An ndarray of its elements."""
        return self._array.copy()

    def __array__(self, dtype: np.dtype[Any] | None = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return np.array(self._array, dtype=dtype)

    @marking.between
    def set_value(self, value: jitcore.Tensor | np.ndarray[Any, Any] | dict[str, Any]) -> None:
        """Take other elements. Raises ValueError unless they have its shape and dtype."""
        given: Any = value["tensor"] if isinstance(value, dict) else value
        array = given._array if isinstance(given, jitcore.Tensor) else np.asarray(given)
        if list(array.shape) != list(self._array.shape):
            raise ValueError(
                f"Variable Shape not match, Variable [ {self.name} ] need tensor with shape {list(self._array.shape)} "
                f"but load set tensor with shape {list(array.shape)}"
            )
        if array.dtype != self._array.dtype:
            raise ValueError(
                f"Variable dtype not match, Variable [ {self.name} ] need tensor with dtype {self.dtype}  but load "
                f"tensor with dtype {array.dtype.name}"
            )
        with nodes.recording(False):
            elementwise.assign(self, made_of(Tensor, array))

    def value(self) -> Self:
        """The Tensor."""
        return self

    get_tensor = value

    def _place_str(self) -> str:
        return repr(self.place)

    def cpu(self) -> Self:
        """The Tensor: its memory is the CPU's."""
        return self

    def cuda(self, device_id: int | None = None, blocking: bool = True) -> Self:
        """The Tensor, after a UserWarning: there is no such device."""
        del blocking
        place_of(f"gpu:{device_id or 0}")
        return self

    def pin_memory(self, blocking: bool = True) -> Self:
        """The Tensor: its memory is the CPU's."""
        del blocking
        return self

    # --- other containers of elements ----------------------------------------------------------------------

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise AssertionError(
                "When Variable is used as the condition of if/while , Variable can only contain one element."
            )
        return bool(self._array)

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self._array, self.stop_gradient, _kept.get(self, "name", None))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Leaf Tensor support the deepcopy at the moment, non-Leaf Tensors contains graph "
                "information that does't support deepcopy"
            )
        made = _rebuilt(type(self), self._array.copy(), self.stop_gradient, None)
        memo[id(self)] = made
        grad = autograd.grad_of(self)
        if grad is not None:
            autograd.set_grad(made, made_of(Tensor, grad._array.copy()))
        return made

    # `x += y` is a new Tensor
    __iadd__, __isub__, __imul__ = jitcore.Tensor.__add__, jitcore.Tensor.__sub__, jitcore.Tensor.__mul__
    __itruediv__, __ifloordiv__ = jitcore.Tensor.__truediv__, jitcore.Tensor.__floordiv__
    __imod__, __ipow__, __imatmul__ = jitcore.Tensor.__mod__, jitcore.Tensor.__pow__, jitcore.Tensor.__matmul__
    __iand__, __ior__, __ixor__ = jitcore.Tensor.__and__, jitcore.Tensor.__or__, jitcore.Tensor.__xor__
    __ilshift__, __irshift__ = jitcore.Tensor.__lshift__, jitcore.Tensor.__rshift__

    def __format__(self, format_spec: str) -> str:
        return format(self.item(), format_spec) if self.ndim == 0 else super().__format__(format_spec)

    def __repr__(self) -> str:
        return text_of(self, self.stop_gradient)

    __str__ = __repr__


def _shown_grad(grad: jitcore.Tensor | None) -> Any:
    """A gradient as users see it: its `stop_gradient` is False, as in Paddle."""
    if grad is not None:
        _kept.of(grad)["is_gradient"] = True
    return grad


def _rebuilt(cls: type[jitcore.Tensor], array: np.ndarray[Any, Any], stop_gradient: bool, name: str | None) -> Any:
    made: Any = made_of(cls, array)
    if not stop_gradient:
        autograd.set_requires_grad(made, True)
    if name is not None:
        made.name = name
    return made


def _missing(name: str) -> property:
    def refuse(tensor: jitcore.Tensor) -> Any:
        del tensor
        raise MissingError(f"paddle.Tensor.{name} of Paddle is not in jitcore")

    return property(refuse)


def add_methods() -> None:
    """Give Tensors what the function files have declared as methods; the rest of what Paddle's have refuses."""
    for name, method in METHODS.items():
        if name not in _OWN:
            setattr(Tensor, name, method)
    for name in names.TENSOR - METHODS.keys() - vars(Tensor).keys() - _INHERITED:
        setattr(Tensor, name, _missing(name))


_OWN: Final = frozenset(["shape"])
"""What is a property of Tensors, and a function besides."""
_INHERITED: Final = frozenset(
    ["T", "data", "data_ptr", "dim", "imag", "itemsize", "is_contiguous", "ndim", "real", "stride"]
)
"""What Tensors have of jitcore's and mean as Paddle's do."""
