"""Sequence to sequence with additive attention and teacher forcing."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
SOS_token, EOS_token, MAX_LENGTH = 0, 1, 5


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size, dropout_p=0.0):
        super().__init__()
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, batch_first=True)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, input):
        return self.gru(self.dropout(self.embedding(input)))


class BahdanauAttention(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.Wa = nn.Linear(hidden_size, hidden_size)
        self.Ua = nn.Linear(hidden_size, hidden_size)
        self.Va = nn.Linear(hidden_size, 1)

    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys)))
        weights = F.softmax(scores.squeeze(2).unsqueeze(1), dim=-1)
        return torch.bmm(weights, keys), weights


class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.attention = BahdanauAttention(hidden_size)
        self.gru = nn.GRU(2 * hidden_size, hidden_size, batch_first=True)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, encoder_outputs, encoder_hidden, target_tensor=None):
        decoder_input = torch.empty(encoder_outputs.size(0), 1, dtype=torch.long).fill_(SOS_token)
        decoder_hidden, outputs, attentions = encoder_hidden, [], []
        for i in range(MAX_LENGTH):
            embedded = self.embedding(decoder_input)
            context, weights = self.attention(decoder_hidden.permute(1, 0, 2), encoder_outputs)
            output, decoder_hidden = self.gru(torch.cat((embedded, context), dim=2), decoder_hidden)
            output = self.out(output)
            outputs.append(output)
            attentions.append(weights)
            if target_tensor is not None:
                decoder_input = target_tensor[:, i].unsqueeze(1)
            else:
                _, topi = output.topk(1)
                decoder_input = topi.squeeze(-1).detach()
        return F.log_softmax(torch.cat(outputs, dim=1), dim=-1), decoder_hidden, torch.cat(attentions, dim=1)


def fill(module):
    for k, p in enumerate(module.parameters()):
        nn.init.zeros_(p)
        p.data += torch.cos(torch.arange(p.numel()) * 1.7 + k).view(p.shape) * 0.4


encoder, decoder = EncoderRNN(9, 8), AttnDecoderRNN(8, 9)
fill(encoder)
fill(decoder)
source = torch.tensor([[2, 3, 4, 5, 1], [4, 6, 8, 1, 1], [7, 5, 3, 2, 1]])
target = torch.tensor([[5, 4, 3, 2, 1], [8, 6, 4, 1, 1], [2, 3, 5, 7, 1]])
encoder_optimizer = optim.Adam(encoder.parameters(), lr=0.02)
decoder_optimizer = optim.Adam(decoder.parameters(), lr=0.02)
criterion = nn.NLLLoss()
for epoch in range(1, 9):
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    encoder_outputs, encoder_hidden = encoder(source)
    decoder_outputs, _, _ = decoder(encoder_outputs, encoder_hidden, target if epoch % 2 else None)
    loss = criterion(decoder_outputs.view(-1, decoder_outputs.size(-1)), target.view(-1))
    loss.backward()
    encoder_optimizer.step()
    decoder_optimizer.step()
    if epoch % 4 == 0:
        print(f"({epoch} {epoch / 8:.0%}) {loss.item():.8f}")
with torch.no_grad():
    encoder_outputs, encoder_hidden = encoder(source[:1])
    decoder_outputs, _, attentions = decoder(encoder_outputs, encoder_hidden)
    print(decoder_outputs.topk(1)[1].squeeze().tolist(), attentions.shape, attentions[0, 1])
