"""Two losses of one Program, each with an optimizer for its own parameters."""

import numpy as np
import paddle
import paddle.nn.functional as F

paddle.enable_static()
paddle.set_default_dtype("float64")
rng = np.random.RandomState(3)
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    noise = paddle.static.data("noise", [None, 2], "float64")
    real = paddle.static.data("real", [None, 3], "float64")
    maker = paddle.nn.Sequential(paddle.nn.Linear(2, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 3))
    judge = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.LeakyReLU(0.2), paddle.nn.Linear(4, 1))
    made = maker(noise)
    judged, other = judge(made), judge(real)
    ones, zeros = paddle.ones_like(judged), paddle.zeros_like(judged)
    judge_loss = F.binary_cross_entropy_with_logits(judge(made.detach()), zeros)
    judge_loss = judge_loss + F.binary_cross_entropy_with_logits(other, ones)
    maker_loss = F.binary_cross_entropy_with_logits(judged, ones)
    paddle.optimizer.Adam(0.1, parameters=maker.parameters()).minimize(maker_loss)
    paddle.optimizer.SGD(0.3, parameters=judge.parameters()).minimize(judge_loss)

executor = paddle.static.Executor()
executor.run(startup)
paddle.static.set_program_state(
    main, {p.name: rng.standard_normal(p.shape) for p in [*maker.parameters(), *judge.parameters()]}
)
for _ in range(3):
    feed = {"noise": rng.standard_normal((5, 2)), "real": rng.standard_normal((5, 3)) + 1.0}
    print(*(float(np.asarray(v).reshape(-1)[0]) for v in executor.run(main, feed, [judge_loss, maker_loss])))
paddle.disable_static()
