"""Ratings by the product of embeddings with biases: sparse-looking updates, weight decay by groups, top lists."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)


class MatrixFactorization(nn.Module):
    def __init__(self, n_users, n_items, n_factors=3):
        super().__init__()
        self.user_factors = nn.Embedding(n_users, n_factors)
        self.item_factors = nn.Embedding(n_items, n_factors)
        self.user_biases = nn.Embedding(n_users, 1)
        self.item_biases = nn.Embedding(n_items, 1)
        self.offset = nn.Parameter(torch.zeros(1))
        for table in (self.user_factors, self.item_factors):
            table.weight.data.copy_(torch.sin(torch.arange(table.weight.numel()) * 1.3).view_as(table.weight) * 0.3)
        nn.init.zeros_(self.user_biases.weight)
        nn.init.zeros_(self.item_biases.weight)

    def forward(self, user, item):
        pred = self.user_biases(user) + self.item_biases(item) + self.offset
        pred += (self.user_factors(user) * self.item_factors(item)).sum(dim=1, keepdim=True)
        return pred.squeeze()


rows, cols = torch.arange(30) % 6, torch.arange(30) * 3 % 7
ratings = 3 + 2 * torch.sin(rows * 1.0 + cols * 0.5)
loader = DataLoader(TensorDataset(rows, cols, ratings), batch_size=10)
model = MatrixFactorization(6, 7)
biases = [p for name, p in model.named_parameters() if "biases" in name or name == "offset"]
factors = [p for name, p in model.named_parameters() if "factors" in name]
optimizer = torch.optim.SGD([{"params": factors, "weight_decay": 0.01}, {"params": biases}], lr=0.5, momentum=0.5)
loss_func = nn.MSELoss()
for epoch in range(6):
    losses = []
    for user, item, rating in loader:
        optimizer.zero_grad()
        loss = loss_func(model(user, item), rating)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(epoch, f"{sum(losses) / len(losses):.8f}")
touched = model.item_factors.weight.grad.abs().sum(1) > 0
print(touched.tolist(), model.offset.data)
with torch.no_grad():
    scores = model.user_factors.weight @ model.item_factors.weight.T + model.item_biases.weight.T
    seen = torch.zeros(6, 7, dtype=torch.bool).index_put((rows, cols), torch.tensor(True))
    print(seen.sum(1), torch.topk(scores.masked_fill(seen, -torch.inf), 2, dim=1).indices)
    rmse = torch.sqrt(((model(rows, cols) - ratings) ** 2).mean())
print(f"{rmse.item():.8f}")

implicit = torch.sigmoid(torch.einsum("uf,if->ui", model.user_factors.weight, model.item_factors.weight))
bpr = -torch.log(torch.sigmoid(implicit[rows, cols] - implicit[rows, (cols + 1) % 7])).mean()
bpr.backward()
print(f"{bpr.item():.8f}", model.user_factors.weight.grad.norm())
bag = nn.EmbeddingBag.from_pretrained(model.item_factors.weight.detach(), mode="sum")
print(bag(torch.tensor([0, 2, 4, 5]), torch.tensor([0, 3])))
