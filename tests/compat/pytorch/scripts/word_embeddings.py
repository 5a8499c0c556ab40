"""Word embeddings: n-grams, a continuous bag of words, and skip-grams with negative samples."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=8)
CONTEXT_SIZE, EMBEDDING_DIM = 2, 6
text = """When forty winters shall besiege thy brow,
And dig deep trenches in thy beauty's field""".lower().split()
vocab = sorted(set(text))
word_to_ix = {word: i for i, word in enumerate(vocab)}
ngrams = [([text[i - j - 1] for j in range(CONTEXT_SIZE)], text[i]) for i in range(CONTEXT_SIZE, len(text))]
print(len(vocab), ngrams[:2])


def lcg(seed=1):
    while True:
        seed = (1103515245 * seed + 12345) % 2**31
        yield seed


def fill(module):
    stream = lcg()
    for p in module.parameters():
        p.data = torch.tensor([next(stream) / 2**31 - 0.5 for _ in range(p.numel())]).reshape(p.shape)
    return module


class NGramLanguageModeler(nn.Module):
    def __init__(self, vocab_size, embedding_dim, context_size):
        super().__init__()
        self.embeddings = nn.Embedding(vocab_size, embedding_dim)
        self.linear1 = nn.Linear(context_size * embedding_dim, 12)
        self.linear2 = nn.Linear(12, vocab_size)

    def forward(self, inputs):
        embeds = self.embeddings(inputs).view((1, -1))
        return F.log_softmax(self.linear2(F.relu(self.linear1(embeds))), dim=1)


class CBOW(nn.Module):
    def __init__(self, vocab_size, embedding_dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab_size, embedding_dim, mode="mean")
        self.out = nn.Linear(embedding_dim, vocab_size)

    def forward(self, context):
        return self.out(self.bag(context))


losses = []
loss_function = nn.NLLLoss()
model = fill(NGramLanguageModeler(len(vocab), EMBEDDING_DIM, CONTEXT_SIZE))
optimizer = optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    total_loss = 0
    for context, target in ngrams:
        context_idxs = torch.tensor([word_to_ix[w] for w in context], dtype=torch.long)
        model.zero_grad()
        loss = loss_function(model(context_idxs), torch.tensor([word_to_ix[target]]))
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
    losses.append(round(total_loss, 8))
print(losses)
print(model.embeddings.weight[word_to_ix["winters"]].detach())

around = [([text[i + k] for k in (-2, -1, 1, 2)], text[i]) for i in range(2, len(text) - 2)]
contexts = torch.tensor([[word_to_ix[w] for w in c] for c, _ in around])
centres = torch.tensor([word_to_ix[w] for _, w in around])
cbow = fill(CBOW(len(vocab), EMBEDDING_DIM))
optimizer = optim.Adagrad(cbow.parameters(), lr=0.3)
for _ in range(10):
    optimizer.zero_grad()
    loss = F.cross_entropy(cbow(contexts), centres)
    loss.backward()
    optimizer.step()
print(f"{loss.item():.8f}", (cbow(contexts).argmax(1) == centres).sum().item())

table = fill(nn.Embedding(len(vocab), EMBEDDING_DIM))
negative = (contexts + 7) % len(vocab)
centre, positive, other = table(centres).unsqueeze(2), table(contexts), table(negative)
loss = -(F.logsigmoid(positive.bmm(centre)) + F.logsigmoid(other.bmm(centre).neg())).sum(1).mean()
loss.backward()
similar = F.cosine_similarity(table.weight[:1], table.weight).topk(3)
print(f"{loss.item():.8f}", table.weight.grad.norm(), [vocab[i] for i in similar.indices], similar.values)
pretrained = nn.Embedding.from_pretrained(table.weight.detach(), freeze=True)
print(pretrained.weight.requires_grad, pretrained(torch.tensor([3]))[0, :3])
