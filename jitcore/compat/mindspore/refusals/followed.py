"""Importing this makes what MindSpore refuses, and in which words, the rules of its dialect."""

from jitcore.compat.mindspore.refusals import (
    WORDS,
    constructors,
    eager,
    eager_operators,
    given_gradients,
    objects,
    reading,
    rules,
    vetting,
    worded,
)
from jitcore.compat.mindspore.string_tensors import adopted
from jitcore.compat.mindspore.tensor import MINDSPORE
from jitcore.primitives.core.dialects import CallRules, OperandRules, ProgramRules

MINDSPORE.programs = ProgramRules(rules, WORDS, reading.READING)
MINDSPORE.calls = CallRules(
    constructors.check, worded, eager.reworded, vetting.vet, adopted, given_gradients.line_by_line
)
MINDSPORE.operands = OperandRules(eager_operators.answer, eager_operators.ufunc)
objects.provide()
