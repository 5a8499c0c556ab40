"""HTML for notebooks: text that is safe in it, and tables. Styles stand at the elements, since notebooks that are not
trusted lose style sheets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

_TABLE: Final = "font-family:monospace;white-space:pre;border-spacing:8px 1px;border-collapse:separate"


def text(value: object) -> str:
    """What `str` gives, as text of a page: it can hold no elements."""
    return escape(str(value))


def note(content: str) -> str:
    """What stands back behind the rest; `content` is HTML."""
    return f'<span style="opacity:0.7">{content}</span>'


def block(content: str) -> str:
    """Lines that keep their spaces; `content` is HTML."""
    return f'<pre style="margin:2px 0">{content}</pre>'


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = (), align: str = "right") -> str:
    """Cells of HTML in rows, below a row of headings if there are any."""
    made = [_row(head, "th")] if head else []
    made += [_row(row, "td") for row in rows]
    return f'<table style="{_TABLE};text-align:{align}">{"".join(made)}</table>'


def _row(cells: Iterable[str], element: str) -> str:
    return f"<tr>{''.join(f'<{element}>{cell}</{element}>' for cell in cells)}</tr>"


def bytes_text(count: int) -> str:
    """A number of bytes for people, a thousand to the next unit: `1.5 MB`."""
    size, units = float(count), iter(("kB", "MB", "GB", "TB"))
    unit = "B"
    while size >= 999.5 and (larger := next(units, None)) is not None:  # what would be shown as 1000
        size, unit = size / 1000, larger
    return f"{size:.3g} {unit}"
