"""The CPU: programs by LLVM, whose host calls are made by CPython's C API."""

from __future__ import annotations

from typing import Final

from jitcore.backends.cpython.host_calls import host_callable
from jitcore.backends.llvm.backend import LLVMBackend

BACKEND: Final = LLVMBackend(host_callable)
