"""Write the tables that MindSpore itself can be asked for: `python tables.py FOLDER` under a Python that has MindSpore 2.10 (and NumPy before 2).

`parameters.txt`: the parameters of the functions of `ops`. `dtypes.txt`: what each operator of `dtype_cases.txt` says to operands of each dtype.
`primitive_calls.txt`: the parameters of the operators' `__call__`, and the functions that are operators. `operands.txt`: what the operators that it lists say to another number of operands and to what is no Tensor.
"""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "dtype_cases.txt"
DTYPES = (
    "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
WHOLE = {"f": "float32", "i": "int32", "b": "bool_"}


def parameters() -> str:
    """The functions of `ops`, a line for each: `name(parameters)`."""
    from mindspore import ops

    lines: list[str] = []
    for name in sorted(dir(ops)):
        function = getattr(ops, name)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        params = inspect.signature(function).parameters.values()
        if not function.__module__.startswith("mindspore.ops.function_") and "overload" not in function.__module__:
            lines.append(f"{name}({', '.join(map(_parameter, params))})")
    return "\n".join(lines) + "\n"


def _parameter(p: inspect.Parameter) -> str:
    star = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**", "KEYWORD_ONLY": "!"}.get(p.kind.name, "")
    if p.default is p.empty:
        return star + p.name
    default = repr(p.default) if isinstance(p.default, int | float | str | tuple | None) else str(p.default)
    return f"{star}{p.name}={default.removeprefix('mindspore.')}".replace(", ", ",")


def primitive_calls() -> str:
    """The operators that Python calls by name, `Name(parameters)`, and the functions that are one, `name = Name(parameters)`."""
    from mindspore import ops
    from mindspore.ops import Primitive, functional, operations

    lines: set[str] = set()
    for home in (operations, ops, functional):
        for name, found in vars(home).items():
            cls = found if inspect.isclass(found) else type(found)
            call = cls.__dict__.get("__call__")
            if name.startswith("_") or not issubclass(cls, Primitive) or not inspect.isfunction(call):
                continue
            params = list(inspect.signature(call).parameters.values())[1:]
            if all(p.kind is p.POSITIONAL_OR_KEYWORD for p in params):
                text = f"{cls.__name__}({', '.join(map(_parameter, params))})"
                lines.add(text if inspect.isclass(found) else f"{name} = {text}")
    return "".join(f"{line}\n" for line in sorted(lines))


class Shaped(tuple[Any, ...]):
    """An operand that is a Tensor: its shape and dtype."""


def operand(text: str) -> Any:
    """An operand of a case: `f2x3`, `i4` and `b` are Tensors, `[f2 & f2]` a tuple of some, and else it is a literal."""
    if text.startswith("["):
        return [operand(t.strip()) for t in text[1:-1].split("&")]
    if re.fullmatch(r"[fib](\d+(x\d+)*)?", text):
        return Shaped((tuple(int(n) for n in text[1:].split("x") if n), WHOLE[text[0]]))
    import mindspore as ms

    return eval(text, {"ms": ms})  # a literal of the table beside this file


def made(x: Any) -> Any:
    """The operand itself."""
    import mindspore as ms
    import numpy as np

    if isinstance(x, list):
        return tuple(map(made, x))
    return ms.Tensor(np.ones(x[0]), getattr(ms, x[1])) if isinstance(x, Shaped) else x


def of_dtype(x: Any, dtype: str) -> Any:
    """An operand of another dtype."""
    return [of_dtype(i, dtype) for i in x] if isinstance(x, list) else Shaped((x[0], dtype))


def plain(x: Any) -> str:
    """The dtype that an operand has where it is not looked at; `-` for what is no Tensor."""
    return plain(x[0]) if isinstance(x, list) else _name(x[1]) if isinstance(x, Shaped) else "-"


def answer(operator: Any, operands: list[Any]) -> str | None:
    """The first line of what an operator says to operands; None if it computes."""
    from mindspore import jit

    def called(*args: Any) -> Any:
        return operator(*args)

    try:
        result = jit(called)(*map(made, operands))
        first = result[0] if isinstance(result, tuple | list) else result
        first.asnumpy()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}".rstrip()
    return None


def groups(operands: list[Any]) -> dict[str, list[int]]:
    """Which operands are of one dtype: each alone, and all the floats together."""
    places = [k for k, x in enumerate(operands) if isinstance(x, list | Shaped)]
    floats = [k for k in places if isinstance(operands[k], list) or operands[k][1] == operands[places[0]][1]]
    return ({"all": floats} if len(floats) > 1 else {}) | {str(k): [k] for k in places}


def dtypes() -> str:
    """What operators say to dtypes: the operator with those of its operands, below it the operands with the message, below that the dtypes."""
    from mindspore.ops import operations

    lines: list[str] = []
    for case in CASES.read_text().splitlines():
        name, options, rest = (part.strip() for part in case.split("|"))
        operator = eval(f"operations.{name}({options})", {"operations": operations})
        operands = [operand(t.strip()) for t in rest.split(";")]
        lines.append(" ".join([name, *map(plain, operands)]))
        for group, places in groups(operands).items():
            said: dict[str, list[str]] = {}
            for dtype in DTYPES:
                changed = [of_dtype(x, dtype) if k in places else x for k, x in enumerate(operands)]
                text = answer(operator, changed)
                if text is not None:
                    said.setdefault(_without(text, dtype), []).append(dtype)
            for text, refused in said.items():
                lines += [f"    {group} {text}", f"        {' '.join(map(_name, refused))}"]
    return "\n".join(lines) + "\n"


def _without(text: str, dtype: str) -> str:
    """A message without the dtype that it names after `but got`."""
    before, but_got, after = text.rpartition("but got")
    return before + but_got + re.sub(rf"\b{_name(dtype)}\b", "@", after)


def _name(dtype: str) -> str:
    """A dtype's name in messages."""
    return ("UInt" + dtype[4:] if dtype.startswith("uint") else dtype.capitalize()).removesuffix("_")


def operands(names: list[str]) -> str:
    """What operators without types of operands say to another number of them, and to strings in their place (`@`); a run in a process of its own for each."""
    lines: list[str] = []
    for name in names:
        count, types = _asked(name)
        if count or types:
            lines += [f"{name} {count}".rstrip(), *(f"    {place} {text}" for place, text in types.items())]
    return "\n".join(lines) + "\n"


def _asked(name: str) -> tuple[str, dict[int, str]]:
    count, types = "", dict[int, str]()
    for lead in range(3):
        for more in range(1, 6 - lead):
            said = _of_strings(name, lead, more)
            number = re.search(r"(?:number|size)\b.*?(?:must|should) be (?:equal to )?(\d+)\D*,? but got (\d+)", said)
            if number is None:
                if "String" in said and "Failed calling" not in said:
                    types[lead] = said.replace("String", "@")
                break
            count = f"{number[1]} {said[: number.start(2)]}#{said[number.end(2) :]}"
    return count, types


def _of_strings(name: str, lead: int, more: int) -> str:
    """The first line of what an operator says to some Tensors and strings after them."""
    program = (
        "import mindspore as ms; from mindspore.ops import operations\n"
        f"operator = operations.{name}()\n"
        f"def called(*args): return operator(*args)\n"
        f"try: ms.jit(called)(*[ms.Tensor([[1.0]])] * {lead}, *['a'] * {more})\n"
        "except Exception as error: print('=', type(error).__name__ + ': ' + str(error).partition(chr(10))[0])\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(program)
        run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, cwd=folder)
    return next((line[2:] for line in run.stdout.splitlines() if line.startswith("= ")), "")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    (folder / "parameters.txt").write_text(parameters())
    (folder / "primitive_calls.txt").write_text(primitive_calls())
    (folder / "dtypes.txt").write_text(dtypes())
    known = [
        line.split(" ")[0] for line in (folder / "operands.txt").read_text().splitlines() if not line.startswith(" ")
    ]
    (folder / "operands.txt").write_text(operands(known))
