"""Dual objects: what is done to one is done by the reference and by jitcore, compared, and written down as text.

run = Run(sides, draws, graphs, options)
torch = Name(run, "@")                       # @ stands for the root
x = run.tensor(array, requires_grad=True)    # a Dual
torch.matmul(x, x).sum()                     # Duals
"""

from __future__ import annotations

import collections.abc
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from jitcore.structs import dataclass
from jitcore.testing.autotest.calls import ROOT, Call, Operand, filled, placeholder
from jitcore.testing.autotest.checks import EAGER, Graphs, Mismatch, Options, Sides, examine
from jitcore.testing.autotest.draws import Draws
from jitcore.testing.autotest.generators import Nothing, drawing, drawn
from jitcore.testing.autotest.items import Array, difference, flattened
from jitcore.testing.autotest.layouts import copied, laid_out
from jitcore.testing.autotest.literals import array_text, literal

_ONLY_LINE_BY_LINE: Final = frozenset(
    [
        "backward",
        "requires_grad_",
        "retain_grad",
        "register_hook",
        "numpy",
        "item",
        "tolist",
        "manual_seed",
        "set_grad_enabled",
        "detach_",
        "no_grad",
        "enable_grad",
        "tensor",
        "from_numpy",
        "is_tensor",
        "data_ptr",
        "storage",
        "set_default_dtype",
        "train",
        "eval",
        "to",
        "cpu",
        "share_memory_",
        "state_dict",
        "load_state_dict",
        "parameters",
        "named_parameters",
        "zero_grad",
        "data",
        "grad",
        "size",
        "dim",
        "stride",
    ]
)
"""Names of functions that act on leaves, modules and settings, which compiled code does not do."""

_COMPARISONS: Final = frozenset(["<", "<=", ">", ">=", "==", "!="])
"""The operators that Python reflects into one another."""
_VARIABLE: Final = re.compile(r"\bv\d+\b")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of what a case did: what is assigned, and the text, in which operands are named."""

    target: str
    text: str


_runs: Final = list["Run"]()
"""The cases that are running, the inner ones last."""


def is_running() -> bool:
    """Whether a case is."""
    return bool(_runs)


def active_run() -> Run:
    """The case that is running. Raises RuntimeError if none is."""
    if not _runs:
        raise RuntimeError("dual objects compute in functions decorated with @autotest and in compare(), not here")
    return _runs[-1]


@contextmanager
def running(run: Run) -> collections.abc.Generator[None]:
    """A context in which a case is running, whose stream generators draw from."""
    _runs.append(run)
    try:
        with drawing(run.draws):
            yield
    finally:
        _runs.pop()


class MismatchFound(Exception):
    """A case found a mismatch; it ends there."""

    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(str(mismatch))
        self.mismatch = mismatch


class Run:
    """One case of a test: the values of both sides, and the lines that made them."""

    def __init__(
        self, sides: Sides, draws: Draws, graphs: Graphs, options: Options, verbose: Callable[[str], None] | None = None
    ) -> None:
        self.sides, self.draws, self.graphs, self.options = sides, draws, graphs, options
        self.lines: list[Line] = []
        self.leaves: list[Dual] = []
        self.modules: list[Dual] = []
        self.calls = 0
        self.raised: Exception | None = None
        self._verbose = verbose

    def tensor(self, array: Array, requires_grad: bool, layout: str) -> Dual:
        """A leaf on both sides, of the same elements."""
        array = laid_out(array, layout)
        pair = (self.sides.reference.made(array, requires_grad), self.sides.mine.made(array, requires_grad))
        made = self._assigned(pair, array_text(array, f"{ROOT}.", requires_grad))
        self.leaves.append(made)
        return made

    def called(
        self, name: str, text: str, given: Sequence[object], args: Sequence[object], keywords: Mapping[str, object]
    ) -> Any:
        """What a call gives: `text` is its text but for the arguments, over `given`; `name` is for messages. Raises
        what the reference raises if jitcore raises it, too, MismatchFound if they differ."""
        operands = list(given)
        written = [self._written(a, operands) for a in map(drawn, args) if not isinstance(a, Nothing)]
        named = {key: drawn(a) for key, a in keywords.items()}
        written += [f"{k}={self._written(a, operands)}" for k, a in named.items() if not isinstance(a, Nothing)]
        return self.evaluated(name, f"{text}({', '.join(written)})", operands)

    def written(self, value: object, operands: list[object]) -> str:
        """The text of an argument; what is no literal becomes an operand."""
        return self._written(drawn(value), operands)

    def _written(self, value: object, operands: list[object]) -> str:
        if isinstance(value, Name):
            return value.text_
        text = literal(value, lambda item: self._written(item, operands))
        if text is not None:
            return text
        same = [k for k, operand in enumerate(operands) if operand is value]
        if not same:
            operands.append(value)
        return placeholder(same[0] if same else len(operands) - 1)

    def evaluated(self, name: str, text: str, operands: Sequence[object]) -> Any:
        """The value of an expression over operands, on both sides."""
        call = self._call(name, text, operands)
        if _is_examined(call):
            self.calls += 1
            mismatch = examine(call, self.sides, self.graphs, self.options)
            if mismatch is not None:
                raise MismatchFound(mismatch)
        return self._applied(call, operands)

    def _call(self, name: str, text: str, operands: Sequence[object]) -> Call:
        described = tuple(self._operand(value) for value in operands)
        return Call(name, text, described, in_place=_writes(name, text))

    def _operand(self, value: object) -> Operand:
        if not isinstance(value, Dual):
            return Operand(of=(value, value))
        pair = value.pair
        read = self.sides.reference.read(pair[0])
        if read is None:
            module = hasattr(pair[0], "load_state_dict") and hasattr(pair[0], "named_buffers")
            return Operand(module=module, setup=self._setup(value) if module else "", of=pair)
        needs = bool(getattr(pair[0], "requires_grad", False)) or (
            not hasattr(pair[0], "requires_grad") and read[1].dtype.kind == "f"
        )
        return Operand(copied(read[1]), needs)

    def _setup(self, module: Dual) -> str:
        """The lines that make a module as it is now, the module being named `made`."""
        name = module.name_
        made = [line for line in needed(self.lines, name) if line.target or ".load_state_dict(" not in line.text]
        texts = [f"{line.target} = {line.text}" if line.target else line.text for line in made]
        state = {key: self.sides.reference.read(value) for key, value in module.pair[0].state_dict().items()}
        arrays = (f"{key!r}: {array_text(array[1], f'{ROOT}.')}" for key, array in state.items() if array is not None)
        texts.append(f"{name}.load_state_dict({{{', '.join(arrays)}}})")
        return "\n".join([*texts, f"return {name}"])

    def _applied(self, call: Call, operands: Sequence[object]) -> Any:
        """Evaluate it on both sides with the values there are, and compare."""
        results: list[Any] = []
        errors: list[Exception | None] = []
        for side, root in enumerate(self.sides.roots):
            values = [v.pair[side] if isinstance(v, Dual) else v for v in operands]
            try:
                results.append(call.function(root)(*values))
                errors.append(None)
            except Exception as error:
                results.append(None)
                errors.append(error)
        want, have = errors
        if (want is None) != (have is None) or (want is not None and type(have).__name__ != type(want).__name__):
            raise MismatchFound(Mismatch(call, EAGER, "exception", error=have, expected=want)) from have
        if want is not None:
            self.raised = want
            raise want
        self._tell(call, operands, results)
        return self._result((results[0], results[1]), call, operands)

    def _tell(self, call: Call, operands: Sequence[object], results: Sequence[object]) -> None:
        if self._verbose is not None:
            given = ", ".join(str(v.pair[0]) if isinstance(v, Dual) else repr(v) for v in operands)
            self._verbose(f"{call.name}({given})\n  reference: {results[0]}\n  jitcore:   {results[1]}")

    def _result(self, pair: tuple[Any, Any], call: Call, operands: Sequence[object]) -> Any:
        for value in operands:  # in-place methods give what they wrote to
            if isinstance(value, Dual) and value.pair[0] is pair[0] and value.pair[1] is pair[1]:
                self._line("", call, operands)
                return value
        if isinstance(pair[0], bool | int | float | str | None):
            self._compare(pair, call)
            return pair[0]
        made = self._assigned(pair, self._named(call, operands))
        if hasattr(pair[0], "load_state_dict"):
            if any(isinstance(v, Dual) and v.pair[0] is pair[0] for v in operands):
                return made
            self._share_state(made)
            self.modules.append(made)
        else:
            self._compare(pair, call)
        return made

    def _compare(self, pair: tuple[Any, Any], call: Call) -> None:
        want = list(flattened(pair[0], self.sides.reference.read))
        have = list(flattened(pair[1], self.sides.mine.read))
        found = difference(have, want, self.options.tolerance)
        if found is not None:
            raise MismatchFound(Mismatch(call, EAGER, "result", found))

    def _share_state(self, module: Dual) -> None:
        """Give both sides' modules the same parameters, drawn from this case's stream, and buffers."""
        read, made = self.sides.reference.read, self.sides.mine.made
        arrays = {name: read(value) for name, value in module.pair[0].state_dict().items()}
        state = {name: array[1] for name, array in arrays.items() if array is not None}
        for name, parameter in module.pair[0].named_parameters():
            shape = tuple(parameter.shape)
            state[name] = self.draws.array(shape, state[name].dtype.name, -0.9, 0.9)
        for side, make in ((0, self.sides.reference.made), (1, made)):
            module.pair[side].load_state_dict({name: make(array) for name, array in state.items()})
        texts = (f"{name!r}: {array_text(array, f'{ROOT}.')}" for name, array in state.items())
        self.lines.append(Line("", f"{module.name_}.load_state_dict({{{', '.join(texts)}}})"))

    def _line(self, target: str, call: Call, operands: Sequence[object]) -> None:
        self.lines.append(Line(target, self._named(call, operands)))

    def _named(self, call: Call, operands: Sequence[object]) -> str:
        return filled(call.text, [v.name_ if isinstance(v, Dual) else repr(v) for v in operands])

    def _assigned(self, pair: tuple[Any, Any], text: str) -> Dual:
        name = f"v{len(self.lines)}"
        self.lines.append(Line(name, text))
        return Dual(self, pair, name)


def needed(lines: Sequence[Line], *names: str) -> list[Line]:
    """The lines that the values of some names come of: those that assign them, change them, and what these need."""
    wanted, found = set(names), list[Line]()
    for line in reversed(lines):
        used = set(_VARIABLE.findall(line.text))
        if line.target in wanted or (not line.target and used & wanted):
            found.append(line)
            wanted |= used
    return found[::-1]


def _is_examined(call: Call) -> bool:
    """Whether a call is run in all ways: not those that act on leaves, modules and settings."""
    name = call.name.rpartition(".")[2]
    if (
        call.name.startswith("class ")
        or name in _ONLY_LINE_BY_LINE
        or not call.operands
        or "requires_grad=" in call.text
    ):
        return False
    return not any(o.array is None and not o.module for o in call.operands)


def _writes(name: str, text: str) -> bool:
    last = name.rpartition(".")[2]
    return (last.endswith("_") and not last.endswith("__")) or "inplace=True" in text or "out=" in text


# --- the objects that tests see -------------------------------------------------------------------------


class Name:
    """A dotted name below the root: `torch`, `torch.nn.Linear`. What it stands for is looked up in the case that is
    running."""

    def __init__(self, text: str) -> None:
        self.text_ = text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        below = Name(f"{self.text_}.{name}")
        if is_running():
            below.resolved()
        return below

    def resolved(self) -> Any:
        """What it is on the side of the reference. Raises AttributeError if there is no such thing."""
        value = active_run().sides.roots[0]
        for part in self.text_.split(".")[1:]:
            value = getattr(value, part)
        return value

    def __call__(self, *args: object, **keywords: object) -> Any:
        run = active_run()
        shown = self.text_.replace(ROOT, getattr(run.sides.roots[1], "__name__", "mine"))
        shown = shown.replace("jitcore_torch", "torch")
        return run.called(
            f"class {shown}" if isinstance(self.resolved(), type) else shown, self.text_, (), args, keywords
        )


class Method:
    """A method of a dual object."""

    def __init__(self, of: Dual, name: str) -> None:
        self._of, self._name = of, name

    def __call__(self, *args: object, **keywords: object) -> Any:
        of = self._of
        kind = "Module" if hasattr(of.pair[0], "load_state_dict") else type(of.pair[0]).__name__
        return of.run_.called(f"{kind}.{self._name}", f"{placeholder(0)}.{self._name}", (of,), args, keywords)


class Dual:
    """A value of the reference, and jitcore's: `reference`, `mine`. Attributes, methods, operators and items of it are
    those of both."""

    def __init__(self, run: Run, pair: tuple[Any, Any], name: str) -> None:
        self.run_, self.pair, self.name_ = run, pair, name

    @property
    def reference(self) -> Any:
        """The reference's value."""
        return self.pair[0]

    @property
    def mine(self) -> Any:
        """jitcore's value."""
        return self.pair[1]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if callable(getattr(self.pair[0], name)) and not hasattr(getattr(self.pair[0], name), "load_state_dict"):
            return Method(self, name)
        return self.run_.evaluated(f"{type(self.pair[0]).__name__}.{name}", f"{placeholder(0)}.{name}", [self])

    def __call__(self, *args: object, **keywords: object) -> Any:
        return self.run_.called(type(self.pair[0]).__name__, placeholder(0), (self,), args, keywords)

    def __getitem__(self, index: object) -> Any:
        operands: list[object] = [self]
        text = self.run_.written(index, operands)
        return self.run_.evaluated(f"{type(self.pair[0]).__name__}.__getitem__", f"{placeholder(0)}[{text}]", operands)

    def __setitem__(self, index: object, value: object) -> None:
        operands: list[object] = [self]
        texts = [self.run_.written(index, operands), self.run_.written(value, operands)]
        text = f"{placeholder(0)}.__setitem__({', '.join(texts)})"
        self.run_.evaluated(f"{type(self.pair[0]).__name__}.setitem_", text, operands)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self.pair[0])))

    def __len__(self) -> int:
        return len(self.pair[0])

    def __neg__(self) -> Any:
        return self.run_.evaluated("neg", f"(-{placeholder(0)})", [self])

    def __invert__(self) -> Any:
        return self.run_.evaluated("invert", f"(~{placeholder(0)})", [self])


def _operators() -> None:
    """Give Dual the binary operators."""
    symbols = {
        "add": "+",
        "sub": "-",
        "mul": "*",
        "truediv": "/",
        "floordiv": "//",
        "mod": "%",
        "pow": "**",
        "matmul": "@",
        "and": "&",
        "or": "|",
        "xor": "^",
        "lt": "<",
        "le": "<=",
        "gt": ">",
        "ge": ">=",
        "eq": "==",
        "ne": "!=",
    }
    for name, symbol in symbols.items():
        setattr(Dual, f"__{name}__", _binary(name, symbol, reflected=False))
        if symbol not in _COMPARISONS:
            setattr(Dual, f"__r{name}__", _binary(name, symbol, reflected=True))


def _binary(name: str, symbol: str, reflected: bool) -> Callable[[Dual, object], Any]:
    def operate(self: Dual, other: object) -> Any:
        operands: list[object] = [self]
        pair = [placeholder(0), self.run_.written(other, operands)]
        left, right = reversed(pair) if reflected else pair
        return self.run_.evaluated(name, f"({left} {symbol} {right})", operands)

    return operate


_operators()
