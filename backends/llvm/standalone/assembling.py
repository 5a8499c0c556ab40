"""A library as one object: its programs, what they need of the runtime support, and what C calls, linked as LLVM before
code is made of them. Python's C API is what a thread without the interpreter may call: nothing is ever raised there."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Final

import llvmlite.binding as llvm

from jitcore.backends.llvm.contraction.lowering import define_bounds_runtime, define_contraction_runtime
from jitcore.backends.llvm.program.function import ENTRY_POINT
from jitcore.backends.llvm.program.lowering import lower_program
from jitcore.backends.llvm.standalone import dispatch
from jitcore.backends.llvm.standalone.hosts import Hosts
from jitcore.backends.llvm.standalone.interface import entry_of, interface_text, names_of, random_state_at
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.program.libraries import Library
from jitcore.program.nodes import Program
from jitcore.structs import replace
from jitcore.types import DType, f32, f64

_PYTHON: Final = re.compile(r"declare (?P<result>\S+) @(?P<name>Py\w+)\((?P<arguments>.*)\)")
_NOTHING: Final = {
    "void": "ret void",
    "ptr": "ret ptr null",
    "i32": "ret i32 0",
    "i64": "ret i64 0",
    "double": "ret double 0.0",
}
_MEMORY: Final = """
declare ptr @malloc(i64)
declare void @free(ptr)
define ptr @PyMem_RawMalloc(i64 %size) {
  %made = call ptr @malloc(i64 %size)
  ret ptr %made
}
define void @PyMem_RawFree(ptr %block) {
  call void @free(ptr %block)
  ret void
}
@PyExc_OverflowError = global ptr null
@PyExc_RuntimeError = global ptr null
@jc_first_left = global i64 0
define void @jc_enough() {
  ret void
}
"""
"""Two functions of Python's that work without it, and what editions of code ask for, of which there is one here."""
_DEFINITION: Final = re.compile(r"^(define .*) \{$", re.MULTILINE)
_TILE: Final = re.compile(r"jc_tile_(?=f\d+_\d)")
_SYSTEM: Final = "linux"


_X86: Final = "x86_64-unknown-linux-gnu"
_TARGETS: Final[Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    "x86-64-v2": (_X86, "x86-64-v2", ()),
    "x86-64-v3": (_X86, "x86-64-v3", ("avx2", "fma", "f16c", "bmi", "bmi2")),
    "x86-64-v4": (_X86, "x86-64-v4", ("avx512f", "avx512vl", "avx512dq", "avx512bw", "avx2", "fma", "f16c", "bmi2")),
    "aarch64": ("aarch64-unknown-linux-gnu", "generic", ()),
}
"""By what users call them: the triple, the CPU, and the features that lowerings ask about."""


class NeedsPythonError(ValueError):
    """A program calls Python."""


def target_named(name: str) -> Target:
    """The machine that users call so. Raises ValueError for one that is not known."""
    if name == "native":
        if engine.host().system != _SYSTEM:
            raise ValueError(f"libraries are for Linux, which this machine does not run: give {', '.join(_TARGETS)}")
        return engine.host()
    if name not in _TARGETS:
        raise ValueError(f"there is no target {name!r}; there are native, {', '.join(_TARGETS)}")
    triple, cpu, features = _TARGETS[name]
    return engine.make_target(triple, cpu, dict.fromkeys(features, True))


def object_of(library: Library, target: Target) -> bytes:
    """The object code of a library. Raises NeedsPythonError for programs that call Python."""
    linked = _Linked(target)
    hosts = Hosts(random_state_at(library))
    contracted = linked.add_programs(library, hosts)
    return _completed(linked, library, hosts, contracted, target)


def object_of_several(library: Library, names: Sequence[str]) -> bytes:
    """The object code of a library for several targets, of which the best is chosen when it is loaded; data is there
    once. Raises ValueError for targets that are not x86-64's levels, and NeedsPythonError."""
    unfit = [name for k, name in enumerate(names) if name not in dispatch.LEVELS or name in names[:k]]
    if unfit:
        raise ValueError(f"of several targets, each is one of {', '.join(dispatch.LEVELS)}, once: not {unfit[0]!r}")
    if engine.is_foreign(_X86):
        raise ValueError("libraries for several targets are made on x86-64 alone: give one target")
    ordered = [name for name in dispatch.LEVELS if name in names]
    any_ = engine.make_target(_X86, "x86-64", {})
    linked, hosts = _Linked(any_), Hosts(random_state_at(library))
    contracted: list[DType] = []
    for k, name in enumerate(ordered):
        with linked.variant(k, target_named(name)):
            contracted = linked.add_programs(library, hosts)
    return _completed(linked, library, hosts, contracted, any_, ordered)


def _completed(
    linked: _Linked,
    library: Library,
    hosts: Hosts,
    contracted: Sequence[DType],
    target: Target,
    targets: Sequence[str] = (),
) -> bytes:
    """The object code, with what programs call and what C calls."""
    linked.add(hosts.text(), engine.LOCALS)
    support = runtime.support_text(target.system, target.architecture)
    linked.add(support, engine.NO_PASSES)
    linked.add(_without_python(support), engine.NO_PASSES)
    linked.add(interface_text(library, [d.name for d in contracted], len(hosts.streams), targets), engine.LOCALS)
    return linked.code(frozenset(names_of(library)))


def _contractions(dtype: DType) -> frozenset[str]:
    """The names that programs know the products of a dtype by."""
    return frozenset([f"jc_contract_{dtype.name}", f"jc_contract_bounded_{dtype.name}"])


def _without_python(text: str) -> str:
    """What stands for the functions of Python's C API that a text declares."""
    defined = [_MEMORY]
    for line in text.splitlines():
        match = _PYTHON.match(line)
        if match is not None and f"@{match['name']}(" not in _MEMORY:
            body = _NOTHING[match["result"]]
            defined.append(f"define {match['result']} @{match['name']}({match['arguments']}) {{\n  {body}\n}}")
    return "\n".join(defined)


class _Linked:
    """Modules in one context, linked one after the other."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._context = llvm.create_context()
        self._whole: Any = None
        self._variant: int | None = None

    @contextlib.contextmanager
    def variant(self, number: int, target: Target) -> Generator[None]:
        """What is added meanwhile is for a target that may run or not, and has names of its own."""
        before, self._target, self._variant = self._target, target, number
        try:
            yield
        finally:
            self._target, self._variant = before, None

    def _named(self, name: str) -> str:
        return name if self._variant is None else dispatch.variant_of(self._variant, name)

    def add_programs(self, library: Library, hosts: Hosts) -> list[DType]:
        """Add the programs of a library's cases, and the matrix products that they need; the dtypes of these."""
        needed: set[str] = set()
        for k, case in enumerate(library.cases):
            needed |= self.add_program(k, case.program, hosts)
        contracted = [d for d in (f32, f64) if not needed.isdisjoint(_contractions(d))]
        for dtype in contracted:
            self.add_contractions(dtype)
        return contracted

    def add(self, text: str, level: int) -> None:
        """Add a text, with the passes that it wants."""
        self._link(self._optimised(text, level))

    def add_program(self, number: int, program: Program, hosts: Hosts) -> set[str]:
        """Add a case's program, whose names nothing else has; what it needs from outside."""
        known = [(call, hosts.record(call)) for call in program.host_calls]
        refused = sorted({call.described or call.operation for call, record in known if record is None})
        if refused:
            raise NeedsPythonError(f"Python alone has {', '.join(refused)}")
        records = [record for _, record in known if record is not None]
        # numbers are given and taken as the words that they are
        plain = replace(program, host_calls=tuple(replace(call, bare=False) for call in program.host_calls))
        lowered = lower_program(plain, self._target, with_constants=True, records=records)
        whole: Any = None
        for module in lowered.modules:
            made = self._optimised(module.text, module.level, module.functions)
            if whole is None:
                whole = made
            else:
                whole.link_in(made)
        products = _contractions(f32) | _contractions(f64)
        for function in whole.functions:
            if function.is_declaration and function.name in products:
                function.name = self._named(function.name)
        own = f"case{number}."
        self._link(whole, lambda name: self._named(entry_of(number) if name == ENTRY_POINT else f"{own}{name}"))
        return set(lowered.imports)

    def add_contractions(self, dtype: DType) -> None:
        """Add what computes matrix products of a dtype."""
        module, bounds = LLVMModule(), LLVMModule()
        define_contraction_runtime(module, dtype, self._target, False)
        define_bounds_runtime(bounds, dtype, self._target)
        # what programs call where operands have bounds is the same driver
        again = (
            f"@{self._named(f'jc_contract_bounded_{dtype.name}')} = hidden alias i8, ptr @jc_contract_{dtype.name}\n"
        )
        text = _TILE.sub(lambda match: self._named(match[0]), module.text())  # no linker renames what assembly defines
        whole = self._optimised(text + again, engine.LOCALS)
        whole.link_in(self._optimised(bounds.text(), engine.LOCALS))
        scratch = "jc_reserve_scratch"
        self._link(whole, lambda name: self._named(f"{name}_{dtype.name}" if name == scratch else name))

    def code(self, visible: frozenset[str]) -> bytes:
        """The object code, in which only these names are seen from outside."""
        for value in self._values():
            if not value.is_declaration and value.name not in visible and not value.name.startswith("llvm."):
                value.linkage = "internal"
        machine = engine.machine_for(self._target)
        options = llvm.create_pipeline_tuning_options(speed_level=1)
        passes = llvm.create_new_module_pass_manager()
        passes.add_constant_merge_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(self._whole, llvm.create_pass_builder(machine, options))
        self._whole.verify()
        return machine.emit_object(self._whole)

    def _values(self) -> Sequence[Any]:
        return [*self._whole.functions, *self._whole.global_variables]

    def _optimised(self, text: str, level: int, functions: Iterable[str] | None = None) -> Any:
        """A text after its passes, in the one context."""
        made = engine.optimised_text(text, level, functions, self._target)
        if self._variant is not None:
            own = f'"target-cpu"="{self._target.cpu}" "target-features"="{self._target.features}"'
            made = _DEFINITION.sub(lambda match: f"{match[1]} {own} {{", made)
        return llvm.parse_assembly(made, self._context)

    def _link(self, made: object, rename: Callable[[str], str] | None = None) -> None:
        module: Any = made
        if rename is not None:
            for value in (*module.functions, *module.global_variables):
                if not value.is_declaration:
                    value.name = rename(value.name)
        if self._whole is None:
            self._whole = module
        else:
            self._whole.link_in(module)
