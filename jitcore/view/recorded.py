"""What there is to be shown of a function: its specialisations, with the gradients that calls of them went back by, or
what needs no call."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType
from typing import Final

from jitcore.frontend import source_of
from jitcore.ir.printer import to_text
from jitcore.lookup import attribute_of
from jitcore.runtime.callables import plain_function
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.records import CompilationRecord
from jitcore.runtime.specialisation import Specialisation
from jitcore.train import atomic_files
from jitcore.view.document import page_of

NEVER_CALLED: Final = "never called"


class View:
    """A page of what was compiled: notebooks show it where it is the value of a cell."""

    def __init__(
        self, records: Sequence[CompilationRecord], title: str, functions: Sequence[CompiledFunction] = ()
    ) -> None:
        """`functions`: those that were compiled, in which the interpreter may run parts."""
        self.title = title
        self.html = page_of(records, title, [region for f in functions for region in f.regions.all()])
        """The page."""

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, whole or not at all; its path."""
        target = Path(path)
        atomic_files.write(target, self.html.encode())
        return target

    def show(self) -> Path:
        """Write the page to a file of its own and open it in a browser, if there is one; its path."""
        folder = Path(tempfile.mkdtemp(prefix="jitcore-view-"))
        path = self.save(folder / "view.html")
        webbrowser.open(path.as_uri())
        return path

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        style = "width: 100%; height: 720px; border: 1px solid #8884; border-radius: 6px"
        title = html.escape(self.title, quote=True)
        return f'<iframe sandbox="allow-scripts" title="{title}" srcdoc="{page}" style="{style}"></iframe>'

    def __repr__(self) -> str:
        return f"<view of {self.title}: save(path) writes the page, show() opens it>"


def view_of(compiled: CompiledFunction) -> View:
    """The page of a compiled function. Raises CompileError if it was not called and cannot be compiled."""
    functions = [compiled, *(segment.compiled for segment in compiled.regions.segments())]
    records = [record for f in functions for made in f.specialisations for record in _records_of(made)]
    function = compiled.__jitcore_function__
    plain = plain_function(function)
    if not records and plain is not None:
        records = [uncompiled(plain)]
    title = attribute_of(function, "__qualname__", repr(function)).rpartition("<locals>.")[2]
    return View(records, title, [compiled])


def _records_of(made: Specialisation) -> list[CompilationRecord]:
    own = made.compilation.record
    return [
        own if kind == "call" else CompilationRecord(f"{own.name}: {kind}", own.function, c.signature, c.texts, c)
        for kind, c in made.codes
    ]


def uncompiled(function: FunctionType) -> CompilationRecord:
    """The stages that need no arguments. Raises CompileError if the function cannot be compiled."""
    source = source_of(function)
    texts = {"source": lambda: source.text, "anf": lambda: to_text(source.graph).text}
    return CompilationRecord(function.__qualname__, function, NEVER_CALLED, texts, source)
