"""Names told apart by a recurrent network over characters, built by hand and by nn.RNN."""

import string
import unicodedata

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
all_letters = string.ascii_letters + " .,;'"
n_letters = len(all_letters)
names = {"Italian": ["Rossi", "Bianchi", "Nicolò"], "Polish": ["Nowak", "Wójcik", "Kozłow"], "Irish": ["O'Neal"]}
categories = list(names)


def unicode_to_ascii(s):
    return "".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn" and c in all_letters)


def line_to_tensor(line):
    tensor = torch.zeros(len(line), 1, n_letters)
    for li, letter in enumerate(line):
        tensor[li][0][all_letters.find(letter)] = 1
    return tensor


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super(RNN, self).__init__()  # noqa: UP008
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size, hidden_size)
        self.h2h = nn.Linear(hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, input, hidden):
        hidden = F.tanh(self.i2h(input) + self.h2h(hidden))
        return self.softmax(self.h2o(hidden)), hidden

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)


class CharRNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.rnn = nn.RNN(input_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)

    def forward(self, line_tensor):
        _, hidden = self.rnn(line_tensor)
        return F.log_softmax(self.h2o(hidden[0]), dim=1)


def fill(module):
    for p in module.parameters():
        p.data = torch.sin(torch.arange(p.numel()) * 2.1 + 1).mul(0.3).reshape(p.shape)


def category_from_output(output):
    top_n, top_i = output.topk(1)
    category_i = top_i[0].item()
    return categories[category_i], category_i, top_n.item()


rnn = RNN(n_letters, 12, len(categories))
fill(rnn)
criterion = nn.NLLLoss()
lines = [(category, unicode_to_ascii(name)) for category in names for name in names[category]]
print(lines)
for epoch in range(5):
    current_loss = 0
    for category, line in lines:
        hidden = rnn.initHidden()
        rnn.zero_grad()
        for letter in line_to_tensor(line):
            output, hidden = rnn(letter, hidden)
        loss = criterion(output, torch.tensor([categories.index(category)], dtype=torch.long))
        loss.backward()
        for p in rnn.parameters():
            p.data.add_(p.grad.data, alpha=-0.05)
        current_loss += loss.item()
    print(epoch, f"{current_loss / len(lines):.8f}", category_from_output(output)[0])

model = CharRNN(n_letters, 12, len(categories))
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(5):
    batch_loss = 0
    for category, line in lines:
        batch_loss += criterion(model(line_to_tensor(line)), torch.tensor([categories.index(category)]))
    optimizer.zero_grad()
    batch_loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 3)
    optimizer.step()
confusion = torch.zeros(3, 3)
with torch.no_grad():
    for category, line in lines:
        confusion[categories.index(category)][category_from_output(model(line_to_tensor(line)))[1]] += 1
print(f"{batch_loss.item():.8f}", confusion / confusion.sum(1, keepdim=True))
