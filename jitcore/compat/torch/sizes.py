"""`torch.Size` and `torch.device`."""

from __future__ import annotations

from typing import Any, ClassVar, SupportsIndex


class Size(tuple[int, ...]):
    """The extents of a Tensor."""

    __slots__ = ()

    _framework: ClassVar[str] = "torch"

    def numel(self) -> int:
        """Their product."""
        total = 1
        for n in self:
            total *= n
        return total

    def __repr__(self) -> str:
        return f"{self._framework}.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, key: SupportsIndex | slice) -> Any:
        found = super().__getitem__(key)
        return type(self)(found) if isinstance(found, tuple) else found

    def __add__(self, other: tuple[Any, ...]) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return type(self)(tuple(self) + tuple(other))


class device:
    """Where memory is: the CPU."""

    def __init__(self, type: str | device = "cpu", index: int | None = None) -> None:
        name, _, number = str(getattr(type, "type", type)).partition(":")
        if name not in ("cpu", "cuda", "meta", "mps", "xpu"):
            raise RuntimeError(
                f"Expected one of cpu, cuda, mps, xpu, meta device type at start of device string: {name}"
            )
        self.type = name
        self.index = int(number) if number else index

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))
