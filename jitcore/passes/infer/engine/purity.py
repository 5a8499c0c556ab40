"""Which code that is not compiled may be run while compiling: what depends on its arguments alone and changes nothing.

A clock, a random generator or a file read once would give the same answer at every call.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from types import BuiltinFunctionType, BuiltinMethodType, MethodWrapperType, ModuleType
from typing import Any, Final

import numpy as np

from jitcore.lookup import attribute_of, has_attribute

_PURE_MODULES: Final = frozenset(
    [
        "bisect", "builtins", "cmath", "collections", "copy", "dataclasses", "decimal", "enum", "fractions",
        "functools", "itertools", "jitcore", "json", "math", "numbers", "numpy", "operator", "re", "statistics",
        "string", "struct", "textwrap", "types", "typing",
    ]
)  # fmt: skip
_COMPUTED_MODULES: Final = frozenset(["re"])
"""Pure ones about strings: there is nothing in them to compile."""
_IMPURE_MODULES: Final = ("numpy.random",)
_IMPURE_BUILTINS: Final = frozenset(
    ["breakpoint", "eval", "exec", "globals", "id", "input", "locals", "next", "open", "vars"]
)
_IMPURE_NUMPY: Final = frozenset(
    [
        "array2string", "array_repr", "array_str", "copyto", "errstate", "fill_diagonal", "fromfile", "fromregex",
        "genfromtxt", "get_printoptions", "getbufsize", "geterr", "geterrcall", "info", "load", "loadtxt",
        "may_share_memory", "memmap", "place", "printoptions", "put", "put_along_axis", "putmask", "save",
        "savetxt", "savez", "savez_compressed", "set_printoptions", "setbufsize", "seterr", "shares_memory",
        "seterrcall", "show_config", "show_runtime",
    ]
)  # fmt: skip
_CHANGING: Final = frozenset(["_count_elements", "delitem", "insort_left", "insort_right", "setitem"])
"""What changes its first argument: `Counter.update` calls the first."""
_IMMUTABLE: Final = (
    str, bytes, int, float, complex, tuple, frozenset, range, slice, type, np.dtype, np.generic, re.Match,
)  # fmt: skip


def is_pure(obj: Any) -> bool:
    """Whether calling `obj` on constants gives a constant."""
    if isinstance(obj, type):
        is_users = _root(obj) not in _PURE_MODULES or hasattr(obj, "construct")
        return _has_constant_instances(obj) if is_users else _is_pure_module(obj)
    owner = attribute_of(obj, "__self__", None)
    is_builtin = isinstance(obj, BuiltinMethodType | BuiltinFunctionType | MethodWrapperType)
    if is_builtin and owner is not None and not isinstance(owner, ModuleType):
        return isinstance(owner, _IMMUTABLE) and _is_pure_module(owner if isinstance(owner, type) else type(owner))
    name = attribute_of(obj, "__name__", "")
    module = _root(obj)
    if module not in _PURE_MODULES or not _is_pure_module(obj) or name in _CHANGING:
        return False
    return name not in (_IMPURE_BUILTINS if module == "builtins" else _IMPURE_NUMPY if module == "numpy" else ())


def is_computed(obj: Any, args: Sequence[Any]) -> bool:
    """Whether a function of known arguments is called while compiling rather than compiled."""
    return _root(obj) in _COMPUTED_MODULES and not any(map(callable, args))


def is_numpy_function(obj: Any) -> bool:
    """Whether `obj` is a function of NumPy whose results depend on its arguments alone."""
    return not isinstance(obj, type) and _root(obj) == "numpy" and callable(obj) and is_pure(obj)


def is_library_cell(obj: Any) -> bool:
    """Whether `obj` is a class of the library's own layers: its objects are constants if they have no Parameters."""
    return isinstance(obj, type) and has_attribute(obj, "__jitcore_call__") and _root(obj) == "jitcore"


def _has_constant_instances(cls: type) -> bool:
    """Whether the objects of a user's class never change: then one may stand for those of every call."""
    parameters = getattr(cls, "__dataclass_params__", None)
    return issubclass(cls, enum.Enum) or (parameters is not None and parameters.frozen)


def _module(obj: Any) -> str:
    return attribute_of(obj, "__module__", None) or type(obj).__module__ or ""


def _root(obj: Any) -> str:
    return _module(obj).partition(".")[0].lstrip("_")


def _is_pure_module(obj: Any) -> bool:
    return _root(obj) in _PURE_MODULES and not _module(obj).startswith(_IMPURE_MODULES)
