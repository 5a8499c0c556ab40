"""Options of numba's decorators: those that mean something here, and what there is in the place of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jitcore.runtime.options import INSTEAD

_TARGETS: Final = ("cpu", "parallel")
_WITHOUT_EFFECT: Final = frozenset({"nopython", "cache", "parallel", "nogil", "boundscheck", "looplift", "inline"})
"""What is so anyway: code is native, kept on disk where it took long, uses all cores, and checks its indices."""


def require(decorator: str, options: Mapping[str, object]) -> None:
    """Raise ValueError for a target that there is not, TypeError for options that are not taken."""
    for name, value in options.items():
        if name == "target":
            if value not in _TARGETS:
                raise ValueError(
                    f"{decorator} has the targets 'cpu' and 'parallel', not {value!r}: NumPy's arrays are in the "
                    "host's memory. For a GPU call the plain function under jit with set_context(device_target=…)"
                )
        elif name not in _WITHOUT_EFFECT and value:
            instead = f"; instead: {INSTEAD[name]}" if name in INSTEAD else ""
            raise TypeError(f"{decorator} does not take the option {name}={value!r}{instead}")
