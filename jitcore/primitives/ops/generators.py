"""Random generators that are objects of the program: which objects they are, and the calls of their methods with
numbers.

In a program such an object is its address, an int: the code outside holds the object while a call of the program lasts.
"""

from __future__ import annotations

import ctypes
import functools
import random as python_random
import sys
from types import BuiltinMethodType, MethodType
from typing import Any, Final

import numpy as np

from jitcore.ir.nodes import Effects
from jitcore.primitives.core.registry import HostCode, Nondifferentiable, declare
from jitcore.program.nodes import DirectCall
from jitcore.types import DType, ScalarType, Shape, TensorType, Type, i64

_CLASSES: Final = ("random.Random", "numpy.random.Generator", "numpy.random.RandomState")


def class_named(name: str) -> type[Any]:
    """The class of generators of this name."""
    module, _, cls = name.rpartition(".")
    return getattr(sys.modules[module], cls)


def name_of(cls: type) -> str | None:
    """The name of a class of generators; None for other classes. (numpy.random is not imported for this: it takes
    long.)"""
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
    """Whether an object is a generator whose methods are those of its class. Those that modules have for themselves are
    not told by their classes: they stay the ones they are."""
    cls = type(value)
    if name_of(cls) is None or value is of_module(cls):
        return False
    own = own_attribute(cls)
    return own is None or vars(value).keys() <= {own}


def method_name(value: Any) -> str | None:
    """The name of the method that an object is, if it is one of a generator whose methods are those of its class; else
    None."""
    if not isinstance(value, BuiltinMethodType | MethodType) or not is_generator(value.__self__):
        return None
    found = getattr(type(value.__self__), value.__name__, None)
    is_it = value.__func__ is found if isinstance(value, MethodType) else found is not None
    return value.__name__ if is_it else None


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
    doc="The method `name` of the generator at an address, which is of the class `module`, called with numbers and the "
    "keywords `known`: a Python number, or nothing without a dtype.",
)


PYTHON: Final = "random"
"""What stands for a class where the generator of Python's own module draws."""


def _order_of(*args: Any, module: str) -> Any:
    places = list(range(len(args[-1])))
    if module == PYTHON:
        python_random.shuffle(places)
    else:
        class_named(module).shuffle(object_at(int(args[0])), places)
    return np.array(places, np.int64)


def _order_rule(*args: Type, module: str) -> Type:
    del module
    items = args[-1]
    assert isinstance(items, TensorType)
    return TensorType(i64, items.shape[:1])


host_order = declare(
    "host_order",
    "*args",
    rule=_order_rule,
    reference=_order_of,
    lowering=HostCode(),
    derivative=Nondifferentiable("it gives positions"),
    samples=lambda: (),
    effects=Effects(io=True),
    doc="Where the items of a list, the last argument, come from that the generator at an address shuffles, which is "
    "of the class `module`; or the generator of Python's `random`.",
)

# --- arrays -----------------------------------------------------------------------------------------

MODULE: Final = "numpy.random"
"""What stands for a class where the generator of the module itself draws."""


def _function(module: str, name: str) -> Any:
    """A function that gives what is drawn, of the generator (but for `MODULE`) and the arguments."""
    found = getattr(sys.modules[MODULE], name) if module == MODULE else getattr(class_named(module), name)
    return functools.partial(_shuffled, found) if name == "shuffle" else found


def _shuffled(shuffle: Any, *args: Any, **options: Any) -> Any:
    """A copy of an array (the last argument), shuffled."""
    copy = args[-1].copy()
    shuffle(*args[:-1], copy, **options)
    return copy


def _direct(
    size: Shape | None,
    *,
    module: str,
    name: str,
    named: tuple[str, ...],
    known: tuple[tuple[str, Any], ...],
    dtype: DType,
) -> DirectCall:
    del dtype
    rank = None if size is None else len(size)
    return DirectCall(_function(module, name), int(module != MODULE), rank, named, known)


def _drawn(
    *args: Any,
    module: str,
    name: str,
    named: tuple[str, ...],
    known: tuple[tuple[str, Any], ...],
    dtype: DType,
    size: tuple[int, ...] | None = None,
    shape: Shape = (),
) -> Any:
    del shape
    given = list(args) if module == MODULE else [object_at(int(args[0])), *args[1:]]
    options = dict(zip(named, given[len(given) - len(named) :], strict=True)) | dict(known)
    if size is not None:
        options["size"] = size
    return np.asarray(_function(module, name)(*given[: len(given) - len(named)], **options), dtype.numpy)


host_draw = declare(
    "host_draw",
    "*args",
    rule=lambda *args, dtype, shape, **others: TensorType(dtype, shape),
    reference=_drawn,
    lowering=HostCode(direct=_direct),
    derivative=Nondifferentiable("what is drawn does not depend on the arguments continuously"),
    samples=lambda: (),
    effects=Effects(io=True, raises=("ValueError", "TypeError")),
    doc="An array of this `shape` and `dtype` that the method `name` of the generator at an address gives, which is of "
    "the class `module`, or the function of that name in `numpy.random`. The last arguments are given by the names in "
    "`named`; `size` (unless it is None) and what is `known` are given by name, too.",
)
