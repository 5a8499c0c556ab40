"""Forward mode: typed graphs to typed graphs that compute their values and, beside them, directional derivatives.

Before:

    def f(x: f64) -> f64:
        y: f64 = float_mul(x, x)
        return y

After, with the tangent t of x:

    def f_jvp(x: f64, t: f64) -> (f64, f64):
        y: f64 = float_mul(x, x)
        a: f64 = float_mul(t, x)
        b: f64 = float_mul(t, x)
        c: f64 = float_add(a, b)
        return y, c

(Griewank and Walther, Evaluating Derivatives, 2008, chapter 3.) Every binding stays where it is, its tangent follows
it: effects and exceptions are those of the function. Branches give tangents as further results, loops carry them, a ref
has a tangent ref, and an entry of a stack has the tangents of its floats behind them; what the gradient pass wrote can
be differentiated again.
"""

from jitcore.passes.transforms.jvp.forward_mode import ForwardMode

__all__ = ["ForwardMode"]
