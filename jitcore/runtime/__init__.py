"""Storage, Tensors, eager evaluation, tapes, and the dispatch of compiled functions."""

# eager sets the evaluator below all others, methods gives Tensors their operators
from jitcore.runtime import eager, methods  # noqa: F401  # pyright: ignore[reportUnusedImport]
