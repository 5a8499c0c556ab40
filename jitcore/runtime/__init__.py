"""Storage, Tensors, eager evaluation, tapes, and the dispatch of compiled functions."""

# eager sets the evaluator below all others, methods gives Tensors their operators, all what Tensors ask for
from jitcore.runtime import (
    eager,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    foreign,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    hooks,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    methods,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    numpy_protocol,  # noqa: F401  # pyright: ignore[reportUnusedImport]
)
