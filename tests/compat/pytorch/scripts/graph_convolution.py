"""Graph networks: convolution by a normalised adjacency, attention over edges by index_add, pooling by scatter."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parameter import Parameter

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
edges = torch.tensor([[0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 0, 4], [1, 0, 2, 1, 3, 2, 5, 4, 6, 5, 4, 0]])
n = 7
features = torch.sin(torch.arange(n * 4.0)).view(n, 4)
labels = torch.tensor([0, 0, 0, 0, 1, 1, 1])
idx_train = torch.tensor([0, 3, 5])


def fill(module):
    for k, p in enumerate(module.parameters()):
        with torch.no_grad():
            p.copy_(torch.cos(torch.arange(p.numel()) * 1.1 + k).view(p.shape) * 0.5)
    return module


def normalised(edges, n):
    adj = torch.zeros(n, n)
    adj[edges[0], edges[1]] = 1.0
    adj = adj + torch.eye(n)
    d_inv_sqrt = adj.sum(1).pow(-0.5)
    d_inv_sqrt[torch.isinf(d_inv_sqrt)] = 0.0
    return torch.diag(d_inv_sqrt) @ adj @ torch.diag(d_inv_sqrt)


class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(torch.empty(in_features, out_features))
        if bias:
            self.bias = Parameter(torch.empty(out_features))
        else:
            self.register_parameter("bias", None)

    def forward(self, input, adj):
        output = torch.mm(adj, torch.mm(input, self.weight))
        return output if self.bias is None else output + self.bias

    def __repr__(self):
        return f"{self.__class__.__name__} ({self.in_features} -> {self.out_features})"


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass):
        super().__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nclass, bias=False)

    def forward(self, x, adj):
        return F.log_softmax(self.gc2(F.relu(self.gc1(x, adj)), adj), dim=1)


class GraphAttention(nn.Module):
    def __init__(self, nfeat, nhid):
        super().__init__()
        self.W = nn.Linear(nfeat, nhid, bias=False)
        self.a = nn.Linear(2 * nhid, 1, bias=False)

    def forward(self, x, edges):
        h, (src, dst) = self.W(x), edges
        e = F.leaky_relu(self.a(torch.cat([h[src], h[dst]], dim=1))).squeeze(-1)
        alpha = (e - e.max()).exp()
        total = torch.zeros(len(x)).index_add(0, dst, alpha)
        out = torch.zeros_like(h).index_add_(0, dst, h[src] * (alpha / total[dst]).unsqueeze(-1))
        return F.elu(out), alpha / total[dst]


model, adj = fill(GCN(4, 5, 2)), normalised(edges, n)
print(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1, weight_decay=5e-4)
for _epoch in range(6):
    model.train()
    optimizer.zero_grad()
    output = model(features, adj)
    loss_train = F.nll_loss(output[idx_train], labels[idx_train])
    loss_train.backward()
    optimizer.step()
print(f"{loss_train.item():.8f}", (output.max(1)[1] == labels).sum().item(), model.gc2.bias)
attention = fill(GraphAttention(4, 3))
out, alpha = attention(features, edges)
graph = torch.tensor([0, 0, 0, 0, 1, 1, 1])
mean = torch.zeros(2, 3).scatter_add(0, graph.unsqueeze(1).expand(-1, 3), out) / graph.bincount().unsqueeze(1)
most = torch.full((2, 3), -torch.inf).scatter_reduce(0, graph.unsqueeze(1).expand(-1, 3), out, reduce="amax")
print(mean.detach())
print(most.detach(), alpha[:4].detach())
(mean.sum() + most.sum()).backward()
print(attention.W.weight.grad)
print(f"{attention.a.weight.grad.norm():.8f}")
degree = torch.bincount(edges[1], minlength=n)
hops = torch.linalg.matrix_power((adj > 0).double(), 2) > 0
print(degree, hops.sum(1), torch.unique(edges, return_counts=True)[1])
