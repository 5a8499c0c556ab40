"""The way back of gradients, through the nodes that `autograd` has recorded."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jitcore.primitives.ops import elementwise as e
from jitcore.runtime.autograd import edge_of, needs_gradient
from jitcore.runtime.nodes import Edge, Hook, Node, conjugate, recording, this_thread
from jitcore.runtime.tensor import Tensor, wrap_like


def backward(
    outputs: Sequence[tuple[Tensor, Tensor]],
    *,
    inputs: Sequence[Tensor] | None = None,
    keep_graph: bool | None = None,
    create_graph: bool = False,
) -> None:
    """Add the gradients of outputs, given with those of what is computed of them, to `.grad` of the leaves they came
    of; of `inputs` alone, if given. The graph is used up, unless `keep_graph` (None: what `create_graph` is). Raises
    RuntimeError for outputs that need no gradient, and for graphs that have been used up."""
    found = _propagate(outputs, inputs, keep_graph, create_graph)
    for tensor, gradient, is_new in found:
        _add(tensor, gradient, create_graph, is_new)


def gradients(
    outputs: Sequence[tuple[Tensor, Tensor]],
    inputs: Sequence[Tensor],
    *,
    keep_graph: bool | None = None,
    create_graph: bool = False,
) -> list[Tensor | None]:
    """The gradients of outputs, given with their cotangents, by `inputs`; None for those that they did not come of."""
    found = {id(tensor): gradient for tensor, gradient, _ in _propagate(outputs, inputs, keep_graph, create_graph)}
    return [found.get(id(tensor)) for tensor in inputs]


def _propagate(
    outputs: Sequence[tuple[Tensor, Tensor]],
    inputs: Sequence[Tensor] | None,
    keep_graph: bool | None,
    create_graph: bool,
) -> list[tuple[Tensor, Tensor, bool]]:
    """The leaves (or `inputs`) that gradients came to, with these, and whether nobody else has them."""
    roots: list[tuple[Edge, Tensor]] = []
    for k, (output, cotangent) in enumerate(outputs):
        edge = edge_of(output)
        if edge is None:
            raise RuntimeError(f"element {k} of tensors does not require grad and does not have a grad_fn")
        roots.append((edge, cotangent))
    this_thread.mode.goes_back = False  # what follows may need no gradients
    with recording(create_graph):
        way = _Way(inputs)
        for edge, gradient in roots:
            way.give(edge, conjugate(gradient))
        way.go(create_graph if keep_graph is None else keep_graph)
        return way.arrived()


class _Way:
    """One way back: the cotangents that have come to nodes and leaves so far."""

    def __init__(self, inputs: Sequence[Tensor] | None) -> None:
        self._waiting: list[tuple[int, Node]] = []
        self._of_nodes: dict[Node, list[Any]] = {}
        self._of_leaves: dict[int, tuple[Tensor, Any]] = {}
        self._new: set[int] = set()
        """Cotangents (by id) that nobody else has."""
        self._inputs = inputs
        self._wanted: dict[tuple[Node, int], list[Tensor]] = {}
        self._leaves: set[int] = set()
        self._found: list[tuple[Tensor, Tensor, bool]] = []
        for tensor in inputs or ():
            edge = edge_of(tensor)
            if isinstance(edge, tuple):
                self._wanted.setdefault(edge, []).append(tensor)
            elif edge is not None:
                self._leaves.add(id(edge))
        self._leads: dict[Node, bool] = {}

    def give(self, edge: Edge, cotangent: Tensor) -> None:
        """Add a cotangent to what has come by an edge."""
        if not isinstance(edge, tuple):
            if self._inputs is None or id(edge) in self._leaves:
                known = self._of_leaves.get(id(edge))
                self._of_leaves[id(edge)] = (edge, cotangent if known is None else self._sum(known[1], cotangent))
            return
        node, k = edge
        if self._inputs is not None and not self._leads_to_inputs(node):
            return
        given = self._of_nodes.get(node)
        if given is None:
            given = self._of_nodes[node] = [None] * node.outputs
            heapq.heappush(self._waiting, (-node.number, node))
        given[k] = cotangent if given[k] is None else self._sum(given[k], cotangent)

    def _sum(self, a: Tensor, b: Tensor) -> Any:
        made = e.add(a, b)
        self._new.add(id(made))
        return made

    def _leads_to_inputs(self, node: Node) -> bool:
        """Whether an input is an output of a node, or of what it came of."""
        waiting = [node]
        while waiting:
            at = waiting[-1]
            if at in self._leads:
                waiting.pop()
                continue
            if any((at, k) in self._wanted for k in range(at.outputs)):
                self._leads[at] = True
                continue
            before = [edge[0] for edge in at.edges if isinstance(edge, tuple)]
            open_ = [n for n in before if n not in self._leads]
            if open_:
                waiting.extend(open_)
                continue
            of_leaf = any(id(edge) in self._leaves for edge in at.edges if isinstance(edge, Tensor))
            self._leads[at] = of_leaf or any(self._leads[n] for n in before)
        return self._leads[node]

    def go(self, keep_graph: bool) -> None:
        """Give the nodes' cotangents on, later nodes first."""
        while self._waiting:
            _, node = heapq.heappop(self._waiting)
            given = self._of_nodes.pop(node)
            self._show(node, given)
            if self._inputs is not None and not self._goes_on(node):
                continue
            found = node.backward(given)
            known = {id(v) for v in given}
            for edge, cotangent in zip(node.edges, found, strict=True):
                if edge is None or cotangent is None:
                    continue
                if id(cotangent) not in known and node.gives_new(cotangent):
                    self._new.add(id(cotangent))
                else:
                    self._new.discard(id(cotangent))
                known.add(id(cotangent))
                self.give(edge, cotangent)
            if not keep_graph:
                node.release()

    def _goes_on(self, node: Node) -> bool:
        """Whether anything that is asked for is before a node."""
        return any(
            id(edge) in self._leaves
            if isinstance(edge, Tensor)
            else edge is not None and self._leads_to_inputs(edge[0])
            for edge in node.edges
        )

    def _show(self, node: Node, given: list[Any]) -> None:
        """Complete cotangents of a node's outputs: hooks change them, and who wants them gets them."""
        for k, hooks in node.hooks.items():
            if given[k] is not None:
                given[k] = conjugate(_through(hooks, conjugate(given[k])))
        for k, cotangent in enumerate(given):
            wanted = self._wanted.get((node, k), ())
            if cotangent is not None and (wanted or k in node.retained):
                gradient = conjugate(cotangent)
                for tensor in node.retained.get(k, ()):
                    _keep(tensor, gradient)
                self._found += [(tensor, gradient, False) for tensor in wanted]

    def arrived(self) -> list[tuple[Tensor, Tensor, bool]]:
        """What has come to leaves and inputs, and whether nobody else has it."""
        for leaf, cotangent in self._of_leaves.values():
            assert leaf._history is not None
            seen = _through(leaf._history.hooks, conjugate(cotangent))
            self._found.append((leaf, seen, seen is cotangent and id(cotangent) in self._new))
        return self._found


def _through(hooks: Mapping[int, Hook], cotangent: Tensor) -> Any:
    for hook in tuple(hooks.values()):
        changed = hook(cotangent)
        if changed is not None:
            cotangent = changed
    return cotangent


def _keep(tensor: Tensor, cotangent: Tensor) -> None:
    if tensor._history is not None:
        known = tensor._history.grad
        tensor._history.grad = cotangent if known is None else e.add(known, cotangent)


def _add(tensor: Tensor, gradient: Tensor, create_graph: bool, is_new: bool) -> None:
    """Add a gradient to a Tensor's. Its memory stays the same, unless gradients of it may be taken."""
    history = tensor._history
    assert history is not None
    if history.grad is None:
        if create_graph or (is_new and gradient._array.flags.c_contiguous):
            history.grad = gradient
        else:
            history.grad = wrap_like(gradient, np.array(gradient._array, order="C"))
    elif create_graph or needs_gradient(history.grad):
        history.grad = e.add(history.grad, gradient)
    else:
        grad = history.grad
        np.add(grad._array, gradient._array, out=grad._array)
        grad.storage.version += 1
