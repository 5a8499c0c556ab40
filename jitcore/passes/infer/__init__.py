"""Inference: untyped graphs and abstract arguments to typed ANF.

Before (the untyped graph of `def f(x, k): return x * k + 1`):

    a = py_binary(x, k, op='*')
    b = py_binary(a, 1, op='+')
    return b

After, for a Tensor and a float:

    def f(x: f32[4], k: f64) -> f32[4]:
        a: f32[()] = from_scalar(k, dtype=f32)
        b: f32[4] = mul(x, a)
        c: f32[4] = add(b, f32(1.0))
        return c

Read `values` (what is known of a value), `forms` (joins), `core` (the state), `abstract` (Python's operations on
values), `operations` (what each operator does), then `calls`, `loops` and `entry`.
"""

from jitcore.discovery import modules_in
from jitcore.passes.infer.core import Environment
from jitcore.passes.infer.entry import infer

__all__ = ["Environment", "infer"]

# some model what is declared below them (`modelled`) or what Python's functions do (`models`), or handle operators
modules_in(__name__, __path__)
