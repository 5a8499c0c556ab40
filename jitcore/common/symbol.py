"""What MindSpore's programs say of extents that are not known yet."""

from __future__ import annotations

from typing import Any, ClassVar, Final

_COUNTS: Final = ("max", "min", "divisor", "remainder")


class Symbol:
    """An extent of a Tensor that describes arguments (`Cell.set_inputs`): from `min` to `max` (if that is more), a
    multiple of `divisor` plus `remainder`; with `unique`, the same wherever it stands. The compiler here finds out by
    itself what is true of extents.

    Raises TypeError for what are no ints (`unique`: no bool), ValueError for ints that mean nothing.

    >>> Symbol(divisor=8, remainder=1)
    Symbol(max=0, min=1, divisor=8, remainder=1, unique=False)
    """

    __jitcore_unknown_extent__: ClassVar[bool] = True

    def __init__(
        self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0, unique: bool = False, **keywords: Any
    ) -> None:
        for name, value in zip(_COUNTS, (max, min, divisor, remainder), strict=True):
            if type(value) is not int:
                raise TypeError(f"For 'Symbol', the '{name}' must be int, but got {type(value).__name__}")
        if not isinstance(unique, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"For 'Symbol', the 'unique' must be bool, but got {type(unique).__name__}")
        if min <= 0 or divisor <= 0:
            raise ValueError(f"For 'Symbol', the 'min' and 'divisor' must be positive, but got {min} and {divisor}")
        if not 0 <= remainder < divisor:
            raise ValueError(f"For 'Symbol', the 'remainder' must be in [0, {divisor}), but got {remainder}")
        del keywords
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique

    def __repr__(self) -> str:
        return f"Symbol({', '.join(f'{name}={value}' for name, value in vars(self).items())})"
