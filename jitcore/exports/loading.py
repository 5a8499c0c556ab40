"""Loading: from a model's folder to a callable."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

# every primitive is declared before a program names it
import jitcore.primitives  # noqa: F401  # pyright: ignore[reportUnusedImport]
from jitcore import symbol_numbers
from jitcore.exports import folders
from jitcore.exports.agreement import Examples, require_inputs, require_result
from jitcore.exports.arguments import array_of, require_kind
from jitcore.exports.descriptions import read
from jitcore.exports.folders import ModelFileError
from jitcore.exports.guarding import guarded
from jitcore.exports.loaded import LoadedFunction
from jitcore.identity import Identity
from jitcore.ir.analysis import symbols
from jitcore.ir.expressions import ExpressionError, read_dim
from jitcore.ir.parser import TextError, parse
from jitcore.ir.verify import VerifyError, verify
from jitcore.passes.infer.domain.signature import Guard, Inferred, Input
from jitcore.passes.plan import ArgLayout
from jitcore.primitives.core import dialects
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.runtime import compile as driver
from jitcore.runtime.compile import Compilation
from jitcore.runtime.options import Options
from jitcore.runtime.specialisation import Specialisation
from jitcore.runtime.tensor import made_of, wrap
from jitcore.train import checkpoint_format
from jitcore.types import Type

_OF_DAMAGE = (
    TextError, VerifyError, ExpressionError, KeyError, TypeError, ValueError, IndexError, AttributeError, SyntaxError
)  # fmt: skip
"""What reading raises of a file that nobody wrote so."""
_OPTIONS = Options(strict=True)
"""There is no source that the interpreter could run in a program's place."""
_FRAMEWORKS = frozenset(["mindspore", "oneflow", "paddle", "paddle.fluid", "torch"])
"""Those whose Tensors are of a class of their own, in the module `tensor` of their package."""


def load(path: str | Path) -> LoadedFunction:
    """The function in a folder that `export` has written: called as the exported one was, without its source.

    Raises ModelFileError (a ValueError) for a folder that is damaged, foreign, or of a newer jitcore. Nothing in the
    folder is executed but as a program of jitcore's.
    """
    folder = Path(path)
    manifest, files = folders.read(folder)
    try:
        return _loaded(manifest, files)
    except ModelFileError as error:
        raise ModelFileError(f"{folder}: {error}") from None
    except _OF_DAMAGE as error:
        raise ModelFileError(f"{folder} is damaged: {type(error).__name__}: {error}") from error


def _loaded(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> LoadedFunction:
    for name, version in manifest["primitives"].items():
        if name not in PRIMITIVES or PRIMITIVES[name].version != version:
            raise ModelFileError(f"it needs version {version} of the operation {name!r}, which this jitcore has not")
    for kind in manifest["inputs"]:
        require_kind(kind)
    names = manifest["arguments"]
    if len(names) != len(manifest["inputs"]) or len({*names}) != len(names) or not all(map(str.isidentifier, names)):
        raise ValueError("the arguments have no names")
    if not isinstance(manifest.get("doc", ""), str):  # there is none in those of older versions
        raise ValueError("the docstring is no text")
    for name in manifest["dialects"]:
        _begin_dialect(name)
    arrays = checkpoint_format.decode(files[folders.CONSTANTS])
    held = {name: _held(arrays[name], told["category"]) for name, told in manifest["constants"].items()}
    examples = Examples(manifest["inputs"])
    members = [_member(program, files[program["file"]].decode(), held, examples) for program in manifest["programs"]]
    return LoadedFunction(manifest, held, members)


def _begin_dialect(name: str) -> None:
    """Have a framework's class of Tensors."""
    if f"{dialects.OWN}:{name}" in dialects.known:
        return
    if name not in _FRAMEWORKS:
        raise ModelFileError(f"it is of Tensors of {name!r}, which this jitcore has not")
    try:
        importlib.import_module(f"jitcore.compat.{name}.tensor")
    except ModuleNotFoundError as error:
        raise ModelFileError(f"it is of Tensors of {name!r}, which this jitcore has not: {error}") from error


def _held(array: np.ndarray[Any, Any], category: str) -> Any:
    """What a model holds an array as."""
    array = np.array(array)
    if category == "ndarray":
        return array
    if category == "npscalar":
        return array[()]
    return wrap(array) if category == dialects.OWN else made_of(dialects.known[category].cls, array)


def _member(told: Mapping[str, Any], text: str, held: Mapping[str, Any], examples: Examples) -> Specialisation:
    """A program, and the calls it serves."""
    table = {name: _constant(kept, held) for name, kept in told["constants"].items()}
    module = parse(text, PRIMITIVES, table)
    verify(module)
    symbol_numbers.reserve(symbols(module))
    params = module.main.params
    if len(params) != len(told["inputs"]):
        raise ValueError("a program takes other inputs than the manifest says")
    inputs = tuple(_input(made, p.type, held) for made, p in zip(told["inputs"], params, strict=True))
    pattern = tuple(tuple(map(read_dim, shape)) for shape in told["shapes"])
    examples.require_pattern(pattern)
    require_inputs(inputs, examples, pattern)
    result = read(told["result"])
    counts = require_result(result, module.main.result_types, len(inputs))
    module = guarded(module, counts)
    inferred = Inferred(
        module,
        inputs,
        result,
        tuple(_guard(read(path), read(expected)) for path, expected in told["expected"]),
        frozenset(),
        notes={"attributes_noted": False, "shares_containers": False, "differentiated": ()},
        equal_extents=tuple((read_dim(a), read_dim(b)) for a, b in told["equal_extents"]),
    )
    layouts = [ArgLayout(i.contiguous, frozenset[int]()) for i in inputs]
    made = partial(driver.lower, module, layouts, options=_OPTIONS)
    compilation = Compilation(module.entry, None, inferred, layouts, None, made, False, options=_OPTIONS)
    return Specialisation(compilation, pattern, (), tuple(frozenset[int]() for _ in inputs), "exported")


def _constant(told: Mapping[str, Any], held: Mapping[str, Any]) -> Any:
    return array_of(held[told["array"]]) if isinstance(told, dict) and "array" in told else read(told)


def _guard(path: tuple[Any, ...], expected: object) -> Guard:
    if path[0] != "arg":
        raise ValueError(f"{path!r} leads to no argument")
    return Guard(path, expected)


def _input(told: Mapping[str, Any], type_: Type | None, held: Mapping[str, Any]) -> Input:
    assert type_ is not None
    rest = bool(told["contiguous"]), bool(told["written"])
    if "path" in told:
        path = read(told["path"])
        if path[0] != "arg" or type(path[1]) is not int:
            raise ValueError(f"{path!r} leads to no argument")
        return Input(path, type_, told["category"], *rest)
    value = held[told["constant"]] if "constant" in told else read(told["number"])
    return Input(("object", Identity(value)), type_, told["category"], *rest, source=value)
