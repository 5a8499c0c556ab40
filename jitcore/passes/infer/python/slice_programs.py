"""What is done with slices of lists (`python.list_slices`), as programs that are inferred where they are called."""

# pyright: basic
# (these are compiled for the types of what they are called with)

from __future__ import annotations

from typing import Any


def ends(length: Any, start: Any, stop: Any, step: Any) -> Any:
    """`slice(start, stop, step).indices(length)`."""
    by = 1 if step is None else step
    if by == 0:
        raise ValueError("slice step cannot be zero")
    if by > 0:
        first = 0 if start is None else _within(start, length, 0, length)
        last = length if stop is None else _within(stop, length, 0, length)
    else:
        first = length - 1 if start is None else _within(start, length, -1, length - 1)
        last = -1 if stop is None else _within(stop, length, -1, length - 1)
    return first, last, by


def _within(end: Any, length: Any, low: Any, high: Any) -> Any:
    return max(end + length, low) if end < 0 else min(end, high)


def _count(first: Any, last: Any, by: Any) -> Any:
    """How many positions there are from `first` to before `last`."""
    if by > 0:
        return max(0, (last - first + by - 1) // by)
    return max(0, (first - last - by - 1) // -by)


def assign(target: Any, values: Any, start: Any, stop: Any, step: Any) -> None:
    """`target[start:stop:step] = values`."""
    first, last, by = ends(len(target), start, stop, step)
    count = _count(first, last, by)
    if len(values) == count:
        place = first
        for value in values:
            target[place] = value
            place += by
    elif by == 1:
        behind = target[first + count :]
        while len(target) > first:
            target.pop()
        target.extend(values)
        target.extend(behind)
    else:
        raise ValueError(f"attempt to assign sequence of size {len(values)} to extended slice of size {count}")


def assign_to_empty(target: Any, values: Any, start: Any, stop: Any, step: Any) -> None:
    """`target[start:stop:step] = values` for a list that never had any items."""
    _, _, by = ends(0, start, stop, step)
    if by == 1:
        target.extend(values)
    elif len(values) > 0:
        raise ValueError(f"attempt to assign sequence of size {len(values)} to extended slice of size 0")


def delete(target: Any, start: Any, stop: Any, step: Any) -> None:
    """`del target[start:stop:step]`."""
    first, last, by = ends(len(target), start, stop, step)
    count = _count(first, last, by)
    if by < 0:
        first, by = first + (count - 1) * by, -by
    if count > 0:
        place = first
        last = first + (count - 1) * by
        for k in range(first, len(target)):
            if k > last or (k - first) % by != 0:
                target[place] = target[k]
                place += 1
        for _ in range(count):
            target.pop()
