"""Gradients of what a Program computes: by inputs, parameters and what is between, with weights, and of gradients."""

import numpy as np
import paddle

paddle.enable_static()
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x = paddle.static.data("x", [2, 3], "float64")
    x.stop_gradient = False
    weight = paddle.static.create_parameter(
        [3, 2], "float64", default_initializer=paddle.nn.initializer.Assign(np.arange(6.0).reshape(3, 2) * 0.1)
    )
    h = paddle.matmul(x, weight)
    out = paddle.tanh(h)
    loss = paddle.sum(out * out)
    by_x, by_h = paddle.static.gradients([loss], [x, h])
    penalty = paddle.sum(by_x * by_x)
    (twice,) = paddle.static.gradients([penalty], [weight])
    seed = paddle.full([2, 2], 3.0, "float64")
    (weighted,) = paddle.static.gradients([out], [weight], [seed])
    halted = paddle.sum(h * h.detach())
    (half,) = paddle.static.gradients([halted], [weight])
    total = loss + penalty
    pairs = paddle.static.append_backward(total)

executor = paddle.static.Executor()
executor.run(startup)
feed = {"x": np.array([[0.1, -0.2, 0.3], [0.5, 0.4, -0.6]])}
for array in executor.run(main, feed=feed, fetch_list=[loss, by_x, by_h, twice, weighted, half, pairs[0][1]]):
    print(*np.asarray(array).reshape(-1).tolist())
paddle.disable_static()
