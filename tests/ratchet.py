"""What the shape of the code is counted by; `python -m tests.ratchet` writes the counts down in `ratchet.json`, if none has risen.

`tests/test_ratchet.py` holds every count to the recorded one, so that each can only fall.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.imports import MODULES, imported, statements

RECORD = Path(__file__).with_suffix(".json")

Counts = dict[str, dict[str, int]]
"""By what is counted, then by part of the house; parts with none are left out."""


def counts() -> Counts:
    """The counts of the sources as they are."""
    found: dict[str, Counter[str]] = {
        "modules in import cycles": Counter(part(m) for cycle in cycles(import_graph()) for m in cycle)
    }
    for module, file in MODULES.items():
        text = file.read_text()
        tree = ast.parse(text)
        for name, count in {
            "imports inside functions": len(list(imports_inside_functions(tree))),
            "tables of op names": len(list(op_tables(tree))) if part(module).startswith(("passes", "backends")) else 0,
            "files over 600 lines": int(text.count("\n") > 600),
            "lines over 120 columns": sum(len(line) > 120 for line in text.splitlines()),
            "parameters of type Any": sum(map(_is_any, parameters(tree))),
        }.items():
            found.setdefault(name, Counter())[part(module)] += count
    return {name: {p: n for p, n in sorted(of_parts.items()) if n} for name, of_parts in found.items()}


def part(module: str) -> str:
    """The folder below `jitcore` that a module is in, two deep: `passes.infer`; `jitcore` for the modules beside them."""
    inner = module.split(".")[1:] if MODULES[module].name == "__init__.py" else module.split(".")[1:-1]
    return ".".join(inner[:2]) or "jitcore"


# --- import cycles ------------------------------------------------------------------------------------


def import_graph() -> dict[str, set[str]]:
    """The modules that each imports when it runs, in functions too; what is imported for a type checker is left out."""
    return {
        module: {target for _, target in imported(module, file, typing=False) if target in MODULES} - {module}
        for module, file in MODULES.items()
    }


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module (Tarjan's algorithm, on a stack of its own)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for root in graph:
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    work.append((target, iter(sorted(graph[target]))))
                    break
                if target in stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    place = stack.index(node)
                    if len(stack) - place > 1:
                        found.append(sorted(stack[place:]))
                    del stack[place:]
    return found


# --- what a file holds --------------------------------------------------------------------------------


def imports_inside_functions(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements in functions, but for what is imported for a type checker."""
    functions = (n for n in statements(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    found = {s for f in functions for s in statements(f, typing=False) if isinstance(s, ast.Import | ast.ImportFrom)}
    yield from found


def op_tables(tree: ast.Module) -> Iterator[ast.AST]:
    """The displays of at least two strings that are all names of primitives, and the `case` patterns of such."""
    from jitcore.primitives.core.registry import PRIMITIVES

    for node in ast.walk(tree):
        strings = _strings(node)
        if len(strings) > 1 and all(s in PRIMITIVES for s in strings):
            yield node


def _strings(node: ast.AST) -> list[str]:
    match node:
        case ast.Set(elts=items) | ast.Tuple(elts=items) | ast.List(elts=items):
            pass
        case ast.Dict(keys=keys):
            items = [k for k in keys if k is not None]
        case ast.MatchOr(patterns=patterns):
            items = [p.value for p in patterns if isinstance(p, ast.MatchValue)]
        case _:
            return []
    values = [i.value for i in items if isinstance(i, ast.Constant)]
    return [v for v in values if isinstance(v, str)] if len(values) == len(items) else []


def parameters(tree: ast.Module) -> Iterator[ast.arg]:
    """The parameters of all functions that are written with `def`, but for `self` and `cls`."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            a = function.args
            listed = [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]
            yield from (p for p in listed if p is not None and p.arg not in ("self", "cls"))


def _is_any(parameter: ast.arg) -> bool:
    return isinstance(parameter.annotation, ast.Name) and parameter.annotation.id == "Any"


# --- the record ---------------------------------------------------------------------------------------


def recorded() -> Counts:
    """The counts that were written down."""
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def risen(found: Counts, before: Counts) -> list[str]:
    """What has become more than it was, a line each."""
    return [
        f"{name} in {p}: {n}, not {before.get(name, {}).get(p, 0)}"
        for name, of_parts in found.items()
        for p, n in of_parts.items()
        if n > before.get(name, {}).get(p, 0)
    ]


def totals(found: Counts) -> Counts:
    """The counts of the whole house: what moves from one part to another leaves them as they are."""
    return {name: {"all": sum(of_parts.values())} for name, of_parts in found.items()}


def main() -> None:
    """Write the counts down, unless one has risen in all."""
    found = counts()
    if RECORD.exists() and (more := risen(totals(found), totals(recorded()))):
        sys.exit("\n".join(["These counts only fall:", *more]))
    RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    for name, of_parts in found.items():
        print(f"{name}: {sum(of_parts.values())}")


if __name__ == "__main__":
    main()
