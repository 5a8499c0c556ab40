"""A generator and a discriminator of small images, made better in turn."""

import numpy as np
import paddle
import paddle.nn as nn

paddle.seed(100)
np.random.seed(100)
paddle.set_default_dtype("float64")
Z_DIM, BATCH = 4, 8


class Discriminator(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv_1 = nn.Conv2D(1, 4, 4, 2, 1, bias_attr=False)
        self.conv_2 = nn.Conv2D(4, 8, 4, 2, 1, bias_attr=False)
        self.bn_2 = nn.BatchNorm2D(8, weight_attr=paddle.ParamAttr(learning_rate=0.5), momentum=0.8)
        self.conv_3 = nn.Conv2D(8, 1, 2, 1, 0, bias_attr=False)

    def forward(self, x):
        x = nn.functional.leaky_relu(self.conv_1(x), negative_slope=0.2)
        x = nn.functional.leaky_relu(self.bn_2(self.conv_2(x)), negative_slope=0.2)
        x = nn.functional.sigmoid(self.conv_3(x))
        return x.reshape([x.shape[0], -1])


class Generator(nn.Layer):
    def __init__(self):
        super(Generator, self).__init__()
        self.gen = nn.Sequential(
            nn.Conv2DTranspose(Z_DIM, 8, 2, 1, 0, bias_attr=False),
            nn.BatchNorm2D(8),
            nn.ReLU(),
            nn.Conv2DTranspose(8, 4, 4, 2, 1, bias_attr=False),
            nn.BatchNorm2D(4),
            nn.ReLU(),
            nn.Conv2DTranspose(4, 1, 4, 2, 1, bias_attr=False),
            nn.Tanh(),
        )

    def forward(self, x):
        return self.gen(x)


@paddle.no_grad()
def normal_(layer, mean=0.0, std=0.2):
    for k, param in enumerate(layer.parameters()):
        if not param.stop_gradient and len(param.shape) == 4:
            values = np.random.normal(mean, std, param.shape)
            param.set_value(values)


netD, netG = Discriminator(), Generator()
normal_(netD)
normal_(netG)
loss_fn = nn.BCELoss()
optimizerD = paddle.optimizer.Adam(parameters=netD.parameters(), learning_rate=0.01, beta1=0.5, beta2=0.999)
optimizerG = paddle.optimizer.Adam(parameters=netG.parameters(), learning_rate=0.01, beta1=0.5, beta2=0.999)
real_label = paddle.full((BATCH, 1), 1.0, dtype="float64")
fake_label = paddle.full((BATCH, 1), 0.0, dtype="float64")

for step in range(5):
    real = paddle.to_tensor(np.sign(np.random.normal(size=(BATCH, 1, 8, 8)).cumsum(2)))
    noise = paddle.to_tensor(np.random.normal(size=(BATCH, Z_DIM, 1, 1)))

    optimizerD.clear_grad()
    errD_real = loss_fn(netD(real), real_label)
    errD_real.backward()
    fake = netG(noise)
    errD_fake = loss_fn(netD(fake.detach()), fake_label)
    errD_fake.backward()
    optimizerD.step()
    optimizerD.clear_grad()
    errD = errD_real + errD_fake

    optimizerG.clear_grad()
    output = netD(fake)
    errG = loss_fn(output, real_label)
    errG.backward()
    optimizerG.step()
    optimizerG.clear_grad()
    print("[%d] Loss_D: %.8f Loss_G: %.8f D(G(z)): %.8f" % (step, errD.item(), errG.item(), output.mean().item()))

netG.eval()
images = netG(paddle.to_tensor(np.random.normal(size=(2, Z_DIM, 1, 1))))
print(images.shape, images.dtype)
print(images[0, 0, :2].numpy().round(7).tolist())
print(netD.bn_2._mean.numpy().round(7).tolist())
