"""Gradients: reverse-mode differentiation of typed graphs, giving typed graphs.

Before:

    def f(x: f64) -> f64:
        y: f64 = float_mul(x, x)
        return y

After, the gradient of f at x (with the cotangent 1.0):

    def f_grad(x: f64) -> f64:
        y: f64 = float_mul(x, x)
        a: f64 = float_mul(1.0, x)
        b: f64 = float_mul(1.0, x)
        c: f64 = float_add(a, b)
        return c

The method is the classic one of an augmented forward program and a backward program that consumes what it left
(Griewank and Walther, Evaluating Derivatives, 2008, chapters 3 and 12); loops and recursion keep residuals on a stack.
"""

from jitcore.passes.transforms.grad.records import Residuals
from jitcore.passes.transforms.grad.reverse import Reverse

__all__ = ["Residuals", "Reverse"]
