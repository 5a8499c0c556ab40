"""Compiles single kernels for tests and runs them on NumPy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from jitcore.backends.llvm.kernels.lowering import lower_kernel
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.kernel.nodes import Kernel, launch_signature
from jitcore.kernel.reference import evaluate

_C_TYPES = {
    "bool_": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64,
    "f32": ctypes.c_float, "f64": ctypes.c_double,
}  # fmt: skip


class Compiled:
    """A kernel in memory: call it with flat arrays by buffer, and params by name."""

    def __init__(self, kernel: Kernel, target: Target | None = None) -> None:
        self.kernel = kernel
        module = LLVMModule()
        lower_kernel(kernel, target or engine.host(), module)
        self.text = module.text()
        self._loaded = engine.load_object(
            engine.compile_object(self.text, target=target), [kernel.name], runtime.symbols()
        )
        buffers, params = launch_signature(kernel)
        types = [ctypes.c_void_p] * len(buffers) + [_C_TYPES[p.dtype.name] for p in params]
        self._call = ctypes.CFUNCTYPE(None, *types)(self._loaded.addresses[kernel.name])

    def __call__(self, buffers: Mapping[str, np.ndarray], params: Mapping[str, Any] | None = None) -> None:
        buffer_names, param_names = launch_signature(self.kernel)
        pointers = [buffers[b.name].ctypes.data for b in buffer_names]
        self._call(*pointers, *((params or {})[p.name] for p in param_names))


def run_both(
    kernel: Kernel, buffers: Mapping[str, np.ndarray], params: Mapping[str, Any] | None = None
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The buffers after the compiled kernel, and after the reference evaluator."""
    got = {k: v.copy() for k, v in buffers.items()}
    want = {k: v.copy() for k, v in buffers.items()}
    Compiled(kernel)(got, params)
    evaluate(kernel, want, params)
    return got, want
