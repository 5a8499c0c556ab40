"""A Dataset, a Sampler and a collate_fn of one's own, and what DataLoader makes of them."""

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    Sampler,
    SequentialSampler,
    Subset,
    TensorDataset,
    default_collate,
)

torch.set_printoptions(precision=8)


class Sentences(Dataset):
    def __init__(self, count, transform=None):
        self.items = [torch.arange(1, 2 + k * 5 % 7) for k in range(count)]
        self.transform = transform

    def __len__(self):
        return len(self.items)

    def __getitem__(self, idx):
        sentence = self.items[idx]
        if self.transform:
            sentence = self.transform(sentence)
        return {"tokens": sentence, "label": idx % 2, "name": f"s{idx}"}


class ByLength(Sampler):
    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        yield from sorted(range(len(self.data_source)), key=lambda i: len(self.data_source[i]["tokens"]))

    def __len__(self):
        return len(self.data_source)


def collate(batch):
    lengths = torch.tensor([len(item["tokens"]) for item in batch])
    tokens = pad_sequence([item["tokens"] for item in batch], batch_first=True, padding_value=0)
    return tokens, lengths, torch.tensor([item["label"] for item in batch]), [item["name"] for item in batch]


class Countdown(IterableDataset):
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return iter(range(self.start, 0, -1))


data = Sentences(8, transform=lambda t: t * 10)
loader = DataLoader(data, batch_size=3, sampler=ByLength(data), collate_fn=collate, drop_last=False)
print(len(data), len(loader))
for tokens, lengths, labels, names in loader:
    print(tokens, lengths, labels, names)
print(next(iter(DataLoader(Subset(data, [0, 7]), batch_size=2))))
batches = BatchSampler(SequentialSampler(data), batch_size=5, drop_last=True)
for batch in DataLoader(data, batch_sampler=batches, collate_fn=lambda items: [i["name"] for i in items]):
    print(batch)
print([b.tolist() for b in DataLoader(Countdown(5), batch_size=2)])

features = torch.arange(12.0).view(6, 2)
pairs = ConcatDataset([TensorDataset(features[:2], torch.zeros(2)), TensorDataset(features[2:], torch.ones(4))])
print(len(pairs), pairs[3])
for x, y in DataLoader(pairs, batch_size=4, num_workers=0, pin_memory=False):
    print(x.mean(0), y)
print(default_collate([(1, 2.5), (3, 4.5)]))
shuffled = torch.cat([x for x, _ in DataLoader(pairs, batch_size=4, shuffle=True)])
print(shuffled.shape, torch.equal(shuffled.sort(0).values, features))
train_set, test_set = torch.utils.data.random_split(range(10), [0.7, 0.3], generator=torch.Generator().manual_seed(1))
print(len(train_set), len(test_set), sorted([*train_set, *test_set]))
