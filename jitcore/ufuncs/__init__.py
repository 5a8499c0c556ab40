"""numba's other decorators: ufuncs, stencils and C callbacks of Python functions."""

from jitcore.ufuncs.callbacks import carray, cfunc
from jitcore.ufuncs.general import guvectorize
from jitcore.ufuncs.stencils import stencil
from jitcore.ufuncs.vectorizing import vectorize

__all__ = ["carray", "cfunc", "guvectorize", "stencil", "vectorize"]
