"""A regression by hand, by autograd, by torch.nn and torch.optim."""

import math

import torch

torch.set_printoptions(precision=8)

x = torch.linspace(-math.pi, math.pi, 200)
y = torch.sin(x)

a, b, c, d = (torch.tensor(v, requires_grad=True) for v in (0.1, -0.2, 0.3, 0.05))
for t in range(200):
    y_pred = a + b * x + c * x**2 + d * x**3
    loss = (y_pred - y).pow(2).sum()
    if t % 50 == 49:
        print(t, f"{loss.item():.8f}")
    loss.backward()
    with torch.no_grad():
        for p in (a, b, c, d):
            p -= 1e-6 * p.grad
            p.grad = None
print(f"{a.item():.8f} {b.item():.8f} {c.item():.8f} {d.item():.8f}")

p = torch.tensor([1, 2, 3])
xx = x.unsqueeze(-1).pow(p)
model = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Flatten(0, 1))
with torch.no_grad():
    model[0].weight.copy_(torch.tensor([[0.1, 0.2, -0.1]]))
    model[0].bias.zero_()
loss_fn = torch.nn.MSELoss(reduction="sum")
for name, make in (
    ("sgd", lambda ps: torch.optim.SGD(ps, lr=1e-6, momentum=0.9)),
    ("rmsprop", lambda ps: torch.optim.RMSprop(ps, lr=1e-3)),
    ("adam", lambda ps: torch.optim.Adam(ps, lr=1e-3, weight_decay=1e-4)),
):
    optimizer = make(model.parameters())
    for _ in range(100):
        y_pred = model(xx)
        loss = loss_fn(y_pred, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(name, f"{loss.item():.8f}")
print(model)
print([tuple(v.shape) for v in model.state_dict().values()], sum(q.numel() for q in model.parameters()))
