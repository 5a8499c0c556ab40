"""A layer: the input less its mean, times a weight."""

from jitcore import Parameter, Tensor, nn, ops


class Centred(nn.Cell):
    """weight * (x - mean(x))."""

    def __init__(self, weight):
        super().__init__()
        self.weight = Parameter(Tensor(weight), name="weight")

    def construct(self, x):
        """The output for an input."""
        return self.weight * (x - ops.mean(x))
