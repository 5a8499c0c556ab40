"""The order of the passes from typed modules to typed modules, as compilation and `jitcore passes` have it."""

from __future__ import annotations

from typing import Final

import jitcore.passes
from jitcore.discovery import modules_in
from jitcore.passes.count import Count
from jitcore.passes.decompose import Decompose
from jitcore.passes.fuse import Fuse
from jitcore.passes.hoist import Hoist
from jitcore.passes.parallel import Parallel
from jitcore.passes.registry import Pass


def _cleaning() -> tuple[Pass, ...]:
    """The passes of this folder's files that clean up, in their order."""
    modules_in(jitcore.passes.__name__, jitcore.passes.__path__)
    found = sorted((at, cls.name, cls()) for cls in Pass.__subclasses__() for at in cls.cleans_up)
    return tuple(made for _, _, made in found)


CLEANUP: Final[tuple[Pass, ...]] = _cleaning()
"""What makes a module smaller. Folding decides branches, whose bodies can then be folded: hence twice."""

OPTIMISATIONS: Final[tuple[Pass, ...]] = (*CLEANUP, Decompose(), *CLEANUP)
"""What a module goes through before kernels are made of it."""

PASSES: Final[tuple[Pass, ...]] = (*dict.fromkeys(CLEANUP), Decompose(), Parallel(), Count(), Hoist(), Fuse())
"""Each pass once, as listed."""
