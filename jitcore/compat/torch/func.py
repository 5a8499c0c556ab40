"""`torch.func`: functions made of functions, compiled; and `torch.compile`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import jitcore
from jitcore import ops
from jitcore.compat.torch.nn.module import Module
from jitcore.library.array import shapes

Function: TypeAlias = Callable[..., Any]
Places: TypeAlias = int | tuple[int, ...]
Axes: TypeAlias = int | Sequence[Any] | Mapping[str, Any] | None


def grad(func: Function, argnums: Places = 0, has_aux: bool = False) -> Function:
    """The function that gives the gradient of `func`, which gives a Tensor of one element, by some of its arguments.

    >>> from jitcore.compat.torch.functions.creation import tensor
    >>> grad(lambda x: (x * x).sum())(tensor([1.0, 2.0]))
    tensor([2., 4.])
    """
    made = jitcore.grad(func, argnums, has_aux=has_aux)

    def call(*args: object, **kwargs: object) -> Any:
        return _conjugate(made(*args, **kwargs))

    def with_rest(*args: object, **kwargs: object) -> Any:
        gradients, rest = made(*args, **kwargs)
        return _conjugate(gradients), rest[0]

    return _named(func, with_rest if has_aux else call)


def grad_and_value(func: Function, argnums: Places = 0, has_aux: bool = False) -> Function:
    """As `grad`, giving the gradient and the value; with `has_aux`, the gradient and the pair that `func` gives."""
    made = jitcore.value_and_grad(func, argnums, has_aux=has_aux)

    def call(*args: object, **kwargs: object) -> Any:
        value, gradients = made(*args, **kwargs)
        return _conjugate(gradients), value

    return _named(func, call)


def _conjugate(gradients: object) -> Any:
    """Gradients by complex Tensors as PyTorch has them, the conjugates of jitcore's."""
    if isinstance(gradients, tuple | list):
        return type(gradients)([_conjugate(item) for item in gradients])
    if isinstance(gradients, dict):
        return {key: _conjugate(item) for key, item in gradients.items()}
    return ops.conj(gradients) if isinstance(gradients, jitcore.Tensor) else gradients


def vmap(
    func: Function, in_dims: Axes = 0, out_dims: Axes = 0, randomness: str = "error", *, chunk_size: int | None = None
) -> Function:
    """The function that does to the rows of its arguments what `func` does to one."""
    del randomness, chunk_size
    return _named(func, jitcore.vmap(func, in_dims, out_dims))


def jacrev(func: Function, argnums: Places = 0, has_aux: bool = False) -> Function:
    """The function that gives the derivatives of each element of what `func` gives, row by row."""
    return _named(func, jitcore.jacrev(func, argnums, has_aux))


def jacfwd(func: Function, argnums: Places = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """As `jacrev`, column by column."""
    del randomness
    return _named(func, jitcore.jacfwd(func, argnums, has_aux))


def hessian(func: Function, argnums: int = 0) -> Function:
    """The function that gives the second derivatives of `func`, which gives a Tensor of one element."""
    return _named(func, jitcore.hessian(func, argnums))


def vjp(func: Function, *primals: object, has_aux: bool = False) -> Any:
    """What `func(*primals)` gives, and the function that gives for its gradient those of `primals`, as a tuple; with
    `has_aux`, what `func` gives as the second of a pair is the third."""
    value, back, *rest = jitcore.vjp(func, *primals, has_aux=has_aux)

    def call(*cotangents: object) -> Any:
        found = _conjugate(back(*cotangents))
        return found if isinstance(found, tuple) else (found,)

    return (value, call, *rest)


def jvp(func: Function, primals: tuple[Any, ...], tangents: tuple[Any, ...], *, has_aux: bool = False) -> Any:
    """What `func(*primals)` gives, and its derivative along `tangents`; with `has_aux`, what `func` gives as the second
    of a pair is the third."""
    return jitcore.jvp(func, primals, tangents, has_aux)


def _named(func: Function, made: Function) -> Function:
    @functools.wraps(func)
    def call(*args: object, **kwargs: object) -> Any:
        return made(*args, **kwargs)

    return call


def functional_call(
    module: Module,
    parameters_and_buffers: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    args: object = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """What a Module gives with other Parameters and buffers in the place of its own, line by line. Raises RuntimeError
    for names that it has not, and with `strict` for those that are missing."""
    del tie_weights
    several = [parameters_and_buffers] if isinstance(parameters_and_buffers, Mapping) else parameters_and_buffers
    given = {name: value for part in several for name, value in part.items()}
    known = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    unexpected = [name for name in given if name not in known]
    missing = [name for name in known if strict and name not in given]
    if unexpected or missing:
        raise RuntimeError(f"Unexpected key(s): {', '.join(unexpected)}. Missing key(s): {', '.join(missing)}.")
    held: list[tuple[dict[str, Any], str, Any]] = []
    inputs: tuple[Any, ...] = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        for path, value in given.items():
            way, _, name = path.rpartition(".")
            attributes = module.get_submodule(way).__dict__
            held.append((attributes, name, attributes[name]))
            attributes[name] = value
        return module(*inputs, **(kwargs or {}))
    finally:
        for attributes, name, value in reversed(held):
            attributes[name] = value


class OptimizedModule(Module):
    """A Module whose calls are compiled; it is the Module that it was made of, in all else."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self._orig_mod = module
        self.__dict__["_compiled_call"] = jitcore.jit(lambda *args, **keywords: module(*args, **keywords))

    def forward(self, *args: object, **keywords: object) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """See the Module."""
        return self.__dict__["_compiled_call"](*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        module = self.__dict__.get("_cells", {}).get("_orig_mod")
        if module is None:
            raise AttributeError(name)
        return getattr(module, name)


def compile(
    model: Function | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Function = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    disable: bool = False,
) -> Any:
    """Compile a function or Module, for each kind of arguments that it is called with. The options are of PyTorch's
    compilers: but for `disable` they change nothing here."""
    if model is None:
        return lambda given: compile(given, disable=disable)
    del fullgraph, dynamic, backend, mode, options
    if disable:
        return model
    return OptimizedModule(model) if isinstance(model, Module) else jitcore.jit(model)


def checkpoint(function: Function, *args: object, use_reentrant: bool | None = None, **kwargs: object) -> Any:
    """`function(*args)`: its intermediate results are kept, since they are what gradients need."""
    del use_reentrant
    return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Iterable[Function], segments: int, input: jitcore.Tensor, use_reentrant: bool | None = None
) -> Any:
    """What functions give one after the other, as `checkpoint` computes them. Raises RuntimeError unless `segments` are
    between 1 and their number."""
    del use_reentrant
    held = list(functions)
    if not 0 < segments <= len(held):
        raise RuntimeError(f"checkpoint_sequential: {segments} segments of {len(held)} functions")
    return functools.reduce(lambda given, function: function(given), held, input)


def stack_module_state(models: Sequence[Module]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The Parameters and the buffers of Modules of one kind, those of one name stacked, for `vmap` and
    `functional_call`: leaves that need gradients where the Parameters do. Raises RuntimeError for no models, or for
    models in different modes or of different classes.

    >>> from jitcore.compat.torch.nn import Linear
    >>> stack_module_state([Linear(2, 3), Linear(2, 3)])[0]["weight"].shape
    torch.Size([2, 3, 2])
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = _stacked([dict(m.named_parameters()) for m in models])
    for name, p in models[0].named_parameters():
        parameters[name].requires_grad_(p.requires_grad)
    return parameters, _stacked([dict(m.named_buffers()) for m in models])


def _stacked(states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: shapes.stack([state[name].detach() for state in states], 0) for name in states[0]}
