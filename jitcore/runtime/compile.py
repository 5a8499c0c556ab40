"""The driver: from a callable and the description of a call to loaded code, one straight list of stages.

Every compilation is kept with the text of its stages, made when asked for: what `jitcore dump`, `save_graphs` and
`JITCORE_DUMP` print.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import Any, Final

# every primitive is declared before the first is used
import jitcore.primitives  # noqa: F401  # pyright: ignore[reportUnusedImport]
from jitcore.backends import lookup
from jitcore.backends.protocol import LoadedProgram
from jitcore.config import settings
from jitcore.frontend import source_of
from jitcore.headroom import room_to_recurse, without_collector
from jitcore.ir.analysis import all_bindings
from jitcore.ir.nodes import Module
from jitcore.ir.printer import to_text
from jitcore.ir.python import FunctionSource
from jitcore.ir.round_trip import check_round_trip
from jitcore.ir.verify import verify
from jitcore.kernel.printer import print_kernel
from jitcore.lookup import attribute_of
from jitcore.passes.count import Count
from jitcore.passes.fuse import Fuse
from jitcore.passes.hoist import Hoist
from jitcore.passes.infer import Environment, infer
from jitcore.passes.infer.domain import callees
from jitcore.passes.infer.domain.assumptions import Assumptions
from jitcore.passes.infer.domain.signature import Arg, Inferred, Input, StaticArg
from jitcore.passes.infer.domain.values import Origin
from jitcore.passes.infer.domain.values import Path as InputPath
from jitcore.passes.infer.engine.budget import Budget
from jitcore.passes.infer.engine.expected_writes import expected_writes
from jitcore.passes.infer.engine.plain_writes import plain_writes
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.plan import ArgLayout, plan
from jitcore.passes.registry import run_passes
from jitcore.primitives.core.dialects import ProgramRules
from jitcore.primitives.core.registry import KernelTemplate
from jitcore.program.host_calls import repeated
from jitcore.program.nodes import HostCall, Program
from jitcore.program.printer import print_program
from jitcore.runtime import records
from jitcore.runtime.callables import known_to_users, plain_function
from jitcore.runtime.progress import watched
from jitcore.source import NOWHERE, CompileError, Problem, Span
from jitcore.structs import dataclass, field
from jitcore.types import DType, RefType, TensorType

_RECURSION_LIMIT: Final = 60_000


def _is_never(_: Sequence[Input]) -> bool:
    return False


@dataclass(slots=True, eq=False)
class Code:
    """A typed module as code: optimised, as kernels and what is between them, and loaded."""

    optimised: Module
    fused: Module
    program: Program
    loaded: LoadedProgram

    @property
    def texts(self) -> dict[str, Callable[[], str]]:
        """What gives the text of each stage from optimisation on."""
        return {
            "opt": lambda: module_text(self.optimised),
            "kernels": lambda: "\n\n".join(
                (
                    module_text(self.fused),
                    print_program(self.program),
                    *map(print_kernel, self.program.kernels.values()),
                )
            ),
            **self.loaded.texts,
        }


def lower(optimised: Module, layouts: Sequence[ArgLayout]) -> Code:
    """The code of an optimised module, whose parameters lie in memory as `layouts` says. Raises CompileError."""
    fused, program = planned(optimised, layouts)
    with without_collector():
        return Code(optimised, fused, program, lookup(settings.device_target).load(program))


def begin(optimised: Module, layouts: Sequence[ArgLayout]) -> Callable[[], Code]:
    """The same, of which other threads go on to make the machine code: what gives it, for one call."""
    fused, program = planned(optimised, layouts)
    with without_collector():
        loaded = lookup(settings.device_target).begin(program)
    return lambda: Code(optimised, fused, program, loaded())


def planned(optimised: Module, layouts: Sequence[ArgLayout]) -> tuple[Module, Program]:
    """An optimised module as kernels and what is between them. Raises CompileError."""
    with without_collector(), room_to_recurse(_RECURSION_LIMIT):
        fused = run_passes(optimised, (Count(), Hoist(), Fuse()))
        return fused, plan(fused, layouts, lookup(settings.device_target).memory)


@dataclass(slots=True, eq=False)
class Compilation:
    """One compiled call: what was inferred, its code, and the texts of its stages."""

    name: str
    function: Any
    inferred: Inferred
    layouts: Sequence[ArgLayout]
    """How its inputs lie in memory."""
    source: FunctionSource | None
    _make: Callable[[], Code]
    is_shown: bool
    """Whether it is among what was compiled for those who look."""
    _code: Code | None = field(default=None, init=False)

    @property
    def is_made(self) -> bool:
        """Whether its code is there."""
        return self._code is not None

    def make(self) -> None:
        """Make its code, if it is not there. Raises CompileError."""
        if self._code is None:
            self._code = self._make()
            if self.is_shown:
                _show(self)

    @property
    def code(self) -> Code:
        """Its code, made when first asked for. Raises CompileError."""
        self.make()
        assert self._code is not None
        return self._code

    @property
    def loaded(self) -> LoadedProgram:
        """Its code, to be run."""
        return self.code.loaded

    @property
    def repeated_host_calls(self) -> Sequence[tuple[HostCall, Span]]:
        """The calls into Python that its loops repeat, of which the user is to know."""
        if self._code is None:
            return ()
        program = self._code.program
        return [found for found in repeated(program) if found[0].described] if program.host_calls else ()

    @property
    def texts(self) -> dict[str, Callable[[], str]]:
        """What gives the text of each stage that it has."""
        return _texts(self.source, self.inferred, self.code)

    def text(self, stage: str) -> str:
        """The text of a stage; empty if it has none (`grad` where nothing is differentiated)."""
        make = self.texts.get(stage)
        return make() if make is not None else ""


def compile_call(
    function: Any,
    args: Sequence[Arg],
    keywords: Mapping[str, Arg],
    describe: Callable[[Any], Arg | None],
    overlaps: Callable[[Sequence[Input]], Sequence[frozenset[int]]] | None = None,
    *,
    shown: bool = True,
    knows_strings: bool = True,
    knows_numbers: bool = True,
    changing: frozenset[InputPath] = frozenset(),
    budget: Budget | None = None,
    attributes: frozenset[str] | None = None,
    rules: ProgramRules | None = None,
    judged: bool = True,
    is_recorded: Callable[[Sequence[Input]], bool] = _is_never,
) -> Compilation:
    """Compile a call of `function`. `describe` says what captured objects are; `overlaps` which inputs share memory;
    `is_recorded` whether gradients are asked of what the call gives, so that its own code is not made before another
    call needs it; `shown` whether it is among what was compiled for those who look; `knows_strings` and `knows_numbers`
    whether it may be compiled for the values of such, and `changing` where strings are that change; `budget` how much
    work may be done again, and counts it; `attributes`, `rules` and `judged` see `Environment`.

    Raises CompileError for what cannot be compiled.
    """
    with without_collector(), room_to_recurse(_RECURSION_LIMIT):
        try:
            assumptions = Assumptions(knows_strings=knows_strings, knows_numbers=knows_numbers, changing=changing)
            environment = Environment(
                reader(rules if judged else None), describe, budget or Budget(), attributes, rules, judged
            )
            return _compile_call(function, args, keywords, environment, overlaps, assumptions, is_recorded, shown)
        except RecursionError:
            plain = plain_function(function)
            span = source_of(plain).span if plain is not None else NOWHERE
            hint = "split it into several functions"
            raise CompileError([Problem(span, "it nests expressions or statements too deeply", hint)]) from None


def inferred_with(
    function: Callable[..., Any],
    args: Sequence[Arg],
    keywords: Mapping[str, Arg],
    describe: Callable[[Any], Arg | None],
    known: Iterable[InputPath],
    rules: ProgramRules,
) -> Module:
    """What a call of `function` is inferred to be, as a program of a framework with these rules, if the numbers and
    strings at the paths `known` are what they are in this call. Raises CompileError for what cannot be compiled, and
    `RefusedError`."""
    assumptions = Assumptions()
    assumptions.add_statics(known)
    with without_collector():
        environment = Environment(reader(rules), describe, rules=rules)
        plain = plain_function(function)
        span = NOWHERE if plain is None else environment.source_of(plain).span
        return infer(environment, function, args, keywords, "call", span, assumptions).module


def reader(rules: ProgramRules | None) -> Callable[[FunctionType], FunctionSource]:
    """What gives the sources of functions: the user's as the framework with these rules reads them. A function's is one
    object, however many others have its code: what is assumed of places in it is found again."""
    reading = None if rules is None else rules.reading
    known: dict[FunctionType, FunctionSource] = {}

    def read(function: FunctionType) -> FunctionSource:
        found = known.get(function)
        if found is None:
            found = known[function] = source_of(function, reading if callees.is_users(function) else None)
        return found

    return read


def _compile_call(
    function: Any,
    args: Sequence[Arg],
    keywords: Mapping[str, Arg],
    environment: Environment,
    overlaps: Callable[[Sequence[Input]], Sequence[frozenset[int]]] | None,
    assumptions: Assumptions,
    is_recorded: Callable[[Sequence[Input]], bool],
    shown: bool,
) -> Compilation:
    plain = plain_function(function)
    source = None if plain is None else environment.source_of(plain)
    span = NOWHERE if source is None else source.span
    expected = expected_writes(function, *(a.value for a in args if isinstance(a, StaticArg)))
    if source is not None and source.function is attribute_of(function, "__jitcore_function__", function):
        expected |= plain_writes(source, args, keywords)
    assumptions.expect(expected)
    name = _identifier(attribute_of(plain if plain is not None else function, "__name__", type(function).__name__))
    with watched(*_name_and_place(function, span)) as progress:
        progress.enter(lambda: f"types, attempt {environment.budget.attempts}")
        inferred, shared = _inferred(
            lambda: infer(environment, function, args, keywords, name, span, assumptions), assumptions, overlaps
        )

        def make() -> Code:
            progress.enter(lambda: "optimisation")
            optimised = run_passes(inferred.module, OPTIMISATIONS)
            environment.budget.kept(sum(1 for graph in optimised.graphs.values() for _ in all_bindings(graph)))
            progress.enter(lambda: "machine code")
            return lower(optimised, layouts)

        layouts = [ArgLayout(i.contiguous, o) for i, o in zip(inferred.inputs, shared, strict=True)]
        made = Compilation(name, function, inferred, layouts, source, make, shown)
        if not is_recorded(inferred.inputs):
            made.make()
    return made


def _inferred(
    infer_once: Callable[[], Inferred],
    assumptions: Assumptions,
    overlaps: Callable[[Sequence[Input]], Sequence[frozenset[int]]] | None,
) -> tuple[Inferred, Sequence[frozenset[int]]]:
    """The typed program, and which of its inputs share memory."""
    inferred = infer_once()
    lookup(settings.device_target).prepare(_contracted(inferred.module))
    shared = overlaps(inferred.inputs) if overlaps is not None else [frozenset[int]()] * len(inferred.inputs)
    seen_changing: set[Origin] = set()
    while places := _shared_places(inferred.inputs, shared) - assumptions.refs:
        assumptions.refs |= places
        seen_changing |= places
        inferred = infer_once()
        shared = overlaps(inferred.inputs) if overlaps is not None else shared
    if seen_changing:  # places that the program reads only
        inputs = (replace(i, written=False) if _origin(i) in seen_changing else i for i in inferred.inputs)
        inferred = replace(inferred, inputs=tuple(inputs))
    if settings.verify:
        verify(inferred.module, after="infer")
        check_round_trip(inferred.module)
    return inferred, shared


def _show(made: Compilation) -> None:
    """Show a compilation."""
    plain = plain_function(made.function)
    signature = ", ".join(repr(i.type) for i in made.inferred.inputs)
    show(made.name, plain if plain is not None else made.function, signature, made.texts)


def show(name: str, function: Callable[..., Any], signature: str, texts: Mapping[str, Callable[[], str]]) -> None:
    """Keep the texts of what was compiled for those who look, and print or write what the settings ask for."""
    records.record(name, function, signature, texts)
    for stage in _LEVELS[settings.dump]:
        text = texts[stage]() if stage in texts else ""
        if text:
            sys.stderr.write(f"--- {name}: {stage}\n{text.rstrip()}\n")
    if settings.save_graphs:
        write_stages(name, texts, Path(settings.save_graphs_path))


def _contracted(module: Module) -> set[DType]:
    """The dtypes of its matrix products and convolutions."""
    return {
        out.type.dtype
        for binding in all_bindings(module)
        if isinstance(lowering := getattr(binding.op, "lowering", None), KernelTemplate) and lowering.contracts
        for out in binding.outs
        if isinstance(out.type, TensorType)
    }


def _shared_places(inputs: Sequence[Input], shared: Sequence[frozenset[int]]) -> set[Origin]:
    """The inputs whose memory changes as another one is written to: reading them must see it."""
    return {
        _origin(inputs[other])
        for made, others in zip(inputs, shared, strict=True)
        if made.written
        for other in others
        if not inputs[other].written
    }


def _origin(made: Input) -> Origin:
    return ("input", id(made.source) if made.source is not None else made.path)


def _name_and_place(function: object, span: Span) -> tuple[str, Span]:
    """What a user calls a callable (`f`, `Net.construct`, `<lambda>`) that is compiled as what stands at a place, and
    where that is."""
    known = known_to_users(function)
    if isinstance(known, FunctionType) and known is not plain_function(function):
        code = known.__code__
        span = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0, code.co_name)
    name = attribute_of(known, "__qualname__", type(known).__qualname__)
    return str(name).rpartition("<locals>.")[2], span


def _identifier(name: str) -> str:
    made = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return made if made.isidentifier() else f"f_{made}"


# --- the texts of the stages ------------------------------------------------------------------------


def _texts(source: FunctionSource | None, inferred: Inferred, code: Code) -> dict[str, Callable[[], str]]:
    texts: dict[str, Callable[[], str]] = {"typed": lambda: module_text(inferred.module), **code.texts}
    if source is not None:
        texts["source"] = lambda: source.text
        texts["anf"] = lambda: to_text(source.graph).text
    if inferred.notes.get("differentiated"):
        texts["grad"] = texts["typed"]
        texts["typed"] = lambda: "\n\n".join(to_text(g).text for g in inferred.notes["differentiated"])
    return texts


def module_text(module: Module) -> str:
    """A module, with the table of what has no literal below it."""
    text = to_text(module)
    if not text.table:
        return text.text
    rows = "\n".join(f"# {name} = {_shown(value)}" for name, value in text.table.items())
    return f"{text.text}\n{rows}\n"


def _shown(value: Any) -> str:
    shown = " ".join(repr(value).split())
    return shown if len(shown) <= 100 else shown[:97] + "..."


_LEVELS: Final[tuple[tuple[str, ...], ...]] = (
    (),
    ("opt",),
    ("anf", "typed", "grad", "opt"),
    ("source", "anf", "typed", "grad", "opt", "kernels"),
    tuple(records.STAGES),
)


_written = count()


def write_stages(name: str, texts: Mapping[str, Callable[[], str]], folder: Path) -> list[Path]:
    """Write the stages of a compilation to files `NUMBER_NAME.STAGE.SUFFIX` of a folder, which is made if it is not
    there."""
    folder.mkdir(parents=True, exist_ok=True)
    number = next(_written)
    written: list[Path] = []
    for stage, suffix in records.SUFFIXES.items():
        text = texts[stage]() if stage in texts else ""
        if text:
            path = folder / f"{number:03}_{name}.{stage}{suffix}"
            partial = path.with_name(path.name + ".partial")
            partial.write_text(text, encoding="utf-8")
            partial.replace(path)
            written.append(path)
    return written


def is_array_input(made: Input) -> bool:
    """Whether an input is passed as an array."""
    return isinstance(made.type, TensorType | RefType)
