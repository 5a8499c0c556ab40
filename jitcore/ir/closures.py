"""A function whose closure is put in place of its own: what it reads there as variables around its graph."""

from __future__ import annotations

from dataclasses import replace
from types import CellType, FunctionType

from jitcore.ir.nodes import Binding, Var
from jitcore.ir.python import FunctionSource
from jitcore.ir.rewrite import Rewriter


def without_closure(function: FunctionType) -> FunctionType:
    """A function of the same code and globals that holds nothing else."""
    code = function.__code__
    return FunctionType(
        code, function.__globals__, function.__name__, None, tuple(CellType() for _ in code.co_freevars)
    )


def with_variables(source: FunctionSource) -> tuple[FunctionSource, tuple[Var, ...]]:
    """A function's source with the variables of its closure as free variables of its graph, and these, in the closure's
    order."""
    around = {name: Var(name, None, source.span) for name in source.function.__code__.co_freevars}
    return replace(source, graph=_FromAround(around).graph(source.graph)), tuple(around.values())


class _FromAround(Rewriter):
    """Reads variables in place of the function's own closure."""

    def __init__(self, around: dict[str, Var]) -> None:
        super().__init__()
        self.around = around

    def rewrite(self, binding: Binding) -> tuple[Binding, ...]:
        if binding.op.name == "py_free":
            self.replaced[binding.outs[0]] = self.around[binding.params["name"]]
            return ()
        if binding.op.name == "py_function":
            source = replace(binding.params["source"], graph=binding.graphs[0])
            return (replace(binding, params={**binding.params, "source": source}),)
        return (binding,)
