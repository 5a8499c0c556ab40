"""One training step of LeNet-5 with momentum, batch 32: forward, loss, backward, update."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from workload import Run, Workload

Inputs = Mapping[str, np.ndarray]
RATE, MOMENTUM = 0.01, 0.9
SHAPES = {
    "conv1.weight": (6, 1, 5, 5),
    "conv2.weight": (16, 6, 5, 5),
    "fc1.weight": (120, 400),
    "fc1.bias": (120,),
    "fc2.weight": (84, 120),
    "fc2.bias": (84,),
    "fc3.weight": (10, 84),
    "fc3.bias": (10,),
}


def batch_and_weights() -> Inputs:
    random = np.random.default_rng(0)
    made = {name: (random.standard_normal(shape) * 0.1).astype(np.float32) for name, shape in SHAPES.items()}
    made["images"] = random.standard_normal((32, 1, 32, 32)).astype(np.float32)
    made["labels"] = random.integers(0, 10, 32).astype(np.int32)
    return made


def with_jitcore(inputs: Inputs) -> Run:
    from jitcore import Tensor, nn

    class LeNet5(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
            self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
            self.fc1 = nn.Dense(400, 120)
            self.fc2 = nn.Dense(120, 84)
            self.fc3 = nn.Dense(84, 10)
            self.relu = nn.ReLU()
            self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
            self.flatten = nn.Flatten()

        def construct(self, x):
            x = self.pool(self.relu(self.conv1(x)))
            x = self.pool(self.relu(self.conv2(x)))
            x = self.flatten(x)
            x = self.relu(self.fc1(x))
            x = self.relu(self.fc2(x))
            return self.fc3(x)

    net = LeNet5()
    for name, parameter in net.parameters_and_names():
        parameter.set_data(Tensor(inputs[name]))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), learning_rate=RATE, momentum=MOMENTUM)
    )
    step.set_train()
    images, labels = Tensor(inputs["images"]), Tensor(inputs["labels"])
    return lambda: step(images, labels).asnumpy()


def with_jax(inputs: Inputs) -> Run:
    import jax
    import jax.numpy as jnp
    from jax import lax

    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

    def convolve(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "VALID")

    def loss(weights, images, labels):
        x = pool(jax.nn.relu(convolve(images, weights["conv1.weight"])))
        x = pool(jax.nn.relu(convolve(x, weights["conv2.weight"]))).reshape(images.shape[0], -1)
        x = jax.nn.relu(x @ weights["fc1.weight"].T + weights["fc1.bias"])
        x = jax.nn.relu(x @ weights["fc2.weight"].T + weights["fc2.bias"])
        x = x @ weights["fc3.weight"].T + weights["fc3.bias"]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], axis=1))

    def step(weights, moments, images, labels):
        value, gradients = jax.value_and_grad(loss)(weights, images, labels)
        moments = jax.tree.map(lambda m, g: MOMENTUM * m + g, moments, gradients)
        weights = jax.tree.map(lambda w, m: w - RATE * m, weights, moments)
        return weights, moments, value

    compiled = jax.jit(step, donate_argnums=(0, 1))
    weights = {name: jax.device_put(inputs[name]) for name in SHAPES}
    moments = jax.tree.map(jnp.zeros_like, weights)
    images, labels = jax.device_put(inputs["images"]), jax.device_put(inputs["labels"])

    def run():
        nonlocal weights, moments
        weights, moments, value = compiled(weights, moments, images, labels)
        return np.asarray(value)

    return run


WORKLOADS = [
    Workload(
        "lenet_step",
        "a training step of LeNet-5, batch 32, with momentum (the result compared is the first loss)",
        {"jitcore": with_jitcore, "jax": with_jax},
        batch_and_weights,
    )
]
