"""Training steps of the reference networks, with the optimizers of `nn` and `nn.grouped`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from compile_programs import networks
from compile_programs.program import Prepared, Program
from jitcore import nn
from jitcore.nn import grouped

Optimizer = Callable[[Any], Any]

OPTIMIZERS: dict[str, Optimizer] = {
    "SGD": lambda p: nn.SGD(p, 0.01, momentum=0.9),
    "Momentum": lambda p: nn.Momentum(p, 0.01, 0.9),
    "Adam": lambda p: nn.Adam(p, 0.01),
    "AdamW": lambda p: nn.AdamW(p, 0.01),
    "AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, 0.01),
    "AdamOffload": lambda p: nn.AdamOffload(p, 0.01),
    "LazyAdam": lambda p: nn.LazyAdam(p, 0.01),
    "AdaMax": lambda p: nn.AdaMax(p, 0.01),
    "Adagrad": lambda p: nn.Adagrad(p),
    "Adadelta": lambda p: nn.Adadelta(p),
    "AdaFactor": lambda p: nn.AdaFactor(p),
    "ASGD": lambda p: nn.ASGD(p, 0.01),
    "FTRL": lambda p: nn.FTRL(p),
    "Lamb": lambda p: nn.Lamb(p, 0.01),
    "LARS": lambda p: nn.LARS(nn.Momentum(p, 0.01, 0.9)),
    "ProximalAdagrad": lambda p: nn.ProximalAdagrad(p),
    "RMSProp": lambda p: nn.RMSProp(p, 0.01),
    "Rprop": lambda p: nn.Rprop(p, 0.01),
    "grouped.SGD": lambda p: grouped.SGD(p, 0.01, momentum=0.9),
    "grouped.Adam": lambda p: grouped.Adam(p, 0.01),
    "grouped.AdamW": lambda p: grouped.AdamW(p, 0.01),
}

NETWORKS: dict[str, Callable[[], Any]] = {
    "mlp": networks.mlp,
    "lenet": networks.lenet,
    "rnn": networks.rnn,
    "lstm": networks.lstm,
    "gru": networks.gru,
    "transformer": networks.transformer,
    "resnet18": networks.resnet18,
    "unet2": networks.unet2,
    "unet3": networks.unet,
    "mobilenet_v2": networks.mobilenet_v2,
}


def step(network: Callable[[], Any], optimizer: Optimizer) -> Prepared:
    """A training step of a network."""
    net, batch = network()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean") if len(batch[1].shape) == 1 else nn.MSELoss()
    train = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer(net.trainable_params()))
    train.set_train()
    return Prepared(lambda: train(*batch).asnumpy(), len(net.trainable_params()))


def inference(network: Callable[[], Any]) -> Prepared:
    """A network alone."""
    net, batch = network()
    net.set_train(False)
    return Prepared(lambda: net(batch[0]).asnumpy(), len(net.trainable_params()))


def _pair(network: str, optimizer: str) -> Program:
    return Program(f"{network} {optimizer}", partial(step, NETWORKS[network], OPTIMIZERS[optimizer]), whole=True)


def all_pairs() -> list[Program]:
    """Every network with every optimizer."""
    return [_pair(network, optimizer) for network in NETWORKS for optimizer in OPTIMIZERS]


PROGRAMS = [
    *(_pair("lenet", optimizer) for optimizer in OPTIMIZERS),
    *(_pair("mlp", optimizer) for optimizer in ("SGD", "grouped.AdamW")),
    *(_pair(network, "Momentum") for network in ("rnn", "lstm", "gru")),
    *(
        _pair(network, optimizer)
        for network in ("transformer", "resnet18", "unet2", "unet3", "mobilenet_v2")
        for optimizer in ("SGD", "grouped.SGD")
    ),
    Program("mobilenet_v2 inference", partial(inference, networks.mobilenet_v2), whole=True),
    *(
        Program(
            f"{count} parameters {optimizer}",
            partial(step, partial(networks.mlp_of, count), OPTIMIZERS[optimizer]),
            True,
        )
        for optimizer in ("SGD", "grouped.SGD")
        for count in (11, 20, 38, 74, 150)
    ),
]
