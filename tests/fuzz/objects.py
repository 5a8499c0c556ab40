"""What random programs make objects of and go through: classes, and generator functions."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any


@dataclasses.dataclass
class Pair:
    n: int
    w: float = 0.5

    def grown(self, k: int) -> Pair:
        return Pair(self.n + k, self.w * 2)

    def add(self, k: int) -> int:
        self.n += k
        return self.n

    @property
    def total(self) -> float:
        return self.n + self.w


class Stack:
    def __init__(self) -> None:
        self.items: list[Any] = []
        self.pushed = 0

    def push(self, item: Any) -> None:
        self.items.append(item)
        self.pushed += 1

    def __len__(self) -> int:
        return len(self.items)


class Node:
    def __init__(self, value: Any, left: Node | None = None, right: Node | None = None) -> None:
        self.value = value
        self.left = left
        self.right = right


class Link:
    def __init__(self, value: Any, rest: Link | None) -> None:
        self.value, self.rest = value, rest


class Box:
    def __init__(self, items: list[Any], n: int = 0) -> None:
        self.items, self.n = items, n

    def with_item(self, item: Any) -> Box:
        return Box([*self.items, item], self.n + 1)


def ticks(n: int, step: int = 1) -> Iterator[int]:
    k = 0
    while k < n:
        yield k * step
        k += 1


def pairs(items: list[Any], most: int) -> Iterator[tuple[int, Any]]:
    for k, item in enumerate(items):
        if k > most:
            return
        yield k, item
    yield -1, most


NAMES = {"Pair": Pair, "Stack": Stack, "Node": Node, "Link": Link, "Box": Box, "ticks": ticks, "pairs": pairs}
