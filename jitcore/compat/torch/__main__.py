"""`python -m jitcore.compat.torch script.py [arguments]`: run a PyTorch script on jitcore (`-m module`, `-c text`
too)."""

from __future__ import annotations

import sys

from jitcore.compat import entry
from jitcore.compat.torch import install
from jitcore.compat.torch.modules import TORCH

if __name__ == "__main__":
    sys.exit(entry.main(TORCH, install, sys.argv[1:]))
