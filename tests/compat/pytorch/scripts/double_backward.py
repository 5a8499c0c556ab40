"""Custom functions whose way back is differentiated in turn, checked by differences."""

import torch
from torch.autograd import Function, gradcheck, gradgradcheck
from torch.autograd.function import once_differentiable

torch.set_printoptions(precision=8)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return grad_out * 2 * x


class Sinh(Function):
    """Intermediate results that are given back, so that gradients of gradients see them."""

    @staticmethod
    def forward(ctx, x):
        expx = torch.exp(x)
        expnegx = torch.exp(-x)
        ctx.save_for_backward(expx, expnegx)
        return (expx - expnegx) / 2, expx, expnegx

    @staticmethod
    def backward(ctx, grad_out, _grad_out_exp, _grad_out_negexp):
        expx, expnegx = ctx.saved_tensors
        grad_input = grad_out * (expx + expnegx) / 2
        grad_input += _grad_out_exp * expx
        grad_input -= _grad_out_negexp * expnegx
        return grad_input


class CubeBackward(Function):
    @staticmethod
    def forward(ctx, grad_out, x):
        ctx.save_for_backward(x, grad_out)
        return grad_out * 3 * x**2

    @staticmethod
    def backward(ctx, grad_out):
        x, sav_grad_out = ctx.saved_tensors
        return grad_out * 3 * x**2, grad_out * sav_grad_out * 6 * x


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return CubeBackward.apply(grad_out, x)


class Relu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        mask = x > 0
        ctx.save_for_backward(mask)
        ctx.mark_non_differentiable(mask)
        return x * mask, mask

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_out, _grad_mask):
        if grad_out is None:
            return None
        (mask,) = ctx.saved_tensors
        return grad_out * mask


x = torch.linspace(-1, 1, 6, dtype=torch.float64).view(2, 3).requires_grad_()
for function in (Square.apply, lambda v: Sinh.apply(v)[0], Cube.apply):
    print(gradcheck(function, x), gradgradcheck(function, x))
    (first,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    print(first.detach(), second.detach())

out, mask = Relu.apply(x)
print(out.requires_grad, mask.requires_grad, mask.sum().item())
out.sum().backward()
print(x.grad)
a = torch.tensor(2.0, requires_grad=True)
y = Cube.apply(a)
for _ in range(2):
    (y,) = torch.autograd.grad(y, a, create_graph=True)
    print(y.item())
