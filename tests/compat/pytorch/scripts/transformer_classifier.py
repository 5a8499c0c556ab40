"""A transformer encoder over padded sentences: positions, padding and causal masks."""

import math

import torch
from torch import Tensor, nn
from torch.nn import TransformerEncoder, TransformerEncoderLayer

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class PositionalEncoding(nn.Module):
    pe: Tensor

    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 20):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(1, max_len, d_model)
        pe[0, :, 0::2] = torch.sin(position * div_term)
        pe[0, :, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Tensor) -> Tensor:
        return self.dropout(x + self.pe[:, : x.size(1)])


class Classifier(nn.Module):
    def __init__(self, ntoken: int, d_model: int, nhead: int, d_hid: int, nlayers: int, nclass: int):
        super().__init__()
        self.pos_encoder = PositionalEncoding(d_model, 0.0)
        layers = TransformerEncoderLayer(d_model, nhead, d_hid, dropout=0.0, batch_first=True)
        self.encoder = TransformerEncoder(layers, nlayers, enable_nested_tensor=False)
        self.embedding = nn.Embedding(ntoken, d_model, padding_idx=0)
        self.d_model = d_model
        self.linear = nn.Linear(d_model, nclass)
        self.init_weights()

    def init_weights(self) -> None:
        for k, p in enumerate(self.parameters()):
            p.data.copy_(torch.sin(torch.arange(p.numel()) * 0.7 + k).view_as(p) * 0.25)
        self.linear.bias.data.zero_()

    def forward(self, src: Tensor, causal: bool = False) -> Tensor:
        padding = src == 0
        x = self.pos_encoder(self.embedding(src) * math.sqrt(self.d_model))
        mask = torch.triu(torch.ones(src.size(1), src.size(1), dtype=torch.bool), diagonal=1) if causal else None
        x = self.encoder(x, mask=mask, src_key_padding_mask=padding)
        keep = (~padding).unsqueeze(-1)
        return self.linear((x * keep).sum(1) / keep.sum(1))


sentences = torch.tensor([[1, 2, 3, 4, 5], [5, 4, 3, 0, 0], [2, 4, 0, 0, 0], [6, 1, 6, 1, 0]])
labels = torch.tensor([0, 1, 1, 0])
model = Classifier(7, 8, 2, 12, 2, 2)
print([(n, tuple(p.shape)) for n, p in model.named_parameters() if ".0." in n][:4])
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for epoch in range(3):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    loss = criterion(model(sentences), labels)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    print(epoch, f"{loss.item():.8f} {norm.item():.8f}")
model.eval()
with torch.no_grad():
    longer = nn.functional.pad(sentences, (0, 2))
    print(torch.allclose(model(sentences), model(longer)), model(sentences, causal=True).softmax(-1))
