"""Writes what MindSpore's methods of Tensors, and functions that are chosen by types, take in graphs: `python graph_forms.py FOLDER`, with a Python that has
MindSpore 2.10.

`overloads.txt`: a method or function that is chosen by types, with its forms below as MindSpore writes them, each with the number of arguments that it needs, `*` where its
first takes ints one by one as well, and the operator behind it, if that is told; `alone` marks one that has a single form. `method_functions.txt`: methods that are Python
functions, `name = function(self, parameter=default, !by_name)`, followed by `: ops.function(arguments)` if that is all that they call.
"""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, jit
from mindspore.graph._parse import standard_method
from mindspore.ops import tensor_method
from tables import _parameter

_X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
_VALUES = {
    "Tensor": "x", "int": "1", "float": "0.5", "bool": "True", "str": '"a"', "None": "None", "Tuple": "(2, 3)", "List": "[2, 3]", "mstype": "ms.float32",
}  # fmt: skip
_FOLDER = Path(tempfile.mkdtemp())
_COUNT = itertools.count()
sys.path.insert(0, str(_FOLDER))
_SHOWN = {"tuple of int": "Tuple", "Number": "number", "string": "str"}


def said(callee: str, arguments: str) -> str:
    """What a call raises in a graph: of a method, or of a function with its module."""
    path = _FOLDER / f"call_{next(_COUNT)}.py"
    called = callee if "." in callee else f"x.{callee}"
    path.write_text(
        f"import mindspore as ms\nfrom mindspore import mint, ops\ndef f(x):\n    return {called}({arguments})\n"
    )
    called = importlib.import_module(path.stem).f
    try:
        jit(called)(_X)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


# --- methods that are Python functions --------------------------------------------------------------


def python_function(method: str) -> str | None:
    """The line of a method that is a Python function."""
    found = re.match(
        r"RuntimeError: Function:(\w+?)_\d+ takes", said(method, "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, zzz=1")
    )
    name = method if found is None else found[1]
    function = getattr(standard_method, name, None)
    if function is None:
        return None
    params = list(inspect.signature(function).parameters.values())
    shown = ", ".join(map(_parameter, params))
    called = _forwarded(function, {p.name for p in params})
    return f"{method} = {name}({shown})" + (f": {called}" if called else "")


def _forwarded(function: Any, names: set[str]) -> str | None:
    """The only call that a function makes: of a function of `ops` or an operator, with its own parameters."""
    body = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0].body
    body = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.Call):
        return None
    call = body[0].value
    values = [*call.args, *(k.value for k in call.keywords)]
    if not all(isinstance(v, ast.Constant) or (isinstance(v, ast.Name) and v.id in names) for v in values):
        return None
    if (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in ("F", "ops")
    ):
        return f"ops.{ast.unparse(call).partition('.')[2]}"
    return None


# --- methods that are chosen by types ---------------------------------------------------------------


def _given(types: list[str], name: str) -> str:
    """A value of one of the types of an argument."""
    if "size" in name or "shape" in name:
        return "(2, 3)"
    for t in ("int", "Tensor", "float", "number", "bool", "str", "Tuple", "None", "mstype", "any"):
        if t in types:
            return _VALUES.get(t, "1")
    return "1"


def _arguments(form: str) -> list[tuple[str, list[str]]]:
    return [(n, re.split(r",\s*", t)) for n, t in re.findall(r"(\w+)=<([^>]*)>", form)]


def _lacks(name: str, message: str) -> bool:
    refused = (
        rf"TypeError: Failed calling {name} with|KeyError|.*missing \d+ required|.*should be \d+, but the actual|TypeError: match failed|"
        "RuntimeError: Size should be greater"
    )
    return bool(re.match(refused, message))


def described(method: str, form: str, place: int = 0) -> str:
    """A form with what it needs, whether it takes ints one by one, and its operator."""
    arguments, shown = _arguments(form), form.partition("(")[0].removeprefix("Tensor.")
    values = {n: _given(t, n) for n, t in arguments}
    needed = sum(
        _lacks(shown, said(method, ", ".join(f"{k}={v}" for k, v in values.items() if k != n))) for n in values
    )
    if not arguments:
        return f"    {form} 0"
    first, types = arguments[0]
    told = re.search(r"Primitive\[(\w+)\] got multiple", said(method, f"{values[first]}, {first}={values[first]}"))
    many = said(method, ", ".join(["1"] * 9)) if "Tuple" in types else " takes "
    packed = (
        "*"
        if (place == 0 or _takes_many(shown, first)) and not re.search(r"Failed calling \w+ with| takes ", many)
        else ""
    )
    tensors = [
        n for n in values if n not in _named(form) and _takes_tensor(method, shown, values, n, dict(arguments)[n])
    ]
    return " ".join([f"    {form} {needed}{packed}", *([told[1]] if told else []), *(f"+{n}" for n in tensors)])


def _named(form: str) -> list[str]:
    return [n for n, _ in _arguments(form.partition("*, ")[2])]


def _takes_tensor(method: str, shown: str, values: dict[str, str], name: str, types: list[str]) -> bool:
    """Whether an argument that is no Tensor by the text of a form may be one."""
    if "Tensor" in types or "int" not in types or "Tuple" in types:
        return False
    given = ["x" if n == name else v for n, v in values.items()]
    message = said(method, ", ".join(given))
    return not re.match(rf"TypeError: Failed calling {shown} with|TypeError: {shown}\(\): argument", message)


def _takes_many(method: str, argument: str) -> bool:
    """Whether the Python function for another form than the first takes any number of an argument."""
    function = getattr(tensor_method, f"deprecated_tensor_{method}", None)
    found = None if function is None else inspect.signature(function).parameters.get(argument)
    return found is not None and found.kind is found.VAR_POSITIONAL


def single(method: str) -> str:
    """The only form of a method."""
    parts: list[str] = []
    args: list[str] = []
    while (told := _told(method, args)) is not None:
        shown = _SHOWN.get(told[2], told[2])
        types = [shown, *(t for t, v in _VALUES.items() if t != shown and not _is_refused(method, [*args, v]))]
        parts.append(f"{told[1]}=<{','.join(types)}>")
        args.append(_given(types, told[1]))
        if method in _PACKED:
            break
    named = [n for n in ("dtype", "device", "rounding_mode", "alpha") if not any(p.startswith(f"{n}=") for p in parts)]
    named = [n for n in named if re.search(rf"argument '{n}'", said(method, ", ".join([*args, f"{n}={{'a': 1}}"])))]
    return f"{method}({', '.join([*parts, *(['*'] if named else []), *(f'{n}=<any>' for n in named)])})"


def _told(method: str, args: list[str]) -> re.Match[str] | None:
    """What is said of an argument that does not fit."""
    told = rf"TypeError: \w+\(\): argument '(\w+)' \(position {len(args) + 1}\) must be (.*?), not (Any|string)\."
    return re.match(told, said(method, ", ".join([*args, "{'a': 1}"]))) or re.match(
        told, said(method, ", ".join([*args, '"a"']))
    )


def _is_refused(method: str, args: list[str]) -> bool:
    return f"(position {len(args)}) must be" in said(method, ", ".join(args))


_PACKED = ("reshape", "broadcast_to", "repeat")
_OF_SEVERAL = {"tile": '"a"', "view": '"a"', "transpose": '"a", "b"'}
"""What methods that take ints one by one are given so that their forms are listed."""


def several(callee: str, told: str) -> list[str]:
    """The lines of what is chosen from several forms."""
    forms = [line.strip('"') for line in told.split("\n")[2:] if line.startswith('"')]
    return [described(callee, form, place) for place, form in enumerate(forms)]


def main(folder: Path) -> None:
    """Write the facts."""
    lines: list[str] = []
    functions: list[str] = []
    for method in sorted(n for n in dir(Tensor) if not n.startswith("_") and n not in _LEFT_OUT):
        told = said(method, _OF_SEVERAL.get(method, "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, zzz=1"))
        if told.startswith(("RuntimeError: Function:", "RuntimeError: Got an unexpected keyword")):
            functions += filter(None, [python_function(method)])
        elif told.startswith("TypeError: Failed calling"):
            lines += [f"Tensor.{method}", *several(method, told)]
        elif "positional arguments but" in told or "incorrect keyword name" in told:
            lines += [f"Tensor.{method} alone", described(method, single(method))]
    for module in ("ops", "mint"):
        for name in sorted(dir(getattr(ms, module))):
            told = (
                said(f"{module}.{name}", "x, x, x, x, x, x, x, x, x, x, x, x, zzz=1")
                if name.islower() and name[0] != "_"
                else ""
            )
            if told.startswith("TypeError: Failed calling"):
                lines += [f"{module}.{name}", *several(f"{module}.{name}", told)]
    (folder / "overloads.txt").write_text("\n".join(lines) + "\n")
    (folder / "method_functions.txt").write_text("\n".join(functions) + "\n")


_LEFT_OUT = frozenset(
    [
        "from_numpy",
        "set_",
        "data_sync",
        "assign_value_cpp",
        "hooks",
        "index",
        "register_hook",
        "backward",
        "requires_grad_",
        "retain_grad",
    ]
)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
