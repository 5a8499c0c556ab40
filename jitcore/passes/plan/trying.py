"""`try_`: a Try, whose body and handlers are branches of which some never come to their end."""

from __future__ import annotations

import builtins
import ctypes
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import free_variables
from jitcore.ir.nodes import Binding, Graph, type_of
from jitcore.passes.plan import forms
from jitcore.passes.plan.control import define_outs, leave
from jitcore.passes.plan.forms import Form
from jitcore.passes.plan.values import StackValue
from jitcore.program.nodes import Block, Commit, DropParked, Park, Rethrow, Try, Unpark
from jitcore.program.words import leaves_word
from jitcore.structs import dataclass
from jitcore.types import BOOL, INT, STACK

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


@dataclass(frozen=True, slots=True)
class Matches:
    """Whether an exception's class, given by its address, is one of some classes or derived from one. `value` is the
    address of the exception, or of its message, if no handler is for ints that leave 64 bits."""

    names: tuple[Any, ...]

    def __call__(self, address: int, value: int) -> tuple[bool]:
        raised: Any = ctypes.cast(ctypes.c_void_p(address), ctypes.py_object).value
        if value and leaves_word(raised, str(ctypes.cast(ctypes.c_void_p(value), ctypes.py_object).value)):
            return (False,)
        wanted = tuple(getattr(builtins, c) if isinstance(c, str) else c for c in self.names)
        return (issubclass(raised, wanted),)


def match(p: Planner, names: tuple[Any, ...]) -> int:
    """The index of the host call that says whether what was raised is of some classes."""
    return p.tables.host_call(Matches(names), [INT, INT], [BOOL], operation="matches", params={"names": names})


def lower_try(p: Planner, binding: Binding) -> None:
    """`try_`: a Try."""
    made = forms.make_forms([type_of(out) for out in binding.outs], p.travels)
    catches: tuple[tuple[Any, ...], ...] = binding.params["names"]
    matchers = tuple(match(p, names) for names in catches)
    used = {v: None for graph in binding.graphs[1:] for v in free_variables(graph) if v.type is STACK}
    stacks = tuple(s.operand for s in map(p.value, used) if isinstance(s, StackValue))
    body, *handlers = (_block(p, graph, made) for graph in binding.graphs)
    outs = tuple(reg for form in made for reg in forms.registers(p, form, "tried"))
    p.code.emit(Try(body, tuple(handlers), catches, matchers, p.site("Exception"), outs, stacks))
    define_outs(p, binding, made, outs)


def _block(p: Planner, graph: Graph, made: list[Form]) -> Block:
    with p.entering(graph) as scope:
        p.lower_body()
        if not graph.results:
            p.release_dead(len(graph.body))
            return p.code.finish(scope)
        results, _ = leave(p, graph.results, made)
        return p.code.finish(scope, *results)


def lower_commit(p: Planner, binding: Binding) -> None:
    """`commit`: a Commit."""
    p.code.emit(Commit())


def lower_park(p: Planner, binding: Binding) -> None:
    """`park`: a Park."""
    p.code.emit(Park())


def lower_unpark(p: Planner, binding: Binding) -> None:
    """`unpark`: an Unpark."""
    p.code.emit(Unpark(binding.params.get("level", 0), binding.params.get("keep", False)))


def lower_drop_parked(p: Planner, binding: Binding) -> None:
    """`drop_parked`: a DropParked."""
    p.code.emit(DropParked(binding.params["level"]))


def lower_rethrow(p: Planner, binding: Binding) -> None:
    """`rethrow`: a Rethrow."""
    site = p.site("Exception") if binding.params.get("named") else None
    p.code.emit(Rethrow(binding.params["level"], site))
