"""Cells made of a sequence of Cells."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, cast

from jitcore.nn.cell import Cell
from jitcore.primitives.core.constructing import worded


def _as_cell(value: Any) -> Cell:
    if not isinstance(value, Cell):
        raise TypeError(f"a list of Cells holds Cells, not {type(value).__name__}")
    return value


class _CellSequence(Cell):
    """What both containers have: Cells by position, named '0', '1' … (or by the keys of a dict)."""

    def __jitcore_items__(self) -> tuple[Cell, ...]:
        """What compiled code iterates over."""
        return tuple(self._cells.values())

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    def __getitem__(self, index: Any) -> Any:
        items = list(self._cells.values())
        if isinstance(index, slice):
            made = type(self)()
            made._adopt(items[index])
            return made
        return items[self._position(index)]

    _indices: ClassVar[str] = "int"
    """What it can be indexed by, in messages."""

    def _position(self, index: Any) -> int:
        """An index, where the sequence has a Cell. Raises TypeError or IndexError."""
        count = len(self._cells)
        if not hasattr(type(index), "__index__"):
            raise TypeError(
                f"For '{type(self).__name__}', the type of 'index' must be "
                f"{self._indices}, but got {type(index).__name__}."
            )
        found = operator.index(index)
        if not -count <= found < count:
            raise IndexError(
                f"For '{type(self).__name__}', the value of 'index' must be a number in range "
                f"[{-count}, {count}), but got {found}."
            )
        return found

    def __setitem__(self, index: int, cell: Cell) -> None:
        name = list(self._cells)[self._position(index)]
        if self._auto_prefix:
            _as_cell(cell).update_parameters_name(f"{name}.")
        self._cells[name] = _as_cell(cell)
        self._changed()

    def __delitem__(self, index: int | slice) -> None:
        items = list(self._cells.values())
        del items[index if isinstance(index, slice) else self._position(index)]
        self._cells.clear()
        self._adopt(items)

    def _adopt(self, cells: Iterable[Cell]) -> None:
        """Hold Cells, whose Parameters keep their names."""
        for k, cell in enumerate(cells):
            self._cells[str(k)] = cell
        self._changed()

    def _insert(self, name: str, cell: Any) -> None:
        if not isinstance(cell, Cell):
            raise worded(type(self), TypeError(f"a list of Cells holds Cells, not {type(cell).__name__}"), cell=cell)
        if self._auto_prefix:
            _as_cell(cell).update_parameters_name(f"{name}.")
        self._cells[name] = _as_cell(cell)

    def _changed(self) -> None:
        self.cell_list = tuple(self._cells.values())

    def append(self, cell: Cell) -> Self:
        """Add a Cell at the end. Raises TypeError for anything else."""
        self._require_cell(cell)
        self._insert(str(len(self)), cell)
        self._changed()
        return self

    def _require_cell(self, cell: Any) -> None:
        if not isinstance(cell, Cell):
            raise TypeError(
                f"For '{type(self).__name__}', each cell must be subclass of Cell, but got {type(cell).__name__}."
            )

    def extend(self, cells: Iterable[Cell]) -> Self:
        """Add Cells at the end."""
        if not isinstance(cells, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"For '{type(self).__name__}', the new cells wanted to append should be instance of "
                f"list, but got {type(cells).__name__}."
            )
        for cell in cells:
            self.append(cell)
        return self

    def __iadd__(self, cells: Iterable[Cell]) -> Self:
        return self.extend(cells)

    def insert(self, index: int, cell: Cell) -> None:
        """Put a Cell before the one at `index`. Raises IndexError for a place that is not there."""
        if not -len(self) <= index <= len(self):
            raise IndexError(
                f"For '{type(self).__name__}', the value of 'index' must be a number in range "
                f"[{-len(self)}, {len(self)}], but got {index}."
            )
        items = list(self._cells.values())
        items.insert(index, _as_cell(cell))
        self._cells.clear()
        self._adopt(items)


def _named(args: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """The Cells of `f(a, b)`, `f([a, b])` and `f({'x': a})`, by name."""
    if len(args) == 1 and isinstance(args[0], Mapping):
        yield from cast("Mapping[str, Any]", args[0]).items()
        return
    items = cast("list[Any]", args[0]) if len(args) == 1 and isinstance(args[0], list | tuple | CellList) else args
    for k, cell in enumerate(items):
        yield str(k), cell


class SequentialCell(_CellSequence):
    """Cells called one after the other, each with what the one before gave.

    >>> from jitcore import Tensor, nn
    >>> print(SequentialCell([nn.ReLU(), nn.Flatten()])(Tensor([[[-1.0, 2.0]]])))
    [[0. 2.]]
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        for name, cell in _named(args):
            self._insert(name, cell)
        self._changed()

    def construct(self, input_data: Any) -> Any:
        """The last Cell's result."""
        for cell in self.cell_list:
            input_data = cell(input_data)
        return input_data


class CellList(_CellSequence):
    """A list of Cells, whose Parameters belong to the Cell that holds it. It is iterated over, not called."""

    _indices: ClassVar[str] = "int or slice"

    __jitcore_one_for_each_row__: ClassVar[bool] = True
    """Under `vmap` each Cell is called for another row."""

    def __init__(self, *args: Any, auto_prefix: bool = True) -> None:
        super().__init__(auto_prefix)
        for name, cell in _named(args):
            self._insert(name, cell)
        self._changed()


class CellDict(Cell):
    """Cells by name, in the order they were added. It is read by key, not called."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if args:
            self.update(args[0])

    def __getitem__(self, key: str) -> Cell:
        return self._cells[key]

    def __setitem__(self, key: str, cell: Cell) -> None:
        if not isinstance(key, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a key of a CellDict is a string, not {type(key).__name__}")
        if not key or "." in key:
            raise KeyError(f"a Cell of a CellDict cannot be named {key!r}")
        if self._auto_prefix and self._cells.get(key) is not cell:
            _as_cell(cell).update_parameters_name(f"{key}.")
        self._cells[key] = _as_cell(cell)
        self._changed()

    def __delitem__(self, key: str) -> None:
        del self._cells[key]
        self._changed()

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __contains__(self, key: str) -> bool:
        return key in self._cells

    def _changed(self) -> None:
        self.cell_dict = dict(self._cells)

    def keys(self) -> Any:
        """The names."""
        return self._cells.keys()

    def values(self) -> Any:
        """The Cells."""
        return self._cells.values()

    def items(self) -> Any:
        """(name, Cell) of each."""
        return self._cells.items()

    def pop(self, key: str) -> Cell:
        """Take a Cell out, and give it."""
        cell = self._cells.pop(key)
        self._changed()
        return cell

    def clear(self) -> None:
        """Take all out."""
        self._cells.clear()
        self._changed()

    def update(self, cells: Any) -> None:
        """Add Cells from a mapping, another CellDict, or pairs."""
        pairs = cells.items() if isinstance(cells, Mapping | CellDict) else cells
        for key, cell in cast("Iterable[tuple[str, Cell]]", pairs):
            self[key] = cell
