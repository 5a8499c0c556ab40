"""The file of an ONNX model: inputs, outputs and constants with the names that its user knows.

Inputs have the names of the function's parameters (`pair.0` for the first item of a tuple), parameters and captured
arrays are initializers with theirs, extents of `InputSpec`s are dimensions of that name. Results are `output_0`,
`output_1`, … in the order in which they are met, those in a dict have their keys for names.

The program is the one for extents that are not 1. Where one is, ONNX broadcasts when the model runs, as NumPy does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from jitcore.exports.onnx import protobuf
from jitcore.exports.onnx.control import CONTROL
from jitcore.exports.onnx.conversion import Conversion
from jitcore.exports.onnx.protobuf import ValueInfo
from jitcore.exports.onnx.writing import RefusedError, Writer, tensor_of
from jitcore.exports.programs import (
    Program,
    compiled,
    is_array,
    is_number,
    name_of,
    name_of_captured,
    names_of_arguments,
    not_held,
    outer_changes,
)
from jitcore.exports.specs import InputSpec
from jitcore.ir.nodes import Var, type_of
from jitcore.passes.infer.domain.signature import (
    Input,
    Result,
    ResultArray,
    ResultConstant,
    ResultContainer,
    ResultInput,
    ResultNumber,
)
from jitcore.passes.pipeline import CLEANUP
from jitcore.runtime.specialisation import steps_of
from jitcore.runtime.tensor import Tensor
from jitcore.source import CompileError, Problem
from jitcore.train import atomic_files
from jitcore.types import Dim, TensorType, dtype_of

_HEADLINE: Final = "cannot be exported to ONNX"


def write(function: Callable[..., Any], given: Sequence[object], path: Path) -> None:
    """Write a function as an ONNX model, for examples of its arguments.

    Raises CompileError, which names all places in it that have no counterpart in ONNX.
    """
    program = compiled(function, given, passes=CLEANUP)
    names = _Inputs(program, given, names_of_arguments(function, len(given)))
    atomic_files.write(path, _encoded(program, names, name_of(function)))


def _encoded(program: Program, inputs: _Inputs, name: str) -> bytes:
    """The file of a program."""
    main = program.module.main
    w, c = Writer(), Conversion(CONTROL)
    for problem in (*outer_changes(program), *inputs.problems()):
        c.refuse(problem)
    infos = inputs.bind(w, c)
    c.body(w, main)
    outputs = _outputs(w, c, inputs, program)
    if c.problems:
        raise CompileError(tuple(c.problems.values()), _HEADLINE)
    nodes = protobuf.live(w.nodes, [info.name for info in outputs])
    used = protobuf.used_by(nodes)
    held = {name: array for name, array in w.initializers.items() if name in used}
    return protobuf.encoded_model(protobuf.graph(name, nodes, infos, outputs, held), f"{name}, as jitcore compiled it")


# --- what goes in -------------------------------------------------------------------------------------


class _Inputs:
    """A program's inputs: its arguments, and what it reads besides."""

    def __init__(self, program: Program, given: Sequence[object], names: Sequence[str]) -> None:
        self._program = program
        self._given = given
        self._names = names
        self._extents: dict[Dim, str] = {}

    def problems(self) -> Iterator[Problem]:
        """What is wrong with them."""
        program = self._program
        for spec in program.inferred.inputs:
            if spec.category in ("str", "bytes", "handle"):
                message = (
                    f"an argument, or what it reads, is a {spec.category}, which models of ONNX do not compute with"
                )
                yield Problem(program.module.main.span, message, "arrays and numbers")
            elif not program.is_given(spec.path):
                value = program.captured(spec)
                if not (is_array(value) or is_number(value)):
                    yield not_held(spec, value)

    def bind(self, w: Writer, c: Conversion) -> list[ValueInfo]:
        """Bind the parameters of the program; the arguments among them are returned."""
        program = self._program
        infos: list[ValueInfo] = []
        for spec, param in zip(program.inferred.inputs, program.module.main.params, strict=True):
            try:
                type_ = tensor_of(param.type)
            except RefusedError as error:
                c.refuse(Problem(param.span, error.message, error.hint))
                continue
            if program.is_given(spec.path):
                info = self._argument(w, spec, type_)
                infos.append(info)
                c.give(param, info.name, f"the argument {info.name!r}")
                w.note_extents(info.name, param.type)
                w.root.fixed |= type_.symbols
            else:
                self._bind_captured(w, c, spec, param)
        return infos

    def _argument(self, w: Writer, spec: Input, type_: TensorType) -> ValueInfo:
        path = self._program.shifted(spec.path)
        k, steps = int(path[1]), steps_of(path)
        given = None if steps else self._given[k]
        named = given.name if isinstance(given, InputSpec) and given.name else self._names[k]
        name = w.names.fresh(".".join([named, *(str(key) for _, key in steps)]))
        dims = given.shape if isinstance(given, InputSpec) else (None,) * type_.rank
        told: list[int | str | None] = []
        for axis, (dim, said) in enumerate(zip(type_.shape, dims, strict=True)):
            text = said if isinstance(said, str) else f"{name}_{axis}"
            told.append(dim if isinstance(dim, int) else self._extents.setdefault(dim, text))
        return protobuf.value_info(name, type_.dtype, told)

    def _bind_captured(self, w: Writer, c: Conversion, spec: Input, param: Var) -> None:
        value = self._program.captured(spec)
        name = w.names.fresh(name_of_captured(spec, value) if is_array(value) else param.name)
        c.give(param, name, f"{name!r}")
        if is_array(value) or is_number(value):
            dtype = tensor_of(param.type).dtype.numpy
            w.initializers[name] = np.asarray(value.asnumpy() if isinstance(value, Tensor) else value, dtype)
            w.note_extents(name, param.type)

    def named(self, dim: Dim) -> int | str | None:
        """An extent of a result: a number, the name of an argument's, or nothing that is known before."""
        return dim if isinstance(dim, int) else self._extents.get(dim)


# --- what comes out -----------------------------------------------------------------------------------


def _leaves(result: Result, name: str, unnamed: Iterator[str]) -> Iterator[tuple[str, Result]]:
    """The arrays and numbers of a result by name, those that no dict names numbered."""
    if not isinstance(result, ResultContainer) or result.cls not in (tuple, list, dict):
        yield name or next(unnamed), result
        return
    keys = result.keys if result.cls is dict else range(len(result.items)) if name else [""] * len(result.items)
    for key, item in zip(keys, result.items, strict=True):
        yield from _leaves(item, f"{name}.{key}" if name else str(key), unnamed)


def _value(result: Result, w: Writer, c: Conversion, values: Sequence[str], program: Program) -> tuple[str, TensorType]:
    """The value of a result, and its type. Raises RefusedError for what is no array or number."""
    main = program.module.main
    match result:
        case ResultArray(index, _) | ResultNumber(index):
            return values[index], tensor_of(type_of(main.results[index]))
        case ResultInput(index) if index < len(main.params):
            return c.atom(w, main.params[index]), tensor_of(main.params[index].type)
        case ResultConstant(constant) if is_number(constant) or is_array(constant):
            array = np.asarray(constant.asnumpy() if isinstance(constant, Tensor) else constant)
            type_ = TensorType(dtype_of(array.dtype), array.shape)
            return w.constant(array), type_
        case ResultConstant(constant):
            raise RefusedError(f"its result has {constant!r:.40} in it, which is no array", "arrays and numbers")
        case _:
            raise RefusedError("its result has an object in it that is no array", "arrays and numbers")


def _outputs(w: Writer, c: Conversion, inputs: _Inputs, program: Program) -> list[ValueInfo]:
    """The model's outputs; what is wrong with results is noted."""
    main = program.module.main
    values = c.atoms(w, main.results)
    infos: list[ValueInfo] = []
    for name, leaf in _leaves(program.inferred.result, "", (f"output_{k}" for k in itertools.count())):
        try:
            value, type_ = _value(leaf, w, c, values, program)
        except RefusedError as error:
            c.refuse(Problem(main.span, error.message, error.hint))
            continue
        made = w.own(value, name)
        infos.append(protobuf.value_info(made, type_.dtype, [inputs.named(d) for d in type_.shape]))
    if not infos and not c.problems:
        c.refuse(Problem(main.span, "it has no result, and a model of ONNX has one at least"))
    return infos
