"""What `explain()` says of a compiled function: as text, as HTML in notebooks, and as plain data."""

# pyright: reportPrivateUsage=false
# (what compiled functions have for this is theirs: they leave other names to the attributes of users' functions)

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final, cast

from jitcore.backends import lookup
from jitcore.config import settings
from jitcore.lookup import attribute_of
from jitcore.program.host_calls import repeated
from jitcore.program.nodes import Alloc, Check, Host, Launch, Library, Move, Program
from jitcore.runtime import compile as driver
from jitcore.runtime import counting
from jitcore.runtime.callables import known_to_users
from jitcore.runtime.explain.lines import Place, lines_of, place_of, placed, raised_by
from jitcore.runtime.explain.signatures import text_of_value
from jitcore.runtime.notices import FIRST_CALL, input_text, path_text

if TYPE_CHECKING:
    from jitcore.backends.protocol import KernelForm
    from jitcore.passes.infer.domain.signature import Input
    from jitcore.runtime.dispatch import CompiledFunction
    from jitcore.runtime.specialisation import Specialisation

_STAGES_APART: Final = ("infer", "plan", driver.MACHINE_CODE)
"""Stages that are told by name; the others are passes."""
_WITH_ARGUMENTS: Final = ("specialisations", "inputs", "values", "guards", "name", "reason", "segments")
"""The facts that speak of arguments."""
_KINDS_OF_WORK: Final = ("kernels", "host_calls", "checks", "allocations", "containers")
_MOST_INPUTS: Final = 10
"""That are shown of a specialisation."""


class Explanation(str):
    """What was compiled of a function, for what calls and why, what runs natively and what does not: text that
    notebooks show as tables. `as_dict()` has the same, and more, as plain data."""

    _facts: Mapping[str, Any]

    @classmethod
    def of(cls, compiled: CompiledFunction) -> Explanation:
        """That of a compiled function, as it is now."""
        facts = _named(_facts_of(compiled), _parameters(compiled.__jitcore_function__))
        made = cls("\n".join(_text(facts)))
        made._facts = facts
        return made

    def as_dict(self) -> Mapping[str, Any]:
        """The facts: lists, dicts, strings and numbers only. `specialisations` have their `signature`, `reason`,
        `values` (what they were compiled for), `calls`, `seconds` by stage, `from_cache`, `kernels`, `host_calls`,
        `checks`, `allocations` and `containers` (those of the run); `lines` say how each line of the source runs;
        `regions` are the parts that the interpreter runs."""
        return self._facts

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return _html(self._facts)


# --- facts ----------------------------------------------------------------------------------------------


def _facts_of(compiled: CompiledFunction) -> dict[str, Any]:
    groups = compiled.groups
    members = [member for group in groups for member in reversed(group.members)]
    segments = compiled.regions.segments()
    parts = [member for segment in segments for member in segment.compiled.specialisations]
    regions = compiled.regions.all()
    code: object = attribute_of(known_to_users(compiled.__jitcore_function__), "__code__", None)
    return {
        "name": compiled._name,
        "file": attribute_of(code, "co_filename", None),
        "line": attribute_of(code, "co_firstlineno", None),
        "threads": settings.threads,
        "specialisations": [_specialisation(member, members[:k]) for k, member in enumerate(members)],
        "interpreted": [
            {"reason": str(g.fallback), "calls": g.interpreted}
            for g in groups
            if g.fallback is not None and g.driver is None
        ]
        + ([{"reason": "ints past 64 bits", "calls": compiled.past_words}] if compiled.past_words else []),
        "regions": [
            {
                "first": region.first,
                "last": region.last,
                "reasons": list(dict.fromkeys(p.message for p in region.problems)),
                "runs": region.runs,
                "seconds": region.seconds,
            }
            for region in regions
        ],
        "segments": [
            {
                "first": segment.source.first,
                "last": segment.source.last,
                "runs": segment.runs,
                "specialisations": [_specialisation(m, ()) for m in segment.compiled.specialisations],
            }
            for segment in segments
        ],
        "lines": [
            {
                "file": info.file, "line": info.line, "native": info.native, "interpreted": info.interpreted,
                "vectorised": info.vectorised, "threaded": info.threaded, "called_out": info.called_out,
                "kernels": info.kernels, "checks": info.checks, "allocations": info.allocations,
            }
            for info in lines_of([*members, *parts], regions)
        ],
    }  # fmt: skip


def _parameters(function: Callable[..., object]) -> list[str]:
    """The names of a function's parameters by position. What calls a function that it is given, with all further
    arguments, has those of that."""
    try:
        own = inspect.signature(function, follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):  # there is none
        return []
    names = [p.name for p in own if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    inner: object = attribute_of(function, "__wrapped__", None)
    passes_on = any(p.kind is p.VAR_POSITIONAL for p in own)
    return [*names, *_parameters(inner)] if passes_on and callable(inner) else names


def _named(facts: object, names: Sequence[str]) -> Any:
    """Facts in which positions of arguments are their names."""
    if isinstance(facts, dict):
        found = cast("dict[str, Any]", facts)
        return {key: _named(value, names) if key in _WITH_ARGUMENTS else value for key, value in found.items()}
    if isinstance(facts, list):
        return [_named(item, names) for item in cast("list[Any]", facts)]
    if not isinstance(facts, str):
        return facts

    def name(match: re.Match[str]) -> str:
        k = int(match[1])
        return names[k] if k < len(names) else match[0]

    return re.sub(r"argument (\d+)", name, facts)


def _specialisation(member: Specialisation, earlier: Sequence[Specialisation]) -> dict[str, Any]:
    compilation = member.compilation
    inferred = compilation.inferred
    inputs = [(_name_of(i), input_text(i)) for i in inferred.inputs]
    seconds: dict[str, float] = {}
    kept = parts = 0
    work: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _KINDS_OF_WORK}
    for name, code in member.codes:
        for stage, took in (compilation.seconds if name == "call" else code.seconds).items():
            seconds[stage] = seconds.get(stage, 0.0) + took
        made, found = code.loaded.kept
        kept, parts = kept + found, parts + made
        for kind, rows in _work(code.program).items():
            work[kind] += ({**row, "part": name} for row in rows)
    reason = member.reason
    if earlier and reason == FIRST_CALL:
        reason = _difference(member, earlier) or reason
    return {
        "signature": list(member.arguments),
        "inputs": [{"name": name, "type": text} for name, text in inputs],
        "reason": reason,
        "values": [{"name": path_text(p), "value": text_of_value(v)} for p, v in member.statics],
        "guards": sorted({path_text(g.path) for g in inferred.guards}),
        "calls": member.calls,
        "native_calls": member.native_calls,
        "seconds": seconds,
        "parts": parts,
        "from_cache": kept,
        "rounds": [{"line": span.line, "apart": apart} for span, apart in compilation.rounds.items()],
        **work,
    }


def _name_of(made: Input) -> str:
    """What users know an input by: a Parameter that is no attribute on the way from an argument, by its name."""
    name: object = attribute_of(made.source, "name", None) if made.path[0] not in ("arg", "global", "free") else None
    return name if isinstance(name, str) else path_text(made.path)


def _difference(member: Specialisation, earlier: Sequence[Specialisation]) -> str:
    """How the arguments of a specialisation differ from those of the one before that is most like it."""

    def differing(other: Specialisation) -> list[int]:
        pairs = enumerate(zip(member.arguments, other.arguments, strict=True))
        return [k for k, (a, b) in pairs if _without_extents(a) != _without_extents(b)]

    alike = [m for m in reversed(earlier) if len(m.arguments) == len(member.arguments)]
    if not alike:
        return ""
    nearest = min(alike, key=lambda m: len(differing(m)))
    pairs = [f"argument {k} is {member.arguments[k]}, not {nearest.arguments[k]}" for k in differing(nearest)]
    return "; ".join(pairs)


def _without_extents(text: str) -> str:
    """An argument's text with only the ranks of its arrays."""
    return re.sub(r"\[([^\]]*)\]", lambda m: f"[{m[1].count(',') + bool(m[1])}]", text)


def _work(program: Program) -> dict[str, list[dict[str, Any]]]:
    """What a program does, of what costs time besides arithmetic."""
    form = _form_of(program)
    again = {id(call) for call, _ in repeated(program)}
    certain = {id(s) for s in program.functions[program.entry].body.statements}
    kernels: dict[tuple[str, tuple[Place, ...]], dict[str, Any]] = {}
    calls: dict[tuple[int, Place], dict[str, Any]] = {}
    checks: dict[tuple[str, Place], dict[str, Any]] = {}
    allocations: dict[Place, int] = {}
    containers: dict[Place, int] = {}
    for function in program.functions.values():
        for statement, span in placed(function.body):
            at = place_of(span) or ("", 0)
            match statement:
                case Launch(name):
                    where = tuple(dict.fromkeys(p for s in statement.spans if (p := place_of(s)) is not None))
                    how = form(name)
                    kernels[name, where] = {
                        "name": name, "lines": [line for _, line in where], "lanes": how.lanes, "threads": how.threads,
                    }  # fmt: skip
                case Host(index):
                    call = program.host_calls[index]
                    calls[index, at] = {
                        "name": call.described or call.operation, "line": at[1], "in_loop": id(call) in again,
                        "once_a_call": id(statement) in certain, "calls": counting.calls_of(call),
                    }  # fmt: skip
                case Check(_, site):
                    raises = raised_by(program.sites[site])
                    checks[raises, at] = {"raises": raises, "line": at[1]}
                case Alloc() | Move():
                    allocations[at] = allocations.get(at, 0) + 1
                case Library():
                    containers[at] = containers.get(at, 0) + 1
                case _:
                    pass
    return {
        "kernels": list(kernels.values()),
        "host_calls": list(calls.values()),
        "checks": list(checks.values()),
        "allocations": [{"line": line, "places": n} for (_, line), n in allocations.items()],
        "containers": [{"line": line, "places": n} for (_, line), n in containers.items()],
    }


def _form_of(program: Program) -> Any:
    def form(kernel: str) -> KernelForm:
        return lookup(settings.device_target).form(program, kernel)

    return form


# --- text -----------------------------------------------------------------------------------------------


def _text(facts: Mapping[str, Any]) -> list[str]:
    lines = [f"{facts['name']}: {len(facts['specialisations'])} specialisations"]
    for one in facts["interpreted"]:
        lines += [f"  in the interpreter: {one['reason']}", f"    ran {one['calls']} times"]
    lines += _told(facts["specialisations"])
    for region in facts["regions"]:
        lines.append(f"  in the interpreter: {_range(region)}: {'; '.join(region['reasons'])}")
        lines.append(f"    ran {region['runs']} times, {region['seconds'] * 1e3:.3f} ms in all")
    for segment in facts["segments"]:
        count = len(segment["specialisations"])
        lines.append(f"  compiled: {_range(segment)}: {count} specialisations, ran {segment['runs']} times")
    return lines


def _range(part: Mapping[str, Any]) -> str:
    first, last = part["first"], part["last"]
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _told(made: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is told of specialisations, those of which the same is told together."""
    alike: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for one in made:
        signature = ", ".join(_shown([f"{i['name']}: {i['type']}" for i in one["inputs"]]))
        known = [f"    compiled for {v['name']} = {v['value']}" for v in one["values"]]
        alike.setdefault((f"  ({signature})", f"    {one['reason']}", *known, *_work_told(one)), []).append(one)
    lines: list[str] = []
    for (signature, reason, *rest), several in alike.items():
        times = f"called {sum(one['calls'] for one in several)} times"
        lines += [signature, f"{reason}; {times if len(several) == 1 else f'{len(several)} of these, {times}'}", *rest]
        lines.append(f"    {_seconds_told(several)}")
    return lines


def _shown(inputs: list[str]) -> list[str]:
    """The first of many."""
    return inputs if len(inputs) <= _MOST_INPUTS else [*inputs[:_MOST_INPUTS], f"{len(inputs) - _MOST_INPUTS} more"]


def _work_told(one: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if one["kernels"]:
        on_vectors = sum(k["lanes"] > 1 for k in one["kernels"])
        threaded = sum(k["threads"] is not False for k in one["kernels"])
        lines.append(f"    kernels: {len(one['kernels'])}, {on_vectors} on vectors, {threaded} may use threads")
    for call in one["host_calls"]:
        often = ", once a call" if call["once_a_call"] else ""
        times = often if call["calls"] is None else f", {call['calls']} times so far"
        lines.append(f"    calls Python{' in a loop' * call['in_loop']}: line {call['line']}: {call['name']}{times}")
    for loop in one["rounds"]:
        lines.append(f"    runs rounds {'on all cores' if loop['apart'] else 'in order'}: line {loop['line']}")
    if one["checks"]:
        lines.append(f"    checks: {_by_line((c['raises'].partition(':')[0], c['line']) for c in one['checks'])}")
    if one["allocations"]:
        where = _by_line(("", a["line"]) for a in one["allocations"] if a["line"])
        lines.append(f"    allocates memory{where}")
    if one["containers"]:
        where = _by_line(("", c["line"]) for c in one["containers"] if c["line"])
        lines.append(f"    containers of the run{where}")
    return lines


def _by_line(rows: Iterable[tuple[str, int]]) -> str:
    """`IndexError (lines 3, 4), OverflowError (line 7)`."""
    found: dict[str, list[int]] = {}
    for what, line in rows:
        where = found.setdefault(what, [])
        if line and line not in where:
            where.append(line)
    return ", ".join(
        f"{what} (line{'s' * (len(where) > 1)} {', '.join(map(str, sorted(where)))})" if where else what
        for what, where in found.items()
    )


def _seconds_told(several: Sequence[Mapping[str, Any]]) -> str:
    total: dict[str, float] = {}
    for one in several:
        for stage, took in one["seconds"].items():
            name = stage if stage in _STAGES_APART else "passes"
            total[name] = total.get(name, 0.0) + took
    kept, parts = (sum(one[key] for one in several) for key in ("from_cache", "parts"))
    stages = ", ".join(f"{stage} {took:.3f}" for stage, took in total.items())
    cached = "" if not kept else ", from the cache" if kept == parts else f", {kept} of {parts} parts from the cache"
    return f"compiled in {sum(total.values()):.3f} s ({stages}{cached})"


# --- HTML -----------------------------------------------------------------------------------------------


def _html(facts: Mapping[str, Any]) -> str:
    parts = [f"<h4>{escape(facts['name'])}</h4>"]
    parts += [f"<pre>in the interpreter: {escape(one['reason'])}</pre>" for one in facts["interpreted"]]
    parts.append(
        _table(
            ("arguments", "why it was compiled", "calls", "seconds", "kernels", "calls Python"),
            (
                (
                    ", ".join(one["signature"]),
                    one["reason"],
                    one["calls"],
                    f"{sum(one['seconds'].values()):.3f}",
                    len(one["kernels"]),
                    ", ".join(call["name"] for call in one["host_calls"]),
                )
                for one in facts["specialisations"]
            ),
        )
    )
    if facts["regions"]:
        rows = ((_range(r), "; ".join(r["reasons"]), r["runs"], f"{r['seconds']:.3f}") for r in facts["regions"])
        parts.append(_table(("in the interpreter", "why", "runs", "seconds"), rows))
    parts.append(_table(("line", "runs", "calls Python", "checks"), map(_line_row, facts["lines"])))
    return f"<div>{''.join(parts)}</div>"


def _line_row(line: Mapping[str, Any]) -> tuple[object, ...]:
    how = ["native"] if line["native"] else []
    how += ["vectors"] if line["vectorised"] else ["vectors perhaps"] if line["vectorised"] is None else []
    how += ["threads"] if line["threaded"] else ["threads if large"] if line["threaded"] is None else []
    how += ["interpreter"] if line["interpreted"] else []
    return line["line"], ", ".join(how), ", ".join(line["called_out"]), "; ".join(line["checks"])


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
