"""Who may import whom: imports run from high to low only, and the two linked packages have one name each."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.imports import MODULES, ROOT, imported
from tests.ratchet import imports_inside_functions

BASE = {
    "bars",
    "discovery",
    "modelled",
    "codes",
    "structs",
    "types",
    "source",
    "config",
    "forking",
    "headroom",
    "interning",
    "identity",
    "lookup",
    "rounds",
    "stopping",
    "symbol_numbers",
}
IR = {"ir", "kernel", "program"}
STAGES = {"passes", "frontend", "backends"}
PUBLIC = {
    "",
    "ops",
    "numpy",
    "scipy",
    "nn",
    "train",
    "dataset",
    "common",
    "context",
    "transforms",
    "exports",
    "build",
    "series",
    "recording",
    "testing",
    "compat",
    "check",
    "serve",
    "ufuncs",
    "cli",
    "view",
    "__main__",
}

ALLOWED: dict[str, set[str]] = {
    "bars": {"config"},
    "discovery": set(),
    "modelled": set(),
    "codes": set(),
    "structs": set(),
    "forking": set(),
    "headroom": {"forking"},
    "identity": {"structs"},
    "lookup": set(),
    "rounds": {"lookup"},
    "stopping": {"forking"},
    "interning": {"forking"},
    "symbol_numbers": set(),
    "types": {"interning", "structs", "symbol_numbers"},
    "source": {"codes", "structs"},
    "config": {"structs"},
    "ir": BASE,
    "kernel": BASE,
    "program": BASE | {"kernel"},
    "primitives": BASE | IR,
    "library": BASE | {"primitives"},
    "library.core": BASE | {"primitives"},
    "signature": BASE,
    "passes": BASE | IR | {"primitives", "library"},
    "passes.transforms": BASE | IR | {"primitives"},
    "passes.infer.domain": BASE | IR | {"primitives", "library"},
    "passes.infer.engine": BASE | IR | {"primitives", "library", "passes.infer.domain", "passes.transforms"},
    "passes.infer.python": BASE | IR | {"primitives", "library", "passes.infer.domain", "passes.infer.engine"},
    "passes.infer.arrays": BASE | IR | {"primitives", "library", "passes.infer.domain", "passes.infer.engine"},
    "passes.infer.boxed": BASE
    | IR
    | {"primitives", "library", "passes.infer.domain", "passes.infer.engine", "passes.infer.python"},
    "passes.infer.stdlib": BASE
    | IR
    | {"primitives", "library", "passes.infer.domain", "passes.infer.engine", "passes.infer.python"},
    "frontend": BASE | {"ir"},
    "backends": BASE | {"signature", "kernel", "program"},
    "backends.interpreter": BASE,
    "backends.interpreter.anf": BASE | IR | {"primitives"},
    "backends.interpreter.program": BASE | {"kernel", "program", "primitives", "backends.protocol"},
    "backends.cpu": BASE | {"signature", "program", "backends"},
    "backends.protocol": BASE | {"signature", "program"},
    "backends.native.ir": BASE,
    "backends.native.engine": BASE | {"backends.native.ir"},
    "backends.native.link": BASE | {"backends.native.ir", "backends.native.engine"},
    "backends.native.host": BASE | {"signature", "kernel", "program", "backends.protocol", "backends.native"},
    "backends.native.boxes": BASE
    | {"program", "signature", "backends.native.engine", "backends.native.host", "backends.native.link"},
    "backends.cpython": BASE | {"signature", "program", "backends.protocol", "backends.native"},
    "backends.llvm": BASE | {"kernel", "program", "backends.protocol", "backends.native"},
    "runtime": BASE
    | IR
    | {"signature", "primitives", "library", "passes", "frontend", "=backends", "backends.protocol"},
} | {part: BASE | IR | {"primitives", "library", "runtime"} | STAGES | PUBLIC for part in PUBLIC}
"""What each part of jitcore may import besides itself; the longest name that fits counts."""


def part_of(module: str) -> str:
    """The part of jitcore a module belongs to: the longest name in ALLOWED that fits, or else the first of its own."""
    names = module.split(".")[1:]
    prefixes = (".".join(names[:k]) for k in range(len(names), 0, -1))
    return next((p for p in prefixes if p in ALLOWED), "".join(names[:1]))


def may_import(part: str, target: str) -> bool:
    """Whether modules of a part may import those of another: of itself and what its row names, with the parts within; `=` names a part alone."""
    named = (part, *ALLOWED[part])
    return f"={target}" in named or any(target == name or target.startswith(f"{name}.") for name in named)


def violations(module: str, file: Path) -> Iterator[str]:
    part = part_of(module)
    if part not in ALLOWED:
        yield f"{module}: tests/test_layering.py does not know the part {part!r}"
        return
    for line, target in imported(module, file):
        if target.split(".")[0] in ("frontend", "backends"):
            yield f"{module}:{line} imports {target}, whose name is jitcore.{target}"
        if target.split(".")[0] == "jitcore" and not may_import(part, part_of(target)):
            yield f"{module}:{line} imports {target}: {part} may import {', '.join(sorted(ALLOWED[part]))}"


def test_imports_run_from_high_to_low() -> None:
    found = [v for module, file in MODULES.items() for v in violations(module, file)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("module", "text", "fault"),
    [
        ("jitcore.ir.new", "from jitcore.kernel import nodes", "jitcore.ir.new:1 imports jitcore.kernel.nodes"),
        ("jitcore.ir.new", "def f():\n    import jitcore.primitives", "jitcore.ir.new:2 imports jitcore.primitives"),
        ("jitcore.primitives.new", "from jitcore.library.math import elementwise", "jitcore.primitives.new:1"),
        ("jitcore.library.core.new", "from jitcore.library.array import shapes", "jitcore.library.core.new:1"),
        ("jitcore.passes.new", "from jitcore.frontend import build", "jitcore.passes.new:1"),
        ("jitcore.passes.new", "from ..backends import protocol", "jitcore.passes.new:1 imports jitcore.backends.protocol"),
        ("jitcore.backends.llvm.new", "from jitcore.ir.nodes import Var", "jitcore.backends.llvm.new:1"),
        ("jitcore.backends.llvm.new", "from jitcore import primitives", "jitcore.backends.llvm.new:1"),
        ("jitcore.backends.llvm.kernels.new", "from jitcore.backends import cpython", "jitcore.backends.llvm.kernels.new:1"),
        ("jitcore.backends.cpython.new", "from jitcore.backends.llvm.program import lowering", "jitcore.backends.cpython.new:1"),
        ("jitcore.backends.native.ir.new", "from ..engine import engine", "jitcore.backends.native.ir.new:1"),
        ("jitcore.backends.protocol", "from jitcore.backends import cpu", "jitcore.backends.protocol:1"),
        ("jitcore.runtime.new", "import jitcore", "jitcore.runtime.new:1 imports jitcore"),
        ("jitcore.runtime.new", "from jitcore.backends.native.host import runtime", "jitcore.runtime.new:1"),
        ("jitcore.runtime.new", "from jitcore.backends import cpu", "jitcore.runtime.new:1 imports jitcore.backends.cpu"),
        ("jitcore.runtime.new", "import frontend", "whose name is jitcore.frontend"),
        ("jitcore.passes.infer.domain.new", "from jitcore.passes.infer import calls", "jitcore.passes.infer.domain.new:1"),
        ("jitcore.unheard_of", "", "does not know the part"),
    ],
)  # fmt: skip
def test_other_imports_are_found(tmp_path: Path, module: str, text: str, fault: str) -> None:
    file = tmp_path / "new.py"
    file.write_text(text)
    (message,) = violations(module, file)
    assert fault in message


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("jitcore.backends.interpreter.anf.new", "from jitcore.primitives.core.registry import PRIMITIVES"),
        ("jitcore.nn.new", "from jitcore import ops\nimport numpy as np"),
        ("jitcore.runtime.new", "from jitcore.passes.plan import plan"),
        ("jitcore.backends.llvm.new", "from jitcore.backends.native.ir import text"),
        ("jitcore.backends.cpu", "from jitcore.backends.llvm import linking"),
        ("jitcore.runtime.new", "from jitcore.backends import lookup"),
    ],
)
def test_allowed_imports_are_allowed(tmp_path: Path, module: str, text: str) -> None:
    file = tmp_path / "new.py"
    file.write_text(text)
    assert list(violations(module, file)) == []


@pytest.mark.parametrize("name", ["frontend", "backends"])
def test_linked_packages_refuse_their_bare_names(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", f"import {name}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert f"ImportError: import jitcore.{name}, not {name}" in run.stderr


@pytest.mark.parametrize("name", ["frontend", "backends"])
def test_links_are_relative(name: str) -> None:
    assert (ROOT / "jitcore" / name).readlink() == Path("..") / name


# --- imports inside functions -------------------------------------------------------------------------

LATE: dict[str, dict[str, str]] = {
    "what compiles, which programs that compile nothing (and `import jitcore`) do without": {
        "cli": "passes.pipeline primitives.core.registry source",
        "runtime.arguments": "passes.infer.engine.classes",
        "runtime.decorators": "frontend.fetch",
        "runtime.dispatch": "runtime.native runtime.regions runtime.specialiser",
        "runtime.eager": "runtime.operators",
        "runtime.errors": "frontend.outlining",
        "runtime.frequent": "runtime.frequent_entries",
        "runtime.known_values": "runtime.specialisation",
        "runtime.notices": "passes.infer.domain.forms passes.infer.domain.signature primitives.core.definitions "
        "runtime.specialisation",
        "runtime.operators": "passes.fuse passes.pipeline passes.plan passes.registry",
    },
    "a command's own, which the other commands do without": {
        "check.command": "check.paths check.reports",
        "check.compiled": "jitcore nn",
    },
    "a class that the package publishes beside it": {"transforms": "common.parameter"},
    "packages that few programs need": {
        "signature.struct_layout": "numpy._core._multiarray_umath",
        "train.checkpoint_format": "safetensors safetensors.numpy",
    },
}
"""Why what is imported by modules' functions is not imported at their top; names are those below `jitcore`."""


def test_imports_inside_functions_have_a_reason() -> None:
    known = {(module, name) for group in LATE.values() for module, names in group.items() for name in names.split()}
    found: set[tuple[str, str]] = set()
    for module, file in MODULES.items():
        for node in imports_inside_functions(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                names = [
                    f"{node.module}.{name}" if f"{node.module}.{name}" in MODULES else str(node.module)
                    for name in names
                ]
            found |= {(module.removeprefix("jitcore."), name.removeprefix("jitcore.")) for name in names}
    assert found == known
