"""Program → LLVM text: the module of a program, made of its kernels, its functions and tables of addresses.

The entry becomes `i32 run(context, in, out)`. `jc_constants` and `jc_hosts` are the addresses of the constants' data
and of the host calls' callables; the loader fills them in, so that the code itself holds no addresses.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from jitcore.backends.llvm import engine
from jitcore.backends.llvm.contraction import lower_contraction
from jitcore.backends.llvm.engine import Target
from jitcore.backends.llvm.kernels import lower_kernel
from jitcore.backends.llvm.program_function import (
    CONSTANTS,
    ENTRY_POINT,
    HOSTS,
    FunctionLowering,
    function_name,
    kernel_name,
)
from jitcore.backends.llvm.program_memory import HANDLERS
from jitcore.backends.llvm.text import LLVMModule
from jitcore.kernel.nodes import AnyKernel, Kernel
from jitcore.program import nodes as n
from jitcore.program.walk import statements


@dataclass(frozen=True, slots=True)
class LoweredProgram:
    """A program as LLVM text, the level of passes it wants, and the functions to run them on; the names its object is
    asked for, and those it needs from outside."""

    text: str
    level: int
    functions: tuple[str, ...]
    exports: tuple[str, ...]
    imports: tuple[str, ...]


def lower_program(program: n.Program, target: Target) -> LoweredProgram:
    """The LLVM module of a program."""
    module = LLVMModule()
    for kernel in program.kernels.values():
        _lower_kernel(kernel, target, module)
    for function in program.functions.values():
        FunctionLowering(program, function, module, target, HANDLERS).lower()
    exports = [ENTRY_POINT]
    for table, size in ((CONSTANTS, len(program.constants)), (HOSTS, len(program.host_calls))):
        if size:
            module.define(table, f"@{table} = global [{size} x ptr] zeroinitializer")
            exports.append(table)
    loops = any(isinstance(s, n.While) for f in program.functions.values() for s in statements(f.body))
    level = engine.LOOPS if loops else engine.NO_PASSES
    names = tuple(function_name(program, name) for name in program.functions)
    return LoweredProgram(module.text(), level, names, tuple(exports), module.declared())


def _lower_kernel(kernel: AnyKernel, target: Target, module: LLVMModule) -> None:
    # the prefix keeps a kernel called `exp` apart from the C library's
    named = dataclasses.replace(kernel, name=kernel_name(kernel.name))
    if isinstance(named, Kernel):
        lower_kernel(named, target, module)
    else:
        lower_contraction(named, target, module)
