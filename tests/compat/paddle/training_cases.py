"""Optimizers and schedules of Paddle's, as expressions: run by Paddle itself when facts are recorded, and by jitcore in
tests."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

STEPS: Final = 4

OPTIMIZERS: Final = (
    "optimizer.SGD(0.1, parameters=ps)",
    "optimizer.SGD(0.1, ps, weight_decay=0.05)",
    "optimizer.SGD(0.1, ps, weight_decay=paddle.regularizer.L1Decay(0.05))",
    "optimizer.SGD(learning_rate=0.1, parameters=ps, grad_clip=nn.ClipGradByGlobalNorm(0.5))",
    "optimizer.SGD(0.1, ps, grad_clip=nn.ClipGradByNorm(0.5), weight_decay=paddle.regularizer.L2Decay(0.1))",
    "optimizer.SGD(0.1, ps, grad_clip=nn.ClipGradByValue(0.3))",
    "optimizer.SGD(0.1, ps, grad_clip=nn.ClipGradByValue(0.3, -0.1))",
    "optimizer.SGD(0.1, [{'params': ps[:1], 'learning_rate': 0.5, 'weight_decay': 0.1}, {'params': ps[1:]}])",
    "optimizer.Momentum(0.1, parameters=ps)",
    "optimizer.Momentum(0.1, 0.8, ps, use_nesterov=True, weight_decay=0.05)",
    "optimizer.Momentum(0.1, 0.8, ps, weight_decay=paddle.regularizer.L1Decay(0.05), rescale_grad=0.5)",
    "optimizer.Momentum(0.1, parameters=[{'params': ps[:1], 'learning_rate': 0.5}, {'params': ps[1:], 'momentum': 0.5}])",
    "optimizer.Adam(0.1, parameters=ps)",
    "optimizer.Adam(0.1, 0.8, 0.9, 1e-3, ps, weight_decay=0.05)",
    "optimizer.Adam(0.1, parameters=ps, amsgrad=True)",
    "optimizer.Adam(0.1, parameters=ps, grad_clip=nn.ClipGradByGlobalNorm(0.2), weight_decay=1e-2)",
    "optimizer.Adam(optimizer.lr.StepDecay(0.1, 2), parameters=ps)",
    "optimizer.AdamW(0.1, parameters=ps)",
    "optimizer.AdamW(0.1, parameters=ps, weight_decay=0.2, apply_decay_param_fun=lambda n: n.endswith('w_0'))",
    "optimizer.AdamW(0.1, 0.8, 0.9, 1e-3, [{'params': ps[:1], 'weight_decay': 0.3}, {'params': ps[1:]}])",
    "optimizer.Adamax(0.1, parameters=ps)",
    "optimizer.Adamax(0.1, 0.8, 0.9, 1e-3, ps, weight_decay=0.05)",
    "optimizer.Adagrad(0.1, parameters=ps)",
    "optimizer.Adagrad(0.1, 1e-3, ps, weight_decay=0.05, initial_accumulator_value=0.1)",
    "optimizer.Adadelta(0.1, parameters=ps)",
    "optimizer.Adadelta(1.0, 1e-3, 0.9, ps, weight_decay=0.05)",
    "optimizer.RMSProp(0.1, parameters=ps)",
    "optimizer.RMSProp(0.1, 0.9, 1e-3, 0.5, True, ps, weight_decay=0.05)",
    "optimizer.Lamb(0.1, parameters=ps)",
    "optimizer.Lamb(0.1, 0.2, 0.8, 0.9, 1e-3, ps, exclude_from_weight_decay_fn=lambda p: p.name.endswith('b_0'))",
    "optimizer.Lamb(0.1, 0.0, parameters=ps)",
    "optimizer.Lamb(0.1, 0.0, parameters=ps, always_adapt=True)",
)

SCHEDULES: Final = (
    "lr.NoamDecay(64, 4, 2.0)",
    "lr.PiecewiseDecay([3, 6], [0.5, 0.2, 0.1])",
    "lr.NaturalExpDecay(0.5, 0.1)",
    "lr.InverseTimeDecay(0.5, 0.1)",
    "lr.PolynomialDecay(0.5, 5)",
    "lr.PolynomialDecay(0.5, 5, end_lr=0.01, power=2.0, cycle=True)",
    "lr.LinearWarmup(0.5, 4, 0.0, 0.5)",
    "lr.LinearWarmup(lr.ExponentialDecay(0.5, 0.9), 4, 0.1, 0.5)",
    "lr.ExponentialDecay(0.5, 0.9)",
    "lr.MultiStepDecay(0.5, [2, 5], 0.5)",
    "lr.StepDecay(0.5, 3)",
    "lr.LambdaDecay(0.5, lambda k: 0.95 ** k)",
    "lr.MultiplicativeDecay(0.5, lambda k: 0.95)",
    "lr.CosineAnnealingDecay(0.5, 4)",
    "lr.CosineAnnealingDecay(0.5, 3, eta_min=0.05)",
    "lr.CosineAnnealingWarmRestarts(0.5, 3)",
    "lr.CosineAnnealingWarmRestarts(0.5, 2, T_mult=2, eta_min=0.01)",
    "lr.OneCycleLR(1.0, 12)",
    "lr.OneCycleLR(1.0, 12, phase_pct=0.25, anneal_strategy='linear', three_phase=True)",
    "lr.CyclicLR(0.1, 1.0, 3)",
    "lr.CyclicLR(0.1, 1.0, 2, 3, mode='triangular2')",
    "lr.CyclicLR(0.1, 1.0, 2, mode='exp_range', exp_gamma=0.9)",
    "lr.CyclicLR(0.1, 1.0, 2, scale_fn=lambda k: 0.5 ** k, scale_mode='iterations')",
    "lr.LinearLR(0.5, 4)",
    "lr.LinearLR(0.5, 4, start_factor=0.5, end_factor=0.8)",
)

PLATEAUS: Final = (
    "lr.ReduceOnPlateau(0.5, patience=1)",
    "lr.ReduceOnPlateau(0.5, mode='max', factor=0.5, patience=0, threshold=0.05, threshold_mode='abs', cooldown=1)",
    "lr.ReduceOnPlateau(0.5, factor=0.5, patience=0, min_lr=0.2)",
)
MEASURES: Final = (1.0, 0.8, 0.81, 0.8, 0.79, 0.9, 0.5, 0.5, 0.49, 0.6)


def run_optimizer(text: str, paddle: Any) -> dict[str, Any]:
    """What an optimizer makes of two Parameters, and what it keeps."""
    with paddle.utils.unique_name.guard():
        layer = paddle.nn.Linear(2, 3)
        ps = layer.parameters()
        for k, p in enumerate(ps):
            values = np.sin(np.arange(1, 1 + int(np.prod(p.shape))) * 1.7 + k).reshape(list(p.shape))
            p.set_value(values.astype("float32"))
        made = eval(text, {"paddle": paddle, "nn": paddle.nn, "optimizer": paddle.optimizer, "ps": ps})
        x = paddle.to_tensor(np.cos(np.arange(8.0)).reshape(4, 2).astype("float32"))
        rates: list[float] = []
        for _ in range(STEPS):
            loss = (layer(x) ** 2 * 0.5 + layer(x) ** 3).mean()
            loss.backward()
            made.step()
            made.clear_grad()
            rates.append(round(float(made.get_lr()), 9))
            if not isinstance(made._learning_rate, float):
                made._learning_rate.step()
        kept = {name: _listed(value) for name, value in sorted(made.state_dict().items()) if name != "LR_Scheduler"}
    return {"case": text, "parameters": [_listed(p) for p in ps], "rates": rates, "kept": kept}


def _listed(tensor: Any) -> list[float]:
    return [float(f"{v:.7g}") for v in np.asarray(tensor.numpy(), np.float64).reshape(-1)]


def run_schedule(text: str, paddle: Any) -> dict[str, Any]:
    """The rates of a schedule, what it keeps, and the rate of an epoch that is asked for."""
    made = eval(text, {"lr": paddle.optimizer.lr})
    rates: list[float] = []
    for _ in range(12):
        rates.append(made())
        made.step()
    state = {k: v for k, v in made.state_dict().items() if not isinstance(v, dict)}
    made.step(5)
    return {"case": text, "rates": rates, "state": state, "fifth": made()}


def run_plateau(text: str, paddle: Any) -> dict[str, Any]:
    """The rates of a schedule by measures, and what it keeps."""
    made = eval(text, {"lr": paddle.optimizer.lr})
    rates: list[float] = []
    for measure in MEASURES:
        made.step(measure)
        rates.append(made())
    return {"case": text, "rates": rates, "state": made.state_dict()}


def runs() -> list[tuple[Any, str]]:
    """All of them, with what runs them."""
    pairs = ((run_optimizer, OPTIMIZERS), (run_schedule, SCHEDULES), (run_plateau, PLATEAUS))
    return [(run, text) for run, texts in pairs for text in texts]
