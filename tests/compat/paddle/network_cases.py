"""Cases of Paddle's layers, losses and functions of networks: expressions, evaluated by Paddle itself when facts are
recorded, and by jitcore in tests.

A line of `networks/*.txt` is an expression over `paddle`, `nn`, `F` (paddle.nn.functional) and operands:

    F.conv2d(T(2, 3, 6, 7), T(4, 3, 3, 3), padding='SAME')
    L(nn.Linear(3, 4), T(2, 3))

`T(*shape)` are floats between -1.3 and 1.3, `P` positive ones, `D` those in float64, `S` ones of either sign,
`I(*shape, below=7)` ints, `B` truth values; gradients of T, P and D are compared, too. `L(layer, …)` is a Layer called
with Parameters of set values, whose gradients are compared as well, `E` one in evaluation. `#` begins a comment.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
_OPERANDS = ("T", "P", "D", "S", "I", "B")


def _floats(*shape: int, shift: float = 0.0) -> Any:
    n = int(np.prod(shape))
    return (np.sin(np.arange(1, 1 + n) * 1.7 + shift) * 1.3).reshape(shape)


def operand(kind: str, *shape: int, below: int = 7, dtype: str = "", shift: float = 0.0) -> Any:
    """The ndarray that an operand of a case is made of."""
    if kind == "I":
        return (np.arange(int(np.prod(shape))).reshape(shape) * 5 % 11 % below).astype(dtype or np.int64)
    if kind == "B":
        made = _floats(*shape) > 0
        made[..., 0] = True
        return made
    if kind == "S":
        return np.sign(_floats(*shape)).astype(np.float32)
    if kind == "P":
        return (np.abs(_floats(*shape, shift=shift)) + 0.2).astype(np.float32)
    return _floats(*shape, shift=shift).astype(np.float64 if kind == "D" else np.float32)


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
    """An expression, with its operands taken out."""

    def __init__(self, text: str) -> None:
        self.text = text
        taken = _Operands()
        body = taken.visit(ast.parse(text, mode="eval").body)
        self._calls = taken.found
        self._code = compile(ast.fix_missing_locations(ast.Expression(body)), f"<case {text}>", "eval")
        self.has_layer = text.startswith(("L(", "E("))

    def __repr__(self) -> str:
        return self.text

    def arrays(self) -> list[tuple[bool, Any]]:
        """(Whether its gradient is compared, an ndarray) of each operand."""
        made: list[tuple[bool, Any]] = []
        for k, call in enumerate(self._calls):
            given = [ast.literal_eval(a) for a in call.args]
            keywords = {str(w.arg): ast.literal_eval(w.value) for w in call.keywords}
            assert isinstance(call.func, ast.Name)
            kind = call.func.id
            made.append(
                (
                    kind in ("T", "P", "D"),
                    operand(kind, *given, **keywords, **({} if kind in "IBS" else {"shift": k * 0.3})),
                )
            )
        return made

    def evaluated(self, paddle: Any, call: Any = None) -> dict[str, Any]:
        """What it gives, and the gradients of a weighted sum of its floats; `call(layer, args, keywords)` calls
        Layers, if they are not to be called as they are."""
        leaves = [paddle.to_tensor(array, stop_gradient=not wanted) for wanted, array in self.arrays()]
        layers: list[Any] = []
        texts: list[str] = []

        def of_layer(layer: Any, *args: Any, **keywords: Any) -> Any:
            fill(layer)
            layers.append(layer)
            texts.append(repr(layer))
            return layer(*args, **keywords) if call is None else call(layer, args, keywords)

        def evaluating(layer: Any, *args: Any, **keywords: Any) -> Any:
            layer.eval()
            return of_layer(layer, *args, **keywords)

        scope = {"paddle": paddle, "nn": paddle.nn, "F": paddle.nn.functional, "L": of_layer, "E": evaluating}
        result = eval(self._code, {**scope, **{f"a{k}": leaf for k, leaf in enumerate(leaves)}})
        total = None
        for tensor in tensors(result, paddle):
            if not tensor.stop_gradient and "float" in str(tensor.dtype):
                weights = np.cos(np.arange(int(np.prod(tensor.shape)))).reshape(list(tensor.shape))
                part = (tensor * paddle.to_tensor(weights).astype(tensor.dtype)).sum().astype("float64")
                total = part if total is None else total + part
        if total is not None:
            total.backward()
        made = {"case": self.text, "result": described(result, paddle)}
        made["gradients"] = [None if leaf.grad is None else described(leaf.grad, paddle) for leaf in leaves]
        if layers:
            made["parameters"] = {
                name: described(p if p.stop_gradient else p.grad, paddle)
                for layer in layers
                for name, p in layer.named_parameters()
            }
            made["text"] = texts
        return made


def fill(layer: Any) -> None:
    """Give the Parameters of a Layer set values."""
    for k, (_, p) in enumerate(layer.named_parameters()):
        if not p.stop_gradient:
            p.set_value((_floats(*p.shape, shift=k * 0.7) * 0.5).astype(str(p.dtype).removeprefix("paddle.")))


def cases(file: Path) -> Iterator[Case]:
    """The cases in a file."""
    for line in file.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield Case(line.strip())


def tensors(value: Any, paddle: Any) -> Iterator[Any]:
    """The Tensors in a result."""
    if isinstance(value, paddle.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from tensors(item, paddle)


def described(value: Any, paddle: Any) -> Any:
    """A result as JSON can hold it."""
    if isinstance(value, paddle.Tensor):
        array = value.detach().numpy()
        dtype = str(value.dtype).removeprefix("paddle.")
        digits = 12 if dtype == "float64" else 7
        flat = [float(f"{v:.{digits}g}") for v in array.reshape(-1).tolist()] if array.dtype.kind == "f" else None
        return {
            "dtype": dtype,
            "shape": list(array.shape),
            "values": array.reshape(-1).tolist() if flat is None else flat,
        }
    if isinstance(value, tuple | list):
        return [described(v, paddle) for v in value]
    return value


def load(file: Path) -> dict[str, Any]:
    """Recorded facts, by the texts of the cases."""
    return {entry["case"]: entry for entry in map(json.loads, file.read_text().splitlines())}
