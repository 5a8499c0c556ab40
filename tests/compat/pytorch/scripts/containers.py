"""Models put together of ParameterList, ParameterDict, ModuleList and ModuleDict."""

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class Polynomial(nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.params = nn.ParameterList([nn.Parameter(torch.tensor(1.0 / (n + 1))) for n in range(degree + 1)])

    def forward(self, x):
        return sum(a * x**n for n, a in enumerate(self.params))

    def string(self):
        return "y = " + " + ".join(f"{a.item():.8f} x^{n}" for n, a in enumerate(self.params))


class Experts(nn.Module):
    def __init__(self, size, tasks):
        super().__init__()
        self.choices = nn.ModuleDict({"linear": nn.Linear(size, size), "deep": nn.Sequential()})
        self.choices["deep"].append(nn.Linear(size, size)).append(nn.ELU())
        self.activations = nn.ModuleDict([["lrelu", nn.LeakyReLU()], ["prelu", nn.PReLU()]])
        self.gate = nn.Linear(size, len(self.choices))
        self.heads = nn.ModuleList(nn.Linear(size, k) for k in tasks)
        self.scales = nn.ParameterDict({f"task{k}": nn.Parameter(torch.ones(1) * k) for k in tasks})
        self.register_parameter("unused", None)

    def forward(self, x, act):
        weights = self.gate(x).softmax(-1)
        mixed = torch.stack([expert(x) for expert in self.choices.values()], dim=-1)
        h = self.activations[act]((mixed * weights.unsqueeze(-2)).sum(-1))
        return [head(h) * scale for head, scale in zip(self.heads, self.scales.values(), strict=True)]


model = Polynomial(3)
x = torch.linspace(-1, 1, 21)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for _ in range(20):
    loss = (model(x) - x.sin()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.8f}", model.string())
model.params.append(nn.Parameter(torch.zeros(())))
model.params[0] = nn.Parameter(torch.tensor(0.5))
print(len(model.params), [name for name, _ in model.named_parameters()], model.params)

net = Experts(3, [1, 2])
for k, p in enumerate(net.parameters()):
    p.data = torch.sin(torch.arange(p.numel()) + k).view(p.shape)
print(net)
out = net(torch.eye(3), "prelu")
sum(o.square().sum() for o in out).backward()
print([tuple(o.shape) for o in out], {n: round(p.grad.norm().item(), 8) for n, p in net.named_parameters()})
print(list(net.choices), "deep" in net.choices, [n for n, _ in net.named_children()])
del net.choices["deep"]
net.activations.update({"relu": nn.ReLU()})
net.heads.extend([nn.Identity()])
net.heads.insert(0, nn.Flatten())
net.heads = net.heads[1:3]
print(list(net.state_dict()), [type(m).__name__ for m in net.heads])
seq = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])
seq[1] = nn.ReLU()
del seq[0]
print(len(seq), seq[-1] is list(seq.children())[-1], seq[:1], net.get_submodule("heads.1").out_features)
