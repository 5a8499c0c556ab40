"""What the cases of a module come to under whatever `mindspore` is: `python outcomes.py MODULE.py` prints a JSON line for each.

A case is a function. One with parameters is compiled by `jit`, and its parameters' names say what it is called with (`ARGUMENTS`); one
whose parameters are all absent is compiled, too, unless its name starts with `eager_`: that one runs as it stands.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def _arguments() -> dict[str, Any]:
    import numpy as np
    from mindspore import Tensor

    return {
        "x": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)),
        "y": Tensor(np.arange(3, dtype=np.float32)),
        "z": Tensor(np.ones((4, 5), np.float32)),
        "i": Tensor(np.array([1, 2, 3], np.int32)),
        "b": Tensor(np.array([True, False])),
        "c": Tensor(np.array([1j, 2], np.complex64)),
        "h": Tensor(np.array([1, 2], np.float16)),
        "k": Tensor(2),
        "im": Tensor(np.ones((1, 3, 8, 8), np.float32)),
        "n": 3,
        "r": 0.5,
        "s": "abc",
        "t": (1, 2, 3),
        "l": [1, 2, 3],
        "d": {"a": 1, "b": 2},
        "a": np.array([1, 2, 3]),
    }


def cases(path: Path) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The cases of a module, in its order."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    for name, value in list(vars(module).items()):
        if inspect.isfunction(value) and value.__module__ == path.stem and not name.startswith("_"):
            yield name, value


def outcome(name: str, function: Callable[..., Any]) -> str:
    """The class and first line of what a case raises, or the text of what it gives."""
    from mindspore import jit

    known = _arguments()
    given = [known[p] for p in inspect.signature(function).parameters]
    try:
        result = function() if name.startswith("eager_") else jit(function)(*given)
        return "= " + text(result)
    except Exception as error:
        lines = str(error).split("\n")
        return f"{type(error).__name__}: {lines[0]}".rstrip()


def text(value: Any) -> str:
    """A value, with the dtype, shape and items of arrays."""
    from mindspore import Tensor

    if isinstance(value, Tensor):
        return f"Tensor({str(value.dtype).removeprefix('mindspore.').lower()}, {tuple(value.shape)}, {value.asnumpy().tolist()})"
    if isinstance(value, (tuple, list)):
        inner = ", ".join(map(text, value))
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {text(v)}" for k, v in value.items()) + "}"
    return repr(value)


def main(path: Path, skipped: int = 0) -> None:
    """Print the outcomes of a module's cases, but for the first ones."""
    warnings.simplefilter("ignore")
    for name, function in list(cases(path))[skipped:]:
        print(json.dumps({"start": name}), flush=True)
        print(json.dumps({"case": name, "outcome": outcome(name, function)}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
