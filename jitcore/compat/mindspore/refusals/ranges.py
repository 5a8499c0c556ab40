"""What MindSpore says to the arguments of `range`: `For 'make_range', the 0th input should be a int scalar …`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jitcore.compat.mindspore.refusals.naming import abstract
from jitcore.passes.infer.engine.operands import Operand


def refused(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """The answer to a call of `range`."""
    count = len(args) + len(keywords)
    if not 1 <= count <= 3:
        return RuntimeError(f"For 'make_range', the input size should within [1, 3] but got{count}")
    shown = [
        *map(abstract, args),
        *(f"AbstractKeywordArg(key: {k}, value: {abstract(x)})" for k, x in keywords.items()),
    ]
    for k, text in enumerate(shown):
        if k < len(args) and args[k].kind in ("int", "object", "union", "npscalar", "instance"):
            continue
        return TypeError(f"For 'make_range', the {k}th input should be a int scalar but got {text}".rstrip())
    if count == 3 and args[2].value == 0:
        return RuntimeError("For 'range', the argument 'step' could not be 0.")
    return None
