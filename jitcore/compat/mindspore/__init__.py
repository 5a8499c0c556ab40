"""MindSpore scripts on jitcore: while it is active, `import mindspore` and its submodules resolve to jitcore.

    python -m jitcore.compat.mindspore script.py [arguments]
    pytest -p jitcore.compat.mindspore
    from jitcore.compat import mindspore; mindspore.install()

Names are looked up in jitcore when they are first used (`modules`). What MindSpore has and jitcore has not can be
imported and raises NotImplementedError when it is used; what MindSpore never had is an ImportError, as it would be
there.
"""

from __future__ import annotations

from typing import Any

from jitcore.compat import entry
from jitcore.compat.mindspore import older_numpy
from jitcore.compat.mindspore.modules import MINDSPORE
from jitcore.config import settings
from jitcore.passes.infer.engine import dialect
from jitcore.primitives.core import constructing
from jitcore.primitives.ops import custom
from jitcore.runtime import operand_rules

__all__ = ["install", "is_installed", "uninstall"]


def install() -> None:
    """Make `import mindspore` resolve to jitcore in this process, and Tensors follow MindSpore's rules
    (`mindspore_rules` in `config.Settings`). Raises RuntimeError if MindSpore itself is imported already."""
    entry.install(MINDSPORE)
    from jitcore.compat.mindspore.refusals import (
        WORDS,
        cells,
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

    settings.mindspore_rules = True
    dialect.follow(rules, WORDS, reading.READING)
    constructing.follow(constructors.check, worded, eager.reworded, vetting.vet, adopted)
    cells.follow(True)
    objects.provide()
    operand_rules.follow(operand_rules.OperandRules(eager_operators.answer, eager_operators.ufunc))
    custom.follow(given_gradients.line_by_line)
    older_numpy.provide()


def uninstall() -> None:
    """Undo `install`: later imports of mindspore find what is installed, if anything."""
    settings.mindspore_rules = False
    dialect.follow(None)
    constructing.follow(None)
    from jitcore.compat.mindspore.refusals import cells, objects

    cells.follow(False)
    objects.withdraw()
    operand_rules.follow(None)
    custom.follow(None)
    older_numpy.withdraw()
    entry.uninstall(MINDSPORE)


def is_installed() -> bool:
    """Whether `import mindspore` resolves to jitcore."""
    return entry.is_installed(MINDSPORE)


def pytest_addoption(parser: Any) -> None:
    """The hook by which `pytest -p` activates it: before any conftest is read."""
    del parser
    install()
