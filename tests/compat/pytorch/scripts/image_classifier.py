"""A convolutional network with batch normalisation and dropout off, trained on made-up images."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


def wave(*shape):
    n = 1
    for s in shape:
        n *= s
    return torch.sin(torch.arange(1, n + 1) * 1.7).reshape(shape)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 6, 3, stride=2)
        self.fc1 = nn.Linear(6 * 5 * 5, 16)
        self.fc2 = nn.Linear(16, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.conv1(x))), 2)
        x = F.relu(self.conv2(F.pad(x, (1, 1, 1, 1), "reflect")))
        x = torch.flatten(x, 1)
        return self.fc2(F.dropout(torch.tanh(self.fc1(x)), 0.5, training=False))


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(wave(*p.shape) * 0.3)
print(net)
images, labels = wave(20, 1, 18, 18), torch.arange(20) % 3
loader = DataLoader(TensorDataset(images, labels), batch_size=8, shuffle=False)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
for epoch in range(3):
    net.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        out = net(x)
        loss = nn.CrossEntropyLoss(label_smoothing=0.1)(out, y)
        loss.backward()
        total += loss.item() * x.size(0)
        optimizer.step()
    scheduler.step()
    net.eval()
    with torch.no_grad():
        right = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    print(f"epoch {epoch}: loss {total / len(labels):.8f}, right {right}, lr {scheduler.get_last_lr()}")
print([(k, tuple(v.shape)) for k, v in net.state_dict().items()])
print(net.bn.running_mean, net.bn.num_batches_tracked)
