"""Training that is interrupted and resumed from a checkpoint gives what it gives uninterrupted."""

import os
import tempfile

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.linspace(-1, 1, 32).unsqueeze(1)
y = (2 * x).sin() + 0.1 * (40 * x).cos()


def weights_init(m):
    if isinstance(m, nn.Linear):
        size = m.weight.numel()
        m.weight.data = (torch.arange(size, dtype=m.weight.dtype) / size - 0.45).view_as(m.weight)
        nn.init.constant_(m.bias, 0.1)


def build():
    model = nn.Sequential(nn.Linear(1, 10), nn.BatchNorm1d(10), nn.Tanh(), nn.Linear(10, 1)).to(device)
    model.apply(weights_init)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.01, amsgrad=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
    return model, optimizer, scheduler


def train(model, optimizer, scheduler, epochs):
    criterion = nn.MSELoss()
    for epoch in epochs:
        model.train()
        for i in range(0, len(x), 16):
            optimizer.zero_grad()
            loss = criterion(model(x[i : i + 16].to(device)), y[i : i + 16].to(device))
            loss.backward()
            optimizer.step()
        scheduler.step()
        print(f"epoch {epoch} loss {loss.item():.8f} lr {scheduler.get_last_lr()[0]:.8f}")
    return loss.item()


straight = build()
train(*straight, range(6))

model, optimizer, scheduler = build()
loss = train(model, optimizer, scheduler, range(3))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "checkpoint.tar")
    torch.save(
        {
            "epoch": 3,
            "model_state_dict": model.state_dict(),
            "optimizer_state_dict": optimizer.state_dict(),
            "scheduler_state_dict": scheduler.state_dict(),
            "loss": loss,
        },
        path,
    )
    model, optimizer, scheduler = build()
    checkpoint = torch.load(path, map_location=device, weights_only=True)
model.load_state_dict(checkpoint["model_state_dict"])
optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
scheduler.load_state_dict(checkpoint["scheduler_state_dict"])
print(checkpoint["epoch"], f"{checkpoint['loss']:.8f}", scheduler.last_epoch)
train(model, optimizer, scheduler, range(checkpoint["epoch"], 6))
same = [torch.equal(a, b) for a, b in zip(model.state_dict().values(), straight[0].state_dict().values(), strict=True)]
print(same)
state = optimizer.state_dict()
print(sorted(state["state"][0]), state["state"][0]["step"], state["param_groups"][0]["params"])
