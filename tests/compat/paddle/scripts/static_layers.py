"""Layers of several kinds in one Program: their parameters and statistics after some steps of training."""

import numpy as np
import paddle
import paddle.nn.functional as F

paddle.enable_static()
paddle.set_default_dtype("float64")
rng = np.random.RandomState(4)


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = paddle.nn.Conv2D(2, 4, 3, padding=1, bias_attr=False)
        self.norm = paddle.nn.BatchNorm2D(4, momentum=0.8)
        self.words = paddle.nn.Embedding(7, 8)
        self.attend = paddle.nn.MultiHeadAttention(8, 2)
        self.settle = paddle.nn.LayerNorm(8)
        self.frozen = paddle.nn.Linear(8, 8)
        self.last = paddle.nn.Linear(12, 3)
        for parameter in self.frozen.parameters():
            parameter.stop_gradient = True

    def forward(self, image, words):
        seen = F.adaptive_avg_pool2d(F.relu(self.norm(self.conv(image))), 1)
        read = self.words(words)
        read = self.settle(read + self.attend(read, read, read))
        read = F.gelu(self.frozen(paddle.mean(read, axis=1)))
        return self.last(paddle.concat([paddle.flatten(seen, 1), read], axis=-1))


main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    image = paddle.static.data("image", [None, 2, 6, 6], "float64")
    words = paddle.static.data("words", [None, 5], "int64")
    label = paddle.static.data("label", [None], "int64")
    net = Net()
    loss = F.cross_entropy(net(image, words), label)
    paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)

executor = paddle.static.Executor()
executor.run(startup)
paddle.static.set_program_state(main, {p.name: rng.standard_normal(p.shape) * 0.4 for p in net.parameters()})
for step in range(3):
    n = 4 + step
    feed = {
        "image": rng.standard_normal((n, 2, 6, 6)),
        "words": rng.randint(0, 7, (n, 5)),
        "label": rng.randint(0, 3, n),
    }
    (found,) = executor.run(main, feed=feed, fetch_list=[loss])
    print(float(found))
scope = paddle.static.global_scope()
for held in (net.conv.weight, net.norm._mean, net.norm._variance, net.words.weight, net.frozen.weight, net.last.bias):
    print(*np.array(scope.find_var(held.name).get_tensor()).reshape(-1)[:4].tolist())
paddle.disable_static()
