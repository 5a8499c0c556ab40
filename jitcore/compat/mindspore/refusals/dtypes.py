"""Dtypes that MindSpore's operators do not take:
`For primitive[Sub], the input argument[x] must be a type of {…}, but got Tensor[Bool].`

The table `dtypes.txt` holds the facts: an operator with the dtypes that its operands have where they are not looked at
(`-`: no Tensor); below it an operand, or `all` those of the first's dtype together, with an exception (`@`: the dtype),
and below that the dtypes that raise it.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from functools import cache
from typing import Final

from jitcore.compat.mindspore.refusals import tables
from jitcore.compat.mindspore.refusals.naming import dtype_name, items_of, type_text
from jitcore.passes.infer.engine.operands import Operand
from jitcore.structs import dataclass

_SIGNED: Final = ("Int16", "Int32", "Int64", "Int8")
_INTS: Final = (*_SIGNED, "UInt16", "UInt32", "UInt64", "UInt8")
_FLOATS: Final = ("BFloat16", "Float16", "Float32", "Float64")
_TAKEN: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "Add": ("x", (*_FLOATS, *_INTS, "Complex64", "Complex128")),
    "Sub": ("x", (*_FLOATS, *_INTS, "Complex64", "Complex128")),
    "RealDiv": ("x", (*_FLOATS, *_INTS, "Complex64", "Complex128")),
    "BitwiseAnd": ("x", ("Bool", *_INTS)),
    "BitwiseOr": ("x", ("Bool", *_INTS)),
    "BitwiseXor": ("x", ("Bool", *_INTS)),
    "Invert": ("x", _INTS),
}
"""Of operators: the operand that is looked at, and the dtypes it may have."""
_UNNAMED: Final = frozenset(["Complex64", "Complex128"])
"""Taken, but not among those that the message lists."""


def refused(name: str, operands: Sequence[Operand]) -> TypeError | None:
    """What MindSpore says to the dtypes of operands, if it refuses them: the strongest dtype among them counts."""
    if name not in _TAKEN:
        return None
    argument, taken = _TAKEN[name]
    arrays = [x for x in operands if x.kind == "tensor" and x.dtype is not None]
    if not arrays:
        return None
    numbers = {x.kind for x in operands} & {"int", "float"}
    dtypes = [x.dtype for x in arrays if x.dtype is not None]
    strongest = max(dtypes, key=lambda d: ("biufcU".index(d.kind.replace("u", "i")), d.itemsize))
    if (strongest.kind == "b" and numbers) or dtype_name(strongest) in taken:
        return None
    valid = ", ".join(f"Tensor[{t}]" for t in taken if t not in _UNNAMED)
    shown = type_text(Operand("tensor", strongest))
    return TypeError(
        f"For primitive[{name}], the input argument[{argument}] must be a type of {{{valid}}}, but got {shown}."
    )


def unselected(name: str, x: Operand) -> str:
    """That no kernel of an operator takes a dtype; MindSpore leaves the first line empty."""
    rule = "-" * 52
    return (
        f"\n{rule}\n- Kernel select failed:\n{rule}\n"
        f"Select CPU operator[{name}] fail! Unsupported data type: {type_text(x)}"
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """What an operator says: the dtypes of its operands where they are not looked at, and for each group of operands
    the exceptions with their dtypes."""

    plain: tuple[str, ...]
    said: dict[str, list[tuple[str, frozenset[str]]]]


@cache
def _table() -> dict[str, _Case]:
    table: dict[str, _Case] = {}
    case, group, text = _Case((), {}), "", ""
    for line in tables.lines("dtypes"):
        if not line.startswith(" "):
            name, *plain = line.split()
            case = table[name] = _Case(tuple(plain), {})
        elif line.startswith("        "):
            case.said.setdefault(group, []).append((text, frozenset(line.split())))
        else:
            group, _, text = line.strip().partition(" ")
    return table


def unlike(name: str, operands: Sequence[Operand], *, late: bool = False) -> BaseException | None:
    """What MindSpore says to the dtypes of operands by the table; `late`: when it looks for a kernel, after all other
    checks."""
    case = _table().get(name)
    if case is None or name in _TAKEN:
        return None
    given = [_dtype_of(x) if p != "-" else p for p, x in zip(case.plain, operands, strict=False)]
    given += case.plain[len(given) :]
    differing = [k for k, (d, p) in enumerate(zip(given, case.plain, strict=True)) if d != p]
    alike = [k for k, p in enumerate(case.plain) if p == case.plain[0]]
    together = len(alike) > 1 and len({given[k] for k in alike}) == 1
    for k in differing:
        if together and k in alike[1:]:
            continue
        peers = {given[j] for j, p in enumerate(case.plain) if p == case.plain[k]}
        for text, dtypes in case.said.get("all" if together and k in alike else str(k), ()):
            if len(peers) == 1 and case.plain.count(case.plain[k]) > 1 and _is_of_pair(text):
                continue
            if given[k] in dtypes and (text.startswith("RuntimeError") or text.endswith("Error:")) is late:
                return _worded(name, text, operands[k])
    return None


def untaken(name: str, dtype: str) -> TypeError | None:
    """What an operator that lists the dtypes that it takes says to one that no operator takes."""
    case = _table().get(name)
    texts = () if case is None else (text for said in case.said.values() for text, _ in said)
    listed = next(
        (text for text in texts if text.startswith("TypeError: For ") and text.endswith(("@.", "[@]."))), None
    )
    return None if listed is None else TypeError(listed.removeprefix("TypeError: ").replace("@", dtype))


def _is_of_pair(text: str) -> bool:
    """Whether an exception is about operands that differ from each other, and not about the dtypes that one may
    have."""
    return "same" in text or "equal to" in text


def _dtype_of(x: Operand) -> str | None:
    """The dtype that an operand has or becomes; None if that is not known."""
    if x.kind in ("tensor", "npscalar"):
        return dtype_name(x.dtype)
    if x.kind in ("tuple", "list"):
        dtypes = {_dtype_of(i) for i in items_of(x)}
        return dtypes.pop() if len(dtypes) == 1 else None
    return {"int": "Int64", "float": "Float32", "bool": "Bool"}.get(x.kind)


def _worded(name: str, text: str, x: Operand) -> BaseException:
    error, _, message = text.partition(":")
    item = items_of(x)[0] if x.kind in ("tuple", "list") else x
    if not message:
        message = unselected(name, item)
    dtype = type_text(item).removeprefix("Tensor[").removesuffix("]")
    made: BaseException = getattr(builtins, error)(message.removeprefix(" ").replace("@", dtype))
    vars(made)["of_dtype"] = True
    return made


def is_of_dtype(error: BaseException) -> bool:
    """Whether an exception of the table's is about a Tensor's dtype, which layers hand on as they are given it."""
    return "of_dtype" in vars(error)
