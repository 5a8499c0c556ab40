"""What a call is refused with by another framework's rules where numbers and strings among the arguments are constants
of the program, as they are in MindSpore.

Here they are values of the run, so that one program serves all of them, and what depends on them raises while it runs,
in Python's words. Only a call that raised is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jitcore.ir.nodes import Literal, Module
from jitcore.library.core.mutable import MutableTuple
from jitcore.passes.infer.domain.signature import Arg, DictArg, ListArg, NumberArg, StringArg, TupleArg
from jitcore.passes.infer.domain.values import Path
from jitcore.passes.infer.engine.dialect import RefusedError
from jitcore.primitives.core.dialects import ProgramRules
from jitcore.primitives.ops import conversions
from jitcore.runtime import compile as driver
from jitcore.runtime.arguments import Call
from jitcore.runtime.descriptions import describe, describe_captured
from jitcore.source import CompileError


def refusal(
    function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any], rules: ProgramRules
) -> BaseException | None:
    """The exception that the call is bound to raise, by the rules of the framework that the program is of, if its
    numbers and strings are known; None if there is none, or no numbers and strings."""
    try:
        shapes = iter(Call.of(args, keywords).shapes)
        described = [describe(a, shapes) for a in args]
        named = {k: describe(keywords[k], shapes) for k in sorted(keywords)}
        known = {p for key, arg in (*enumerate(described), *named.items()) for p in _constants(arg, ("arg", key))}
        if not known:
            return None
        return _bound_to_raise(driver.inferred_with(function, described, named, describe_captured, known, rules))
    except RefusedError as refused:
        return refused.error
    except CompileError:
        return None


def _bound_to_raise(module: Module) -> BaseException | None:
    """What a program raises whichever way it goes, if its words are known."""
    for binding in module.graphs[module.entry].body:
        known = [a.value for a in binding.args if isinstance(a, Literal)]
        if binding.op is conversions.check and known[:1] == [False] and len(known) == len(binding.args):
            return conversions.exception_of(binding.params["exception"], binding.params["message"], known[1:])
    return None


def _constants(arg: Arg, path: Path) -> Iterator[Path]:
    """Where there are numbers and strings in an argument, but for containers that are marked as variable."""
    match arg:
        case NumberArg() | StringArg():
            yield path
        case TupleArg() if not issubclass(arg.cls, MutableTuple):
            for k, item in enumerate(arg.items):
                yield from _constants(item, (*path, ("item", k)))
        case ListArg() if arg.cls is list:
            for k, item in enumerate(arg.items):
                yield from _constants(item, (*path, ("item", k)))
        case DictArg() if arg.cls is dict:
            for key, item in zip(arg.keys, arg.items, strict=True):
                yield from _constants(item, (*path, ("item", key)))
        case _:
            pass
