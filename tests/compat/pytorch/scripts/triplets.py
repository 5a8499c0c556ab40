"""A siamese network: contrastive and triplet losses, hard negatives, and nearest neighbours by embedding."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
labels = torch.arange(12) % 3
points = torch.sin(torch.arange(12 * 6) * 0.77).view(12, 6) + F.one_hot(labels, 6)


class EmbeddingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(6, 10), nn.PReLU(), nn.Linear(10, 4))

    def forward(self, x):
        return F.normalize(self.fc(x), p=2, dim=1)


class SiameseNet(nn.Module):
    def __init__(self, embedding_net):
        super().__init__()
        self.embedding_net = embedding_net

    def forward(self, x1, x2):
        return self.embedding_net(x1), self.embedding_net(x2)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin, eps=1e-9):
        super().__init__()
        self.margin = margin
        self.eps = eps

    def forward(self, output1, output2, target):
        distances = (output2 - output1).pow(2).sum(1)
        losses = 0.5 * (
            target.to(distances.dtype) * distances
            + (1 + -1 * target).to(distances.dtype) * F.relu(self.margin - (distances + self.eps).sqrt()).pow(2)
        )
        return losses.mean()


def batch_hard_triplet_loss(embeddings, labels, margin):
    square = (embeddings.unsqueeze(0) - embeddings.unsqueeze(1)).pow(2).sum(-1)
    dist = torch.sqrt(square + 1e-12)
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    eye = torch.eye(len(labels), dtype=torch.bool)
    hardest_positive = torch.where(same & ~eye, dist, torch.zeros_like(dist)).max(dim=1).values
    hardest_negative = dist.masked_fill(same, float("inf")).min(dim=1)[0]
    return F.relu(hardest_positive - hardest_negative + margin).mean()


net = EmbeddingNet()
for k, p in enumerate(net.parameters()):
    if p.dim() > 1:
        p.data.copy_(torch.cos(torch.arange(p.numel()) + k).reshape(p.shape) * 0.5)
    elif p.numel() > 1:
        nn.init.zeros_(p)
siamese, criterion = SiameseNet(net), ContrastiveLoss(1.0)
optimizer = torch.optim.Adam(siamese.parameters(), lr=0.05)
for step in range(7):
    first, second = siamese(points, points.roll(1 + step % 3, 0))
    loss = criterion(first, second, (labels == labels.roll(1 + step % 3)).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"contrastive {loss.item():.8f}")

triplet = nn.TripletMarginLoss(margin=0.3, p=2)
cosine = nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: 1 - F.cosine_similarity(a, b), margin=0.2)
for _ in range(4):
    anchor, positive, negative = net(points), net(points.roll(3, 0)), net(points.roll(1, 0))
    loss = triplet(anchor, positive, negative) + cosine(anchor, positive, negative)
    loss = loss + batch_hard_triplet_loss(anchor, labels, 0.2)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"triplet {loss.item():.8f}", net.fc[1].weight.data)
with torch.no_grad():
    embeddings = net(points)
    distances = torch.cdist(embeddings, embeddings).fill_diagonal_(float("inf"))
    nearest = distances.topk(2, largest=False).indices
print((labels[nearest[:, 0]] == labels).double().mean().item(), nearest[:3].tolist())
print(F.cosine_embedding_loss(embeddings[:4], embeddings[4:8], torch.tensor([1.0, -1.0, 1.0, -1.0]), margin=0.1))
