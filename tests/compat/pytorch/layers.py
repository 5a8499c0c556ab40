"""Cases of PyTorch's Modules: see `layers.txt`. Run where PyTorch is installed, it writes down what PyTorch gives.

python tests/compat/pytorch/layers.py
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cases import HERE, Case, described, tensors

FACTS = HERE / "facts" / "layers.jsonl"


class Layer:
    """A Module, and what it is called with."""

    def __init__(self, text: str) -> None:
        self.text = text
        module, _, arguments = text.removeprefix("~").partition(" | ")
        self.draws = text.startswith("~")
        self._module = Case(module)
        self._call = Case(f"call({arguments})")

    def __repr__(self) -> str:
        return self.text

    def module(self, torch: Any) -> Any:
        """The Module, its Parameters being the same each time."""
        made = self._module.function(torch)()
        with torch.no_grad():
            for k, parameter in enumerate(made.parameters()):
                count = int(np.prod(tuple(parameter.shape)))
                array = np.cos(np.arange(count) * 1.3 + k) * 0.5
                parameter.copy_(torch.tensor(array.reshape(tuple(parameter.shape))).to(parameter.dtype))
        return made

    def function(self, module: Any, torch: Any) -> Callable[..., Any]:
        """Calling a Module, as a function of the operands."""
        function: Any = self._call.function(torch)
        function.__globals__["call"] = module
        return function

    def leaves(self, torch: Any, required: bool) -> list[Any]:
        """New operands."""
        made = [torch.tensor(a) for a in self._call.arrays()]
        for leaf in made:
            leaf.requires_grad_(required and leaf.is_floating_point())
        return made


def layers() -> Iterator[Layer]:
    """The cases."""
    for line in (HERE / "layers.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield Layer(line)


def state(module: Any, torch: Any) -> Any:
    """All that a Module holds, by name."""
    return {key: described(value, torch) for key, value in module.state_dict().items()}


def trained(layer: Layer, module: Any, torch: Any) -> Any:
    """What a Module gives when training, the gradients, and the buffers then."""
    leaves = layer.leaves(torch, required=True)
    result = layer.function(module, torch)(*leaves)
    total = 0.0
    for tensor in tensors(result, torch):
        if tensor.requires_grad:
            weights = torch.tensor(np.cos(np.arange(tensor.numel())).reshape(tuple(tensor.shape)))
            total = total + (tensor * weights.to(tensor.dtype)).sum().double()
    if isinstance(total, torch.Tensor):
        total.backward()
    gradients = [None if t.grad is None else described(t.grad, torch) for t in (*leaves, *module.parameters())]
    buffers = {name: described(b, torch) for name, b in module.named_buffers()}
    return {"result": described(result, torch), "gradients": gradients, "buffers": buffers}


def used(layer: Layer, module: Any, torch: Any) -> Any:
    """What a Module gives that is not training."""
    with torch.no_grad():
        return described(layer.function(module.eval(), torch)(*layer.leaves(torch, required=False)), torch)


def _fact(layer: Layer, torch: Any) -> Any:
    module = layer.module(torch)
    found = {"case": layer.text, "repr": repr(module), "state": state(module, torch)}
    if not layer.draws:
        found["train"] = trained(layer, module, torch)
    return {**found, "eval": used(layer, module, torch)}


def main() -> None:
    """Record the facts."""
    import torch

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    lines = [json.dumps(_fact(layer, torch)) for layer in layers()]
    FACTS.write_text("\n".join(lines) + "\n")
    print(f"layers: {len(lines)} cases")


if __name__ == "__main__":
    main()
