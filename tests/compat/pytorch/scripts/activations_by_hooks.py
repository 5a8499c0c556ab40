"""Hooks that collect activations and gradients: what a layer saw, and where a class was seen (Grad-CAM)."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 3, 3, padding=1), nn.ReLU(), nn.Conv2d(3, 4, 3, padding=1), nn.ReLU()
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(4, 3)

    def forward(self, x):
        x = self.features(x)
        return self.classifier(self.pool(x).flatten(1))


model = CNN()
with torch.no_grad():
    for name, p in model.named_parameters():
        p.copy_(torch.sin(torch.arange(p.numel()) + len(name)).view(p.shape) * 0.5)

activations, gradients, norms = {}, {}, []


def get_activation(name):
    def hook(module, input, output):
        activations[name] = output.detach()

    return hook


def save_gradient(module, grad_input, grad_output):
    gradients[type(module).__name__] = (tuple(g.shape for g in grad_input if g is not None), grad_output[0].clone())


handles = [m.register_forward_hook(get_activation(name)) for name, m in model.named_modules() if not list(m.children())]
handles.append(model.classifier.register_full_backward_hook(save_gradient))
handles.append(model.features.register_full_backward_hook(save_gradient))
model.classifier.weight.register_hook(lambda grad: norms.append(round(grad.norm().item(), 8)))
x = torch.cos(torch.arange(2 * 25.0) * 0.3).view(2, 1, 5, 5)
out = model(x)
score = out[torch.arange(2), out.argmax(dim=1)].sum()
score.backward()
for name, value in activations.items():
    print(f"{name:12s} {tuple(value.shape)} mean {value.mean():.8f} dead {(value == 0).float().mean():.8f}")
shapes, grad = gradients["Linear"]
print(shapes, grad, norms)
weights = gradients["Sequential"][1].mean(dim=(2, 3), keepdim=True)
cam = F.relu((weights * activations["features.3"]).sum(dim=1, keepdim=True))
cam = F.interpolate(cam, size=(7, 7), mode="bilinear", align_corners=False)
cam = (cam - cam.min()) / (cam.max() - cam.min())
print(cam.shape, cam[0, 0, 3])
for handle in handles:
    handle.remove()


class GradientReversal(nn.Module):
    def forward(self, x):
        return x.view_as(x)


order = []
model.features[0].register_forward_pre_hook(lambda m, args: order.append("pre"))
model.register_forward_hook(lambda m, args, kwargs, out: order.append(sorted(kwargs)), with_kwargs=True)
reverse = GradientReversal()
reverse.register_full_backward_hook(lambda m, gi, go: (-gi[0],))
image = x[:1].clone().requires_grad_()
model(x=reverse(image)).logsumexp(1).sum().backward()
saliency = image.grad.abs().amax(dim=(0, 1))
print(order, saliency[2], len(activations))
