"""Kernels as text: the loop nest they stand for, in the manner of Python.

def row_sums(x: f32, out: f32):
    for i0 in range(4):
        v2 = 0
        for r1 in range(8):
            v1 = x[8*i0 + r1]
            v2 = v2 + v1
        out[i0] = v2
"""

from __future__ import annotations

from collections.abc import Iterable

from jitcore.kernel.nodes import (
    Address,
    AnyKernel,
    Bound,
    Constant,
    Contraction,
    ContractionOperand,
    Extent,
    Instruction,
    Kernel,
    Load,
    Param,
    ReadAxis,
    ReadParam,
    Reduction,
    Store,
)

_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "and": "&", "or": "|", "xor": "^",
    "shl": "<<", "shr": ">>", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
_FOLDS = {"sum": "{0} + {1}", "prod": "{0} * {1}", "any": "{0} or {1}", "all": "{0} and {1}"}
_STARTS = {"sum": "0", "prod": "1", "any": "False", "all": "True", "max": "-inf", "min": "inf"}


def print_kernel(kernel: AnyKernel) -> str:
    """The text of a kernel or a contraction."""
    lines = _contraction(kernel) if isinstance(kernel, Contraction) else _kernel(kernel)
    return "\n".join(lines) + "\n"


def _header(name: str, buffers: Iterable[str], params: Iterable[Param]) -> str:
    return f"def {name}({', '.join([*buffers, *(f'{p.name}: {p.dtype!r}' for p in params)])}):"


def _kernel(kernel: Kernel) -> list[str]:
    buffers = [
        f"{b.name}: {b.dtype!r}" + (f" | alias of {', '.join(b.aliases)}" if b.aliases else "") for b in kernel.buffers
    ]
    lines = [_header(kernel.name, buffers, kernel.params)]
    depth = 1
    for axis in kernel.axes:
        if not axis.reduce:
            serial = "  # serial" if axis.name in kernel.serial else ""
            lines.append(f"{'    ' * depth}for {axis.name} in range({axis.extent}):{serial}")
            depth += 1
    if kernel.reductions:
        lines += _reductions(kernel, depth)
    else:
        lines += _indented(depth, (_instruction(i) for i in kernel.body))
    lines += _indented(depth, (_store(s) for s in kernel.stores))
    return lines


def _reductions(kernel: Kernel, depth: int) -> list[str]:
    lines = _indented(depth, (_start(r) for r in kernel.reductions))
    inner = depth
    for axis in kernel.axes:
        if axis.reduce:
            lines.append(f"{'    ' * inner}for {axis.name} in range({axis.extent}):")
            inner += 1
    lines += _indented(inner, (_instruction(i) for i in kernel.body))
    lines += _indented(inner, (_fold(r, kernel) for r in kernel.reductions))
    return lines + _indented(depth, (_instruction(i) for i in kernel.epilogue))


def _indented(depth: int, lines: Iterable[str]) -> list[str]:
    return ["    " * depth + line for line in lines]


def _start(r: Reduction) -> str:
    return f"{r.name} = {_STARTS.get(r.op, 'nowhere')}"


def _fold(r: Reduction, kernel: Kernel) -> str:
    if r.is_search:
        places = ", ".join(a.name for a in kernel.axes if a.reduce)
        return f"{r.name} = {r.op}({r.name}, {r.value} at ({places}))"
    folded = _FOLDS.get(r.op, r.op + "({0}, {1})").format(r.name, r.value)
    return f"{r.name} = {folded}"


def _instruction(made: Instruction) -> str:
    match made:
        case Constant():
            return f"{made.name} = {made.dtype!r}({made.value!r})"
        case ReadParam():
            return f"{made.name} = {made.param}"
        case ReadAxis():
            return f"{made.name} = {made.axis}"
        case Load():
            masked = f" if {made.mask} else {made.fill!r}" if made.mask else ""
            return f"{made.name} = {made.buffer}[{_address(made.address)}]{masked}"
        case _:
            if made.op in _INFIX:
                return f"{made.name} = {made.args[0]} {_INFIX[made.op]} {made.args[1]}"
            name = repr(made.dtype) if made.op == "cast" else made.op
            return f"{made.name} = {name}({', '.join(made.args)})"


def _store(store: Store) -> str:
    masked = f"if {store.mask}: " if store.mask else ""
    return f"{masked}{store.buffer}[{_address(store.address)}] {'+=' if store.accumulate else '='} {store.value}"


def _address(address: Address) -> str:
    return _affine((*address.axes, *address.values), address.offset)


def _affine(terms: Iterable[tuple[str, Extent]], offset: Extent) -> str:
    parts = [name if c == 1 else f"{c}*{name}" for name, c in terms if c != 0]
    if offset != 0 or not parts:
        parts.append(str(offset))
    return " + ".join(parts).replace("+ -", "- ")


def _contraction(made: Contraction) -> list[str]:
    operands = (made.a, made.b, made.c)
    buffers = dict.fromkeys(f"{o.buffer}: {made.dtype!r}" for o in operands)
    lines = [_header(made.name, buffers, made.params)]
    depth = 1
    for role in ("batch", "m", "n", "k"):
        for axis in made.axes:
            if axis.role == role:
                lines.append(f"{'    ' * depth}for {axis.name} in range({axis.extent}):  # {role}")
                depth += 1
    start = "" if made.accumulate else "  # from 0"
    lines.append(f"{'    ' * depth}{_operand(made.c)} += {_operand(made.a)} * {_operand(made.b)}{start}")
    return lines


def _operand(operand: ContractionOperand) -> str:
    text = f"{operand.buffer}[{_address(operand.address)}]"
    if not operand.bounds:
        return text
    return f"({text} if {' and '.join(_bound(b) for b in operand.bounds)} else 0)"


def _bound(bound: Bound) -> str:
    return f"0 <= {_affine(bound.axes, bound.offset)} < {bound.extent}"
