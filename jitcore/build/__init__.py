"""Libraries for C: exported models as object files that need neither Python nor LLVM nor jitcore.

jitcore build net -o out                    out/net.o, net.h, libnet.so, net_example.c
jitcore.build.build("net", "out")
"""

from __future__ import annotations

from jitcore.build.building import BuildError, Built, build

__all__ = ["BuildError", "Built", "build"]
