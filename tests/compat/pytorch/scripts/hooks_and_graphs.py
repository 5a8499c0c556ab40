"""Hooks, retained gradients, parts of graphs, and what needs none."""

import torch

torch.set_printoptions(precision=8)

seen = []
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.retain_grad()
handle = y.register_hook(lambda g: g * 2)
x.register_hook(lambda g: seen.append(g.tolist()))
(y**2).sum().backward()
print(seen, x.grad, y.grad)
handle.remove()
x.grad = None
(x * 3).sum().backward()
print(x.grad, seen)

frozen = torch.nn.Linear(2, 2)
with torch.no_grad():
    frozen.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    frozen.bias.fill_(0.5)
for parameter in frozen.parameters():
    parameter.requires_grad = False
out = frozen(x)
print(out.requires_grad)
x.grad = None
out.sum().backward()
print(x.grad, frozen.weight.grad)

buffer = torch.zeros(4)
buffer[1:3] = x * 5
print(buffer.requires_grad, buffer.is_leaf)
x.grad = None
buffer.sum().backward()
print(x.grad)

x = torch.tensor([1.0, 2.0], requires_grad=True)
u, v = x * 2, x * 3
gu = torch.autograd.grad((u * v).sum(), [u, v])
print(gu)
print(torch.autograd.grad(u.sum(), [x, v], allow_unused=True))
w = x.exp()
w += 1
try:
    w.sum().backward()
except RuntimeError as error:
    print(str(error)[:98])


@torch.no_grad()
def measured(t):
    return (t * 2).requires_grad


print(measured(x), torch.is_grad_enabled())
with torch.set_grad_enabled(False):
    print((x * 2).requires_grad)
with torch.no_grad(), torch.enable_grad():
    print((x * 2).requires_grad)
weight = torch.nn.Parameter(torch.ones(2))
tied = [weight, weight]
(tied[0] * x.detach() + tied[1]).sum().backward()
print(weight.grad, weight.is_leaf, isinstance(weight, torch.Tensor))
