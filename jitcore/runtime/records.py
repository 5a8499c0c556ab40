"""What was compiled in this process and the text of every stage it went through, for `jitcore dump` and `save_graphs`.

    record(name, function, "f32[8], i64", {"anf": lambda: ..., "opt": lambda: ...})

Compiling records itself here only while someone keeps records; texts are functions, made when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from jitcore.structs import dataclass

STAGES: Final[Mapping[str, str]] = {
    "source": "the function as desugared Python",
    "anf": "its graph before anything is known of types",
    "typed": "the graph for one signature, with types",
    "grad": "the graph of its gradient",
    "opt": "the graph after all passes",
    "kernels": "the program and its kernels",
    "llvm": "LLVM IR",
    "asm": "machine code as assembly",
}
"""The stages in the order they are gone through, and what each shows."""

SUFFIXES: Final[Mapping[str, str]] = {
    "source": ".py", "anf": ".ir", "typed": ".ir", "grad": ".ir", "opt": ".ir",
    "kernels": ".ir", "llvm": ".ll", "asm": ".s",
}  # fmt: skip
"""The endings of the files that hold them."""


@dataclass(frozen=True, slots=True, eq=False)
class CompilationRecord:
    """One specialisation: `texts` has the stages it went through. `made`: the `compile.Compilation` that it is, or the
    `compile.Code` of a part of its gradient, or the `FunctionSource` of what was only declared."""

    name: str
    function: Callable[..., Any]
    signature: str
    texts: Mapping[str, Callable[[], str]]
    made: object = None


@dataclass(slots=True)
class _Records:
    keepers: int
    compiled: list[CompilationRecord]
    declared: list[Callable[..., Any]]
    created: list[Any]


_records = _Records(0, [], [], [])


def keeping() -> bool:
    """Whether compilations should be recorded."""
    return _records.keepers > 0


@contextmanager
def keep_records() -> Generator[list[CompilationRecord]]:
    """Record what is compiled inside, into the list given."""
    start = len(_records.compiled)
    kept: list[CompilationRecord] = []
    _records.keepers += 1
    try:
        yield kept
    finally:
        _records.keepers -= 1
        kept += _records.compiled[start:]
        if not _records.keepers:
            _records.compiled.clear()
            _records.declared.clear()
            _records.created.clear()


def record(
    name: str,
    function: Callable[..., Any],
    signature: str,
    texts: Mapping[str, Callable[[], str]],
    made: object = None,
) -> None:
    """Note that `function` was compiled for `signature`; forgotten at once unless records are kept. `made`: see
    `CompilationRecord`."""
    if keeping():
        _records.compiled.append(CompilationRecord(name, function, signature, texts, made))


def declare(function: Callable[..., Any]) -> None:
    """Note that `function` is to be compiled when called (it stands under `@jit`)."""
    if keeping():
        _records.declared.append(function)


def declared() -> tuple[Callable[..., Any], ...]:
    """The functions noted by `declare` while records are kept."""
    return tuple(_records.declared)


def create(compiled: object) -> None:
    """Note that there is a `CompiledFunction`, be it a function's under `@jit`, a Cell's or a gradient's."""
    if keeping():
        _records.created.append(compiled)


def created() -> tuple[Any, ...]:
    """The `CompiledFunction`s noted by `create` while records are kept, in their order."""
    return tuple(_records.created)
