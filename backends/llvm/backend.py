"""The backend: it loads programs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from jitcore.backends.llvm import linking
from jitcore.backends.llvm.program.function import CONSTANTS, ENTRY_POINT, HOSTS
from jitcore.backends.llvm.program.lowering import LoweredModule, lower_program
from jitcore.backends.native.engine import engine
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.link import object_cache
from jitcore.backends.protocol import LoadedProgram
from jitcore.program.nodes import HostCall, Program
from jitcore.structs import dataclass
from jitcore.types import DType

_LONG: Final = 0.005
"""Seconds: reading a file and making sure that it is whole takes a twentieth of it."""


@dataclass(frozen=True, slots=True)
class LLVMBackend:
    """See `backends.protocol.Backend`. `host_callable` is what code calls for a host call, and where it is called."""

    host_callable: Callable[[HostCall], tuple[object, int]]
    name: str = "llvm"

    def prepare(self, contracted: Iterable[DType]) -> None:
        """See `backends.protocol.Backend`."""
        linking.begin(contracted)

    def load(self, program: Program, *, keep: bool = False) -> LoadedProgram:
        """Compile a program for this process. Its code is unloaded when the LoadedProgram is dropped: whoever runs it
        must hold it until the call has returned. The code is kept on disk for later processes if it took long to
        make or, with `keep`, in any case."""
        target = engine.host()
        made = object_cache.Parts()
        try:
            lowered = lower_program(program, target, lambda module: made.add(_part(module, target, keep)))

            def link(codes: list[bytes]) -> engine.LoadedObject:
                return engine.load_object(codes, lowered.exports, linking.symbols(lowered.imports))

            loaded = made.linked(link)
        finally:
            made.stop()
        constants = [_aligned(array) for array in program.constants]
        callables = [self.host_callable(call) for call in program.host_calls]
        _fill(loaded, CONSTANTS, [c.ctypes.data for c in constants])
        _fill(loaded, HOSTS, [address for _, address in callables])

        def assembly() -> str:
            return "\n".join(engine.assembly(m.text, m.level, m.functions, target) for m in lowered.modules)

        texts: dict[str, Callable[[], str]] = {"llvm": lambda: lowered.text, "asm": assembly}
        return LoadedProgram(program, loaded.addresses[ENTRY_POINT], texts, (loaded, constants, callables))


def _part(made: LoweredModule, target: Target, keep: bool) -> object_cache.Part:
    def compile_() -> bytes:
        return engine.compile_object(made.text, made.level, made.functions, target)

    return object_cache.Part(made.text, made.level, target, compile_, 0.0 if keep else _LONG)


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
