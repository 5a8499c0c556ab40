"""An LSTM tagger, a GRU with a decoder that attends, and a transformer layer."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


def fill(module, scale=0.3):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_((torch.sin(torch.arange(1, p.numel() + 1) * 1.3) * scale).view_as(p))
    return module


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embedding = nn.Embedding(words, 6)
        self.lstm = nn.LSTM(6, 8, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(16, tags)

    def forward(self, sentence):
        out, _ = self.lstm(self.embedding(sentence))
        return F.log_softmax(self.tag(out), dim=-1)


tagger = fill(Tagger(10, 3))
sentences = torch.arange(24).reshape(4, 6) * 7 % 10
tags = sentences % 3
optimizer = torch.optim.Adam(tagger.parameters(), lr=0.02)
for step in range(15):
    tagger.zero_grad()
    loss = F.nll_loss(tagger(sentences).transpose(1, 2), tags)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
    optimizer.step()
    if step % 5 == 4:
        print(step, f"{loss.item():.8f} {norm.item():.8f}")


class Decoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = nn.GRU(3, size)
        self.cell = nn.GRUCell(size + 3, size)
        self.out = nn.Linear(size, 3)

    def forward(self, x, steps):
        memory, h = self.encoder(x)
        h = h[-1]
        token = torch.zeros(x.size(1), 3)
        outputs = []
        for _ in range(steps):
            scores = torch.einsum("tbh,bh->bt", memory, h) / memory.size(-1) ** 0.5
            context = torch.bmm(scores.softmax(-1).unsqueeze(1), memory.transpose(0, 1)).squeeze(1)
            h = self.cell(torch.cat([context, token], dim=1), h)
            token = self.out(h)
            outputs.append(token)
        return torch.stack(outputs)


decoder = fill(Decoder(5))
source = torch.cos(torch.arange(5 * 2 * 3.0)).view(5, 2, 3)
target = source.flip(0)
optimizer = torch.optim.RMSprop(decoder.parameters(), lr=0.01)
for _ in range(10):
    optimizer.zero_grad(set_to_none=True)
    loss = F.mse_loss(decoder(source, 5), target)
    loss.backward()
    optimizer.step()
print(f"{loss.item():.8f}", decoder.cell.weight_ih.grad.norm())

layer = fill(nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, dropout=0.0, batch_first=True))
x = torch.sin(torch.arange(2 * 4 * 8.0)).view(2, 4, 8).requires_grad_()
mask = nn.Transformer.generate_square_subsequent_mask(4)
y = layer(x, src_mask=mask, is_causal=True)
y.square().mean().backward()
print(y.shape, y[0, 0, :3], x.grad[1, 2, :3])
