"""REINFORCE with a baseline, and an actor with a critic, on a cart that is pushed; chance is given."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
GAMMA, EPS = 0.95, torch.finfo(torch.float64).eps


class Cart:
    def reset(self):
        self.x, self.v = 0.6, 0.0
        return torch.tensor([self.x, self.v])

    def step(self, action):
        self.v = 0.9 * self.v + (0.1 if action == 1 else -0.1)
        self.x += self.v
        return torch.tensor([self.x, self.v]), 1.0 - abs(self.x), abs(self.x) > 1.5


class Uniform:
    def __init__(self, seed):
        self.seed = seed

    def __call__(self):
        self.seed = (1664525 * self.seed + 1013904223) % 2**32
        return self.seed / 2**32


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 8)
        self.action_head = nn.Linear(8, 2)
        self.value_head = nn.Linear(8, 1)
        self.saved_actions, self.rewards = [], []
        for p in self.parameters():
            p.data = torch.sin(torch.arange(p.numel()) * 2.0 + 1).view(p.shape) * 0.5

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


def select_action(model, state, uniform):
    probs, value = model(state)
    action = int(uniform() < probs[1].item())
    model.saved_actions.append((probs.log()[action], value))
    return action


def finish_episode(model, optimizer, critic):
    R, returns = 0, []
    for r in model.rewards[::-1]:
        R = r + GAMMA * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + EPS)
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(model.saved_actions, returns, strict=True):
        advantage = R - value.item() if critic else R
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum()
    if critic:
        loss = loss + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:], model.saved_actions[:]
    return loss.item()


for critic in (False, True):
    model, env, uniform = Policy(), Cart(), Uniform(42)
    optimizer = optim.Adam(model.parameters(), lr=3e-2)
    for i_episode in range(4):
        state, ep_reward = env.reset(), 0
        for _ in range(12):
            state, reward, done = env.step(select_action(model, state, uniform))
            model.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        loss = finish_episode(model, optimizer, critic)
        print(f"{critic} {i_episode} reward {ep_reward:.8f} loss {loss:.8f}")
print(model.value_head.weight.grad[0, :4], model(torch.zeros(2))[0].detach())
