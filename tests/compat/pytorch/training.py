"""What optimizers and schedules do, as PyTorch 2.13 does it: run where PyTorch is installed, this writes the facts.

python tests/compat/pytorch/training.py
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

FACTS = Path(__file__).resolve().parent / "facts" / "training.json"
STEPS = 10

OPTIMIZERS: dict[str, list[dict[str, Any]]] = {
    "SGD": [
        {"lr": 0.1},
        {"lr": 0.1, "momentum": 0.9},
        {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1},
        {"lr": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True},
    ],
    "Adam": [
        {},
        {"lr": 0.1, "betas": (0.8, 0.95), "eps": 1e-3},
        {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True},
        {"lr": 0.1, "maximize": True, "decoupled_weight_decay": True, "weight_decay": 0.1},
    ],
    "AdamW": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.3, "amsgrad": True, "maximize": True}, {"weight_decay": 0}],
    "Adamax": [{"lr": 0.1}, {"lr": 0.1, "betas": (0.8, 0.9), "eps": 0.1, "weight_decay": 0.1, "maximize": True}],
    "NAdam": [
        {"lr": 0.1},
        {"lr": 0.1, "momentum_decay": 0.1, "weight_decay": 0.1},
        {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True, "maximize": True},
    ],
    "RAdam": [
        {"lr": 0.1},
        {"lr": 0.1, "betas": (0.8, 0.9), "weight_decay": 0.1},
        {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True, "maximize": True},
    ],
    "RMSprop": [
        {"lr": 0.1},
        {"lr": 0.1, "momentum": 0.9, "alpha": 0.9},
        {"lr": 0.1, "centered": True, "weight_decay": 0.1},
        {"lr": 0.1, "centered": True, "momentum": 0.5, "maximize": True, "eps": 1e-2},
    ],
    "Adagrad": [
        {"lr": 0.1},
        {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.5, "maximize": True},
    ],
    "Adadelta": [{}, {"lr": 0.5, "rho": 0.8, "eps": 1e-3, "weight_decay": 0.1, "maximize": True}],
    "Rprop": [{"lr": 0.1}, {"lr": 0.1, "etas": (0.3, 1.5), "step_sizes": (1e-3, 0.2), "maximize": True}],
    "ASGD": [{"lr": 0.1}, {"lr": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 3, "weight_decay": 0.1, "maximize": True}],
}

LBFGS: list[dict[str, Any]] = [
    {"lr": 0.1, "max_iter": 5},
    {"max_iter": 4, "history_size": 2},
    {"line_search_fn": "strong_wolfe", "max_iter": 6},
]

BAD: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": -1.0}),
    ("SGD", {"momentum": -0.5}),
    ("SGD", {"weight_decay": -0.5}),
    ("SGD", {"nesterov": True}),
    ("Adam", {"lr": -1.0}),
    ("Adam", {"betas": (1.0, 0.9)}),
    ("Adam", {"betas": (0.5, -0.1)}),
    ("Adam", {"eps": -1.0}),
    ("Adam", {"weight_decay": -1.0}),
    ("Adamax", {"betas": (0.5, 1.1)}),
    ("NAdam", {"momentum_decay": -0.2}),
    ("RMSprop", {"alpha": -0.2}),
    ("Adagrad", {"lr_decay": -0.2}),
    ("Adagrad", {"initial_accumulator_value": -0.2}),
    ("Adadelta", {"rho": 1.1}),
    ("Rprop", {"etas": (1.0, 0.5)}),
    ("ASGD", {"weight_decay": -0.5}),
]

SCHEDULES: dict[str, list[str]] = {
    "by factors": [
        "S.StepLR(o, 3)",
        "S.StepLR(o, step_size=2, gamma=0.5)",
        "S.MultiStepLR(o, [2, 5, 5], gamma=0.3)",
        "S.ConstantLR(o, factor=0.5, total_iters=4)",
        "S.LinearLR(o)",
        "S.LinearLR(o, start_factor=0.2, end_factor=0.7, total_iters=6)",
        "S.ExponentialLR(o, 0.9)",
        "S.PolynomialLR(o, total_iters=7, power=2.0)",
        "S.PolynomialLR(o)",
        "S.LambdaLR(o, lambda k: 0.95**k)",
        "S.LambdaLR(o, [lambda k: 1 / (k + 1), lambda k: k * 0.1])",
        "S.MultiplicativeLR(o, lambda k: 0.9)",
    ],
    "cosines and cycles": [
        "S.CosineAnnealingLR(o, T_max=4, eta_min=0.01)",
        "S.CosineAnnealingLR(o, 20)",
        "S.CosineAnnealingWarmRestarts(o, T_0=3)",
        "S.CosineAnnealingWarmRestarts(o, 2, T_mult=2, eta_min=0.001)",
        "S.CyclicLR(o, base_lr=0.01, max_lr=0.1, step_size_up=3)",
        "S.CyclicLR(o, 0.01, [0.1, 0.2], step_size_up=2, step_size_down=3, mode='triangular2')",
        "S.CyclicLR(o, 0.01, 0.1, step_size_up=4, mode='exp_range', gamma=0.9, cycle_momentum=False)",
        "S.CyclicLR(o, 0.01, 0.1, step_size_up=4, scale_fn=lambda x: 0.5**x, scale_mode='iterations')",
        "S.OneCycleLR(o, max_lr=0.5, total_steps=14)",
        "S.OneCycleLR(o, [0.5, 0.2], epochs=4, steps_per_epoch=5, pct_start=0.4, anneal_strategy='linear')",
        "S.OneCycleLR(o, 0.5, total_steps=14, three_phase=True, div_factor=10, final_div_factor=100)",
    ],
    "several together": [
        "S.SequentialLR(o, [S.ConstantLR(o, factor=0.1, total_iters=3), S.ExponentialLR(o, gamma=0.9)], milestones=[3])",
        "S.SequentialLR(o, schedulers=[S.LinearLR(o, 0.1, total_iters=4), S.CosineAnnealingLR(o, 8)], milestones=[4])",
        "S.ChainedScheduler([S.ConstantLR(o, factor=0.1, total_iters=2), S.ExponentialLR(o, gamma=0.9)])",
    ],
}
PLATEAUS = [
    "S.ReduceLROnPlateau(o, patience=2)",
    "S.ReduceLROnPlateau(o, 'min', factor=0.5, patience=1, cooldown=2, min_lr=[0.03, 0.0])",
    "S.ReduceLROnPlateau(o, mode='max', patience=0, threshold=0.1, threshold_mode='abs')",
]
BAD_SCHEDULES = [
    "S.StepLR(3, 2)",
    "S.ConstantLR(o, factor=1.5)",
    "S.LinearLR(o, start_factor=0.0)",
    "S.LinearLR(o, end_factor=1.5)",
    "S.LambdaLR(o, [lambda k: k])",
    "S.MultiplicativeLR(o, 3)",
    "S.CosineAnnealingWarmRestarts(o, 0)",
    "S.CosineAnnealingWarmRestarts(o, 3, T_mult=0)",
    "S.ReduceLROnPlateau(o, factor=1.0)",
    "S.ReduceLROnPlateau(o, mode='up')",
    "S.CyclicLR(o, 0.1, 0.2, mode='square')",
    "S.CyclicLR(torch.optim.Adagrad([torch.nn.Parameter(torch.ones(2))]), 0.1, 0.2)",
    "S.OneCycleLR(o, 0.1)",
    "S.OneCycleLR(o, 0.1, total_steps=0)",
    "S.OneCycleLR(o, 0.1, total_steps=9, pct_start=2.0)",
    "S.OneCycleLR(o, 0.1, total_steps=9, anneal_strategy='sine')",
    "S.SequentialLR(o, [], [])",
    "S.SequentialLR(o, [S.ExponentialLR(o, 0.9)], [2])",
    "S.ChainedScheduler([])",
    "S.ExponentialLR(o, 0.9, last_epoch=3)",
]


def _values(n: int, phase: float) -> np.ndarray[Any, Any]:
    return np.cos(np.arange(n) * 1.3 + phase)


def _parameters(torch: Any, dtype: str) -> list[Any]:
    """Of several shapes; the last one never has a gradient."""
    shapes = [(3, 2), (4,), (), (2,)]
    made = [_values(math.prod(s), k + 0.5).reshape(s) for k, s in enumerate(shapes)]
    return [torch.nn.Parameter(torch.tensor(m, dtype=getattr(torch, dtype))) for m in made]


def steps(torch: Any, kind: str, options: dict[str, Any], dtype: str = "float32") -> Any:
    """The Parameters after each of ten steps, and what is kept in the end. One has no gradient before the fifth."""
    params = _parameters(torch, dtype)
    groups = [{"params": params[:1]}, {"params": params[1:], "lr": 0.03}]
    optimizer = getattr(torch.optim, kind)(groups, **options)
    found = []
    for k in range(STEPS):
        for n, p in enumerate(params[:3]):
            if n != 2 or k >= 4:
                p.grad = torch.tensor(_values(p.numel(), k * 0.7 + n).reshape(tuple(p.shape)), dtype=p.dtype)
        optimizer.step()
        found.append([listed(p) for p in params])
    state = {str(k): {n: listed(v) for n, v in s.items()} for k, s in optimizer.state_dict()["state"].items()}
    groups = [dict(group) for group in optimizer.state_dict()["param_groups"]]
    return {"steps": found, "state": state, "groups": json.loads(json.dumps(groups)), "text": repr(optimizer)}


def listed(value: Any) -> Any:
    """Tensors as lists."""
    return value.detach().numpy().tolist() if hasattr(value, "detach") else value


def lbfgs(torch: Any, options: dict[str, Any]) -> Any:
    """Rosenbrock's function after each of a few steps."""
    w = torch.nn.Parameter(torch.tensor(np.array([-1.5, 2.0])))
    optimizer = torch.optim.LBFGS([w], **options)
    found = []

    def closure() -> Any:
        optimizer.zero_grad()
        a, b = w[0], w[1]
        loss = (1 - a) * (1 - a) + 10 * (b - a * a) * (b - a * a)
        loss.backward()
        return loss

    for _ in range(5):
        loss = optimizer.step(closure)
        found.append([float(loss), *listed(w), optimizer.state[w]["func_evals"], optimizer.state[w]["n_iter"]])
    return found


def refusal(torch: Any, kind: str, options: dict[str, Any]) -> str:
    """What is said about an option that cannot be."""
    try:
        getattr(torch.optim, kind)([torch.nn.Parameter(torch.ones(2))], **options)
    except ValueError as error:
        return str(error)
    raise AssertionError(kind)


def _optimizer(torch: Any, adam: bool = False) -> Any:
    groups = [
        {"params": [torch.nn.Parameter(torch.ones(2))]},
        {"params": [torch.nn.Parameter(torch.ones(3))], "lr": 0.3},
    ]
    return torch.optim.Adam(groups, lr=0.1) if adam else torch.optim.SGD(groups, lr=0.1, momentum=0.9)


def _made(text: str, torch: Any, optimizer: Any) -> Any:
    return eval(text, {"torch": torch, "S": torch.optim.lr_scheduler, "o": optimizer})


def rates(torch: Any, text: str, adam: bool = False) -> Any:
    """The rates, and momenta, after each of twelve steps, half of them by another schedule with the first one's
    state."""
    optimizer = _optimizer(torch, adam)
    schedule = _made(text, torch, optimizer)
    found = []
    for k in range(STEPS + 2):
        momenta = [g["betas"][0] if adam else g["momentum"] for g in optimizer.param_groups]
        found.append([schedule.get_last_lr(), [g["lr"] for g in optimizer.param_groups], momenta])
        optimizer.step()
        schedule.step()
        if k == 5:
            other = _optimizer(torch, adam)
            again = _made(text, torch, other)
            again.load_state_dict(schedule.state_dict())
            other.load_state_dict(optimizer.state_dict())
            schedule, optimizer = again, other
            optimizer.step()
    return found


def plateau(torch: Any, text: str) -> Any:
    """The rates as something becomes better, or not."""
    optimizer = _optimizer(torch)
    schedule = _made(text, torch, optimizer)
    found = []
    for metric in (1.0, 0.9, 0.95, 0.9, 0.9, 0.91, 0.92, 0.8, 0.85, 0.85, 0.85, 0.85, 0.86, 0.87, 0.88, 0.9):
        optimizer.step()
        schedule.step(metric)
        found.append([schedule.get_last_lr(), [schedule.best, schedule.num_bad_epochs]])
    return found


def refused_schedule(torch: Any, text: str) -> list[str]:
    """What is said about a schedule that cannot be."""
    try:
        _made(text, torch, _optimizer(torch))
    except (TypeError, ValueError, KeyError) as error:
        return [type(error).__name__, str(error)]
    raise AssertionError(text)


def facts(torch: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """All that is compared, by names."""
    for kind, forms in OPTIMIZERS.items():
        for options in forms:
            yield f"{kind} {options}", lambda k=kind, o=options: steps(torch, k, o)
        yield f"{kind} float64", lambda k=kind: steps(torch, k, {}, "float64")
    for options in LBFGS:
        yield f"LBFGS {options}", lambda o=options: lbfgs(torch, o)
    for kind, options in BAD:
        yield f"bad {kind} {options}", lambda k=kind, o=options: refusal(torch, k, o)
    for texts in SCHEDULES.values():
        for text in texts:
            yield text, lambda t=text: rates(torch, t)
    yield "Adam's beta", lambda: rates(torch, SCHEDULES["cosines and cycles"][4], adam=True)
    for text in PLATEAUS:
        yield text, lambda t=text: plateau(torch, t)
    for text in BAD_SCHEDULES:
        yield text, lambda t=text: refused_schedule(torch, t)


def main() -> None:
    """Write the facts down."""
    import torch

    warnings.simplefilter("ignore")
    found = {name: run() for name, run in facts(torch)}
    FACTS.write_text(json.dumps(found) + "\n")
    print(f"{len(found)} facts")


if __name__ == "__main__":
    main()
