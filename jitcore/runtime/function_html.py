"""How notebooks show a compiled function: its signature, and what was compiled of it so far."""

# pyright: reportPrivateUsage=false
# (the groups of a compiled function are shared by this package)

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Final

from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.markup import block, note, table, text
from jitcore.runtime.notices import arguments_text, path_text

if TYPE_CHECKING:
    from jitcore.runtime.dispatch import CompiledFunction
    from jitcore.runtime.specialisation import Specialisation

_MOST: Final = 50
"""Specialisations that are listed, and reasons."""
_LONGEST: Final = 300
"""Characters of a column, as in the value of a constant."""


def shown(compiled: CompiledFunction) -> str:
    """A compiled function as HTML: its signature and the first line of its documentation, a row for each
    specialisation, the latest of each class of calls first, and what the interpreter serves and why."""
    members = compiled.specialisations
    refused = [g for g in compiled._groups.values() if g.fallback is not None]
    doc = (inspect.getdoc(compiled.__jitcore_function__) or "").partition("\n")[0]
    parts = [f"<div><code>{text(_signature(compiled))}</code> {note('compiled')}</div>", f"<div>{text(doc)}</div>"]
    if members:
        rows = [_row(member) for member in members[:_MOST]]
        parts.append(table(rows, ["arguments", "compiled for", "because of", "calls"], "left"))
    for group in refused[:_MOST]:
        parts.append(block(text(f"in the interpreter, called {group.interpreted} times: {group.fallback}")))
    more = max(len(members) - _MOST, 0) + max(len(refused) - _MOST, 0)
    if more:
        parts.append(f"<div>… and {more} more</div>")
    if not members and not refused:
        parts.append(f"<div>{note('not called yet: it is compiled for each kind of arguments')}</div>")
    return f"<div>{''.join(parts)}</div>"


def _signature(compiled: CompiledFunction) -> str:
    """`name(parameters) -> result`; `…` for parameters that are not known."""
    name: str = getattr(compiled, "__qualname__", repr(compiled.__jitcore_function__))
    try:
        return f"{name}{inspect.signature(compiled.__jitcore_function__)}"
    except (TypeError, ValueError) as error:
        if is_from_handler(error):
            raise
        return f"{name}(…)"


def _row(member: Specialisation) -> list[str]:
    known = ", ".join(f"{path_text(path)} = {value!r}" for path, value in member.statics)
    return [text(_cut(column)) for column in (arguments_text(member), known, member.reason, str(member.calls))]


def _cut(shown: str) -> str:
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
