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

Its layers, from low to high: `domain` (abstract values, the heap, joins, and the operations on them that are modelled
above), `engine` (the state, attempts, loops, calls, recursion), `python` and `arrays` (models, which do not know each
other), `boxed` (containers and strings of the run), and `stdlib`. Read `domain.values`, `domain.forms` (joins),
`domain.abstract` (Python's operations on values), `engine.core` (the state), `python.operations` (what each operator
does), then `engine.calls`, `loops` and `entry`.
"""

from jitcore.discovery import modules_in
from jitcore.passes.infer import arrays, boxed, engine, python, stdlib
from jitcore.passes.infer.engine.core import Environment
from jitcore.passes.infer.engine.entry import infer

__all__ = ["Environment", "infer"]

# they model what is declared below them (`modelled`) or what Python's functions do (`models`), or handle operators
for _package in (engine, python, arrays, boxed, stdlib):
    modules_in(_package.__name__, _package.__path__)
