"""Docstrings of the reference: what they are of names that are declared for type checkers alone, and their examples as
blocks of code (mkdocstrings takes `>>>` for Markdown's quotation marks)."""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

import jitcore

_EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_FOR_TYPE_CHECKERS = "jitcore.runtime.typed."


class DocstringExamples(griffe.Extension):
    """Puts fences around doctests, and docstrings where declarations have none."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is None and obj.path == _FOR_TYPE_CHECKERS + obj.name:
            text = inspect.getdoc(getattr(jitcore, obj.name, None))
            obj.docstring = griffe.Docstring(text, parent=obj) if text else None
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
