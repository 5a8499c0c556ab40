"""Operators by name, and operators that users write: what MindSpore's `Primitive` makes and what derives from it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import MethodType
from typing import Any, ClassVar, Final, TypeVar

from jitcore import ops
from jitcore.compat.mindspore import adopting
from jitcore.ops import primitives
from jitcore.primitives.ops.custom import CustomGradient
from jitcore.runtime import custom

_F = TypeVar("_F", bound=Callable[..., Any])

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "partial": functools.partial,
    "scalar_add": operator.add,
    "scalar_sub": operator.sub,
    "scalar_mul": operator.mul,
    "scalar_div": operator.truediv,
    "scalar_floordiv": operator.floordiv,
    "scalar_mod": operator.mod,
    "scalar_pow": operator.pow,
    "scalar_uadd": operator.pos,
    "scalar_usub": operator.neg,
    "scalar_eq": operator.eq,
    "scalar_ne": operator.ne,
    "scalar_lt": operator.lt,
    "scalar_le": operator.le,
    "scalar_gt": operator.gt,
    "scalar_ge": operator.ge,
    "bool_not": operator.not_,
    "tuple_getitem": operator.getitem,
    "list_getitem": operator.getitem,
    "dict_getitem": operator.getitem,
    "tuple_len": len,
    "list_len": len,
    "dict_len": len,
}
"""What MindSpore's operators on scalars and containers are called."""


class _Kind(type):
    """The type of `Primitive`, of which all operators are instances. Compiled code makes the objects of its classes as
    it makes those of a library (but calls the functions that users wrote)."""

    __jitcore_library__ = property(lambda cls: True)

    def __instancecheck__(cls, instance: Any) -> bool:
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass: Any) -> bool:
        return issubclass(subclass, primitives.Primitive) if cls is Primitive else type.__subclasscheck__(cls, subclass)


class Primitive(primitives.Primitive, metaclass=_Kind):
    """An operator by its name: `Primitive("scalar_add")` is `operator.add`, `Primitive("Add")` is `ops.Add()`; or the
    base of one that users write as a Python function, `__call__`, with a gradient that `get_bprop` gives (or what is
    registered for it in `bprop_getters`): a function of the operands, the result and its cotangents.

    >>> from jitcore import Tensor, grad
    >>> class Double(Primitive):
    ...     def __call__(self, x):
    ...         return x * 2
    ...
    ...     def get_bprop(self):
    ...         return lambda x, out, dout: (dout * 10,)
    >>> print(grad(Double("Double"))(Tensor([1.0])))
    [10.]
    """

    __jitcore_library__ = False
    __jitcore_call__: ClassVar[str] = "computed"
    get_bprop: Callable[[], Callable[..., Any]] | None = None

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        del keywords
        if cls is Primitive and args:
            if args[0] in FUNCTIONS:
                return FUNCTIONS[args[0]]
            known = getattr(ops, args[0], None)
            if isinstance(known, type) and issubclass(known, primitives.Primitive):
                return adopting.class_of(known)()
        return super().__new__(cls)

    def __init__(self, name: str = "") -> None:
        self._named = name
        self.params = {}

    def __init_subclass__(cls) -> None:
        own = cls.__dict__.get("__call__")
        if own is not None:
            cls.computed = own
            cls.__call__ = Primitive.__call__

    def computed(self, *operands: Any) -> Any:
        """What the operator computes: the function that a subclass calls `__call__`."""
        raise NotImplementedError(f"the operator {self.name} has no function here")

    def __call__(self, *operands: Any) -> Any:
        own = self.__jitcore_custom_gradient__
        if own is None:
            return self.computed(*operands)
        return custom.call(own.function, own.backward, operands, {})

    __call__.__dict__["__jitcore_delegates__"] = True  # to `computed`, in compiled code

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient | None:
        if self.get_bprop is None:
            return None
        return CustomGradient(MethodType(type(self).computed, self), self.get_bprop())

    @property
    def name(self) -> str:
        """The name it was made with, or that of its class."""
        return self.__dict__.get("_named") or type(self).__name__


class PrimitiveWithInfer(Primitive):
    """An operator that users write, with functions for the types of its results, which are not needed here."""


PrimitiveWithCheck = PrimitiveWithInfer


class Getters:
    """Functions that users register for operators; those for gradients are what `get_bprop` of the operator is."""

    def __init__(self, name: str) -> None:
        self._name = name

    def register(self, prim: Any) -> Callable[[_F], _F]:
        """Decorate a function to register it for an operator, a class or its name."""

        def mark(function: _F) -> _F:
            if Primitive in getattr(prim, "__mro__", ()):
                setattr(prim, self._name, function)
            return function

        return mark


bprop_getters: Final = Getters("get_bprop")
vm_impls: Final = Getters("vm_impl")
"""MindSpore's functions for its virtual machine, which is not here."""
