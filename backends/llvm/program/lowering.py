"""Program → LLVM text: the module of a program, made of its kernels, its functions and tables of addresses.

The entry becomes `i32 run(context, in, out)`. `jc_constants` and `jc_hosts` are the addresses of the constants' data
and of the host calls' callables; the loader fills them in, so that the code itself holds no addresses. Code that is not
loaded by one has the constants in it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from jitcore.backends.llvm.contraction.lowering import lower_contraction
from jitcore.backends.llvm.kernels.alike import Alike, define_one_of, kernels_alike
from jitcore.backends.llvm.kernels.lowering import lower_kernel
from jitcore.backends.llvm.program.function import (
    CONSTANTS,
    ENTRY_POINT,
    HOSTS,
    FunctionLowering,
    function_name,
    kernel_name,
)
from jitcore.backends.llvm.program.handlers import commit, drop_parked, lower_try, park, rethrow, unpark
from jitcore.backends.llvm.program.memory import HANDLERS
from jitcore.backends.llvm.program.merging import merge
from jitcore.backends.llvm.program.rounds import PREFIX, lower_parallel
from jitcore.backends.native.engine import engine
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule, array_data, quoted
from jitcore.kernel.nodes import AnyKernel, Compute, Kernel
from jitcore.program import nodes as n
from jitcore.program.walk import statements
from jitcore.structs import dataclass, field

BRIEF_WORK: Final = 1024
"""Instructions, counting each for every point, up to which a kernel is not worth more time of the compiler."""

HOST_WORK: Final = 3000
"""As many take as long as a call into Python."""
WORK_A_STATEMENT: Final = 100
"""As many in a round of a loop, for each of its statements, take so long that these may be slower."""

PART: Final = 2500
"""Lines of LLVM text in a module that is compiled beside others: a tenth of a second's work."""
BRIEF_PART: Final = 4000
"""As many of code for which no time is taken."""


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


def lower_program(
    program: n.Program,
    target: Target,
    begin: Callable[[LoweredModule, bool], object] = lambda made, is_last: None,
    *,
    with_constants: bool = False,
    records: Sequence[str] = (),
    marks: Mapping[int, int] | None = None,
) -> LoweredProgram:
    """The LLVM modules of a program: what runs for a moment a call, for which code is made fast, and what works.
    `begin` is called with each as soon as it is written, in their order, and with whether it is the last.
    `with_constants`: the constants' bytes are in a module, and the table of their addresses is filled in. `records`:
    so is that of the host calls, with the addresses of records of that name, by which `jc_host` calls their code.
    `marks`: see `FunctionLowering`."""
    module = LLVMModule()
    module.fastmath = program.fastmath
    parts = _Parts(module, begin)
    works = [k for k in program.kernels.values() if isinstance(k, Kernel) and not _is_brief(k)]
    alike = kernels_alike(works)  # what runs for a moment is compiled soon, and takes longer with an extent of the run
    for family in _families(_with_general(program.kernels.values(), alike)):
        long: list[str] = []
        for kernel in family:
            one_of = alike.get(kernel.name)
            if one_of is not None:
                assert isinstance(kernel, Kernel)
                name = kernel_name(kernel.name)
                define_one_of(kernel, name, kernel_name(one_of.general.name), one_of.extent, module)
                parts.add(name, engine.BRIEF)
                continue
            defined, moment = _lower_kernel(kernel, target, module)
            long += [name for name in defined if name not in moment]
            for name in defined:  # in their order, by which parts are cut
                if name in moment:
                    parts.add(name, engine.BRIEF)
        works_of_family, callers = merge(module, long)
        for name in long:
            if name in callers:
                parts.add(name, engine.BRIEF)
        for name in works_of_family:
            parts.add(name, engine.NO_PASSES)
    brief = set(parts.left(engine.BRIEF))
    handlers = {
        **HANDLERS,
        n.Commit: commit,
        n.Rethrow: rethrow,
        n.Park: park,
        n.Unpark: unpark,
        n.DropParked: drop_parked,
    }
    nesting = {n.Try: lower_try, n.Parallel: lower_parallel}
    loops: list[str] = []
    for function in program.functions.values():
        FunctionLowering(program, function, module, target, handlers, nesting, loops, marks).lower()
    exports = [ENTRY_POINT]
    for table, size in ((CONSTANTS, len(program.constants)), (HOSTS, len(program.host_calls))):
        if size:
            module.define(table, f"@{table} = global [{size} x ptr] zeroinitializer")
            exports.append(table)
    if with_constants and program.constants:
        _define_constants(module, program.constants)
    if records:
        for record in dict.fromkeys(records):
            module.declare(f"@{record} = external global i8")
        _fill(module, HOSTS, [f"getelementptr (i8, ptr @{record}, i64 1)" for record in records])
    rounds = [name for name in module.functions() if name.startswith(PREFIX)]
    names = (*(function_name(program, name) for name in program.functions), *rounds)
    every = [s for f in program.functions.values() for s in statements(f.body)]
    loops_matter = any(isinstance(s, n.While) and not _rounds_take_long(program, s) for s in every)
    level = engine.LOOPS if loops_matter else engine.NO_PASSES
    if not loops_matter and not any(isinstance(s, n.Call) for s in every):
        brief |= {quoted(name) for name in names}
    rest = _modules(module, brief, loops, parts.names, level, names)
    for made in rest:
        begin(made, made is rest[-1])
    return LoweredProgram((*parts.modules, *rest), tuple(exports), module.declared())


def _define_constants(module: LLVMModule, constants: Sequence[Any]) -> None:
    """Define the constants, and the table of their addresses."""
    names = [f"constant.{k}" for k in range(len(constants))]
    for name, array in zip(names, constants, strict=True):
        module.define(name, array_data(name, array))
    _fill(module, CONSTANTS, [f"@{name}" for name in names])


def _fill(module: LLVMModule, table: str, addresses: Sequence[str]) -> None:
    """Define a table of addresses."""
    filled = ", ".join(f"ptr {address}" for address in addresses)
    module.redefine(table, f"@{table} = global [{len(addresses)} x ptr] [{filled}]")


def _families(kernels: Iterable[AnyKernel]) -> Iterable[Sequence[AnyKernel]]:
    """Kernels together that may differ in numbers alone: those that compute the same of an element."""
    families: dict[object, list[AnyKernel]] = {}
    for kernel in kernels:
        families.setdefault(_family(kernel), []).append(kernel)
    return families.values()


def _family(kernel: AnyKernel) -> object:
    if not isinstance(kernel, Kernel):
        return kernel.dtype
    steps = (*kernel.body, *kernel.epilogue)
    return tuple((type(step), step.op if isinstance(step, Compute) else None) for step in steps)


def _with_general(kernels: Iterable[AnyKernel], alike: Mapping[str, Alike]) -> Iterator[AnyKernel]:
    """The kernels, each general one before the first that it stands for."""
    seen: set[str] = set()
    for kernel in kernels:
        one_of = alike.get(kernel.name)
        if one_of is not None and one_of.general.name not in seen:
            seen.add(one_of.general.name)
            yield one_of.general
        yield kernel


def _modules(
    module: LLVMModule,
    brief: set[str],
    loops: Sequence[str],
    parts: Sequence[Sequence[str]],
    level: int,
    names: tuple[str, ...],
) -> tuple[LoweredModule, ...]:
    """What is in none of the parts."""
    if brief.issuperset(module.functions()):
        return (LoweredModule(module.text(), engine.BRIEF),)
    if not brief and not loops and not parts:
        return (LoweredModule(module.text(), level, names),)
    main, apart, vectors = module.divided(brief, loops, elsewhere=parts)
    made = [LoweredModule(main, level, names)]
    if loops:
        made.append(LoweredModule(vectors, engine.VECTORS))
    if brief:
        made.append(LoweredModule(apart, engine.BRIEF))
    return tuple(made)


class _Parts:
    """Kernels in modules of their own, so that several can be compiled at a time, the first while others are being
    written. What is in one depends on the text alone, not on how many cores there are: the machine code is the same
    everywhere."""

    def __init__(self, module: LLVMModule, begin: Callable[[LoweredModule, bool], object]) -> None:
        self.module = module
        self.begin = begin
        self.names: list[list[str]] = []
        self.modules: list[LoweredModule] = []
        self._open = {level: _Open(most) for level, most in ((engine.NO_PASSES, PART), (engine.BRIEF, BRIEF_PART))}

    def add(self, name: str, level: int) -> None:
        """A function of a kernel, to be compiled at a level; those of the last, short part stay in the module."""
        part = self._open[level]
        part.names.append(name)
        part.lines += self.module.definition(name).count("\n")
        if part.lines >= part.most:
            self.names.append(part.names)
            self.modules.append(LoweredModule(self.module.part(part.names), level))
            self.begin(self.modules[-1], False)
            self._open[level] = _Open(part.most)

    def left(self, level: int) -> Sequence[str]:
        """The functions that are in no part yet."""
        return self._open[level].names


@dataclass(slots=True)
class _Open:
    """A part that is being filled, and the lines at which it is full."""

    most: int
    names: list[str] = field(default_factory=list[str])
    lines: int = 0


def _lower_kernel(kernel: AnyKernel, target: Target, module: LLVMModule) -> tuple[list[str], set[str]]:
    """Define a kernel; its functions, and those of them that run for a moment."""
    # the prefix keeps a kernel called `exp` apart from the C library's
    named = dataclasses.replace(kernel, name=kernel_name(kernel.name))
    if isinstance(named, Kernel):
        lower_kernel(named, target, module)
    else:
        lower_contraction(named, target, module)
    defined = [name for name in (named.name, f"{named.name}.piece") if module.defines(name)]
    if isinstance(named, Kernel) and _is_brief(named):
        return defined, set(defined)
    # what has no loop only sets others to work
    return defined, set() if " phi " in module.definition(defined[0]) else {defined[0]}


def _is_brief(kernel: Kernel) -> bool:
    work = _work(kernel)
    return work is not None and work <= BRIEF_WORK


def _work(kernel: AnyKernel) -> int | None:
    """Instructions, counting each for every point; None if extents are of the run."""
    work = len(kernel.body) + len(kernel.epilogue) if isinstance(kernel, Kernel) else 1
    for axis in kernel.axes:
        if not isinstance(axis.extent, int):
            return None
        work *= axis.extent
    return work


def _rounds_take_long(program: n.Program, loop: n.While) -> bool:
    """Whether each round of a loop has a kernel with some work, or a call into Python, to which what is around it adds
    little."""
    least = max(BRIEF_WORK, WORK_A_STATEMENT * sum(1 for _ in statements(loop.body)))
    return any(
        least < HOST_WORK if isinstance(s, n.Host) else (_work(program.kernels[s.kernel]) or 0) > least
        for s in loop.body.statements
        if isinstance(s, n.Host | n.Launch)
    )
