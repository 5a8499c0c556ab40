"""Batches: typed graphs of one row to typed graphs of many.

Before, f of a row x: f32[k]:

    def f(x: f32[k]) -> f32[k]:
        y: f32[k] = exp(x)
        return y

After, of n rows:

    def f_rows(x: f32[n, k]) -> f32[n, k]:
        y: f32[n, k] = exp(x)
        return y

What a batched axis can be added to gets one (`batching`); any other graph is run for one row after the other (`rows`),
which is right for every graph, and the only order of effects and exceptions that is.
"""

from jitcore.passes.transforms.vmap.batching import Vmap

__all__ = ["Vmap"]
