"""A network of Layers is trained as a Program: each optimizer, with a schedule, penalties and clipped gradients."""

import numpy as np
import paddle
import paddle.nn.functional as F

paddle.enable_static()
paddle.set_default_dtype("float64")
L2 = paddle.regularizer.L2Decay(0.01)
MAKES = {
    "SGD": lambda: paddle.optimizer.SGD(0.1, weight_decay=L2),
    "Momentum": lambda: paddle.optimizer.Momentum(0.1, 0.9, use_nesterov=True),
    "Adam": lambda: paddle.optimizer.Adam(0.05, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.1)),
    "AdamW": lambda: paddle.optimizer.AdamW(0.05, weight_decay=0.1),
    "RMSProp": lambda: paddle.optimizer.RMSProp(0.05, centered=True, momentum=0.5),
    "Adagrad": lambda: paddle.optimizer.Adagrad(0.1),
    "Adamax": lambda: paddle.optimizer.Adamax(paddle.optimizer.lr.ExponentialDecay(0.1, 0.5)),
    "Lamb": lambda: paddle.optimizer.Lamb(0.05),
}


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.first = paddle.nn.Linear(5, 7)
        self.last = paddle.nn.Linear(7, 1, weight_attr=paddle.ParamAttr(learning_rate=0.5))

    def forward(self, x):
        return self.last(F.tanh(self.first(x)))


for name, make in MAKES.items():
    rng = np.random.RandomState(1)
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [None, 5], "float64")
        y = paddle.static.data("y", [None, 1], "float64")
        net = Net()
        loss = F.mse_loss(net(x), y)
        optimizer = make()
        optimizer.minimize(loss)
    executor = paddle.static.Executor()
    executor.run(startup)
    weights = {p.name: rng.standard_normal(p.shape) for p in net.parameters()}
    paddle.static.set_program_state(main, weights)
    losses = []
    for step in range(4):
        n = 4 + step
        feed = {"x": rng.standard_normal((n, 5)), "y": rng.standard_normal((n, 1))}
        losses.append(float(executor.run(main, feed=feed, fetch_list=[loss])[0]))
        if name == "Adamax":
            optimizer._learning_rate.step()
    print(name, *losses)
paddle.disable_static()
