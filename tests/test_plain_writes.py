"""What a function plainly writes to of its arguments is known before it is inferred, so that this is done once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, jit
from jitcore.passes.infer.engine import entry


def store(x: Any, y: Any) -> Any:
    for i in range(len(x)):
        y[i] = x[i] * 2
    return 1


def rows(x: Any, y: Any) -> Any:
    for a, b in zip(x.reshape(2, 2), y.reshape(2, 2), strict=True):
        b += a
    y[...] = 1
    return y


def views(x: Any, y: Any) -> Any:
    half = y[1:]
    half[::2] = x[0]
    half[0] += 1
    return half


def listed(xs: Any, ys: Any) -> None:
    for x, kept in zip(xs, ys, strict=False):
        x[...] = x - 1
        for k, old in enumerate(kept):
            old[...] = k


def by_key(d: Any, y: Any) -> None:
    d["a"][0] = y[0]
    y += 1


def scalar_item(x: Any, y: Any) -> Any:
    s = x[0]
    s += 1
    for v in y:
        s += v
    return s


def copies(x: Any, y: Any) -> Any:
    x = x * 2
    x[0] = 1
    z = y[np.array([0, 1])] + 0
    z[0] = 2
    return x, z


def given_or_not(x: Any, out: Any = None) -> Any:
    if out is None:
        out = np.zeros(4)
    for i in range(4):
        out[i] = x[i]
    return out


def masked(x: Any, mask: Any) -> Any:
    if mask is not None:
        x[mask] = 0.0
    return x.sum()


def method(x: Any, y: Any) -> None:
    x.sort()
    np.add(x, 1, out=y)


def in_branches(x: Any, y: Any) -> None:
    z = x if x[0] > 0 else y
    z[1] = 5


def while_swapping(x: Any, y: Any) -> Any:
    n = 0
    while n < 3:
        x[n] = y[n]
        n += 1
    return n


def of_many(*arrays: Any, **named: Any) -> None:
    arrays[1][0] = 3
    named["z"][1] = 4


X, Y = np.arange(4.0), np.ones(4)


@pytest.mark.parametrize(
    ("function", "args", "keywords"),
    [
        (store, (X, Y), {}),
        (views, (X, Y), {}),
        (listed, ([X, Y], [[np.ones(2)], [np.zeros(2)]]), {}),
        (by_key, ({"a": X, "b": Y}, np.zeros(3)), {}),
        (scalar_item, (X, Y), {}),
        (copies, (X, Y), {}),
        (given_or_not, (X,), {}),
        (given_or_not, (X, Y), {}),
        (given_or_not, (X,), {"out": Y}),
        (masked, (X, X > 1), {}),
        (masked, (X, None), {}),
        (in_branches, (X, Y), {}),
        (while_swapping, (X, Y), {}),
        (of_many, (X, Y), {"z": np.zeros(2)}),
        (store, (Tensor(X), Tensor(Y)), {}),
    ],
)
def test_one_attempt(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempts: list[object] = []
    attempt = entry._attempt

    def counted(state: object, *rest: object) -> object:
        attempts.append(state)
        return attempt(state, *rest)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(entry, "_attempt", counted)
    assert outcome(jit(function), args, keywords) == outcome(function, args, keywords)
    assert len(attempts) == 1


@pytest.mark.parametrize(("function", "args"), [(rows, (X, Y)), (method, (X, Y))])
def test_what_is_not_plain_is_found_out(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    assert outcome(jit(function), args, {}) == outcome(function, args, {})


def outcome(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    args, keywords = copied(args), copied(keywords)
    return repr((function(*args, **keywords), args, keywords))


def copied(value: Any) -> Any:
    match value:
        case np.ndarray():
            return value.copy()
        case Tensor():
            return Tensor(value.asnumpy())
        case dict():
            return {k: copied(v) for k, v in value.items()}
        case list() | tuple():
            return type(value)(map(copied, value))
        case _:
            return value
