"""The micro-kernels of contractions as x86 assembly, which LLVM reads in a twentieth of the time that it takes over the
same code in its own language. What an element goes through is the same: one chain of multiply-adds in the order of k.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Final

from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.backends.native.engine import engine
from jitcore.backends.native.ir.target import Target

_INDENT: Final = "  "
_FEATURES: Final = {32: "+avx2", 64: "+avx512dq"}
"""What a target has for vectors of so many bytes."""


def has_assembly(shape: Blocking, target: Target) -> bool:
    """Whether micro-kernels are written so: for AVX2 and AVX-512, and the calling convention and object files of
    Linux, where LLVM reads assembly of the target's."""
    feature = _FEATURES.get(shape.lanes * shape.dtype.itemsize)
    has_vectors = feature is not None and feature in target.features.split(",")
    is_read = target.architecture == "x86_64" and not engine.is_foreign(target.triple)
    return is_read and target.system == "linux" and shape.fma and has_vectors


def micro_kernel(name: str, shape: Blocking, rows: int, vectors: int) -> str:
    """A micro-kernel, as `tile.py` has it, as lines of a module's assembly."""
    lines = "\\0A".join(_Tile(name, shape, rows, vectors).lines())
    return f'module asm "{lines}"\n'


class _Tile:
    """The instructions of a micro-kernel: `kc` is in rdi, `a` in rsi, `b` in rdx, `b_offsets` in rcx, `c` in r8,
    `c_offsets` in r9, and `accumulate` on the stack."""

    def __init__(self, name: str, shape: Blocking, rows: int, vectors: int) -> None:
        self.name, self.rows, self.vectors = name, rows, vectors
        self.size = shape.dtype.itemsize
        self.bytes = shape.lanes * self.size
        self.lanes = shape.lanes
        self.wide = self.bytes >= 64
        self.kind = "ps" if self.size == 4 else "pd"
        self.broadcast = "vbroadcastss" if self.size == 4 else "vbroadcastsd"
        self.scalar = "dword ptr" if self.size == 4 else "qword ptr"
        self.register = "zmm" if self.wide else "ymm"
        self.registers = 32 if self.wide else 16

    def lines(self) -> Iterator[str]:
        yield from (".text", ".intel_syntax noprefix", ".p2align 4", f".type {self.name},@function", f"{self.name}:")
        for line in self._body():
            yield line if line.endswith(":") else _INDENT + line
        yield from (f".size {self.name}, . - {self.name}", ".att_syntax")

    def _body(self) -> Iterator[str]:
        begin, end, store = (f".L{self.name}_{part}" for part in ("k", "end", "store"))
        for i in range(self.rows):  # the tile's places in c are on their way while the sums are made
            yield from (f"mov r10, qword ptr [r9 + {8 * i}]", f"prefetchw [r8 + {self.size}*r10]")
        for k in range(self.rows * self.vectors):
            yield f"vxorps xmm{k}, xmm{k}, xmm{k}"
        yield from ("xor r10d, r10d", "test rdi, rdi", f"jle {end}", ".p2align 4", f"{begin}:")
        yield "mov r11, qword ptr [rcx + 8*r10]"
        yield from self._step()
        yield from (f"add rsi, {self.rows * self.size}", "inc r10", "cmp r10, rdi", f"jl {begin}", f"{end}:")
        yield from ("cmp qword ptr [rsp + 8], 0", f"je {store}", *self._write(accumulate=True), f"{store}:")
        yield from self._write(accumulate=False)

    def _sum(self, row: int, vector: int) -> str:
        return f"{self.register}{row * self.vectors + vector}"

    def _step(self) -> Iterator[str]:
        """The multiply-adds of one k."""
        first = self.rows * self.vectors
        places = [f"[rdx + {self.size}*r11 + {self.bytes * v}]" for v in range(self.vectors)]
        columns = places
        if self.rows > 1:  # otherwise each is used once
            columns = [f"{self.register}{first + v}" for v in range(self.vectors)]
            first += self.vectors
            for column, place in zip(columns, places, strict=True):
                yield f"vmovu{self.kind} {column}, {place}"
        factors = cycle(f"{self.register}{k}" for k in range(first, self.registers))
        for row, factor in enumerate(islice(factors, self.rows)):
            place = f"{self.scalar} [rsi + {self.size * row}]"
            if self.wide and self.rows > 1 and self.vectors == 1:
                yield f"vfmadd231{self.kind} {self._sum(row, 0)}, {columns[0]}, {place}{{1to{self.lanes}}}"
                continue
            yield f"{self.broadcast} {factor}, {place}"
            for v, column in enumerate(columns):
                yield f"vfmadd231{self.kind} {self._sum(row, v)}, {factor}, {column}"

    def _write(self, accumulate: bool) -> Iterator[str]:
        for row in range(self.rows):
            yield f"mov rax, qword ptr [r9 + {8 * row}]"
            for v in range(self.vectors):
                total, place = self._sum(row, v), f"[r8 + {self.size}*rax + {self.bytes * v}]"
                if accumulate:
                    yield f"vadd{self.kind} {total}, {total}, {place}"
                yield f"vmovu{self.kind} {place}, {total}"
        yield from ("vzeroupper", "ret")
