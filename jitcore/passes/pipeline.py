"""The order of the passes from typed modules to typed modules, as compilation and `jitcore passes` have it."""

from __future__ import annotations

from typing import Final

from jitcore.passes.count import Count
from jitcore.passes.cse import Cse
from jitcore.passes.dce import Dce
from jitcore.passes.decompose import Decompose
from jitcore.passes.fold import Fold
from jitcore.passes.fuse import Fuse
from jitcore.passes.hoist import Hoist
from jitcore.passes.inline import Inline
from jitcore.passes.registry import Pass
from jitcore.passes.simplify import Simplify

CLEANUP: Final[tuple[Pass, ...]] = (Inline(), Fold(), Simplify(), Fold(), Simplify(), Cse(), Dce())
"""What makes a module smaller. Folding decides branches, whose bodies can then be folded: hence twice."""

OPTIMISATIONS: Final[tuple[Pass, ...]] = (*CLEANUP, Decompose(), *CLEANUP)
"""What a module goes through before kernels are made of it."""

PASSES: Final[tuple[Pass, ...]] = (Inline(), Fold(), Simplify(), Cse(), Dce(), Decompose(), Count(), Hoist(), Fuse())
"""Each pass once, as listed."""
