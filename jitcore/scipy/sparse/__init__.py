"""Iterative solvers, for matrices that are Tensors, sparse Tensors or functions."""

from jitcore.scipy.sparse import linalg

__all__ = ["linalg"]
