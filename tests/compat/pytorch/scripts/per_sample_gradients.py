"""torch.func: per-sample gradients, ensembles by vmap, Jacobians, and functional_call."""

import copy
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, stack_module_state, vjp, vmap

torch.set_printoptions(precision=8)

warnings.filterwarnings("ignore")
torch.set_default_dtype(torch.float64)


class MLP(nn.Module):
    def __init__(self, shift=0):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(3, 5), nn.Linear(5, 2)
        for k, p in enumerate(self.parameters()):
            p.data = torch.sin(torch.arange(p.numel()) + k + shift).reshape(p.shape)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


data, targets = torch.cos(torch.arange(12.0)).view(4, 3), torch.tensor([0, 1, 1, 0])
model = MLP()
params = {k: v.detach() for k, v in model.named_parameters()}
buffers = {k: v.detach() for k, v in model.named_buffers()}


def compute_loss(params, buffers, sample, target):
    predictions = functional_call(model, (params, buffers), (sample.unsqueeze(0),))
    return F.cross_entropy(predictions, target.unsqueeze(0))


ft_compute_sample_grad = vmap(grad(compute_loss), in_dims=(None, None, 0, 0))
per_sample = ft_compute_sample_grad(params, buffers, data, targets)
print({k: tuple(v.shape) for k, v in per_sample.items()})
for k in range(4):
    model.zero_grad()
    F.cross_entropy(model(data[k : k + 1]), targets[k : k + 1]).backward()
    print(all(torch.allclose(per_sample[n][k], p.grad) for n, p in model.named_parameters()))
print(per_sample["fc2.bias"])

models = [MLP(s) for s in range(3)]
stacked, stacked_buffers = stack_module_state(models)
base_model = copy.deepcopy(models[0])


def fmodel(params, buffers, x):
    return functional_call(base_model, (params, buffers), (x,))


ensemble = vmap(fmodel, in_dims=(0, 0, None))(stacked, stacked_buffers, data)
print(ensemble.shape, torch.allclose(ensemble, torch.stack([m(data) for m in models])))
print(vmap(lambda x: x / x.norm(), in_dims=1, out_dims=1)(data)[0])


def predict(weight, bias, x):
    return F.linear(x, weight, bias).tanh()


weight, bias, x = torch.linspace(-1, 1, 6).view(2, 3), torch.tensor([0.1, -0.1]), data[0]
for transform in (jacrev, jacfwd):
    jac_weight, jac_bias = transform(predict, argnums=(0, 1))(weight, bias, x)
    print(jac_weight.shape, jac_bias)
print(hessian(lambda v: predict(weight, bias, v).sum())(x).diagonal())
output, vjp_fn = vjp(lambda v: predict(weight, bias, v), x)
print(vjp_fn(torch.ones(2))[0])
print(jvp(lambda v: predict(weight, bias, v), (x,), (torch.ones(3),))[1])
hvp = grad(lambda v: torch.dot(grad(lambda u: (u**4).sum())(v), torch.ones(3)))
print(hvp(x))
