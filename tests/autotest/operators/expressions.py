"""Random cases of expressions: those that are compared with recorded facts, over other extents, elements and layouts.

`torch.sum(T(3, 4), 1)` has as operator `torch.sum`, and as cases calls with other elements in the place of `T(3, 4)`,
which is then also `T(5, 2)`, transposed in memory, or in float64. The reference says which of those are sound: what it
refuses of other extents is not compared.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jitcore.structs import dataclass
from jitcore.testing.autotest.calls import ROOT, Call, Operand, placeholder
from jitcore.testing.autotest.draws import Draws
from jitcore.testing.autotest.layouts import LAYOUTS, laid_out

CASES = Path(__file__).resolve().parents[2] / "compat" / "pytorch"
OF_PLAIN_LAYOUT = frozenset(["torch.batch_norm"])
"""Operators whose operands lie plainly in memory: PyTorch's gradient by the input of `batch_norm` reads a weight that is
a view of every other element as if it were not one."""
_OPERANDS = ("T", "P", "D", "I", "B")
_METHODS_OF = {"T": "Tensor", "P": "Tensor", "D": "Tensor", "I": "Tensor", "B": "Tensor"}


@dataclass(frozen=True, slots=True)
class Leaf:
    """An operand of an expression: its letter, extents, the bound of ints, and its dtype if given."""

    letter: str
    shape: tuple[int, ...]
    below: int
    dtype: str


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A line of the cases: its operator, its text over operands, and a module's text if it calls one."""

    operator: str
    line: str
    text: str
    leaves: tuple[Leaf, ...]
    module: str = ""


class _Leaves(ast.NodeTransformer):
    """Takes the operands out of an expression."""

    def __init__(self, first: int) -> None:
        self.found: list[Leaf] = []
        self._first = first

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not (isinstance(node.func, ast.Name) and node.func.id in _OPERANDS):
            return self.generic_visit(node)
        named = {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
        shape = tuple(ast.literal_eval(a) for a in node.args)
        self.found.append(Leaf(node.func.id, shape, named.get("below", 7), named.get("dtype", "")))
        return ast.Name(f"leaf{len(self.found) - 1 + self._first}", ast.Load())


def expressions() -> Iterator[Expression]:
    """All of them, but for those that raise and those that draw random numbers."""
    for file in sorted((CASES / "cases").glob("*.txt")):
        for line in file.read_text().splitlines():
            if line.strip() and line[0] not in "#!" and file.stem != "random":
                yield _parsed(line.strip())
    for line in (CASES / "layers.txt").read_text().splitlines():
        if line and line[0] not in "#~":
            yield _of_layer(line)


def _parsed(line: str) -> Expression:
    tree = ast.parse(line, mode="eval")
    operator = _operator(tree.body)
    taken = _Leaves(0)
    body = ast.unparse(taken.visit(tree.body))
    return Expression(operator, line, _text(body, len(taken.found)), tuple(taken.found))


def _of_layer(line: str) -> Expression:
    module, _, arguments = line.partition(" | ")
    operator = _operator(ast.parse(module, mode="eval").body)
    taken = _Leaves(1)
    body = ast.unparse(taken.visit(ast.parse(f"leaf0({arguments})", mode="eval").body))
    return Expression(operator, line, _text(body, len(taken.found) + 1), tuple(taken.found), module)


def _text(body: str, count: int) -> str:
    """The text of a call: names of packages below the root."""
    tree = _Roots().visit(ast.parse(body, mode="eval"))
    text = ast.unparse(tree).replace("ROOT_", ROOT)
    for k in reversed(range(count)):
        text = text.replace(f"leaf{k}", placeholder(k))
    return text


class _Roots(ast.NodeTransformer):
    """Writes `torch`, `F` and `nn` as names below the root."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        known = {"torch": "ROOT_", "F": "ROOT_.nn.functional", "nn": "ROOT_.nn"}
        return ast.parse(known.get(node.id, node.id), mode="eval").body


def _operator(node: ast.expr) -> str:
    """What an expression is a case of: the outermost function or method that is called."""
    if isinstance(node, ast.Subscript):
        inner = _operator(node.value)
        return "Tensor.__getitem__" if inner == "operand" else inner
    if isinstance(node, ast.Attribute):
        return f"Tensor.{node.attr}" if _operator(node.value) == "operand" else _operator(node.value)
    if isinstance(node, ast.BinOp | ast.UnaryOp):
        return f"Tensor.{type(node.op).__name__}"
    if not isinstance(node, ast.Call):
        return "operand" if isinstance(node, ast.Name) else type(node).__name__
    dotted = ast.unparse(node.func)
    if isinstance(node.func, ast.Name):
        return "operand" if node.func.id in _OPERANDS else node.func.id
    first = dotted.partition(".")[0]
    if first in ("torch", "F", "nn"):
        return dotted if "(" not in dotted else f"Tensor.{dotted.rpartition('.')[2]}"
    return f"Tensor.{dotted.rpartition('.')[2]}"


# --- cases -----------------------------------------------------------------------------------------------


def call_of(expression: Expression, draws: Draws, module: tuple[Any, Any] | None) -> Call:
    """The call of one case: extents and layouts depend on the draws' choices, elements on the case."""
    extents = _extents(expression, draws)
    layouts = () if expression.operator in OF_PLAIN_LAYOUT else LAYOUTS
    operands = [_operand(leaf, extents, draws, layouts) for leaf in expression.leaves]
    if module is not None:
        operands.insert(0, Operand(module=True, setup=_setup(expression, module), of=module))
    return Call(expression.operator, expression.text, tuple(operands), in_place=_writes(expression))


def _writes(expression: Expression) -> bool:
    name = expression.operator.rpartition(".")[2]
    return (name.endswith("_") and not name.endswith("__")) or "inplace=True" in expression.line


def _extents(expression: Expression, draws: Draws) -> dict[int, int]:
    """Other extents in the place of those that an expression has; at first the same."""
    known = sorted({n for leaf in expression.leaves for n in leaf.shape})
    if draws.shape == 0:
        return {n: n for n in known}
    return {n: draws.integer(1, n + 4) if draws.index([1.0, 1.0]) else n for n in known}


def _operand(leaf: Leaf, extents: dict[int, int], draws: Draws, layouts: tuple[str, ...]) -> Operand:
    shape = tuple(extents[n] for n in leaf.shape)
    kinds = {"I": leaf.dtype or "int64", "B": "bool", "D": "float64"}
    dtype = kinds.get(leaf.letter, leaf.dtype or "float32")
    if leaf.letter == "I":
        array = _indices(shape, dtype, leaf.below, draws)
    else:
        array = draws.array(shape, dtype, 0.2 if leaf.letter == "P" else -1.3, 1.5 if leaf.letter == "P" else 1.3)
    layout = draws.layout(layouts) if draws.shape else "plain"
    return Operand(laid_out(array, layout), array.dtype.kind == "f")


def _indices(shape: tuple[int, ...], dtype: str, below: int, draws: Draws) -> Any:
    """Ints below a bound, no two the same if there are enough: what is written twice to one place is not told."""
    if 0 < np.prod(shape, dtype=int) <= below:
        order = np.argsort(draws.array((below,), "float64", 0, 1))
        return order[: np.prod(shape, dtype=int)].reshape(shape).astype(dtype)
    return draws.array(shape, dtype, 0, below)


def modules_of(expression: Expression, draws: Draws, roots: tuple[Any, Any]) -> tuple[Any, Any] | None:
    """The module of an expression on both sides, with the same random parameters; None if it calls none."""
    if not expression.module:
        return None
    pair = tuple(_made(expression.module, root) for root in roots)
    state = {
        name: draws.array(tuple(p.shape), str(p.dtype).removeprefix("torch."), -0.9, 0.9)
        for name, p in pair[0].named_parameters()
    }
    for module, root in zip(pair, roots, strict=True):
        module.load_state_dict({k: root.from_numpy(a.copy()) for k, a in state.items()}, strict=False)
    return pair[0], pair[1]


def _made(text: str, torch: Any) -> Any:
    return eval(text, {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "np": np})


def _setup(expression: Expression, pair: tuple[Any, Any]) -> str:
    """The lines that make a module, in a failure's script."""
    state = ", ".join(
        f"{name!r}: torch.tensor({p.detach().tolist()}, dtype={p.dtype})" for name, p in pair[0].state_dict().items()
    )
    return (
        f"nn = torch.nn\nmade = {expression.module}\n"
        f"made.load_state_dict({{{state}}})\nreturn made.train({pair[0].training})"
    )
