"""PyTorch's Modules are what they are in PyTorch, line by line and compiled: recorded facts."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import pytest
from cases import described, load
from grouped import grouped
from layers import FACTS, Layer, layers, state, trained, used
from test_cases import require_same

from jitcore import jit
from jitcore.compat import torch as compat

KNOWN = load(FACTS)
LAYERS = [pytest.param(layer, id=str(layer)) for layer in layers()]


@pytest.fixture(scope="module")
def torch() -> Any:
    compat.install()
    import torch as ours

    yield ours
    compat.uninstall()


@grouped("layer", LAYERS)
def test_is_what_it_is_in_pytorch(layer: Layer, torch: Any) -> None:
    fact = KNOWN[layer.text]
    module = layer.module(torch)
    assert repr(module) == fact["repr"]
    held = state(module, torch)
    assert list(held) == list(fact["state"])
    for key, want in fact["state"].items():
        require_same(held[key], want, key)
    if not layer.draws:
        have = trained(layer, module, torch)
        require_same(have["result"], fact["train"]["result"], "result")
        require_same(have["gradients"], fact["train"]["gradients"], "gradients")
        for name, want in fact["train"]["buffers"].items():
            require_same(have["buffers"][name], want, name)
    require_same(used(layer, module, torch), fact["eval"], "eval")


@grouped("layer", LAYERS)
def test_gives_the_same_compiled(layer: Layer, torch: Any) -> None:
    fact = KNOWN[layer.text]
    module = layer.module(torch)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("error")  # what is run by the interpreter in part
        if not layer.draws:
            made = jit(layer.function(module, torch))(*layer.leaves(torch, required=False))
            require_same(described(made, torch), fact["train"]["result"], "result")
        made = jit(layer.function(module.eval(), torch))(*layer.leaves(torch, required=False))
    require_same(described(made, torch), fact["eval"], "eval")


def test_a_copy_and_a_pickle_hold_the_same(torch: Any) -> None:
    from torch import nn

    module = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert repr(other) == repr(module)
        assert [k for k, _ in other.named_parameters()] == [k for k, _ in module.named_parameters()]
        assert [k for k, _ in other.named_buffers()] == [k for k, _ in module.named_buffers()]
        assert other[0].weight is not module[0].weight
        assert (other[0].weight == module[0].weight).all()
        assert other[0].weight.requires_grad


def test_hooks_see_what_goes_through_a_module_and_back(torch: Any) -> None:
    from torch import nn

    module, seen = nn.Linear(2, 3), []
    handles = [
        module.register_forward_pre_hook(lambda m, args: seen.append(("before", len(args)))),
        module.register_forward_hook(lambda m, args, out: out * 2),
        module.register_full_backward_hook(lambda m, gi, go: seen.append(("back", gi[0].shape, go[0].shape))),
        module.register_full_backward_pre_hook(lambda m, go: seen.append(("first", go[0].shape))),
    ]
    x = torch.ones(4, 2, requires_grad=True)
    module(x).sum().backward()
    assert seen == [("before", 1), ("first", (4, 3)), ("back", (4, 2), (4, 3))]
    assert torch.allclose(x.grad, 2 * module.weight.sum(0).expand(4, 2))
    for handle in handles:
        handle.remove()
    module(x)
    assert len(seen) == 3


def test_a_hook_on_the_way_back_may_change_gradients(torch: Any) -> None:
    from torch import nn

    module = nn.Linear(2, 3)
    module.register_full_backward_hook(lambda m, gi, go: (gi[0] * 0,))
    x = torch.ones(4, 2, requires_grad=True)
    module(x).sum().backward()
    assert (x.grad == 0).all()
    assert (module.bias.grad == 4).all()


def test_conversions_and_parts(torch: Any) -> None:
    from torch import nn

    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Sequential(nn.Linear(3, 1)))
    assert net.to(torch.float64) is net
    assert {p.dtype for p in net.parameters()} == {torch.float64}
    assert net[1].num_batches_tracked.dtype == torch.int64
    assert net[1].running_mean.dtype == torch.float64
    assert next(net.float().to("cpu").parameters()).dtype == torch.float32
    with pytest.raises(RuntimeError):
        net.cuda()
    assert [n for n, _ in net.named_modules()] == ["", "0", "1", "2", "2.0"]
    assert [n for n, _ in net.named_buffers()] == ["1.running_mean", "1.running_var", "1.num_batches_tracked"]
    assert net.get_parameter("2.0.bias") is net[2][0].bias
    assert net.get_submodule("2.0") is net[2][0]
    assert len(net[:2]) == 2
    net.apply(lambda m: nn.init.zeros_(m.weight) if isinstance(m, nn.Linear) else None)
    assert (net[0].weight == 0).all()
    assert not any(m.training for m in net.eval().modules())


def test_containers(torch: Any) -> None:
    from torch import nn

    held = nn.ModuleList([nn.Linear(1, 1) for _ in range(3)])
    held.insert(1, nn.ReLU())
    del held[0]
    assert [type(m).__name__ for m in held] == ["ReLU", "Linear", "Linear"]
    assert list(held.state_dict()) == ["1.weight", "1.bias", "2.weight", "2.bias"]
    named = nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.ReLU()})
    assert (list(named), "b" in named, len(named)) == (["a", "b"], True, 2)
    assert list(named.state_dict()) == ["a.weight", "a.bias"]
    listed = nn.ParameterList([torch.zeros(2), nn.Parameter(torch.ones(3))])
    assert [tuple(p.shape) for p in listed] == [(2,), (3,)]
    assert list(listed.state_dict()) == ["0", "1"]
    by_name = nn.ParameterDict({"u": torch.zeros(2)})
    assert (list(by_name.state_dict()), by_name["u"].requires_grad) == (["u"], True)
    with pytest.raises(TypeError):
        nn.ModuleList([1])
    with pytest.raises(KeyError):
        nn.ModuleDict({"forward": nn.ReLU()})


def test_initialisations_have_their_distributions(torch: Any) -> None:
    from torch import nn

    torch.manual_seed(0)
    weight = nn.Linear(400, 300).weight
    assert abs(weight.abs().max().item() - 1 / 20) < 1e-3
    assert abs(nn.init.xavier_normal_(weight).std().item() - (2 / 700) ** 0.5) < 1e-3
    assert abs(nn.init.kaiming_normal_(weight, nonlinearity="relu").std().item() - (2 / 400) ** 0.5) < 1e-3
    assert nn.init.trunc_normal_(weight, a=-1, b=1).abs().max().item() <= 1
    square = nn.init.orthogonal_(torch.empty(5, 5))
    assert torch.allclose(square @ square.T, torch.eye(5), atol=1e-5)
    assert nn.init.calculate_gain("tanh") == 5 / 3
    assert weight.requires_grad
    torch.manual_seed(3)
    first = nn.Linear(2, 2).weight
    torch.manual_seed(3)
    assert (nn.Linear(2, 2).weight == first).all()


def test_state_hooks_are_called(torch: Any) -> None:
    from torch import nn

    module, seen = nn.Linear(2, 3), []
    module.register_load_state_dict_post_hook(lambda m, keys: seen.append(keys))
    module.register_state_dict_post_hook(lambda m, held, prefix, meta: held.__delitem__(prefix + "bias"))
    held = module.state_dict()
    assert list(held) == ["weight"]
    assert module.load_state_dict(held, strict=False).missing_keys == ["bias"]
    assert len(seen) == 1
    with pytest.raises(RuntimeError, match="Missing key"):
        module.load_state_dict(held)
