"""A Graph as text: a line for each module, Parameter and buffer, and for what came in and went out in the first
call."""

# pyright: reportPrivateUsage=false
# (the registries of Cell are shared by this package)

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jitcore.nn.cell import Cell
from jitcore.nn.graph.trees import tensors_in
from jitcore.nn.outlines import outline_of

Seen = Mapping[int, tuple[Sequence[str], Sequence[str]]]
"""The texts of what came into a module and went out of it, by its id."""


def lines_of(tag: str, name: str, texts: Sequence[str]) -> list[str]:
    """A line for each input or output."""
    return [f"({tag}:_{name}-{tag.lower()}_{k}:{text})" for k, text in enumerate(texts)]


def given_lines(tag: str, name: str, value: object) -> list[str]:
    """A line for each Tensor in what a Graph was given, or gave."""
    return lines_of(tag, name, [outline_of(t) for t in tensors_in(value)])


def heading(path: str, module: Cell) -> str:
    """A module in a line."""
    return f"(MODULE:{path}:{_without_children(module)})"


def state_lines(path: str, module: Cell) -> Iterator[str]:
    """A line for each Parameter and buffer of a module's own."""
    for name, parameter in module._params.items():
        yield f"(PARAMETER:{path}.{name}:{outline_of(parameter)}): ()"
    buffers: Mapping[str, Any] = getattr(module, "_buffers", {})
    for name, buffer in buffers.items():
        if buffer is not None:
            yield f"(BUFFER:{path}.{name}:{outline_of(buffer)}): ()"


def module_lines(path: str, module: Cell, seen: Seen | None) -> list[str]:
    """A module, with all that is in it."""
    came_in, went_out = (seen or {}).get(id(module), ((), ()))
    inside = lines_of("INPUT", path, came_in)
    inside += state_lines(path, module)
    for name, child in module.name_cells().items():
        inside += module_lines(f"{path}.{name}", child, seen)
    inside += lines_of("OUTPUT", path, went_out)
    if not inside:
        return [f"{heading(path, module)}: ()"]
    return [f"{heading(path, module)}: (", *indented(inside), ")"]


def indented(lines: Sequence[str]) -> list[str]:
    """Lines of something that others are in."""
    return [f"  {part}" for line in lines for part in line.split("\n")]


def _without_children(module: Cell) -> str:
    """A module's text, if it is made of no others; else its class."""
    if module.name_cells():
        return f"{type(module).__name__}()"
    return " ".join(repr(module).split())
