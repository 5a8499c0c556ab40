"""Wheels: a library with a Python module over it that needs NumPy alone (`build.package`), which pip installs."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import keyword
import re
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jitcore import __version__
from jitcore.build import elf
from jitcore.exports.arguments import Kind, text_of
from jitcore.exports.descriptions import read
from jitcore.exports.loaded import LoadedFunction
from jitcore.passes.infer.domain.signature import Result, ResultArray, ResultConstant, ResultContainer, ResultInput
from jitcore.program import libraries as lib

_VERSION: Final = "0.1.0"
_PYTHON: Final = "3.9"
_TEMPLATE: Final = Path(__file__).parent / "package"
_FILES: Final = ("__init__.py", "_library.py")
_TABLE: Final = "interface.json"
_OWN: Final = frozenset({"Model", "handle", "library", "lock"})
"""What the package, and its models, have besides functions."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_OF_GLIBC: Final = frozenset(
    {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
)
_OLDEST: Final = (2, 17)
"""The glibc of the oldest of the tags that are in use for both machines (PEP 599)."""
_CONTAINERS: Final = (tuple, list, dict, set, frozenset, slice, range)


class WheelError(ValueError):
    """A model that no wheel can be made of."""


def require_name(name: str) -> None:
    """Raise WheelError for a name that no package may have."""
    if not re.fullmatch(r"[A-Za-z]\w*[A-Za-z0-9]|[A-Za-z]", name, re.ASCII) or keyword.iskeyword(name):
        raise WheelError(f"no Python package can be called {name!r}: give another with --name")
    if name in sys.stdlib_module_names or name in ("numpy", "jitcore"):
        raise WheelError(f"there is a Python package {name} already: give another name with --name")


def table(library: lib.Library, models: Sequence[LoadedFunction]) -> dict[str, Any]:
    """What `interface.json` has: how Python's arguments become values of C's, and results Python's. Raises
    WheelError."""
    calls = (call for case in library.cases for call in case.program.host_calls)
    functions = zip(library.functions, models, strict=True)
    return {
        "name": library.name,
        "library": f"lib{library.name}.so",
        "dtypes": [dtype.numpy.name for dtype in lib.DTYPE_CODES],
        "draws": any(call.operation == "random_state" for call in calls),
        "functions": {function.name: _function(function, model) for function, model in functions},
    }


def _function(function: lib.Function, model: LoadedFunction) -> dict[str, Any]:
    name, manifest = function.name, model.manifest
    if name in _OWN or name.startswith("_"):
        raise WheelError(f"a function of the package would be called {name!r}: rename the folder of a model")
    for argument in manifest["arguments"]:
        if keyword.iskeyword(argument):
            raise WheelError(f"an argument of {name} is called {argument!r}, which is a keyword of Python's")
    inferred = [member.compilation.inferred for member in model.specialisations]
    results = [_result(i.result) for i in inferred]
    if any(result != results[0] for result in results):
        raise WheelError(f"what {name} gives is made otherwise where an extent is 1")
    inputs = list(map(_kind, manifest["inputs"]))
    lines = [f"{argument}: {kind['text']}" for argument, kind in zip(manifest["arguments"], inputs, strict=True)]
    sources = [source for case in function.cases for source in case.inputs if isinstance(source, lib.FromArgument)]
    return {
        "doc": "\n".join([*filter(None, [manifest.get("doc")]), "", *lines]).strip(),
        "arguments": manifest["arguments"],
        "inputs": inputs,
        "written": sorted({source.index for source in sources if source.written}),
        "outputs": len(function.cases[0].outputs),
        "result": results[0],
    }


def _kind(kind: Kind) -> dict[str, Any]:
    """A kind of argument, with its text."""
    text = text_of(kind)
    match kind["is"]:
        case "tuple" | "list":
            return {"is": kind["is"], "text": text, "items": list(map(_kind, kind["items"]))}
        case "dict":
            keys, items = zip(*kind["entries"], strict=True) if kind["entries"] else ((), ())
            keys = [read(key) for key in keys]
            told = ", ".join(f"{key!r}: {text_of(item)}" for key, item in zip(keys, items, strict=True))
            return {
                "is": "dict",
                "text": f"a dict {{{told}}}",
                "keys": list(map(_constant, keys)),
                "items": list(map(_kind, items)),
            }
        case "constant":
            return {"is": "constant", "text": text, "value": _constant(read(kind["value"]))}
        case _:
            return {**kind, "text": text}


def _constant(value: object) -> Any:
    """A constant as `interface.json` has it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if type(value) is tuple:
        return {"tuple": list(map(_constant, value))}
    raise WheelError(f"{value!r} is in an argument or a result, which a wheel's cannot have")


def _result(result: Result) -> dict[str, Any]:
    """How a result is made of a library's outputs, in their order."""
    match result:
        case ResultContainer(cls, items, keys):
            if cls not in _CONTAINERS:
                raise WheelError(f"a result is a {cls.__name__}, which a wheel has not")
            made = {"is": cls.__name__, "items": [_result(item) for item in items]}
            return {**made, "keys": list(map(_constant, keys))} if cls is dict else made
        case ResultConstant(None):
            return {"is": "constant", "value": None}
        case ResultInput():
            return {"is": "array", "scalar": False}
        case ResultArray(_, category):
            return {"is": "array", "scalar": category == "npscalar"}
        case _:
            return {"is": "number"}


def tag(code: bytes, machine: str, is_native: bool) -> str:
    """The platforms that a library is for: those of its glibc (PEP 600). One that has this machine's instructions, or
    needs other libraries, is not for others."""
    needed = elf.needs(code)
    if is_native or not needed.versions or not needed.libraries <= _OF_GLIBC:
        return f"linux_{machine}"
    major, minor = max(needed.glibc, _OLDEST)
    return f"manylinux_{major}_{minor}_{machine}"


def wheel(table: Mapping[str, Any], code: bytes, platform: str) -> tuple[str, bytes]:
    """The name and the bytes of a wheel (the binary distribution format, 1.0)."""
    name = table["name"]
    distribution = f"{re.sub('_+', '_', name).lower()}-{_VERSION}"
    told = f"py3-none-{platform}"
    functions = "".join(f"\n    {f}({', '.join(t['arguments'])})" for f, t in table["functions"].items())
    files = {f"{name}/{file}": (_TEMPLATE / file).read_bytes() for file in _FILES}
    files[f"{name}/{_TABLE}"] = json.dumps(table, indent=1).encode()
    files[f"{name}/{table['library']}"] = code
    info = f"{distribution}.dist-info"
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {_VERSION}\nSummary: A compiled model: {name}\n"
        f"Requires-Python: >={_PYTHON}\nRequires-Dist: numpy\nDescription-Content-Type: text/plain\n\n"
        f"Functions of the module `{name}`:\n{functions}\n"
    ).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: jitcore {__version__}\nRoot-Is-Purelib: false\nTag: {told}\n"
    ).encode()
    record = f"{info}/RECORD"
    lines = [f"{file},sha256={_digest(data)},{len(data)}\n" for file, data in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for file, data in files.items():
            entry = zipfile.ZipInfo(file, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if file.endswith(".so") else 0o100644) << 16
            made.writestr(entry, data)
    return f"{distribution}-{told}.whl", archive.getvalue()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
