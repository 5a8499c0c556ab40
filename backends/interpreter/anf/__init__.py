"""Typed ANF run directly with the primitives' NumPy references, as the oracle of all others.

run(module, [np.arange(3.0), 2])    # → the entry's results
"""

from jitcore.backends.interpreter.anf.interpret import run

__all__ = ["run"]
