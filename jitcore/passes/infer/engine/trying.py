"""`try`: its body and handlers, and what of the body's work they see.

Where the body raises, variables, containers and attributes are as the body has left them. Arrays that are written to
are memory, which stays as it is. All else that a handler may find changed has *slots*: places that are made before the
body and given what it holds whenever something may raise.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from jitcore.ir.analysis import uses
from jitcore.ir.control import TRY
from jitcore.ir.nodes import Atom, Binding, Graph
from jitcore.passes.infer.domain import abstract, forms
from jitcore.passes.infer.domain.forms import Form
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.values import Caught, Raised, Static, Tuple, Unreachable, Value
from jitcore.passes.infer.engine import branching, budget
from jitcore.passes.infer.engine.attempts import Attempt, Classes, Raise, remember, remembered
from jitcore.passes.infer.engine.branching import Trial, held
from jitcore.passes.infer.engine.failures import named
from jitcore.passes.infer.engine.handlers import Env, handles
from jitcore.primitives.core.registry import Primitive, ScalarCode
from jitcore.primitives.ops import conversions, state
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_MOST_ROUNDS = 12
_WITHOUT_CHECKS = (MemoryError, KeyboardInterrupt, RecursionError)
"""What is raised where no primitive says that it raises."""
_OF_OPERATIONS = (
    ArithmeticError, LookupError, ValueError, TypeError, AttributeError, NameError, AssertionError
)  # fmt: skip
"""What only operations raise: where none does, there is nothing to catch."""


# --- what may raise -------------------------------------------------------------------------------------


@abstract.before_raise.model
def before_primitive(infer: Infer, primitive: Primitive, args: Sequence[Atom], params: dict[str, Any]) -> None:
    """A primitive that may raise is about to be emitted inside a `try`."""
    if primitive is state.rethrow:
        for raised in _of_caught(infer.caught[-1 - params["level"]]):
            _note(infer, raised)
        return
    if primitive is conversions.check or primitive is state.raise_:
        _note(infer, _of_check(params, len(args)))
        return
    if isinstance(primitive.lowering, ScalarCode):
        for raised in _of_scalar_code(primitive.lowering, args, params):
            _note(infer, raised)
        return
    classes = tuple(map(_class, [params["exception"]] if "exception" in params else primitive.effects.raises))
    _note(infer, Raise(classes, derived=Exception in classes))


@dataclass(frozen=True, slots=True)
class _Operand:
    """What a `_Checks` computes with."""

    dtype: Any


class _Checks:
    """Stands for the writer of scalar code, to see what is checked."""

    def __init__(self) -> None:
        self.found: list[Raise] = []

    def __call__(self, op: str, dtype: Any, *args: Any) -> _Operand:
        return _Operand(dtype)

    def const(self, dtype: Any, value: Any) -> _Operand:
        """A constant."""
        return _Operand(dtype)

    def check(self, ok: Any, exception: str, message: str, *values: Any) -> None:
        """A check."""
        self.found.append(_of_check({"exception": exception, "message": message}, 1 + len(values)))


def _of_scalar_code(code: ScalarCode, args: Sequence[Atom], params: dict[str, Any]) -> list[Raise]:
    checks = _Checks()
    code.emit(checks, *(_Operand(getattr(a.type, "dtype", None)) for a in args), **params)
    return checks.found


def before_call(infer: Infer) -> None:
    """A function of the module, which may raise anything, is about to be called inside a `try`."""
    _note(infer, Raise((BaseException,), derived=True))


def _note(infer: Infer, raised: Raise) -> None:
    attempts, infer.attempts = infer.attempts, []  # what is written to the slots itself does not raise
    try:
        for attempt in reversed(attempts):
            attempt.note(infer, raised)
            if attempt.surely_catches(raised):
                return
    finally:
        infer.attempts = attempts


def _of_caught(value: Value) -> tuple[Raise, ...]:
    if isinstance(value, Raised):
        return (Raise((value.cls,), value),)
    assert isinstance(value, Caught)
    if value.cls is not None:
        return (Raise((value.cls,)),)
    return value.sources or (Raise((BaseException,), derived=True),)


def _of_check(params: dict[str, Any], count: int) -> Raise:
    exception = params["exception"]
    if isinstance(exception, conversions.Raising):
        kind = exception.kind
        cls: type[BaseException] = kind if isinstance(kind, type) else type(kind)
        known = isinstance(kind, type) and _is_known(exception.args) and exception.cause is None
        return Raise((cls,), Raised(cls, tuple(map(Static, exception.args))) if known else None)
    cls = _class(exception)
    if count > 1:
        return Raise((cls,))
    message = params["message"].format()
    return Raise((cls,), Raised(cls, (Static(message),) if message else ()))


def _is_known(argument: Any) -> bool:
    """Whether an argument of an exception is a constant."""
    if isinstance(argument, tuple):
        return all(map(_is_known, cast("tuple[Any, ...]", argument)))
    return not isinstance(argument, conversions.Filled)


def _class(name: Any) -> type[BaseException]:
    return getattr(builtins, name, Exception) if isinstance(name, str) else name


@handles("py_commit")
def _commit(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    infer.attempts.pop()
    infer.emit_all(state.commit)
    return []


# --- try ------------------------------------------------------------------------------------------------


@handles("py_try")
def _try(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    body, *others = b.graphs
    tests, handlers = others[::2], others[1::2]
    catches = tuple(_classes(infer, test, env) for test in tests)
    place = (infer.place(), "try")
    with infer.budget.part(budget.TRY, infer.span, place):
        attempt, tried = _fitting(infer, catches, body, env, place)
    always = any(issubclass(c, _WITHOUT_CHECKS) for classes in catches for c in classes)
    if not attempt.raises and not always:
        return _goes_on(infer, tried)
    arms, names = [tried], list[Classes]()
    for k, handler in enumerate(handlers):
        for classes, caught in _cases(attempt, k, is_used=handler.params[0] in uses(handler)):
            names.append(classes)
            arms.append(_handled(infer, attempt, handler, env, caught))
    if not names:
        return _goes_on(infer, tried)
    return _joined(infer, arms, tuple(tuple(map(named, classes)) for classes in names))


def _fitting(infer: Infer, catches: tuple[Classes, ...], body: Graph, env: Env, place: Any) -> tuple[Attempt, Trial]:
    """The body inferred with slots for all that it may have changed where it raises."""
    found = remembered(infer, place)
    for _ in range(_MOST_ROUNDS):  # until the slots are those of all that is found changed
        attempt = Attempt(infer, catches)
        attempt.make_slots(infer, found)
        tried = _attempted(infer, attempt, body, env)
        if attempt.fits and attempt.forms.keys() == found.keys():
            break
        found = attempt.forms
    else:
        raise infer.unsupported("a `try` whose body gives variables ever other types", "one type for each variable")
    remember(infer, place, found)
    return attempt, tried


def _classes(infer: Infer, test: Graph, env: Env) -> Classes:
    """The classes that a handler names."""
    found: list[Value] = []

    def run() -> list[Value]:
        found.extend(infer.run(test, env))
        return []

    branching.trial(infer, "classes", run)
    wanted = infer.need_static(found[0], "the class of exceptions to catch") if found else None
    classes = _flat(wanted)
    if not all(isinstance(c, type) and issubclass(c, BaseException) for c in classes):
        raise infer.unsupported("catching what is no class of exceptions", "a class derived from Exception")
    return tuple(classes)


def _flat(wanted: Any) -> list[Any]:
    return [c for part in wanted for c in _flat(part)] if isinstance(wanted, tuple) else [wanted]


def _attempted(infer: Infer, attempt: Attempt, body: Graph, env: Env) -> Trial:
    around = list(infer.attempts)
    infer.attempts.append(attempt)
    try:
        return branching.trial(infer, "body", lambda: infer.run(body, env))
    finally:
        infer.attempts[:] = around


def _goes_on(infer: Infer, tried: Trial) -> list[Value]:
    """A body that cannot raise is what it would be without `try`."""
    infer.builder.body.extend(b for b in tried.builder.body if b.op is not state.commit)
    infer.heap.state = tried.heap
    if tried.values is None:
        raise Unreachable
    return tried.values


def _cases(attempt: Attempt, number: int, *, is_used: bool) -> list[tuple[Classes, Value]]:
    """What a handler may catch. If it looks at the exception, it is a handler of its own for each class that is
    known."""
    mine = attempt.catches[number]
    sources = tuple(r for r in attempt.raises if r.derived or any(attempt.handler_of(c) == number for c in r.classes))
    if not sources and all(c.__module__ == "builtins" and issubclass(c, _OF_OPERATIONS) for c in mine):
        return []
    if not is_used:
        return [(mine, Caught(None, sources))]
    earlier = tuple(c for classes in attempt.catches[:number] for c in classes)
    found: dict[type[BaseException], list[Raised | None]] = {}
    derived = False
    for raised in attempt.raises:
        for cls in raised.classes:
            if issubclass(cls, mine) and not issubclass(cls, earlier) and not raised.derived:
                found.setdefault(cls, []).append(raised.made)
        derived = derived or raised.derived
    for cls in (MemoryError, KeyboardInterrupt):
        if issubclass(cls, mine) and not issubclass(cls, earlier):
            found.setdefault(cls, [Raised(cls, ())])
    ordered = sorted(found, key=lambda c: -len(c.__mro__))  # what is derived from a class comes before it
    cases: list[tuple[Classes, Value]] = [((cls,), _one_of(cls, found[cls])) for cls in ordered]
    return [*cases, (mine, Caught(None, sources))] if derived or not cases else cases


def _one_of(cls: type[BaseException], made: list[Raised | None]) -> Value:
    """An exception of a class that is raised in several places: all of it, if it is the same in all."""
    first = made[0]
    if first is None or not all(m is not None and forms.same_value(_content(m), _content(first)) for m in made):
        return Caught(cls)
    return Raised(first.cls, first.args)


def _content(raised: Raised) -> Value:
    return Tuple((Static(raised.cls), *raised.args))


def _handled(infer: Infer, attempt: Attempt, handler: Graph, env: Env, caught: Value) -> Trial:
    def run() -> list[Value]:
        attempt.restore(infer)
        env[handler.params[0]] = caught
        infer.caught.append(caught)
        try:
            return infer.run(handler, env)
        finally:
            infer.caught.pop()

    return branching.trial(infer, "handler", run)


def _joined(infer: Infer, arms: list[Trial], names: tuple[Any, ...]) -> list[Value]:
    """The `try_` of a body and its handlers, of which some may never come to their ends."""
    before = infer.heap.state
    alive = [arm for arm in arms if arm.values is not None]
    if not alive:
        infer.builder.emit(TRY, (), {"names": names}, tuple(arm.builder.finish(()) for arm in arms))
        raise Unreachable
    keys = branching.changed_keys(before, [arm.heap for arm in alive])
    joiner = Joiner(infer, min(_first_new_key(infer, before), infer.heap.next_key + 1))
    lists = {id(arm): (arm.values or []) + held(arm.heap, keys) for arm in alive}
    joined: list[Form] | None = None
    for arm in alive:
        infer.heap.state = arm.heap
        made = [joiner.form_of(v, runtime=False) for v in lists[id(arm)]]
        joined = made if joined is None else [joiner.join(a, b) for a, b in zip(joined, made, strict=True)]
    assert joined is not None
    graphs = tuple(
        branching.finish_trial(infer, arm, joined, lists[id(arm)]) if arm.values is not None else arm.builder.finish(())
        for arm in arms
    )
    infer.heap.restore(before)
    outs = iter(infer.builder.emit(TRY, (), {"names": names}, graphs))
    values = [forms.unflatten(infer, f, outs) for f in joined]
    count = len(alive[0].values or ())
    branching.restore_held(infer, keys, values[count:])
    return values[:count]


def _first_new_key(infer: Infer, before: dict[Any, Any]) -> int:
    """The least number that a container made in a body may have."""
    return max((k for k in before if isinstance(k, int)), default=0) + 1


def cause_of(infer: Infer, raised: Value, cause: Value) -> Value:
    """What an exception is raised from: the innermost handler's is `Handled`, which stands for it until it is made."""
    if any(raised is caught for caught in infer.caught):
        raise infer.unsupported("raising what was caught `from` something", "`raise` in the handler")
    if infer.caught and cause is infer.caught[-1]:
        return Static(conversions.Handled)
    if isinstance(cause, Caught) or any(cause is caught for caught in infer.caught):
        raise infer.unsupported("raising an exception from what another handler caught", "what this handler caught")
    return cause


def raise_again(infer: Infer, value: Value | None) -> None:
    """Raise what a handler around this place caught: the innermost's, or a given one. Does nothing if it is none of
    them."""
    for level, caught in enumerate(reversed(infer.caught)):
        if value is None or caught is value:
            if level:
                raise infer.unsupported("raising what an outer handler caught", "`raise` in that handler")
            infer.emit_all(state.rethrow, level=level, **({} if value is None else {"named": True}))
            raise Unreachable
    if isinstance(value, Caught):
        raise infer.unsupported("raising an exception outside of the handler that caught it", "`raise` in the handler")
    if value is None and infer.recursions.is_inside:
        raise infer.unsupported("a `raise` of what the caller is handling, in a recursive function", "pass it on")
    if value is None:  # what called this may be handling something, also in the parts that the interpreter runs
        raise infer.unsupported("a `raise` outside of the handler of what it raises again", "`raise` in the handler")
