"""Frozen layers, hooks of modules, containers, buffers, state and files of it."""

import copy
import io
import os
import tempfile

import torch
from torch import nn

torch.set_printoptions(precision=8)

torch.manual_seed(0)


def fill(module):
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_((torch.sin(torch.arange(p.numel()) * 0.9 + k) * 0.5).reshape(p.shape))
    return module


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.layers = nn.ModuleList([nn.Linear(size, size) for _ in range(2)])
        self.gates = nn.ParameterDict({"a": nn.Parameter(torch.ones(size)), "b": nn.Parameter(torch.zeros(1))})
        self.register_buffer("steps", torch.tensor(0))
        self.register_buffer("cache", torch.zeros(size), persistent=False)

    def forward(self, x, *, scale=1.0):
        self.steps += 1
        for layer in self.layers:
            x = x + scale * self.gates["a"] * torch.nn.functional.gelu(layer(self.norm(x)))
        return x + self.gates["b"]


net = fill(nn.Sequential(Block(4), nn.ReLU(), nn.Linear(4, 2)))
print(net)
shapes = []
handle = net[0].layers[1].register_forward_hook(lambda m, i, o: shapes.append((tuple(i[0].shape), tuple(o.shape))))
pre = net[2].register_forward_pre_hook(lambda m, args: (args[0] * 2,))
x = torch.linspace(-1, 1, 12).reshape(3, 4)
print(net(x), shapes)
handle.remove()
pre.remove()
for p in net[0].parameters():
    p.requires_grad_(False)
print([n for n, p in net.named_parameters() if p.requires_grad], sum(p.numel() for p in net.parameters()))
optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
before = copy.deepcopy(net.state_dict())
loss = nn.functional.cross_entropy(net(x), torch.tensor([0, 1, 1]))
loss.backward()
optimizer.step()
changed = [k for k, v in net.state_dict().items() if not torch.equal(v, before[k])]
print(f"{loss.item():.8f}", changed, net[0].steps)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "checkpoint.pt")
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, path)
    loaded = torch.load(path)
other = nn.Sequential(Block(4), nn.ReLU(), nn.Linear(4, 2))
print(other.load_state_dict(loaded["model"]), loaded["epoch"], list(loaded["model"]))
print(torch.equal(other(x), net(x)), other[0].steps)
try:
    nn.Linear(4, 3).load_state_dict(net[2].state_dict())
except RuntimeError as error:
    print(error)
print(nn.Linear(4, 2).load_state_dict({"weight": torch.zeros(2, 4)}, strict=False))
buffer = io.BytesIO()
torch.save(torch.arange(3), buffer)
buffer.seek(0)
print(torch.load(buffer))
print([type(m).__name__ for m in net.modules()], net.training, net.eval()[0].training)
print(dict(net[0].named_buffers()))
net.double()
print({p.dtype for p in net.parameters()}, net(x.double()).dtype)
net.apply(lambda m: m.weight.data.fill_(0.5) if isinstance(m, nn.Linear) else None)
print(net[2].weight)
