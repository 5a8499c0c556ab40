"""Program IR run with its kernels, slowly: reads and writes outside of live memory, counts that go wrong, memory that
is never given back and reads of memory never written are errors (`Fault`).

    results, counts = run_program(program, [np.arange(3.0), 2], arg_types, result_types)
"""

from jitcore.backends.interpreter.program.kernels import run_contraction, run_kernel
from jitcore.backends.interpreter.program.memory import Fault, Memory
from jitcore.backends.interpreter.program.run import Counts, ProgramRun, run_program

__all__ = ["Counts", "Fault", "Memory", "ProgramRun", "run_contraction", "run_kernel", "run_program"]
