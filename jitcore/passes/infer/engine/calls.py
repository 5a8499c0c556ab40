"""Calls: of user functions (inlined), library functions (traced), builtins, classes and objects."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from types import BuiltinMethodType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.identity import Identity
from jitcore.ir.nodes import Binding, Var
from jitcore.ir.python import FunctionSource, Parameter
from jitcore.library.core.marking import is_library
from jitcore.library.core.mutable import plain_class
from jitcore.library.tables import UFUNC_METHODS, library_function_of
from jitcore.lookup import attribute_of, has_attribute
from jitcore.passes.infer.domain import abstract, array_operations, boxed, mixed, representations
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    FUNCTION_KEY,
    Bound,
    Builtin,
    Function,
    Instance,
    Path,
    PythonError,
    Raised,
    Reference,
    Static,
    Text,
    Tuple,
    Union,
    Value,
)
from jitcore.passes.infer.engine import (
    budget,
    classes,
    custom,
    dialect,
    gradients,
    known_values,
    paths_taken,
    recursion,
    transforms,
    watching,
)
from jitcore.passes.infer.engine.argument_binding import Keywords, bind_arguments
from jitcore.passes.infer.engine.exception_calls import exception_arguments
from jitcore.passes.infer.engine.handlers import env_function, handles
from jitcore.passes.infer.engine.models import iterables_of, model_of
from jitcore.passes.infer.engine.objections import method_of, objection
from jitcore.passes.infer.engine.purity import is_computed, is_library_cell, is_pure
from jitcore.primitives.core.array_classes import ARRAY_CLASSES
from jitcore.primitives.transforms import Gradient, Recompute, Transform
from jitcore.source import CompileError, Problem

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_A_DICT: Final = "a dict, with get or setdefault for keys that are not there"


@handles("py_call", unions=True)
def _py_call(infer: Infer, b: Binding, values: list[Value], env: dict[Var, Value]) -> Value:
    names: tuple[str | None, ...] = b.params.get("keywords", ())
    callee, rest = values[0], values[1:]
    count = len(rest) - len(names)
    stars = b.params.get("stars", ())
    args = list(abstract.spread(infer, rest[:count], stars, f"{_named(callee)}argument after *" if stars else ""))
    keywords: dict[str, Value] = {}
    for name, value in zip(names, rest[count:], strict=True):
        if name is not None:
            keywords[name] = value
            continue
        for key, item in abstract.entries_of(infer, value).items():
            if key in keywords:
                function = _named(callee)
                raise PythonError(TypeError(f"{function}got multiple values for keyword argument '{key}'"))
            keywords[key] = item
    if not args and isinstance(callee, Static) and callee.value is super:
        args = _super_arguments(infer, env)
    return call(infer, callee, args, keywords)


def _named(callee: Value) -> str:
    """A function as CPython names it before it is called: `module.name() `."""
    match callee:
        case Bound() if not callee.keywords:
            return _named(callee.function)
        case Function():
            module = env_function(callee.environment).__module__
            return f"{module}.{callee.source.qualname}() "
        case Static() if has_attribute(callee.value, "__qualname__"):
            module = attribute_of(callee.value, "__module__", None)
            return f"{'' if module in (None, 'builtins') else module + '.'}{callee.value.__qualname__}() "
        case _:
            return ""


def _super_arguments(infer: Infer, env: dict[Var, Value]) -> list[Value]:
    """What `super()` means in a method: the class it is defined in, and its first argument."""
    function = env_function(env)
    names, params = function.__code__.co_freevars, infer.inlining.active[-1].params if infer.inlining.active else ()
    if "__class__" not in names or not params:
        raise PythonError(RuntimeError("super(): __class__ cell not found"))
    cell = (function.__closure__ or ())[names.index("__class__")]
    return [Static(cell.cell_contents), env[params[0]]]


@abstract.call.model
def call(infer: Infer, callee: Value, args: Sequence[Value], keywords: Keywords) -> Value:
    """`callee(*args, **keywords)`."""
    if infer.uses_boxes and not isinstance(callee, Builtin) and any(isinstance(a, Text) for a in args):
        args = [boxed.settled(infer, a) for a in args]
    try:
        made = _call(infer, callee, args, keywords)
    except PythonError:
        if infer.uses_boxes:
            boxed.require_raised(infer, callee, args, keywords)
        raise
    return boxed.settled(infer, made) if infer.uses_boxes and isinstance(made, Text) else made


def _call(infer: Infer, callee: Value, args: Sequence[Value], keywords: Keywords) -> Value:
    match callee:
        case Union():
            return infer.distribute([callee], lambda vs: [call(infer, vs[0], args, keywords)])[0]
        case Function():
            return _call_nested(infer, callee, args, keywords)
        case Bound():
            merged = {**dict(callee.keywords), **keywords}
            return call(infer, callee.function, [*callee.arguments, *args], merged)
        case Builtin():
            kept = [
                k for k in callee.stored if k < len(args) and mixed.is_stored_whole(infer, callee.receiver, args[k])
            ]
            return call_plain(
                infer,
                lambda *a, **k: callee.call(infer, *a, **k),
                callee.name,
                args,
                keywords,
                lambda: method_of(infer, callee.receiver, callee.name),
                kept=kept,
            )
        case Static():
            return _call_object(infer, callee, args, keywords)
        case Instance() | Tuple() if (method := abstract.call_method_of(infer, callee)) is not None:
            return call(infer, method, args, keywords)
        case _:
            raise PythonError(TypeError(f"'{type_name(callee)}' object is not callable"))


def call_plain(
    infer: Infer,
    function: Any,
    name: str,
    args: Sequence[Value],
    keywords: Keywords,
    meant: Callable[[], Any] = lambda: None,
    *,
    kept: Collection[int] = (),
) -> Value:
    """Call an operation of inference; unions among the arguments are taken member by member, but for those at the
    positions `kept`. `meant` gives Python's own function."""
    apart = [k for k in range(len(args)) if k not in kept]

    def compute(values: list[Value]) -> list[Value]:
        given = dict(zip(keywords, values[len(apart) :], strict=True))
        taken = [*args]
        for k, value in zip(apart, values, strict=False):
            taken[k] = value
        try:
            return [function(*taken, **given)]
        except TypeError as error:
            if "positional argument" in str(error) or "keyword argument" in str(error):
                text = objection(meant(), len(args), keywords)
                if text is None:
                    raise infer.unsupported(f"{name}() with such arguments", "fewer of its parameters") from error
                text = text or f"{name}() {str(error).partition('() ')[2] or error}"
                raise PythonError(TypeError(text)) from error
            raise

    return infer.distribute([*(args[k] for k in apart), *keywords.values()], compute)[0]


def _with_iterables(infer: Infer, obj: Any, args: Sequence[Value]) -> Sequence[Value]:
    """The arguments of a builtin, those objects made in compiled code that it goes through as what they are gone
    through by."""
    if not any(isinstance(a, Instance) for a in args):
        return args
    which, made = iterables_of(obj, args), list(args)
    made[which] = [abstract.iterable(infer, a) if isinstance(a, Instance) else a for a in args[which]]
    return made


def _call_object(infer: Infer, callee: Static, args: Sequence[Value], keywords: Keywords) -> Value:
    """Call a Python object known at compile time."""
    obj = callee.value
    if infer.uses_boxes and (made := boxed.called(infer, obj, args, keywords)) is not None:
        return made
    model = model_of(obj)
    if not _takes_strings(obj, model is not None):
        what = f"a string that {attribute_of(obj, '__name__', type(obj).__name__)} is called with"
        args = known_values.all_known(infer, args, what)
        keywords = dict(zip(keywords, known_values.all_known(infer, [*keywords.values()], what), strict=True))
    if model is not None:
        name = attribute_of(obj, "__name__", str(obj))
        args = _with_iterables(infer, obj, args)
        return call_plain(infer, lambda *a, **k: model(infer, *a, **k), name, args, keywords, lambda: obj)
    replaced = library_function_of(obj)
    if isinstance(obj, MethodType) and replaced is None:  # first: it has the attributes of the function it binds
        bound_to = infer.inputs.constant(obj.__self__)
        if isinstance(bound_to, Static):
            bound_to = Static(obj.__self__, _below(callee, "__self__"))
        return call(infer, Static(obj.__func__, _below(callee, "__func__")), [bound_to, *args], keywords)
    if isinstance(obj, type) and _all_static(infer, [*args, *keywords.values()]) is not None:
        replaced = None  # a NumPy scalar known now
    if replaced is None and isinstance(attribute_of(obj, "__self__", None), np.ufunc):
        replaced = UFUNC_METHODS.get((obj.__self__, obj.__name__))
    if replaced is None:
        made = array_operations.of_constants(infer, obj, args, keywords)
        if made is not None:
            return made
    if replaced is not None or is_library(obj):
        return array_operations.call_library(infer, obj, replaced, args, keywords)
    request = attribute_of(obj, "__jitcore_gradient__", None)
    if isinstance(request, Gradient):
        with known_values.asking_for_flags(infer):
            return gradients.call(infer, request, _below(callee, "__jitcore_gradient__"), args, keywords)
    transform = attribute_of(obj, "__jitcore_transform__", None)
    if isinstance(transform, Transform):
        with known_values.asking_for_flags(infer):
            return transforms.call(infer, transform, _below(callee, "__jitcore_transform__"), args, keywords)
    if attribute_of(obj, "__jitcore_compiles__", False) is True:  # what compiled code calls is compiled with it
        return args[0] if args else next((keywords[k] for k in ("fn", "function") if k in keywords), callee)
    compiled = attribute_of(obj, "__jitcore_function__", None)
    if compiled is not None:
        return call(infer, Static(compiled, _below(callee, "__jitcore_function__")), args, keywords)
    if _puts_together(obj):
        return abstract.text_method(infer, str(obj.__self__), obj.__name__, args, keywords)
    if isinstance(obj, FunctionType) and _stands_for_another(obj) and args and isinstance(args[0], Static):
        cell = args[0].value
        return call(infer, Static(getattr(type(cell), type(cell).__jitcore_call__)), args, keywords)
    if isinstance(obj, FunctionType):
        known = _all_static(infer, [*args, *keywords.values()])
        if known is not None and is_computed(obj, known):
            return _call_outside(infer, obj, args, keywords)
        return call_function(infer, obj, args, keywords)
    if isinstance(obj, functools.partial):
        return _call_partial(infer, callee, args, keywords)
    if isinstance(obj, type):
        _require_compiled(infer, obj)
        return _call_class(infer, obj, args, keywords)
    reason = getattr(type(obj), "__jitcore_line_by_line__", None)
    if reason is not None:
        if infer.differentiating:
            raise infer.unsupported(f"{reason} in compiled code", "PYNATIVE_MODE for the gradient")
        return Static(False)
    own_gradient = custom.custom_gradient_of(obj)
    if own_gradient is not None:
        receiver = [] if hasattr(type(obj), "__jitcore_custom_gradient__") else [callee]
        call_method: str = getattr(type(obj), "__jitcore_call__", "")
        for name in (call_method, "bprop") if receiver else ():
            infer.inputs.guard_method(callee, name)
        return custom.call(infer, own_gradient, _below(callee, "__jitcore_custom_gradient__"), receiver, args, keywords)
    name, method = _call_method(type(obj))
    if name != "__call__":
        if name in attribute_of(obj, "__dict__", ()):
            return call(infer, abstract.attribute(infer, callee, name), args, keywords)
        infer.inputs.guard_method(callee, name)
    if isinstance(method, FunctionType) or has_attribute(method, "__jitcore_function__"):
        if attribute_of(obj, "__jitcore_recompute__", False) is True:
            return transforms.recomputed(infer, Recompute(obj), Static(method), [callee, *args], keywords)
        given = [callee, *args]
        called = Static(method)
        return watching.watched(infer, obj, [*args, *keywords.values()], lambda: call(infer, called, given, keywords))
    return _call_outside(infer, obj, args, keywords)


def _call_partial(infer: Infer, callee: Static, args: Sequence[Value], keywords: Keywords) -> Value:
    """Call a `functools.partial`: what it holds may be changed (`__setstate__`, `partial.keywords[…] = …`)."""
    path = callee.path if callee.path is not None else ("object", Identity(callee.value))
    function, given, named = (
        infer.inputs.captured(getattr(callee.value, name), (*path, ("attr", name)))
        for name in ("func", "args", "keywords")
    )
    first = abstract.spread(infer, [given], (0,))
    return call(infer, function, [*first, *args], {**abstract.entries_of(infer, named), **keywords})


_OF_STRINGS: Final = frozenset[Any](
    [
        all, any, bool, chr, dict, enumerate, filter, format, functools.partial, functools.reduce, isinstance, iter,
        len, list, map, max, min, next, ord, print, repr, reversed, sorted, str, sum, tuple, type, zip,
    ]
)  # fmt: skip
"""Builtins that take strings of the run."""


def _puts_together(obj: Any) -> bool:
    """Whether it is a string's method that makes a string of run-time values."""
    return isinstance(obj, BuiltinMethodType) and isinstance(obj.__self__, str) and obj.__name__ in ("format", "join")


def _takes_strings(obj: Any, is_builtin: bool) -> bool:
    """Whether calling an object leaves it to what is called to say which strings must be known."""
    if is_builtin:
        return obj in _OF_STRINGS or attribute_of(obj, "__module__", None) in ("itertools", "_operator")
    if isinstance(obj, type):
        return classes.objection(obj) is None or issubclass(obj, BaseException | tuple)
    if _puts_together(obj):
        return True
    is_users = isinstance(obj, FunctionType | MethodType | functools.partial) or has_attribute(
        obj, "__jitcore_function__"
    )
    return is_users and not is_library(obj) and library_function_of(obj) is None


def _call_method(cls: type) -> tuple[str, Any]:
    """The method that calling an instance means, and its name: `__call__`, unless that is one that stands for
    another."""
    for name in ("__call__", getattr(cls, "__jitcore_call__", "__call__")):
        method = next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None)
        if not _stands_for_another(method):
            return name, method
    return "__call__", None


def _stands_for_another(method: Any) -> bool:
    """Whether a `__call__` (that of Cell) runs the method that the class names by `__jitcore_call__`."""
    return attribute_of(method, "__jitcore_delegates__", False) is True


def _below(value: Static, name: str) -> Path | None:
    """The path of an attribute of an object."""
    return None if value.path is None else (*value.path, ("attr", name))


def _call_outside(infer: Infer, obj: Any, args: Sequence[Value], keywords: Keywords) -> Value:
    """A call of code that is not compiled: done now if everything it gets is known."""
    name = attribute_of(obj, "__qualname__", type(obj).__name__)
    module = attribute_of(obj, "__module__", None) or ""
    shown = f"{module}.{name}" if module and module != "builtins" else name
    if not callable(obj):
        raise PythonError(TypeError(f"'{type(obj).__name__}' object is not callable"))
    if name.rpartition(".")[2] == "__new__":
        raise infer.unsupported("making an object by __new__ alone", "a call of its class")
    known = _all_static(infer, [*args, *keywords.values()])
    if known is not None and not is_pure(obj):
        raise infer.unsupported(
            f"calling {shown}, whose result may differ from call to call, is not supported in compiled code",
            "a call outside the compiled function, its result passed in",
        )
    if known is None:
        is_dict = isinstance(obj, type) and issubclass(obj, dict)
        raise infer.unsupported(
            f"calling {shown} with values of the run is not supported in compiled code",
            _A_DICT if is_dict else "a function of jitcore, NumPy or math, or a call outside the compiled function",
        )
    given = dict(zip(keywords, known[len(args) :], strict=True))
    if obj is issubclass and len(known) == 2 and isinstance(known[0], type):
        infer.inputs.guard_kinship(known[0], known[1])
    try:
        made = obj(*known[: len(args)], **given)
    except Exception as error:
        raise PythonError(error) from None
    if (
        type(made) not in (list, dict, set)
        and infer.environment.describe(made) is None
        and not classes.is_constant(made)
    ):
        hint = _A_DICT if isinstance(made, dict) else "one made outside the function"
        raise infer.unsupported(f"making a {type(made).__name__}, which may change", hint)
    return infer.inputs.constant(made, new=True)


def _layer(infer: Infer, cls: type[Any], args: Sequence[Value], keywords: Keywords) -> Value:
    """A layer that a program makes where it uses it (`nn.ReLU()(x)`): a constant, if it has nothing to learn."""
    known = _all_static(infer, [*args, *keywords.values()])
    if known is None:
        raise infer.unsupported(f"making a {cls.__name__} with values of the run", "one made outside the function")
    place = infer.place()
    infer.inlining.layers_made[place] = count = infer.inlining.layers_made.get(place, 0) + 1
    signature = (cls, tuple(keywords), tuple(map(repr, known)))  # a restart may have made something else here
    made = infer.assumptions.layers.get((place, count, signature))
    if made is None:
        try:
            made = cls(*known[: len(args)], **dict(zip(keywords, known[len(args) :], strict=True)))
        except Exception as error:
            raise PythonError(error) from None
        if next(made.get_parameters(), None) is not None:
            raise infer.unsupported(f"making a {cls.__name__}, which has Parameters", "one made outside the function")
        infer.assumptions.layers[place, count, signature] = made
    return Static(made)


def _all_static(infer: Infer, values: Sequence[Value]) -> list[Any] | None:
    out: list[Any] = []
    for value in values:
        if isinstance(value, Static):
            out.append(value.value)
        elif isinstance(value, Tuple):
            items = _all_static(infer, value.items)
            if items is None:
                return None
            out.append(tuple(items) if plain_class(value.cls) is tuple else value.cls(*items))
        elif infer.heap.buffer(value) is not None:
            return None
        elif isinstance(value, Reference) and value.kind is not dict:
            items = _all_static(infer, infer.heap.items(value))
            if items is None:
                return None
            out.append(value.kind(items))
        else:
            return None
    return out


def _filling(keywords: Keywords) -> list[Value]:
    """The initializer that a Tensor is to be filled by: it draws numbers, and other ones each time."""
    return [v for k, v in keywords.items() if k == "init"]


def _call_class(infer: Infer, cls: type, args: Sequence[Value], keywords: Keywords) -> Value:
    if issubclass(cls, BaseException):
        return Raised(cls, tuple(exception_arguments(infer, cls, args, keywords)))
    for base in cls.__mro__:
        if base in ARRAY_CLASSES:
            if cls is not base or any(not isinstance(v, Static) or v.value is not None for v in _filling(keywords)):
                raise infer.unsupported(f"making a {cls.__name__} here", "one made outside the function")
            args = [representations.for_tensor(infer, args[0]), *args[1:]] if args else args
            return array_operations.call_library(infer, ARRAY_CLASSES[base].construct, None, args, keywords)
    fields = getattr(cls, "_fields", None)
    if fields is not None and issubclass(cls, tuple):
        classes.require_items_alone(infer, cls)
        defaults = _field_defaults(infer, cls)
        parameters = tuple(Parameter(f, "POSITIONAL_OR_KEYWORD", f in defaults) for f in fields)
        bound = bind_arguments(infer, f"{cls.__name__}.__new__", parameters, args, keywords, defaults)
        return Tuple(tuple(bound), cls)
    objection = classes.objection(cls)
    if objection is None:
        return abstract.new_object(infer, cls, args, keywords)
    if is_library_cell(cls):
        return _layer(infer, cls, args, keywords)
    if not is_pure(cls):
        raise infer.unsupported(
            f"making a {cls.__qualname__}, {objection}, is not supported in compiled code",
            "a plain class or dataclass, or an object made outside the compiled function",
        )
    return _call_outside(infer, cls, args, keywords)


def _field_defaults(infer: Infer, cls: type) -> dict[str, Value]:
    """The defaults of a named tuple's fields: those of the `__new__` that was made for it."""
    new: Any = cls.__new__
    if not isinstance(new, FunctionType):
        return {}
    infer.inputs.guard_function(new)
    return {k: infer.inputs.constant(v) for k, v in defaults_of(new).items()}


# --- user functions ---------------------------------------------------------------------------------


def call_function(infer: Infer, function: FunctionType, args: Sequence[Value], keywords: Keywords) -> Value:
    """Call a Python function: its source is compiled."""
    _require_compiled(infer, function)
    function = _unwrapped(function)
    refused = dialect.source_refused(infer.rules, function) if infer.notes_paths else None
    if refused is not None:
        dialect.refuse(infer, refused)
    source = _source(infer, function)
    defaults = {k: infer.inputs.constant(v) for k, v in defaults_of(function).items()}
    infer.inputs.guard_function(function)
    dialect.require_bound(infer, source, args, keywords)
    values = bind_arguments(infer, source.qualname, source.parameters, args, keywords, defaults)
    return invoke(infer, source, {FUNCTION_KEY: Static(source.function)}, values)


def _require_compiled(infer: Infer, called: type | FunctionType) -> None:
    """Refuse what is to be called between compiled parts (`marking.between`)."""
    if attribute_of(called, "__jitcore_between__", False) is True:
        message = f"{called.__qualname__}, which is called between compiled parts"
        raise infer.refused([Problem(infer.span, message, is_meant=True)])


def _source(infer: Infer, function: FunctionType) -> FunctionSource:
    """A function's source; what is wrong with it is told with the calls that lead to it."""
    try:
        return infer.environment.source_of(function)
    except CompileError as error:
        if infer.binding is None:
            raise
        problems = [replace(p, span=p.span.called_from(infer.span)) for p in error.problems]
        raise type(error)(problems, error.headline) from None


def _unwrapped(function: FunctionType) -> FunctionType:
    compiled = attribute_of(function, "__jitcore_function__", None)
    return compiled if isinstance(compiled, FunctionType) else function


def defaults_of(function: FunctionType) -> dict[str, Any]:
    """The defaults of a function's parameters, by name."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    pairs = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    pairs.update(function.__kwdefaults__ or {})
    return pairs


def _call_nested(infer: Infer, callee: Function, args: Sequence[Value], keywords: Keywords) -> Value:
    parameters = callee.source.parameters
    positional = [p.name for p in parameters if p.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
    defaults = dict(zip(positional[len(positional) - len(callee.defaults) :], callee.defaults, strict=True))
    defaults.update(callee.keyword_defaults)
    dialect.require_bound(infer, callee.source, args, keywords)
    values = bind_arguments(infer, callee.source.qualname, parameters, args, keywords, defaults)
    return invoke(infer, callee.source, dict(callee.environment), values, callee)


def invoke(
    infer: Infer,
    source: FunctionSource,
    env: dict[Var, Value],
    values: Sequence[Value],
    closure: Function | None = None,
) -> Value:
    """Run a function's graph on argument values: inline, or as a graph of its own if it is recursive or is to be
    one."""
    is_outlined = attribute_of(source.function, "__jitcore_outlined__", False) and not infer.attempts
    is_outlined = is_outlined and bool(infer.inlining.active)
    if is_outlined or source.graph in infer.assumptions.recursive:
        return recursion.call(infer, source, env, values)
    running = (source.graph, *_cells_among(values))
    if _calls_itself(infer, running) and not attribute_of(source.function, "__jitcore_inlined__", False):
        recursion.discovered(infer, source)
    infer.inlining.active.append(source.graph)
    infer.inlining.running.append(running)
    names, infer.local_names = infer.local_names, source.variables
    infer.bind(source.graph.params, values, env)
    layer, infer.layer = infer.layer, budget.layer_of(infer.heap, values) or infer.layer
    cell, infer.cell = infer.cell, next(_cells_called(values), infer.cell)
    span = infer.span if infer.cell is cell else replace(infer.span, cell=_cell_name(infer.cell, cell))
    try:
        within = paths_taken.in_call(infer), infer.calling(infer.binding, span)
        with infer.budget.part(budget.CALL, infer.span, infer.place()), within[0], within[1]:
            return infer.run(source.graph, env)[0]
    finally:
        infer.layer, infer.cell, infer.local_names = layer, cell, names
        infer.inlining.active.pop()
        infer.inlining.running.pop()


_DEEPEST: Final = 64
"""How deep Cells of one class may be nested in each other before their calls are taken for recursion."""


def _cells_among(values: Sequence[Value]) -> Iterator[int]:
    """The identities of the Cells among the arguments of a call: the code of a Cell that is called inside another of
    its class does not call itself, since Cells are nested to some depth only."""
    return map(id, _cells_called(values))


def _cells_called(values: Sequence[Value]) -> Iterator[object]:
    return (v.value for v in values if isinstance(v, Static) and hasattr(type(v.value), "__jitcore_call__"))


def _cell_name(cell: object, holder: object) -> str:
    """A Cell as those who look at a graph know it (`Span.cell`)."""
    for held in (attribute_of(holder, "_cells", {}), attribute_of(holder, "__dict__", {})):
        for name, found in held.items():
            if found is cell:
                return f"{name}:{type(cell).__name__}"
    return f":{type(cell).__name__}"


def _calls_itself(infer: Infer, running: tuple[Any, ...]) -> bool:
    """Whether a function that is called is running already."""
    return running in infer.inlining.running or infer.inlining.active.count(running[0]) >= _DEEPEST
