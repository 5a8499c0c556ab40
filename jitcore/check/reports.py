"""Findings as text for people, as JSON for editors, as SARIF 2.1.0, and as commands to GitHub's workflows. Ends are
exclusive; lines and columns count from 1, in JSON from 0, as editors have them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import jitcore
from jitcore.check.compiled import Compiled
from jitcore.check.paths import Checked
from jitcore.check.refusals import ERROR, WARNING, Finding
from jitcore.source import Problem, Span

_SOURCE: Final = "jitcore check"
SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


# --- text -----------------------------------------------------------------------------------------------


def text(checked: Sequence[Checked]) -> str:
    """One paragraph for a finding, with the line and carets, and a line that sums up."""
    parts = [_paragraph(finding, file.lines) for file in checked for finding in file.findings]
    unseen = [
        f"{file.path}:{u.compiled.definition.node.lineno}: {u.compiled.name} was checked by its text alone: {u.reason}"
        for file in checked
        for u in file.unseen
    ]
    return "\n".join([*parts, *unseen, _summary(checked)]) + "\n"


def _paragraph(finding: Finding, lines: Sequence[str]) -> str:
    problem, span = finding.problem, finding.problem.span
    shown = [f"{span.file}:{span.line}:{span.column + 1}: {finding.level}: {problem.message} [{finding.rule}]"]
    shown += _excerpt(span, lines)
    if problem.hint:
        shown.append(f"  instead: {problem.hint}")
    if finding.compiled is not None:
        shown.append(f"  in {finding.compiled.name}, which is compiled: {_why(finding.compiled)}")
    return "\n".join(shown) + "\n"


def _excerpt(span: Span, lines: Sequence[str]) -> list[str]:
    line = lines[span.line - 1].rstrip() if 0 < span.line <= len(lines) else ""
    stripped = line.lstrip()
    if not stripped:
        return []
    indent = len(line) - len(stripped)
    end = span.end_column if span.end_line == span.line else len(line)
    carets = "^" * max(min(end, len(line)) - max(span.column, indent), 1)
    # a tab stays one, so that the carets stand below what they mean
    space = "".join("\t" if c == "\t" else " " for c in line[indent : span.column])
    return [f"    {stripped}", f"    {space}{carets}"]


def _why(compiled: Compiled) -> str:
    reason = f"{compiled.reason} (line {compiled.line})"
    return reason if compiled.caller is None else f"{reason}; {compiled.caller.name}: {_why(compiled.caller)}"


def _summary(checked: Sequence[Checked]) -> str:
    functions = sum(len(file.compiled) for file in checked)
    errors = sum(file.errors for file in checked)
    warnings = sum(len(file.findings) for file in checked) - errors
    found = [_count(n, noun) for n, noun in ((errors, "error"), (warnings, "warning")) if n]
    checked_what = f"{_count(functions, 'compiled function')} in {_count(len(checked), 'file')} checked"
    unseen = sum(len(file.unseen) for file in checked)
    of_what_was_seen = f" of what the text tells ({unseen} without a call that it tells)" if unseen else ""
    return f"{checked_what}: {' and '.join(found) if found else f'nothing is refused{of_what_was_seen}'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- JSON -----------------------------------------------------------------------------------------------

_SEVERITIES: Final = {ERROR: 1, WARNING: 2}


def as_json(checked: Sequence[Checked]) -> str:
    """`{"version": 2, "errors", "positionEncoding", "files": [{"file", "uri", "functions", "diagnostics",
    "by_text_alone"}]}`, with the files' diagnostics as the Language Server Protocol has them: `range`, `severity`
    (1 error, 2 warning), `code`, `source`, `message`, `relatedInformation`, and as `data` the `function`, what to write
    `instead` and the reason why it is compiled, `because`."""
    made = {
        "version": 2,
        "errors": sum(file.errors for file in checked),
        "positionEncoding": "utf-16",
        "files": [_file(file) for file in checked],
    }
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def _file(file: Checked) -> dict[str, Any]:
    return {
        "file": str(file.path),
        "uri": file.path.absolute().as_uri(),
        "functions": [{"name": c.name, "line": c.definition.node.lineno, "reason": _why(c)} for c in file.compiled],
        "diagnostics": [_diagnostic(finding, file) for finding in file.findings],
        "by_text_alone": [{"function": u.compiled.name, "why": u.reason} for u in file.unseen],
    }


def _diagnostic(finding: Finding, file: Checked) -> dict[str, Any]:
    problem, span, compiled = finding.problem, finding.problem.span, finding.compiled
    related = [
        {"location": {"uri": file.path.absolute().as_uri(), "range": _range(at, file.lines)}, "message": why}
        for at, why in _reasons(finding)
    ]
    return {
        "range": _range(span, file.lines),
        "severity": _SEVERITIES[finding.level],
        "code": finding.rule,
        "source": _SOURCE,
        "message": _with_hint(problem),
        "relatedInformation": related,
        "data": {
            "function": None if compiled is None else compiled.name,
            "instead": problem.hint,
            "because": None if compiled is None else _why(compiled),
        },
    }


def _range(span: Span, lines: Sequence[str]) -> dict[str, dict[str, int]]:
    return {
        "start": _position(span.line, span.column, lines),
        "end": _position(span.end_line, span.end_column, lines),
    }


def _position(line: int, column: int, lines: Sequence[str]) -> dict[str, int]:
    """A place by its line and its column in units of UTF-16, both from 0; a column past the line's end is its end."""
    before = lines[line - 1][:column] if 0 < line <= len(lines) else ""
    return {"line": max(line - 1, 0), "character": len(before.encode("utf-16-le", "surrogatepass")) // 2}


def _reasons(finding: Finding) -> Iterator[tuple[Span, str]]:
    """Why the function is compiled, and what calls it if it is for that: places and what is to be said of them."""
    compiled = finding.compiled
    while compiled is not None:
        at = Span(finding.problem.span.file, compiled.line, 0, compiled.line, 0, compiled.name)
        yield at, f"{compiled.name} is compiled: {compiled.reason}"
        compiled = compiled.caller


def _with_hint(problem: Problem) -> str:
    return f"{problem.message}\nInstead: {problem.hint}" if problem.hint else problem.message


# --- SARIF ----------------------------------------------------------------------------------------------


def sarif(checked: Sequence[Checked]) -> str:
    """A SARIF log with one run; see https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""
    rules = {finding.rule: finding for file in checked for finding in reversed(file.findings)}
    numbers = {rule: number for number, rule in enumerate(sorted(rules))}
    run = {
        "tool": {
            "driver": {
                "name": _SOURCE,
                "version": jitcore.__version__,
                "rules": [_rule(rules[rule]) for rule in sorted(rules)],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "artifacts": [{"location": {"uri": _uri(file.path)}} for file in checked],
        "results": [_result(finding, numbers) for file in checked for finding in file.findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(finding: Finding) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": finding.rule,
        "shortDescription": {"text": finding.problem.message},
        "defaultConfiguration": {"level": finding.level},
    }
    return made | ({"help": {"text": f"Instead: {finding.problem.hint}"}} if finding.problem.hint else {})


def _result(finding: Finding, numbers: Mapping[str, int]) -> dict[str, Any]:
    span = finding.problem.span
    made: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": finding.level,
        "message": {"text": _with_hint(finding.problem)},
        "locations": [_location(span, span.function)],
    }
    chain = [{**_location(at, None), "message": {"text": why}} for at, why in _reasons(finding)]
    if chain:
        made["relatedLocations"] = [{"id": number, **location} for number, location in enumerate(chain)]
    return made


def _location(span: Span, function: str | None) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": span.line}
    if span.end_line > span.line or span.end_column > span.column:
        region |= {"startColumn": span.column + 1, "endLine": span.end_line, "endColumn": span.end_column + 1}
    physical = {"artifactLocation": {"uri": _uri(Path(span.file))}, "region": region}
    made: dict[str, Any] = {"physicalLocation": physical}
    if function is not None:
        made["logicalLocations"] = [{"name": function, "kind": "function"}]
    return made


def _uri(path: Path) -> str:
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


# --- GitHub ---------------------------------------------------------------------------------------------


def github(checked: Sequence[Checked]) -> str:
    """A command for each finding that shows it beside the line in a pull request, and a line that sums up; see
    https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands."""
    lines = [_command(finding) for file in checked for finding in file.findings]
    return "\n".join([*lines, _summary(checked)]) + "\n"


def _command(finding: Finding) -> str:
    span = finding.problem.span
    properties: dict[str, object] = {"title": f"{_SOURCE} ({finding.rule})", "file": Path(span.file).as_posix()}
    properties |= {"line": span.line, "endLine": span.end_line}
    if span.end_line == span.line:  # columns go with one line only
        properties |= {"col": span.column + 1, "endColumn": span.end_column + 1}
    shown = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    return f"::{finding.level} {shown}::{_escaped(_with_hint(finding.problem))}"


def _escaped(value: str, also: str = "") -> str:
    """A text that does not end the command, or the property that it is of."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" or c in also else c for c in value)


FORMATS: Final[dict[str, Callable[[Sequence[Checked]], str]]] = {
    "text": text,
    "json": as_json,
    "sarif": sarif,
    "github": github,
}
