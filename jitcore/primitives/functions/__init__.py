"""The library functions: what `ops.*`, `jitcore.numpy.*`, NumPy's functions, operators and array methods mean, written
once over primitives for eager mode and for graphs (see `primitives.library` for the values they work on).

These are the plain functions; the layers that publish them mark them with `library.library(policy)`. `tables` says
which of them a NumPy function, an operator or a method of an array stands for.
"""
