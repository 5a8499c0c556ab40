"""A Wasserstein critic with a penalty on the norm of its gradient (WGAN-GP), and R1 regularisation."""

import itertools

import torch
import torch.autograd as autograd
import torch.nn as nn

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


def mlp(*sizes):
    layers = []
    for n_in, n_out in itertools.pairwise(sizes):
        layers += [nn.Linear(n_in, n_out), nn.Softplus()]
    net = nn.Sequential(*layers[:-1])
    for k, p in enumerate(net.parameters()):
        p.data = torch.sin(torch.arange(p.numel()) * 1.9 + k).reshape(p.shape) * 0.5
    return net


generator, discriminator = mlp(2, 8, 2), mlp(2, 8, 8, 1)
optimizer_G = torch.optim.Adam(generator.parameters(), lr=0.01, betas=(0.5, 0.9))
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=0.01, betas=(0.5, 0.9))
real = torch.stack([torch.cos(torch.arange(8.0)), torch.sin(torch.arange(8.0))], dim=1) * 2


def compute_gradient_penalty(D, real_samples, fake_samples, alpha):
    interpolates = (alpha * real_samples + ((1 - alpha) * fake_samples)).requires_grad_(True)
    d_interpolates = D(interpolates)
    fake = torch.ones(real_samples.shape[0], 1, requires_grad=False)
    gradients = autograd.grad(
        outputs=d_interpolates,
        inputs=interpolates,
        grad_outputs=fake,
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


for step in range(6):
    z = torch.sin(torch.arange(16.0) + step).view(8, 2)
    fake = generator(z)
    alpha = torch.frac(torch.arange(8.0) * 0.618 + step * 0.3).unsqueeze(1)
    optimizer_D.zero_grad()
    penalty = compute_gradient_penalty(discriminator, real, fake.detach(), alpha)
    d_loss = -torch.mean(discriminator(real)) + torch.mean(discriminator(fake.detach())) + 10 * penalty
    d_loss.backward()
    optimizer_D.step()
    if step % 2:
        optimizer_G.zero_grad()
        g_loss = -torch.mean(discriminator(generator(z)))
        g_loss.backward()
        optimizer_G.step()
        print(step, f"{d_loss.item():.8f} {g_loss.item():.8f} {penalty.item():.8f}")

x = real.clone().requires_grad_()
(grad_real,) = autograd.grad(discriminator(x).sum(), x, create_graph=True)
r1 = grad_real.pow(2).flatten(1).sum(1).mean()
discriminator.zero_grad(set_to_none=False)
(0.5 * r1).backward()
print(f"{r1.item():.8f}", discriminator[2].weight.grad.norm())
