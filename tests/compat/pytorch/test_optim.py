"""Optimizers do what PyTorch's do, by recorded facts, and refuse what PyTorch refuses."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from training import BAD, FACTS, LBFGS, OPTIMIZERS, lbfgs, refusal, steps

from jitcore.compat import torch as compat

RECORDED = json.loads(FACTS.read_text())


@pytest.fixture(scope="module")
def torch() -> Any:
    compat.install()
    import torch as ours
    import torch.nn
    import torch.optim

    yield ours
    compat.uninstall()


def require_close(have: Any, want: Any, close: float, where: str = "") -> None:
    if isinstance(want, dict):
        assert list(have) == list(want), where
        for key in want:
            require_close(have[key], want[key], close, f"{where}.{key}")
    elif isinstance(want, list) and any(isinstance(w, list) for w in want):
        assert len(have) == len(want), where
        for k, (a, b) in enumerate(zip(have, want, strict=True)):
            require_close(a, b, close, f"{where}[{k}]")
    else:
        np.testing.assert_allclose(have, want, rtol=close, atol=close, err_msg=where)


FORMS = [(kind, options) for kind, forms in OPTIMIZERS.items() for options in forms]


@pytest.mark.parametrize(("kind", "options"), FORMS, ids=[f"{k} {o}" for k, o in FORMS])
def test_ten_steps(kind: str, options: dict[str, Any], torch: Any) -> None:
    want = RECORDED[f"{kind} {options}"]
    have = steps(torch, kind, options)
    require_close(have["steps"], want["steps"], 2e-5)
    require_close(have["state"], want["state"], 2e-5)
    assert have["groups"] == want["groups"]
    assert have["text"] == want["text"]


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_in_double_precision(kind: str, torch: Any) -> None:
    want = RECORDED[f"{kind} float64"]
    have = steps(torch, kind, {}, "float64")
    close = 1e-7 if kind in ("NAdam", "ASGD") else 1e-12  # they count in float32 besides
    require_close(have["steps"], want["steps"], close)


@pytest.mark.parametrize("options", LBFGS, ids=str)
def test_lbfgs(options: dict[str, Any], torch: Any) -> None:
    require_close(lbfgs(torch, options), RECORDED[f"LBFGS {options}"], 1e-6)


@pytest.mark.parametrize(("kind", "options"), BAD, ids=str)
def test_bad_options_are_refused_in_pytorchs_words(kind: str, options: dict[str, Any], torch: Any) -> None:
    assert refusal(torch, kind, options) == RECORDED[f"bad {kind} {options}"]


# --- groups and state -----------------------------------------------------------------------------------


def _parameter(torch: Any, *values: float) -> Any:
    p = torch.nn.Parameter(torch.tensor(values))
    p.grad = torch.ones_like(p)
    return p


def test_what_is_no_list_of_parameters_is_refused(torch: Any) -> None:
    p = _parameter(torch, 1.0)
    sgd = torch.optim.SGD
    with pytest.raises(ValueError, match="optimizer got an empty parameter list"):
        sgd([])
    with pytest.raises(TypeError, match="params argument given to the optimizer should be an iterable"):
        sgd(p)
    with pytest.raises(TypeError, match="can only optimize Tensors, but one of the params is int"):
        sgd([3])
    with pytest.raises(TypeError, match="ordered collections"):
        sgd([{"params": {p}}])
    with pytest.raises(ValueError, match="can't optimize a non-leaf Tensor"):
        sgd([p * 2])
    with pytest.raises(ValueError, match="some parameters appear in more than one parameter group"):
        sgd([{"params": [p]}, {"params": [p]}])
    with pytest.raises(NotImplementedError):
        torch.optim.Optimizer([p], {}).step()


def test_groups_are_added(torch: Any) -> None:
    p, q = _parameter(torch, 1.0), _parameter(torch, 2.0)
    optimizer = torch.optim.SGD([p], lr=0.5)
    optimizer.add_param_group({"params": q, "lr": 1.0})
    optimizer.step()
    assert (p.tolist(), q.tolist()) == ([0.5], [1.0])
    assert optimizer.param_groups[1]["momentum"] == 0


def test_parameters_may_have_names(torch: Any) -> None:
    optimizer = torch.optim.SGD([("w", _parameter(torch, 1.0)), ("b", _parameter(torch, 1.0))])
    assert optimizer.state_dict()["param_groups"][0]["param_names"] == ["w", "b"]
    with pytest.raises(ValueError, match="with/without names"):
        torch.optim.SGD([("w", _parameter(torch, 1.0)), _parameter(torch, 1.0)])


def test_state_is_loaded(torch: Any) -> None:
    p, q = _parameter(torch, 1.0, 2.0), _parameter(torch, 1.0, 2.0)
    one, other = torch.optim.Adam([p], lr=0.1), torch.optim.Adam([q], lr=7.0)
    one.step()
    with torch.no_grad():
        q.data = p.data + 0
    other.load_state_dict(copy.deepcopy(one.state_dict()))
    one.step()
    other.step()
    assert q.tolist() == p.tolist()
    assert other.param_groups[0]["lr"] == 0.1
    with pytest.raises(ValueError, match="different number of parameter groups"):
        other.load_state_dict({"state": {}, "param_groups": []})
    with pytest.raises(ValueError, match="doesn't match the size of optimizer's group"):
        other.load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})


def test_loaded_state_has_the_parameters_dtype(torch: Any) -> None:
    optimizer = torch.optim.Adam([_parameter(torch, 1.0)])
    optimizer.step()
    double = torch.nn.Parameter(torch.ones(1, dtype=torch.float64))
    other = torch.optim.Adam([double])
    other.load_state_dict(optimizer.state_dict())
    assert other.state[double]["exp_avg"].dtype is torch.float64
    assert other.state[double]["step"].dtype is torch.float32


def test_gradients_are_forgotten_or_made_zero(torch: Any) -> None:
    p = _parameter(torch, 1.0)
    optimizer = torch.optim.SGD([p])
    optimizer.zero_grad(set_to_none=False)
    assert p.grad.tolist() == [0.0]
    optimizer.zero_grad()
    assert p.grad is None


def test_closures_are_called_with_gradients_recorded(torch: Any) -> None:
    p = _parameter(torch, 3.0)
    optimizer = torch.optim.SGD([p], lr=0.5)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (p * p).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert float(optimizer.step(closure)) == 9.0
    assert p.tolist() == [0.0]


def test_a_step_counts_as_a_write(torch: Any) -> None:
    p = _parameter(torch, 3.0)
    loss = (p * p).sum()
    torch.optim.SGD([p], lr=0.5).step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_hooks(torch: Any) -> None:
    p = _parameter(torch, 1.0)
    optimizer = torch.optim.SGD([p])
    seen: list[str] = []
    handle = optimizer.register_step_pre_hook(lambda *_: seen.append("before"))
    optimizer.register_step_post_hook(lambda *_: seen.append("after"))
    optimizer.register_state_dict_post_hook(lambda _, state: {**state, "extra": 1})
    optimizer.step()
    handle.remove()
    optimizer.step()
    assert seen == ["before", "after", "after"]
    assert optimizer.state_dict()["extra"] == 1


def test_optimizers_of_ones_own(torch: Any) -> None:
    class Sign(torch.optim.Optimizer):
        def __init__(self, params: Any, lr: float) -> None:
            super().__init__(params, {"lr": lr})

        def step(self, closure: Any = None) -> None:
            for group in self.param_groups:
                for p in group["params"]:
                    self.state[p]["steps"] = self.state[p].get("steps", 0) + 1
                    p.data = p.data - p.grad / p.grad * group["lr"]

    p = _parameter(torch, 1.0)
    optimizer = Sign([p], 0.25)
    optimizer.step()
    assert p.tolist() == [0.75]
    assert optimizer.state[p]["steps"] == 1


def test_complex_parameters(torch: Any) -> None:
    p = torch.nn.Parameter(torch.tensor([1 + 2j, 3 - 1j]))
    p.grad = torch.tensor([0.5 + 0.1j, -2 + 1j])
    torch.optim.Adam([p], lr=0.1).step()
    np.testing.assert_allclose(p.detach().numpy(), [0.9 + 1.9j, 3.1 - 1.1j], rtol=1e-5)


# --- gradients that are clipped, and scaled -------------------------------------------------------------


def test_gradients_are_clipped_by_their_norm(torch: Any) -> None:
    from torch.nn.utils import clip_grad_norm_

    p, q = _parameter(torch, 1.0, 1.0, 1.0), _parameter(torch, 1.0)
    assert float(clip_grad_norm_([p, q, _without(torch)], 1.0)) == 2.0
    np.testing.assert_allclose(p.grad.tolist(), [0.5] * 3, rtol=1e-6)
    assert float(clip_grad_norm_([p, q], 5.0, norm_type="inf")) == pytest.approx(0.5)
    assert float(clip_grad_norm_(iter([p, q]), 5.0, norm_type=1)) == pytest.approx(2.0)
    np.testing.assert_allclose(q.grad.tolist(), [0.5], rtol=1e-6)
    assert float(clip_grad_norm_([], 1.0)) == 0.0
    p.grad = torch.tensor([float("nan"), 0.0, 0.0])
    with pytest.raises(RuntimeError, match="non-finite"):
        clip_grad_norm_(p, 1.0, error_if_nonfinite=True)


def _without(torch: Any) -> Any:
    return torch.nn.Parameter(torch.ones(2))


def test_gradients_are_clipped_by_value(torch: Any) -> None:
    p = _parameter(torch, 1.0, 1.0)
    p.grad = torch.tensor([-3.0, 0.25])
    torch.nn.utils.clip_grad_value_([p, _without(torch)], 0.5)
    assert p.grad.tolist() == [-0.5, 0.25]


def test_parameters_as_one_vector(torch: Any) -> None:
    params = [torch.nn.Parameter(torch.ones(2, 2)), torch.nn.Parameter(torch.zeros(1))]
    vector = torch.nn.utils.parameters_to_vector(params)
    assert vector.tolist() == [1.0, 1.0, 1.0, 1.0, 0.0]
    torch.nn.utils.vector_to_parameters(torch.arange(5.0), params)
    assert params[0].tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert params[1].tolist() == [4.0]


def test_sequences_are_padded(torch: Any) -> None:
    from torch.nn.utils.rnn import pad_sequence

    sequences = [torch.tensor([1, 2]), torch.tensor([3])]
    assert pad_sequence(sequences).tolist() == [[1, 3], [2, 0]]
    assert pad_sequence(sequences, batch_first=True, padding_value=-1).tolist() == [[1, 2], [3, -1]]
    assert pad_sequence(sequences, True, padding_side="left").tolist() == [[1, 2], [0, 3]]
    w = torch.ones(2, 3, requires_grad=True)
    padded = pad_sequence([w, torch.zeros(3, 3)])
    assert padded.shape == (3, 2, 3)
    padded.sum().backward()
    assert w.grad.tolist() == [[1.0] * 3] * 2


def test_losses_are_scaled_and_steps_with_infinite_gradients_skipped(torch: Any) -> None:
    p = _parameter(torch, 1.0)
    optimizer = torch.optim.SGD([p], lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    for factor in (1.0, float("inf"), 1.0, 1.0):
        optimizer.zero_grad()
        scaler.scale((p * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
    assert p.tolist() == [-0.5]
    assert scaler.get_scale() == 8.0
    other = torch.amp.GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.get_scale() == 8.0
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match=r"unscale_\(\) has already been called"):
        scaler.unscale_(optimizer)


def test_without_a_gpu(torch: Any) -> None:
    assert not torch.cuda.is_available()
    assert torch.cuda.device_count() == 0
    torch.cuda.manual_seed_all(3)
    torch.backends.cudnn.benchmark = True
    with pytest.warns(UserWarning, match="CUDA is not available"):
        assert not torch.cuda.amp.GradScaler().is_enabled()
    with torch.autocast("cuda", enabled=False), torch.amp.autocast("cpu", enabled=False):
        pass


# --- all together ---------------------------------------------------------------------------------------


def test_a_line_is_learnt(torch: Any) -> None:
    torch.manual_seed(0)
    x = torch.tensor(np.linspace(-1, 1, 64).reshape(64, 1).astype(np.float32))
    data = torch.utils.data.TensorDataset(x, x * 3 + 1)
    w, b = torch.nn.Parameter(torch.zeros(1, 1)), torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.AdamW([w, b], lr=0.1, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=20)
    for _ in range(20):
        for inputs, wanted in torch.utils.data.DataLoader(data, batch_size=8, shuffle=True):
            optimizer.zero_grad()
            error = inputs @ w + b - wanted
            (error * error).mean().backward()
            optimizer.step()
        schedule.step()
    assert float(w) == pytest.approx(3, abs=0.02)
    assert float(b) == pytest.approx(1, abs=0.02)
