"""What can be added to a Cell when it exists: hooks around `construct`, and another dtype to compute in.

Such a Cell is made an instance of a subclass of its class, whose `construct` does what was added and calls the Cell's
own. So hooks are ordinary compiled code, and Cells without any cost nothing.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from typing import Any, cast

from jitcore import ops
from jitcore.nn import cell_models
from jitcore.nn.cell import Cell
from jitcore.runtime import custom, tape
from jitcore.runtime.interrupts import is_from_handler
from jitcore.types import DType

Hook = Callable[..., Any]
_numbers = itertools.count()


class HookHandle:
    """What registering a hook gives: `remove()` takes it away again."""

    def __init__(self, cell: Cell, kind: str, number: int) -> None:
        self._cell = cell
        self._kind = kind
        self._number = number

    def remove(self) -> None:
        """Take the hook away; nothing happens if it is gone already."""
        hooks: tuple[tuple[int, Hook], ...] = getattr(self._cell, self._kind)
        setattr(self._cell, self._kind, tuple(h for h in hooks if h[0] != self._number))


def _replaced(given: Any, otherwise: tuple[Any, ...]) -> tuple[Any, ...]:
    if given is None:
        return otherwise
    return cast("tuple[Any, ...]", given) if isinstance(given, tuple) else (given,)


def _cast(value: Any, dtype: Any) -> Any:
    """A Tensor of floats in another dtype, also in tuples and lists; anything else as it is."""
    if isinstance(value, tuple):
        return tuple([_cast(v, dtype) for v in cast("tuple[Any, ...]", value)])
    if isinstance(value, list):
        return [_cast(v, dtype) for v in cast("list[Any]", value)]
    if ops.is_tensor(value) and value.dtype.is_float:
        return ops.cast(value, dtype)
    return value


_cast.__dict__["__jitcore_inlined__"] = True  # the nesting of an argument is known when compiling


class _Differentiated:
    """Whether a gradient is being taken. Compiled code may only ask where none is: it goes back line by line else."""

    __jitcore_line_by_line__ = "the gradient of a Cell with backward hooks"

    def __call__(self) -> bool:
        return tape.recording()


_differentiated = _Differentiated()


class WithKeywords:
    """A hook that is given the keywords of the call, too: `function(cell, inputs, keywords)`, after the call with the
    output besides."""

    def __init__(self, function: Hook) -> None:
        self.function = function


class Extended(Cell):
    """The part of a Cell's class that does what was added."""

    forward_pre_hooks: tuple[tuple[int, Hook | WithKeywords], ...] = ()
    forward_hooks: tuple[tuple[int, Hook | WithKeywords], ...] = ()
    backward_hooks: tuple[tuple[int, Hook], ...] = ()
    backward_pre_hooks: tuple[tuple[int, Hook], ...] = ()
    computed_in: DType | None = None
    given_in: DType | None = None

    def construct(self, *args: Any, **keywords: Any) -> Any:
        """The Cell's own `construct`, with what was added."""
        for _, hook in self.forward_pre_hooks:
            if isinstance(hook, WithKeywords):
                changed = hook.function(self, args, keywords)
                if changed is not None:
                    args, keywords = changed
            else:
                args = _replaced(hook(self, args), args)
        if self.computed_in is not None:
            args = _cast(args, self.computed_in)
        seen: Any = None
        if len(self.backward_hooks) + len(self.backward_pre_hooks) > 0 and _differentiated():
            seen = _BackwardHooks(self)
            args = seen.enter(args)
        output = super().construct(*args, **keywords)
        if self.given_in is not None:
            output = _cast(output, self.given_in)
        for _, hook in self.forward_hooks:
            if isinstance(hook, WithKeywords):
                changed = hook.function(self, args, keywords, output)
            else:
                changed = hook(self, args, output)
            if changed is not None:
                output = changed
        return output if seen is None else seen.leave(output)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self).__mro__[2], self.__getstate__())


def _restored(base: type[Cell], state: dict[str, Any]) -> Cell:
    made = object.__new__(base)
    made.__dict__.update(state)
    extend(made)
    return made


class _BackwardHooks:
    """The backward hooks of one call: on the way back they see the gradients of the output, then those of the inputs.

    They are run line by line: what they are given is known only there.
    """

    def __init__(self, cell: Extended) -> None:
        self.cell = cell
        self.of_output: tuple[Any, ...] = ()

    def leave(self, output: Any) -> Any:
        """The output, the gradient of which is noted."""
        return custom.call(_same, self._at_output, (output,), {})

    def enter(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The inputs, the gradients of which go through the hooks."""
        if not args:
            return args
        made = custom.call(_same, self._at_inputs, args, {})
        return made if len(args) > 1 else (made,)

    def _at_output(self, output: Any, _: Any, gradient: Any) -> Any:
        given: tuple[Any, ...] = gradient if isinstance(output, tuple) else (gradient,)
        for _number, hook in self.cell.backward_pre_hooks:
            given = _replaced(hook(self.cell, given), given)
        self.of_output = given
        return given if isinstance(output, tuple) else given[0]

    def _at_inputs(self, *values: Any) -> Any:
        *inputs, _, gradient = values
        given: tuple[Any, ...] = gradient if len(inputs) > 1 else (gradient,)
        for _number, hook in self.cell.backward_hooks:
            if _is_named(hook):
                name = f"{type(self.cell).__name__}({id(self.cell)})"
                given = _replaced(hook(name, self.of_output, given), given)
            else:
                given = _replaced(hook(self.cell, given, self.of_output), given)
        return given


def _is_named(hook: Hook) -> bool:
    """Whether a hook is one for MindSpore before 2.5, whose first parameter is `cell_id`: it gets the Cell's name, and
    the gradients in the order of the way back, those of the output first."""
    try:
        return next(iter(inspect.signature(hook).parameters), None) == "cell_id"
    except (TypeError, ValueError) as error:  # it has no signature
        if is_from_handler(error):
            raise
        return False


def _same(*args: Any) -> Any:
    return args[0] if len(args) == 1 else args


@functools.cache
def _extension(cls: type[Cell]) -> type[Cell]:
    body = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
    return type(cls.__name__, (Extended, cls), body)


def extend(cell: Cell) -> Extended:
    """The Cell, made one that things can be added to."""
    if not isinstance(cell, Extended):
        object.__setattr__(cell, "__class__", _extension(type(cell)))
        cell.__dict__["_compiled"] = None
    return cast(Extended, cell)


@cell_models.add_hook.model
def add_hook(cell: Cell, kind: str, hook: Hook, with_keywords: bool = False) -> HookHandle:
    """Add a hook of a kind. Raises TypeError for what cannot be called."""
    if not callable(hook):
        raise TypeError(f"a hook is a function, not {type(hook).__name__}")
    number = next(_numbers)
    extended = extend(cell)
    setattr(extended, kind, (*getattr(extended, kind), (number, WithKeywords(hook) if with_keywords else hook)))
    return HookHandle(cell, kind, number)


@cell_models.compute_in.model
def compute_in(cell: Cell, dtype: DType) -> None:
    """Have a Cell and all in it take and give floats of a dtype."""
    for _, part in cell.cells_and_names():
        compute_in_alone(part, dtype)


def compute_in_alone(cell: Cell, dtype: DType, results: DType | None = None) -> None:
    """Have a Cell take floats as of a dtype, and give them as of that or another one."""
    extended = extend(cell)
    extended.computed_in = dtype
    extended.given_in = dtype if results is None else results
