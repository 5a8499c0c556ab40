"""What is done with the lists in a pool (`python.pools`), as programs that are inferred where they are called.

The list with a number has its items at `items[starts[number]]` and behind, `lengths[number]` of them, and room for
`rooms[number]`.
"""

# pyright: basic
# (these are compiled for the types of what they are called with)

from __future__ import annotations

from typing import Any


def add(starts: Any, lengths: Any, rooms: Any, items: Any, values: Any) -> Any:
    """Add a list with these items; gives its number."""
    number = len(starts)
    starts.append(len(items))
    lengths.append(len(values))
    rooms.append(len(values))
    items.extend(values)
    return number


def append(starts: Any, lengths: Any, rooms: Any, items: Any, number: Any, value: Any) -> None:
    """Append an item: a list without room moves to the end, with room for twice as many."""
    length = lengths[number]
    if length == rooms[number]:
        start = starts[number]
        if start + length != len(items):
            starts[number] = len(items)
            for k in range(length):
                items.append(items[start + k])
        for _ in range(length + 4):
            items.append(value)
        rooms[number] = 2 * length + 4
    items[starts[number] + length] = value
    lengths[number] = length + 1


def replace(starts: Any, lengths: Any, rooms: Any, items: Any, number: Any, values: Any) -> None:
    """Give a list these items."""
    length = len(values)
    if length > rooms[number]:
        starts[number] = len(items)
        rooms[number] = length
        items.extend(values)
    else:
        start = starts[number]
        for k in range(length):
            items[start + k] = values[k]
    lengths[number] = length


def flat(rows: Any, before: Any) -> Any:
    """The items of lists that are all as long as the first, in one list. `before`: NumPy's words for the extents they
    are within."""
    extent = len(rows[0])
    found = []
    for row in rows:
        if len(row) != extent:
            raise ValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
                f"{len(before)} dimensions. The detected shape was {before} + inhomogeneous part."
            )
        found.extend(row)
    return found


def order(keys: Any, descending: Any) -> Any:
    """The positions of items in the order of their keys, which need only `<`: a merge sort, from the bottom up."""
    count = len(keys)
    found = list(range(count))
    other = list(range(count))
    width = 1
    while width < count:
        for low in range(0, count, 2 * width):
            middle = min(low + width, count)
            high = min(low + 2 * width, count)
            left, right = low, middle
            for k in range(low, high):
                if right >= high:
                    from_left = True
                elif left >= middle:
                    from_left = False
                elif descending:
                    from_left = not keys[found[left]] < keys[found[right]]
                else:
                    from_left = not keys[found[right]] < keys[found[left]]
                if from_left:
                    other[k] = found[left]
                    left += 1
                else:
                    other[k] = found[right]
                    right += 1
        found, other = other, found
        width *= 2
    return found


def reshaped(array: Any, shape: Any) -> Any:
    """An array in another shape."""
    return array.reshape(shape)


def add_all(starts: Any, lengths: Any, rooms: Any, items: Any, counts: Any, values: Any) -> Any:
    """Add lists with so many of the items each; gives the number of the first."""
    first = len(starts)
    at = len(items)
    for count in counts:
        starts.append(at)
        lengths.append(count)
        rooms.append(count)
        at += count
    items.extend(values)
    return first


def moved(numbers: Any, first: Any) -> Any:
    """The numbers of lists in a pool, from those within an argument."""
    return [number + first for number in numbers]


# written down once for a pool, not wherever they are called: that took up to four times as long to compile, and ran no
# faster
for _program in (add, append, replace):
    _program.__dict__["__jitcore_outlined__"] = True
