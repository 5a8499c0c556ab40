"""Tags for sentences of several lengths: masks, the last states, and losses that leave padding out."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


def prepare_sequence(seq, to_ix):
    return torch.tensor([to_ix[w] for w in seq], dtype=torch.long)


training_data = [
    (["The", "dog", "ate", "the", "apple"], ["DET", "NN", "V", "DET", "NN"]),
    (["Everybody", "read", "that", "book"], ["NN", "V", "DET", "NN"]),
    (["Dogs", "read"], ["NN", "V"]),
]
word_to_ix, tag_to_ix = {"<pad>": 0}, {"DET": 0, "NN": 1, "V": 2}
for sent, _ in training_data:
    for word in sent:
        word_to_ix.setdefault(word, len(word_to_ix))


class LSTMTagger(nn.Module):
    def __init__(self, embedding_dim, hidden_dim, vocab_size, tagset_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim, padding_idx=0)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.hidden2tag = nn.Linear(hidden_dim, tagset_size)

    def forward(self, sentences, lengths):
        embeds = self.word_embeddings(sentences)
        out, _ = self.lstm(embeds)
        last = out.gather(1, (lengths - 1).view(-1, 1, 1).expand(-1, 1, out.size(2))).squeeze(1)
        return self.hidden2tag(out), last


model = LSTMTagger(5, 6, len(word_to_ix), len(tag_to_ix))
for k, p in enumerate(model.parameters()):
    p.data = (torch.sin(torch.arange(p.numel()) * 1.3 + k) * 0.4).view(p.shape)
model.word_embeddings.weight.data[0] = 0
order = [1, 0, 2]
sentences = [prepare_sequence(training_data[i][0], word_to_ix) for i in order]
tags = [prepare_sequence(training_data[i][1], tag_to_ix) for i in order]
lengths = torch.tensor([len(s) for s in sentences])
padded = pad_sequence(sentences, batch_first=True)
targets = pad_sequence(tags, batch_first=True, padding_value=-100)
mask = torch.arange(padded.size(1))[None, :] < lengths[:, None]
print(padded, targets, mask.sum().item())
optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
for epoch in range(6):
    model.zero_grad()
    tag_scores, last = model(padded, lengths)
    loss = F.cross_entropy(tag_scores.flatten(0, 1), targets.flatten(), ignore_index=-100)
    loss.backward()
    optimizer.step()
    if epoch % 3 == 2:
        predicted = tag_scores.argmax(-1)
        accuracy = ((predicted == targets) & mask).sum() / mask.sum()
        print(epoch, f"{loss.item():.8f} {accuracy.item():.8f}")
print(model.word_embeddings.weight.grad[0], last.shape, last[2].tolist())
per_token = F.cross_entropy(tag_scores.transpose(1, 2), targets, reduction="none")
print((per_token.masked_fill(~mask, 0).sum(1) / lengths).tolist())
