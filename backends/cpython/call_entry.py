"""Entries and tables of native calls, as Python objects that own the records machine code reads (`signature.records`).

entry = Entry(loaded, plan)
table = Table([entry])
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jitcore.backends.native.host.loaded import NativeProgram
from jitcore.signature import records as r
from jitcore.signature.steps import ArrayResult, Build, EntryPlan, Overlaps, Step

_PUSHES: Final = frozenset((
    r.PUSH_FLOAT, r.PUSH_INT, r.PUSH_BOOL, r.PUSH_COMPLEX, r.PUSH_ARRAY, r.PUSH_TENSOR, r.PUSH_CONSTANT,
    r.PUSH_REGISTER, r.PUSH_CHARACTER, r.PUSH_STRING, r.PUSH_BYTES, r.PUSH_OBJECT,
))  # fmt: skip


class Records:
    """Tables of words, kept in memory with what they point to."""

    __slots__ = ("_kept", "_words")

    _kept: list[Any]
    _words: ctypes.Array[ctypes.c_int64]

    def _table(self, words: Any) -> int:
        """The address of words kept with this entry."""
        values = tuple(words)
        if not values:
            return 0
        made = (ctypes.c_int64 * len(values))(*values)
        self._kept.append(made)
        return ctypes.addressof(made)

    def _object(self, value: Any) -> int:
        """The address of an object kept with this entry."""
        self._kept.append(value)
        return id(value)

    def _result(self, result: ArrayResult) -> list[int]:
        words = [0] * r.RESULT_WORDS
        words[r.RESULT_WORD] = result.word
        words[r.RESULT_RANK] = result.rank
        words[r.RESULT_DESCR] = self._object(result.dtype)
        words[r.RESULT_SCALAR] = int(result.scalar)
        words[r.RESULT_TAG_WORD] = result.tag_word
        words[r.RESULT_TAG] = result.tag
        words[r.RESULT_ITEMSIZE] = result.dtype.itemsize
        return words

    def _build(self, operation: Build) -> list[int]:
        if operation.op == r.SKIP_UNLESS:
            return [operation.op, operation.n, operation.object, operation.other]
        return [operation.op, operation.n, self._object(operation.object), self._object(operation.other)]


class Entry(Records):
    """What serves the calls of one specialisation. Raises ValueError if a call's frame would be too large."""

    __slots__ = ()

    def __init__(
        self,
        loaded: NativeProgram,
        plan: EntryPlan,
    ) -> None:
        program, steps = loaded.program, plan.steps
        self._kept = [loaded, plan.fail]
        arrays = sum(s.op >= r.NDARRAY and s.target >= 0 for s in steps)
        registers = plan.arguments + sum(s.op <= r.STRING for s in steps)
        unpassed = max((2 + 2 * len(s.extents) for s in steps if s.extents is not None), default=1)
        scratch = max(stack_depth(plan.build), 2 * arrays if plan.overlaps is not None else 0, unpassed)
        frame = registers + arrays + program.in_words + program.out_words + len(plan.results) + scratch
        if frame > r.MOST_FRAME_WORDS:
            raise ValueError(f"a frame of {frame} words is too large")
        words = [0] * r.ENTRY_WORDS
        words[r.ARGUMENTS] = plan.arguments
        words[r.KEYWORDS] = self._object(plan.names) if plan.names else 0
        words[r.STEPS] = self._table(word for step in steps for word in self._step(step))
        words[r.STEP_COUNT] = len(steps)
        words[r.REGISTERS] = registers
        words[r.ARRAYS] = arrays
        words[r.IN_WORDS] = program.in_words
        words[r.OUT_WORDS] = program.out_words
        words[r.RESULT_COUNT] = len(plan.results)
        words[r.FRAME_WORDS] = frame
        words[r.RUN] = loaded.run_address
        words[r.OVERLAPS] = 0 if plan.overlaps is None else self._overlaps(plan.overlaps)
        words[r.WRITTEN] = self._table(plan.written)
        words[r.WRITTEN_COUNT] = len(plan.written)
        words[r.FAIL] = id(plan.fail)
        words[r.MEMORY] = plan.memory
        words[r.RECORD] = 0 if plan.record is None else self._object(plan.record)
        words[r.RESULTS] = self._table(word for result in plan.results for word in self._result(result))
        words[r.BUILD] = self._table(word for operation in plan.build for word in self._build(operation))
        words[r.BUILD_COUNT] = len(plan.build)
        self._words = (ctypes.c_int64 * r.ENTRY_WORDS)(*words)

    @property
    def address(self) -> int:
        """Where the record is."""
        return ctypes.addressof(self._words)

    @property
    def calls(self) -> int:
        """How many calls it has served."""
        return self._words[r.CALLS]

    def _step(self, step: Step) -> list[int]:
        words = [0] * r.STEP_WORDS
        words[r.OP] = step.op
        words[r.SOURCE] = step.source
        words[r.TARGET] = step.target
        words[r.COUNT] = step.count
        words[r.MASK] = step.mask
        words[r.FLAGS] = step.flags
        words[r.OBJECT] = self._object(step.object)
        if step.extents is not None:
            words[r.OTHER] = self._table(step.extents)
            words[r.COUNT] = len(step.extents)
            words[r.TYPE_NUMBER] = step.object.num
        elif step.operations is not None:
            words[r.OTHER] = self._table(step.operations)
            words[r.COUNT] = len(step.operations) // r.OPERATION_WORDS
        elif step.table is not None:
            self._kept.append(step.table)
            words[r.OTHER] = ctypes.addressof(step.table)
        elif step.other is not None:
            words[r.OTHER] = self._object(step.other)
        words[r.CLASS] = 0 if step.cls is None else self._object(step.cls)
        if step.kept is not None:
            self._kept.append(step.kept)
        return words

    def _overlaps(self, overlaps: Overlaps) -> int:
        """Item sizes, then a byte for each pair."""
        count = len(overlaps.itemsizes)
        matrix = bytearray(count * count)
        for i, j in overlaps.pairs:
            matrix[i * count + j] = matrix[j * count + i] = 1
        data = np.array(overlaps.itemsizes, np.int64).tobytes() + bytes(matrix)
        made = ctypes.create_string_buffer(data, max(len(data), 1))
        self._kept.append(made)
        return ctypes.addressof(made)


class Table:
    """The entries of one callable, in the order they are tried."""

    __slots__ = ("_words", "entries")

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
        words = [0] * (r.TABLE_ENTRIES + len(self.entries))
        words[r.TABLE_OWNER] = id(self)
        words[r.TABLE_COUNT] = len(self.entries)
        words[r.TABLE_ENTRIES :] = [entry.address for entry in self.entries]
        self._words = (ctypes.c_int64 * len(words))(*words)

    @property
    def address(self) -> int:
        """Where the record is."""
        return ctypes.addressof(self._words)


def stack_depth(build: Sequence[Build]) -> int:
    """The most objects that build operations have on their stack, skipped ones counted too."""
    depth = deepest = 0
    for operation in build:
        if operation.op in _PUSHES:
            depth += 1
        elif operation.op in (r.MAKE_TUPLE, r.CALL, r.CALL_NAMED):
            depth += 1 - operation.n
        elif operation.op in (r.SET_ATTRIBUTE, r.SET_VIEW):
            depth -= 1
        deepest = max(deepest, depth)
    return deepest
