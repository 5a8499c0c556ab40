"""A convolutional autoencoder of variational kind: reparametrisation with given noise, beta, and samples."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
noise = iter(torch.sin(torch.arange(4000) * 78.233).view(-1, 4, 2))


class Reshape(nn.Module):
    def __init__(self, *shape):
        super().__init__()
        self.shape = shape

    def forward(self, x):
        return x.view(x.size(0), *self.shape)

    def extra_repr(self):
        return f"shape={self.shape}"


class VAE(nn.Module):
    def __init__(self, latent=2):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.ELU(), nn.Flatten(), nn.Linear(64, 8), nn.SiLU())
        self.fc_mu, self.fc_logvar = nn.Linear(8, latent), nn.Linear(8, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, 64), Reshape(4, 4, 4), nn.Upsample(scale_factor=2), nn.Conv2d(4, 1, 3, padding="same")
        )
        for k, m in enumerate(m for m in self.modules() if hasattr(m, "weight")):
            nn.init.zeros_(m.bias)
            m.weight.data = torch.sin(torch.arange(m.weight.numel()) * 1.1 + k).reshape(m.weight.shape) * 0.3

    def reparameterize(self, mu, logvar):
        if not self.training:
            return mu
        std = torch.exp(0.5 * logvar)
        return mu + next(noise) * std

    def forward(self, x):
        h = self.encoder(x)
        mu, logvar = self.fc_mu(h), self.fc_logvar(h)
        return self.decoder(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar, beta):
    BCE = F.binary_cross_entropy_with_logits(recon_x, x, reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (BCE + beta * KLD) / x.size(0), BCE.detach(), KLD.detach()


rows, cols = torch.meshgrid(torch.arange(8), torch.arange(8), indexing="ij")
x = torch.stack([((rows + k) % 4 < 2) ^ ((cols * k) % 3 > 1) for k in range(4)]).unsqueeze(1).double()
model = VAE()
print(model.decoder)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(8):
    beta = min(1.0, step / 4)
    recon, mu, logvar = model(x)
    loss, bce, kld = loss_function(recon, x, mu, logvar, beta)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if step % 2:
        print(step, f"{loss.item():.8f} {bce:.8f} {kld:.8f}")
model.eval()
with torch.no_grad():
    recon, mu, _ = model(x)
    z = torch.stack([torch.lerp(mu[0], mu[1], w) for w in torch.linspace(0, 1, 3)])
    walk = torch.sigmoid(model.decoder(z))
print(torch.equal(model(x)[0], recon), mu[0], walk[1, 0, 0, :4])
print(((recon > 0) == (x > 0.5)).double().mean().item())
