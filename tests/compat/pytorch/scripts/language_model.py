"""A recurrent language model: truncated backpropagation, clipping, tied weights, perplexity, and text of its own."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class Dictionary:
    def __init__(self):
        self.word2idx = {}
        self.idx2word = []

    def add_word(self, word):
        if word not in self.word2idx:
            self.idx2word.append(word)
            self.word2idx[word] = len(self.idx2word) - 1
        return self.word2idx[word]

    def __len__(self):
        return len(self.idx2word)


class RNNModel(nn.Module):
    def __init__(self, ntoken, nhid, tie_weights=True):
        super().__init__()
        self.nhid = nhid
        self.drop = nn.Dropout(0.0)
        self.encoder = nn.Embedding(ntoken, nhid)
        self.rnn = nn.LSTM(nhid, nhid, 1)
        self.decoder = nn.Linear(nhid, ntoken)
        if tie_weights:
            self.decoder.weight = self.encoder.weight
        for k, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.0)
            p.data.add_(torch.sin(torch.arange(p.numel()) * 1.3 + k).view(p.shape), alpha=0.3)

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        return F.log_softmax(self.decoder(self.drop(output)).view(-1, self.decoder.out_features), dim=1), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(1, bsz, self.nhid), weight.new_zeros(1, bsz, self.nhid)


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


dictionary = Dictionary()
text = [
    "the",
    "cat",
    "sat",
    "on",
    "the",
    "mat",
    "and",
    "the",
    "dog",
    "sat",
    "on",
    "the",
    "cat",
    "and",
    "the",
    "mat",
    "sat",
    "on",
    "the",
    "dog",
][:14]
corpus = batchify(torch.tensor([dictionary.add_word(w) for w in text * 2]).type(torch.int64), 3)
model = RNNModel(len(dictionary), 6)
print(corpus.shape, len(list(model.parameters())), sum(p.numel() for p in model.parameters()))
bptt, lr = 4, 2.0
for epoch in range(3):
    total_loss, hidden = 0.0, model.init_hidden(3)
    for i in range(0, corpus.size(0) - 1, bptt):
        seq_len = min(bptt, len(corpus) - 1 - i)
        data, targets = corpus[i : i + seq_len], corpus[i + 1 : i + 1 + seq_len].view(-1)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = nn.NLLLoss()(output, targets)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-lr)
        total_loss += len(data) * loss.item()
    mean = total_loss / (len(corpus) - 1)
    print(f"epoch {epoch} loss {mean:.8f} ppl {math.exp(mean):.8f} norm {norm:.8f}")
words, hidden = [], model.init_hidden(1)
input = torch.zeros(1, 1, dtype=torch.long)
with torch.no_grad():
    for _ in range(6):
        output, hidden = model(input, hidden)
        word_idx = output.squeeze().div(1.0).exp().argmax()
        input.fill_(word_idx)
        words.append(dictionary.idx2word[word_idx])
print(" ".join(words), model.decoder.weight is model.encoder.weight)
