"""`vectorize`: a function of numbers as a ufunc of NumPy's."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import overload

import numpy as np

from jitcore.primitives.transforms import Elementwise, LoopTypes
from jitcore.runtime import records
from jitcore.structs import replace
from jitcore.ufuncs import signatures as reading
from jitcore.ufuncs import universal
from jitcore.ufuncs.options import require


@overload
def vectorize(
    ftylist_or_function: Callable[..., object], /, *, identity: object = None, nout: int = 1, **options: object
) -> np.ufunc: ...


@overload
def vectorize(
    ftylist_or_function: object = (), /, *, identity: object = None, nout: int = 1, **options: object
) -> Callable[[Callable[..., object]], np.ufunc]: ...


def vectorize(
    ftylist_or_function: object = (), /, *, identity: object = None, nout: int = 1, **options: object
) -> np.ufunc | Callable[[Callable[..., object]], np.ufunc]:
    """A function of numbers as a ufunc: `@vectorize`, or `@vectorize(["float64(float64, float64)"])`.

    It is a `numpy.ufunc` with all of its methods and arguments (`reduce`, `accumulate`, `reduceat`, `outer`, `at`;
    `out`, `where`, `dtype`, `casting`), whose loops are compiled for the dtypes it is called with. Without signatures
    the function gets the elements as they are, and gives what NumPy's scalars give; with some (numba's, in the order
    in which they are tried) arguments are cast to the first that they fit, and results to its own. Elements are NumPy
    scalars: nothing raises because of a division by zero or an overflow, and functions of `math` are NumPy's. Globals
    are those of the first call.

    `identity` is what reductions begin with: a number, `"reorderable"` or None; `nout` how many results the function
    returns, as a tuple (signatures say it, too). With Tensors it gives Tensors and has gradients; in functions under
    `jit` it is fused with what is around it. Large arrays are computed by all cores.

    Raises TypeError for what is no signature or option, CompileError (from the first call on, or at once with
    signatures) for what cannot be compiled.

    >>> import numpy as np
    >>> @vectorize
    ... def clipped(x, most):
    ...     return x if x < most else most
    >>> print(clipped(np.array([1.0, 5.0, 3.0]), 4.0))
    [1. 4. 3.]
    >>> @vectorize(["int64(int64, int64)"], identity=0)
    ... def add(x, y):
    ...     return x + y
    >>> print(add.reduce(np.arange(6).reshape(2, 3), axis=1), add.types)
    [ 3 12] ['ll->l']
    """
    given = ftylist_or_function
    if isinstance(given, FunctionType):
        require("vectorize", options)
        return _made(given, (), identity, nout)
    if getattr(given, "__jitcore_function__", None) is not None:
        raise TypeError("vectorize is given the plain function, without @jit: it compiles it itself")
    read = reading.signatures(given) if given else []
    require("vectorize", options)
    return lambda function: _made(function, read, identity, nout)


def _made(
    function: Callable[..., object],
    read: Sequence[reading.Signature],
    identity: object,
    nout: int,
) -> np.ufunc:
    if not isinstance(function, FunctionType):
        raise TypeError(f"vectorize makes ufuncs of functions, not of {type(function).__name__}")
    records.declare(function)
    nin = number_of_parameters(function)
    untyped = Elementwise(function, function.__name__, nin, nout)
    types = [_types(signature, untyped) for signature in read]
    count = len(types[0].outputs) if types else nout
    for one in types:
        if len(one.inputs) != nin or len(one.outputs) != count:
            raise TypeError(
                f"a signature of {function.__name__!r} has {len(one.inputs)} arguments and {len(one.outputs)} results, "
                f"where there are {nin} and {count}"
            )
    request = replace(untyped, nout=count, signatures=tuple(types))
    made = universal.of_elements(request, inspect.getdoc(function) or "", identity)
    for one in types:
        made.add((*one.inputs, *one.outputs)).prepare()
    return made.ufunc


def number_of_parameters(function: FunctionType) -> int:
    """How many arguments a function takes. Raises TypeError unless it is one number of them, given by position."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters) or not parameters:
        raise TypeError(
            f"{function.__name__!r} takes a fixed number of arguments by position, at least one, as ufuncs do"
        )
    return len(parameters)


def _types(signature: reading.Signature, untyped: Elementwise) -> LoopTypes:
    if any(t.rank is not None or t.is_pointer for t in (*signature.arguments, *(signature.result or ()))):
        raise TypeError("vectorize is of functions of numbers, whose signatures have no arrays: use guvectorize")
    if signature.result == ():
        raise TypeError("a function under vectorize returns something: 'float64(float64, float64)'")
    inputs = tuple(t.dtype for t in signature.arguments)
    if signature.result is not None:
        return LoopTypes(inputs, tuple(t.dtype for t in signature.result))
    return LoopTypes(inputs, universal.output_types(untyped, inputs))
