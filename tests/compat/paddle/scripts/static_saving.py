"""What a Program keeps is saved and loaded; a Program for inference is saved, loaded and run."""

import os
import tempfile

import numpy as np
import paddle

paddle.enable_static()
rng = np.random.RandomState(2)
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x = paddle.static.data("x", [None, 4], "float64")
    y = paddle.static.data("y", [None, 1], "float64")
    out = paddle.static.nn.fc(x, 1, weight_attr=paddle.ParamAttr(name="w"), bias_attr=paddle.ParamAttr(name="b"))
    loss = paddle.mean(paddle.square(out - y))
    paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)
executor = paddle.static.Executor()
executor.run(startup)
paddle.static.set_program_state(main, {"w": rng.standard_normal((4, 1)), "b": rng.standard_normal(1)})
feed = {"x": rng.standard_normal((5, 4)), "y": rng.standard_normal((5, 1))}


def train(steps):
    return [float(executor.run(main, feed=feed, fetch_list=[loss])[0]) for _ in range(steps)]


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model")
    print(*train(2))
    paddle.static.save(main, path)
    further = train(2)
    executor.run(startup)
    paddle.static.load(main, path, executor)
    print(*further)
    print(*train(2))
    print(sorted(name for name in paddle.static.load_program_state(path) if name in "wb"))
    paddle.static.save_inference_model(os.path.join(folder, "inference"), [x], [out], executor, program=main)
    program, feeds, fetches = paddle.static.load_inference_model(os.path.join(folder, "inference"), executor)
    print(feeds)
    (found,) = executor.run(program, feed={feeds[0]: feed["x"][:3]}, fetch_list=fetches)
    print(*found.reshape(-1).tolist())
paddle.disable_static()
