"""The machines that code is made for."""

from __future__ import annotations

from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A machine to compile for. `vector_bytes` is the width of its vector registers; 16 where it has none."""

    triple: str
    cpu: str
    features: str
    data_layout: str
    vector_bytes: int
    has_fma: bool

    @property
    def architecture(self) -> str:
        """The first part of the triple: `x86_64`, `aarch64` …"""
        return self.triple.partition("-")[0]

    @property
    def has_half_conversions(self) -> bool:
        """Whether f16 converts to f32 and back in hardware."""
        return "+f16c" in self.features.split(",") or self.architecture in ("aarch64", "arm64")

    def lanes(self, itemsize: int) -> int:
        """How many elements of `itemsize` bytes fill a vector register."""
        return max(self.vector_bytes // itemsize, 1)
