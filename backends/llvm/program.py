"""Program → LLVM text: the module of a program, made of its kernels, its functions and tables of addresses.

The entry becomes `i32 run(context, in, out)`. `jc_constants` and `jc_hosts` are the addresses of the constants' data
and of the host calls' callables; the loader fills them in, so that the code itself holds no addresses.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

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
from jitcore.backends.llvm.program_try import commit, drop_parked, lower_try, park, rethrow, unpark
from jitcore.backends.llvm.text import LLVMModule, quoted
from jitcore.kernel.nodes import AnyKernel, Kernel
from jitcore.program import nodes as n
from jitcore.program.walk import statements
from jitcore.structs import dataclass

BRIEF_WORK: Final = 1024
"""Instructions, counting each for every point, up to which a kernel is not worth more time of the compiler."""


@dataclass(frozen=True, slots=True)
class LoweredModule:
    """A part of a program as LLVM text, the level of passes it wants, and the functions to run them on."""

    text: str
    level: int
    functions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoweredProgram:
    """A program as LLVM modules that are linked to each other; the names its code is asked for, and those it needs from
    outside."""

    modules: tuple[LoweredModule, ...]
    exports: tuple[str, ...]
    imports: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of all modules."""
        return "\n".join(m.text for m in self.modules)


def lower_program(program: n.Program, target: Target) -> LoweredProgram:
    """The LLVM modules of a program: what runs for a moment a call, for which code is made fast, and what works."""
    module = LLVMModule()
    brief: set[str] = set()
    for kernel in program.kernels.values():
        brief |= _lower_kernel(kernel, target, module)
    handlers = {
        **HANDLERS,
        n.Commit: commit,
        n.Rethrow: rethrow,
        n.Park: park,
        n.Unpark: unpark,
        n.DropParked: drop_parked,
    }
    loops: list[str] = []
    for function in program.functions.values():
        FunctionLowering(program, function, module, target, handlers, {n.Try: lower_try}, loops).lower()
    exports = [ENTRY_POINT]
    for table, size in ((CONSTANTS, len(program.constants)), (HOSTS, len(program.host_calls))):
        if size:
            module.define(table, f"@{table} = global [{size} x ptr] zeroinitializer")
            exports.append(table)
    names = tuple(function_name(program, name) for name in program.functions)
    every = [s for f in program.functions.values() for s in statements(f.body)]
    level = engine.LOOPS if any(isinstance(s, n.While) for s in every) else engine.NO_PASSES
    if not any(isinstance(s, n.While | n.Call) for s in every):
        brief |= {quoted(name) for name in names}
    return LoweredProgram(_modules(module, brief, loops, level, names), tuple(exports), module.declared())


def _modules(
    module: LLVMModule, brief: set[str], loops: Sequence[str], level: int, names: tuple[str, ...]
) -> tuple[LoweredModule, ...]:
    if brief.issuperset(module.functions()):
        return (LoweredModule(module.text(), engine.BRIEF),)
    if not brief and not loops:
        return (LoweredModule(module.text(), level, names),)
    main, apart, vectors = module.divided(brief, loops)
    made = [LoweredModule(main, level, names)]
    if brief:
        made.append(LoweredModule(apart, engine.BRIEF))
    if loops:
        made.append(LoweredModule(vectors, engine.VECTORS))
    return tuple(made)


def _lower_kernel(kernel: AnyKernel, target: Target, module: LLVMModule) -> set[str]:
    """Define a kernel; those of its functions that run for a moment."""
    # the prefix keeps a kernel called `exp` apart from the C library's
    named = dataclasses.replace(kernel, name=kernel_name(kernel.name))
    if isinstance(named, Kernel):
        lower_kernel(named, target, module)
    else:
        lower_contraction(named, target, module)
    if isinstance(named, Kernel) and _is_brief(named):
        return {named.name, f"{named.name}.piece"}.intersection(module.functions())
    # what has no loop only sets others to work
    return set() if " phi " in module.definition(named.name) else {named.name}


def _is_brief(kernel: Kernel) -> bool:
    work = len(kernel.body) + len(kernel.epilogue)
    for axis in kernel.axes:
        if not isinstance(axis.extent, int):
            return False
        work *= axis.extent
    return work <= BRIEF_WORK
