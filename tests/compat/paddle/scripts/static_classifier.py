"""A classifier with batch normalisation and dropout, Adam and a schedule, recorded as a Program."""

import os

os.environ["FLAGS_enable_pir_api"] = "0"  # noqa: SIM112  of Paddle 3: its newer Programs have no clone(for_test=True)

import numpy as np
import paddle
import paddle.nn.functional as F

paddle.enable_static()
paddle.set_default_dtype("float64")
rng = np.random.RandomState(0)
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x = paddle.static.data("x", [None, 6], "float64")
    y = paddle.static.data("y", [None, 1], "int64")
    h = paddle.static.nn.fc(x, 8, activation="relu", name="first")
    h = paddle.static.nn.batch_norm(h, momentum=0.5)
    h = F.dropout(h, 0.5, training=True)
    logits = paddle.static.nn.fc(h, 3, name="last")
    loss = paddle.mean(F.cross_entropy(logits, y))
    accuracy = paddle.static.accuracy(F.softmax(logits), y)
    test = main.clone(for_test=True)
    rate = paddle.optimizer.lr.StepDecay(0.05, step_size=2, gamma=0.5)
    adam = paddle.optimizer.Adam(rate)
    adam.minimize(loss)

executor = paddle.static.Executor(paddle.CPUPlace())
executor.run(startup)
state = {}
for name, shape in (("first.w_0", (6, 8)), ("first.b_0", (8,)), ("last.w_0", (8, 3)), ("last.b_0", (3,))):
    state[name] = rng.standard_normal(shape) * 0.5
paddle.static.set_program_state(main, state)
given = {"x": rng.standard_normal((12, 6)), "y": rng.randint(0, 3, (12, 1))}


found, right = executor.run(test, feed=given, fetch_list=[loss, accuracy])
print("tested", float(found), float(right))
for _ in range(3):  # dropout draws: what is printed does not depend on it
    executor.run(main, feed=given, fetch_list=[loss])
    rate.step()
    print("rate", rate.get_lr())
paddle.disable_static()
