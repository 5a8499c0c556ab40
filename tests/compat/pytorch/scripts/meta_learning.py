"""Learning to learn: gradients through an inner loop of gradient steps (MAML), and its first-order kin (Reptile)."""

import copy
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            OrderedDict([("l1", nn.Linear(1, 8)), ("tanh", nn.Tanh()), ("l2", nn.Linear(8, 1))]),
        )
        for k, p in enumerate(self.parameters()):
            p.data = torch.sin(torch.arange(p.numel()) * 0.9 + k).view(p.shape) * 0.6

    def forward(self, x, params=None):
        if params is None:
            return self.net(x)
        h = torch.tanh(F.linear(x, params["net.l1.weight"], params["net.l1.bias"]))
        return F.linear(h, params["net.l2.weight"], params["net.l2.bias"])


def task(phase):
    x = torch.linspace(-2, 2, 10).unsqueeze(-1)
    y = torch.sin(x + phase)
    return x[::2], y[::2], x[1::2], y[1::2]


def adapt(model, x, y, lr=0.1, steps=2, create_graph=True):
    fast_weights = OrderedDict(model.named_parameters())
    for _ in range(steps):
        loss = F.mse_loss(model(x, fast_weights), y)
        grads = torch.autograd.grad(loss, fast_weights.values(), create_graph=create_graph)
        fast_weights = OrderedDict(
            (name, param - lr * grad) for (name, param), grad in zip(fast_weights.items(), grads, strict=True)
        )
    return fast_weights


model = Regressor()
meta_optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for iteration in range(3):
    meta_optimizer.zero_grad()
    meta_loss = torch.tensor(0.0)
    for phase in (0.0, 0.7, 1.4):
        sx, sy, qx, qy = task(phase + 0.1 * iteration)
        meta_loss = meta_loss + F.mse_loss(functional_call(model, adapt(model, sx, sy), qx), qy)
    (meta_loss / 3).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    meta_optimizer.step()
    print(iteration, f"{meta_loss.item() / 3:.8f} {norm.item():.8f}")
sx, sy, qx, qy = task(0.3)
exact = torch.autograd.grad(F.mse_loss(model(qx, adapt(model, sx, sy)), qy), list(model.parameters()))
detached = OrderedDict((k, v.detach().requires_grad_()) for k, v in adapt(model, sx, sy, create_graph=False).items())
first = torch.autograd.grad(F.mse_loss(model(qx, detached), qy), list(detached.values()))
print(
    [round(F.cosine_similarity(a.flatten(), b.flatten(), dim=0).item(), 8) for a, b in zip(exact, first, strict=True)]
)

weights_before = copy.deepcopy(model.state_dict())
inner = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(3):
    inner.zero_grad()
    F.mse_loss(model(sx), sy).backward()
    inner.step()
weights_after = model.state_dict()
model.load_state_dict({n: weights_before[n] + (weights_after[n] - weights_before[n]) * 0.5 for n in weights_before})
print(model.net.l2.weight.data, f"{F.mse_loss(model(qx), qy).item():.8f}")
log_lr = torch.tensor(-2.0, requires_grad=True)
loss = F.mse_loss(model(qx, adapt(model, sx, sy, lr=log_lr.exp())), qy)
print(torch.autograd.grad(loss, log_lr)[0])
