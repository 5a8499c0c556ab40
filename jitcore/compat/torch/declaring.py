"""How PyTorch's functions are declared here: as library functions, under PyTorch's names of their arguments.

    @function
    def argmin(input, dim=None, keepdim=False):
        return extrema.argmin(input, dim, keepdim)

They are the same line by line and in compiled code, take NumPy's names of some arguments besides (`axis`, `keepdims`,
`x`, `x2`), as PyTorch's do, and `out=`. Each is in `FUNCTIONS`, and with `@method` also a method of Tensors.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np

from jitcore import ops
from jitcore.compat.torch.outputs import written
from jitcore.library.core import marking
from jitcore.library.core.values import evaluator
from jitcore.primitives.core import dialects, evaluation
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}
"""Those of the module `torch`, by name."""
NETWORK: Final[dict[str, Callable[..., Any]]] = {}
"""Those of `torch.nn.functional`, by name."""
METHODS: Final[dict[str, Callable[..., Any]]] = {}
"""Those of Tensors, by name."""
CREATING: Final[dict[str, Callable[..., Any]]] = {}
"""What makes Tensors of nothing, as it is declared, by name: each framework makes it functions of its own."""

_ALIASES: Final = {"axis": "dim", "keepdims": "keepdim", "x": "input", "x2": "other"}
"""NumPy's names of arguments, which PyTorch takes, too."""
CATEGORY: Final = "tensor:torch"


def _renamed(function: Callable[..., Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    code = cast("Any", function).__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return {name if name in known else _ALIASES.get(name, name): value for name, value in keywords.items()}


LinAlgError: Final = type("_LinAlgError", (RuntimeError,), {"__module__": "torch._C"})
"""What PyTorch raises of matrices that are singular or not definite, under the name that it has there."""


def refusal(error: BaseException) -> BaseException:
    """What PyTorch raises where the library raises ValueError of arguments that do not go together."""
    if isinstance(error, np.linalg.LinAlgError):
        return LinAlgError(str(error))
    return error if type(error) is not ValueError else RuntimeError(str(error))


def declared(function: F, reworded: bool = True) -> F:
    """A function of PyTorch's, as line by line and compiled code call it. `reworded`: unless it says itself what is
    wrong with its arguments, what it raises is PyTorch's class of exception."""

    label = cast("Any", function).__name__

    @functools.wraps(function)
    def call(*args: object, **keywords: object) -> Any:
        if nodes.this_thread.mode.label is not None or evaluation.is_tracing():
            return computed(*args, **keywords)
        nodes.this_thread.mode.label = label
        try:
            return computed(*args, **keywords)
        except ValueError as error:
            if not reworded or refusal(error) is error:
                raise
            raise refusal(error) from None
        finally:
            nodes.this_thread.mode.label = None

    def computed(*args: object, **keywords: object) -> Any:
        if not keywords:
            return function(*args)
        named = _renamed(function, keywords)
        out = named.pop("out", None)
        made = function(*args, **named)
        return made if out is None else written(out, made, label)

    made = marking.library()(call)
    if not reworded:
        made.__dict__["__jitcore_own_words__"] = True
    return cast("F", made)


def function(declaration: F) -> F:
    """Declare a function of the module `torch`, under its own name (less an underscore at its end)."""
    made = declared(declaration)
    FUNCTIONS[_name(declaration)] = made
    return made


def method(declaration: F) -> F:
    """Declare a function of the module `torch` that is a method, too."""
    made = function(declaration)
    METHODS[_name(declaration)] = made
    return made


def only_method(declaration: F) -> F:
    """Declare a method that is no function."""
    made = declared(declaration)
    METHODS[_name(declaration)] = made
    return made


def network(declaration: F) -> F:
    """Declare a function of `torch.nn.functional`."""
    made = declared(declaration, reworded=False)
    NETWORK[_name(declaration)] = made
    return made


def _name(declaration: Callable[..., Any]) -> str:
    name = cast("Any", declaration).__name__
    return name.removesuffix("_") if name.endswith("_") and name.removesuffix("_") in _RESERVED else name


_RESERVED: Final = frozenset(["bool", "float", "int", "complex", "type", "long", "range"])
"""Names that modules have otherwise: declared with an underscore behind them."""


def alias(name: str, of: str) -> None:
    """Declare another name of a function, and of the method."""
    for table in (FUNCTIONS, METHODS, NETWORK):
        if of in table:
            table[name] = table[of]


# --- Tensors that are made of nothing ----------------------------------------------------------------


def creating(declaration: F) -> F:
    """Declare a function of the module `torch` that makes a Tensor."""
    name = _name(declaration)
    CREATING[name] = declaration
    made = creating_function(declaration)
    FUNCTIONS[name] = made
    return made


def functions_of(category: str, places: Sequence[str] = ()) -> dict[str, Callable[..., Any]]:
    """All functions, as those of another framework by the category of its Tensors; `places` are the arguments by which
    they are told where memory is, besides PyTorch's."""
    return {**FUNCTIONS, **{name: creating_function(made, category, places) for name, made in CREATING.items()}}


def creating_function(declaration: F, category: str = CATEGORY, places: Sequence[str] = ()) -> F:
    """A function that makes a Tensor of a framework's. It takes `requires_grad`, and what says where memory is, of
    which there is one place."""
    plain = marking.library()(declaration)

    @functools.wraps(declaration)
    def make(
        *args: object,
        requires_grad: bool = False,
        device: object = None,
        layout: object = None,
        pin_memory: bool = False,
        memory_format: object = None,
        out: Tensor | None = None,
        **keywords: object,
    ) -> Any:
        del layout, pin_memory, memory_format
        require_device(device)
        for place in places:
            keywords.pop(place, None)
        made = in_category(plain(*args, **keywords), category)
        if out is not None:
            evaluator().write(out, made)
            return out
        if requires_grad:
            if evaluation.is_tracing():
                raise TypeError("compiled code makes no leaves: requires_grad=True belongs outside of it")
            autograd.set_requires_grad(made, True)
        return made

    return cast("F", marking.library("raw")(make))


def as_torch(made: object) -> Any:
    """Tensors just made, as PyTorch's."""
    return in_category(made, CATEGORY)


def in_category(made: object, category: str) -> Any:
    """Tensors just made, as those of the framework whose category it is."""
    if isinstance(made, tuple | list):
        return type(made)(in_category(item, category) for item in cast("Sequence[Any]", made))
    return evaluator().in_dialect(made, dialects.known[category])


@marking.library("raw")
def made_like(tensor: Tensor, made: object) -> Any:
    """A Tensor just made, as one of the framework that another is of."""
    return evaluator().in_dialect(made, evaluator().dialect(tensor))


def require_device(device: object) -> None:
    """Raise RuntimeError for a device that there is not."""
    if device is not None and str(device).partition(":")[0] not in ("cpu", "meta"):
        raise RuntimeError(f"there is no device {str(device)!r} here: jitcore computes on the CPU")


def detached(tensor: Tensor) -> Any:
    """`nodes.detached`; in compiled code what no gradient goes through."""
    return ops.stop_gradient(tensor) if evaluation.is_tracing() else nodes.detached(tensor)
