"""`python -m jitcore.compat.oneflow script.py [arguments]`: run a OneFlow script on jitcore (`-m module`, `-c text`
too)."""

from __future__ import annotations

import sys

from jitcore.compat import entry
from jitcore.compat.oneflow import install
from jitcore.compat.oneflow.modules import ONEFLOW

if __name__ == "__main__":
    sys.exit(entry.main(ONEFLOW, install, sys.argv[1:]))
