"""The CPU: programs by LLVM, called from CPython and calling it by its C API."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from jitcore.backends.cpython import call_type
from jitcore.backends.cpython.call_entry import Entry
from jitcore.backends.cpython.host_calls import host_callable
from jitcore.backends.llvm import linking, loading, marked
from jitcore.backends.llvm.program.loops import is_for_vectors
from jitcore.backends.llvm.standalone import assembling
from jitcore.backends.native.host.loaded import NativeProgram
from jitcore.backends.native.host.runtime import Owner
from jitcore.backends.protocol import KernelForm, LoadedProgram, MarkedLine, NativeCalls, Surroundings
from jitcore.program.libraries import Library
from jitcore.program.nodes import HOST, Program, While
from jitcore.signature.steps import EntryPlan
from jitcore.types import DType


class CPUBackend:
    """See `backends.protocol.Backend`."""

    name: Final = "cpu"
    memory: Final = HOST

    def prepare(self, contracted: Iterable[DType]) -> None:
        """See `Backend`."""
        linking.begin(contracted)

    def begin(self, program: Program) -> Callable[[], NativeProgram]:
        """See `Backend`."""
        return loading.begin(program, host_callable, waits=False)

    def load(self, program: Program, *, keep: bool = False) -> NativeProgram:
        """See `Backend`."""
        return loading.load(program, host_callable, keep=keep)

    def form(self, program: Program, kernel: str) -> KernelForm:
        """See `Backend`."""
        return loading.form(program.kernels[kernel])

    def may_vectorise(self, loop: While) -> bool:
        """See `Backend`."""
        return is_for_vectors(loop)

    def library(self, wanted: Library, target: str) -> bytes:
        """See `Backend`."""
        names = target.split(",")
        if len(names) > 1:
            return assembling.object_of_several(wanted, names)
        return assembling.object_of(wanted, assembling.target_named(target))

    def marked(
        self, program: Program, statements: Mapping[int, int], kernels: Mapping[str, frozenset[int]]
    ) -> Mapping[str, Sequence[MarkedLine]]:
        """See `Backend`."""
        return marked.marked(program, statements, kernels)

    def entry(self, loaded: LoadedProgram, plan: EntryPlan) -> Entry | None:
        """See `Backend`."""
        try:
            return Entry(cast(NativeProgram, loaded), plan)
        except ValueError:
            return None

    def native_calls(self, base: type[Any], surroundings: Surroundings) -> NativeCalls | None:
        """See `Backend`."""
        return call_type.native_type(base, surroundings)

    def prepare_native_calls(self, surroundings: Surroundings) -> None:
        """See `Backend`."""
        call_type.begin(surroundings)

    def holder(self, owner: int, interface: dict[str, Any]) -> Owner:
        """See `Backend`."""
        return Owner(owner, interface)


BACKEND: Final = CPUBackend()
