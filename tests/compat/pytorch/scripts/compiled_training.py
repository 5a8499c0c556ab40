"""torch.compile: a model whose calls are compiled, a loss, and a whole step with backward() and the optimizer in it."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
x = torch.linspace(-2, 2, 24).view(12, 2)
y = (x[:, :1] * x[:, 1:]).tanh()


class MLP(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.layers = nn.ModuleList([nn.Linear(2, hidden), nn.Linear(hidden, hidden)])
        self.out = nn.Linear(hidden, 1)
        for k, p in enumerate(self.parameters()):
            p.data = torch.sin(torch.arange(p.numel()) * 1.4 + k).view(p.shape) * 0.6

    def forward(self, x):
        x = self.norm(x)
        for layer in self.layers:
            x = x + F.silu(layer(x)) if x.shape == layer(x).shape else F.silu(layer(x))
        return self.out(x)


def report(name, model, losses):
    print(f"{name:9s}", [round(v, 8) for v in losses], f"{sum(p.abs().sum() for p in model.parameters()):.8f}")


def train(model, forward, steps=4):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(forward(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


model = MLP(6)
report("eager", model, train(model, model))
model = MLP(6)
report("forward", model, train(model, torch.compile(model, fullgraph=True)))
print(model.norm.num_batches_tracked.item(), model.norm.running_mean)

model = MLP(6)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)


@torch.compile
def train_step(inputs, targets):
    optimizer.zero_grad()
    loss = F.mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss


report("step", model, [train_step(x, y).item() for _ in range(4)])
model.eval()
with torch.no_grad():
    print(torch.allclose(torch.compile(model)(x), model(x)), len(torch.compile(model).state_dict()))


@torch.compile(dynamic=True)
def rosenbrock(v):
    return (100 * (v[1:] - v[:-1] ** 2) ** 2 + (1 - v[:-1]) ** 2).sum()


v = torch.zeros(3, requires_grad=True)
sgd = torch.optim.SGD([v], lr=1e-3, momentum=0.9)

for _ in range(10):
    sgd.zero_grad()
    value = rosenbrock(v)
    value.backward()
    sgd.step()
print(f"{value.item():.8f}", v.detach())


@torch.compile
def sign_or_root(t):
    if t.sum() > 0:
        return t.sqrt()
    return -t


print(sign_or_root(torch.ones(2) * 4), sign_or_root(-torch.ones(3)))
