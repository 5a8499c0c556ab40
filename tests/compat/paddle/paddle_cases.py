"""Cases of Paddle's functions: expressions, evaluated by Paddle itself when facts are recorded, and by jitcore in
tests; written as those of PyTorch's are (`tests/compat/pytorch/cases.py`), over `paddle` and `F`.

`python tests/compat/paddle/paddle_cases.py [family ...]`, where Paddle 3.3.1 is installed, writes the facts down.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import linecache
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent / "pytorch"))
torch_cases = importlib.import_module("cases")


class Case(torch_cases.Case):
    """An expression; `function(paddle)` is it as a function of its operands, which `arrays()` gives."""

    def function(self, paddle: Any) -> Callable[..., Any]:
        """It as a function of its operands."""
        scope = {"paddle": paddle, "F": paddle.nn.functional, "np": np, "math": math}
        name = f"<case {self.text}>"
        linecache.cache[name] = (len(self._source), None, self._source.splitlines(True), name)
        exec(compile(self._source, name, "exec"), scope)
        return scope["case"]


def cases(file: Path) -> Iterator[Case]:
    """The cases in a file."""
    for line in file.read_text().splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            yield Case(line)


def described(value: Any, paddle: Any) -> Any:
    """A result as JSON can hold it."""
    if isinstance(value, paddle.Tensor):
        array = value.detach().numpy()
        return {
            "dtype": str(value.dtype).removeprefix("paddle."),
            "shape": list(array.shape),
            "values": torch_cases._listed(array),
        }
    if isinstance(value, tuple | list):
        return [described(v, paddle) for v in value]
    if isinstance(value, float | complex):
        return {"number": repr(value)}
    return value if isinstance(value, bool | int | str | None) else {"text": str(value)}


def tensors(value: Any, paddle: Any) -> Iterator[Any]:
    """The Tensors in a result."""
    if isinstance(value, paddle.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from tensors(item, paddle)


def evaluated(case: Case, paddle: Any, function: Callable[..., Any]) -> Any:
    """What a case gives, and the gradients of a weighted sum of its floats by its operands of floats."""
    leaves = [paddle.to_tensor(a) for a in case.arrays()]
    for leaf in leaves:
        if leaf.is_floating_point() and not case.raises:
            leaf.stop_gradient = False
    result = function(*leaves)
    total = None
    for tensor in tensors(result, paddle):
        if not tensor.stop_gradient and tensor.is_floating_point():
            weights = np.cos(np.arange(tensor.size)).reshape(tuple(tensor.shape))
            weighted = tensor * paddle.to_tensor(weights).astype(tensor.dtype)
            part = weighted.sum().astype("float64")
            total = part if total is None else total + part
    if total is not None:
        total.backward()
    gradients = [None if leaf.grad is None else described(leaf.grad, paddle) for leaf in leaves]
    return {"result": described(result, paddle), "gradients": gradients}


load = torch_cases.load


def fact(case: Case, paddle: Any) -> Any:
    """What Paddle gives for a case, or raises."""
    paddle.seed(0)
    try:
        return {"case": case.text, **evaluated(case, paddle, case.function(paddle))}
    except Exception as error:
        if not case.raises:
            print(f"{case}: {type(error).__name__}: {str(error).strip()[-200:]}", file=sys.stderr)
            return None
        return {"case": case.text, "raises": type(error).__name__}


_MODULES = ("paddle", "paddle.linalg", "paddle.fft", "paddle.jit", "paddle.autograd")
_PLAIN = (int, float, str, bool, type(None))


def signatures(paddle: Any) -> dict[str, list[tuple[str, str, Any]]]:
    """The parameters of Paddle's functions and methods: name, kind and default, `[text]` where it is no plain value."""
    found: dict[str, list[tuple[str, str, Any]]] = {}
    for home in (*_MODULES, "paddle.Tensor"):
        of: Any = paddle.Tensor if home == "paddle.Tensor" else importlib.import_module(home)
        for name in getattr(of, "__all__", None) or sorted(vars(of)):
            function = getattr(of, name, None)
            if name.startswith("_") or not callable(function) or inspect.isclass(function):
                continue
            with contextlib.suppress(TypeError, ValueError):  # it has no signature
                known = inspect.signature(function).parameters.values()
                found[f"{home}.{name}"] = [(p.name, p.kind.name, _default(p)) for p in known]
    return found


def _default(parameter: inspect.Parameter) -> Any:
    if parameter.default is inspect.Parameter.empty:
        return ["required"]
    return parameter.default if isinstance(parameter.default, _PLAIN) else [repr(parameter.default)]


def main(families: list[str]) -> None:
    """Record the facts of some families of cases, or of all."""
    import paddle

    warnings.simplefilter("ignore")
    if not families or "signatures" in families:
        found = signatures(paddle)
        lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in found]
        (HERE / "facts" / "signatures.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    for file in sorted((HERE / "cases").glob("*.txt")):
        if not families or file.stem in families:
            lines = [json.dumps(found) for case in cases(file) if (found := fact(case, paddle)) is not None]
            (HERE / "facts" / f"{file.stem}.jsonl").write_text("\n".join(lines) + "\n")
            print(f"{file.stem}: {len(lines)} cases")


if __name__ == "__main__":
    main(sys.argv[1:])
