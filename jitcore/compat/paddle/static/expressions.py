"""Python text for arguments, and functions made of text.

What has no literal (functions, arrays, dtypes) is a global of the function, under a name of its own.
"""

from __future__ import annotations

import itertools
import keyword
import linecache
import math
import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, cast

import numpy as np

from jitcore.compat.paddle.static.variables import Variable

_files: Final = itertools.count()
_TAKEN: Final = frozenset(["slice", "float", "program", "_total"])


class Names:
    """The names of a function's text: `values` are its globals."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._by_id: dict[int, str] = {}
        self._given: set[str] = set(_TAKEN)

    def fresh(self, hint: str) -> str:
        """A name that nothing else has, like `hint`."""
        plain = re.sub(r"\W", "_", hint) or "_"
        plain = plain if plain[0].isalpha() and not keyword.iskeyword(plain) else f"v{plain}"
        name = plain
        for number in itertools.count(1):
            if name not in self._given:
                break
            name = f"{plain}_{number}"
        self._given.add(name)
        return name

    def constant(self, value: object) -> str:
        """The name of a global that is an object."""
        if id(value) not in self._by_id:
            name = self.fresh(str(getattr(value, "__name__", None) or type(value).__name__).lower())
            self._by_id[id(value)] = name
            self.values[name] = value
        return self._by_id[id(value)]

    def text(self, tree: object, named: Callable[[Variable], str]) -> str:
        """The text of an argument; `named` gives that of Variables."""
        if isinstance(tree, Variable):
            return named(tree)
        if tree is None or type(tree) in (bool, int, str):
            return repr(tree)
        if type(tree) is float:
            return repr(tree) if math.isfinite(tree) else f"float({str(tree)!r})"
        if type(tree) is slice:
            return f"slice({', '.join(self.text(part, named) for part in (tree.start, tree.stop, tree.step))})"
        if tree is Ellipsis:
            return "..."
        if type(tree) is tuple:
            items = [self.text(item, named) for item in cast("Sequence[object]", tree)]
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        if type(tree) is list:
            return f"[{', '.join(self.text(item, named) for item in cast('Sequence[object]', tree))}]"
        if type(tree) is dict:
            entries = cast("Mapping[object, object]", tree).items()
            return f"{{{', '.join(f'{self.text(k, named)}: {self.text(v, named)}' for k, v in entries)}}}"
        return self.constant(tree)

    def call(
        self,
        function: Callable[..., Any],
        args: Sequence[object],
        keywords: Mapping[str, object],
        named: Callable[[Variable], str],
    ) -> str:
        """The text of a call."""
        given = [self.text(arg, named) for arg in args]
        given += [f"{name}={self.text(arg, named)}" for name, arg in keywords.items()]
        return f"{self.constant(function)}({', '.join(given)})"


def own(tree: object) -> Any:
    """Arguments as they are now: what is changed later is copied."""
    if isinstance(tree, np.ndarray):
        return tree.copy()
    if isinstance(tree, np.generic):
        return tree.item()
    if type(tree) in (tuple, list):
        return type(cast("list[Any]", tree))([own(item) for item in cast("Sequence[object]", tree)])
    if type(tree) is dict:
        return {key: own(item) for key, item in cast("Mapping[object, object]", tree).items()}
    return tree


def function_of(text: str, name: str, values: Mapping[str, Any]) -> FunctionType:
    """The function of a name that a text defines, with these globals. Its text is there as long as it is."""
    file = f"<static {name} {next(_files)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = dict(values)
    exec(compile(text, file, "exec"), space)
    made: FunctionType = space[name]
    weakref.finalize(made, linecache.cache.pop, file, None)
    return made
