"""Findings as text for people, as JSON, and as SARIF 2.1.0. Lines and columns count from 1, ends are exclusive."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import jitcore
from jitcore.check.compiled import Compiled
from jitcore.check.paths import Checked
from jitcore.check.refusals import Finding
from jitcore.source import Span

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


def as_json(checked: Sequence[Checked]) -> str:
    """`{"version": 1, "files": [{"file", "functions": […], "findings": […]}]}`."""
    files = [
        {
            "file": str(file.path),
            "functions": [{"name": c.name, "line": c.definition.node.lineno, "reason": _why(c)} for c in file.compiled],
            "findings": [_json_of(finding) for finding in file.findings],
            "by_text_alone": [{"function": u.compiled.name, "why": u.reason} for u in file.unseen],
        }
        for file in checked
    ]
    made = {"version": 1, "errors": sum(file.errors for file in checked), "files": files}
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def _json_of(finding: Finding) -> dict[str, Any]:
    problem, span = finding.problem, finding.problem.span
    return {
        "rule": finding.rule,
        "level": finding.level,
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
        "function": finding.compiled.name if finding.compiled is not None else None,
        "message": problem.message,
        "instead": problem.hint,
        "because": _why(finding.compiled) if finding.compiled is not None else None,
    }


# --- SARIF ----------------------------------------------------------------------------------------------


def sarif(checked: Sequence[Checked]) -> str:
    """A SARIF log with one run; see https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""
    rules = {finding.rule: finding for file in checked for finding in reversed(file.findings)}
    numbers = {rule: number for number, rule in enumerate(sorted(rules))}
    run = {
        "tool": {
            "driver": {
                "name": "jitcore check",
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
    return {
        "id": finding.rule,
        "shortDescription": {"text": finding.problem.message},
        "help": {"text": f"Instead: {finding.problem.hint}"},
        "defaultConfiguration": {"level": finding.level},
    }


def _result(finding: Finding, numbers: Mapping[str, int]) -> dict[str, Any]:
    problem, span = finding.problem, finding.problem.span
    message = problem.message if not problem.hint else f"{problem.message}\nInstead: {problem.hint}"
    made: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": finding.level,
        "message": {"text": message},
        "locations": [_location(span, span.function)],
    }
    chain: list[dict[str, Any]] = []
    compiled = finding.compiled
    while compiled is not None:
        at = Span(span.file, compiled.line, 0, compiled.line, 0, compiled.name)
        chain.append({**_location(at, None), "message": {"text": f"{compiled.name} is compiled: {compiled.reason}"}})
        compiled = compiled.caller
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


FORMATS: Final[dict[str, Callable[[Sequence[Checked]], str]]] = {"text": text, "json": as_json, "sarif": sarif}
