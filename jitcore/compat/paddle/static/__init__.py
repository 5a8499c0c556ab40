"""`paddle.static`, and `paddle.fluid`'s half of it: Programs, which are recorded call by call and compiled.

What static mode makes are `Variable`s. A call with one among its arguments is a statement of the current `Program`
(`recording`); `Executor.run` has the statements that its results need written as a Python function (`writing`), which
jitcore compiles. Parameters and others that are kept are Tensors, written to in place.
"""

from __future__ import annotations

from jitcore.compat.paddle.specs import InputSpec
from jitcore.compat.paddle.static import updates  # noqa: F401  # pyright: ignore[reportUnusedImport]
from jitcore.compat.paddle.static.control import Print
from jitcore.compat.paddle.static.creation import create_global_var, create_parameter, data
from jitcore.compat.paddle.static.executor import BuildStrategy, CompiledProgram, ExecutionStrategy, Executor
from jitcore.compat.paddle.static.gradients import append_backward, gradients
from jitcore.compat.paddle.static.measures import accuracy
from jitcore.compat.paddle.static.modes import disable_static, enable_static, in_dynamic_mode
from jitcore.compat.paddle.static.programs import (
    Program,
    default_main_program,
    default_startup_program,
    program_guard,
)
from jitcore.compat.paddle.static.saving import (
    load,
    load_inference_model,
    load_program_state,
    normalize_program,
    save,
    save_inference_model,
    set_program_state,
)
from jitcore.compat.paddle.static.scopes import Scope, global_scope, scope_guard
from jitcore.compat.paddle.static.surroundings import cpu_places, cuda_places, device_guard, name_scope
from jitcore.compat.paddle.static.variables import Variable

__all__ = [
    "BuildStrategy",
    "CompiledProgram",
    "ExecutionStrategy",
    "Executor",
    "InputSpec",
    "Print",
    "Program",
    "Scope",
    "Variable",
    "accuracy",
    "append_backward",
    "cpu_places",
    "create_global_var",
    "create_parameter",
    "cuda_places",
    "data",
    "default_main_program",
    "default_startup_program",
    "device_guard",
    "disable_static",
    "enable_static",
    "global_scope",
    "gradients",
    "in_dynamic_mode",
    "load",
    "load_inference_model",
    "load_program_state",
    "name_scope",
    "normalize_program",
    "program_guard",
    "save",
    "save_inference_model",
    "scope_guard",
    "set_program_state",
]
