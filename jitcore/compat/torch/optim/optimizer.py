"""`torch.optim.Optimizer`: groups of Parameters with options, what is kept beside each, and steps that update them.

A kind of optimizer says which numbers a Parameter's step computes with (`_numbers`, which begins what is kept of it),
and by which rule (`_rule`): Parameters whose numbers are the same are updated together, by one call of compiled code.
"""

from __future__ import annotations

import functools
import itertools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar, Final, TypeAlias, cast

import numpy as np

from jitcore.compat.torch import tensor as tensors
from jitcore.compat.torch.autograd import RemovableHandle
from jitcore.compat.torch.optim.stepping import Rule, update
from jitcore.library.core import marking
from jitcore.library.core.defaults import default_float
from jitcore.library.math import elementwise
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, wrap_like

Group: TypeAlias = dict[str, Any]
State: TypeAlias = dict[Any, Any]
Params: TypeAlias = Iterable[Tensor] | Iterable[Group] | Iterable[tuple[str, Tensor]]
Closure: TypeAlias = Callable[[], Any]
Number: TypeAlias = Tensor | float
Hook: TypeAlias = Callable[..., Any]
Numbers: TypeAlias = tuple[float, ...]

_counter: Final = itertools.count()


class Optimizer:
    """The base of optimizers, as PyTorch documents it: subclasses define `step`.

    >>> from jitcore.compat.torch.functions.creation import tensor
    >>> from jitcore.compat.torch.optim.plain import SGD
    >>> w = tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = SGD([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0., 0.], requires_grad=True)
    """

    _kept: ClassVar[tuple[str, ...]] = ()
    """The names, in the state, of what has the shape of the Parameter and is changed with it, in the rule's order."""
    _may_be_empty: ClassVar[bool] = False
    """Whether there may be no Parameters."""
    state: Any
    param_groups: list[Group]
    defaults: Group

    def __init__(self, params: Params, defaults: Group) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                f"{_typename(params)}"
            )
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        self._hooks: dict[str, OrderedDict[int, Hook]] = defaultdict(OrderedDict)
        given: list[Any] = list(params)
        if not given and not self._may_be_empty:
            raise ValueError("optimizer got an empty parameter list")
        for group in given if given and isinstance(given[0], dict) else [{"params": given}]:
            self.add_param_group(group)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "step" in cls.__dict__:
            cls.step = cls._hooked(cls.__dict__["step"])

    @staticmethod
    def _hooked(step: Callable[..., Any]) -> Callable[..., Any]:
        """A subclass's step, that runs hooks besides, and is known to have been called."""

        @marking.between
        @functools.wraps(step)
        def run(self: Optimizer, *args: object, **keywords: object) -> Any:
            self.__dict__["_opt_called"] = True
            if not self._hooks:
                return step(self, *args, **keywords)
            given = self._run_hooks("step_pre", self, (self, *args), keywords)
            if given is not None:
                (_, *changed), keywords = given
                args = tuple(changed)
            made = step(self, *args, **keywords)
            self._run_hooks("step_post", self, (self, *args), keywords)
            return made

        return run

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__.setdefault("_hooks", defaultdict(OrderedDict))
        for group in self.param_groups:
            for name, default in self.defaults.items():
                group.setdefault(name, default)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for k, group in enumerate(self.param_groups):
            options = "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
            text += f"\nParameter Group {k}\n{options}"
        return text + ")"

    # --- groups ---------------------------------------------------------------------------------------

    def add_param_group(self, param_group: Group) -> None:
        """Take a group of Parameters on, with options of its own or else the defaults."""
        if not isinstance(param_group, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets "
                "will change between runs. Please use a list instead."
            )
        _name_params(param_group, [given] if isinstance(given, Tensor) else list(given))
        params = param_group["params"]
        for param in params:
            _require_leaf(param)
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        if len({id(p) for p in params}) != len(params):
            warnings.warn("optimizer contains a parameter group with duplicate parameters", stacklevel=3)
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if any(id(p) in known for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    @marking.between
    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all Parameters, or make them 0."""
        for group in self.param_groups:
            for p in group["params"]:
                grad = autograd.grad_of(p)
                if grad is not None:
                    autograd.set_grad(p, None if set_to_none else wrap_like(grad, nodes.detached(grad).numpy() * 0))

    # --- steps ----------------------------------------------------------------------------------------

    @_hooked
    def step(self, closure: Closure | None = None) -> Any:
        """Update the Parameters by their gradients. A closure is called first, to compute them; its result is the
        result."""
        if type(self)._rule is Optimizer._rule:
            raise NotImplementedError
        loss = None if closure is None else called_with_gradients(closure)
        with nodes.recording(False):
            for group in self.param_groups:
                self._update(group)
        return loss

    def _update(self, group: Group) -> None:
        """Update the Parameters of a group that have a gradient."""
        alike: dict[Numbers, list[Tensor]] = {}
        for p in group["params"]:
            if autograd.grad_of(p) is not None:
                state = self.state.get(p, {})
                alike.setdefault(self._numbers(group, p, state), []).append(p)
                if state:
                    self.state[p] = state
        for numbers, params in alike.items():
            rule, flags = self._rule(group, numbers)
            states = [self.state.get(p, {}) for p in params]
            kept = [[state[name] for name in self._kept if name in state] for state in states]
            update(rule, flags, params, kept, numbers, bool(group.get("maximize")))

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        """The numbers that a Parameter's next step computes with; the state, which is begun where it is empty, counts
        the step."""
        raise NotImplementedError

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        """The rule of a group, and what else it is told, for good."""
        raise NotImplementedError

    # --- state ----------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """What is kept, by the numbers of the Parameters, and the groups; Tensors share memory with it."""
        self._run_hooks("state_dict_pre", self)
        numbers: dict[int, int] = {}
        groups: list[Group] = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            held = {name: value for name, value in group.items() if name != "params"}
            groups.append({**held, "params": [numbers[id(p)] for p in group["params"]]})
        state = {numbers[id(k)] if isinstance(k, Tensor) else k: v for k, v in self.state.items()}
        made = {"state": state, "param_groups": groups}
        return self._run_hooks("state_dict_post", self, made) or made

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave. Raises ValueError where the groups are not the same."""
        given = dict(state_dict)
        given = self._run_hooks("load_state_dict_pre", self, given) or given
        saved = deepcopy(given["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        pairs = list(zip(self.param_groups, saved, strict=True))
        if any(len(own["params"]) != len(new["params"]) for own, new in pairs):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        params = {n: p for own, new in pairs for n, p in zip(new["params"], own["params"], strict=True)}
        state: dict[Any, Any] = defaultdict(dict)
        for number, value in given["state"].items():
            p = params.get(number)
            state[number if p is None else p] = value if p is None else _as_kept(p, value)
        for own, new in pairs:
            new["params"] = own["params"]
            if "param_names" in own:
                new.setdefault("param_names", own["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        self._run_hooks("load_state_dict_post", self)

    # --- hooks ----------------------------------------------------------------------------------------

    def _add_hook(self, kind: str, hook: Hook, prepend: bool = False) -> RemovableHandle:
        number = next(_counter)
        self._hooks[kind][number] = hook
        if prepend:
            self._hooks[kind].move_to_end(number, last=False)
        return RemovableHandle(lambda: self._hooks[kind].pop(number, None) and None)

    def _run_hooks(self, kind: str, *args: object) -> Any:
        """What the last hook that returned something returned."""
        found: Any = None
        for hook in list(self._hooks[kind].values()) if kind in self._hooks else ():
            made = hook(*args)
            found = found if made is None else made
        return found

    def register_step_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Have `hook(optimizer, args, keywords)` called before steps; what it returns, unless None, are the
        arguments."""
        return self._add_hook("step_pre", hook)

    def register_step_post_hook(self, hook: Hook) -> RemovableHandle:
        """Have `hook(optimizer, args, keywords)` called after steps."""
        return self._add_hook("step_post", hook)

    def register_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Have `hook(optimizer)` called before `state_dict`."""
        return self._add_hook("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Have `hook(optimizer, state_dict)` called with the result of `state_dict`, which it may replace."""
        return self._add_hook("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Have `hook(optimizer, state_dict)` called before `load_state_dict`; it may replace what is loaded."""
        return self._add_hook("load_state_dict_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Have `hook(optimizer)` called after `load_state_dict`."""
        return self._add_hook("load_state_dict_post", hook, prepend)


def called_with_gradients(closure: Closure) -> Any:
    """A closure's result, computed with gradients recorded."""
    with nodes.recording(True):
        return closure()


# --- Parameters -------------------------------------------------------------------------------------


def _typename(value: object) -> str:
    kind = type(value)
    if isinstance(value, Tensor):
        return "torch.FloatTensor" if kind is tensors.Tensor else f"torch.{kind.__name__}"
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _name_params(group: Group, given: Sequence[Tensor | tuple[str, Tensor]]) -> None:
    """Put the Parameters of a group into it, and their names where they have some."""
    names = [item[0] for item in given if isinstance(item, tuple)]
    group["params"] = [item[1] if isinstance(item, tuple) else item for item in given]
    if names and len(names) != len(given):
        raise ValueError("all optimizer params should be with/without names. Some param names are missing")
    if names:
        group["param_names"] = names


def _require_leaf(param: object) -> None:
    if not isinstance(param, Tensor):
        raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {_typename(param)}")
    if not autograd.is_leaf(param):
        raise ValueError("can't optimize a non-leaf Tensor")


def _as_kept(p: Tensor, value: object, name: object = None) -> Any:
    """What was kept of a Parameter, loaded: Tensors in its dtype, but for the number of steps."""
    if isinstance(value, Tensor):
        if name == "step" or not cast("Any", p).is_floating_point():
            return value
        return elementwise.astype(value, p.dtype)
    if isinstance(value, dict):
        return {k: _as_kept(p, v, k) for k, v in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return type(cast("Any", value))(_as_kept(p, v) for v in cast("Sequence[Any]", value))
    return value


# --- what is kept -----------------------------------------------------------------------------------


def scalar(p: Tensor, value: float) -> Any:
    """A Tensor that counts the steps of a Parameter, or keeps a number of it."""
    return wrap_like(p, np.array(value, default_float().numpy))


def filled(p: Tensor, value: float = 0.0) -> Any:
    """A Tensor like a Parameter, full of a number."""
    return wrap_like(p, np.full_like(nodes.detached(p).numpy(), value))


def counted(state: State) -> float:
    """The number of the step that begins."""
    array = state["step"].numpy()
    array[...] += 1
    return float(array)


def number(value: Number) -> float:
    """An option that may be a Tensor of one number."""
    return float(value) if isinstance(value, Tensor) else value


def require(condition: bool, words: str) -> None:
    """Raise ValueError, in PyTorch's words, for an option that cannot be."""
    if not condition:
        raise ValueError(words)


def require_rate(lr: Number) -> None:
    """Raise ValueError for a rate that cannot be one."""
    require(not isinstance(lr, Tensor) or lr.numel() == 1, "Tensor lr must be 1-element")
    require(number(lr) >= 0.0, f"Invalid learning rate: {lr}")


def require_betas(betas: Sequence[Number]) -> None:
    """Raise ValueError for shares of running means that cannot be ones."""
    for k, beta in enumerate(betas):
        require(0.0 <= number(beta) < 1.0, f"Invalid beta parameter at index {k}: {beta}")
