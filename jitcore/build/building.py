"""From a model's folder to a library for C."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from jitcore.backends import lookup
from jitcore.build import linking, wheels
from jitcore.build.header import MAIN, example, header
from jitcore.exports.arguments import Kind, array_of, text_of
from jitcore.exports.descriptions import read
from jitcore.exports.loaded import LoadedFunction
from jitcore.exports.loading import load
from jitcore.passes.infer.domain.signature import (
    Input,
    Result,
    ResultArray,
    ResultConstant,
    ResultContainer,
    ResultInput,
    ResultNumber,
)
from jitcore.program import libraries as lib
from jitcore.program.words import type_words
from jitcore.runtime import compile as driver
from jitcore.runtime.specialisation import Specialisation
from jitcore.structs import dataclass, replace
from jitcore.train import atomic_files
from jitcore.types import DTYPES, DimExpr, RefType, ScalarType, TensorType, Type

_KINDS: Final = {"bool": lib.BOOL, "int": lib.INT, "float": lib.FLOAT}
_WORD: Final = (1 << 64) - 1


class BuildError(ValueError):
    """A model that no library for C can be made of, or that cannot be linked."""


@dataclass(frozen=True, slots=True)
class Built:
    """The files that `build` has written; `shared` is None where nothing could link it, and `why` says so; `wheel` is
    None where none was asked for."""

    object: Path
    header: Path
    example: Path
    shared: Path | None
    why: str = ""
    wheel: Path | None = None


def build(
    path: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    target: str = "native",
    name: str | None = None,
    shared: bool = True,
    wheel: bool = False,
) -> Built:
    """Make a library for C of an exported model: `NAME.o`, `NAME.h`, `NAME_example.c` and `libNAME.so` in the folder
    `out`. Of several models, those after the first are further functions, `NAME_<folder>`, of the same handle:
    parameters that have one name are one. `name` begins the names of all functions: the model's, if none is given.
    `target`: `native`, `x86-64-v2`,
    `x86-64-v3`, `x86-64-v4` or `aarch64`: a Linux machine of that kind; or several of x86-64's, with commas, of which
    the best that the processor has is chosen when the library is loaded. Where nothing links for it, `shared` is None.
    `wheel`: write a Python wheel as well, which needs NumPy alone (`build.wheels`).

    What the model's program computes is the same, bit for bit, on the machine that it is built for. Raises
    ModelFileError for what is no model, BuildError for arguments, results and programs that need Python (strings,
    lists, NumPy's factorisations and transforms, the generators of `random` and `numpy.random`), where the linker
    fails, and for a wheel that nothing links or whose name is no Python package's.
    """
    paths = [path] if isinstance(path, str | Path) else list(path)
    models = list(map(load, paths))
    prefix = _identifier(name if name is not None else models[0].__name__)
    held = _Held()
    functions = tuple(
        _function(MAIN if k == 0 else _identifier(Path(paths[k]).resolve().name), model, held)
        for k, model in enumerate(models)
    )
    _require_distinct([f.name for f in functions])
    library = lib.Library(prefix, functions, tuple(held.arrays), frozenset(held.changing))
    interface = _interface(library, models) if wheel else {}
    try:
        code = lookup("CPU").library(library, target)
    except ValueError as error:
        raise BuildError(f"{', '.join(map(str, paths))} cannot be built: {error}") from error
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    files = Built(folder / f"{prefix}.o", folder / f"{prefix}.h", folder / f"{prefix}_example.c", None)
    atomic_files.write(files.object, code)
    outputs = [list(map(_told, function.cases[0].outputs)) for function in functions]
    atomic_files.write(files.header, header(library, outputs).encode())
    atomic_files.write(files.example, example(library).encode())
    if not shared and not wheel:
        return files
    machine = linking.machine_of(code)
    linker = linking.linker(machine)
    if linker is None and wheel:
        raise BuildError(f"a wheel has a shared library, but {linking.without(machine)}")
    if linker is None:
        return replace(files, why=linking.without(machine))
    made = folder / f"lib{prefix}.so"
    try:
        linking.link(linker, files.object, made)
    except linking.LinkError as error:
        raise BuildError(str(error)) from error
    if not wheel:
        return replace(files, shared=made)
    linked = made.read_bytes()
    name, packed = wheels.wheel(interface, linked, wheels.tag(linked, machine, target == "native"))
    atomic_files.write(folder / name, packed)
    return replace(files, shared=made, wheel=folder / name)


def _interface(library: lib.Library, models: Sequence[LoadedFunction]) -> dict[str, Any]:
    """What a wheel says of a library. Raises BuildError."""
    try:
        wheels.require_name(library.name)
        return wheels.table(library, models)
    except wheels.WheelError as error:
        raise BuildError(str(error)) from error


def _identifier(name: str) -> str:
    made = re.sub(r"\W", "_", name, flags=re.ASCII)
    return made if re.match(r"[A-Za-z_]", made) else f"f{made}"


def _require_distinct(names: Sequence[str]) -> None:
    """Raise BuildError for names that two functions of a library would have."""
    taken = {*lib.OWN_FUNCTIONS, "model", "value", "int", "float", "array"}
    for name in names:
        for given in (name, f"{name}_into"):
            if given in taken:
                raise BuildError(
                    f"two functions of the library would be called {given!r}: rename the folder of a model"
                )
            taken.add(given)


def _function(name: str, model: LoadedFunction, held: _Held) -> lib.Function:
    """A model as a function of a library."""
    kinds = [leaf for k, kind in enumerate(model.manifest["inputs"]) for leaf in _leaves(kind, ("arg", k))]
    held.begin(model.parameters)
    cases = tuple(_case(member, kinds, held) for member in model.specialisations)
    return lib.Function(name, cases, tuple(text_of(kind) for _, kind in kinds))


def _leaves(kind: Kind, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Kind]]:
    """The arrays and numbers of an argument, each with the path to it."""
    match kind["is"]:
        case "tuple" | "list":
            for k, item in enumerate(kind["items"]):
                yield from _leaves(item, (*path, ("item", k)))
        case "dict":
            for key, item in kind["entries"]:
                yield from _leaves(item, (*path, ("item", read(key))))
        case "array" | "bool" | "int" | "float":
            yield path, kind
        case "constant":
            pass
        case _:
            raise BuildError(f"an argument is {text_of(kind)}: C is given arrays, ints, floats and bools")


def _are_same(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether two arrays are the same, bit for bit."""
    return (a.dtype, a.shape) == (b.dtype, b.shape) and a.tobytes() == b.tobytes()


class _Held:
    """The constants of a library, each once."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []
        self.changing: set[int] = set()
        self._known: dict[int, int] = {}
        self._named: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._kept: list[object] = []

    def begin(self, named: Mapping[str, Any]) -> None:
        """The arrays of a model come, which has these."""
        self._names |= {id(value): name for name, value in named.items()}
        self._kept += named.values()  # their ids are keys

    def index(self, value: object, written: bool) -> int:
        """The number of a constant."""
        if id(value) not in self._known:
            array, name = np.asarray(array_of(value), order="C"), self._names.get(id(value), "")
            found = self._named.get(name)
            if found is None:
                found = len(self.arrays)
                self.arrays.append(array)
                self._named |= {name: found} if name else {}
            elif not _are_same(array, self.arrays[found]):
                raise BuildError(f"two models have another {name!r} each: export them with the same parameters")
            self._known[id(value)] = found
        found = self._known[id(value)]
        if written:
            self.changing.add(found)
        return found


def _case(member: Specialisation, kinds: Sequence[tuple[tuple[Any, ...], Kind]], held: _Held) -> lib.Case:
    compilation = member.compilation
    inferred = compilation.inferred
    _, program = driver.planned(inferred.module, compilation.layouts)
    if member.equal_extents:
        raise BuildError("the program computes extents that may be 1 or not, of which a library has no cases")
    shapes = iter(member.pattern)
    arguments = tuple(_argument(kind, shapes) for _, kind in kinds)
    places = {path: k for k, (path, _) in enumerate(kinds)}
    inputs = tuple(_source(spec, places, held) for spec in inferred.inputs)
    words: list[int] = []
    word = 0
    for type_ in inferred.module.main.result_types:
        words.append(word)
        word += type_words(type_)
    types = inferred.module.main.result_types
    outputs = tuple(_outputs(inferred.result, words, types, inputs))
    return lib.Case(program, arguments, inputs, outputs)


def _argument(kind: Kind, shapes: Iterator[Sequence[Any]]) -> lib.Argument:
    if kind["is"] != "array":
        return lib.Argument(_KINDS[kind["is"]])
    shape = () if kind["kind"] == "npscalar" else next(shapes)
    if len(shape) > lib.MOST_AXES:
        raise BuildError(f"an argument has {len(shape)} axes, and C's values have at most {lib.MOST_AXES}")
    dtype = next(d for d in DTYPES.values() if d.numpy.name == kind["dtype"])
    return lib.Argument(lib.ARRAY, dtype, tuple(None if isinstance(n, DimExpr) else int(n) for n in shape))


def _source(spec: Input, places: Mapping[tuple[Any, ...], int], held: _Held) -> lib.Source:
    if spec.path[0] == "arg":
        if spec.path not in places:
            raise BuildError(f"an argument is passed as {spec.category}: C is given arrays, ints, floats and bools")
        in_order = spec.contiguous and not isinstance(spec.type, ScalarType)
        return lib.FromArgument(places[spec.path], in_order, isinstance(spec.type, RefType))
    if isinstance(spec.type, ScalarType):
        return lib.FromNumber(_word(spec.source)[1])
    return lib.FromConstant(held.index(spec.source, isinstance(spec.type, RefType)))


def _word(value: object) -> tuple[int, int]:
    """The kind of a number, and its word."""
    if isinstance(value, bool | int):
        return (lib.BOOL if isinstance(value, bool) else lib.INT), int(value) & _WORD
    if isinstance(value, float):
        return lib.FLOAT, struct.unpack("<Q", struct.pack("<d", value))[0]
    raise BuildError(f"{value!r} is no number that C is given")


def _outputs(
    result: Result, words: Sequence[int], types: Sequence[Type], inputs: Sequence[lib.Source]
) -> Iterator[lib.Outcome]:
    match result:
        case ResultArray(index):
            type_ = types[index]
            target = type_.target if isinstance(type_, RefType) else type_
            assert isinstance(target, TensorType)
            yield lib.Output(words[index], lib.ARRAY, target.dtype, target.rank)
        case ResultNumber(index):
            type_ = types[index]
            named = str(type_) if isinstance(type_, ScalarType) else ""
            kind = {"bool": lib.BOOL, "i64": lib.INT, "f64": lib.FLOAT}.get(named)
            if kind is None:
                raise BuildError(f"a result is {type_}: C gets arrays, ints, floats and bools")
            yield lib.Output(words[index], kind)
        case ResultContainer(_, items):
            for item in items:
                yield from _outputs(item, words, types, inputs)
        case ResultConstant(None):
            pass
        case ResultConstant(value):
            yield lib.Known(*_word(value))
        case ResultInput(index):
            source = inputs[index] if index < len(inputs) else None
            if not isinstance(source, lib.FromArgument):
                raise BuildError("a result is an array of the model's own: a copy of it would be given")
            yield lib.Same(source.index)
        case _:
            raise BuildError(f"a result is a {type(result).__name__.removeprefix('Result').lower()}, which C has not")


def _told(output: lib.Outcome) -> str:
    """A result in words."""
    if isinstance(output, lib.Same):
        return f"inputs[{output.argument}]"
    names = {value: name for name, value in _KINDS.items()}
    if output.kind != lib.ARRAY:
        return names[output.kind]
    assert isinstance(output, lib.Output)
    assert output.dtype is not None
    return f"{output.dtype.numpy.name} of {output.rank} axes"
