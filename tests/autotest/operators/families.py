"""Families of operators whose cases are drawn by generators: extents that broadcast, axes, options, several calls."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from jitcore.testing.autotest import Generator, nothing, oneof, random, random_bool, random_tensor, torch

Body = Callable[[], Any]
_FAMILIES: list[tuple[str, Callable[[str], Any]]] = []


def family(names: str) -> Callable[[Callable[[str], Any]], Callable[[str], Any]]:
    """Declare a body for each of several operators: it is called with the operator's name."""

    def declare(body: Callable[[str], Any]) -> Callable[[str], Any]:
        _FAMILIES.extend((name, body) for name in names.split())
        return body

    return declare


def families() -> Iterator[tuple[str, Body]]:
    """The operators with the names of their families, each with a body that is a case of it."""
    for name, body in _FAMILIES:
        yield f"{name}, {body.__name__}", functools.partial(body, name)


def found(name: str) -> Any:
    """The dual object of a dotted name: `torch.sum`, `F.relu`, `nn.Linear`."""
    first, *rest = name.split(".")
    value = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn}[first]
    for part in rest:
        value = getattr(value, part)
    return value


def extents(rank: int) -> list[Any]:
    """Random extents, and such as broadcast with them."""
    return [random(1, 6) for _ in range(rank)]


def like(shape: list[Any]) -> list[Any]:
    """Extents that broadcast with others."""
    return [oneof(n, 1, possibility=[0.7, 0.3]) for n in shape]


def tensor(shape: list[Any], **options: Any) -> Any:
    """A random Tensor of a shape."""
    return random_tensor(len(shape), *shape, **options)


@family(
    "torch.sin torch.cos torch.tanh torch.sigmoid torch.exp torch.expm1 torch.erf torch.atan torch.sinh torch.cosh "
    "torch.asinh torch.square torch.abs torch.neg torch.floor torch.ceil torch.sign torch.sinc torch.exp2 torch.erfc "
    "torch.relu F.relu F.relu6 F.elu F.selu F.celu F.gelu F.silu F.mish F.softplus F.softsign F.hardswish F.hardtanh "
    "F.hardsigmoid F.leaky_relu F.logsigmoid F.tanhshrink F.softshrink F.hardshrink"
)
def of_one_argument(name: str) -> Any:
    """Elementwise functions."""
    return found(name)(random_tensor(dtype=oneof("float32", "float64"), low=-3.0, high=3.0))


@family(
    "torch.sqrt torch.rsqrt torch.log torch.log2 torch.log10 torch.log1p torch.reciprocal torch.lgamma torch.digamma"
)
def of_positive_numbers(name: str) -> Any:
    """Elementwise functions of positive numbers."""
    return found(name)(random_tensor(dtype=oneof("float32", "float64"), low=0.2, high=3.0))


@family("torch.add torch.sub torch.mul torch.div torch.maximum torch.minimum torch.atan2 torch.hypot torch.fmax")
def of_two_arguments(name: str) -> Any:
    """Functions that broadcast; at times one argument is of ints, of lower rank, or a number."""
    shape = extents(random(1, 4).value())
    x = tensor(shape, low=0.3, high=2.0)
    dtype = oneof("float32", "float32", "float64").value()
    y = tensor(like(shape)[random(0, len(shape)).value() :], low=0.3, high=2.0, dtype=dtype)
    return found(name)(x, y)


@family("torch.add torch.sub")
def scaled(name: str) -> Any:
    """With a factor of the second argument."""
    shape = extents(2)
    return found(name)(tensor(shape), tensor(like(shape)), alpha=random(-2.0, 2.0))


@family(
    "torch.sum torch.mean torch.amax torch.amin torch.logsumexp torch.var torch.std torch.prod torch.cumsum torch.cumprod"
)
def reductions(name: str) -> Any:
    """Over a random axis, kept or not."""
    rank = random(1, 5).value()
    axis = random(-rank, rank)
    x = tensor([random(2, 6) for _ in range(rank)], low=0.3, high=2.0)
    if "cum" in name:
        return found(name)(x, axis)
    return found(name)(x, axis, keepdim=random_bool() | nothing())


@family("torch.max torch.min torch.sort torch.argsort torch.median torch.mode torch.cummax torch.cummin torch.argmax")
def orders(name: str) -> Any:
    """Over a random axis; most give named tuples."""
    rank = random(1, 4).value()
    return found(name)(tensor(extents(rank)), random(-rank, rank).value())


@family("torch.topk")
def largest(name: str) -> Any:
    """Some elements along an axis."""
    n = random(2, 6).value()
    return found(name)(tensor([random(1, 4), n]), random(1, n).value(), largest=random_bool())


@family("torch.matmul")
def products(name: str) -> Any:
    """Of vectors, matrices and batches of them."""
    n, k, m, b = (random(1, 5) for _ in range(4))
    left, right = oneof(
        ([n, k], [k, m]), ([k], [k, m]), ([n, k], [k]), ([b, n, k], [k, m]), ([b, n, k], [b, k, m])
    ).value()
    return found(name)(tensor(list(left)), tensor(list(right)))


@family("torch.transpose torch.swapaxes torch.movedim")
def moves(name: str) -> Any:
    """Of two axes; then what lies so in memory is computed with."""
    rank = random(2, 5).value()
    x = tensor(extents(rank))
    return found(name)(x, random(-rank, rank), random(-rank, rank)) * 2.0


@family("torch.cat torch.stack")
def joins(name: str) -> Any:
    """Of two or three Tensors."""
    shape = extents(random(1, 4).value())
    parts = [tensor(shape) for _ in range(random(2, 4).value())]
    return found(name)(parts, random(0, len(shape)).value())


@family("torch.split torch.chunk")
def parts(name: str) -> Any:
    """A tuple of pieces."""
    return found(name)(tensor([random(2, 7), random(2, 5)]), random(1, 4), dim=random(0, 2))


@family("torch.roll torch.flip torch.flatten torch.unsqueeze torch.diff torch.triu torch.tril")
def rearranged(name: str) -> Any:
    """Functions of one Tensor and an axis."""
    x = tensor([random(2, 6), random(2, 6), random(1, 4)])
    axis = random(0, 3).value()
    given = {"roll": (random(-3, 4), axis), "flip": ((axis,),), "diff": (1, axis)}
    return found(name)(x, *given.get(name.rpartition(".")[2], (axis,)))


@family("torch.where")
def choices(name: str) -> Any:
    """By a condition that broadcasts."""
    shape = extents(2)
    return found(name)(tensor(like(shape), dtype=bool), tensor(shape), tensor(like(shape)))


@family("torch.gather torch.index_select torch.take_along_dim")
def indexed(name: str) -> Any:
    """By random ints along an axis."""
    n, m = random(1, 5), random(1, 6)
    x = tensor([n, m])
    if "select" in name:
        return found(name)(x, 1, random_tensor(1, random(1, 5), low=0, high=m, dtype=int))
    indices = tensor([n, random(1, 5)], low=0, high=m, dtype=int)
    return found(name)(x, indices, 1) if "along" in name else found(name)(x, 1, indices)


@family("F.softmax F.log_softmax F.softmin F.normalize F.glu")
def along_an_axis(name: str) -> Any:
    """Functions of networks along an axis."""
    rank = random(1, 4).value()
    return found(name)(tensor([random(1, 4) * 2 for _ in range(rank)]), dim=random(-rank, rank).value())


def _reduction() -> Generator:
    return oneof("mean", "sum", "none") | nothing()


@family("F.mse_loss F.l1_loss F.smooth_l1_loss F.huber_loss F.kl_div F.soft_margin_loss F.poisson_nll_loss")
def losses(name: str) -> Any:
    """Of what is given and what is wanted."""
    shape = extents(random(1, 4).value())
    return found(name)(tensor(shape), tensor(shape, low=0.1, requires_grad=False), reduction=_reduction())


@family("F.cross_entropy F.nll_loss F.multi_margin_loss")
def of_classes(name: str) -> Any:
    """Of scores and classes."""
    n, c = random(1, 5), random(2, 6)
    return found(name)(tensor([n, c]), tensor([n], low=0, high=c, dtype=int), reduction=_reduction())


@family("F.conv1d F.conv2d F.conv3d")
def convolutions(name: str) -> Any:
    """With random windows, steps, borders and groups."""
    rank = int(name[-2])
    groups, window = random(1, 3), random(1, 4)
    inner, outer = random(1, 3), random(1, 3)
    x = tensor([random(1, 3), inner * groups, *[random(5, 8) for _ in range(rank)]])
    weight = tensor([outer * groups, inner, *[window] * rank])
    options = {"stride": random(1, 3), "padding": random(0, 2), "dilation": random(1, 3), "groups": groups}
    return found(name)(x, weight, tensor([outer * groups]) if random_bool().value() else None, **options)


@family("F.max_pool1d F.max_pool2d F.avg_pool1d F.avg_pool2d")
def pools(name: str) -> Any:
    """With random windows and steps."""
    rank = int(name[-2])
    x = tensor([random(1, 3), random(1, 4), *[random(5, 9) for _ in range(rank)]])
    return found(name)(x, random(2, 5), stride=random(1, 4) | nothing(), padding=random(0, 2), ceil_mode=random_bool())


@family("nn.Linear")
def linear_layers(name: str) -> Any:
    """A chain of layers, training or not."""
    k, m = random(1, 6), random(1, 8)
    layer = torch.nn.Sequential(found(name)(k, m, bias=random_bool()), torch.nn.Tanh(), found(name)(m, 2))
    layer.train(random_bool())
    return layer(tensor([random(1, 5), k]))


@family("nn.Conv2d nn.ConvTranspose2d")
def convolution_layers(name: str) -> Any:
    """With random channels and windows."""
    channels = random(1, 4)
    layer = found(name)(channels, random(1, 4), random(1, 4), stride=random(1, 3), padding=random(0, 1))
    return layer(tensor([random(1, 3), channels, random(4, 7), random(4, 7)]))


@family("nn.BatchNorm1d nn.LayerNorm nn.GroupNorm nn.InstanceNorm1d")
def normalisations(name: str) -> Any:
    """Layers that normalise, training or not."""
    channels = random(1, 4) * 2
    n = random(2, 6)
    given = {"LayerNorm": (n,), "GroupNorm": (2, channels)}.get(name[3:], (channels,))
    layer = found(name)(*given)
    layer.train(random_bool())
    return layer(tensor([random(2, 5), channels, n]))


@family("nn.LSTM nn.GRU nn.RNN")
def recurrent_layers(name: str) -> Any:
    """Over a few steps."""
    size = random(1, 4)
    layer = found(name)(size, random(1, 4), num_layers=random(1, 3), batch_first=random_bool())
    return layer(tensor([random(1, 4), random(1, 4), size]))[0]


@family("torch.Tensor.clamp_ torch.Tensor.mul_ torch.Tensor.add_ torch.Tensor.masked_fill_ torch.Tensor.relu_")
def in_place(name: str) -> Any:
    """Methods that write, of what was computed."""
    shape = extents(2)
    x = tensor(shape) * 2.0
    given = {
        "clamp_": lambda: (random(-1.0, 0.0), random(0.0, 1.0)),
        "masked_fill_": lambda: (tensor(like(shape), dtype=bool), 0.5),
        "relu_": lambda: (),
    }
    method = name.rpartition(".")[2]
    return getattr(x, method)(*given.get(method, lambda: (tensor(like(shape)),))())
