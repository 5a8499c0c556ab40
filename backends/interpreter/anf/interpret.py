"""Runs typed ANF modules with the primitives' references.

An exception that the program raises carries the span of the innermost binding that raised it, as its attribute `span`.
Recursion of the program is not recursion of the interpreter: graphs are generators, driven from a stack of their own,
so that programs may recurse far deeper than Python does.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.backends.interpreter.anf.values import Symbols, concrete, conform, literal_value
from jitcore.ir.analysis import free_variables
from jitcore.ir.control import ControlOp
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops.conversions import as_dim, link
from jitcore.primitives.ops.growing import room
from jitcore.primitives.ops.state import attempting, handling
from jitcore.primitives.ops.widening import widen
from jitcore.source import InternalError
from jitcore.structs import dataclass, field
from jitcore.types import STACK

Results: TypeAlias = "tuple[Any, ...]"
Task: TypeAlias = "Generator[Task, Results, Results]"
"""A graph being evaluated: it yields the evaluations it waits for and is sent their results."""

DEPTH_LIMIT: Final = 100_000
"""How many graphs may be under evaluation at once before RecursionError: compiled programs have about 8 MiB of
stack."""


def run(module: Module, args: Sequence[Any]) -> Results:
    """The results of the module's entry for arguments as `values` describes; what is behind refs is changed in
    place."""
    with np.errstate(all="ignore"):
        return _drive(_call(module, module.main, tuple(args)))


def _drive(root: Task) -> Results:
    """Run a task to its end, and the tasks it waits for."""
    stack = [root]
    results: Any = None
    error: Exception | None = None
    while stack:
        task = stack[-1]
        try:
            waits_for = task.send(results) if error is None else task.throw(error)
        except StopIteration as done:
            stack.pop()
            results, error = done.value, None
        except Exception as raised:
            stack.pop()
            error = raised
        else:
            results, error = None, None
            stack.append(waits_for)
            if len(stack) > DEPTH_LIMIT:
                stack.pop()
                error = RecursionError("maximum recursion depth exceeded")
    if error is not None:
        raise error
    return results


@dataclass(slots=True)
class _Frame:
    """One activation of a module's graph: the values of its variables, nested graphs' included, and symbols."""

    module: Module
    values: dict[Var, Any] = field(default_factory=dict[Var, Any])
    symbols: Symbols = field(default_factory=dict[str, int])

    def value(self, atom: Atom) -> Any:
        """What an atom stands for."""
        return literal_value(atom) if isinstance(atom, Literal) else self.values[atom]

    def arguments(self, binding: Binding) -> Results:
        return tuple(self.value(a) for a in binding.args)

    def bind(self, variables: Sequence[Var], values: Sequence[Any], rebind: bool = False) -> None:
        """Give variables their values."""
        if len(variables) != len(values):
            raise InternalError(f"{len(values)} values for {variables}")
        for var, value in zip(variables, values, strict=True):
            self.values[var] = conform(value, var.type, self.symbols, rebind)


def _call(module: Module, graph: Graph, args: Results) -> Task:
    """A graph of the module on arguments."""
    return (yield _graph(_Frame(module), graph, args))


def _graph(frame: _Frame, graph: Graph, args: Results = ()) -> Task:
    """A graph on arguments, nested in what the frame knows. Its symbols end with it."""
    outer = frame.symbols
    frame.symbols = dict(outer)
    try:
        frame.bind(graph.params, args, rebind=True)
        for binding in graph.body:
            yield from _binding(frame, binding)
        return tuple(frame.value(r) for r in graph.results)
    finally:
        frame.symbols = outer


def _binding(frame: _Frame, binding: Binding) -> Generator[Task, Results, None]:
    try:
        if isinstance(binding.op, Primitive):
            renames = binding.op is widen or binding.op is room  # extents get new names, or old names other extents
            frame.bind(binding.outs, _primitive(frame, binding.op, binding), rebind=renames)
        elif isinstance(binding.op, ControlOp):
            results = yield from _CONTROL[binding.op.name](frame, binding)
            frame.bind(binding.outs, results, rebind=True)
        else:
            raise InternalError(f"the interpreter cannot run {binding.op}")
    except Exception as error:
        if not hasattr(error, "span"):
            error.span = binding.span  # type: ignore[attr-defined]
        raise


def _primitive(frame: _Frame, primitive: Primitive, binding: Binding) -> Results:
    args = frame.arguments(binding)
    if primitive is widen:  # whose new names for extents stand for nothing before
        return args
    params = {name: concrete(value, frame.symbols) for name, value in binding.params.items()}
    made = primitive.reference(*args, **params)
    if primitive is as_dim:
        frame.symbols[params["symbol"]] = args[0]
    if not binding.outs:
        return ()
    return made if len(binding.outs) > 1 else (made,)


# --- control flow -----------------------------------------------------------------------------------


def _cond(frame: _Frame, binding: Binding) -> Task:
    then, orelse = binding.graphs
    (condition,) = frame.arguments(binding)
    return (yield _graph(frame, then if condition else orelse))


def _switch(frame: _Frame, binding: Binding) -> Task:
    (index,) = frame.arguments(binding)
    if not 0 <= index < len(binding.graphs):
        raise IndexError(f"switch: index {index} of {len(binding.graphs)} graphs")
    return (yield _graph(frame, binding.graphs[index]))


def _while(frame: _Frame, binding: Binding) -> Task:
    test, body = binding.graphs
    carries = frame.arguments(binding)
    while True:
        (more,) = yield _graph(frame, test, carries)
        if not more:
            return carries
        carries = yield _graph(frame, body, carries)


def _for(frame: _Frame, binding: Binding) -> Task:
    (body,) = binding.graphs
    count, *first = frame.arguments(binding)
    carries = tuple(first)
    for i in range(count):
        carries = yield _graph(frame, body, (i, *carries))
    return carries


def _call_named(frame: _Frame, binding: Binding) -> Task:
    callee = frame.module.graphs[binding.params["callee"]]
    return (yield _call(frame.module, callee, frame.arguments(binding)))


def _fused(frame: _Frame, binding: Binding) -> Task:
    (body,) = binding.graphs
    return (yield _graph(frame, body, frame.arguments(binding)))


def _try(frame: _Frame, binding: Binding) -> Task:
    body, *handlers = binding.graphs
    stacks = {v: frame.values[v] for h in handlers for v in free_variables(h) if v.type is STACK}
    depths = [(stack, len(stack)) for stack in stacks.values()]
    with attempting() as committed:
        try:
            return (yield _graph(frame, body))
        except (InternalError, GeneratorExit):
            raise
        except BaseException as raised:
            error = raised
    if not committed:
        classes: set[Any] = {*type(error).__mro__, *(cls.__name__ for cls in type(error).__mro__ if _is_builtin(cls))}
        for names, handler in zip(binding.params["names"], handlers, strict=True):
            if not classes.isdisjoint(names):
                for stack, depth in depths:
                    del stack[depth:]
                with handling(error):
                    try:
                        return (yield _graph(frame, handler))
                    except GeneratorExit:
                        raise
                    except BaseException as raised:
                        link(raised, error)
                        raise
    raise error


def _is_builtin(cls: type) -> bool:
    return getattr(builtins, cls.__name__, None) is cls


_CONTROL: Final[dict[str, Callable[[_Frame, Binding], Task]]] = {
    "cond": _cond,
    "switch": _switch,
    "while_": _while,
    "for_": _for,
    "call": _call_named,
    "fused": _fused,
    "try_": _try,
}
