"""Paddle's functions take their arguments by Paddle's names, in Paddle's order, with Paddle's defaults: recorded
signatures."""

from __future__ import annotations

import importlib
import inspect
import json
from typing import Any

import paddle
from grouped import grouped

from jitcore.compat.missing import Missing
from jitcore.compat.paddle.declaring import _ALIASES

from paddle_cases import HERE  # isort: skip

SIGNATURES: dict[str, list[tuple[str, str, Any]]] = json.loads((HERE / "facts" / "signatures.json").read_text())
_EVERYWHERE = {"name", "out", "device", "requires_grad", "pin_memory", "generator", "dump_backward_graph_path"}
"""What every function takes, or none needs."""
_OTHERWISE = {
    "paddle.softmax": "the last axis is the default, as of F.softmax",
    "paddle.swapaxes": "`perm`, which is wrong: Paddle takes two axes",
    "paddle.swapdims": "as swapaxes",
    "paddle.Tensor.swapaxes": "as swapaxes",
    "paddle.Tensor.swapdims": "as swapaxes",
    "paddle.broadcast_shape": "any number of shapes",
    "paddle.Tensor.broadcast_shape": "any number of shapes",
    "paddle.Tensor.fill_diagonal_tensor": "`axis1` and `axis2`",
}


def _found(path: str) -> Any:
    """The function of a path; None if jitcore has none."""
    home, _, name = path.rpartition(".")
    of = paddle.Tensor if home == "paddle.Tensor" else importlib.import_module(home)
    function = inspect.getattr_static(of, name, None) if home == "paddle.Tensor" else getattr(of, name, None)
    return None if isinstance(function, Missing | property) else function


@grouped("path", [path for path in SIGNATURES if path not in _OTHERWISE and _found(path) is not None])
def test_arguments_are_paddles(path: str) -> None:
    function = _found(path)
    own = inspect.signature(function).parameters
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in own.values()):
        return
    by_place = [p.name for p in own.values() if p.kind is not p.KEYWORD_ONLY and p.name not in _EVERYWHERE]
    for place, (name, kind, default) in enumerate(SIGNATURES[path]):
        if name in _EVERYWHERE or kind.startswith("VAR") or (place == 0 and path.startswith("paddle.Tensor")):
            continue
        known = name if name in own else _ALIASES.get(name, name)
        assert known in own, f"{name} is missing"
        if kind == "POSITIONAL_OR_KEYWORD" and known in by_place:
            others = [n for n, k, _ in SIGNATURES[path][:place] if n not in _EVERYWHERE and k == kind]
            assert by_place.index(known) == len(others), f"{name} is at another place"
        wanted = own[known].default
        if not isinstance(default, list) and isinstance(wanted, int | float | str | None):
            assert wanted == default, name
        assert default == ["required"] or wanted is not inspect.Parameter.empty, f"{name} is required"


def test_much_is_compared() -> None:
    assert sum(_found(path) is not None for path in SIGNATURES) > 700
