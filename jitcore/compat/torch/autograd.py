"""`torch.autograd`: gradients of what was computed line by line."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.library.core import marking
from jitcore.runtime import autograd, nodes
from jitcore.runtime import backward as way
from jitcore.runtime.tensor import Tensor, wrap_like


class _Mode:
    """A context, and a decorator, in which gradients are recorded or not."""

    def __init__(self, record: bool) -> None:
        self._record = record
        self._before: list[bool] = []

    @marking.between
    def __enter__(self) -> None:
        self._before.append(nodes.enabled())
        nodes.set_recording(self._record)

    @marking.between
    def __exit__(self, *_: object) -> None:
        nodes.set_recording(self._before.pop())

    @marking.between
    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generate(*args: object, **keywords: object) -> Generator[Any, Any, Any]:
                made = function(*args, **keywords)
                sent: Any = None
                while True:
                    with type(self)._again(self):
                        try:
                            item = made.send(sent)
                        except StopIteration as end:
                            return end.value
                    sent = yield item

            return generate

        @functools.wraps(function)
        def call(*args: object, **keywords: object) -> Any:
            with type(self)._again(self):
                return function(*args, **keywords)

        return call

    @staticmethod
    def _again(mode: _Mode) -> _Mode:
        return _Mode(mode._record)


class no_grad(_Mode):
    """Nothing is recorded: `with torch.no_grad():`, `@torch.no_grad()` or `@torch.no_grad`."""

    def __new__(cls, function: Callable[..., object] | None = None) -> Any:
        return object.__new__(cls) if function is None else _Mode(False)(function)

    def __init__(self, function: Callable[..., object] | None = None) -> None:
        del function
        super().__init__(False)


class enable_grad(_Mode):
    """What is computed is recorded."""

    def __new__(cls, function: Callable[..., object] | None = None) -> Any:
        return object.__new__(cls) if function is None else _Mode(True)(function)

    def __init__(self, function: Callable[..., object] | None = None) -> None:
        del function
        super().__init__(True)


_inference: Final = [False]
"""Whether the innermost `inference_mode` is on."""


class inference_mode(_Mode):
    """Nothing is recorded."""

    def __new__(cls, mode: bool | Callable[..., object] = True) -> Any:
        return inference_mode(True)(mode) if callable(mode) else object.__new__(cls)

    def __init__(self, mode: bool | Callable[..., object] = True) -> None:
        super().__init__(not mode and nodes.enabled())
        self._mode = bool(mode)
        self._outer: list[bool] = []

    @marking.between
    def __enter__(self) -> None:
        super().__enter__()
        self._outer.append(_inference[0])
        _inference[0] = self._mode

    @marking.between
    def __exit__(self, *_: object) -> None:
        _inference[0] = self._outer.pop()
        super().__exit__()

    @staticmethod
    def _again(mode: _Mode) -> _Mode:
        return inference_mode(not mode._record)


@marking.between
def is_inference_mode_enabled() -> bool:
    """Whether this is within `inference_mode`."""
    return _inference[0]


@marking.between
class set_grad_enabled(_Mode):
    """Record from now on, or don't; as a context, until its end."""

    def __init__(self, mode: bool) -> None:
        super().__init__(bool(mode))
        self._before.append(nodes.enabled())
        nodes.set_recording(bool(mode))

    @marking.between
    def __enter__(self) -> None:
        nodes.set_recording(self._record)

    @marking.between
    def __exit__(self, *_: object) -> None:
        nodes.set_recording(self._before[0])


@marking.between
def is_grad_enabled() -> bool:
    """Whether what is computed is recorded."""
    return nodes.enabled()


class GradientFunction:
    """`grad_fn`: what made a Tensor, as PyTorch shows it."""

    def __init__(self, node: nodes.Node) -> None:
        self._node = node

    def name(self) -> str:
        """What was computed."""
        return shown_name(self._node)

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Where gradients go from here."""
        return tuple(_next(edge) for edge in self._node.edges)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradientFunction) and self._node is other._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self._node):#x}>"


class AccumulateGrad:
    """Where the gradient of a leaf is added up."""

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    def name(self) -> str:
        """What it is called."""
        return "torch::autograd::AccumulateGrad"

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self.variable):#x}>"


def _next(edge: nodes.Edge | None) -> tuple[Any, int]:
    if edge is None:
        return None, 0
    return (GradientFunction(edge[0]), edge[1]) if isinstance(edge, tuple) else (AccumulateGrad(edge), 0)


def shown_name(node: nodes.Node) -> str:
    """The name that PyTorch has for what was computed, where it is one operation there."""
    if isinstance(node, nodes.Custom):
        return f"{node.name}Backward"
    name = node.name if node.label is None else node.label.strip("_")
    words = _SHOWN.get(name) or "".join(w.capitalize() for w in name.split("_"))
    return f"{words}Backward0"


_SHOWN: Final = {
    "float_add": "Add", "float_sub": "Sub", "float_mul": "Mul", "truediv": "Div", "reduce_sum": "Sum",
    "reduce_max": "Max", "reduce_min": "Min", "reduce_prod": "Prod", "reshape": "View", "transpose": "Permute",
    "matmul": "Mm", "maximum": "Relu", "select": "Where", "take": "Index", "broadcast_to": "Expand", "cast": "ToCopy",
    "written": "CopySlices", "concat": "Cat", "linear": "Addmm", "mm": "Mm", "subtract": "Sub",
    "cross_entropy": "NllLoss",
    "multiply": "Mul", "divide": "Div", "true_divide": "Div", "flatten": "View", "nll_loss": "NllLoss", "bmm": "Bmm",
    "conv2d": "Convolution", "conv1d": "Convolution", "conv3d": "Convolution", "batch_norm": "NativeBatchNorm",
    "layer_norm": "NativeLayerNorm", "max_pool2d": "MaxPool2DWithIndices", "gelu": "Gelu",
}  # fmt: skip


class RemovableHandle:
    """What registering a hook gives."""

    def __init__(self, remove: Callable[[], None]) -> None:
        self._remove = remove

    def remove(self) -> None:
        """Take the hook away."""
        self._remove()

    @marking.between
    def __enter__(self) -> RemovableHandle:
        return self

    @marking.between
    def __exit__(self, *_: object) -> None:
        self.remove()


# --- the way back -----------------------------------------------------------------------------------


def _sequence(given: object) -> tuple[Any, ...]:
    return (given,) if given is None or isinstance(given, Tensor) else tuple(cast("Iterable[Any]", given))


def _seeds(outputs: Sequence[Any], given: object, create_graph: bool) -> list[tuple[Tensor, Tensor]]:
    """Outputs with their cotangents."""
    seeds = [None] * len(outputs) if given is None else list(_sequence(given))
    if len(seeds) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(seeds)} gradients")
    made: list[tuple[Tensor, Tensor]] = []
    for output, seed in zip(outputs, seeds, strict=True):
        if seed is None:
            if not autograd.needs_gradient(output):
                raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
            if output.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            seed = wrap_like(output, np.ones_like(output.detach().numpy()))
        elif seed.shape != output.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{len(made)}] has a shape of {seed.size()} and output[{len(made)}] "
                f"has a shape of {output.size()}."
            )
        made.append((output, seed if create_graph else nodes.detached(seed)))
    return made


@marking.between
def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Add the gradients of Tensors to the `grad` of what they came of."""
    seeds = _seeds(_sequence(tensors), grad_tensors, create_graph)
    wanted = None if inputs is None else _sequence(inputs)
    if wanted is not None and not wanted:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    way.backward(seeds, inputs=wanted, keep_graph=retain_graph, create_graph=create_graph)


@marking.between
def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Iterable[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of outputs by inputs. Raises RuntimeError for inputs that need no gradient, or are not used unless
    `allow_unused`."""
    if not only_inputs:
        words = "only_inputs argument is deprecated and is ignored now (defaults to True)."
        warnings.warn(
            f"{words} To accumulate gradient for other parts of the graph, use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched: take one gradient after the other, or use torch.func.vmap")
    wanted = _sequence(inputs)
    for tensor in wanted:
        if not autograd.needs_gradient(tensor):
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    seeds = _seeds(_sequence(outputs), grad_outputs, create_graph)
    found: list[Any] = way.gradients(seeds, wanted, keep_graph=retain_graph, create_graph=create_graph)
    for k, (gradient, tensor) in enumerate(zip(found, wanted, strict=True)):
        if gradient is None:
            if materialize_grads:
                found[k] = wrap_like(tensor, np.zeros_like(tensor.detach().numpy()))
            elif not allow_unused:
                raise RuntimeError(
                    "One of the differentiated Tensors appears to not have been used in the graph. Set "
                    "allow_unused=True if this is the desired behavior."
                )
    return tuple(found)
