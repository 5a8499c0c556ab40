"""Graphs as pictures: operations in the Cells that they are computed in, and what flows between them.

A group of a picture has a label and its items, which are groups or numbers of operations; an operation its name, the
types of what it gives, its places, and the numbers of those whose results it takes. A Cell that is left and called
again is a group of its own each time, so nothing flows in circles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from jitcore.ir.analysis import free_variables
from jitcore.ir.nodes import Binding, Graph, Var
from jitcore.runtime.compile import Code, Compilation
from jitcore.types import RefType, TensorType
from jitcore.view.places import Places, cells_of, spans_of

_MOST_INPUTS: Final = 12
"""More inputs are not drawn."""
_MOST_ITEMS: Final = 60
"""Of a group that is shown as it is."""
_FEWEST: Final = 6
"""Operations beside groups that are folded together."""
_RUN: Final = 50


def pictures_of(made: object, places: Places) -> list[dict[str, object]]:
    """The graphs of what was compiled, the most telling first: the one that a gradient was taken of, then the whole."""
    found: list[tuple[str, Graph, Sequence[Var]]] = []
    if isinstance(made, Compilation):
        for k, graph in enumerate(made.inferred.notes.get("differentiated", ())):
            # its parameters are what it is differentiated by, which are weights
            found.append((f"Forward{f' {k + 1}' if k else ''}", graph, _given(free_variables(graph)) or graph.params))
        found.append(_whole(made.code))
    elif isinstance(made, Code):
        found.append(_whole(made))
    return [{"title": title, **_Picture(places).of(graph, inputs)} for title, graph, inputs in found]


def _whole(code: Code) -> tuple[str, Graph, Sequence[Var]]:
    """All of a program."""
    main = code.optimised.main
    return "Whole program", main, _given(main.params)


def _given(inputs: Iterable[Var]) -> list[Var]:
    """The inputs that are no Parameters, by their looks: no places, and not named as Parameters of Cells are."""
    return [v for v in inputs if not isinstance(v.type, RefType) and "." not in v.name]


class _Picture:
    def __init__(self, places: Places) -> None:
        self.places = places
        self.nodes: list[list[Any]] = []
        self.makers: dict[Var, int] = {}
        """The operation that gives a variable."""

    def of(self, graph: Graph, inputs: Sequence[Var]) -> dict[str, object]:
        """The picture of a graph, and of inputs of it: of the arrays among them if they are too many, or none."""
        items: list[Any] = []
        if len(inputs) > _MOST_INPUTS:
            inputs = [v for v in inputs if isinstance(v.type, TensorType)]
        if len(inputs) <= _MOST_INPUTS:
            items += [self._node("input", [v], 0, (), v.name) for v in inputs]
        items += self._items(graph.body)
        return {"nodes": self.nodes, "items": self._in_runs(items)}

    def _node(self, op: str, outs: Sequence[Var], places: int, takes: Iterable[Var], name: str = "") -> int:
        sources = dict.fromkeys(self.makers[v] for v in takes if v in self.makers)
        number = len(self.nodes)
        self.nodes.append([op, ", ".join(repr(v.type) for v in outs), places, list(sources), name])
        self.makers.update((v, number) for v in outs)
        return number

    def _items(self, body: Iterable[Binding]) -> list[Any]:
        """Bindings, in groups for the Cells that they are in."""
        top: list[Any] = []
        path: tuple[str, ...] = ()
        levels = [top]
        for binding in body:
            cells = cells_of(binding.span)
            same = next(
                (k for k, (a, b) in enumerate(zip(path, cells, strict=False)) if a != b), min(len(path), len(cells))
            )
            del levels[same + 1 :]
            for cell in cells[same:]:
                name, _, kind = cell.partition(":")
                group: dict[str, Any] = {"name": name, "kind": kind, "items": []}
                levels[-1].append(group)
                levels.append(group["items"])
            path = cells
            levels[-1].append(self._item(binding))
        return top

    def _item(self, binding: Binding) -> Any:
        number = self.places.set_of(spans_of(binding))
        if not binding.graphs or binding.op.name == "fused":
            return self._node(binding.op.name, binding.outs, number, _variables(binding.args))
        takes = [v for graph in binding.graphs for v in free_variables(graph)]
        node = self._node(binding.op.name, binding.outs, number, [*_variables(binding.args), *takes])
        inside = [
            {"name": graph.name, "kind": "", "items": self._in_runs(self._items(graph.body))}
            for graph in binding.graphs
        ]
        return {"name": binding.op.name.rstrip("_"), "kind": "control flow", "items": [node, *inside]}

    def _in_runs(self, items: list[Any]) -> list[Any]:
        """The items of a group, folded together where they are too many to be looked at: operations first, which are
        beside groups."""
        for item in items:
            if isinstance(item, dict):
                item["items"] = self._in_runs(item["items"])
        if len(items) <= _MOST_ITEMS:
            return items
        folded: list[Any] = []
        for is_group, run in groupby(items, lambda item: isinstance(item, dict)):
            found = list(run)
            folded += found if is_group or len(found) < _FEWEST else [self._run(found)]
        if len(folded) == 1:  # operations alone
            folded = items
        if len(folded) > _MOST_ITEMS:
            folded = [self._run(folded[first : first + _RUN]) for first in range(0, len(folded), _RUN)]
        return folded

    def _run(self, items: list[Any]) -> dict[str, Any]:
        ops = {self.nodes[item][0] if isinstance(item, int) else "" for item in items}
        return {"name": ops.pop() if len(ops) == 1 else "", "kind": "operations", "items": items}


def _variables(atoms: Iterable[object]) -> list[Var]:
    return [atom for atom in atoms if isinstance(atom, Var)]
