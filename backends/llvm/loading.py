"""Programs compiled and loaded."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from jitcore.backends.llvm import linking
from jitcore.backends.llvm.contraction.lowering import contraction_form, has_bounds
from jitcore.backends.llvm.kernels.lowering import kernel_form
from jitcore.backends.llvm.program.function import CONSTANTS, ENTRY_POINT, HOSTS
from jitcore.backends.llvm.program.lowering import LoweredModule, LoweredProgram, lower_program
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host.loaded import MachineCode, NativeProgram
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.link import editions, object_cache
from jitcore.backends.native.link.editions import Later
from jitcore.backends.protocol import KernelForm
from jitcore.kernel.nodes import AnyKernel, Contraction
from jitcore.program.nodes import HOST, HostCall, Program
from jitcore.source import InternalError

_MANY: Final = 48
"""Kernels of a program that is compiled in two editions: its first call takes seconds, half of which LLVM takes to do
its best on them."""
_USES: Final = 2
"""Calls after which the better edition is made: what is called twice is called often. It runs up to a half faster."""
_LONG: Final = 0.005
"""Seconds: reading a file and making sure that it is whole takes a twentieth of it."""


def load(
    program: Program, host_callable: Callable[[HostCall], tuple[object, int]], *, keep: bool = False
) -> NativeProgram:
    """Compile a program for this process. Its code is unloaded when the NativeProgram is dropped: whoever runs it
    must hold it until the call has returned. The code is kept on disk for later processes if it took long to
    make or, with `keep`, in any case. `host_callable` is what code calls for a host call, and the word it is called
    by."""
    return begin(program, host_callable, keep=keep)()


def begin(
    program: Program,
    host_callable: Callable[[HostCall], tuple[object, int]],
    *,
    keep: bool = False,
    waits: bool = True,
) -> Callable[[], NativeProgram]:
    """Have threads begin to compile a program; what gives it, for one call. `waits`: that call comes at once."""
    if program.memory != HOST:
        raise InternalError(f"kernels of a program for {program.memory!r} cannot run on the CPU")
    target = engine.host()
    kept = keep or program.kept
    linking.begin(
        (k.dtype for k in program.kernels.values() if isinstance(k, Contraction) and has_bounds(k)), bounds=True
    )
    made = object_cache.Parts()
    in_editions = len(program.kernels) >= _MANY

    def add(module: LoweredModule, is_last: bool) -> None:
        brief = in_editions and module.level == engine.NO_PASSES
        first = _part(LoweredModule(module.text, engine.BRIEF), target, kept) if brief else None
        made.add(_part(module, target, kept), first, is_last=is_last and waits)

    try:
        lowered = lower_program(program, target, add)
    except BaseException:
        made.stop()
        raise
    return lambda: _linked(program, lowered, made, host_callable, target)


def form(kernel: AnyKernel) -> KernelForm:
    """How a kernel runs on this machine."""
    target = engine.host()
    if isinstance(kernel, Contraction):
        return KernelForm(*contraction_form(kernel, target))
    return KernelForm(*kernel_form(kernel, target))


def _linked(
    program: Program,
    lowered: LoweredProgram,
    made: object_cache.Parts,
    host_callable: Callable[[HostCall], tuple[object, int]],
    target: Target,
) -> NativeProgram:
    def link(codes: list[bytes]) -> engine.LoadedObject:
        return engine.load_object(codes, lowered.exports, linking.symbols(lowered.imports))

    try:
        loaded = made.linked(link)
    finally:
        made.stop()
    constants = [_aligned(array) for array in program.constants]
    callables = [host_callable(call) for call in program.host_calls]

    def filled(loaded: engine.LoadedObject) -> MachineCode:
        _fill(loaded, CONSTANTS, [c.ctypes.data for c in constants])
        _fill(loaded, HOSTS, [address for _, address in callables])
        return MachineCode(loaded.addresses[ENTRY_POINT], (loaded, constants, callables))

    def assembly() -> str:
        return "\n".join(engine.assembly(m.text, m.level, m.functions, target) for m in lowered.modules)

    texts: dict[str, Callable[[], str]] = {"llvm": lambda: lowered.text, "asm": assembly}
    native = NativeProgram(program, filled(loaded), texts, made.kept)
    if made.first:
        native.better = Later(_USES, partial(_improve, weakref.ref(native), made, lambda codes: filled(link(codes))))
    return native


def _improve(
    program: Callable[[], NativeProgram | None], made: object_cache.Parts, code: Callable[[list[bytes]], MachineCode]
) -> None:
    """Put code whose every part is in its better edition in the place of a program's, unless nobody has it any more."""
    codes = list(made.codes)
    for k, part in made.first.items():
        if program() is None or editions.process_ends():
            return
        codes[k] = object_cache.cached(part)
    native = program()
    if native is not None:
        native.code, native.better = code(codes), None


def _part(made: LoweredModule, target: Target, kept: bool | None) -> object_cache.Part:
    def compile_() -> bytes:
        return engine.compile_object(made.text, made.level, made.functions, target)

    return object_cache.Part(made.text, made.level, target, compile_, {None: _LONG, True: 0.0, False: None}[kept])


def _aligned(array: Any) -> Any:
    """A constant where kernels want it: its own copy, so that nobody changes it, at a multiple of 64."""
    size = array.nbytes
    room = np.empty(size + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start : start + size].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _fill(loaded: engine.LoadedObject, table: str, addresses: list[int]) -> None:
    if addresses:
        (ctypes.c_void_p * len(addresses)).from_address(loaded.addresses[table])[:] = addresses
