"""The LLVM backend: programs and their kernels as machine code for this CPU.

program.py → LLVM text → engine.py → object code in memory, linked to the runtime support (runtime.py).
"""

from __future__ import annotations

from jitcore.backends.llvm.backend import BACKEND, LLVMBackend

__all__ = ["BACKEND", "LLVMBackend"]
