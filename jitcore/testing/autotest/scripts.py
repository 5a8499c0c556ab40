"""Stand-alone scripts that show a failure: plain Python over the reference and jitcore, checked to fail themselves."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Sequence
from typing import Any, Final

import jitcore
from jitcore.structs import dataclass
from jitcore.testing.autotest.calls import ROOT, Call, Operand, run_text
from jitcore.testing.autotest.checks import AGAIN, DERIVATIVES, EAGER, VMAP, Mismatch, Options, Sides
from jitcore.testing.autotest.duals import Line
from jitcore.testing.autotest.items import Tolerance
from jitcore.testing.autotest.literals import array_text
from jitcore.testing.autotest.sides import ArraySide, Function, Side, TorchSide

_HELPERS: Final = ("compare", "derivatives", "require_same")
"""What scripts may call of this package."""
_IMPORT: Final = "from jitcore.testing.autotest import "

_PACKAGES: Final = {
    "torch": ("import torch",),
    "ours": ("from jitcore.compat.torch import package", "ours = package()"),
}


@dataclass(frozen=True, slots=True)
class Root:
    """What stands for the root of texts in a script: a name, and the lines that give it."""

    name: str
    lines: tuple[str, ...]


def roots_of(sides: Sides) -> tuple[Root, Root]:
    """The roots of both sides in scripts. Raises LookupError for functions whose text is not known."""
    reference, mine = sides.roots
    if inspect.ismodule(mine):
        return Root(_package(sides.reference), ()), Root(_package(sides.mine), ())
    return _function_root(reference, "reference"), _function_root(mine, "mine")


def _function_root(function: Function, name: str) -> Root:
    """A function as scripts import it; as its text, if no module has it."""
    module = inspect.getmodule(function)
    known = getattr(function, "__qualname__", "<>")
    if module is not None and module.__name__ != "__main__" and _found(module, known) is function:
        return Root(name, (f"from {module.__name__} import {known} as {name}",))
    if known.isidentifier() and inspect.isfunction(inspect.unwrap(function)):
        text = textwrap.dedent(inspect.getsource(function)).rstrip()
        used = inspect.getclosurevars(inspect.unwrap(function)).globals.items()
        imports = (f"import {m.__name__} as {n}" for n, m in used if inspect.ismodule(m))
        return Root(name, (*imports, *text.splitlines(), f"{name} = {known}"))
    raise LookupError(f"{known} is found in no module: put it at the top of a file to have a script")


def _found(module: object, name: str) -> object:
    return getattr(module, name, None) if name.isidentifier() else None


def script(mismatch: Mismatch, sides: Sides, options: Options) -> str:
    """The text of a script that shows a mismatch of one call."""
    call = mismatch.call
    reference, mine = roots_of(sides)
    lines = _imports(sides, (reference, mine), options, mismatch)
    cloned = call.in_place and mismatch.part in DERIVATIVES
    lines += [
        "",
        call.source(reference.name, "reference_call", cloned),
        call.source(mine.name, "call", cloned),
    ]
    for k, operand in enumerate(call.operands):
        if operand.module:
            body = operand.setup.replace(ROOT, "torch")
            lines += [f"def layer{k}(torch):", textwrap.indent(body, "    "), ""]
    return _joined([*lines, *_comparison(mismatch, sides, options, (reference.name, mine.name))])


def _joined(lines: Sequence[str]) -> str:
    """The text of lines, which imports the helpers that it calls."""
    used = ", ".join(name for name in _HELPERS if any(f"{name}(" in line for line in lines))
    return (
        "\n".join(f"{_IMPORT}{used}" if line == _IMPORT else line for line in lines if used or line != _IMPORT) + "\n"
    )


def _imports(sides: Sides, roots: Sequence[Root], options: Options, mismatch: Mismatch) -> list[str]:
    lines = ["import numpy as np"] if isinstance(sides.mine, ArraySide) else []
    if isinstance(sides.mine, ArraySide) and sides.mine.tensors:
        lines.append("from jitcore import Tensor")
    if mismatch.way not in (EAGER, VMAP):
        compiler: Any = options.compiler
        name = "from jitcore import jit" if compiler is jitcore.jit else _function_root(compiler, "jit").lines
        lines += [name] if isinstance(name, str) else [*name]
    if mismatch.way == VMAP:
        lines.append("from jitcore import vmap")
    for side in (sides.reference, sides.mine):
        if isinstance(side, TorchSide):
            wanted = _PACKAGES[_package(side)]
            lines += [line for line in wanted if line not in lines]
    lines.append(_IMPORT)
    for root in roots:
        lines += [line for line in root.lines if line not in lines]
    return [*sorted(line for line in lines if line.startswith(("import ", "from "))), "",
            *(line for line in lines if not line.startswith(("import ", "from ")))]  # fmt: skip


def _comparison(mismatch: Mismatch, sides: Sides, options: Options, names: tuple[str, str]) -> list[str]:
    call, way = mismatch.call, mismatch.way
    if way == VMAP:
        return _vmap_comparison(call, sides, options, names)
    wanted = mismatch.part in DERIVATIVES
    lines = [f"function = {'call' if way == EAGER else 'jit(call)'}"]
    for earlier in call.before:
        lines += [f"given = {_arguments(earlier, sides.mine, names[1], wanted)}", "function(*given)"]
    lines += [
        f"theirs = {_arguments(call, sides.reference, names[0], wanted)}",
        f"own = {_arguments(call, sides.mine, names[1], wanted)}",
    ]
    if mismatch.expected is not None:
        return [*lines, *_refusal(mismatch.expected)]
    if way == AGAIN:
        lines.append(f"function(*{_arguments(call, sides.mine, names[1], wanted)})")
    lines += ["want = reference_call(*theirs)", "have = function(*own)"]
    close = _closeness(options.tolerance)
    if mismatch.part in ("gradient", "second derivative") and isinstance(sides.mine, ArraySide):
        return [*lines[:-4], f"compare(mine, reference, *{_given(call)}, n=1, shrink=False{close})"]
    if mismatch.part == "gradient":
        return [*lines, f"require_same(derivatives(have, own), derivatives(want, theirs){close})"]
    if mismatch.part == "second derivative":
        return [*lines, f"require_same(derivatives(have, own, 2), derivatives(want, theirs, 2){close})"]
    lines.append(f"require_same(have, want{close})")
    return lines if mismatch.part == "result" else [*lines, f"require_same(own, theirs{close})"]


def _given(call: Call) -> str:
    """The arguments of `compare`."""
    texts = (repr(o.of[0]) if o.array is None else array_text(o.array, "np.") for o in call.operands)
    return f"[{', '.join(texts)}]"


def _refusal(expected: Exception) -> list[str]:
    name = type(expected).__name__
    known = name if type(expected).__module__ == "builtins" else "Exception"
    return [
        "try:",
        "    function(*own)",
        f"except {known} as error:",
        f'    assert type(error).__name__ == "{name}", error',
        "else:",
        f'    raise AssertionError("the reference raises {name}")',
    ]


def _vmap_comparison(call: Call, sides: Sides, options: Options, names: tuple[str, str]) -> list[str]:
    axes = tuple(0 if operand.array is not None else None for operand in call.operands)
    return [
        f"own = {_arguments(call, sides.mine, names[1], False)}",
        f"have = vmap(call, {axes})(*own)",
        "rows = [call(*row) for row in zip(*own)]",
        "for k, row in enumerate(rows):",
        f"    require_same([part[k] for part in have] if isinstance(have, tuple) else have[k], "
        f"list(row) if isinstance(row, tuple) else row{_closeness(options.tolerance)})",
    ]


def _closeness(tolerance: Tolerance) -> str:
    text = f", rtol={tolerance.rtol}, atol={tolerance.atol}"
    text += "" if tolerance.check_dtype else ", check_dtype=False"
    return text + ("" if tolerance.check_allclose else ", check_allclose=False")


def _arguments(call: Call, side: Side, root: str, gradients: bool) -> str:
    return f"[{', '.join(_argument(k, operand, side, root, gradients) for k, operand in enumerate(call.operands))}]"


def _argument(k: int, operand: Operand, side: Side, root: str, gradients: bool) -> str:
    if operand.module:
        return f"layer{k}({root})"
    if operand.array is None:
        return repr(operand.of[0])
    if isinstance(side, ArraySide):
        text = array_text(operand.array, "np.")
        return f"Tensor({text})" if side.tensors else text
    return array_text(operand.array, f"{_package(side)}.", gradients and operand.requires_grad)


def _package(side: Side) -> str:
    """The name of the package whose Tensors a side has, in scripts."""
    assert isinstance(side, TorchSide)
    return "ours" if side.torch.__name__ == "jitcore_torch" else "torch"


def case_script(
    lines: Sequence[Line],
    results: Sequence[str],
    leaves: Sequence[str],
    sides: Sides,
    options: Options,
    expected: Exception | None = None,
) -> str:
    """The text of a script that runs a whole case on both sides, and compares its results and the gradients; with
    `expected` what the reference raises of these."""
    reference, mine = roots_of(sides)
    body = [f"{line.target} = {line.text}" if line.target else line.text for line in lines]
    body.append(f"return [{', '.join(results)}], [{', '.join(leaves)}]")
    close = _closeness(options.tolerance)
    imports = {_IMPORT}
    for side in (sides.reference, sides.mine):
        imports.update(_PACKAGES[_package(side)])
    texts = [line for root in (reference, mine) for line in root.lines]
    comparison = [
        f"want, theirs = case({reference.name})",
        f"have, own = case({mine.name})",
        f"require_same(have, want{close})",
        f"require_same(derivatives(have, own), derivatives(want, theirs){close})",
    ]
    if expected is not None:
        comparison = [
            f"have, own = case({mine.name})",
            "derivatives(have, own)",
            f'raise AssertionError("the reference raises {type(expected).__name__}")',
        ]
    first = [line for line in imports if line.startswith(("import ", "from "))]
    rest = [line for line in imports if line not in first]
    whole = textwrap.indent("\n".join(body).replace(ROOT, "torch"), "    ")
    return _joined([*sorted(first), "", *rest, *texts, "", "def case(torch):", whole, "", *comparison])


def fails_by_itself(text: str, error: Exception | None = None) -> bool:
    """Whether a script shows its failure when it is run: it raises AssertionError, or what `error` is one of."""
    try:
        run_text(text, {"__name__": "__main__"})
    except AssertionError:
        return error is None
    except Exception as raised:
        return error is not None and type(raised) is type(error)
    return False


def shown(mismatch: Mismatch, sides: Sides, options: Options) -> str:
    """The script of a mismatch, if it is known to fail; else why there is none."""
    try:
        text = script(mismatch, sides, options)
    except LookupError as error:
        return f"# {error.args[0]}"
    raised = mismatch.error if mismatch.expected is None else None
    if not fails_by_itself(text, raised) and not fails_by_itself(text):
        return "# a script of this call alone does not fail"
    return text
