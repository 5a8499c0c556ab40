"""Averages of weights (EMA and SWA), buffers that are saved or not, and segments computed again on the way back."""

import copy

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class EMA:
    def __init__(self, model, decay):
        self.module, self.decay = copy.deepcopy(model).eval(), decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values(), strict=True):
            if ema_v.dtype.is_floating_point:
                ema_v.lerp_(model_v.detach(), 1.0 - self.decay)
            else:
                ema_v.copy_(model_v)


class Normalised(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("count", torch.tensor(0, dtype=torch.long))
        self.register_buffer("scratch", torch.ones(size), persistent=False)

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.count += 1
                self.mean += (x.mean(0) - self.mean) / self.count
        return x - self.mean


def build():
    net = nn.Sequential(Normalised(2), nn.Linear(2, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 1))
    for k, p in enumerate(net.parameters()):
        p.data = torch.sin(torch.arange(p.numel()) * 1.7 + k).view(p.shape) * 0.7
    return net


x = torch.cos(torch.arange(32.0) * 0.8).view(16, 2) + 0.5
y = x.prod(1, keepdim=True)
model = build()
ema = EMA(model, 0.9)
swa_model = AveragedModel(model)
ema_model = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
swa_scheduler = SWALR(optimizer, swa_lr=0.02, anneal_epochs=3)
for epoch in range(6):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    ema.update(model)
    ema_model.update_parameters(model)
    if epoch > 2:
        swa_model.update_parameters(model)
    swa_scheduler.step()
print(f"{loss.item():.8f}", swa_model.n_averaged, [round(r, 8) for r in swa_scheduler.get_last_lr()])
update_bn([x[:8], x[8:]], swa_model)
for net in (ema.module, ema_model, swa_model):
    print(f"{nn.functional.mse_loss(net.eval()(x), y).item():.8f}")
print(list(model.state_dict()), model[0].mean, model[0].count, len(list(swa_model.state_dict())))

whole, parts = build(), build()
whole(x).sum().backward()
whole_grads = [p.grad for p in whole.parameters()]
calls = []
parts[4].register_forward_hook(lambda m, a, o: calls.append(o.requires_grad))
h = parts[0](x)
h = checkpoint(lambda v: parts[3](parts[2](parts[1](v))), h, use_reentrant=False)
checkpoint(parts[4], h, use_reentrant=False).sum().backward()
same = [torch.allclose(a, p.grad) for a, p in zip(whole_grads, parts.parameters(), strict=True)]
print(same, calls[0])
parts.zero_grad()
out = checkpoint_sequential(parts[1:], 2, x.clone().requires_grad_(), use_reentrant=False)
out.mean().backward()
print(f"{out.mean().item():.8f}", parts[1].weight.grad.norm())
