"""Context managers of Python's and NumPy's that compiled code makes itself."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from jitcore.passes.infer.domain.values import Builtin, Caught, Manager, Static, Value
from jitcore.passes.infer.engine.models import register_models

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_NONE = Static(None)
_QUIET = ("ignore", "warn", None)


def _nullcontext(infer: Infer, enter_result: Value = _NONE) -> Value:
    return Manager(contextlib.nullcontext, enter_result)


def _suppress(infer: Infer, *exceptions: Value) -> Value:
    classes = tuple(infer.need_static(e, "the class of exceptions to suppress") for e in exceptions)
    return Manager(contextlib.suppress, _NONE, classes)


def _errstate(infer: Infer, **modes: Value) -> Value:
    """NumPy's warnings are not reproduced, so nothing changes if it is for warnings only."""
    for name, mode in modes.items():
        if infer.need_static(mode, f"{name} of np.errstate") not in _QUIET:
            raise infer.unsupported("np.errstate that raises, prints or calls", "a test of the values")
    return Manager(np.errstate, _NONE)


register_models(
    {
        contextlib.nullcontext: _nullcontext,
        contextlib.suppress: _suppress,
        np.errstate: _errstate,
    }
)
"""What making each of them does to abstract values."""


def method(value: Manager, name: str) -> Value | None:
    """`__enter__` or `__exit__`."""
    if name == "__enter__":
        return Builtin(name, lambda infer: value.entered)
    if name == "__exit__":
        return Builtin(name, lambda infer, *details: _exit(infer, value, *details))
    return None


def _exit(infer: Infer, value: Manager, cls: Value, error: Value, traceback: Value) -> Value:
    if not value.suppressed or (isinstance(cls, Static) and cls.value is None):
        return Static(False)
    if isinstance(cls, Caught):
        raise infer.unsupported(
            "suppressing exceptions of a call whose exceptions are not known when the function is compiled",
            "`try` and `except`",
        )
    raised = infer.need_static(cls, "the class of the exception")
    return Static(issubclass(raised, value.suppressed))
