"""The library: what `ops.*`, `jitcore.numpy.*`, NumPy's functions, operators and array methods mean, written once over
primitives for eager mode and for graphs. A subject is a folder; `core` has what functions are made with.

These are the plain functions; the layers that publish them mark them with `library(policy)` (`core.marking`). `tables`
says which of them a NumPy function, an operator or a method of an array stands for; `operators` has MindSpore's.
"""
