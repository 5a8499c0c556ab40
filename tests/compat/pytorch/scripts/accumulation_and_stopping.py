"""Gradients accumulated over small batches, clipped; early stopping; and inference without gradients."""

import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class EarlyStopping:
    def __init__(self, patience=2, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.counter, self.best_loss, self.early_stop, self.best_state = 0, None, False, None

    def __call__(self, val_loss, model):
        if self.best_loss is None or self.best_loss - val_loss > self.min_delta:
            self.best_loss, self.counter = val_loss, 0
            self.best_state = copy.deepcopy(model.state_dict())
        else:
            self.counter += 1
            self.early_stop = self.counter >= self.patience


def build():
    net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Dropout(p=0.5), nn.Linear(16, 1)).eval()
    for p in net.parameters():
        p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return net


x = torch.sin(torch.arange(60.0) * 0.9).view(20, 3)
y = (x.prod(1, keepdim=True) + x[:, :1]).detach()
whole, parts = build(), build()
nn.functional.mse_loss(whole(x), y).backward()
accumulation_steps = 4
for chunk_x, chunk_y in zip(x.chunk(accumulation_steps), y.split(5), strict=True):
    (nn.functional.mse_loss(parts(chunk_x), chunk_y) / accumulation_steps).backward()
print([torch.allclose(a.grad, b.grad) for a, b in zip(whole.parameters(), parts.parameters(), strict=True)])
total = nn.utils.clip_grad_norm_(parts.parameters(), max_norm=0.1, norm_type=2)
after = torch.stack([p.grad.norm() for p in parts.parameters()]).norm()
print(f"{total:.8f} {after:.8f}")
nn.utils.clip_grad_value_(parts.parameters(), clip_value=0.01)
print(max(p.grad.abs().max().item() for p in parts.parameters()))

model, stopper = build(), EarlyStopping(patience=2, min_delta=1e-4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for epoch in range(60):
    for i, (bx, by) in enumerate(zip(x[:16].split(4), y[:16].split(4), strict=True)):
        loss = nn.functional.smooth_l1_loss(model(bx), by) / 2
        loss.backward()
        if (i + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
    with torch.no_grad():
        val_loss = nn.functional.mse_loss(model(x[16:]), y[16:])
    stopper(val_loss.item(), model)
    if stopper.early_stop:
        print(f"stopped at {epoch} with {stopper.best_loss:.8f}")
        break
model.load_state_dict(stopper.best_state)


@torch.inference_mode()
def predict(net, inputs):
    net.eval()
    return net(inputs)


out = predict(model, x[:2])
print(out.requires_grad, model.training, out)
model.train()
with torch.inference_mode():
    model.eval()
    again = model(x[:2])
    print(torch.is_inference_mode_enabled(), torch.equal(again, out), model[2].training)
try:
    nn.functional.mse_loss(again, y[:2]).backward()
except RuntimeError as error:
    print(str(error).split(".")[0])
