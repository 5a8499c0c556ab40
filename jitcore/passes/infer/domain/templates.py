"""Strings as templates with values of the run in them (`values.Text`): how they are made of parts."""

from __future__ import annotations

import string
from collections.abc import Sequence

from jitcore.passes.infer.domain.values import Char, Static, String, Text, Value


def is_text(value: Value) -> bool:
    """Whether a value is a string."""
    if isinstance(value, String):
        return value.cls is str
    return isinstance(value, Text | Char) or (isinstance(value, Static) and isinstance(value.value, str))


def as_text(value: Value) -> Text:
    """A string value as a template."""
    if isinstance(value, Text):
        return value
    if isinstance(value, String | Char):
        return Text("{0}", (value,))
    assert isinstance(value, Static)
    return Text(escaped(str(value.value)), ())


def escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def join_texts(texts: Sequence[Text]) -> Text:
    """The concatenation of templates, their values renumbered."""
    template, values = "", list[Value]()
    for text in texts:
        template += renumbered(text.template, len(values))
        values += text.values
    return Text(template, tuple(values))


def renumbered(template: str, by: int) -> str:
    """A template whose values come after `by` others."""
    out = ""
    for literal, name, spec, conversion in string.Formatter().parse(template):
        out += escaped(literal)
        if name is not None:
            out += field(int(name) + by, conversion, spec or "")
    return out


def field(position: int, conversion: str | None, spec: str) -> str:
    return "{" + str(position) + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"


def joined(texts: Sequence[Text]) -> Value:
    """The concatenation of templates: a constant if there are no values in them."""
    made = join_texts(texts)
    return made if made.values else Static(made.template.replace("{{", "{").replace("}}", "}"))
