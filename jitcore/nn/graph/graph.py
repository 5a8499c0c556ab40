"""`nn.Graph`: a network, its loss and its optimizers as one callable, compiled.

`build` is compiled as functions under `@jit` are, with Python's control flow, for any shapes, and for any values in and
out. `loss.backward()` in it means what it means line by line; a Graph with optimizers forgets the gradients before each
call, and updates the Parameters and goes on in the schedules after it.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from types import MethodType
from typing import Any, ClassVar, NoReturn, Self, cast

import numpy as np

from jitcore.library.core import marking
from jitcore.nn.cell import Cell
from jitcore.nn.graph import states, text
from jitcore.nn.graph.config import GraphConfig
from jitcore.nn.graph.proxy import Proxy
from jitcore.nn.graph.seeing import Seeing
from jitcore.nn.graph.trees import mapped, tensors_in
from jitcore.runtime import autograd, nodes
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.nodes import detached
from jitcore.runtime.tensor import Tensor, wrap_like

_STEPS = "System-Train-TrainStep"


class Graph:
    """The base of Graphs, as OneFlow documents it: subclasses call `super().__init__()` first, assign modules to
    attributes, and define `build`.

    >>> from jitcore import Tensor, nn
    >>> class Doubled(nn.Graph):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.act = nn.ReLU()
    ...     def build(self, x):
    ...         return self.act(x) * 2
    >>> print(Doubled()(Tensor([1.0, -2.0])))
    [2. 0.]
    """

    __jitcore_call__: ClassVar[str] = "_called_within"
    _counts: ClassVar[dict[str, int]] = {}
    config: GraphConfig
    _name: str
    _modules: OrderedDict[str, Cell]
    _optimizers: list[tuple[states.Optimizer, states.Schedule | None]]
    """With their schedules."""
    _scaler: states.Scaler | None
    _steps: int
    """How many calls have trained."""
    _seeing: Seeing
    _given: Any
    _came_out: Any
    """What the first call was given, and gave."""
    _compiled: Any

    def __init__(self, *, debug_v_level: int = -1) -> None:
        kind = type(self).__name__
        number = Graph._counts.get(kind, 0)
        Graph._counts[kind] = number + 1
        self.__dict__.update(
            _name=f"{kind}_{number}",
            config=GraphConfig(),
            _modules=OrderedDict[str, Cell](),
            _optimizers=list[tuple[states.Optimizer, Any]](),
            _scaler=None,
            _steps=0,
            _seeing=Seeing(debug_v_level),
            _given=None,
            _came_out=None,
            _compiled=None,
        )

    def build(self, *args: object, **keywords: object) -> Any:
        """What the Graph computes; subclasses define it."""
        raise NotImplementedError("nn.Graph.build() method must be overridden when subclassing the nn.Graph.")

    # --- calls ----------------------------------------------------------------------------------------

    def __call__(self, *args: object, **keywords: object) -> Any:
        self._require_init()
        is_first = self._compiled is None
        if is_first:
            compiled = CompiledFunction(MethodType(type(self).build, self))
            self.__dict__["_compiled"] = compiled
        try:
            if is_first:
                with self._seeing.watching(self._heading, self._modules):
                    made = self._run(args, keywords)
                self.__dict__.update(_given=(args, keywords), _came_out=made)
                self._seeing.ended(self._heading, self._compiled)
            else:
                made = self._run(args, keywords)
        except BaseException:
            if is_first:
                self.__dict__["_compiled"] = None  # as if it had not been called
            raise
        return made

    __call__.__dict__["__jitcore_delegates__"] = True  # to `_called_within`, in compiled code

    def _called_within(self, *args: object, **keywords: object) -> Any:
        """A call in compiled code, as that of another Graph: a part of it, unless this one trains."""
        if len(self._optimizers) > 0:
            return self._called_between(*args, **keywords)
        return self.build(*args, **keywords)

    def __jitcore_writes__(self) -> Iterator[Tensor]:
        """What a call is expected to write to, apart from updates."""
        for module in self._modules.values():
            yield from module.__jitcore_writes__()

    @marking.between
    def _called_between(self, *args: object, **keywords: object) -> Any:
        return self(*args, **keywords)

    def _run(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        if not self._optimizers:
            with nodes.recording(self._goes_back()):
                return mapped(_ended, self._compiled(*args, **keywords))
        for optimizer, _ in self._optimizers:
            optimizer.zero_grad(set_to_none=True)
        parts = self.config.gradient_accumulation_steps
        with nodes.recording(True):
            if parts == 1:
                made = mapped(_ended, self._compiled(*args, **keywords))
            else:
                made = self._in_parts(parts, args, keywords)
        self._update(parts)
        return made

    def _goes_back(self) -> bool:
        """Whether `build` itself asks for gradients."""
        code = getattr(type(self).build, "__code__", None)
        return code is not None and "backward" in code.co_names

    def _in_parts(self, count: int, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The results for the parts of a batch, joined."""
        for tensor in tensors_in((args, keywords)):
            if not tensor.shape or tensor.shape[0] % count:
                raise ValueError(f"a batch of {tuple(tensor.shape)} cannot be divided into {count} parts")
        made: list[Any] = []
        for k in range(count):

            def part(tensor: Tensor, k: int = k) -> Tensor:
                size = tensor.shape[0] // count
                return wrap_like(tensor, tensor._array[k * size : (k + 1) * size])

            made.append(mapped(_ended, self._compiled(*mapped(part, args), **mapped(part, keywords))))
        return mapped(_joined, *made)

    def _update(self, parts: int) -> None:
        """Update the Parameters by their gradients, and go on in the schedules."""
        for optimizer, schedule in self._optimizers:
            self._scale(optimizer, parts)
            if any("clip_grad_max_norm" in group for group in optimizer.param_groups):
                if self._scaler is not None:
                    self._scaler.unscale_(optimizer)
                optimizer.clip_grad()
            if self._scaler is None:
                optimizer.step()
            else:
                self._scaler.step(optimizer)
            if schedule is not None:
                schedule.step()
        if self._scaler is not None:
            self._scaler.update()
        self.__dict__["_steps"] += 1

    def _scale(self, optimizer: states.Optimizer, parts: int) -> None:
        """The gradients of the losses as they are to be: of their mean over the parts of a batch, and scaled."""
        factor = (1.0 if self._scaler is None else self._scaler.get_scale()) / parts
        if factor == 1.0:
            return
        for parameter in states.parameters_of(optimizer):
            grad = autograd.grad_of(parameter)
            if grad is not None:
                autograd.set_grad(parameter, wrap_like(grad, grad._array * grad._array.dtype.type(factor)))

    # --- training -------------------------------------------------------------------------------------

    def add_optimizer(
        self, optim: states.Optimizer | None, *, lr_sch: states.Schedule | None = None, is_sparse: bool = False
    ) -> None:
        """Have an optimizer update the Parameters after each call, and a schedule its rate. Raises AssertionError for
        what is none, and for the schedule of another optimizer."""
        self._require_init()
        if optim is None:
            raise AssertionError("optimizer cannot be None")
        if not (hasattr(optim, "param_groups") and hasattr(optim, "step")):
            raise AssertionError("optimizer must be an instance of Optimizer")
        if lr_sch is not None and getattr(lr_sch, "optimizer", None) is not optim:
            raise AssertionError("lr_scheduler's optimizer must be the same optimizer in add_optimizer.")
        del is_sparse  # gradients are dense
        self._optimizers.append((optim, lr_sch))
        self.config._train(True)

    def set_grad_scaler(self, grad_scaler: states.Scaler | None = None) -> None:
        """Have a GradScaler scale the gradients and leave out the updates by such as are not finite. Raises
        AssertionError for what is none."""
        if not all(hasattr(grad_scaler, name) for name in ("scale", "step", "update", "get_scale")):
            raise AssertionError("grad_scaler must be an instance of GradScaler")
        self.__dict__["_scaler"] = grad_scaler

    @property
    def name(self) -> str:
        """The class's name and a number."""
        self._require_init()
        return self._name

    @property
    def training(self) -> bool:
        """Whether it has an optimizer."""
        self._require_init()
        return self.config.training

    @property
    def is_compiled(self) -> bool:
        """Whether it has been called."""
        self._require_init()
        return self._compiled is not None

    @property
    def example(self) -> tuple[Any, ...]:
        """The arguments of the first call, in order. Raises RuntimeError where it has not been called."""
        if not self.is_compiled:
            raise RuntimeError("graph must be compiled first.")
        args, keywords = self._given
        return inspect.signature(self.build).bind(*args, **keywords).args

    # --- states ---------------------------------------------------------------------------------------

    def state_dict(self, destination: dict[str, Any] | None = None) -> Any:
        """The states of its modules, by their names; what its optimizers keep; the number of calls that trained, and
        where its schedules are."""
        self._require_init()
        made: Any = OrderedDict() if destination is None else destination
        for name, module in self._modules.items():
            made[name] = cast("Any", module).state_dict()
        if self._optimizers:
            first = next(iter(tensors_in(list(self._names_of_tensors().values()))), None)
            made[_STEPS] = _number_like(first, self._steps)
        names = self._names()
        for k, (optimizer, schedule) in enumerate(self._optimizers):
            made.update(states.entries(k, optimizer, names))
            if schedule is not None:
                made[f"{states.SCHEDULE}{k}"] = schedule.state_dict()
        return made

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> None:
        """Take over what `state_dict` gave: before the first call or after it. Raises KeyError for entries that are of
        nothing in this Graph, unless not `strict`; nothing is changed then."""
        self._require_init()
        names = self._names()
        known = {*self._modules, _STEPS}
        if self._optimizers:
            known |= {key for key in state_dict if key.rpartition("-")[0] in names.values()}
        for k in range(len(self._optimizers)):
            known |= {f"{states.OPTIMIZER}{k}", f"{states.SCHEDULE}{k}"}
            known |= {key for key in state_dict if key.startswith(f"optimizer_{k}.")}
        unknown = [key for key in state_dict if key not in known]
        missing = [name for name in self._modules if name not in state_dict]
        if strict and (unknown or missing):
            raise KeyError(f"the state of another graph: unknown are {unknown}, missing are {missing}")
        for name, module in self._modules.items():
            if name in state_dict:
                cast("Any", module).load_state_dict(state_dict[name], strict)
        for k, (optimizer, schedule) in enumerate(self._optimizers):
            states.load(k, optimizer, names, state_dict)
            if schedule is not None and f"{states.SCHEDULE}{k}" in state_dict:
                schedule.load_state_dict(state_dict[f"{states.SCHEDULE}{k}"])
        if _STEPS in state_dict:
            self.__dict__["_steps"] = int(np.asarray(state_dict[_STEPS]).reshape(-1)[0])

    def _names_of_tensors(self) -> dict[str, Tensor]:
        return {
            f"{name}.{path}": parameter
            for name, module in self._modules.items()
            for path, parameter in module.parameters_and_names()
        }

    def _names(self) -> dict[int, str]:
        """The names of Parameters, by their ids."""
        return {id(parameter): name for name, parameter in self._names_of_tensors().items()}

    # --- attributes -----------------------------------------------------------------------------------

    def _require_init(self) -> None:
        if "_modules" not in self.__dict__:
            kind = type(self).__name__
            raise AttributeError(
                f"{kind} has not been initialized: call super().__init__() first in the __init__ of {kind}"
            )

    def __setattr__(self, name: str, value: object) -> None:
        self._require_init()
        kind = type(self).__name__
        if isinstance(value, Proxy):
            value = value._module
        if isinstance(value, Cell):
            self._modules[name] = value
            self.__dict__[name] = Proxy(value, kind, name)
        elif hasattr(value, "param_groups") and hasattr(value, "zero_grad"):
            raise AttributeError(
                f"'{kind}' object are not allowed to set Optimizer attribute named '{name}', please use "
                "add_optimizer(...) instead."
            )
        elif isinstance(value, Tensor):
            raise AttributeError(
                f"'{kind}' object are not allowed to set Tensor attribute named '{name}', please use nn.Module to hold "
                "it, or a variable outside of the graph."
            )
        else:
            self._modules.pop(name, None)
            self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        self.__dict__.get("_modules", {}).pop(name, None)
        object.__delattr__(self, name)

    # --- looking inside -------------------------------------------------------------------------------

    def debug(
        self,
        v_level: int = 0,
        *,
        ranks: int | list[int] | None = None,
        max_py_stack_depth: int = 2,
        only_user_py_stack: bool = True,
        op_repr_with_py_stack: bool = False,
    ) -> None:
        """Have the first call print how the Graph is built: 0 the stages, 1 each module, 2 each operation, 3 where
        that stands in the program; -1 nothing. `ranks`: the processes that print (-1: all), of which there is number 0.
        Raises AssertionError for other levels."""
        self._require_init()
        del max_py_stack_depth, only_user_py_stack, op_repr_with_py_stack  # places are the user's, all of them
        if not isinstance(v_level, int) or not -1 <= v_level <= 3:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise AssertionError(f"the level is an int from -1 to 3, not {v_level!r}")
        if ranks is not None and not isinstance(ranks, int | list):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("ranks must be int or List[int].")
        listed = [0] if ranks is None else [ranks] if isinstance(ranks, int) else ranks
        if -1 in listed or 0 in listed:
            self.__dict__["_seeing"] = Seeing(v_level)

    @property
    def _heading(self) -> str:
        return f"(GRAPH:{self._name}:{type(self).__name__})"

    def __repr__(self) -> str:
        if "_modules" not in self.__dict__:
            return f"<{type(self).__name__}, not initialized>"
        inside = [repr(self.config)]
        if self._given is not None:
            inside += text.given_lines("INPUT", self._name, self._given)
        for name, module in self._modules.items():
            inside += text.module_lines(name, module, self._seeing.seen)
        if self._came_out is not None:
            inside += text.given_lines("OUTPUT", self._name, self._came_out)
        return "\n".join([f"{self._heading}: (", *text.indented(inside), ")"])

    # --- functions ------------------------------------------------------------------------------------

    @staticmethod
    def trace(func: Callable[..., Any]) -> Graph:
        """A function as a Graph. Raises AssertionError for what is none.

        >>> from jitcore import Tensor, nn
        >>> print(nn.Graph.trace(lambda x: x * 2)(Tensor([1.0])))
        [2.]
        """
        if not inspect.isfunction(func):
            raise AssertionError(f"nn.Graph.trace only support function currently, so {func} must be a function.")

        def build(self: Graph, *args: object, **keywords: object) -> Any:
            return func(*args, **keywords)

        return type(f"{func.__name__}_graph", (Graph,), {"build": build})()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is not pickled: save its state_dict()")

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        raise TypeError(f"a {type(self).__name__} is not copied: make another one of copies of its modules")


def _ended(tensor: Tensor) -> Tensor:
    """A result, where gradients end."""
    if autograd.needs_gradient(tensor) and not autograd.is_leaf(tensor):
        return detached(tensor)
    return tensor


def _joined(*parts: Tensor) -> Tensor:
    """The results for the parts of a batch."""
    arrays = [part._array for part in parts]
    return wrap_like(parts[0], np.concatenate(arrays) if arrays[0].ndim else np.stack(arrays))


def _number_like(tensor: Tensor | None, number: int) -> Tensor:
    """A number as a Tensor of the class of another one's."""
    array = np.array([number], np.int64)
    return Tensor(array) if tensor is None else wrap_like(tensor, array)
