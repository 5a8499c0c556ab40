"""jitcore: a compiler for plain numerical Python. Public names are loaded when they are first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jitcore import common, context, dataset, nn, numpy, ops, train
    from jitcore.common import Parameter, ParameterTuple, set_seed
    from jitcore.context import GRAPH_MODE, PYNATIVE_MODE, get_context, set_context
    from jitcore.exports import InputSpec, export, load
    from jitcore.ops import GradOperation
    from jitcore.rounds import prange
    from jitcore.runtime.introspection import explain
    from jitcore.runtime.notices import FallbackWarning, PerformanceWarning
    from jitcore.runtime.tensor import Tensor
    from jitcore.runtime.typed import jit, ms_function
    from jitcore.transforms import (
        checkpoint,
        grad,
        hessian,
        jacfwd,
        jacrev,
        jvp,
        recompute,
        value_and_grad,
        vjp,
        vmap,
    )
    from jitcore.ufuncs import carray, cfunc, guvectorize, stencil, vectorize

__version__: Final = "0.1.0"

_HOMES: Final[dict[str, str]] = {
    "Tensor": "jitcore.runtime.tensor",
    "Parameter": "jitcore.common.parameter",
    "ParameterTuple": "jitcore.common.parameter",
    **dict.fromkeys(("COOTensor", "CSRTensor", "RowTensor", "SparseTensor"), "jitcore.common.sparse_tensor"),
    "set_seed": "jitcore.common.initializer",
    "ms_function": "jitcore.runtime.decorators",
    "jit": "jitcore.runtime.decorators",
    "explain": "jitcore.runtime.introspection",
    "prange": "jitcore.rounds",
    "FallbackWarning": "jitcore.runtime.notices",
    "PerformanceWarning": "jitcore.runtime.notices",
    "grad": "jitcore.transforms",
    "value_and_grad": "jitcore.transforms",
    "jvp": "jitcore.transforms",
    "checkpoint": "jitcore.transforms",
    "recompute": "jitcore.transforms",
    "jacfwd": "jitcore.transforms",
    "jacrev": "jitcore.transforms",
    "hessian": "jitcore.transforms",
    "vjp": "jitcore.transforms",
    "vmap": "jitcore.transforms",
    **dict.fromkeys(("InputSpec", "export", "load"), "jitcore.exports"),
    "GradOperation": "jitcore.ops.composite",
    "GRAPH_MODE": "jitcore.context",
    "PYNATIVE_MODE": "jitcore.context",
    "set_context": "jitcore.context",
    "get_context": "jitcore.context",
    **dict.fromkeys(("carray", "cfunc", "guvectorize", "stencil", "vectorize"), "jitcore.ufuncs"),
    "dtype": "jitcore.common",
}
_MODULES: Final = frozenset(
    {"common", "context", "dataset", "nn", "numpy", "ops", "scipy", "train", "cli", "testing", "transforms"}
)
_DTYPES: Final = frozenset(
    [
        "bool_",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
)

__all__ = [
    "FallbackWarning",
    "GRAPH_MODE",
    "InputSpec",
    "PYNATIVE_MODE",
    "PerformanceWarning",
    "GradOperation",
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "carray",
    "cfunc",
    "checkpoint",
    "common",
    "context",
    "dataset",
    "explain",
    "export",
    "get_context",
    "grad",
    "guvectorize",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "load",
    "ms_function",
    "nn",
    "numpy",
    "ops",
    "prange",
    "recompute",
    "set_context",
    "set_seed",
    "stencil",
    "train",
    "value_and_grad",
    "vectorize",
    "vjp",
    "vmap",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name in _MODULES:
        return importlib.import_module(f"jitcore.{name}")
    elif name in _DTYPES:
        value = getattr(importlib.import_module("jitcore.common.dtype"), name)
    else:
        raise AttributeError(f"module 'jitcore' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES, *_DTYPES})
