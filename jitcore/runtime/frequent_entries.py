"""Programs for library functions that are called often line by line (`frequent`): how they are compiled, and which
calls they serve."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import or_
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jitcore.backends.protocol import Entry
from jitcore.ir.analysis import EffectAnalysis, definitions
from jitcore.ir.nodes import Graph, Var
from jitcore.library.core import marking
from jitcore.passes.infer.domain.signature import (
    Arg,
    ColumnArg,
    DictArg,
    ListArg,
    NestedArg,
    NumberArg,
    ResultArray,
    StaticArg,
    StringArg,
    TupleArg,
)
from jitcore.passes.infer.domain.values import Path
from jitcore.passes.sharing import is_view
from jitcore.primitives.core import dialects
from jitcore.primitives.ops.elementwise import stop_gradient
from jitcore.primitives.ops.shape import broadcast_to
from jitcore.runtime import compile as driver
from jitcore.runtime import native, recorded
from jitcore.runtime.arguments import Shapes
from jitcore.runtime.compile import Compilation
from jitcore.runtime.descriptions import describe, describe_own
from jitcore.runtime.errors import user_error
from jitcore.runtime.packing import overlaps_of
from jitcore.runtime.specialisation import Specialisation, objects_of, resolve
from jitcore.runtime.tensor import Tensor
from jitcore.source import NOWHERE, CompileError, Problem
from jitcore.types import DType, ScalarType, Shape, TensorType

_Numbers = Sequence[tuple[Path, Any]]


class Served:
    """Calls of a library function of which some are served by machine code. Instances are of a native subclass
    (`runtime.native`)."""

    if not TYPE_CHECKING:
        __slots__ = ()

    others: Callable[..., Any]
    """Serves the others."""

    if TYPE_CHECKING:

        def __call__(self, *args: Any, **keywords: Any) -> Any: ...

    def _call_slowly(self, *args: Any, **keywords: Any) -> Any:
        """What native calls that are not served call."""
        return self.others(*args, **keywords)


def served(others: Callable[..., Any]) -> Served | None:
    """A callable of which no calls are served yet; None where there are no native calls."""
    native_type = native.calls(Served)
    if native_type is None:
        return None
    made = native_type.type()
    made.others = others
    return made


def publish(served: Served, entries: Sequence[Entry]) -> None:
    """Have calls served by these entries from now on."""
    native_type = native.calls(Served)
    assert native_type is not None
    native_type.publish(served, entries)


def entry(
    calls: marking.Calls,
    pattern: tuple[Shape, ...],
    shapes: Shapes,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    numbers: _Numbers | None,
    recorders: dict[int, Callable[..., Any]],
) -> tuple[Specialisation, Entry] | None:
    """A program for calls like this one, whose arrays have `shapes`, and what serves such calls by it; None if they are
    left to eager operators. `numbers` are what is among its arguments that the program may depend on the values of;
    None: nothing. `recorders` has what the function's entries call where gradients go back through them, by a bit for
    each argument that none goes to."""
    try:
        member = _compiled(calls, pattern, args, keywords, numbers)
        if member is not None and not member.fits(shapes):  # a computed extent is 1, and broadcasts: a case of its own
            member = _compiled(calls, member.exact(shapes), args, keywords, numbers)
    except CompileError:
        return None
    if member is None:
        return None
    base = _base(member.compilation, args, keywords)
    if base is None and _viewed(member.compilation):
        return None
    recording = _recorded(member.compilation, keywords, calls.function, recorders, base is not None)
    special = native.EagerEntry(calls.plain, _failure(member.compilation), base, *recording)
    made = native.entry_of(member, args, keywords, special)
    return None if made is None else (member, made)


def _recorded(
    made: Compilation,
    keywords: Mapping[str, Any],
    function: Callable[..., Any],
    recorders: dict[int, Callable[..., Any]],
    is_view: bool,
) -> tuple[bool, Callable[..., Any] | None]:
    """Whether Tensors that gradients know of are served, and what is called then: not if the result is not one Tensor
    or Tensors are given by name, and nothing where no gradient comes from it to what is given."""
    if any(isinstance(value, Tensor) for value in keywords.values()):
        return False, None
    result, main = made.inferred.result, made.inferred.module.main
    if not isinstance(result, ResultArray) or not dialects.is_tensor(result.category) or len(main.results) != 1:
        return False, None
    reached = _reached_by_gradients(main)
    if not reached:
        return True, None
    spared = 0
    for k, spec in enumerate(made.inferred.inputs):
        if isinstance(spec.type, TensorType) and len(spec.path) == 2 and not reached >> k & 1:
            spared |= 1 << spec.path[1]
    record = recorders.get(spared)
    if record is None:
        record = recorders[spared] = recorded.recorder(function, spared)
    return True, recorded.viewer(record) if is_view else record


def _reached_by_gradients(main: Graph) -> int:
    """A bit for each parameter that the first result is computed of by way of numbers that have derivatives."""
    made_of = {param: 1 << k for k, param in enumerate(main.params) if _is_differentiable(param)}
    everything = sum(made_of.values())
    for b in main.body:
        if b.op is not stop_gradient:
            given = functools.reduce(or_, (made_of.get(a, 0) for a in b.args if isinstance(a, Var)), 0)
            given = everything if b.graphs else given
            made_of.update((out, given) for out in b.outs if _is_differentiable(out))
    (result,) = main.results
    return made_of.get(result, 0) if isinstance(result, Var) else 0


def _is_differentiable(var: Var) -> bool:
    return isinstance(var.type, TensorType | ScalarType) and var.type.dtype.is_differentiable


def _compiled(
    calls: marking.Calls,
    pattern: tuple[Shape, ...],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    numbers: _Numbers | None,
) -> Specialisation | None:
    rest = iter(pattern)
    described = [describe(a, rest) for a in args]
    named = {k: describe(keywords[k], rest) for k in sorted(keywords)}
    if numbers is not None:
        described, named = [_known(d) for d in described], {k: _known(d) for k, d in named.items()}
    made = driver.compile_call(calls.function, described, named, describe_own, shown=False)
    if _does_more(made):
        return None
    statics = (*(numbers or ()), *((p, resolve(p, args, keywords)) for p in made.inferred.static_paths))
    overlaps = overlaps_of(objects_of(made.inferred.inputs, args, keywords))
    return Specialisation(made, pattern, statics, overlaps, "called often")


def _known(arg: Arg) -> Arg:
    """The description of an argument whose numbers are known. Raises CompileError if it is a list that is passed as an
    array."""
    match arg:
        case NumberArg() | StringArg():
            return StaticArg(arg.value)
        case TupleArg() | ListArg() | DictArg():
            return replace(arg, items=tuple(map(_known, arg.items)))
        case ColumnArg() | NestedArg():
            raise CompileError([Problem(NOWHERE, "a long list of numbers that have to be known", "an array")])
        case _:
            return arg


def _does_more(made: Compilation) -> bool:
    """Whether a program does more than computing its results."""
    inferred = made.inferred
    if inferred.attribute_writes or inferred.container_writes or any(i.written for i in inferred.inputs):
        return True
    return EffectAnalysis(inferred.module).of_graph(inferred.module.main).io


def _viewed(made: Compilation) -> set[int]:
    """The inputs whose memory results are in, as far as can be told before they are made."""
    main = made.inferred.module.main
    made_by, params = definitions(main), {param: k for k, param in enumerate(main.params)}
    found: set[int] = set()
    for atom in main.results:
        while isinstance(atom, Var) and (binding := made_by.get(atom)) is not None and is_view(binding.op):
            if binding.op is broadcast_to:  # a Tensor's elements are one place each: it is copied
                break
            atom = binding.args[0]
        if isinstance(atom, Var) and atom in params and not isinstance(atom.type, ScalarType):
            found.add(params[atom])
    return found


def _base(made: Compilation, args: Sequence[Any], keywords: Mapping[str, Any]) -> int | None:
    """The input that the one result is a view of, in calls that can be repeated with the same arguments."""
    inferred, viewed = made.inferred, _viewed(made)
    simple = isinstance(inferred.result, ResultArray) and dialects.is_tensor(inferred.result.category)
    if len(viewed) != 1 or not simple or len(inferred.module.main.results) != 1:
        return None
    (base,) = viewed
    rest = [value for value in (*args, *keywords.values()) if not isinstance(value, Tensor)]
    others = sum(isinstance(value, Tensor) for value in (*args, *keywords.values()))
    fits = dialects.is_tensor(inferred.inputs[base].category) and others == 1 and all(map(_is_fixed, rest))
    return base if fits else None


def _is_fixed(value: Any) -> bool:
    """Whether a value is the same whenever it is looked at."""
    if type(value) is tuple:
        return all(map(_is_fixed, cast("tuple[Any, ...]", value)))
    if isinstance(value, slice):
        return all(map(_is_fixed, (value.start, value.stop, value.step)))
    return value is None or isinstance(value, int | float | complex | str | type | DType | np.generic | type(Ellipsis))


def _failure(made: Compilation) -> Callable[..., BaseException]:
    """What makes the exception of a call that failed: the one that Python code raised in it (a signal's handler, say),
    or a RerunError."""

    def fail(address: int, *_: Any, **__: Any) -> BaseException:
        error = made.loaded.failed(address)
        return marking.RerunError() if error.__cause__ is None else user_error(error)

    return fail
