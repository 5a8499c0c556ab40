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
from jitcore.ir.control import PARALLEL, PROVEN
from jitcore.ir.nodes import Module
from jitcore.ir.printer import Text, to_text
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
from jitcore.passes.parallel import Parallel as ParallelPass
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.plan import ArgLayout, plan
from jitcore.passes.registry import run_passes
from jitcore.passes.visible_effects import places_after_effects
from jitcore.primitives.core.dialects import ProgramRules
from jitcore.primitives.core.registry import KernelTemplate
from jitcore.program.host_calls import repeated
from jitcore.program.nodes import HOST, HostCall, Parallel, Program
from jitcore.program.printer import print_program
from jitcore.program.rounds import are_apart
from jitcore.program.walk import statements
from jitcore.runtime import counting, past_words, records
from jitcore.runtime.callables import known_to_users, plain_function
from jitcore.runtime.donation import donated_inputs
from jitcore.runtime.options import DEFAULT, Options
from jitcore.runtime.progress import watched
from jitcore.runtime.records import CompilationRecord
from jitcore.runtime.timing import Stopwatch
from jitcore.source import NOWHERE, CompileError, Problem, Span
from jitcore.structs import dataclass, field
from jitcore.types import DType, RefType, StackType, TensorType

_RECURSION_LIMIT: Final = 60_000
MACHINE_CODE: Final = "machine code"
"""The last stage of a compilation."""


def _is_never(_: Sequence[Input]) -> bool:
    return False


@dataclass(slots=True, eq=False)
class Code:
    """A typed module as code: optimised, as kernels and what is between them, and loaded."""

    optimised: Module
    fused: Module
    program: Program
    loaded: LoadedProgram
    seconds: Mapping[str, float]
    """What making it took, by stage."""

    @property
    def signature(self) -> str:
        """The types of its inputs."""
        return ", ".join(repr(param.type) for param in self.optimised.main.params)

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


def lower(
    optimised: Module, layouts: Sequence[ArgLayout], watch: Stopwatch | None = None, options: Options = DEFAULT
) -> Code:
    """The code of an optimised module, whose parameters lie in memory as `layouts` says; `watch` notes what that takes.
    Raises CompileError."""
    watch = watch or Stopwatch(optimised.entry)
    fused, program = planned(optimised, layouts, watch)
    program = _asked_for(program, options)
    with without_collector():
        loaded = lookup(settings.device_target).load(program)
    watch.ended(MACHINE_CODE)
    return Code(optimised, fused, program, loaded, watch.seconds)


def begin(optimised: Module, layouts: Sequence[ArgLayout], options: Options = DEFAULT) -> Callable[[], Code]:
    """The same, of which other threads go on to make the machine code: what gives it, for one call."""
    watch = Stopwatch(optimised.entry)
    fused, program = planned(optimised, layouts, watch)
    program = _asked_for(program, options)
    with without_collector():
        begun = lookup(settings.device_target).begin(program)

    def made() -> Code:
        loaded = begun()
        watch.ended(MACHINE_CODE)
        return Code(optimised, fused, program, loaded, watch.seconds)

    return made


def planned(optimised: Module, layouts: Sequence[ArgLayout], watch: Stopwatch | None = None) -> tuple[Module, Program]:
    """An optimised module as kernels and what is between them. Raises CompileError."""
    watch = watch or Stopwatch(optimised.entry)
    with without_collector(), room_to_recurse(_RECURSION_LIMIT):
        overlapping = [(k, other) for k, layout in enumerate(layouts) for other in layout.overlaps]
        passes = (ParallelPass(tuple(overlapping)), Count(), Hoist(), Fuse())
        fused = run_passes(optimised, passes, watch.passed)
        program = counting.counted(plan(fused, layouts, lookup(settings.device_target).memory))
        watch.ended("plan")
        return fused, program


def _asked_for(program: Program, options: Options) -> Program:
    """A program with what options, and the rules for ints that leave 64 bits, ask of its code."""
    escape = not past_words.is_strict(options)
    return replace(program, fastmath=options.fastmath, kept=options.cache, nogil=options.nogil, words_escape=escape)


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
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    """What making it took, by stage."""
    options: Options = DEFAULT
    _code: Code | None = field(default=None, init=False)
    _after_effects: frozenset[Span] | None = field(default=None, init=False)

    @property
    def donated(self) -> Sequence[int]:
        """The inputs whose memory it gives to results."""
        return [k for k, layout in enumerate(self.layouts) if layout.donated]

    @property
    def after_effects(self) -> frozenset[Span]:
        """The places of all that it may evaluate when something of the call can be seen, or that can be seen itself."""
        if self._after_effects is None:
            self._after_effects = places_after_effects(self.inferred.module)
        return self._after_effects

    @property
    def is_made(self) -> bool:
        """Whether its code is there."""
        return self._code is not None

    def make(self) -> None:
        """Make its code, if it is not there. Raises CompileError."""
        if self._code is None:
            self._code = self._make()
            if self.is_shown:
                show(self.record)

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
    def rounds(self) -> Mapping[Span, bool]:
        """The loops over `prange`, and whether their rounds may run at the same time."""
        if self._code is None:
            return {}
        program, found = self._code.program, dict[Span, bool]()
        pending = list(self._code.fused.graphs.values())
        while pending:
            for binding in pending.pop().body:
                if PARALLEL not in binding.params:
                    pending += binding.graphs
                elif not any(isinstance(a.type, StackType) for a in binding.args):  # those of gradients
                    found[binding.span] = binding.params[PARALLEL] == PROVEN
        for statement in (s for f in program.functions.values() for s in statements(f.body)):
            if isinstance(statement, Parallel) and not are_apart(program, statement.body):
                found[program.sites[statement.site].span] = False
        return found

    @property
    def texts(self) -> dict[str, Callable[[], str]]:
        """What gives the text of each stage that it has."""
        return _texts(self.source, self.inferred, self.code)

    @property
    def record(self) -> CompilationRecord:
        """What is shown of it."""
        plain = plain_function(self.function)
        signature = ", ".join(repr(i.type) for i in self.inferred.inputs)
        return CompilationRecord(self.name, plain if plain is not None else self.function, signature, self.texts, self)

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
    asked: frozenset[InputPath] = frozenset(),
    donated: frozenset[int | str] = frozenset(),
    options: Options = DEFAULT,
) -> Compilation:
    """Compile a call of `function`. `describe` says what captured objects are; `overlaps` which inputs share memory;
    `is_recorded` whether gradients are asked of what the call gives, so that its own code is not made before another
    call needs it; `shown` whether it is among what was compiled for those who look; `knows_strings` and `knows_numbers`
    whether it may be compiled for the values of such, and `changing` where strings are that change; `budget` how much
    work may be done again, and counts it; `asked` where numbers and strings are that must be known; `donated` which
    arguments the caller gives up; `attributes`, `rules` and `judged` see `Environment`.

    Raises CompileError for what cannot be compiled.
    """
    with without_collector(), room_to_recurse(_RECURSION_LIMIT):
        try:
            assumptions = Assumptions(
                knows_strings=knows_strings, knows_numbers=knows_numbers, changing=changing, asked=asked
            )
            environment = Environment(
                reader(rules if judged else None), describe, budget or Budget(), attributes, rules, judged,
                has_boxes=lookup(settings.device_target).memory == HOST,
            )  # fmt: skip
            return _compile_call(
                function, args, keywords, environment, overlaps, assumptions, is_recorded, shown, donated, options
            )
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
    donated: frozenset[int | str],
    options: Options,
) -> Compilation:
    plain = plain_function(function)
    source = None if plain is None else environment.source_of(plain)
    span = NOWHERE if source is None else source.span
    expected = expected_writes(function, *(a.value for a in args if isinstance(a, StaticArg)))
    if source is not None and source.function is attribute_of(function, "__jitcore_function__", function):
        expected |= plain_writes(source, args, keywords)
    assumptions.expect(expected)
    name = _identifier(attribute_of(plain if plain is not None else function, "__name__", type(function).__name__))
    known, place = _name_and_place(function, span)
    watch = Stopwatch(known)
    with watched(known, place) as progress:
        progress.enter(lambda: f"types, attempt {environment.budget.attempts}")
        inferred, shared = _inferred(
            lambda: infer(environment, function, args, keywords, name, span, assumptions), assumptions, overlaps
        )
        watch.ended("infer")

        def make() -> Code:
            watch.go_on()
            progress.enter(lambda: "optimisation")
            optimised = run_passes(inferred.module, OPTIMISATIONS, watch.passed)
            environment.budget.kept(sum(1 for graph in optimised.graphs.values() for _ in all_bindings(graph)))
            progress.enter(lambda: "machine code")
            return lower(optimised, layouts, watch, options)

        given_up = donated_inputs(inferred, shared, donated)
        if given_up:  # from here on they are written to
            inputs = (replace(i, written=i.written or k in given_up) for k, i in enumerate(inferred.inputs))
            inferred = replace(inferred, inputs=tuple(inputs))
        pairs = zip(inferred.inputs, shared, strict=True)
        layouts = [ArgLayout(i.contiguous, o, k in given_up) for k, (i, o) in enumerate(pairs)]
        made = Compilation(name, function, inferred, layouts, source, make, shown, watch.seconds, options)
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


def show(record: CompilationRecord) -> None:
    """Keep what was compiled for those who look, and print or write what the settings ask for."""
    records.record(record.name, record.function, record.signature, record.texts, record.made)
    for stage in _LEVELS[settings.dump]:
        text = record.texts[stage]() if stage in record.texts else ""
        if text:
            sys.stderr.write(f"--- {record.name}: {stage}\n{text.rstrip()}\n")
    if settings.save_graphs:
        write_stages(record.name, record.texts, Path(settings.save_graphs_path))


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
    rows = table_rows(text)
    return "\n".join([text.text, *rows, ""]) if rows else text.text


def table_rows(text: Text) -> list[str]:
    """Lines that say what the names in a text stand for that have no literal."""
    return [f"# {name} = {_shown(value)}" for name, value in text.table.items()]


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
