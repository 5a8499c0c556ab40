"""Writes what MindSpore's methods of Tensors take line by line: `python forms.py FILE`, with a Python that has MindSpore 2.10.

A method with several forms is its name, the name in its messages and the least number of arguments, with the forms below as MindSpore writes them; one with a single form
is `name = shown(first: type, second: type?)`, `?` where it need not be given; one written in Python is `name def (self, …)`.
"""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor


class _Odd:
    """What no method takes."""


_X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
_VALUES = {
    "Tensor": _X,
    "int": 0,
    "bool": True,
    "Number": 1,
    "float": 1.0,
    "str": "a",
    "tuple of int": (2, 3),
    "mstype": ms.float32,
}
_LEFT_OUT = {"from_numpy", "set_", "data_sync", "assign_value_cpp", "hooks", "index"}
_UNLIKE = ("offload", "pin_", "device", "init", "dtype", "shared", "pipeline")
_PACKED = ("reshape", "transpose", "broadcast_to", "repeat")


def said(function: Callable[..., Any], *args: Any, **keywords: Any) -> list[str]:
    """The lines of what a call raises."""
    try:
        function(*args, **keywords)
    except Exception as error:
        return str(error).split("\n")
    return [""]


def least(forms: list[str], method: Callable[..., Any]) -> int:
    """How many arguments at least are wanted."""
    return (
        0
        if not said(method)[0].startswith("Failed calling")
        else 1
        if _takes(forms, method, 1)
        else 2
        if _takes(forms, method, 2)
        else 3
    )


def _takes(forms: list[str], method: Callable[..., Any], count: int) -> bool:
    for form in forms:
        types: list[str] = re.findall(r"=<([^>]*)>", form.partition("*,")[0])[:count]
        args = [
            _VALUES.get({"number": "Number", "string": "str"}.get(t.split(",")[0].strip(), t.split(",")[0].strip()), _X)
            for t in types
        ]
        args = [
            _X if "Tensor" in t else 0 if "int" in re.split(r", *", t) else a for a, t in zip(args, types, strict=True)
        ]
        if len(types) == count and not said(method, *args)[0].startswith("Failed calling"):
            return True
    return False


def single(name: str, method: Callable[..., Any]) -> str | None:
    """The only form of a method."""
    shown, parts, args = "", [], []
    while True:
        missing = (
            re.match(r"(\w+)\(\) missing \d+ required", said(method, *args)[0]) if name not in ("fill_",) else None
        )
        odd = said(method, *args, _Odd())[0]
        told = re.match(
            r"(\w+)\(\): argument '(\w+)' \(position \d+\) must be (.*?)(?: but found type of _Odd at pos 0|, not _Odd)\.",
            odd,
        )
        if told is None:
            ended = re.match(r"(\w+)\(\) takes \d+ positional", odd)
            return f"{shown or ended[1]}({', '.join(parts)})" if ended is not None else None
        shown = told[1]
        parts.append(f"{told[2]}: {told[3]}{'' if missing else '?'}")
        if name in _PACKED:
            return f"{shown}(*{parts[0]})"
        args.append(_VALUES[told[3]])
        if name in ("new_ones", "new_zeros"):
            return f"{shown}({', '.join(parts)}, dtype: mstype?)"


def main(path: Path) -> None:
    """Write the facts."""
    lines: list[str] = []
    for name in sorted(n for n in dir(Tensor) if not n.startswith("_")):
        attribute = getattr(Tensor, name)
        if name in _LEFT_OUT:
            continue
        if inspect.isfunction(attribute):
            text = re.sub(
                r"=(?:<[^>]*>|mindspore[\w.]*|[A-Z]\w+)", "=None", str(inspect.signature(attribute)).partition(" ->")[0]
            )
            text = re.sub(r": [^,)=]*(\[[^\]]*\])?", "", text)
            lines.append(f"{name} def {attribute.__qualname__} {text}")
        elif type(attribute).__name__ == "method_descriptor" and not any(u in name for u in _UNLIKE):
            method = getattr(_X, name)
            told = said(method, bogus=1)
            if told[0].startswith("Failed calling"):
                end = next(k for k, line in enumerate(told[2:], 2) if not line.strip())
                forms = [line.strip('"') for line in told[2:end] if line.startswith('"')]
                lines.append(f"{name} {told[0].split()[2]} {least(forms, method)}")
                lines += [f"    {form}" for form in forms]
            elif (form := single(name, method)) is not None:
                lines.append(f"{name} = {form}")
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
