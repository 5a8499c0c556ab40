"""Write what MindSpore says to arguments of layers: `python layer_probing.py FOLDER` under a Python that has MindSpore 2.10 (and NumPy before 2).

A case is a layer, loss, optimizer or learning rate with arguments that it takes, and operands for it. One argument is given a value of another type at a
time; what all values of a type get is a line of `layer_arguments.txt`. Types that an argument may have with other values are left out.
`layer_signatures.txt` has the parameters of `__init__` and `construct`. Each case runs in a process of its own: some of MindSpore's calls never end.
"""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CASES = Path(__file__).with_name("layer_cases.txt")
LIMIT = 150
"""Seconds for a case."""
VALUES: dict[str, list[Any]] = {
    "str": ["qqq"], "int": [-7, 77], "float": [7.25, -7.5], "none": [None], "bool": [True, False],
    "tuple": [(71, 72), (), ("qqq",)], "list": [[73], ["qqq"]], "dict": [{"qqq": 7}], "tensor": [7.0],
}  # fmt: skip
"""By type, the values that are tried; that of `tensor` is made one."""
CLASSES = {"none": "NoneType", "tensor": "Tensor"}
ERRORS = ("TypeError", "ValueError", "AttributeError", "ZeroDivisionError")
OWN = "(called)"


def cases() -> dict[str, tuple[str, str, list[str]]]:
    """By name the arguments, the operands and the parameters that are tried."""
    found: dict[str, tuple[str, str, list[str]]] = {}
    for line in CASES.read_text().splitlines():
        name, arguments, operands, parameters = (part.strip() for part in line.split("|"))
        found[name] = arguments, operands, parameters.split()
    return found


# --- asking, in a process of its own ------------------------------------------------------------------


def names() -> dict[str, Any]:
    """What cases are written with."""
    import mindspore as ms
    import numpy as np
    from mindspore import Tensor, nn

    net = nn.Dense(3, 2)
    return {
        "ms": ms, "nn": nn, "Tensor": Tensor, "net": net, "P": net.trainable_params, "np": np,
        "x1": Tensor(np.arange(4, dtype=np.float32)), "x2": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)),
        "x3": Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4)), "im": Tensor(np.ones((1, 3, 8, 8), np.float32)),
        "vol": Tensor(np.ones((1, 3, 4, 4, 4), np.float32)), "i2": Tensor(np.array([[0, 1], [1, 0]], np.int32)),
        "lab": Tensor(np.array([0, 1], np.int32)),
    }  # fmt: skip


def said(call: Callable[[], Any]) -> str | None:
    """The class and first line of what a call raises; None if it raises nothing."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}".rstrip()
    return None


def ask(name: str) -> None:
    """Print what a case says, a JSON line for each try."""
    from mindspore import Tensor, nn

    arguments, operands, parameters = cases()[name]
    args, given = eval(f"({arguments})", names()), eval(f"({operands})", names())
    cls = getattr(nn, name)

    def run(args: Any, keywords: dict[str, Any], given: Any) -> Any:
        made = cls(*args, **keywords)
        return made(*given) if given and callable(made) else made

    print(json.dumps(["bound", "", said(lambda: cls(*args, foo=1))]), flush=True)
    print(json.dumps(["bound", "", said(cls)]), flush=True)
    for k, parameter in enumerate(parameters):
        for kind, values in VALUES.items():
            for n, plain in enumerate(values):
                value = Tensor(plain) if kind == "tensor" else plain
                at = (*args[:k], value, *args[k + 1 :]) if k < len(args) else args
                more = {} if k < len(args) else {parameter: value}
                print(json.dumps([parameter, f"{kind} {n}", said(lambda: run(at, more, given))]), flush=True)
    for kind, value in {"none": None, "str": "qqq", "int": 7}.items() if given else ():
        print(json.dumps([OWN, f"{kind} 0", said(lambda: run(args, {}, (value,) * len(given)))]), flush=True)


def own_kinds(name: str) -> dict[str, str]:
    """The types of the arguments that a case has, or the defaults of its parameters."""
    from mindspore import nn

    arguments, _, parameters = cases()[name]
    args = eval(f"({arguments})", names())
    try:
        signature = inspect.signature(getattr(nn, name)).parameters
    except (TypeError, ValueError):
        signature = {}
    found = dict(zip(parameters, map(_kind, args), strict=False))
    for parameter in parameters[len(args) :]:
        if parameter in signature and signature[parameter].default is not inspect.Parameter.empty:
            found[parameter] = _kind(signature[parameter].default)
    return found


def _kind(value: Any) -> str:
    cls = type(value).__name__
    return {"NoneType": "none", "Tensor": "tensor"}.get(cls, cls if cls in VALUES else "object")


# --- what is common to the answers --------------------------------------------------------------------


def template(text: str, kind: str, value: Any) -> str:
    """An answer with marks for the value that was given, its class and its type."""
    cls = CLASSES.get(kind, kind)
    text = re.sub(rf"<class '(?:[\w.]*\.)?{cls}'>", "{type}", text)
    if kind == "tensor":
        text = re.sub(r"Tensor\(shape=\[\], dtype=Float32, value= ?7(\.0)?\)", "{value}", text)
    elif value == ():
        text = text if re.search(r"\w\(\)", text) else text.replace("()", "{value}")
    else:
        text = re.sub(rf"(?<![\w.]){re.escape(str(value))}(?!\w)(?!\.\d)", "{value}", text)
    return re.sub(rf"(?<![\w.]){cls}(?!\w)", "{class}", text)


def is_rule(text: str | None, argument: str, kind: str, own: str | None) -> bool:
    """Whether an answer that all values of a type get is one to the type, not to the values."""
    if text is None or not text.startswith(ERRORS) or "0x" in text or kind == own:
        return False
    if argument == OWN:
        return not re.search(r"missing|positional", text)
    if "could not convert" in text:  # each character of a string alone
        return False
    if re.search(r"missing \d+ required", text):  # that others were not given
        return False
    if kind in ("tuple", "list") and not text.startswith("TypeError"):  # others may have the right length
        return False
    is_type_error, names_it = text.startswith("TypeError"), "{class}" in text or "{type}" in text
    if not is_type_error and kind != "none" and not names_it and "{value}" not in text:
        return False
    if kind in ("int", "bool", "float", "tensor"):
        return is_type_error or (own in ("int", "str") and kind == "float")
    if kind == "none":
        return is_type_error or own not in (None, "none", "object")
    if kind == "dict" and "'Parameter' or '{class}'" in text:
        return False
    return (names_it and is_type_error) or own in ("int", "float", "bool") or argument == "dtype"


def rules(name: str) -> Iterator[str]:
    """The lines of a case."""
    call = [sys.executable, __file__, "ask", name]
    try:
        text = subprocess.run(call, capture_output=True, text=True, timeout=LIMIT).stdout
    except subprocess.TimeoutExpired as late:
        text = (late.stdout or b"").decode()
    answers: dict[str, dict[str, list[str | None]]] = defaultdict(lambda: defaultdict(list))
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]"):
            argument, place, answer = json.loads(line)
            kind, _, n = place.partition(" ")
            marked = answer if answer is None or not kind else template(answer, kind, VALUES[kind][int(n)])
            answers[argument][kind].append(marked)
    if any(re.match("TypeError: (got an|missing a)", said or "") for said in answers.pop("bound", {"": []})[""]):
        yield "    bound"
    own = own_kinds(name)
    for argument, by_kind in answers.items():
        found: dict[str, list[str]] = defaultdict(list)
        for kind, texts in by_kind.items():
            if len(set(texts)) == 1 and is_rule(texts[0], argument, kind, own.get(argument)):
                found[str(texts[0])].append(kind)
        yield from (f"    {argument} {','.join(kinds)} {text}" for text, kinds in found.items())


def signatures() -> Iterator[str]:
    """The parameters of the layers' own `__init__` and `construct`, a line for each; with another name in messages, after it."""
    from mindspore import nn

    for name in sorted(set(dir(nn))):
        cls = getattr(nn, name)
        for method in ("__init__", "construct") if inspect.isclass(cls) and not name.startswith("_") else ():
            function = getattr(cls, method, None)
            if not inspect.isfunction(function) or hasattr(function, "__wrapped__"):
                continue
            shown = function.__qualname__
            params = list(inspect.signature(function).parameters.values())[1:]
            open_ended = [p.kind.name for p in params] == ["VAR_POSITIONAL", "VAR_KEYWORD"]
            if not open_ended and "<locals>" not in shown and not shown.startswith(("Cell.", "object.")):
                text = f"{shown}({', '.join(map(_parameter, params))})"
                yield text if shown == f"{name}.{method}" else f"{name}.{method} = {text}"


def _parameter(p: inspect.Parameter) -> str:
    star = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**", "KEYWORD_ONLY": "!"}.get(p.kind.name, "")
    return f"{star}{p.name}" + ("" if p.default is p.empty else "=")


def main(folder: Path) -> None:
    """Write both tables."""
    lines: list[str] = []
    for name in sorted(cases()):
        found = list(rules(name))
        lines += [f"nn.{name}", *found] if found else []
    (folder / "layer_arguments.txt").write_text("".join(f"{line}\n" for line in lines))
    (folder / "layer_signatures.txt").write_text("".join(f"{line}\n" for line in signatures()))


if __name__ == "__main__":
    if sys.argv[1] == "ask":
        ask(sys.argv[2])
    else:
        main(Path(sys.argv[1]))
