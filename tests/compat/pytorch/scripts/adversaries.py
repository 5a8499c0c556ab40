"""A generator and a discriminator, a variational autoencoder's loss, tied weights, and a penalty on gradients."""

import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_((torch.cos(torch.arange(1, p.numel() + 1) * 0.7) * 0.4).reshape(p.shape))
    return module


G = fill(nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 3), nn.Tanh()))
D = fill(nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Sigmoid()))
criterion = nn.BCELoss()
opt_d, opt_g = optim.Adam(D.parameters(), lr=0.01, betas=(0.5, 0.999)), optim.Adam(G.parameters(), lr=0.01)
noise = torch.sin(torch.arange(12.0)).reshape(6, 2)
real = torch.cos(torch.arange(18.0)).reshape(6, 3)
for _ in range(8):
    D.zero_grad()
    err_real = criterion(D(real).view(-1), torch.ones(6))
    err_real.backward()
    fake = G(noise)
    err_fake = criterion(D(fake.detach()).view(-1), torch.zeros(6))
    err_fake.backward()
    opt_d.step()
    G.zero_grad()
    err_g = criterion(D(fake).view(-1), torch.ones(6))
    err_g.backward()
    opt_g.step()
print(f"{err_real.item():.8f} {err_fake.item():.8f} {err_g.item():.8f}")

mixed = (real * 0.3 + fake.detach() * 0.7).requires_grad_(True)
(slope,) = torch.autograd.grad(D(mixed).sum(), mixed, create_graph=True)
penalty = ((slope.norm(2, dim=1) - 1) ** 2).mean()
D.zero_grad()
penalty.backward()
print(f"{penalty.item():.8f}", D[0].weight.grad[0], D[2].bias.grad)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 6)
        self.mu, self.logvar = nn.Linear(6, 2), nn.Linear(6, 2)
        self.fc3 = nn.Linear(2, 3)

    def forward(self, x):
        h = torch.relu(self.fc1(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + noise * torch.exp(0.5 * logvar)
        return torch.sigmoid(self.fc3(z)), mu, logvar


vae = fill(VAE())
out, mu, logvar = vae(real)
bce = nn.functional.binary_cross_entropy(out, (real + 1) / 2, reduction="sum")
kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
(bce + kld).backward()
print(f"{bce.item():.8f} {kld.item():.8f}", vae.fc1.weight.grad[2])


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.out = nn.Linear(4, 5, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, ids):
        return self.out(self.embed(ids))


tied = fill(Tied())
loss = nn.functional.cross_entropy(tied(torch.tensor([0, 3, 3])), torch.tensor([1, 2, 4]))
loss.backward()
print(f"{loss.item():.8f}", len(list(tied.parameters())), tied.embed.weight is tied.out.weight)
print(tied.embed.weight.grad)
