"""Random generators that are objects of the program: which objects they are, and the calls of their methods with numbers.

In a program such an object is its address, an int: the code outside holds the object while a call of the program lasts.
"""

from __future__ import annotations

import ctypes
import functools
import random as python_random
import sys
from typing import Any, Final

from jitcore.ir.nodes import Effects
from jitcore.primitives.registry import HostCode, Nondifferentiable, declare
from jitcore.types import DType, ScalarType, Type

_CLASSES: Final = ("random.Random", "numpy.random.Generator", "numpy.random.RandomState")


def class_named(name: str) -> type[Any]:
    """The class of generators of this name."""
    module, _, cls = name.rpartition(".")
    return getattr(sys.modules[module], cls)


def name_of(cls: type) -> str | None:
    """The name of a class of generators; None for other classes. (numpy.random is not imported for this: it takes long.)"""
    if cls is python_random.Random:
        return _CLASSES[0]
    numpy_random = sys.modules.get("numpy.random")
    for name in _CLASSES[1:]:
        if numpy_random is not None and cls is getattr(numpy_random, name.rpartition(".")[2], None):
            return name
    return None


def own_attribute(cls: type) -> str | None:
    """The only attribute that a generator of a class has of its own; None: it cannot have any."""
    return "gauss_next" if cls is python_random.Random else None


def of_module(cls: type) -> Any:
    """The generator of a class that its module draws from itself; None if there is none."""
    if cls is python_random.Random:
        return python_random.random.__self__  # type: ignore[attr-defined]
    return getattr(sys.modules["numpy.random"].mtrand, "_rand", None) if cls.__name__ == "RandomState" else None


def is_generator(value: Any) -> bool:
    """Whether an object is a generator whose methods are those of its class. Those that modules have for themselves are not told by
    their classes: they stay the ones they are."""
    cls = type(value)
    if name_of(cls) is None or value is of_module(cls):
        return False
    own = own_attribute(cls)
    return own is None or vars(value).keys() <= {own}


def sample_of(cls: type[Any]) -> Any:
    """A generator of a class, which is not the program's."""
    return sys.modules["numpy.random"].default_rng(0) if cls.__name__ == "Generator" else cls(0)


def object_at(address: int) -> Any:
    """The Python object at an address that a program was given."""
    return ctypes.cast(address % 2**64, ctypes.py_object).value


def _method(*, module: str, name: str, known: tuple[tuple[str, Any], ...], dtype: DType | None) -> Any:
    """The function of a generator and of numbers that a method is; None if it gives nothing."""
    found = getattr(class_named(module), name)
    if dtype is None:
        return None
    return functools.partial(found, **dict(known)) if known else found


def _call(address: Any, *args: Any, module: str, name: str, known: tuple[tuple[str, Any], ...], dtype: Any) -> Any:
    made = getattr(class_named(module), name)(object_at(int(address)), *args, **dict(known))
    return None if dtype is None else dtype.numpy.type(made).item()


def _rule(address: Type, *args: Type, module: str, name: str, known: tuple[Any, ...], dtype: DType | None) -> Any:
    del address, args, module, name, known
    return () if dtype is None else ScalarType(dtype)


host_method = declare(
    "host_method",
    "address *args",
    rule=_rule,
    reference=_call,
    lowering=HostCode(_method, objects=1),
    derivative=Nondifferentiable("what is drawn does not depend on the arguments continuously"),
    samples=lambda: (),
    effects=Effects(io=True, raises=("ValueError", "TypeError")),
    doc="The method `name` of the generator at an address, which is of the class `module`, called with numbers and the keywords "
    "`known`: a Python number, or nothing without a dtype.",
)
