"""Writes down what PyTorch 2.13 gives for the cases: run it where PyTorch is installed.

python tests/compat/pytorch/recording.py [family ...]
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cases import HERE, Case, cases, evaluated


def fact(case: Case, torch: Any) -> Any:
    """What PyTorch gives for a case, or raises."""
    torch.manual_seed(0)
    try:
        return {"case": case.text, **evaluated(case, torch, case.function(torch))}
    except Exception as error:
        if not case.raises:
            raise RuntimeError(f"{case}: {error}") from error
        return {"case": case.text, "raises": type(error).__name__, "words": str(error).split("\n")[0]}


def main(families: list[str]) -> None:
    """Record the facts of some families of cases, or of all."""
    import torch

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for file in sorted((HERE / "cases").glob("*.txt")):
        if not families or file.stem in families:
            lines = [json.dumps(fact(case, torch)) for case in cases(file)]
            (HERE / "facts" / f"{file.stem}.jsonl").write_text("\n".join(lines) + "\n")
            print(f"{file.stem}: {len(lines)} cases")


if __name__ == "__main__":
    main(sys.argv[1:])
