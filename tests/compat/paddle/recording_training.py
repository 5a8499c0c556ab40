"""Writes down what Paddle 3.3.1's optimizers and schedules do: run it where Paddle is installed."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from training_cases import runs

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    import paddle

    lines = [json.dumps(run(text, paddle), separators=(",", ":")) for run, text in runs()]
    Path(__file__).with_name("training_facts.jsonl").write_text("\n".join(lines) + "\n")
