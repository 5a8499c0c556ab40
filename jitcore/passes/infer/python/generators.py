"""Generators: what calling a generator function makes."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import free_variables
from jitcore.ir.nodes import Binding
from jitcore.passes.infer.domain.values import (
    FUNCTION_KEY,
    UNDEFINED,
    Builtin,
    Iterator,
    Restart,
    Sequence,
    Static,
    Value,
)
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.handlers import Env, handles
from jitcore.passes.infer.python import streams
from jitcore.passes.infer.python.streams import Consumer, Source
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State
    from jitcore.passes.infer.engine.core import Infer

_FRESH, _ENDED, _PUSHED = 0, -1, -2
"""States of a generator: at its beginning, at its end, and somewhere that it cannot go on from."""
_DEEPEST = 48
"""How many generators of one function may be going through one another."""


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorSource(Source):
    """A generator: `place` is where it was made (None where control flow has joined), `env` what its graphs use from
    around them.

    In the heap are its `state` and its variables (`fields`), as they are between two runs of its state machine.
    """

    binding: Binding
    place: Any
    env: Env
    state: int
    fields: tuple[int, ...]

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """Pushed if it is at its beginning, and nothing is to be taken of it later."""
        state = infer.heap.contents(self.state)
        known = state.value if isinstance(state, Static) else None
        if known == _ENDED:
            return
        if known != _FRESH:
            self._require_pulled(infer)
        if self._is_pulled(infer):
            streams.pulled(infer, lambda: self.following(infer), consume, stops)
            return
        if raises and self.binding.params["guarded"]:
            raise infer.unsupported(
                "going through a generator with a `yield` inside `try … except` or `with`", "a list of what it gives"
            )
        infer.heap.store(self.state, Static(_PUSHED))
        self._push(infer, consume, stops)
        infer.heap.store(self.state, Static(_PUSHED if stops else _ENDED))

    def _push(self, infer: Infer, consume: Consumer, stops: bool) -> None:
        graph = self.binding.graphs[1 if stops else 0]
        outside = infer.caller, infer.span, infer.inlining.in_generator

        def give(infer: Infer, item: Value) -> Value:
            inside = infer.caller, infer.span, infer.inlining.in_generator
            around = infer.calls, infer.binding
            infer.calls = (*infer.calls, infer.binding)
            infer.caller, infer.builder.span, infer.inlining.in_generator = outside
            try:
                stop = consume(item)
            finally:
                infer.caller, infer.builder.span, infer.inlining.in_generator = inside
                infer.calls, infer.binding = around
            return Static(False) if stop is None else stop

        with self._running(infer):
            infer.run(graph, {**self.env, graph.params[0]: Builtin("yield", give)})

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """One run of its state machine."""
        state = infer.heap.contents(self.state)
        if isinstance(state, Static) and state.value == _ENDED:
            return streams.FALSE, UNDEFINED
        if len(self.binding.graphs) < 3:
            raise infer.unsupported(
                "taking single items of a generator with a `yield` inside `try` or `with`", "a list of what it gives"
            )
        self._require_pulled(infer)
        graph = self.binding.graphs[2]
        values = [state, *(infer.heap.contents(key) for key in self.fields)]
        before, infer.inlining.resumed_from = infer.inlining.resumed_from, infer.heap.next_key
        with self._running(infer):
            env = {**self.env, **dict(zip(graph.params, values, strict=True))}
            state, item, *fields = infer.run(graph, env)
        infer.inlining.resumed_from = before
        for key, value in zip((self.state, *self.fields), (state, *fields), strict=True):
            infer.heap.store(key, value)
        return numbers.compare(infer, ">=", state, Static(0)), streams.present(item)

    @property
    def state_key(self) -> int:
        """Its state says how far it is."""
        return self.state

    def _is_pulled(self, infer: State) -> bool:
        return self.place is None or ("pulled", self.place) in infer.assumptions.statics

    def taken_apart(self, infer: State) -> tuple[Any, tuple[Value, ...]]:
        """What it is made of: variables and what its graphs use from around them. Where control flow joins, generators
        are those whose items are taken one by one: only these know at run time how far they are."""
        self._require_pulled(infer)
        held = tuple(infer.heap.contents(key) for key in (self.state, *self.fields))
        return (self.binding, tuple(self.env)), (*held, *self.env.values())

    @classmethod
    def rebuilt(cls, infer: State, extra: Any, values: tuple[Value, ...]) -> GeneratorSource:
        """The inverse of `taken_apart`: another generator that goes on where that one was."""
        binding, names = extra
        count = len(values) - len(names)
        state, *fields = (infer.heap.new_cell(value).key for value in values[:count])
        return cls(binding, None, dict(zip(names, values[count:], strict=True)), state, tuple(fields))

    def close(self, infer: Infer) -> Value:
        """It is at its end."""
        if len(self.binding.graphs) < 3:
            raise infer.unsupported(
                "closing a generator with a `yield` inside `try` or `with`", "a loop over all of it"
            )
        infer.heap.store(self.state, Static(_ENDED))
        return Static(None)

    def _require_pulled(self, infer: State) -> None:
        """Start anew if this generator is not known yet as one whose items are taken one by one."""
        if not self._is_pulled(infer):
            infer.assumptions.statics.add(("pulled", self.place))
            raise Restart

    @contextmanager
    def _running(self, infer: Infer) -> Generator[None]:
        """In the generator's own frame."""
        if infer.calls.count(self.binding) >= _DEEPEST:
            raise infer.unsupported(
                "a generator that goes through itself, as deep as values of the run say", "a loop, or a list returned"
            )
        calls, generating = infer.calls, infer.inlining.in_generator
        infer.calls, infer.inlining.in_generator = (*calls, self.binding), True
        try:
            with infer.calling(infer.binding, infer.span):
                yield
        finally:
            infer.calls, infer.inlining.in_generator = calls, generating


@handles("py_generator", unions=True)
def _generator(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    state = infer.heap.new_cell(Static(_FRESH)).key
    fields = tuple(infer.heap.new_cell(value).key for value in values)
    used = {v: env[v] for graph in b.graphs for v in free_variables(graph) if v in env}
    used[FUNCTION_KEY] = env[FUNCTION_KEY]
    source = GeneratorSource(b, infer.place(), used, state, fields)
    return streams.new(infer, source, GeneratorType)


@handles("py_yield", unions=True)
def _yield(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    consumer, item = values
    assert isinstance(consumer, Builtin)
    return consumer.call(infer, item)


@handles("py_advance")
def _advance(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    source = values[0]
    if (
        isinstance(source, Iterator)
        and isinstance(source.source, Sequence)
        and source.key > infer.inlining.resumed_from
    ):
        raise infer.unsupported(
            f"a {source.cls.__name__} over values of the run that a generator goes through, asked for single items",
            "a range, and items by index",
        )
    return list(streams.advance(infer, *values))
