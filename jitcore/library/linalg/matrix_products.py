"""Products of matrices and vectors, with MindSpore's parameters."""

from __future__ import annotations

from jitcore.library.array import arrangement
from jitcore.library.core.declarations import operator

operator("kron Kron")(arrangement.kron)
