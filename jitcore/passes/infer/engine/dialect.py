"""What another framework's rules say to an operation of the user's program before it is inferred: nothing, an
exception, or a function that is called in its place.

    x + None    with MindSpore's rules: TypeError('Failed calling add with "add(None)". …')

The rules of the framework whose decorator or Cell a program is are asked for every operator, truth value, attribute and
call; they see `Operand`s, never inference's own values. Without rules (jitcore's own dialect, which is Python's)
nothing is asked.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from jitcore.ir.nodes import Binding, Literal, Var
from jitcore.ir.python import ELLIPSIS_KEY
from jitcore.lookup import attribute_of
from jitcore.passes.infer.domain import abstract, callees, templates
from jitcore.passes.infer.domain.values import (
    FUNCTION_KEY,
    ITERATORS,
    Array,
    Bound,
    Builtin,
    Instance,
    Number,
    PythonError,
    Raised,
    Range,
    Reference,
    Static,
    String,
    Text,
    Tuple,
    Undefined,
    Value,
)
from jitcore.passes.infer.engine import constants, marking
from jitcore.passes.infer.engine.handlers import Handler, env_function
from jitcore.passes.infer.engine.operands import Instead, Operand, Operation, describe, has_contents, of_object
from jitcore.primitives.core.dialects import OWN, ProgramRules, known, meant
from jitcore.structs import dataclass, replace
from jitcore.types import TensorType

if TYPE_CHECKING:
    from jitcore.ir.python import FunctionSource
    from jitcore.passes.infer.engine.core import Infer


@dataclass(frozen=True, slots=True)
class Quoted:
    """An exception's message is put in quotes, and its class is `cls`."""

    cls: type[BaseException]


@dataclass(frozen=True, slots=True)
class Shown:
    """An exception's message is what is shown of its arguments, texts in place of those that are known, and its class
    is `cls`."""

    cls: type[BaseException]
    parts: tuple[Any, ...]
    """A text, None for an array as the run shows it, or a tuple of such."""
    of_items: bool = False
    """Whether they are the items of the only argument."""


def folds(infer: Infer) -> constants.Folds:
    """See `constants.Folds`: by the rules."""
    rules = infer.rules

    def is_folding(op: str, alike: bool) -> bool:
        return rules is not None and rules.answer(Operation("folded", op, (Operand("alike", value=alike),))) is not None

    return is_folding


def ask(infer: Infer, operation: Operation) -> Any:
    """The rules' answer to an operation: an exception, `Instead`, `Quoted`, `Shown`, a text (of "shown"), or None, as
    where there are none."""
    return None if infer.rules is None else infer.rules.answer(operation)


def in_words(infer: Infer, message: str, category: str = OWN) -> str:
    """A message of Python's as the rules have it; without any, as the dialect of a category of Tensors has it."""
    found = known.get(category)
    rules = infer.rules or (None if found is None else found.programs)
    return message if rules is None else rules.in_words(message) or message


def missing(infer: Infer, container: Value) -> BaseException | None:
    """The exception by the rules for a key (`{0}`) that is not in a dict; None: Python's."""
    if infer.rules is None:
        return None
    _make_known(infer, container)
    answer = ask(infer, Operation("missing", "", (describe(infer, container),)))
    return answer if isinstance(answer, BaseException) else None


class RefusedError(Exception):
    """The rules refuse the program as it stands, whichever way it would go: `error` is raised by the call that is
    compiled."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


def refuse(infer: Infer, error: BaseException) -> NoReturn:
    """Raise what the rules answered: where the program comes to it, or of the whole program, if only values of arrays
    say whether it does."""
    if infer.paths_taken.by_arrays and not infer.paths_taken.by_numbers:
        raise RefusedError(error)
    raise PythonError(error)


def require_joined(infer: Infer, pair: tuple[Operand, Operand]) -> None:
    """Refuse, if the rules do, two values of one variable on paths that meet."""
    answer = ask(infer, Operation("join", "", pair))
    if isinstance(answer, BaseException):
        refuse(infer, answer)


def require_gradients(infer: Infer, found: Value, args: Sequence[Value], receiver: Sequence[Value]) -> None:
    """Refuse, if the rules do, what a user's function gives as the gradients of arguments."""
    if infer.rules is None:
        return
    cell = receiver[0].value if receiver and isinstance(receiver[0], Static) else ""
    operands = tuple(describe(infer, v) for v in (found, *args))
    answer = ask(infer, Operation("gradients", (cell, infer.notes_paths), operands))
    if isinstance(answer, BaseException):
        raise PythonError(answer)


def require_given(infer: Infer, args: Sequence[Value]) -> None:
    """Refuse, if the rules do, what a program is called with."""
    if not infer.notes_paths:
        return
    for value in args:
        if marking.is_dynamic(infer, value):
            answer = ask(infer, Operation("given", "", (describe(infer, value),)))
            if isinstance(answer, BaseException):
                raise PythonError(answer)


def cotangents(infer: Infer, given: Value, results: Value, binding: Binding | None) -> Callable[..., Any] | None:
    """Refuse, if the rules do, what a program gives as the cotangents of results; or a function of these and the
    results that gives those to take in their place. `binding`: what made the only result."""
    if not infer.notes_paths:
        return None
    operands = [describe(infer, given), describe(infer, results)]
    if binding is not None:
        operands += [
            describe(infer, Array(a, "tensor")) if isinstance(a.type, TensorType) else Operand("int")
            for a in binding.args
        ]
    answer = ask(infer, Operation("cotangents", "" if binding is None else binding.op.name, tuple(operands)))
    if isinstance(answer, BaseException):
        raise PythonError(answer)
    return answer.function if isinstance(answer, Instead) else None


def _make_items_known(infer: Infer, value: Value) -> None:
    """`_make_known` of a value, or of the items of a list."""
    if isinstance(value, Reference) and value.kind is list and infer.heap.buffer(value) is None:
        for item in infer.heap.items(value):
            _make_known(infer, item)
    else:
        _make_known(infer, value)


def worded(infer: Infer, raised: Raised) -> Raised:
    """What the rules make of an exception that the user's program raises."""
    operands = tuple(describe(infer, a) for a in raised.args)
    answer = ask(infer, Operation("raise", (raised.cls, infer.paths_taken.by_arrays > 0), operands))
    if isinstance(answer, BaseException):
        raise PythonError(answer)
    if answer is None and not infer.paths_taken.by_arrays and (len(operands) > 1 or any(a.items for a in operands)):
        for argument in raised.args:
            _make_items_known(infer, argument)
    if isinstance(answer, Shown):
        values = _items_in(infer, raised.args[0]) if answer.of_items else raised.args
        return Raised(answer.cls, (_shown(infer, answer.parts, values),), raised.cause)
    if not isinstance(answer, Quoted):
        return raised
    text = templates.as_text(raised.args[0])
    if any(isinstance(v, Array) for v in text.values):  # which only the run has
        return raised
    quote = Text("'", ())
    message = templates.joined([quote, text, quote])
    return Raised(answer.cls, (message,), raised.cause)


def _shown(infer: Infer, parts: Sequence[Any], values: Sequence[Value]) -> Value:
    """The text of values in parentheses, by what the rules say of each."""
    made: list[Text] = []
    for part, value in zip(parts, values, strict=True):
        if made:
            made.append(templates.as_text(Static(", ")))
        if isinstance(part, str):
            made.append(templates.as_text(Static(part)))
        elif part is None:
            made.append(abstract.format_value(infer, value, None, ""))
        else:
            made.append(templates.as_text(_shown(infer, part, _items_in(infer, value))))
    return templates.joined([templates.as_text(Static("(")), *made, templates.as_text(Static(")"))])


def _items_in(infer: Infer, value: Value) -> Sequence[Value]:
    """The items of a tuple or list."""
    if isinstance(value, Tuple):
        return value.items
    assert isinstance(value, Reference)
    return infer.heap.items(value)


def returned(infer: Infer, function: Any, value: Value) -> Value:
    """What a program returns as the rules have it: a range is the tuple of its numbers, and NumPy's scalars are
    Python's. Raises what they refuse."""
    if not infer.notes_paths:
        return value
    answer = ask(infer, Operation("output", function, (_outline(infer, value),)))
    if isinstance(answer, BaseException):
        raise PythonError(answer)
    return _as_python(infer, value)


def _outline(infer: Infer, value: Value) -> Operand:
    """A value without what lists and dicts hold, themselves perhaps."""
    if isinstance(value, Reference):
        return Operand("object")
    if isinstance(value, Tuple):
        return Operand("tuple", items=tuple(_outline(infer, v) for v in value.items))
    return describe(infer, value)


def _as_python(infer: Infer, value: Value) -> Value:
    match value:
        case Range():
            numbers = abstract.iterate_static(infer, value) if _is_known(value) else None
            return value if numbers is None else Tuple(tuple(numbers))
        case Tuple() if value.cls is tuple:
            return Tuple(tuple(_as_python(infer, v) for v in value.items))
        case Array() if value.category == "npscalar":
            return abstract.call(infer, abstract.attribute(infer, value, "item"), [], {})
        case Static() if isinstance(value.value, np.generic):
            return Static(value.value.item())
        case _:
            return value


def _is_known(value: Range) -> bool:
    return all(isinstance(v, Static) for v in (value.start, value.stop, value.step))


def plainly_formatted(
    infer: Infer, template: tuple[Any, ...], values: list[Value]
) -> tuple[tuple[Any, ...], list[Value]]:
    """An f-string without conversions and formats (but of arrays, which the run shows), and tuples of one item without
    their comma; one that is nothing but a value as the rules show it."""

    def shown(value: Value) -> Value:
        if isinstance(value, Static) and type(value.value) is tuple and len(value.value) == 1:
            return Static(f"({value.value[0]})")
        if isinstance(value, Tuple) and value.cls is tuple and len(value.items) == 1:
            return templates.joined(
                [Text("(", ()), abstract.format_value(infer, value.items[0], None, ""), Text(")", ())]
            )
        return value

    stream = iter(values)
    parts = tuple(part if isinstance(part, str) or isinstance(next(stream), Array) else (None, "") for part in template)
    if len(values) == len(parts) == 1 and not isinstance(values[0], Array):
        _make_known(infer, values[0])
        answer = ask(infer, Operation("shown", "", (describe(infer, values[0]),)))
        return parts, [shown(values[0]) if answer is None else Static(answer)]
    return parts, [shown(v) for v in values]


def source_refused(rules: ProgramRules | None, function: Any) -> BaseException | None:
    """What rules answer to the source of a function of the user's."""
    if rules is None or not isinstance(function, FunctionType) or not callees.is_users(function):
        return None
    answer = rules.answer(Operation("source", function, ()))
    return answer if isinstance(answer, BaseException) else None


_WHAT: Final = {
    "py_binary": "binary",
    "py_inplace": "inplace",
    "py_compare": "compare",
    "py_unary": "unary",
    "py_truth": "truth",
    "py_not": "truth",
    "py_getattr": "attribute",
    "py_getitem": "item",
    "py_setitem": "put",
    "py_unpack": "unpack",
    "py_dict": "dict",
    "py_tuple": "display",
    "py_setattr": "set_attribute",
    "py_list": "display",
    "py_for": "iterate",
    "py_global": "name",
    "py_defined": "name",
    "py_call": "call",
}


def ruled(infer: Infer, op: str, handler: Handler) -> Handler:
    """The handler of an operator that asks the rules first, if there are any."""
    what = None if infer.rules is None else _WHAT.get(op)
    if what is None:
        return handler

    def handle(infer: Infer, b: Binding, values: list[Value], env: dict[Var, Value]) -> Any:
        made = _answer(infer, what, b, values, env)
        return handler(infer, b, values, env) if made is None else made

    return handle


def _answer(infer: Infer, what: str, b: Binding, values: list[Value], env: dict[Var, Value]) -> Any:
    operation = _described(infer, what, b, values, env)
    answer = None if operation is None or not _is_asked(infer, operation) else ask(infer, operation)
    if isinstance(answer, BaseException):
        for value in values:
            _make_known(infer, value)
        operation = _described(infer, what, b, values, env)  # with what is known now
        again = None if operation is None else ask(infer, operation)
        refuse(infer, again if isinstance(again, BaseException) else answer)
    if not isinstance(answer, Instead):
        return None
    given = [*_receiver(values[0]), *(_positional(infer, b, values) or ())] if what == "call" else values
    made = abstract.call(infer, Static(answer.function), given, {})
    if what == "unpack":
        return abstract.unpack(infer, made, b.params["before"], b.params["star"], b.params["after"])
    if what in ("set_attribute", "put"):
        return []
    return made


def _described(infer: Infer, what: str, b: Binding, values: list[Value], env: dict[Var, Value]) -> Operation | None:
    operation = _operation(infer, what, b, values, env)
    return operation if operation is None or infer.notes_paths else replace(operation, compiled=False)


_OF_TENSORS: Final = ("binary", "inplace", "compare", "unary", "item", "put", "set_attribute")


def _is_asked(infer: Infer, operation: Operation) -> bool:
    """Whether the rules have a say: where they would have a program run line by line, of Tensors and of the library's
    functions alone."""
    if infer.notes_paths:
        return True
    if operation.what == "method":
        return operation.operands[0].kind == "tensor"
    if operation.what == "call":
        module = attribute_of(operation.name, "__module__", None)
        return not isinstance(operation.name, Operand) and module not in ("builtins", "functools", None)
    return operation.what in _OF_TENSORS and any(x.kind == "tensor" for x in operation.operands)


def given_back(infer: Infer, value: Value) -> Value:
    """What a program gives back for a value of a class that other frameworks do not have: a range, or what gives items
    one by one."""
    if infer.rules is None or not _is_lazy(value):
        return value
    if isinstance(value, Range):
        for end in (value.start, value.stop, value.step):
            _make_known(infer, end)
        value = Range(*(marking.without_mark(end) for end in (value.start, value.stop, value.step)))
    answer = ask(infer, Operation("result", "", (describe(infer, value),)))
    return abstract.call(infer, Static(answer.function), [value], {}) if isinstance(answer, Instead) else value


def _is_lazy(value: Value) -> bool:
    match value:
        case Static():
            return isinstance(value.value, range)
        case Tuple():
            return value.cls in ITERATORS
        case _:
            return isinstance(value, Range)


def _make_known(infer: Infer, value: Value) -> None:
    """Begin anew with a number or string known that is an argument of the program, or in one: the message names it, as
    arguments are constants elsewhere."""
    match value:
        case Number() if value.paths:
            infer.need_static(value, "an operand")
        case String() if value.roots:
            infer.need_static(value, "an operand")
        case Tuple():
            for item in value.items:
                _make_known(infer, item)
        case Reference() if has_contents(infer, value):
            held = infer.heap.entries(value).values() if value.kind is dict else infer.heap.items(value)
            for item in held:
                _make_known(infer, item)
        case _:
            pass


def _operation(infer: Infer, what: str, b: Binding, values: list[Value], env: dict[Var, Value]) -> Operation | None:
    if FUNCTION_KEY not in env:  # code that inference wrote itself
        return None
    function = env_function(env)
    own = (function.__module__ or "").partition(".")[0] == "jitcore"
    library = own and not attribute_of(function, "__jitcore_asks__", False)
    if what == "call":
        return _constant(b, library) or _call(infer, b, values, library)
    if what == "name":
        name = b.params["name"]
        if b.op.name == "py_defined":
            known = not isinstance(values[0], Undefined)
        else:
            known = name in function.__globals__ or hasattr(builtins, name)
        return None if known else Operation(what, name, (), library=library)
    if (
        values
        and isinstance(values[0], String)
        and (what == "unpack" or (what == "item" and isinstance(values[1], Static)))
    ):
        _make_known(infer, values[0])  # its length is asked for
    if what == "unpack":
        count = b.params["before"] + b.params["after"]
        return Operation(what, (count, bool(b.params["star"])), (describe(infer, values[0]),), library=library)
    if what == "dict":
        keys = tuple(describe(infer, k) for k in values[::2] if not _is_own_key(infer, k))
        return Operation(what, "", keys, library=library)
    if what == "display":
        stars = b.params.get("stars", ())
        spread = tuple(describe(infer, v) for k, v in enumerate(values) if k in stars)
        return Operation(what, "", spread, library=library) if spread else None
    if what == "iterate":
        return Operation(what, "", (describe(infer, values[0]),), library=library)
    operands = tuple(describe(infer, v) for v in values)
    name = b.params.get("op", b.params.get("name", ""))
    if what == "truth":
        name = "while" if infer.paths_taken.tests_loop else ""
        name = "not" if b.op.name == "py_not" and not constants.is_constant(infer, values[0]) else name
    if (
        name in ("in", "notin")
        and _is_of_tensors(operands[1])
        and all(constants.is_folded(infer, v, folds(infer)) for v in values)
    ):
        return None
    if what == "put":
        name = functools.partial(constants.is_constant, infer, values[2])
    return _constant(b, library) or Operation(what, name, operands, library=library)


def _is_of_tensors(x: Operand) -> bool:
    return x.kind in ("tuple", "list") and any(i.kind == "tensor" for i in x.items)


def _constant(b: Binding, library: bool) -> Operation | None:
    """The first complex number that stands in the text of an operation."""
    found = next((a.value for a in b.args if isinstance(a, Literal) and isinstance(a.value, complex)), None)
    return None if found is None else Operation("constant", found, (), library=library)


def _positional(infer: Infer, b: Binding, values: list[Value]) -> Sequence[Value] | None:
    """The positional arguments of a call; None if there are starred ones besides tuples."""
    positional = values[1 : len(values) - len(b.params.get("keywords", ()))]
    stars: tuple[int, ...] = b.params.get("stars", ())
    if not stars:
        return positional
    return abstract.spread(infer, positional, stars) if all(isinstance(positional[k], Tuple) for k in stars) else None


def absent(infer: Infer, obj: Any, name: str) -> BaseException | None:
    """What the rules say of an attribute that an object does not have, or an object that the program made."""
    operand = describe(infer, obj) if isinstance(obj, Instance) else of_object(obj)
    answer = ask(infer, Operation("absent", name, (operand,))) if infer.notes_paths else None
    return answer if isinstance(answer, BaseException) else None


def require_bound(infer: Infer, source: FunctionSource, args: Sequence[Value], keywords: Mapping[str, Value]) -> None:
    """Refuse, if the rules do, the arguments that compiled code calls a function of the user's with, whatever calls
    it."""
    called = callees.callee_of_source(source, args) if infer.notes_paths and infer.inlining.active else None
    if called is None or source.name == "__init__":  # objects are made by Python
        return
    given = tuple(Operand("object") for _ in called.arguments)  # how many they are is all that is asked
    answer = ask(infer, Operation("user_call", called.parameters, given, {k: Operand("object") for k in keywords}))
    if isinstance(answer, BaseException):
        refuse(infer, answer)


_SPREAD: Final = ("tuple", "list", "dict", "range")


def _call(infer: Infer, b: Binding, values: list[Value], library: bool) -> Operation | None:
    names: tuple[str | None, ...] = b.params.get("keywords", ())
    stars = b.params.get("stars", ())
    spread = [describe(infer, values[1 + k]) for k in stars]
    if None in names or any(x.kind not in _SPREAD or x.dynamic for x in spread):
        return _starred_call(infer, b, values, library)
    positional = _positional(infer, b, values)
    callee = values[0]
    if positional is None:
        return _starred_call(infer, b, values, library)
    keywords = {str(k): describe(infer, v) for k, v in zip(names, values[len(values) - len(names) :], strict=True)}
    given = tuple(describe(infer, v) for v in [*_receiver(callee), *positional])
    if isinstance(callee, Bound) and callee.name:
        return Operation("method", callee.name, given, keywords, library)
    if isinstance(callee, Builtin) and callee.receiver is not None:
        return Operation("method", callee.name, given, keywords, library)
    function = callee.function if isinstance(callee, Bound) else callee
    called = None if library else callees.callee_of(callee)
    if called is not None:
        held = tuple(describe(infer, v) for v in called.arguments)
        named = {k: describe(infer, v) for k, v in called.keywords.items()}
        given = (*held, *(describe(infer, v) for v in positional))
        known = callee.value if isinstance(callee, Static) else None
        return Operation("user_call", called.parameters, given, {**named, **keywords}, library, known)
    if isinstance(function, Static):
        return Operation("call", meant(function.value), given, keywords, library)
    described = describe(infer, function)
    return Operation("call", described, given, keywords, library) if described.kind != "union" else None


def _is_own_key(infer: Infer, key: Value) -> bool:
    """Whether a key of a dict that is made stands for entries of another, or is an array that is itself the key: a
    constant, or a Parameter."""
    if isinstance(key, Array):
        return key.keeps_memory or infer.constant_of(key.atom) is not None
    return isinstance(key, Static) and key.value is ELLIPSIS_KEY


def _starred_call(infer: Infer, b: Binding, values: list[Value], library: bool) -> Operation | None:
    """A call with `*x` or `**x`: "starred", of what is spread; its name is the callee's parameters, if it is a function
    of the user's, and its keywords are the others that are given, positional ones by their positions."""
    names: tuple[str | None, ...] = b.params.get("keywords", ())
    stars = b.params.get("stars", ())
    rest = values[1:]
    count = len(rest) - len(names)
    spread = tuple(
        describe(infer, v) for k, v in enumerate(rest) if k in stars or (k >= count and names[k - count] is None)
    )
    plain = {
        str(k if k < count else names[k - count]): describe(infer, v)
        for k, v in enumerate(rest)
        if k not in stars and (k < count or names[k - count])
    }
    called = callees.callee_of(values[0])
    return Operation("starred", None if called is None else called.parameters, spread, plain, library)


def _receiver(callee: Value) -> tuple[Value, ...]:
    if isinstance(callee, Builtin) and callee.receiver is not None:
        return (callee.receiver,)
    return tuple(callee.arguments) if isinstance(callee, Bound) else ()
