"""The page: one HTML file with its style, its script and its data in it.

The data are JSON, compressed and in base64, which has no character that HTML means anything by; the script puts what it
shows of them into the page as text. By its policy the page runs this script alone, and asks the network for nothing.
"""

from __future__ import annotations

import gzip
import html
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib import resources
from typing import Final

from jitcore.ir.python import FunctionSource
from jitcore.lookup import attribute_of
from jitcore.runtime.compile import Code, Compilation
from jitcore.runtime.explain.lines import lines_of, lines_of_program
from jitcore.runtime.records import CompilationRecord
from jitcore.runtime.regions import Region
from jitcore.view.differences import differences_of
from jitcore.view.network import pictures_of
from jitcore.view.places import Files, Places
from jitcore.view.stages import PANES, stages_of

_SCRIPTS: Final = ("text.js", "list.js", "state.js", "code.js", "layout.js", "network.js", "passes.js", "main.js")
_TEMPLATE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript>This page needs JavaScript: it is in the file itself, and asks the network for nothing.</noscript>
<div id="app"></div>
{data}
<script>{script}</script>
</body>
</html>
"""


def page_of(records: Sequence[CompilationRecord], title: str, regions: Iterable[Region] = ()) -> str:
    """The page of what was compiled, and of what the interpreter runs between, as HTML."""
    files = Files()
    chunks = [_chunk(f"record-{k}", _record(record, files)) for k, record in enumerate(records)]
    index = {
        "title": title,
        "records": [{"name": _name(record), "signature": record.signature} for record in records],
        "panes": list(PANES),
        "interpreted": _interpreted(regions, files),
        "files": files.shown(),
    }
    script = '(() => {\n"use strict";\n' + "".join(map(_part, _SCRIPTS)) + "})();\n"
    style = _part("view.css")
    policy = "; ".join(
        ("default-src 'none'", f"script-src {_source(script)}", f"style-src {_source(style)}", "base-uri 'none'",
         "form-action 'none'")
    )  # fmt: skip
    data = "\n".join([_chunk("index", index), *chunks])
    return _TEMPLATE.format(policy=policy, title=html.escape(title), style=style, data=data, script=script)


def _name(record: CompilationRecord) -> str:
    """What users call what was compiled, with what a part of it is called."""
    known = attribute_of(record.function, "__qualname__", record.name).rpartition("<locals>.")[2]
    return f"{known}{record.name.removeprefix(attribute_of(record.function, '__name__', record.name))}"


def _record(record: CompilationRecord, files: Files) -> dict[str, object]:
    places = Places(files)
    stages = stages_of(record, places)
    pictures = pictures_of(record.made, places)
    return {
        "stages": [stage.shown(name) for name, stage in stages.items()],
        "passes": differences_of(record.made),
        "pictures": pictures,
        "called": not isinstance(record.made, FunctionSource),
        "lines": _lines(record, files),
        **places.shown(),
    }


def _lines(record: CompilationRecord, files: Files) -> dict[int, dict[int, object]]:
    """By file and line: how lines run, and what they cost."""
    code = record.made.code if isinstance(record.made, Compilation) else record.made
    if not isinstance(code, Code):
        return {}
    found = lines_of_program(code.program)
    total = sum(info.flops for info in found)
    made: dict[int, dict[int, object]] = {}
    for info in found:
        kinds = {
            "vectorised": info.vectorised, "threaded": info.threaded is not False, "native": info.native,
            "called out": bool(info.called_out),
        }  # fmt: skip
        kept = [kind for kind, is_so in kinds.items() if is_so]
        made.setdefault(files.number(info.file), {})[info.line] = {
            "kinds": [kind for kind in kept if kind != "native" or "vectorised" not in kept],
            "flops": info.flops,
            "bytes": info.bytes,
            "share": round(info.flops / total, 5) if total else 0,
            "least": not info.is_exact,
            "calls": info.called_out,
            "checks": len(info.checks),
            "allocations": info.allocations,
            "sometimes": info.threaded is None,
        }
    return made


def _interpreted(regions: Iterable[Region], files: Files) -> dict[int, dict[int, str]]:
    """By file and line: why the interpreter runs it."""
    made: dict[int, dict[int, str]] = {}
    for info in lines_of((), dict.fromkeys(regions)):
        made.setdefault(files.number(info.file), {})[info.line] = info.interpreted
    return made


def _chunk(name: str, data: object) -> str:
    packed = gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 6, mtime=0)
    return f'<script type="application/octet-stream" id="{name}">{b64encode(packed).decode()}</script>'


def _part(name: str) -> str:
    return resources.files("jitcore.view").joinpath("page", name).read_text("utf-8")


def _source(text: str) -> str:
    """What a policy calls a text that may run, or style, alone."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
