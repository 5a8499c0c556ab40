"""MindSpore's `scipy`: linear algebra, iterative solvers, minimisation. Plain functions over Tensors, compiled as a
program's own are."""

from jitcore.scipy import fft, linalg, optimize, sparse

__all__ = ["fft", "linalg", "optimize", "sparse"]
