"""The operators: MindSpore's `ops`, as functions (`ops.add`) and as primitive classes (`ops.Add()`)."""

from importlib import import_module as _import_module
from typing import Any as _Any

from jitcore.library.core.marking import is_library as _is_library
from jitcore.library.operators import CLASSES as _CLASSES
from jitcore.ops import composite as _composite
from jitcore.ops import functional, primitives, pythonic, random
from jitcore.ops.composite import GradOperation, Print
from jitcore.ops.custom import Custom, HookBackward, InsertGradientOf, PyFunc, kernel, ms_kernel
from jitcore.transforms import grad, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap


def _publish() -> dict[str, _Any]:
    """The names of the functions, and of the classes that are not made on demand."""
    names: dict[str, _Any] = {}
    for module in (functional, random):
        for name, value in vars(module).items():
            if _is_library(value) and not name.startswith("_"):
                names[name] = value
    return names | {name: getattr(pythonic, name) for name in pythonic.NAMES}


globals().update(_publish())
_import_module("jitcore.common.sparse_tensor")  # which gives Tensors the methods that make sparse ones
del _composite

_SPARSE = frozenset(("coo", "csr", "sparse", "row"))
"""Words in the names of functions of sparse Tensors."""


def __getattr__(name: str) -> _Any:
    if name in _CLASSES:
        made = globals()[name] = getattr(primitives, name)
        return made
    if not name.startswith("_") and not _SPARSE.isdisjoint(name.split("_")):
        found = getattr(_import_module("jitcore.ops.sparse"), name, None)
        if found is not None:
            return found
    raise AttributeError(f"jitcore.ops has no operator {name!r}")


__all__ = [
    *_publish(),
    *_CLASSES,
    "Custom",
    "GradOperation",
    "HookBackward",
    "InsertGradientOf",
    "Print",
    "PyFunc",
    "grad",
    "jacfwd",
    "jacrev",
    "jvp",
    "kernel",
    "ms_kernel",
    "value_and_grad",
    "vjp",
    "vmap",
    "functional",
    "primitives",
]  # pyright: ignore[reportUnsupportedDunderAll]
