"""`fluid.layers`: branches and loops."""

from __future__ import annotations

from jitcore.compat.paddle.static.control import Print, Switch, While, case, cond, switch_case, while_loop

__all__ = ["Print", "Switch", "While", "case", "cond", "switch_case", "while_loop"]
