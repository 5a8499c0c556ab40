"""The machines that code is made for."""

from __future__ import annotations

from typing import Final

from jitcore.structs import dataclass

COMMON_CACHES: Final = (32 << 10, 512 << 10, 8 << 20)
"""What the data caches hold of a machine that is not known."""


@dataclass(frozen=True, slots=True)
class Target:
    """A machine to compile for. `vector_bytes` is the width of its vector registers; 16 where it has none.
    `caches` are the bytes of its data caches (L1, L2, L3)."""

    triple: str
    cpu: str
    features: str
    data_layout: str
    vector_bytes: int
    has_fma: bool
    caches: tuple[int, int, int] = COMMON_CACHES

    @property
    def architecture(self) -> str:
        """The first part of the triple: `x86_64`, `aarch64` …"""
        return self.triple.partition("-")[0]

    @property
    def system(self) -> str:
        """Its system, as `sys.platform` names it."""
        named = {"linux": "linux", "darwin": "darwin", "macosx": "darwin", "windows": "win32"}
        parts = self.triple.split("-")
        return next((named[p] for part in parts[1:] for p in named if part.startswith(p)), parts[-1])

    @property
    def has_half_conversions(self) -> bool:
        """Whether f16 converts to f32 and back in hardware."""
        return "+f16c" in self.features.split(",") or self.architecture in ("aarch64", "arm64")

    def lanes(self, itemsize: int) -> int:
        """How many elements of `itemsize` bytes fill a vector register."""
        return max(self.vector_bytes // itemsize, 1)
