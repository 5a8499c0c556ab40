"""Writes down what Paddle 3.3.1 gives for the cases of networks: run it where Paddle is installed.

python tests/compat/paddle/recording_networks.py [family ...]
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from network_cases import HERE, cases

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    import paddle

    for file in sorted((HERE / "networks").glob("*.txt")):
        if len(sys.argv) < 2 or file.stem in sys.argv[1:]:
            lines = []
            for case in cases(file):
                try:
                    with paddle.utils.unique_name.guard():
                        lines.append(json.dumps(case.evaluated(paddle), separators=(",", ":")))
                except Exception as error:
                    raise RuntimeError(f"{case}: {error}") from error
            file.with_suffix(".jsonl").write_text("\n".join(lines) + "\n")
            print(f"{file.stem}: {len(lines)} cases")
