"""A differential equation that is learned: Runge-Kutta steps, and the adjoint's gradients."""

import itertools

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
true_A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
true_y0 = torch.tensor([[2.0, 0.0]])
t = torch.linspace(0.0, 1.5, 7)


class Lambda(nn.Module):
    def forward(self, t, y):
        return torch.mm(y**3, true_A)


class ODEFunc(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 2))
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                m.weight.data = torch.sin(torch.arange(m.weight.numel()) * 1.7).view_as(m.weight) * 0.2
                nn.init.constant_(m.bias, val=0)

    def forward(self, t, y):
        return self.net(y**3)


def rk4_step(func, t, dt, y):
    k1 = func(t, y)
    k2 = func(t + dt / 2, y + dt * k1 / 2)
    k3 = func(t + dt / 2, y + dt * k2 / 2)
    k4 = func(t + dt, y + dt * k3)
    return y + dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6


def odeint(func, y0, t):
    ys = [y0]
    for t0, t1 in itertools.pairwise(t):
        ys.append(rk4_step(func, t0, t1 - t0, ys[-1]))
    return torch.stack(ys)


class OdeintAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, y0, t, *params):
        ctx.func = func
        with torch.no_grad():
            ys = odeint(func, y0, t)
        ctx.save_for_backward(t, ys, *params)
        return ys

    @staticmethod
    def backward(ctx, grad_ys):
        t, ys, *params = ctx.saved_tensors
        adjoint, grads = grad_ys[-1], [torch.zeros_like(p) for p in params]
        for i in range(len(t) - 2, -1, -1):
            with torch.enable_grad():
                y = ys[i].detach().requires_grad_(True)
                step = rk4_step(ctx.func, t[i], t[i + 1] - t[i], y)
                got = torch.autograd.grad(step, (y, *params), adjoint, allow_unused=True)
            adjoint = got[0] + grad_ys[i]
            grads = [a if b is None else a + b for a, b in zip(grads, got[1:], strict=True)]
        return None, adjoint, None, *grads


with torch.no_grad():
    true_y = odeint(Lambda(), true_y0, t)
print(true_y[::3].squeeze())
func = ODEFunc()
params = tuple(func.parameters())
odeint(func, true_y0, t).sub(true_y).abs().mean().backward()
direct = [p.grad.clone() for p in params]
func.zero_grad()
torch.mean(torch.abs(OdeintAdjoint.apply(func, true_y0, t, *params) - true_y)).backward()
print([torch.allclose(a, p.grad) for a, p in zip(direct, params, strict=True)])
optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-2)
for itr in range(1, 9):
    optimizer.zero_grad()
    pred_y = odeint(func, true_y0, t)
    loss = torch.mean(torch.abs(pred_y - true_y))
    loss.backward()
    optimizer.step()
    if itr % 4 == 0:
        print(f"Iter {itr:04d} | Total Loss {loss.item():.8f}")
print(func.net[2].bias.grad, pred_y[-1].tolist())
