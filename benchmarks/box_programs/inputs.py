"""Arguments of the programs, made from a seed, of any size."""

from __future__ import annotations

import random
from typing import Any

LETTERS = "abcdefghijklmnop"


def prose(size: int) -> dict[str, Any]:
    """`size` characters of lines of words, the k-th of which is as frequent as 1/k (Zipf's law)."""
    rng = random.Random(1)
    vocabulary = ["".join(rng.choices(LETTERS, k=rng.randint(2, 9))) for _ in range(3000)]
    words = rng.choices(vocabulary, [1 / (k + 1) for k in range(len(vocabulary))], k=size // 4)
    marked = [(word.title() if rng.random() < 0.1 else word) + rng.choice(("", "", ".", ",")) for word in words]
    return {"text": "\n".join(" ".join(marked[k : k + 12]) for k in range(0, len(marked), 12))[:size]}


def source(size: int) -> dict[str, Any]:
    """`size` characters of names, numbers and operators."""
    return {"text": prose(size)["text"].replace(".", " + 12 ")[:size]}


def written_numbers(count: int) -> dict[str, Any]:
    """A list of numbers, as JSON writes them."""
    rng = random.Random(2)
    kinds = (lambda: str(rng.randrange(10**6)), lambda: repr(rng.random() * 100), lambda: f"{rng.randrange(100)}e5")
    return {"text": "[" + ", ".join(rng.choice(kinds)() for _ in range(count)) + "]"}


def edges(nodes: int) -> dict[str, Any]:
    """Edges of a graph, each node reachable from the first."""
    rng = random.Random(3)
    found = [(rng.randrange(nodes), rng.randrange(nodes), rng.random()) for _ in range(4 * nodes)]
    starts, ends, weights = zip(*found, *((k, k + 1, 1.0) for k in range(nodes - 1)), strict=True)
    return {"n": nodes, "starts": list(starts), "ends": list(ends), "weights": list(weights)}


def square(side: int) -> dict[str, Any]:
    """The place that paths lead to."""
    return {"n": side, "m": side}


def pairs(count: int) -> dict[str, Any]:
    """Pairs to join, of somewhat more elements than pairs."""
    rng = random.Random(4)
    n = count * 6 // 5
    return {"n": n, "a": [rng.randrange(n) for _ in range(count)], "b": [rng.randrange(n) for _ in range(count)]}


def strings(length: int) -> dict[str, Any]:
    """Two strings that have much in common."""
    rng = random.Random(5)
    first = rng.choices(LETTERS, k=length)
    second = [c for c in first if rng.random() < 0.8] + rng.choices(LETTERS, k=length // 4)
    return {"a": "".join(first), "b": "".join(second)}


def puzzle(blanks: int) -> dict[str, Any]:
    """A sudoku: a solved one, whose rows, columns and digits are shuffled, without some of its cells."""
    rng = random.Random(6)
    rows, columns = ([3 * g + k for g in rng.sample(range(3), 3) for k in rng.sample(range(3), 3)] for _ in range(2))
    digits = rng.sample("123456789", 9)
    cells = [digits[(3 * (r % 3) + r // 3 + c) % 9] for r in rows for c in columns]
    for k in rng.sample(range(81), blanks):
        cells[k] = "0"
    return {"text": "".join(cells)}


def requests(count: int) -> dict[str, Any]:
    """Keys that a cache is asked for, about twice as many different ones as it holds."""
    rng = random.Random(7)
    return {"keys": [rng.randrange(97) for _ in range(count)]}
