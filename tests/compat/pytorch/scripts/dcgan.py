"""Images out of transposed convolutions: the deep convolutional generator and its critic."""

import torch
import torch.nn as nn
import torch.optim as optim

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
nz, ngf, ndf, nc = 4, 4, 4, 1


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ngf),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ndf * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False),
            nn.Sigmoid(),
        )

    def forward(self, input):
        return self.main(input)


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        m.weight.data.copy_(torch.sin(torch.arange(m.weight.numel()) * 1.1).mul(0.2).view_as(m.weight))
    elif classname.find("BatchNorm") != -1:
        nn.init.constant_(m.weight.data, 1.0)
        nn.init.constant_(m.bias.data, 0)


netG, netD = Generator(), Discriminator()
netG.apply(weights_init)
netD.apply(weights_init)
print(netG)
criterion = nn.BCELoss()
fixed_noise = torch.cos(torch.arange(3.0 * nz)).view(3, nz, 1, 1)
optimizerD = optim.Adam(netD.parameters(), lr=0.002, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=0.002, betas=(0.5, 0.999))
real = torch.sin(torch.arange(3.0 * 256) * 0.05).view(3, 1, 16, 16)
label = torch.full((3,), 1.0)
for i in range(4):
    netD.zero_grad()
    label.fill_(1.0)
    errD_real = criterion(netD(real).view(-1), label)
    errD_real.backward()
    noise = fixed_noise.roll(i, 1)
    fake = netG(noise)
    label.fill_(0.0)
    output = netD(fake.detach()).view(-1)
    errD_fake = criterion(output, label)
    errD_fake.backward()
    D_G_z1 = output.mean().item()
    optimizerD.step()
    netG.zero_grad()
    label.fill_(1.0)
    output = netD(fake).view(-1)
    errG = criterion(output, label)
    errG.backward()
    optimizerG.step()
    print(f"[{i}] {(errD_real + errD_fake).item():.8f} {errG.item():.8f} {D_G_z1:.8f} / {output.mean().item():.8f}")
netG.eval()
with torch.no_grad():
    images = netG(fixed_noise).detach().cpu()
print(images.shape, f"{images.min():.8f} {images.max():.8f}", images[0, 0, :2, :4])
