"""Optimizers of one's own: state, groups, closures, and one that wraps another (Lookahead)."""

import torch
from torch import nn
from torch.optim import Optimizer

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class Lion(Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        if not lr >= 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data.mul_(1 - group["lr"] * group["weight_decay"])
                grad, state = p.grad, self.state[p]
                if len(state) == 0:
                    state["exp_avg"] = torch.zeros_like(p)
                exp_avg = state["exp_avg"]
                beta1, beta2 = group["betas"]
                update = exp_avg * beta1 + grad * (1 - beta1)
                p.add_(update.sign_(), alpha=-group["lr"])
                exp_avg.mul_(beta2).add_(grad, alpha=1 - beta2)
        return loss


class PlainAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                grad, state = p.grad.data, self.state[p]
                if not state:
                    state["step"] = 0
                    state["exp_avg"], state["exp_avg_sq"] = torch.zeros_like(p.data), torch.zeros_like(p.data)
                state["step"] += 1
                beta1, beta2 = group["betas"]
                state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
                state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
                denom = (state["exp_avg_sq"] / (1 - beta2 ** state["step"])).sqrt_().add_(group["eps"])
                p.data.addcdiv_(state["exp_avg"], denom, value=-group["lr"] / (1 - beta1 ** state["step"]))


class Lookahead:
    def __init__(self, optimizer, k=2, alpha=0.5):
        self.optimizer, self.k, self.alpha, self.count = optimizer, k, alpha, 0
        self.slow = [[p.clone().detach() for p in group["params"]] for group in optimizer.param_groups]

    def step(self):
        self.optimizer.step()
        self.count += 1
        if self.count % self.k == 0:
            for group, slow in zip(self.optimizer.param_groups, self.slow, strict=True):
                for p, q in zip(group["params"], slow, strict=True):
                    q.add_(p.data - q, alpha=self.alpha)
                    p.data.copy_(q)


x = torch.linspace(-1, 1, 20).unsqueeze(1)
y = x**3 - 0.5 * x


def build():
    net = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
    for k, p in enumerate(net.parameters()):
        p.data = torch.cos(torch.arange(p.numel()) + k).view(p.shape) * 0.5
    return net


for name, make in (
    ("lion", lambda ps: Lion([{"params": ps[:2]}, {"params": ps[2:], "lr": 0.005, "weight_decay": 0.1}], lr=0.01)),
    ("adam", lambda ps: PlainAdam(ps, lr=0.02)),
    ("reference", lambda ps: torch.optim.Adam(ps, lr=0.02)),
    ("lookahead", lambda ps: Lookahead(torch.optim.SGD(ps, lr=0.2))),
):
    net = build()
    optimizer = make(list(net.parameters()))
    for _ in range(8):
        net.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    print(f"{name:10s}{loss.item():.8f}")

net = build()
lion = Lion(net.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.LambdaLR(lion, lambda epoch: 1 / (1 + epoch))


def closure():
    lion.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for _ in range(3):
    print(f"{lion.step(closure).item():.8f}", scheduler.get_last_lr())
    scheduler.step()
print(lion, len(lion.state), sorted(lion.state_dict()["state"]))
restored = Lion(net.parameters())
restored.load_state_dict(lion.state_dict())
print(restored.param_groups[0]["lr"], restored.state[net[0].weight]["exp_avg"].shape)
