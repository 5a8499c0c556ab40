"""Training under autocast, with gradients that are scaled against underflow."""

import warnings

import torch
import torch.nn as nn

torch.set_printoptions(precision=8)

warnings.filterwarnings("ignore", category=UserWarning)
torch.set_default_dtype(torch.float64)
in_size, out_size, batch = 8, 4, 6


def make_model():
    layers = []
    for _ in range(2):
        layers += [nn.Linear(in_size, in_size), nn.ReLU()]
    model = nn.Sequential(*layers, nn.Linear(in_size, out_size))
    for k, p in enumerate(model.parameters()):
        p.data = torch.sin(torch.arange(p.numel()) * 1.9 + k).mul(0.4).view(p.shape)
    return model


data = [torch.cos(torch.arange(batch * in_size) + k).view(batch, in_size) for k in range(3)]
targets = [torch.sin(torch.arange(batch * out_size) + k).view(batch, out_size) for k in range(3)]
loss_fn = nn.MSELoss()
use_amp = torch.cuda.is_available()
for use_scaler in (False, True):
    net = make_model()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=4, enabled=use_scaler)
    for _epoch in range(2):
        for input, target in zip(data, targets, strict=True):
            with torch.autocast(device_type="cpu", dtype=torch.float16, enabled=use_amp):
                output = net(input)
                loss = loss_fn(output, target)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            norm = torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.5)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad()
    print(use_scaler, f"{loss.item():.8f} {norm.item():.8f}", scaler.get_scale(), net[0].weight.dtype)

before = net[0].weight.clone()
loss = loss_fn(net(data[0]), targets[0])
scaler.scale(loss * float("inf")).backward()
scaler.step(opt)
scaler.update()
print(torch.equal(before, net[0].weight), scaler.get_scale(), scaler.is_enabled())
print({k: v for k, v in scaler.state_dict().items() if k != "_growth_tracker"})
restored = torch.amp.GradScaler("cpu")
restored.load_state_dict(scaler.state_dict())
print(restored.get_scale(), torch.is_autocast_enabled("cpu"))


@torch.autocast("cpu", enabled=False)
def evaluate(model, x):
    return model(x).sum()


net.zero_grad()
scaled = scaler.scale([evaluate(net, data[1]), evaluate(net, data[2])])
grads = torch.autograd.grad(sum(scaled), net.parameters(), create_graph=True)
inv_scale = 1.0 / scaler.get_scale()
grad_norm = sum((g * inv_scale).pow(2).sum() for g in grads).sqrt()
scaler.scale(grad_norm).backward()
scaler.step(opt)
scaler.update()
print(f"{grad_norm.item():.8f}", net[4].bias)
