"""Branches and loops of Programs, with gradients through them."""

import numpy as np
import paddle

paddle.enable_static()
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x = paddle.static.data("x", [3], "float64")
    n = paddle.static.data("n", [1], "int64")
    x.stop_gradient = False
    count = paddle.full([1], 0, "int64")

    def more(k, value):
        return k < n

    def step(k, value):
        return [k + 1, paddle.tanh(value * 1.5) + x]

    count, value = paddle.static.nn.while_loop(more, step, [count, x])
    chosen = paddle.static.nn.cond(
        paddle.sum(value) > 0.0, lambda: paddle.exp(value) * 2.0, lambda: paddle.square(value)
    )
    switched = paddle.static.nn.switch_case(
        n, {1: lambda: value + 1.0, 2: lambda: value * 10.0}, lambda: paddle.zeros_like(value)
    )
    cased = paddle.static.nn.case(
        [(paddle.max(x) > 2.0, lambda: value - 100.0), (paddle.min(x) < -2.0, lambda: value + 100.0)],
        lambda: value * 0.5,
    )
    loss = paddle.sum(chosen) + paddle.sum(switched) * 0.1 + paddle.sum(cased) * 0.01
    (grad,) = paddle.static.gradients([loss], [x])

executor = paddle.static.Executor()
for k, given in ((0, [0.5, -0.25, 1.0]), (1, [0.5, -0.25, -3.0]), (2, [2.5, -0.25, 1.0]), (7, [-0.5, -0.75, -1.0])):
    feed = {"x": np.array(given), "n": np.array([k])}
    found = executor.run(main, feed=feed, fetch_list=[count, value, chosen, switched, cased, loss, grad])
    for array in found:
        print(*np.asarray(array).reshape(-1).tolist())
paddle.disable_static()
