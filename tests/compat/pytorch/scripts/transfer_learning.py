"""A trained network whose layers are frozen but for a new head, then finetuned group by group."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import SGD, lr_scheduler

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        identity = x
        out = self.bn1(self.conv1(x))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.layer1 = BasicBlock(1, 4)
        self.layer2 = BasicBlock(4, 6, stride=2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(6, num_classes)
        for k, m in enumerate(self.modules()):
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                with torch.no_grad():
                    m.weight.copy_(torch.sin(torch.arange(m.weight.numel()) + k).reshape(m.weight.shape) * 0.3)

    def forward(self, x):
        x = self.avgpool(self.layer2(self.layer1(x)))
        return self.fc(torch.flatten(x, 1))


images = torch.cos(torch.arange(12 * 64) * 0.37).reshape(12, 1, 8, 8) * torch.linspace(0.2, 2, 12).view(-1, 1, 1, 1)
labels = (torch.arange(12) > 5).long()
dataloaders = {"train": [(images[::2], labels[::2])], "val": [(images[1::2], labels[1::2])]}


def train_model(model, optimizer, scheduler, num_epochs):
    best_model_wts, best_acc = copy.deepcopy(model.state_dict()), 0.0
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running_loss, running_corrects = 0.0, 0
            for inputs, classes in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = F.cross_entropy(outputs, classes)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == classes.data)
            if phase == "train":
                scheduler.step()
            epoch_acc = running_corrects.double() / 6
            print(f"{epoch} {phase} Loss: {running_loss / 6:.8f} Acc: {epoch_acc:.8f}")
            if phase == "val" and epoch_acc > best_acc:
                best_acc, best_model_wts = epoch_acc, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_model_wts)
    return model


model = ResNet(num_classes=5)
for param in model.parameters():
    param.requires_grad = False
model.fc = nn.Linear(model.fc.in_features, 2)
nn.init.eye_(model.fc.weight)
nn.init.zeros_(model.fc.bias)
print([name for name, p in model.named_parameters() if p.requires_grad])
optimizer = SGD(model.fc.parameters(), lr=0.5, momentum=0.9)
model = train_model(model, optimizer, lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1), num_epochs=2)
print(model.layer1.conv1.weight.grad, model.fc.weight)
model.requires_grad_(True)
head = list(map(id, model.fc.parameters()))
base = [p for p in model.parameters() if id(p) not in head]
optimizer = SGD([{"params": base, "lr": 0.01}, {"params": model.fc.parameters()}], lr=0.1, weight_decay=1e-3)
optimizer.add_param_group({"params": [nn.Parameter(torch.zeros(1))], "lr": 1.0})
train_model(model, optimizer, lr_scheduler.ExponentialLR(optimizer, 0.5), num_epochs=2)
print([group["lr"] for group in optimizer.param_groups], model.layer2.downsample[1].running_mean)
