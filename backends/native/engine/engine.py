"""LLVM in process: the host's target, text to object code, and object code into memory.

Objects are position independent, in the small code model, and name what they need from outside (the C library,
the runtime support, callbacks), so the same bytes serve this process, a cache on disk and later processes.
One LLJIT holds them all, each as a library of its own that is unloaded when its `LoadedObject` is dropped.

Figures (Zen 3, LLVM 22): parse 0.2 ms, emit 1.5 ms + 1 ms a function + 30 µs an instruction (for what is
`BRIEF` 0.8 ms + 0.3 ms + 10 µs), load 0.3 ms; level 1 costs 0.5 ms, level 2 1 ms, for a function of 50 instructions.
That is why a larger pipeline runs only where it pays many times over, on loops for vectors (5 to 10 ms): elsewhere the
lowerings write text that is good as it stands.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import llvmlite.binding as llvm
import numpy as np

from jitcore.backends.native.engine.concurrency import unlocked
from jitcore.backends.native.ir.target import COMMON_CACHES, Target
from jitcore.backends.native.ir.text import with_inlining
from jitcore.config import settings
from jitcore.forking import hold, process_lock
from jitcore.source import InternalError
from jitcore.structs import dataclass, field, replace

_llvm_lock: Any = llvm.ffi.lib._lock  # pyright: ignore[reportPrivateUsage]
"""llvmlite's, around every call of LLVM: while it is held, LLVM holds none of its own."""
hold(_llvm_lock.__enter__, lambda: _llvm_lock.__exit__(None, None, None))


def _vector_bytes(architecture: str, features: Mapping[str, bool]) -> int:
    if architecture in ("x86_64", "amd64", "i386", "i686"):
        if all(features.get(f) for f in ("avx512f", "avx512vl", "avx512dq", "avx512bw")):
            return 64
        if features.get("avx2"):
            return 32
    return 16


_CPU0_CACHES: Final = Path("/sys/devices/system/cpu/cpu0/cache")


def cache_sizes() -> tuple[int, int, int]:
    """Bytes of this machine's data caches (L1, L2, L3) as Linux tells; common sizes where it does not."""
    sizes = list(COMMON_CACHES)
    for index in sorted(_CPU0_CACHES.glob("index*")):
        try:
            kind, level, size = ((index / f).read_text().strip() for f in ("type", "level", "size"))
        except OSError:  # a file that a container hides says nothing about the cache
            continue
        if kind != "Instruction" and level in ("1", "2", "3") and size[-1:] in ("K", "M"):
            sizes[int(level) - 1] = int(size[:-1]) << (10 if size[-1] == "K" else 20)
    return (sizes[0], sizes[1], sizes[2])


_initialised = process_lock()
_target_ready = False
_foreign_ready = False


def _initialise() -> None:
    global _target_ready
    with _initialised:
        if not _target_ready:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            llvm.initialize_native_asmparser()
            _target_ready = True


def _initialise_foreign() -> None:
    """Have LLVM make code for the machines of other architectures."""
    global _foreign_ready
    with _initialised:
        if not _foreign_ready:
            llvm.initialize_all_targets()
            llvm.initialize_all_asmprinters()
            _foreign_ready = True


def is_foreign(triple: str) -> bool:
    """Whether a triple is of another architecture than this machine's."""
    return triple.partition("-")[0] != llvm.get_process_triple().partition("-")[0]


def make_target(triple: str, cpu: str, features: Mapping[str, bool]) -> Target:
    """The target of a CPU with the given features (those not named are as the CPU's name implies), whose caches are of
    common sizes."""
    _initialise()
    if is_foreign(triple):
        _initialise_foreign()
    text = ",".join(f"{'+' if on else '-'}{name}" for name, on in sorted(features.items()))
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=text)
    architecture = triple.partition("-")[0]
    has_fma = bool(features.get("fma")) or architecture in ("aarch64", "arm64")
    return Target(triple, cpu, text, str(machine.target_data), _vector_bytes(architecture, features), has_fma)


@cache
def host() -> Target:
    """The machine this process runs on, asked once."""
    _initialise()
    features = dict(llvm.get_host_cpu_features())
    made = make_target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)
    return replace(made, caches=cache_sizes())


BRIEF: Final = -1
"""Code that runs for a moment: it is emitted in a quarter of the time, and runs at a half of the speed."""
NO_PASSES: Final = 0
"""Text that is good as written: kernels."""
LOCALS: Final = 1
"""Text that is good as written but for variables in memory, which are put into registers."""
LOOPS: Final = 2
"""Clean up scalar code with loops: rotate them, promote variables kept in memory."""
VECTORS: Final = 3
"""Loops of which LLVM is to do several rounds at once."""
EVERYTHING: Final = 4
"""Many short functions that call each other: what is called once, or short, is inlined, and the whole cleaned up."""
LIBRARY: Final = 5
"""As `EVERYTHING`, of what is compiled once on a machine: by LLVM's own pipeline, with what it does to loops."""
_EFFORTS: Final = {BRIEF: 0, NO_PASSES: 1, LOCALS: 1}
"""LLVM's levels of code generation: kernels are no faster at 2."""


def effort(text: str, level: int) -> int:
    """How long LLVM takes for a text, in a unit of its own."""
    return text.count("\n") * (1 if level == BRIEF else 5)


def compile_object(
    text: str, level: int = NO_PASSES, functions: Iterable[str] | None = None, target: Target | None = None
) -> bytes:
    """Object code of a module given as text (without header).

    `level` chooses the passes run on the named `functions` (on all of them if None), and for BRIEF how the machine's
    instructions are chosen. Raises InternalError if the text is not valid LLVM.
    """
    module, machine = _optimised(text, level, functions, target or host())
    return _emitted(module, machine)


def _emitted(module: Any, machine: Any) -> bytes:
    """As `machine.emit_object`, which would let no other thread compile."""
    library = llvm.ffi.lib
    with llvm.ffi.OutputString() as error:
        buffer = unlocked("LLVMPY_TargetMachineEmitToMemory")(machine, module, 1, error)
        if not buffer:
            raise InternalError(f"LLVM gives no code: {error}")
    try:
        return ctypes.string_at(library.LLVMPY_GetBufferStart(buffer), library.LLVMPY_GetBufferSize(buffer))
    finally:
        library.LLVMPY_DisposeMemoryBuffer(buffer)


def assembly(
    text: str, level: int = NO_PASSES, functions: Iterable[str] | None = None, target: Target | None = None
) -> str:
    """The assembly of what `compile_object` makes of the same arguments."""
    module, machine = _optimised(text, level, functions, target or host())
    return machine.emit_assembly(module)


def optimised_text(
    text: str, level: int = NO_PASSES, functions: Iterable[str] | None = None, target: Target | None = None
) -> str:
    """The module that `compile_object` makes code of for the same arguments, as text with its header."""
    module, _ = _optimised(text, level, functions, target or host())
    return str(module)


def machine_for(target: Target) -> Any:
    """LLVM's machine for a target."""
    _initialise()
    return _machine(target)


def _optimised(text: str, level: int, functions: Iterable[str] | None, target: Target) -> tuple[Any, Any]:
    _initialise()
    machine = _machine(target, level)
    text = with_inlining(text) if level == EVERYTHING else text
    header = f'target triple = "{target.triple}"\ntarget datalayout = "{target.data_layout}"\n'
    try:
        module = _parsed(header + text)
        if settings.verify:
            module.verify()
    except RuntimeError as error:
        raise InternalError(f"the backend wrote LLVM text that is not valid: {error}") from error
    if level == EVERYTHING:
        _run_inliner(module, machine)
    elif level in (VECTORS, LIBRARY):
        _run_pipeline(module, machine, level)
    elif level > NO_PASSES:
        _run_passes(module, machine, level, None if functions is None else frozenset(functions))
    return module, machine


def _parsed(text: str) -> Any:
    """A module in a context of its own, as other threads may work on theirs. The context alone frees both: in garbage,
    where a traceback may keep them, the collector ends either of them first."""
    module = llvm.parse_assembly(text, llvm.create_context())
    module._owned = True  # pyright: ignore[reportPrivateUsage] # nothing else keeps `close` from freeing it
    return module


def _machine(target: Target, level: int = NO_PASSES) -> Any:
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=_EFFORTS.get(level, 2), reloc="pic", codemodel="small"
    )


def _run_pipeline(module: Any, machine: Any, level: int) -> None:
    # level 1 inlines, too, and what it leaves out is about loops
    options = llvm.create_pipeline_tuning_options(speed_level=2 if level == LIBRARY else 1)
    options.loop_vectorization = options.loop_interleaving = True
    options.loop_unrolling = False  # takes longer than all the rest
    builder = llvm.create_pass_builder(machine, options)
    unlocked("LLVMPY_RunNewModulePassManager")(builder.getModulePassManager(), module, builder)


def _run_inliner(module: Any, machine: Any) -> None:
    # a tenth of the time of LLVM's own pipeline, whose decisions are those of `with_inlining`, nearly
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    unlocked("LLVMPY_RunNewModulePassManager")(passes, module, builder)


def _run_passes(module: Any, machine: Any, level: int, names: frozenset[str] | None) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    builder = llvm.create_pass_builder(machine, options)
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    if level >= LOOPS:
        # no NewGVN: it ends the process on some functions (an assertion of its own), and makes none faster
        passes.add_loop_rotate_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    for function in module.functions:
        if not function.is_declaration and (names is None or function.name in names):
            unlocked("LLVMPY_RunNewFunctionPassManager")(passes, function, builder)


@dataclass(slots=True)
class LoadedObject:
    """Object code in memory, ready to run; unloaded when the last reference to this is dropped."""

    addresses: Mapping[str, int]
    _library: Any = field(repr=False)


def _kept_from_collector(thing: Any) -> Any:
    """What holds an object where the garbage collector does not look: in an array. So it is no garbage before the array
    has gone, and its `__del__` never runs before another's in the same garbage, which may call it."""
    holder = np.empty((), object)
    holder[()] = thing
    return holder


_LIBRARIES = 256
"""An LLJIT looks for a library's name among all that it has ever linked: after so many the next begins with none. What
an earlier one has linked keeps it; with the last of these it goes."""


class _Linker:
    """The LLJIT that links, and a number to name the next library."""

    def __init__(self) -> None:
        _initialise()
        self._jit = self._made()
        self._count = 0
        self._lock = process_lock()

    @staticmethod
    def _made() -> Any:
        # JITLink takes memory for all sections of an object at once. LLVM's older linker takes it section by section,
        # and ends the process where these come to lie more than 2 GB apart
        return llvm.create_lljit_compiler(_machine(host()), use_jit_link=True)

    def load(self, codes: Iterable[bytes], exports: Iterable[str], symbols: Mapping[str, int]) -> LoadedObject:
        with self._lock:
            self._count += 1
            if self._count % _LIBRARIES == 0:
                self._jit = self._made()
            jit, name = self._jit, f"jitcore.{os.getpid()}.{self._count}"
        library = llvm.JITLibraryBuilder()
        for code in codes:
            library.add_object_img(code)
        library.add_current_process()
        for symbol, address in symbols.items():
            library.import_symbol(symbol, address)
        exported = tuple(exports)
        for symbol in exported:
            library.export_symbol(symbol)
        tracker = library.link(jit, name)
        return LoadedObject({symbol: tracker[symbol] for symbol in exported}, _kept_from_collector(tracker))


_T = TypeVar("_T")


def once(make: Callable[[], _T]) -> Callable[[], _T]:
    """A decorator: what the function makes is made when first asked for, once even if several threads ask, and lives
    until the process ends. So must code that others may still call when Python has begun to take itself apart: arrays
    over the pool's blocks are among the last things to go.
    """
    lock = process_lock()
    made: list[_T] = []

    @wraps(make)
    def get() -> _T:
        if not made:
            with lock:
                if not made:
                    thing = make()
                    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
                    made.append(thing)
        return made[0]

    return get


@once
def _linker() -> _Linker:
    return _Linker()


def load_object(
    code: bytes | Sequence[bytes], exports: Iterable[str], symbols: Mapping[str, int] | None = None
) -> LoadedObject:
    """Load object code, several objects as one: `exports` are the names whose addresses are wanted, `symbols` what it
    needs from outside besides the C library and everything else this process has loaded."""
    return _linker().load((code,) if isinstance(code, bytes) else code, exports, symbols or {})
