"""torch.func, torch.compile and checkpointing."""

import torch
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, vmap
from torch.utils.checkpoint import checkpoint

torch.set_printoptions(precision=8)

x = torch.tensor([0.5, 1.5, -2.0])
print(grad(lambda v: (v**3).sum())(x))
print(grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x + 1))
print(grad(lambda v: ((v**2).sum(), v + 1), has_aux=True)(x))
print(grad_and_value(lambda v: (v**2).sum())(x))
print(vmap(lambda v: (v * x).sum())(torch.arange(6.0).reshape(2, 3)))
print(vmap(torch.dot, in_dims=(1, None))(torch.arange(6.0).reshape(3, 2), x))
print(jacrev(torch.sin)(x) + 0.0)
print(jacfwd(lambda v: v.outer(v).sum(0))(x))
print(hessian(lambda v: (v**3).sum())(x) + 0.0)
weights = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 0.25]])
per_sample = vmap(grad(lambda w, v: (w @ v).pow(2).sum()), in_dims=(None, 0))
print(per_sample(weights, torch.stack([x, x * 2])))

layer = torch.nn.Linear(3, 2)
given = {"weight": weights, "bias": torch.zeros(2)}
print(functional_call(layer, given, (x,)))


@torch.compile
def collatz(n, limit):
    count = 0
    while n != 1 and count < limit:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count, torch.ones(2) * count


print(collatz(27, 1000))
with torch.no_grad():
    layer.weight.copy_(weights)
    layer.bias.zero_()
compiled = torch.compile(layer)
print(compiled(x).sum().item(), compiled.in_features)
compiled(x).sum().backward()
print(layer.weight.grad)
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
checkpoint(lambda v: torch.exp(v).sum(), w, use_reentrant=False).backward()
print(w.grad)
