"""What DataLoaders and what feeds them do, as PyTorch 2.13 does it, and a file of its own: run where PyTorch is
installed, this writes the facts.

python tests/compat/pytorch/feeding.py
"""

from __future__ import annotations

import json
import warnings
from collections import OrderedDict, namedtuple
from pathlib import Path
from typing import Any

import numpy as np

FACTS = Path(__file__).resolve().parent / "facts"
Pair = namedtuple("Pair", ["a", "b"])

BATCHES = [
    "D(T(x, y), batch_size=2)",
    "D(T(x, y), batch_size=2, drop_last=True)",
    "D(T(x, y))",
    "D(T(x), batch_size=None)",
    "D(T(x, y), batch_size=3, sampler=[4, 0, 2, 1])",
    "D(T(x, y), batch_sampler=[[0, 1, 2], [4]])",
    "D(T(x, y), batch_sampler=U.BatchSampler(U.SequentialSampler(range(5)), 2, True))",
    "D(U.Subset(T(y), [3, 1, 1]), batch_size=2)",
    "D(U.ConcatDataset([T(y), U.Subset(T(y), [0])]), batch_size=4)",
    "D(T(y) + T(y), batch_size=10)",
    "D(U.StackDataset(T(y), x), batch_size=3)",
    "D(U.StackDataset(image=x, label=y), batch_size=3)",
    "D([1, 2, 3], batch_size=2)",
    "D([1.5, 2.5, 3.5], batch_size=2)",
    "D([True, False], batch_size=2)",
    "D(['a', 'bc', 'd'], batch_size=2)",
    "D([{'a': 1, 'b': [1.0, 2.0]}, {'a': 2, 'b': [3.0, 4.0]}], batch_size=2)",
    "D([(np.ones(2), np.float32(3)), (np.zeros(2), np.float32(4))], batch_size=2)",
    "D([Pair(1, x[0]), Pair(2, x[1])], batch_size=2)",
    "D([(x[0], [y[0], 2]), (x[1], [y[1], 3])], batch_size=2)",
    "D([1, 2, 3, 4, 5], batch_size=2, collate_fn=lambda items: sum(items))",
    "D(np.arange(6).reshape(3, 2), batch_size=None)",
    "D(Counting(5), batch_size=2)",
    "D(Counting(5), batch_size=2, drop_last=True)",
    "D(Counting(3), batch_size=None)",
    "D(U.ChainDataset([Counting(2), Counting(3)]), batch_size=4)",
    "D(Counting(7), batch_size=2, num_workers=2)",
    "D(T(x, y), batch_size=2, num_workers=2)",
    "D(T(x, y), batch_size=1, num_workers=3, prefetch_factor=1, persistent_workers=True)",
]

REFUSED = [
    "D(T(x), batch_size=0)",
    "D(T(x), num_workers=-1)",
    "D(T(x), timeout=-1)",
    "D(T(x), prefetch_factor=2)",
    "D(T(x), persistent_workers=True)",
    "D(T(x), shuffle=True, sampler=[0])",
    "D(T(x), batch_sampler=[[0]], batch_size=3)",
    "D(T(x), batch_sampler=[[0]], drop_last=True)",
    "D(T(x), batch_size=None, drop_last=True)",
    "D(Counting(3), shuffle=True)",
    "D(Counting(3), sampler=[0])",
    "D([], shuffle=True)",
    "T(x, y[:2])",
    "U.ConcatDataset([])",
    "U.ConcatDataset([T(y)])[-7]",
    "U.ConcatDataset([Counting(2)])",
    "U.random_split(T(x), [1, 2])",
    "U.random_split(T(x), [1.5, -0.5])",
    "U.RandomSampler(T(x), num_samples=-1)",
    "U.RandomSampler(T(x), replacement=3)",
    "U.WeightedRandomSampler([0.5, 0.5], 0)",
    "U.BatchSampler([1], 0, False)",
    "U.BatchSampler([1], 2, 3)",
    "next(iter(D([x[0], x[0][:1]], batch_size=2)))",
    "next(iter(D([[1], [1, 2]], batch_size=2)))",
    "next(iter(D([None, None], batch_size=2)))",
    "next(iter(D(U.Dataset(), sampler=[0])))",
]


def scope(torch: Any) -> dict[str, Any]:
    """What the texts are evaluated in."""
    data = torch.utils.data

    class Counting(data.IterableDataset):
        def __init__(self, n: int) -> None:
            self.n = n

        def __iter__(self) -> Any:
            worker = data.get_worker_info()
            start, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
            return iter(range(start, self.n, step))

    tensors = {"x": torch.arange(10).reshape(5, 2), "y": torch.arange(5) * 10}
    names = {"U": data, "D": data.DataLoader, "T": data.TensorDataset, "Counting": Counting}
    return {**names, **tensors, "np": np, "Pair": Pair, "torch": torch}


def described(value: Any) -> Any:
    """A batch, as JSON can hold it, with the types of its parts."""
    if hasattr(value, "detach"):
        return {str(value.dtype): value.tolist()}
    if isinstance(value, dict):
        return {key: described(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(described, value)]
    return value


def batches(torch: Any, text: str) -> list[Any]:
    """All batches, twice."""
    loader = eval(text, scope(torch))
    return [[described(batch) for batch in loader] for _ in range(2)]


def refusal(torch: Any, text: str) -> list[str]:
    """What is raised."""
    try:
        eval(text, scope(torch))
    except Exception as error:
        return [type(error).__name__, str(error)]
    raise AssertionError(text)


def saved(torch: Any) -> Any:
    """What is saved, and loaded again."""
    base = torch.arange(6).reshape(2, 3)
    weights = OrderedDict(weight=torch.ones(2, 3) * 0.5, bias=torch.zeros(3, dtype=torch.float64))
    return {
        "model": weights,
        "optimizer": {"state": {0: {"step": torch.tensor(3.0)}}, "param_groups": [{"lr": 0.1, "betas": (0.9, 0.99)}]},
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "base": base,
        "row": base[1],
        "column": base[:, 1],
        "flags": torch.tensor([True, False]),
        "small": torch.tensor([1, 2], dtype=torch.int8),
        "half": torch.tensor([1.5], dtype=torch.float16),
        "complex": torch.tensor([1 + 2j]),
        "empty": torch.zeros(0, 3),
        "leaf": torch.ones(1, requires_grad=True),
        "others": [1, 2.5, "text", b"\xff\x00", None, True, {1, 2}, 1j, torch.float32, base.shape, torch.device("cpu")],
    }


def main() -> None:
    """Write the facts down."""
    import torch

    warnings.simplefilter("ignore")
    found = {text: batches(torch, text) for text in BATCHES}
    found.update({text: refusal(torch, text) for text in REFUSED})
    (FACTS / "feeding.json").write_text(json.dumps(found) + "\n")
    torch.save(saved(torch), FACTS / "saved.pt")
    torch.save(torch.nn.Linear(2, 3), FACTS / "module.pt")
    print(f"{len(found)} facts")


if __name__ == "__main__":
    main()
