"""A backend whose kernels work on a memory of its own, which only transfers reach: programs are interpreted, kernels run by
their reference, and the host's memory is the process's. It takes the CPU's place for tests that are run with it:

    python -m pytest -p tests.numpy_backend tests/test_programs.py
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from jitcore import backends
from jitcore.backends.interpreter.program import ProgramRun
from jitcore.backends.interpreter.program.memory import UNWRITTEN, Memory, Numbers, Region, require
from jitcore.backends.protocol import KernelForm, LoadedProgram, NativeCalls, ProgramError, Surroundings, Words
from jitcore.program import nodes as ir
from jitcore.program.verify import verify_program
from jitcore.signature.steps import EntryPlan
from jitcore.types import DType

_ALIGNMENT: Final = 64


class HostMemory(Memory):
    """The process's memory: blocks at their addresses, and whatever arguments are."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks: dict[int, Region] = {}

    def add(self, raw: Numbers, count: int | None = None) -> Region:
        made = self._blocks[raw.ctypes.data] = Region(raw.ctypes.data, raw, count)
        return made

    def allocate(self, size: int, zeroed: bool) -> int:
        require(size >= 0, "a block of negative size")
        size += ir.BLOCK_HEADER_BYTES
        room = np.full(size + _ALIGNMENT, 0 if zeroed else UNWRITTEN, np.uint8)
        start = -room.ctypes.data % _ALIGNMENT
        return self.add(room[start : start + size], count=1).base

    def block(self, owner: int) -> Region:
        require(owner in self._blocks, "an owner that is no block")
        return self._blocks[owner]

    def change(self, owner: int, by: int) -> None:
        super().change(owner, by)
        if owner in self._blocks and self._blocks[owner].count == 0:
            del self._blocks[owner]

    def load(self, addresses: Numbers, dtype: DType) -> Numbers:
        if not len(addresses):
            return np.zeros(0, dtype.numpy)
        low, raw = _window(addresses, dtype.itemsize)
        places = (addresses - low)[:, None] + np.arange(dtype.itemsize)
        return np.ascontiguousarray(raw[places]).view(dtype.numpy).reshape(-1)

    def store(self, addresses: Numbers, values: Numbers, dtype: DType) -> None:
        if len(addresses):
            low, raw = _window(addresses, dtype.itemsize)
            bytes_ = np.ascontiguousarray(values, dtype.numpy).view(np.uint8).reshape(len(addresses), dtype.itemsize)
            raw[(addresses - low)[:, None] + np.arange(dtype.itemsize)] = bytes_


def _window(addresses: Numbers, size: int) -> tuple[int, Numbers]:
    """The bytes that addresses reach, and where they begin."""
    low, high = int(addresses.min()), int(addresses.max())
    return low, np.frombuffer((ctypes.c_uint8 * (high + size - low)).from_address(low), np.uint8)


_HOST: Final = HostMemory()


class WordRun(ProgramRun):
    """A call of a program on words of 8 bytes."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program, _HOST)

    def read_word(self, index: int, type_: DType | None) -> Any:
        word = self.inputs[index : index + 1]
        if type_ is None:
            return int(word[0])
        if type_.kind == "b":
            return bool(word[0] & 1)
        return word.view(np.uint8)[: type_.itemsize].view(type_.numpy)[0]


class NumPyProgram:
    """A program, to be interpreted."""

    texts: Final[Mapping[str, Callable[[], str]]] = {}
    kept: Final = (0, 0)
    is_settled: Final = True

    def __init__(self, program: ir.Program) -> None:
        self.program = program

    def run(self, in_words: Words) -> Words:
        made = WordRun(self.program)
        left = made.run(in_words)  # type: ignore[arg-type]
        out = np.zeros(max(len(left), 1), np.uint64)
        for k, value in enumerate(left):
            word = out[k : k + 1].view(np.uint8)
            raw = np.asarray(value if isinstance(value, np.generic) else np.uint64(value)).reshape(1).view(np.uint8)
            word[: len(raw)] = raw
        return out

    def failed(self, context: int) -> ProgramError:
        raise AssertionError("no call of it is native")


class _Owner:
    """What NumPy has a result from, which it keeps."""

    def __init__(self, owner: int, interface: dict[str, Any]) -> None:
        self._owner = owner
        self.__array_interface__ = interface

    def __del__(self) -> None:
        _HOST.change(self._owner, -1)


class NumPyBackend:
    """See `jitcore.backends.protocol.Backend`."""

    name: Final = "numpy"
    memory: Final = "numpy"
    launches: int = 0

    def prepare(self, contracted: Iterable[DType]) -> None:
        """There is nothing to be made before."""

    def begin(self, program: ir.Program) -> Callable[[], NumPyProgram]:
        return lambda: self.load(program)

    def load(self, program: ir.Program, *, keep: bool = False) -> NumPyProgram:
        assert program.memory == self.memory
        verify_program(program)
        return NumPyProgram(program)

    def form(self, program: ir.Program, kernel: str) -> KernelForm:
        return KernelForm(1, False)

    def may_vectorise(self, loop: ir.While) -> bool:
        return False

    def entry(self, loaded: LoadedProgram, plan: EntryPlan) -> None:
        return None

    def native_calls(self, base: type[Any], surroundings: Surroundings) -> NativeCalls | None:
        return None

    def prepare_native_calls(self, surroundings: Surroundings) -> None:
        """There are none."""

    def holder(self, owner: int, interface: dict[str, Any]) -> Any:
        return _Owner(owner, interface)


BACKEND: Final = NumPyBackend()


def pytest_configure(config: Any) -> None:
    backends._BACKENDS["CPU"] = __name__
    backends.lookup.cache_clear()


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Of many tests every third."""
    if len(items) > 100:
        items[:] = items[::3]
