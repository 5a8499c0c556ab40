"""The public decorators: `jit`, with its options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType
from typing import Any, Final, Unpack

from jitcore.config import settings
from jitcore.primitives.core.dialects import Dialect
from jitcore.rounds import in_parallel
from jitcore.runtime import records
from jitcore.runtime.ahead import compile_ahead
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.interrupts import carried
from jitcore.runtime.options import DEFAULT, Given, Options, options_of


def jit(fn: Any = None, **options: Unpack[Given]) -> Any:
    """Compile a function: `@jit`, `@jit(option=…)` or `jit(f, option=…)`. It is compiled in both modes, for each kind
    of arguments it is called with.

    `f.explain()` says what was compiled and why; `f.__wrapped__` is the plain function. Options are of the function
    that is called from Python: what it calls is compiled with it, by its options.

    `static_argnums`, `static_argnames`: arguments by number (negative ones count from the last) and by name that are
    constants of the program. A call with another value is compiled anew (64 values of them are kept). It helps where
    the value decides a lot: a number of rounds to be unrolled, a mode, an axis. What must be known is found out in any
    case, so no program needs it. Such an argument must be hashable: a number, a string, a tuple, an object that does
    not change. Raises ValueError for others at the call, and for arguments that there are not.

    `donate_argnums`, `donate_argnames`: arguments whose arrays the caller gives up, with those in their containers. A
    result of the same dtype and shape may be put in their memory, element by element where they are read, so that a
    step of training needs no room for its new parameters. A Tensor that was donated raises RuntimeError wherever it is
    used afterwards (unless it is itself what the call gave); an ndarray, and what else shares the memory, holds
    anything: use neither. Nothing is given up where a call runs line by line: in `grad`, or with `JITCORE_JIT=0`; nor
    are Tensors of other frameworks. Raises ValueError for read-only arrays, and for arguments that are static, too.

    `nopython`, `fullgraph`: True refuses, with CompileError, what cannot be compiled, as
    `set_context(jit_syntax_level="STRICT")` does for all functions. It helps where a part run by the interpreter would
    be a fault.

    `cache`: True keeps the machine code on disk, however short it took to make, and False does neither keep nor look
    for it. By itself, code that took long to make is kept (see `set_context(cache_dir=…)`). True helps programs that
    start often; False where the disk is slow, or the code must leave no trace.

    `fastmath`: True lets sums, products, quotients and negations of floats be computed as if they were real numbers:
    reordered, contracted (a * b + c rounded once), divided by reciprocals, and as if there were no NaN, infinity or
    -0.0.
    What it gives up: results differ in their last digits, from machine to machine too, and are anything where a NaN or
    an infinity comes up. A set of LLVM's flags ("reassoc", "contract", "arcp", "nsz", "nnan", "ninf") gives up less:
    `{"reassoc", "contract"}` keeps NaN and infinity right. It helps loops that sum floats one by one, which become
    vectors; array operations gain little. Functions like `exp`, and matrix products, are computed as ever.

    `nogil`: True lets other threads of Python run from the start of a call to its end, if the program calls nothing in
    Python. By itself, a call does so once it has taken some ten microseconds, which costs it less than one. It helps
    many short calls in several threads. Arrays that other threads write to meanwhile are read in any state.

    `signatures`: a list of signatures to compile for at once, so that no call that fits one waits. A signature is a
    tuple of the arguments by position, or a dict of those by name: an example of each (numbers, strings, arrays,
    containers of them), a type (`int`, `float`, …), or `InputSpec(("n", 3), "float32")` for an array, whose extents
    with a name or None may be anything. Other calls are compiled when they come. It helps services, whose first
    request should be as fast as the others. What a function calls must be defined before; one that calls itself is
    compiled once more when it is called.

    `parallel`: True runs the rounds of loops over `prange` on all cores (see there). Whole arrays are computed so in
    any case.

    `inline`: "never" makes it a function of its own in the programs of those that call it, compiled once for each kind
    of arguments; by itself ("always") it is compiled into each of its calls, which knows more and runs faster. "never"
    helps where a long function is called in many places, and compiling takes too long. A call in a `try` is inlined
    all the same, and so is one from Python.

    Raises TypeError, which says what to use instead, for options that there are not, those of other compilers
    included.

    >>> from jitcore import Tensor
    >>> @jit
    ... def double(x):
    ...     return x * 2
    >>> print(double(Tensor([1.0, 2.0])))
    [2. 4.]
    >>> @jit(static_argnames="n")
    ... def power(x, n):
    ...     made = x
    ...     for _ in range(n - 1):
    ...         made = made * x
    ...     return made
    >>> print(power(Tensor([1.0, 2.0]), n=3))
    [1. 8.]
    """
    if fn is None:
        options_of(None, options)
        return partial(jit, **options) if options else jit
    if not callable(fn):
        raise TypeError(f"jit compiles functions, not {type(fn).__name__}")
    if isinstance(fn, type):
        raise TypeError("jit compiles functions and Cells, not classes")
    if isinstance(fn, CompiledFunction):
        if not options:
            return fn
        fn = fn.__jitcore_function__
    made = options_of(fn, options)
    if options.get("parallel"):
        fn = in_parallel(fn)
    if "inline" in options:
        _mark(fn, options["inline"] == "never")
    made_of = compiled(fn, options=made)
    signatures = options.get("signatures")
    if signatures is not None and settings.jit:
        compile_ahead(made_of, signatures)
    return made_of


def compiled(fn: Callable[..., Any], dialect: Dialect | None = None, options: Options = DEFAULT) -> CompiledFunction:
    """What compiles a function, as a program of a dialect."""
    if isinstance(fn, CompiledFunction):
        return fn
    records.declare(fn)
    if isinstance(fn, FunctionType) and fn.__code__.co_filename.startswith("<"):
        from jitcore.frontend.fetch import remember

        carried(lambda: remember(fn))
    return CompiledFunction(fn, dialect=dialect, options=options)


def _mark(fn: object, apart: bool) -> None:
    """Say of a function whether it is to be one of its own in the programs that call it."""
    function = fn.__func__ if isinstance(fn, MethodType) else fn
    if not isinstance(function, FunctionType):
        raise TypeError(f"inline is an option of functions, not of {type(fn).__name__}")
    function.__dict__["__jitcore_outlined__"] = apart


jit.__dict__["__jitcore_compiles__"] = True
ms_function: Final = jit
