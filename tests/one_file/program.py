"""Run with the files of this folder put into a copy of the package: each is all that its part needs."""

import numpy as np

from jitcore import Tensor, grad, jit, jvp, ops, value_and_grad, vmap
from jitcore.config import settings
from jitcore.ir.printer import to_text
from jitcore.library.math.absolute_log import absolute_log
from jitcore.library.statistics.sum_of_squares import sum_of_squares
from jitcore.nn.centred import Centred
from jitcore.nn.signed import Signed
from jitcore.passes.pipeline import CLEANUP, OPTIMISATIONS
from jitcore.passes.registry import run_passes
from jitcore.primitives import PRIMITIVES

X = np.array([[-1.5, 0.5, 2.0], [0.25, -3.0, 1.0]])


def same(got, want):
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-12)


def line_by_line(function, *args):
    settings.jit = False
    try:
        return function(*args)
    finally:
        settings.jit = True


def operation(function, name, value, slope):
    assert name in PRIMITIVES

    def total(x):
        return function(x).sum()

    x = Tensor(X)
    same(jit(lambda x: function(x) + 0.0)(x).asnumpy(), value)
    same(line_by_line(function, x).asnumpy(), value)
    same(jit(vmap(lambda row: function(row)))(x).asnumpy(), value)
    same(jit(grad(total))(x).asnumpy(), slope)
    same(line_by_line(grad(total), x).asnumpy(), slope)
    same(jit(vmap(grad(total)))(x).asnumpy(), slope)
    same(jit(lambda x: jvp(total, x, x)[1])(x).asnumpy(), (slope * X).sum())


def training(run):
    """The last loss and the weight, after each has been called by `run`."""
    net, x = Centred(2.0), Tensor(X)
    same(run(net, x).asnumpy(), 2.0 * (X - X.mean()))
    optimizer = Signed(net.trainable_params(), learning_rate=0.5)
    step = value_and_grad(lambda x: (net(x) * net(x)).sum(), None, optimizer.parameters)
    for _ in range(3):
        value, gradients = run(step, x)
        run(optimizer, gradients)
    return float(value.asnumpy()), float(net.weight.asnumpy())


def traced(x):
    trace(x)  # noqa: F821
    return x + 1.0


operation(absolute_log, "absolute_log", np.log1p(np.abs(X)), np.sign(X) / (1 + np.abs(X)))
operation(ops.absolute_log, "absolute_log", np.log1p(np.abs(X)), np.sign(X) / (1 + np.abs(X)))
operation(sum_of_squares, "sum_of_squares", (X * X).sum(-1), 2 * X)
made = [training(lambda f, *args: f(*args)), training(line_by_line)]
assert made[0][1] == 0.5
same(made[0], made[1])
assert [p.name for p in CLEANUP].count("square_roots") == 1
root = jit(lambda x: np.sqrt(x * x))
same(root(X), np.abs(X))
text = str(to_text(run_passes(root.specialisations[0].compilation.inferred.module, OPTIMISATIONS)))
assert "abs(" in text, text
assert "sqrt(" not in text, text
assert jit(traced)(1.0) == 2.0
print("all run")
