"""Learning rates: by a function, chained, in sequence, on a plateau, and a scheduler of one's own."""

import math

import torch
from torch.optim import lr_scheduler

torch.set_printoptions(precision=8)


def optimizer_of(*rates):
    groups = [{"params": [torch.nn.Parameter(torch.ones(2))], "lr": rate} for rate in rates]
    return torch.optim.SGD(groups, lr=0.1, momentum=0.9)


def run(optimizer, scheduler, steps, *args):
    rates = []
    for k in range(steps):
        optimizer.step()
        scheduler.step(*(a(k) for a in args))
        rates.append([round(group["lr"], 8) for group in optimizer.param_groups])
    return rates


def get_linear_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps):
    def lr_lambda(current_step):
        if current_step < num_warmup_steps:
            return float(current_step) / float(max(1, num_warmup_steps))
        left = float(num_training_steps - current_step)
        return max(0.0, left / float(max(1, num_training_steps - num_warmup_steps)))

    return lr_scheduler.LambdaLR(optimizer, lr_lambda)


class NoamLR(lr_scheduler.LRScheduler):
    def __init__(self, optimizer, warmup, last_epoch=-1):
        self.warmup = warmup
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        step = max(1, self.last_epoch)
        return [base * min(step**-0.5, step * self.warmup**-1.5) for base in self.base_lrs]


opt = optimizer_of(0.1, 0.01)
print(run(opt, get_linear_schedule_with_warmup(opt, 3, 8), 8))
opt = optimizer_of(0.5, 1.0)
print(run(opt, lr_scheduler.LambdaLR(opt, [lambda e: 0.95**e, lambda e: 0.5 * (1 + math.cos(e))]), 3))
opt = optimizer_of(0.1)
scheduler = NoamLR(opt, warmup=4)
print(run(opt, scheduler, 6), scheduler.last_epoch)
opt = optimizer_of(1.0)
chained = lr_scheduler.ChainedScheduler(
    [lr_scheduler.ConstantLR(opt, factor=0.1, total_iters=2), lr_scheduler.ExponentialLR(opt, gamma=0.9)]
)
print(run(opt, chained, 5))
opt = optimizer_of(1.0)
warmup = lr_scheduler.LinearLR(opt, start_factor=0.1, total_iters=3)
decay = lr_scheduler.CosineAnnealingLR(opt, T_max=4, eta_min=0.01)
print(run(opt, lr_scheduler.SequentialLR(opt, [warmup, decay], milestones=[3]), 7))
opt = optimizer_of(0.1)
plateau = lr_scheduler.ReduceLROnPlateau(opt, mode="min", factor=0.5, patience=1, threshold=1e-3)
print(run(opt, plateau, 7, lambda k: [1.0, 0.9, 0.9, 0.9, 0.89, 0.89, 0.89][k]))
opt = optimizer_of(0.1)
cycle = lr_scheduler.OneCycleLR(opt, max_lr=0.1, steps_per_epoch=4, epochs=2)
print(run(opt, cycle, 7), round(opt.param_groups[0]["momentum"], 8))
opt = optimizer_of(1.0)
first, second = lr_scheduler.MultiStepLR(opt, [2, 4], gamma=0.1), lr_scheduler.StepLR(opt, 3, gamma=0.5)
for _ in range(5):
    opt.step()
    first.step()
    second.step()
    print([round(v, 8) for v in first.get_last_lr()], [round(v, 8) for v in second.get_last_lr()])
print({k: v for k, v in sorted(second.state_dict().items()) if not k.startswith("_") and "lr" not in k})
