"""Runs untyped graphs on real Python values: what the frontend's graphs mean, as plainly as can be said.

An exception leaves with the places it passed, innermost first, as the spans of the bindings say them (`places_of`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var
from jitcore.ir.python import ELLIPSIS_KEY, UNDEFINED_VALUE, UNREACHED, FunctionSource, Parameter
from jitcore.source import Span

_BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "<<": operator.lshift, ">>": operator.rshift,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_INPLACE: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "@": operator.imatmul, "<<": operator.ilshift, ">>": operator.irshift,
    "&": operator.iand, "|": operator.ior, "^": operator.ixor,
}  # fmt: skip
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "is": operator.is_, "isnot": operator.is_not,
    "in": lambda x, y: x in y, "notin": lambda x, y: x not in y,
}  # fmt: skip
_UNARY: Mapping[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}


class Cell:
    """A variable shared between functions."""

    def __init__(self) -> None:
        self.value: Any = UNDEFINED_VALUE


class Frame:
    """A call of a function: what is recorded of an exception is one place a frame."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.committed: list[bool] = []
        """Of each body of `try` at work, whether its handlers are for what comes now."""


def places_of(error: BaseException) -> list[Span]:
    """The places an exception passed, innermost first."""
    return [place for _, span in error.__dict__.get("places", []) for place in span.frames()]


def run(source: FunctionSource, *args: Any, **keywords: Any) -> Any:
    """Call the function that the frontend read."""
    function = source.function
    defaults = list(function.__defaults__ or ())
    return call(source, {}, function, defaults, dict(function.__kwdefaults__ or {}), args, keywords)


def call(
    source: FunctionSource,
    around: Mapping[Var, Any],
    function: FunctionType,
    defaults: Sequence[Any],
    keyword_defaults: Mapping[str, Any],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
) -> Any:
    """Call a function's graph, in the environment it was made in."""
    bound = bind(source.qualname, source.parameters, defaults, keyword_defaults, args, dict(keywords))
    (result,) = run_graph(source.graph, bound, dict(around), Frame(function))
    return result


def bind(
    qualname: str,
    parameters: Sequence[Parameter],
    defaults: Sequence[Any],
    keyword_defaults: Mapping[str, Any],
    args: Sequence[Any],
    keywords: dict[str, Any],
) -> list[Any]:
    """The values of the parameters, by CPython's own rules: those of a function with this signature."""
    positional = [p for p in parameters if p.kind.startswith("POSITIONAL")]
    values = dict(zip([p.name for p in positional][len(positional) - len(defaults) :], defaults, strict=True))
    values.update(keyword_defaults)
    parts: list[str] = []
    for k, p in enumerate(parameters):
        assert p.has_default == (p.name in values), (p, values)
        previous = parameters[k - 1].kind if k else ""
        if previous == "POSITIONAL_ONLY" and p.kind != "POSITIONAL_ONLY":
            parts.append("/")
        if p.kind == "KEYWORD_ONLY" and previous not in ("KEYWORD_ONLY", "VAR_POSITIONAL"):
            parts.append("*")
        stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(p.kind, "")
        parts.append(f"{stars}{p.name}" + (f"=values[{p.name!r}]" if p.has_default else ""))
    if parameters and parameters[-1].kind == "POSITIONAL_ONLY":
        parts.append("/")
    namespace: dict[str, Any] = {"values": values}
    exec(f"def binder({', '.join(parts)}): return [{', '.join(p.name for p in parameters)}]", namespace)
    binder = namespace["binder"]
    binder.__qualname__ = qualname
    return binder(*args, **keywords)


def run_graph(graph: Graph, args: Sequence[Any], around: Mapping[Var, Any], frame: Frame) -> list[Any]:
    """Run a graph; gives its results."""
    values = {**around, **dict(zip(graph.params, args, strict=True))}

    def value(atom: Atom) -> Any:
        if isinstance(atom, Literal):
            return atom.value
        return values[atom]

    for binding in graph.body:
        try:
            outs = perform(binding, [value(a) for a in binding.args], values, frame)
        except Exception as error:
            places = error.__dict__.setdefault("places", [])
            if not any(seen is frame for seen, _ in places):
                places.append((frame, binding.span))
            raise
        assert len(outs) == len(binding.outs), binding
        values.update(zip(binding.outs, outs, strict=True))
    results = [value(a) for a in graph.results]
    assert UNREACHED not in map(_marker, results), f"{graph.name} ends where it should not"
    return results


def _marker(value: Any) -> Any:
    return value if type(value) is type(UNREACHED) else None


def perform(b: Binding, args: list[Any], values: Mapping[Var, Any], frame: Frame) -> Sequence[Any]:
    """Perform one operation; gives its outputs."""
    if b.op is COND:
        assert type(args[0]) is bool
        return run_graph(b.graphs[0] if args[0] else b.graphs[1], [], values, frame)
    if b.op.name == "py_try":
        return _try(b, values, frame)
    if b.op.name == "py_while":
        return _while(b, args, values, frame)
    if b.op.name == "py_for":
        return _for(b, args, values, frame)
    if b.op.name == "py_function":
        return [_function(b, args, values, frame)]
    return OPERATIONS[b.op.name](b.params, args, frame)


def _while(b: Binding, carries: list[Any], values: Mapping[Var, Any], frame: Frame) -> list[Any]:
    test, body = b.graphs
    while True:
        (goes_on,) = run_graph(test, carries, values, frame)
        assert type(goes_on) is bool
        if not goes_on:
            return carries
        carries = run_graph(body, carries, values, frame)


def _for(b: Binding, args: list[Any], values: Mapping[Var, Any], frame: Frame) -> list[Any]:
    iterable, *carries = args
    for item in iterable:
        carries = run_graph(b.graphs[0], [item, *carries], values, frame)
        if b.params["breaks"]:
            stops, *carries = carries
            assert type(stops) is bool
            if stops:
                break
    return carries


def _function(b: Binding, args: list[Any], values: Mapping[Var, Any], frame: Frame) -> Any:
    source: FunctionSource = b.params["source"]
    assert source.graph is b.graphs[0]
    count = b.params["defaults"]
    keyword_defaults = dict(zip(b.params["keyword_defaults"], args[count:], strict=True))
    around = dict(values)

    def made(*given: Any, **keywords: Any) -> Any:
        return call(source, around, frame.function, args[:count], keyword_defaults, given, keywords)

    made.__name__, made.__qualname__, made.__module__ = source.name, source.qualname, frame.function.__module__
    return made


def _unbound(params: Mapping[str, Any]) -> NameError:
    name = params["name"]
    if params.get("free"):
        return NameError(
            f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        )
    return UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")


def _global(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    name = params["name"]
    builtin = frame.function.__globals__["__builtins__"]
    builtin = builtin if isinstance(builtin, dict) else vars(builtin)
    for namespace in (frame.function.__globals__, builtin):
        if name in namespace:
            return [namespace[name]]
    raise NameError(f"name '{name}' is not defined")


def _free(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    cells = dict(zip(frame.function.__code__.co_freevars, frame.function.__closure__ or (), strict=True))
    return [cells[params["name"]].cell_contents]


def _cell_get(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    if args[0].value is UNDEFINED_VALUE and not params.get("raw"):
        raise _unbound(params)
    return [args[0].value]


def _cell_set(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    args[0].value = args[1]
    return []


def _defined(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    if args[0] is UNDEFINED_VALUE:
        assert not params.get("certain"), params
        raise _unbound(params)
    return args


def _starred(args: Sequence[Any], stars: Sequence[int]) -> list[Any]:
    found: list[Any] = []
    for k, arg in enumerate(args):
        if k in stars:
            try:
                found.extend(arg)
            except TypeError:
                raise TypeError(f"Value after * must be an iterable, not {type(arg).__name__}") from None
        else:
            found.append(arg)
    return found


def _dict(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    made: dict[Any, Any] = {}
    for key, value in zip(args[::2], args[1::2], strict=True):
        if key is ELLIPSIS_KEY:
            made = {**made, **value}
        else:
            made[key] = value
    return [made]


def _call(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    function, *given = args
    names: Sequence[str | None] = params["keywords"]
    positional = given[: len(given) - len(names)]
    stars = params["stars"]
    keywords: list[dict[Any, Any]] = [
        value if name is None else {name: value} for name, value in zip(names, given[len(positional) :], strict=True)
    ]
    if not stars and None not in names:
        return [function(*positional, **{k: v for each in keywords for k, v in each.items()})]
    # CPython itself says what is wrong with starred arguments
    code = ", ".join(f"*p[{k}]" if k in stars else f"p[{k}]" for k in range(len(positional)))
    code += "".join(f", **k[{n}]" for n in range(len(keywords)))
    return [eval(f"f({code.lstrip(', ')})", {"f": function, "p": positional, "k": keywords})]


def _unpack(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    count = params["before"] + params["after"] + bool(params["star"])
    names = [f"v{k}" for k in range(count)]
    targets = [f"*{n}" if params["star"] and k == params["before"] else n for k, n in enumerate(names)]
    namespace = {"x": args[0]}
    exec(f"{', '.join(targets)}, = x" if targets else "[] = x", namespace)
    return [namespace[n] for n in names]


def _format(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    text, remaining = "", list(args)
    for part in params["template"]:
        if isinstance(part, str):
            text += part
            continue
        conversion, spec = part
        value = remaining.pop(0)
        text += format({"": lambda v: v, "r": repr, "s": str, "a": ascii}[conversion](value), spec)
    assert not remaining
    return [text]


def _try(b: Binding, values: Mapping[Var, Any], frame: Frame) -> list[Any]:
    body, *others = b.graphs
    frame.committed.append(False)
    try:
        return run_graph(body, (), values, frame)
    except BaseException as error:
        if frame.committed[-1]:
            raise
        for test, handler in zip(others[::2], others[1::2], strict=True):
            (classes,) = run_graph(test, (), values, frame)
            if isinstance(error, classes):
                error.__dict__.pop("places", None)
                return run_graph(handler, (error,), values, frame)
        raise
    finally:
        frame.committed.pop()


def _commit(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    frame.committed[-1] = True
    return []


def _raise(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    if not args:
        raise
    if len(args) == 1:
        raise args[0]
    raise args[0] from args[1]


def _setitem(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    args[0][args[1]] = args[2]
    return []


def _delitem(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    del args[0][args[1]]
    return []


def _setattr(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    setattr(args[0], params["name"], args[1])
    return []


def _delattr(params: Mapping[str, Any], args: list[Any], frame: Frame) -> list[Any]:
    delattr(args[0], params["name"])
    return []


OPERATIONS: Mapping[str, Callable[[Mapping[str, Any], list[Any], Frame], Sequence[Any]]] = {
    "py_global": _global,
    "py_free": _free,
    "py_cell": lambda p, a, f: [Cell()],
    "py_cell_get": _cell_get,
    "py_cell_set": _cell_set,
    "py_defined": _defined,
    "py_getattr": lambda p, a, f: [getattr(a[0], p["name"])],
    "py_setattr": _setattr,
    "py_delattr": _delattr,
    "py_getitem": lambda p, a, f: [a[0][a[1]]],
    "py_setitem": _setitem,
    "py_delitem": _delitem,
    "py_slice": lambda p, a, f: [slice(*a)],
    "py_binary": lambda p, a, f: [_BINARY[p["op"]](*a)],
    "py_inplace": lambda p, a, f: [_INPLACE[p["op"]](*a)],
    "py_unary": lambda p, a, f: [_UNARY[p["op"]](*a)],
    "py_not": lambda p, a, f: [not a[0]],
    "py_truth": lambda p, a, f: [bool(a[0])],
    "py_compare": lambda p, a, f: [_COMPARE[p["op"]](*a)],
    "py_tuple": lambda p, a, f: [tuple(_starred(a, p["stars"]))],
    "py_list": lambda p, a, f: [_starred(a, p["stars"])],
    "py_set": lambda p, a, f: [set(_starred(a, p["stars"]))],
    "py_dict": _dict,
    "py_call": _call,
    "py_unpack": _unpack,
    "py_format": _format,
    "py_raise": _raise,
    "py_commit": _commit,
}
