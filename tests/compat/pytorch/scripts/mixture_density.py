"""A mixture density network: several answers to one question, weighed."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
n_samples = 40
epsilon = torch.sin(torch.arange(n_samples) * 12.9898) * 0.5
x_data = torch.linspace(-4, 4, n_samples)
y_data = 7 * torch.sin(0.75 * x_data) + 0.5 * x_data + epsilon
y_data, x_data = x_data.view(-1, 1), y_data.view(-1, 1)


class MDN(nn.Module):
    def __init__(self, n_hidden, n_gaussians):
        super().__init__()
        self.z_h = nn.Sequential(nn.Linear(1, n_hidden), nn.Tanh())
        self.z_pi = nn.Linear(n_hidden, n_gaussians)
        self.z_mu = nn.Linear(n_hidden, n_gaussians)
        self.z_sigma = nn.Linear(n_hidden, n_gaussians)

    def forward(self, x):
        z_h = self.z_h(x)
        pi = F.softmax(self.z_pi(z_h), -1)
        mu = self.z_mu(z_h)
        sigma = torch.exp(self.z_sigma(z_h))
        return pi, mu, sigma


def gaussian_distribution(y, mu, sigma):
    result = (y.expand_as(mu) - mu) * torch.reciprocal(sigma)
    result = -0.5 * (result * result)
    return (torch.exp(result) * torch.reciprocal(sigma)) / math.sqrt(2.0 * math.pi)


def mdn_loss_fn(pi, sigma, mu, y):
    result = torch.sum(gaussian_distribution(y, mu, sigma) * pi, dim=1)
    return torch.mean(-torch.log(result))


def stable_loss(pi, sigma, mu, y):
    log_prob = -0.5 * ((y - mu) / sigma) ** 2 - torch.log(sigma) - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(torch.log(pi) + log_prob, dim=-1).mean()


network = MDN(n_hidden=10, n_gaussians=4)
with torch.no_grad():
    for k, p in enumerate(network.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()) * 2.3 + k).reshape(p.shape).clamp(-0.8, 0.8))
optimizer = torch.optim.Adam(network.parameters(), lr=0.03)
for epoch in range(30):
    pi_variable, mu_variable, sigma_variable = network(x_data)
    loss = mdn_loss_fn(pi_variable, sigma_variable, mu_variable, y_data)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(epoch, f"{loss.item():.8f}")
pi, mu, sigma = network(torch.linspace(-10, 10, 5).unsqueeze(1))
print(pi.sum(1).tolist(), mu[torch.arange(5), pi.argmax(1)].tolist(), sigma.min(dim=1).values.detach())
pi_all, mu_all, sigma_all = network(x_data)
rough, stable = mdn_loss_fn(pi_all, sigma_all, mu_all, y_data), stable_loss(pi_all, sigma_all, mu_all, y_data)
print(f"{rough.item():.8f} {stable.item():.8f}")
uniform = torch.frac(torch.arange(1, 6) * 0.618034).unsqueeze(1)
chosen = torch.searchsorted(pi.cumsum(1).detach(), uniform).clamp(max=3)
print(chosen.flatten().tolist(), torch.gather(mu, 1, chosen).squeeze().detach())
