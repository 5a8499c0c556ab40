"""What users ask compiled functions of themselves: what was compiled and why, its texts and cost, under the names that
numba and JAX have for it. What answers is loaded when it is asked for."""

# pyright: reportPrivateUsage=false
# (what compiled functions have for this is theirs: they leave other names to the attributes of users' functions)

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from jitcore.runtime.dispatch import CompiledFunction
    from jitcore.runtime.explain.lowered import Lowered
    from jitcore.runtime.explain.report import Explanation
    from jitcore.runtime.specialisation import Specialisation

    Signature = tuple[str, ...]

_PACKAGE = "jitcore.runtime.explain"


class Page(Protocol):
    """The stages of what was compiled, side by side: notebooks show it where it is the value of a cell."""

    @property
    def html(self) -> str:
        """The page: one file that needs nothing else."""
        ...

    def save(self, path: str) -> Path:
        """Write it to a file, whole or not at all; its path. Raises OSError."""
        ...

    def show(self) -> Path:
        """Open it in a browser, if there is one; the path of the file that it is in. Raises OSError."""
        ...


class Introspected:
    """A callable whose calls a compiled function serves, `_compiled_by`, with arguments of its own first."""

    __slots__ = ()

    def _compiled_by(self) -> tuple[CompiledFunction, tuple[object, ...]]:
        """What compiles its calls, and the arguments that it puts before those of a call."""
        raise NotImplementedError

    @property
    def signatures(self) -> list[Signature]:
        """The arguments that it has been compiled for, as text: an int is `int`, an array `f64[n, 3]`."""
        return list(dict.fromkeys(signature for signature, _ in self._by_signature()))

    def explain(self) -> Explanation:
        """What was compiled, why and in what time, how often it was called, what calls Python, and what runs in the
        interpreter: text, which notebooks show as tables; `as_dict()` gives plain data."""
        compiled, _ = self._compiled_by()
        return import_module(f"{_PACKAGE}.report").Explanation.of(compiled)

    def view(self) -> Page:
        """Source, graphs, kernels, LLVM and assembly of what was compiled so far, side by side, as a page: shown in a
        notebook if it is a cell's value; `view().show()` opens it in a browser, `view().save(path)` writes it.

        >>> from jitcore import jit
        >>> double = jit(lambda x: x * 2)
        >>> double(1.5)
        3.0
        >>> double.view()
        <view of <lambda>: save(path) writes the page, show() opens it>
        """
        compiled, _ = self._compiled_by()
        page: Page = import_module("jitcore.view.recorded").view_of(compiled)
        return page

    def lower(self, *args: object, **keywords: object) -> Lowered:
        """Compile for such a call, without running it: `as_text(stage)`, `cost()`, `lines()` and `compile()`. Raises
        CompileError for what cannot be compiled whole."""
        compiled, first = self._compiled_by()
        args = (*first, *args)
        function = compiled.__jitcore_function__
        try:
            inspect.signature(function, follow_wrapped=False).bind(*args, **keywords)
        except TypeError as error:
            hint = ""
            if next(iter(inspect.signature(function).parameters), "") == "self":
                hint = f"; of a method, the object comes first: {compiled._name}.lower(obj, …)"
            raise TypeError(f"{compiled._name}: {error}{hint}") from None
        except ValueError:  # it has no signature that could be known
            pass
        made: Callable[..., Lowered] = import_module(f"{_PACKAGE}.lowered").Lowered
        return made(compiled, compiled._made_for(args, keywords), args, keywords)

    def inspect_llvm(self, signature: Signature | None = None) -> Any:
        """The LLVM IR of what was compiled for a signature (of `signatures`), as text; of all, as a dict by signature.
        Raises KeyError for what was not compiled for."""
        return self._texts("llvm", signature)

    def inspect_asm(self, signature: Signature | None = None) -> Any:
        """The machine code of what was compiled for a signature, as assembly; of all, as a dict by signature. Raises
        KeyError for what was not compiled for."""
        return self._texts("asm", signature)

    def clear_cache(self) -> None:
        """Forget what was compiled: the next call is compiled anew. Files of compiled code stay where they are."""
        compiled, _ = self._compiled_by()
        compiled._forget()

    def _by_signature(self) -> list[tuple[Signature, Specialisation]]:
        compiled, first = self._compiled_by()
        members = (member for group in compiled.groups for member in reversed(group.members))
        return [(made.arguments[len(first) :], made) for made in members]

    def _texts(self, stage: str, signature: Signature | None) -> Any:
        """By signature, those of several specialisations of one (for different values) below each other."""
        found: dict[Signature, list[str]] = {}
        for key, made in self._by_signature():
            if signature is None or key == tuple(signature):
                found.setdefault(key, []).append(made.compilation.text(stage))
        if signature is None:
            return {key: "\n".join(texts) for key, texts in found.items()}
        if not found:
            known = ", ".join(f"({', '.join(key)})" for key in self.signatures) or "nothing yet"
            raise KeyError(f"({', '.join(signature)}): it was compiled for {known}")
        return "\n".join(found[tuple(signature)])


def explain(function: object) -> Explanation:
    """What was compiled of a callable, why, and how it runs: of a function under `jit`, its gradient or another
    transform, or of a Cell that has been called.

    >>> import numpy as np
    >>> from jitcore import jit, explain
    >>> f = jit(lambda x: x + 1.0)
    >>> _ = f(np.ones(3))
    >>> explain(f).as_dict()["specialisations"][0]["signature"]
    ['f64[3]']

    Raises TypeError for what is not compiled.
    """
    own: object = getattr(function, "__func__", function)
    if isinstance(own, Introspected):
        return own.explain()
    held: Mapping[str, object] = getattr(function, "__dict__", {})
    compiled = held.get("_compiled")
    if isinstance(compiled, Introspected):
        return compiled.explain()
    if "_compiled" in held:
        raise TypeError(f"{type(function).__name__} has not been compiled: it was not called, or in PYNATIVE_MODE")
    raise TypeError(f"{function!r} is not compiled: a function is under @jit, a Cell when it is called in GRAPH_MODE")
