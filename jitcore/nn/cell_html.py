"""How notebooks show a Cell: the Cells and Parameters it is made of, as rows that fold, with what each gives, how many
elements its Parameters have, and their bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from jitcore.passes.infer.domain.signature import Result, ResultArray, ResultContainer
from jitcore.passes.infer.engine.watching import latest_of
from jitcore.runtime.markup import bytes_text, note, text
from jitcore.types import TensorType, Type

if TYPE_CHECKING:
    from jitcore.common.parameter import Parameter
    from jitcore.nn.cell import Cell
    from jitcore.runtime.dispatch import CompiledFunction

_MOST: Final = 2000
"""Rows of a page: the Cells in those that come after are counted only."""
_INSIDE: Final = "margin-left:1.2em"
_COLUMNS: Final = "float:right;display:inline-grid;grid-template-columns:14em 8em 6em;text-align:right"


def shown(cell: Cell) -> str:
    """A Cell as HTML: what stands for it and its parts, the innermost folded, below a line with all of it.

    What a Cell gives is known from when it, or what calls it, was compiled last; extents that changed from call to call
    stand by name.
    """
    parameters = list(cell.get_parameters())
    fixed = _count(p for p in parameters if not p.requires_grad)
    total = f"{_count(parameters):,} parameters" + (f", {fixed:,} of them not trained" if fixed else "")
    state = f"{total}, {bytes_text(_bytes(parameters))}; {'training' if cell.training else 'not training'}"
    rows = _Rows(set())
    head = _row("layer", ["output", "parameters", "size"])
    body = "".join([rows.of_cell("", cell), rows.left_out()])
    return (
        f"<div><div><b>{text(type(cell).__name__)}</b> {note(text(state))}</div>"
        f'<div style="font-family:monospace"><div style="{_INSIDE}">{note(head)}</div>{body}</div></div>'
    )


class _Rows:
    """Rows of a page as they are made; a Cell or Parameter that is in several places is counted in each, and its parts
    stand at the first."""

    def __init__(self, seen: set[int]) -> None:
        self._seen = seen
        self._made = 0
        self._left_out = 0

    def of_cell(self, name: str, cell: Cell, depth: int = 0) -> str:
        if self._made >= _MOST:
            self._left_out += sum(1 for _ in cell.cells_and_names())
            return ""
        self._made += 1
        again = id(cell) in self._seen
        self._seen.add(id(cell))
        what = note("as above") if again else note(text(_described(cell)))
        parameters = list(cell.get_parameters())
        label = f"{text(name)}: " if name else ""
        row = _row(
            f"{label}<b>{text(type(cell).__name__)}</b> {what}",
            [text(", ".join(map(repr, _given(cell)))), *_size(parameters)],
        )
        inside = "" if again else "".join(self._parts(cell, depth))
        return f"<details{' open' if not depth else ''}><summary>{row}</summary>{inside}</details>" if inside else row

    def _parts(self, cell: Cell, depth: int) -> Iterator[str]:
        for name, parameter in cell.parameters_and_names(expand=False):
            described = note(f"{text(parameter.shape)} {text(parameter.dtype)}")
            yield _inside(_row(f"{text(name)} {described}", ["", *_size([parameter])]))
        for name, inner in cell.name_cells().items():
            yield _inside(self.of_cell(name, inner, depth + 1))

    def left_out(self) -> str:
        """What is said of the Cells that have no rows."""
        return f"<div>… and {self._left_out:,} more</div>" if self._left_out else ""


def _inside(row: str) -> str:
    return f'<div style="{_INSIDE}">{row}</div>' if row else ""


def _row(label: str, columns: Sequence[str]) -> str:
    """A label, and the columns at the right edge, which is the same for all rows."""
    cells = "".join(f"<span>{column}</span>" for column in columns)
    return f'<span style="{_COLUMNS}">{cells}</span>{label}'


def _described(cell: Cell) -> str:
    """What stands in the parentheses of its text."""
    of_framework: Callable[[], str] | None = getattr(cell, "extra_repr", None)
    return cell.extend_repr() if of_framework is None else of_framework()


def _given(cell: Cell) -> tuple[TensorType, ...]:
    """The types of the arrays that the Cell gave where it was compiled last; none if it never was, or they are not
    known."""
    compiled: CompiledFunction | None = cell.__dict__.get("_compiled")
    members = [] if compiled is None else compiled.specialisations
    if not members:
        return latest_of(cell)
    inferred = max(
        members, key=lambda m: sum(not isinstance(n, int) for shape in m.pattern for n in shape)
    ).compilation.inferred
    return tuple(_arrays_of(inferred.result, inferred.module.main.result_types))


def _arrays_of(result: Result, types: Sequence[Type]) -> Iterator[TensorType]:
    for part in result.items if isinstance(result, ResultContainer) else (result,):
        if isinstance(part, ResultArray):
            given: Any = types[part.index]
            yield cast("TensorType", getattr(given, "target", given))  # an array that others write to is a place


def _size(parameters: Sequence[Parameter]) -> list[str]:
    return [f"{_count(parameters):,}", bytes_text(_bytes(parameters))] if parameters else ["", ""]


def _count(parameters: Iterable[Parameter]) -> int:
    return sum(p.asnumpy().size for p in parameters)


def _bytes(parameters: Iterable[Parameter]) -> int:
    return sum(p.asnumpy().nbytes for p in parameters)
