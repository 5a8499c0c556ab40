"""Functions with a way back of their own."""

import torch
from torch.autograd import Function

torch.set_printoptions(precision=8)


class LegendrePolynomial3(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return 0.5 * (5 * input**3 - 3 * input)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        return grad_output * 1.5 * (5 * input**2 - 1)


class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result


class Linear(Function):
    @staticmethod
    def forward(input, weight, bias):
        return input.mm(weight.t()) + bias

    @staticmethod
    def setup_context(ctx, inputs, output):
        input, weight, _ = inputs
        ctx.save_for_backward(input, weight)

    @staticmethod
    def backward(ctx, grad_output):
        input, weight = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        ctx.mark_dirty(x)
        return x.mul_(factor)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None


x = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
y = LegendrePolynomial3.apply(x)
print(y)
y.sum().backward()
print(x.grad)

x = torch.tensor([0.5], requires_grad=True)
(g,) = torch.autograd.grad(Exp.apply(x), x, create_graph=True)
(h,) = torch.autograd.grad(g, x)
print(g.item() == h.item(), round(h.item(), 8))

a = torch.arange(6.0).view(2, 3).requires_grad_()
w = (torch.arange(12.0).view(4, 3) / 10).requires_grad_()
bias = torch.zeros(4)
out = Linear.apply(a, w, bias)
print(out)
out.sum().backward()
print(a.grad, w.grad, bias.grad)

v = torch.tensor([1.0, 2.0], requires_grad=True)
u = v * 1
Scaled.apply(u, 3.0)
u.sum().backward()
print(u, v.grad)


class Wrong(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, g):
        return g


try:
    Wrong.apply(v, v).sum().backward()
except RuntimeError as error:
    print(error)
