"""An optimizer: steps of one size in the direction of the momentum's sign."""

from jitcore import ops
from jitcore.nn.optimizer import Optimizer


class Signed(Optimizer):
    """v = b * v + (1 - b) * g; p = p - lr * sign(v)."""

    def __init__(self, params, learning_rate=0.1, momentum=0.9):
        super().__init__(learning_rate, params)
        self.momentum = momentum
        self.moments = self.state_like("moments")

    def construct(self, gradients):
        """Change the Parameters by their gradients."""
        for p, g, v, lr in zip(self.parameters, self.prepared(gradients), self.moments, self.rates_now(), strict=True):
            ops.assign(v, v * self.momentum + g * (1.0 - self.momentum))
            ops.assign(p, p - lr * ops.sign(v))
        self.count_step()
        return True
