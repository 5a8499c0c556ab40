"""Export: from a callable and its inputs to a model's folder."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, Final, cast

import numpy as np

from jitcore import __version__
from jitcore.exports import folders
from jitcore.exports.arguments import Kind, kind_of
from jitcore.exports.descriptions import UndescribedError, described
from jitcore.exports.programs import (
    Program,
    compiled,
    doc_of,
    is_array,
    is_number,
    name_of,
    name_of_captured,
    names_of_arguments,
    not_held,
    outer_changes,
    specs_in,
)
from jitcore.exports.specs import InputSpec
from jitcore.ir.analysis import all_bindings
from jitcore.ir.nodes import Literal, Module
from jitcore.ir.printer import Text, to_text
from jitcore.passes.infer.domain.signature import Input
from jitcore.primitives.core import dialects
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.ops import boxes, conversions
from jitcore.runtime.tensor import Tensor
from jitcore.source import NOWHERE, CompileError, Problem, Span
from jitcore.structs import dataclass
from jitcore.train import checkpoint_format

_INSTEAD: Final = "numbers, arrays, and exceptions of Python's own"
_HEADLINE: Final = "cannot be exported"
_MOST_NAMES: Final = 4
"""Of extents that may be anything: there is a program for each choice of those that are 1."""


def export(function: Callable[..., Any], inputs: object, path: str | Path) -> None:
    """Write a function, Cell, Module, or what `grad` and `value_and_grad` make as a folder at `path`, which `load`
    gives back without its source; or, where the path ends in `.onnx`, as an ONNX model (`exports.onnx.model`).

    `inputs` are examples of its arguments, or an `InputSpec` in the place of each array: one, or a tuple. Arrays that
    are given as they are fix dtype and shape; numbers are arguments, too. What the function reads besides (parameters,
    captured arrays and numbers) is written as it is now; parameters that it changes are changed in each loaded
    model.

    Raises CompileError, which names all places in it that cannot leave Python, or have no counterpart in ONNX;
    FileExistsError where something else is at a folder's path; ImportError for ONNX without the extra `onnx`.

    >>> import tempfile, jitcore
    >>> def double(x):
    ...     return x * 2
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export(double, InputSpec(("n",)), f"{folder}/double")
    ...     print(jitcore.load(f"{folder}/double")(jitcore.Tensor([1.0, 2.0], jitcore.float32)))
    [2. 4.]
    """
    given = cast("tuple[Any, ...]", inputs) if isinstance(inputs, tuple) else (inputs,)
    if not callable(function):
        raise TypeError(f"functions and networks are exported, not {type(function).__name__}")
    kinds = list(map(_kind, given))
    if Path(path).suffix == ".onnx":
        model = importlib.import_module("jitcore.exports.onnx.model")  # it needs the extra `onnx`
        model.write(function, given, Path(path))
        return
    constants = _Constants()
    programs = [_program(function, given, ones, constants) for ones in _cases(given)]
    texts = {f"program_{k}.ir": text.encode() for k, (text, _) in enumerate(programs)}
    manifest = {
        "jitcore": __version__,
        "name": name_of(function),
        "doc": doc_of(function),
        "arguments": names_of_arguments(function, len(given)),
        "inputs": kinds,
        "dialects": sorted(constants.dialects),
        "primitives": constants.primitives,
        "constants": constants.told,
        "programs": [{"file": file, **told} for file, (_, told) in zip(texts, programs, strict=True)],
    }
    folders.write(Path(path), manifest, {**texts, folders.CONSTANTS: checkpoint_format.encode(constants.arrays)})


def _cases(given: Sequence[Any]) -> Iterator[frozenset[object]]:
    """Which of the extents that may be anything are 1: a program is for one choice of them, since 1 broadcasts."""
    names: list[object] = []
    for k, value in enumerate(given):
        for place, spec in specs_in(value, (k,)):
            names += [name for name in _names_of(place, spec) if name not in names]
    if len(names) > _MOST_NAMES:
        raise ValueError(
            f"a model is exported for at most {_MOST_NAMES} different extents that may be anything, not {len(names)}: "
            f"give those that are equal one name"
        )
    for count in range(len(names) + 1):
        yield from map(frozenset, itertools.combinations(names, count))


def _names_of(place: tuple[Any, ...], spec: InputSpec) -> Iterator[object]:
    """The names of an input's extents that may be anything; those without have one by their place."""
    return ((*place, axis) if n is None else n for axis, n in enumerate(spec.shape) if not isinstance(n, int))


def _program(
    function: Callable[..., Any], given: Sequence[Any], ones: frozenset[object], constants: _Constants
) -> tuple[str, dict[str, Any]]:
    """The text of a program, and what the manifest says of it."""
    made = compiled(function, given, ones)
    inferred = made.inferred
    text = to_text(made.module)
    _require_exportable(made, text)
    constants.note(made.module)
    told = {
        "shapes": [[str(n) for n in shape] for shape in made.shapes],
        "inputs": [_input(spec, made, constants) for spec in inferred.inputs],
        "result": described(inferred.result),
        "equal_extents": [[str(a), str(b)] for a, b in inferred.equal_extents],
        "constants": {
            name: {"array": constants.kept(value, name)} if _is_array(value) else described(value)
            for name, value in text.table.items()
        },
        "expected": [
            [described(made.shifted(guard.path)), described(guard.expected)]
            for guard in inferred.guards
            if made.is_given(guard.path)
        ],
    }
    return _without_folders(text.text), told


def _without_folders(text: str) -> str:
    """A program's text, in which files have their names alone."""
    lines = text.split("\n")
    for k, line in enumerate(lines):
        if not line.startswith("# file "):
            break
        short, _, _ = line.removeprefix("# file ").partition(" = ")
        lines[k] = f"# file {short} = {short!r}"
    return "\n".join(lines)


def _kind(value: object) -> Kind:
    try:
        return kind_of(value)
    except UndescribedError as error:
        message = f"an argument is, or holds, an object that cannot leave Python: {error}"
        raise CompileError([Problem(NOWHERE, message, "numbers, arrays, and containers of them")], _HEADLINE) from None


# --- what goes in --------------------------------------------------------------------------------------


def _input(spec: Input, program: Program, constants: _Constants) -> dict[str, Any]:
    """What the manifest says of an input of a program."""
    told: dict[str, Any] = {"category": spec.category, "contiguous": spec.contiguous, "written": spec.written}
    constants.note_category(spec.category)
    if program.is_given(spec.path):
        return {**told, "path": described(program.shifted(spec.path))}
    value = program.captured(spec)
    if is_array(value):
        return {**told, "constant": constants.kept(value, name_of_captured(spec, value))}
    if is_number(value):
        return {**told, "number": described(value)}
    raise CompileError([not_held(spec, value)], _HEADLINE)


# --- what cannot leave Python --------------------------------------------------------------------------


def _require_exportable(program: Program, text: Text) -> None:
    """Raise CompileError, with all that keeps a program from leaving Python, if something does."""
    module = program.module
    problems = [
        Problem(
            _span_of(module, value),
            f"{_kind_of(value)} cannot leave Python",
            "numbers, arrays, and exceptions of Python's own",
        )
        for value in text.table.values()
        if not (_is_array(value) or _has_description(value))
    ]
    problems += outer_changes(program)
    of_boxes = next((b for b in all_bindings(module) if b.op in boxes.OPS), None)
    if of_boxes is not None:
        message = "dicts, sets, strings and lists whose keys, lengths or items the run says cannot leave Python"
        problems.append(Problem(of_boxes.span, message, "arrays, numbers, and lists of numbers"))
    try:
        described(program.inferred.result)
    except UndescribedError as error:
        message = f"its result has an object in it that cannot leave Python: {error}"
        problems.append(Problem(module.main.span, message))
    if problems:
        raise CompileError(problems, _HEADLINE)


def _kind_of(value: object) -> str:
    """What an object is to its user."""
    if isinstance(value, conversions.Raising):
        return f"the exception {getattr(value.kind, '__name__', value.kind)!s}"
    return f"{value.__name__!r}" if isinstance(value, type | FunctionType) else f"an object of {type(value).__name__}"


def _has_description(value: object) -> bool:
    try:
        described(value)
    except UndescribedError:
        return False
    return True


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc"


@dataclass(slots=True, eq=False)
class _Kept:
    name: str
    value: Any


class _Constants:
    """The arrays that programs have, each once, by name; and what of jitcore's they need."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}
        self.told: dict[str, dict[str, Any]] = {}
        self.dialects: set[str] = set()
        self.primitives: dict[str, int] = {}
        self._kept: dict[int, _Kept] = {}

    def note(self, module: Module) -> None:
        """Note which operations a program is made of."""
        for binding in all_bindings(module):
            primitive = PRIMITIVES.get(binding.op.name)
            if primitive is not None:
                self.primitives[primitive.name] = primitive.version

    def note_category(self, category: str) -> None:
        """Note whose Tensors an input is of."""
        if category in dialects.known:
            self.dialects.add(dialects.known[category].name)

    def kept(self, value: object, hint: str) -> str:
        """The name under which an array is kept."""
        found = self._kept.get(id(value))
        if found is None:
            name = hint
            for number in itertools.count(1):
                if name not in self.arrays:
                    break
                name = f"{hint}_{number}"
            found = self._kept[id(value)] = _Kept(name, value)
            self.arrays[name] = np.array(value.asnumpy() if isinstance(value, Tensor) else value)
            category = "ndarray"
            if isinstance(value, Tensor):
                dialect = dialects.dialect_of(value)
                category = dialects.OWN if dialect is None else dialect.category
                self.note_category(category)
            elif isinstance(value, np.generic):
                category = "npscalar"
            self.told[name] = {"category": category}
        return found.name


def _span_of(module: Module, value: object) -> Span:
    """Where a constant is used first."""
    for binding in all_bindings(module):
        if any(isinstance(a, Literal) and a.value is value for a in binding.args) or value in binding.params.values():
            return binding.span
    return NOWHERE
