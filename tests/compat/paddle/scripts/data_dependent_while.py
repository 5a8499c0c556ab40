"""Functions and networks made static, with loops and branches whose course depends on data."""

import numpy as np
import paddle
from paddle import nn

paddle.set_default_dtype("float64")


@paddle.jit.to_static
def collatz(n):
    steps = paddle.zeros([], dtype="int64")
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps


for start in (1, 6, 27, 97):
    print(start, int(collatz(paddle.to_tensor(start))))


@paddle.jit.to_static
def newton(x, tolerance=1e-10):
    guess = x
    count = paddle.to_tensor(0)
    while paddle.abs(guess * guess - x) > tolerance:
        guess = (guess + x / guess) / 2
        count = count + 1
    return guess, count


for value in (2.0, 9.0, 1234.5):
    root, count = newton(paddle.to_tensor(value))
    print("%.10f after %d" % (float(root), int(count)))


class Settling(nn.Layer):
    """A layer applied until its result hardly changes, or often enough."""

    def __init__(self, size):
        super().__init__()
        self.inner = nn.Linear(size, size)
        self.outer = nn.Linear(size, 2)

    @paddle.jit.to_static
    def forward(self, x):
        h = paddle.zeros_like(x)
        change = paddle.ones([])
        rounds = paddle.zeros([], dtype="int64")
        while paddle.logical_and(change > 1e-3, rounds < 30):
            new = paddle.tanh(self.inner(h) + x)
            change = paddle.max(paddle.abs(new - h))
            h = new
            rounds = rounds + 1
        if paddle.mean(h) > 0:
            out = self.outer(h)
        else:
            out = self.outer(-h)
        return out, rounds


net = Settling(3)
for k, param in enumerate(net.parameters()):
    param.set_value(np.sin(np.arange(param.size) * 1.7 + k).reshape(param.shape) * 0.3)
optimizer = paddle.optimizer.SGD(learning_rate=0.2, parameters=net.parameters())
x = paddle.to_tensor(np.cos(np.arange(12.0)).reshape(4, 3))
y = paddle.to_tensor(np.array([0, 1, 1, 0]))
for step in range(5):
    out, rounds = net(x)
    loss = nn.functional.cross_entropy(out, y)
    loss.backward()
    optimizer.step()
    print(
        "step %d: loss %.8f, %d rounds, |gradient| %.8f"
        % (step, float(loss), int(rounds), float(paddle.norm(net.inner.weight.grad)))
    )
    optimizer.clear_grad()
net.eval()
print(net(x[:2])[0].numpy().round(7).tolist())
