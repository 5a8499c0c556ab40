"""The programs whose first calls `compile_times.py` measures: `PROGRAMS`, by name."""

from __future__ import annotations

from compile_programs import corpus, functions, training
from compile_programs.program import Program

PROGRAMS: dict[str, Program] = {
    program.name: program for family in (training, functions, corpus) for program in family.PROGRAMS
}
EVERY: dict[str, Program] = {**PROGRAMS, **{program.name: program for program in training.all_pairs()}}
"""Besides them, every network with every optimizer."""
