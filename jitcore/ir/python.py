"""The operators of untyped ANF: Python's own operations, before anything is known of types.

`frontend.build` emits them, `passes.infer` evaluates them abstractly into typed ANF; nothing else sees them.
Control flow in untyped graphs is `cond` of `ir.control`, and `py_try` and the loops below.

| binding | Python |
|---|---|
| `o = py_global(name=)` | a global or builtin of the function, looked up in `FunctionSource.function` |
| `o = py_free(name=)` | a free variable held in the function's own closure |
| `o = py_cell()`, `o = py_cell_get(c, name=, free=bool)`, `py_cell_set(c, v)` | a variable shared with nested functions
that is assigned more than once; `free`: read in a function nested in its own; `raw=True`: it may have no value |
| `o = py_defined(x, name=, free=bool, certain=bool)` | a local that may be unassigned here: UnboundLocalError
(NameError if `free`) if it is; `certain`: it never is, but has no value on some path that does not lead here |
| `o = py_getattr(x, name=)`, `py_setattr(x, v, name=)`, `py_delattr(x, name=)` | attributes |
| `o = py_getitem(x, k)`, `py_setitem(x, k, v)`, `py_delitem(x, k)` | items; a slice key is `py_slice` |
| `o = py_slice(a, b, c)` | `slice(a, b, c)` |
| `o = py_binary(x, y, op='+')` | also `- * / // % ** @ << >> & \\| ^` |
| `o = py_inplace(x, y, op='+')` | `x += y`, giving what x is bound to afterwards |
| `o = py_unary(x, op='-')` | also `+ ~` |
| `o = py_not(x)` | `not x` |
| `o = py_truth(x)` | `bool(x)` as `if` and `while` do it |
| `o = py_compare(x, y, op='<')` | also `<= > >= == != is isnot in notin` |
| `o = py_tuple(…, stars=(…))`, `py_list`, `py_set` | displays; `stars` are the positions of `*x` items |
| `o = py_dict(k0, v0, …)` | a display; a key that is the literal `ELLIPSIS_KEY` stands for `**v` |
| `o = py_call(f, …, keywords=(…), stars=(…))` | the last len(keywords) arguments are by keyword (None for `**x`);
`stars` are positions among the positional ones |
| `o… = py_unpack(x, before=, star=, after=)` | `a, *b, c = x` |
| `o = py_function(…, source=FunctionSource, defaults=n, keyword_defaults=(names))` | a nested def or lambda; the
arguments are its defaults; its graph (`source.graph`, listed in `graphs`) uses variables around it |
| `o = py_format(…, template=)` | an f-string; `template` is a tuple of strings and (conversion, format spec) for the
arguments in turn |
| `o… = py_try(body, t0, h0, …)` | `body()`; where it raises one of the classes that `tk()` gives, `hk(exception)` |
| `py_commit()` | in the body of a `py_try`: its handlers are not for what comes after |
| `py_raise(e, cause)` | never returns; the cause may be left out; without arguments, what is being handled is raised
again; the graph's results after it are UNREACHED literals |
| `o… = py_while(test, body, c…)` | as `while_`; `test` gives a value to be tested (py_truth is applied already) |
| `o… = py_for(body, iterable, c…, breaks=bool)` | `body(item, c…) -> c…`; with `breaks` the body's first
result is a bool: stop after this round |
| `o = py_generator(complete, stopping, resumed, f…, guarded=bool)` | a generator: `complete(consumer)` and
`stopping(consumer)` give their items to a consumer; `resumed(state, f…) -> state, item, f…` goes on to the next
item (state -1: there is none); the arguments are its variables' first values. Without `resumed`, there are two graphs
only. `guarded`: its handlers would catch what the consumer raises |
| `o = py_yield(consumer, x)` | gives the consumer an item; whether it wants no more |
| `more, item = py_advance(x, k)` | whether `x` has an item number `k` (an iterator: a further one), and the item |
| `o = py_reveal(…)` | reserved for tests |

UNDEFINED_VALUE as a literal stands for an unassigned variable (also what `del` puts into a cell). A parameter written
`=bool` is absent when False. A call of a literal (`map`, `filter`, `itertools.chain.from_iterable`, `format`, `str`,
`repr`, `ascii`, `__import__`, RuntimeError) is of that object, whatever the program has bound its name to: generator
expressions, f-strings and imports use them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, Final

from jitcore.ir.nodes import Binding, Effects, Graph, Op
from jitcore.source import Span
from jitcore.structs import dataclass
from jitcore.types import Type


class Marker(Enum):
    """Values of literals in untyped graphs that no Python program has."""

    UNDEFINED_VALUE = "undefined"
    UNREACHED = "unreached"
    ELLIPSIS_KEY = "**"


UNDEFINED_VALUE: Final = Marker.UNDEFINED_VALUE
UNREACHED: Final = Marker.UNREACHED
ELLIPSIS_KEY: Final = Marker.ELLIPSIS_KEY


class PythonOp(Op):
    """An operator of untyped ANF: it may do anything Python may."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        self.name = name
        self.effects = Effects(reads=True, writes=True, io=True, raises=("Exception",))

    def result_types(self, binding: Binding) -> tuple[Type, ...]:
        raise TypeError(f"{self.name} belongs to untyped graphs")


_NAMES = [
    "global", "free", "cell", "cell_get", "cell_set", "defined", "getattr", "setattr", "delattr", "getitem", "setitem",
    "delitem", "slice", "binary", "inplace", "unary", "not", "truth", "compare", "tuple", "list", "set", "dict", "call",
    "unpack", "function", "format", "raise", "try", "commit", "while", "for", "generator", "yield", "advance",
]  # fmt: skip

PYTHON_OPS: Final[Mapping[str, PythonOp]] = {f"py_{n}": PythonOp(f"py_{n}") for n in _NAMES}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a Python function. `kind` is `inspect.Parameter`'s: POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD,
    VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD."""

    name: str
    kind: str
    has_default: bool


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How another framework reads a function where it means something else than Python. `rewrite` changes its tree,
    given the function, into one that means this in Python; `captures_values`: functions keep the values that variables
    around them have where they are made."""

    rewrite: Callable[[Any, FunctionType], Any]
    captures_values: bool


@dataclass(frozen=True, slots=True, eq=False)
class FunctionSource:
    """A Python function as the frontend understood it.

    `graph` takes the parameters in order (a `*args` as one tuple, a `**kwargs` as one dict) and has one result.
    `function` is the Python function whose globals and closure `py_global` and `py_free` mean (for a nested
    function: the outermost one's). `text` is the desugared Python, for `--stage source`; `render` writes it on demand.
    """

    name: str
    qualname: str
    parameters: Sequence[Parameter]
    graph: Graph
    function: FunctionType
    span: Span
    render: Callable[[], str]

    @property
    def text(self) -> str:
        return self.render()

    @property
    def variables(self) -> frozenset[str]:
        """The names of the function's variables, of functions defined in it too."""
        return _variables(self.function.__code__)


@lru_cache(maxsize=1024)
def _variables(code: CodeType) -> frozenset[str]:
    inner = (_variables(const) for const in code.co_consts if isinstance(const, CodeType))
    return frozenset((*code.co_varnames, *code.co_cellvars)).union(*inner)
