"""Storage, Tensors, eager evaluation, tapes, and the dispatch of compiled functions."""

from jitcore.runtime import eager  # noqa: F401  # pyright: ignore[reportUnusedImport] # sets the evaluator below all others
