"""A deep Q network: replay memory, a target network that follows, and double Q-learning."""

import copy
from collections import deque, namedtuple

import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
GAMMA, TAU, BATCH_SIZE = 0.9, 0.1, 8


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size, start):
        return [self.memory[(start * 7 + k * 3) % len(self.memory)] for k in range(batch_size)]

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, n_observations, n_actions):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_observations, 12), nn.ReLU(), nn.Linear(12, n_actions))
        for k, p in enumerate(self.parameters()):
            p.data = torch.cos(torch.arange(p.numel()) * 1.3 + k).view_as(p) * 0.4

    def forward(self, x):
        return self.layers(x)


policy_net = DQN(4, 2)
target_net = copy.deepcopy(policy_net).requires_grad_(False)
optimizer = optim.AdamW(policy_net.parameters(), lr=1e-2, amsgrad=True)
memory = ReplayMemory(20)


def optimize_model(step, double):
    if len(memory) < BATCH_SIZE:
        return None
    batch = Transition(*zip(*memory.sample(BATCH_SIZE, step), strict=True))
    non_final_mask = torch.tensor(tuple(s is not None for s in batch.next_state), dtype=torch.bool)
    non_final_next_states = torch.cat([s for s in batch.next_state if s is not None])
    state_batch, action_batch, reward_batch = torch.cat(batch.state), torch.cat(batch.action), torch.cat(batch.reward)
    state_action_values = policy_net(state_batch).gather(1, action_batch)
    next_state_values = torch.zeros(BATCH_SIZE)
    with torch.no_grad():
        if double:
            best = policy_net(non_final_next_states).argmax(1, keepdim=True)
            next_state_values[non_final_mask] = target_net(non_final_next_states).gather(1, best).squeeze(1)
        else:
            next_state_values[non_final_mask] = target_net(non_final_next_states).max(1).values
    expected = (next_state_values * GAMMA) + reward_batch
    loss = nn.SmoothL1Loss()(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 0.5)
    optimizer.step()
    return loss.item()


state = torch.eye(4)[:1]
for step in range(24):
    with torch.no_grad():
        explore = step % 3 == 0
        action = torch.tensor([[step // 3 % 2]]) if explore else policy_net(state).max(1).indices.view(1, 1)
    place = state.argmax().item() + (1 if action.item() == 1 else -1)
    reward = torch.tensor([1.0 if place == 4 else -0.1])
    next_state = torch.eye(4)[place : place + 1] if 0 <= place < 4 else None
    memory.push(state, action, next_state, reward)
    state = torch.eye(4)[:1] if next_state is None else next_state
    loss = optimize_model(step, double=step > 15)
    target_state, policy_state = target_net.state_dict(), policy_net.state_dict()
    for key in policy_state:
        target_state[key] = policy_state[key] * TAU + target_state[key] * (1 - TAU)
    target_net.load_state_dict(target_state)
    if step % 8 == 7:
        print(step, f"{loss:.8f}", len(memory), place)
print(policy_net(torch.eye(4)).detach(), target_net(torch.eye(4)).requires_grad)
