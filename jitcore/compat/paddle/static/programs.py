"""Programs: what static mode records instead of computing it, and which of them is recorded into."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from jitcore.compat.paddle import naming
from jitcore.compat.paddle.functions.random import seed
from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.static.calls import for_test
from jitcore.compat.paddle.static.scopes import Scope, global_scope
from jitcore.compat.paddle.static.statements import FORWARD, Call, If, Loop, Part, Statement
from jitcore.compat.paddle.static.text import text_of
from jitcore.compat.paddle.static.variables import Parameter, Variable, type_of
from jitcore.types import Dim, DimExpr, TensorType, fresh_symbol, symbol

_numbers: Final = itertools.count()


class Block:
    """Statements in order, and the Variables that they give values to: a Program, or a part of one that is run under a
    condition."""

    def __init__(self, program: Program, idx: int, parent_idx: int) -> None:
        self.program = program
        self.idx = idx
        self.parent_idx = parent_idx
        self.vars: dict[str, Variable] = {}
        self.part = Part()

    @property
    def ops(self) -> list[Statement]:
        """The statements."""
        return self.part.statements

    def append(self, statement: Statement) -> None:
        """Add a statement at the end."""
        statement.role = self.program.role if statement.role == FORWARD else statement.role
        self.part.statements.append(statement)
        self.program.changed()

    def add(self, variable: Variable) -> Variable:
        """Add a Variable."""
        self.vars[variable.name] = variable
        self.part.own.add(variable.name)
        self.program.changed()
        return variable

    def forget(self, variable: Variable) -> None:
        """Take a Variable away again."""
        del self.vars[variable.name]
        self.part.own.discard(variable.name)

    def create_var(
        self,
        name: str | None = None,
        shape: Sequence[int | None] = (),
        dtype: object = "float32",
        persistable: bool = False,
        stop_gradient: bool = False,
        cls: type[Variable] | None = None,
        **keywords: object,
    ) -> Variable:
        """A new Variable without a value."""
        del keywords
        type_ = type_of(shape, dtype)
        made = (cls or Variable)(self, name or naming.generate("_generated_var"), type_, stop_gradient)
        made.persistable = persistable
        return self.add(made)

    def var(self, name: str) -> Variable:
        """The Variable of a name. Raises ValueError if there is none in this block."""
        if name not in self.vars:
            raise ValueError(f"var {name} not in this block")
        return self.vars[name]

    def has_var(self, name: str) -> bool:
        """Whether this block has a Variable of a name."""
        return name in self.vars

    def find(self, name: str) -> Variable | None:
        """The Variable of a name here or around; None if there is none."""
        block: Block | None = self
        while block is not None:
            if name in block.vars:
                return block.vars[name]
            block = block.parent
        return None

    @property
    def parent(self) -> Block | None:
        """The block around."""
        return None if self.parent_idx < 0 else self.program.blocks[self.parent_idx]

    def all_parameters(self) -> list[Parameter]:
        """The parameters."""
        return [v for v in self.vars.values() if isinstance(v, Parameter)]

    def iter_parameters(self) -> Iterator[Parameter]:
        """The parameters, one by one."""
        return iter(self.all_parameters())


class Program:
    """What static mode has recorded. `print` shows it.

    >>> from jitcore.compat.paddle import static
    >>> main = static.Program()
    >>> with static.program_guard(main):
    ...     x = static.data("x", [None, 2])
    ...     y = x * 2.0 + 1.0
    >>> y.shape
    [-1, 2]
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = [Block(self, 0, -1)]
        self._current = [0]
        self.role = FORWARD
        self._random_seed = 0
        self.number = next(_numbers)
        self.version = 0
        """Grows with each change."""
        self.captured: dict[str, Any] = {}
        """The eager Tensors, by name, that persistable Variables of it stand for."""
        self.compiled: dict[Any, Any] = {}
        """What Executors have made of it."""
        self.providers: dict[str, Callable[[], Any]] = {}
        """What gives the values, before each run, of Variables that have others each time."""

        self._extents: dict[DimExpr, DimExpr] = {}
        self.after: list[Callable[[], None]] = []
        """What is done after each run that updates."""

    @property
    def random_seed(self) -> int:
        """Where random numbers begin, those of all Programs, from when it is set; 0: anywhere."""
        return self._random_seed

    @random_seed.setter
    def random_seed(self, number: int) -> None:
        self._random_seed = number
        if number:
            seed(number)

    def plain(self, type_: TensorType) -> TensorType:
        """A type whose extents are ints and symbols: a symbol stands for what is computed of others."""
        dims = tuple(self._plain_extent(extent) for extent in type_.shape)
        return TensorType(type_.dtype, dims)

    def _plain_extent(self, extent: Dim) -> Dim:
        if isinstance(extent, int) or [extent] == [symbol(name) for name in extent.symbols]:
            return extent
        return self._extents.setdefault(extent, fresh_symbol("n"))

    def changed(self) -> None:
        """Note that it is another program than before."""
        self.version += 1

    def global_block(self) -> Block:
        """The block around all others."""
        return self.blocks[0]

    def current_block(self) -> Block:
        """The block that is recorded into."""
        return self.blocks[self._current[-1]]

    def block(self, index: int) -> Block:
        """A block by its number."""
        return self.blocks[index]

    @property
    def num_blocks(self) -> int:
        """The number of blocks."""
        return len(self.blocks)

    @contextmanager
    def inner_block(self) -> Generator[Block]:
        """Record into a new block within the current one."""
        made = Block(self, len(self.blocks), self.current_block().idx)
        self.blocks.append(made)
        self._current.append(made.idx)
        try:
            yield made
        finally:
            self._current.pop()

    @contextmanager
    def in_role(self, role: str) -> Generator[None]:
        """Record statements that are for something else than results."""
        before, self.role = self.role, role
        try:
            yield
        finally:
            self.role = before

    def list_vars(self) -> Iterator[Variable]:
        """All Variables."""
        for block in self.blocks:
            yield from block.vars.values()

    def all_parameters(self) -> list[Parameter]:
        """All parameters."""
        return [p for block in self.blocks for p in block.all_parameters()]

    def clone(self, for_test: bool = False) -> Program:
        """A copy. `for_test`: without gradients and updates, and with what depends on it as it is when not training:
        dropout leaves values alone, batch normalisation takes its running statistics."""
        made = Program()
        made._random_seed = self._random_seed
        made.captured = dict(self.captured)
        made.providers = dict(self.providers)
        made.after = list(self.after)
        made.blocks = []
        for block in self.blocks:
            one = Block(made, block.idx, block.parent_idx)
            one.vars = dict(block.vars)
            one.part = copy.copy(block.part)
            made.blocks.append(one)
        parts = {id(old.part): new.part for old, new in zip(self.blocks, made.blocks, strict=True)}
        for block in made.blocks:
            kept = (s for s in block.part.statements if s.role == FORWARD or not for_test)
            block.part.statements = [_copied(s, parts, for_test) for s in kept]
        return made

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """The Variables and statements as text."""
        del throw_on_error, with_details
        return str(self)

    def __str__(self) -> str:
        return "".join(f"{{ // block {b.idx}\n{text_of(b.vars.values(), b.ops)}}}\n" for b in self.blocks)

    __repr__ = __str__

    def state_dict(self, mode: str = "all", scope: Scope | None = None) -> dict[str, Any]:
        """The values of its persistable Variables by name: `mode` "param" of parameters, "opt" of the others. Raises
        ValueError for another mode."""
        if mode not in ("all", "param", "opt"):
            raise ValueError(f"mode is 'all', 'param' or 'opt', not {mode!r}")
        within = global_scope() if scope is None else scope
        wanted = [
            v.name for v in self.list_vars()
            if v.persistable and (mode == "all" or isinstance(v, Parameter) == (mode == "param"))
        ]  # fmt: skip
        return {name: within.value(name) for name in wanted if within.has(name)}

    def set_state_dict(self, state_dict: Mapping[str, Any], scope: Scope | None = None) -> None:
        """Give its persistable Variables values by name."""
        within = global_scope() if scope is None else scope
        for variable in self.list_vars():
            if variable.persistable and variable.name in state_dict:
                within.set(variable, state_dict[variable.name])


def _copied(statement: Statement, parts: Mapping[int, Part], is_for_test: bool) -> Statement:
    """A statement of a copy, whose parts are in `parts` by the ids of the old ones."""
    made = copy.copy(statement)
    if isinstance(made, If):
        made.parts = parts[id(made.parts[0])], parts[id(made.parts[1])]
    elif isinstance(made, Loop):
        made.test, made.body = parts[id(made.test)], parts[id(made.body)]
    elif isinstance(made, Call) and is_for_test:
        return for_test(made)
    return made


# --- which Program is recorded into -------------------------------------------------------------------


class _Current:
    """The Programs that are recorded into; those around them wait."""

    def __init__(self) -> None:
        self.main = Program()
        self.startup = Program()


_current: Final = _Current()


def default_main_program() -> Program:
    """The Program that static mode records into."""
    return _current.main


def default_startup_program() -> Program:
    """The Program that gives parameters and other persistable Variables their first values."""
    return _current.startup


@contextmanager
def program_guard(main_program: Program, startup_program: Program | None = None) -> Generator[None]:
    """Record into these Programs. Raises TypeError for what is none.

    >>> from jitcore.compat.paddle import static
    >>> main = static.Program()
    >>> with static.program_guard(main, static.Program()):
    ...     print(static.default_main_program() is main)
    True
    """
    for given in (main_program, startup_program):
        if given is not None and not isinstance(given, Program):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"program_guard takes Programs, not {type(given).__name__}")
    before = _current.main, _current.startup
    _current.main = main_program
    if startup_program is not None:
        _current.startup = startup_program
    try:
        with modes.static():
            yield
    finally:
        _current.main, _current.startup = before
