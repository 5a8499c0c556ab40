"""Leaves, graphs and gradients, as PyTorch's first tutorial has them."""

import torch

torch.set_printoptions(precision=8)

x = torch.ones(5)
y = torch.zeros(3)
w = torch.arange(15.0).reshape(5, 3).div(10).requires_grad_(True)
b = torch.tensor([0.5, -0.5, 0.25], requires_grad=True)
z = torch.matmul(x, w) + b
loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
print(z, loss)
print(z.requires_grad, z.is_leaf, w.is_leaf, b.grad)
loss.backward()
print(w.grad)
print(b.grad)

with torch.no_grad():
    z = torch.matmul(x, w) + b
print(z.requires_grad)
print((torch.matmul(x, w) + b).detach().requires_grad)

inp = torch.eye(4, 5, requires_grad=True)
out = (inp + 1).pow(2).t()
out.backward(torch.ones_like(out), retain_graph=True)
print(f"First call\n{inp.grad}")
out.backward(torch.ones_like(out), retain_graph=True)
print(f"\nSecond call\n{inp.grad}")
inp.grad.zero_()
out.backward(torch.ones_like(out), retain_graph=True)
print(f"\nCall after zeroing gradients\n{inp.grad}")

a = torch.tensor([2.0, 3.0], requires_grad=True)
c = torch.tensor([6.0, 4.0], requires_grad=True)
Q = 3 * a**3 - c**2
Q.backward(gradient=torch.tensor([1.0, 1.0]))
print(9 * a**2 == a.grad, -2 * c == c.grad)

t = torch.tensor(2.0, requires_grad=True)
(first,) = torch.autograd.grad(t**3, t, create_graph=True)
(second,) = torch.autograd.grad(first, t)
print(first.item(), second.item())
for bad in (
    lambda: t.add_(1),
    lambda: (a * 2).backward(),
    lambda: torch.ones(2).backward(),
    lambda: out.sum().backward(),
):
    try:
        bad()
        print("fine")
    except RuntimeError as error:
        print(str(error).split("\n")[0].split(". ")[0])
