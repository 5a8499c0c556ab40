"""Cases of PyTorch's functions: expressions, evaluated by PyTorch itself when facts are recorded, and by jitcore in tests.

A line of `cases/*.txt` is an expression over `torch`, `F` (torch.nn.functional), `np` and operands:

    torch.sum(T(3, 4), 1, keepdim=True)
    T(2, 3).softmax(dim=-1)

`T(*shape)` are floats between -1.3 and 1.3, `P` positive ones, `D` those in float64, `I(*shape, below=7)` ints, `B` truth
values; floats are leaves whose gradients are compared, too. `#` begins a comment, `!` a case that raises.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
_OPERANDS = ("T", "P", "D", "I", "B")


def _floats(*shape: int) -> Any:
    n = int(np.prod(shape))
    return (np.sin(np.arange(1, 1 + n) * 1.7) * 1.3).reshape(shape)


def operand(kind: str, *shape: int, below: int = 7, dtype: str = "") -> Any:
    """The ndarray that an operand of a case is made of."""
    if kind == "I":
        made = (np.arange(int(np.prod(shape))).reshape(shape) * 5 % 11 % below).astype(np.int64)
    elif kind == "B":
        made = _floats(*shape) > 0
    elif kind == "P":
        made = (np.abs(_floats(*shape)) + 0.2).astype(np.float32)
    else:
        made = _floats(*shape).astype(np.float64 if kind == "D" else np.float32)
    return made.astype(dtype) if dtype else made


class _Operands(ast.NodeTransformer):
    """Takes the operands out of an expression."""

    def __init__(self) -> None:
        self.found: list[ast.Call] = []

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in _OPERANDS:
            self.found.append(node)
            return ast.Name(f"a{len(self.found) - 1}", ast.Load())
        return self.generic_visit(node)


class Case:
    """An expression; `function(torch)` is it as a function of its operands, which `arrays()` gives."""

    def __init__(self, text: str) -> None:
        self.raises = text.startswith("!")
        self.text = text.removeprefix("!").strip()
        tree = ast.parse(self.text, mode="eval")
        taken = _Operands()
        body = taken.visit(tree.body)
        self._operands = taken.found
        names = ", ".join(f"a{k}" for k in range(len(taken.found)))
        self._source = f"def case({names}):\n    return {ast.unparse(body)}\n"

    def __repr__(self) -> str:
        return self.text

    def arrays(self) -> list[Any]:
        """New operands, as ndarrays."""
        made = []
        for call in self._operands:
            given = [ast.literal_eval(a) for a in call.args]
            keywords = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
            assert isinstance(call.func, ast.Name)
            made.append(operand(call.func.id, *given, **keywords))
        return made

    def function(self, torch: Any) -> Callable[..., Any]:
        """It as a function of its operands."""
        scope = {"torch": torch, "F": torch.nn.functional, "np": np, "math": math, "nn": torch.nn}
        name = f"<case {self.text}>"
        import linecache

        linecache.cache[name] = (len(self._source), None, self._source.splitlines(True), name)
        exec(compile(self._source, name, "exec"), scope)
        return scope["case"]


def cases(file: Path) -> Iterator[Case]:
    """The cases in a file."""
    for line in file.read_text().splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            yield Case(line)


# --- results, as they are written down ----------------------------------------------------------------


def described(value: Any, torch: Any) -> Any:
    """A result as JSON can hold it."""
    if isinstance(value, torch.Tensor):
        array = value.detach().numpy()
        return {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(array.shape), "values": _listed(array)}
    if isinstance(value, tuple | list):
        return [described(v, torch) for v in value]
    if isinstance(value, float | complex):
        return {"number": repr(value)}
    if isinstance(value, dict):
        return {str(k): described(v, torch) for k, v in value.items()}
    return value if isinstance(value, bool | int | str | None) else {"text": str(value)}


def _listed(array: Any) -> list[Any]:
    flat = array.reshape(-1)
    if flat.dtype.kind == "c":
        return [[float(v.real), float(v.imag)] for v in flat.tolist()]
    if flat.dtype.kind == "f":
        digits = {2: 5, 4: 9}.get(flat.dtype.itemsize, 17)
        return [float(f"{v:.{digits}g}") for v in flat.astype(np.float64).tolist()]
    return flat.tolist()


def tensors(value: Any, torch: Any) -> Iterator[Any]:
    """The Tensors in a result."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from tensors(item, torch)


def evaluated(case: Case, torch: Any, function: Callable[..., Any]) -> Any:
    """What a case gives, and the gradients of a weighted sum of its floats by its operands of floats."""
    leaves = [torch.tensor(a) for a in case.arrays()]
    for leaf in leaves:
        if leaf.is_floating_point() and not case.raises:
            leaf.requires_grad_(True)
    result = function(*leaves)
    total = None
    for tensor in tensors(result, torch):
        if tensor.requires_grad and tensor.is_floating_point():
            weights = torch.tensor(np.cos(np.arange(tensor.numel())).reshape(tuple(tensor.shape)))
            part = (tensor * weights.to(tensor.dtype)).sum().double()
            total = part if total is None else total + part
    if total is not None:
        total.backward()
    gradients = [None if leaf.grad is None else described(leaf.grad, torch) for leaf in leaves]
    return {"result": described(result, torch), "gradients": gradients}


def load(file: Path) -> dict[str, Any]:
    """Recorded facts, by the texts of the cases."""
    return {entry["case"]: entry for entry in map(json.loads, file.read_text().splitlines())}
