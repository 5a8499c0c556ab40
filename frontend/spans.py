"""Spans of tree nodes, as CPython's tracebacks would point to them."""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.files import SourceFile
from jitcore.source import Span


class Spans:
    """Makes the spans of one function's nodes.

    `function` is the frame a traceback would name; `caller` the place that frame was entered from where that is known:
    a list comprehension is a frame of its own before Python 3.12.
    """

    __slots__ = ("caller", "file", "function")

    def __init__(self, file: SourceFile, function: str, caller: Span | None = None) -> None:
        self.file = file
        self.function = function
        self.caller = caller

    def of(self, node: Any) -> Span:
        """The whole of a node."""
        return self._span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)

    def attribute(self, node: Any) -> Span:
        """An attribute: where it is not on the line its object starts on, only its name."""
        if node.lineno == node.end_lineno:
            return self.of(node)
        start = max(node.end_col_offset - len(node.attr), 0)
        return self._span(node.end_lineno, start, node.end_lineno, node.end_col_offset)

    def call(self, node: Any) -> Span:
        """A call: that of a method on another line than its object's starts at the method's name."""
        function = node.func
        if type(function) is not gast.Attribute or function.end_lineno == node.lineno or not self._is_method(node):
            return self.of(node)
        start = max(function.end_col_offset - len(function.attr), 0)
        return self._span(function.end_lineno, start, node.end_lineno, node.end_col_offset)

    def _span(self, line: int, offset: int, end_line: int, end_offset: int) -> Span:
        file = self.file
        if not file.is_ascii:
            offset, end_offset = file.column(line, offset), file.column(end_line, end_offset)
        return Span(file.name, line, offset, end_line, end_offset, self.function, self.caller)

    def _is_method(self, node: Any) -> bool:
        """Whether CPython compiles `o.m(…)` as a method call: `o` is not imported, and there are no stars and few
        arguments."""
        base = node.func.value
        if type(base) is gast.Name and base.id in self.file.imported:
            return False
        stars = any(type(a) is gast.Starred for a in node.args) or any(k.arg is None for k in node.keywords)
        return not stars and len(node.args) + len(node.keywords) + (len(node.keywords) > 0) < _MANY_ARGUMENTS


_MANY_ARGUMENTS = 30  # STACK_USE_GUIDELINE of CPython's Python/compile.c
