"""Datasets, samplers, loaders, metrics and transforms of images, without a network."""

import random

import numpy as np
import paddle
from paddle.io import (
    BatchSampler,
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    DistributedBatchSampler,
    IterableDataset,
    RandomSampler,
    SequenceSampler,
    Subset,
    TensorDataset,
    WeightedRandomSampler,
    random_split,
)
from paddle.vision import transforms

np.random.seed(3)
random.seed(3)
paddle.seed(3)


class Squares(Dataset):
    def __init__(self, count, first=0):
        self.count, self.first = count, first

    def __getitem__(self, index):
        return np.array([index + self.first, (index + self.first) ** 2]).astype("float32"), index % 2

    def __len__(self):
        return self.count


class Words(IterableDataset):
    def __init__(self, words):
        self.words = words

    def __iter__(self):
        for word in self.words:
            yield np.array([len(word)]), word


for x, y in DataLoader(Squares(5), batch_size=2):
    print(x.shape, x.dtype, y.dtype, x.numpy().tolist(), y.numpy().tolist(), x.stop_gradient)
loader = DataLoader(Squares(7), batch_size=3, shuffle=True, drop_last=True)
print(len(loader), [x[:, 0].numpy().tolist() for x, _ in loader])
print([x[:, 0].numpy().tolist() for x, _ in DataLoader(Squares(7), batch_size=3, num_workers=2)])
for lengths, words in DataLoader(Words(["a", "bb", "ccc"]), batch_size=2):
    print(lengths.numpy().tolist(), words)
print([type(item).__name__ for item in next(iter(DataLoader(Squares(2), batch_size=None)))])
print(next(iter(DataLoader(Squares(4), batch_size=2, collate_fn=lambda batch: np.stack([x for x, _ in batch]))))[1])
dicts = [{"a": np.ones(2), "b": [k, k + 1.5]} for k in range(2)]
made = next(iter(DataLoader(dicts, batch_size=2)))
print(sorted(made), made["a"].shape, [b.numpy().tolist() for b in made["b"]], made["b"][1].dtype)

print(len(ConcatDataset([Squares(3), Squares(4, 10)])), ConcatDataset([Squares(3), Squares(4, 10)])[-1])
print(ComposeDataset([Squares(3), Squares(3, 5)])[1])
print([word for _, word in ChainDataset([Words(["a"]), Words(["b", "c"])])])
print(Subset(Squares(5), [4, 1])[0], len(Subset(Squares(5), [4, 1])))
print(
    [len(part) for part in random_split(Squares(10), [0.55, 0.45])], [len(p) for p in random_split(Squares(7), [3, 4])]
)
tensors = TensorDataset([paddle.arange(4), paddle.arange(8).reshape([4, 2])])
print(len(tensors), [t.numpy().tolist() for t in tensors[2]])
np.random.seed(5)
print(
    list(SequenceSampler(Squares(4))), list(RandomSampler(Squares(6))), list(RandomSampler(Squares(6), num_samples=3))
)
print(
    list(RandomSampler(Squares(4), replacement=True, num_samples=6)),
    list(WeightedRandomSampler(np.array([0.1, 0.9, 0.0]), 5)),
)
print(list(BatchSampler(Squares(5), batch_size=2)), len(BatchSampler(Squares(5), batch_size=2, drop_last=True)))
print(list(BatchSampler(sampler=SequenceSampler(Squares(4)), batch_size=3)))
sampler = DistributedBatchSampler(Squares(7), batch_size=2, num_replicas=2, rank=1, shuffle=True)
print(list(sampler), list(sampler), len(sampler))

# metrics
probs = paddle.to_tensor([[0.1, 0.5, 0.4], [0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])
labels = paddle.to_tensor([[1], [1], [0]])
accuracy = paddle.metric.Accuracy(topk=(1, 2))
print([float(a) for a in accuracy.update(accuracy.compute(probs, labels))], accuracy.name())
print([round(float(a), 6) for a in accuracy.accumulate()])
print(
    round(float(paddle.metric.accuracy(probs, labels)), 6), round(float(paddle.metric.accuracy(probs, labels, k=2)), 6)
)
said, right = np.array([0.1, 0.7, 0.6, 0.4, 0.9]), np.array([0, 1, 0, 1, 1])
for metric in (paddle.metric.Precision(), paddle.metric.Recall()):
    metric.update(said, right)
    print(metric.name(), round(float(metric.accumulate()), 6))
    metric.reset()
    print(metric.accumulate())
auc = paddle.metric.Auc()
auc.update(np.stack([1 - said, said], 1), right)
print(auc.name(), round(float(auc.accumulate()), 6))

# transforms
image = (np.arange(5 * 6 * 3).reshape(5, 6, 3) * 7 % 256).astype("uint8")
change = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.25, 0.5, 0.5])])
print(change(image).shape, change(image).dtype, [round(v, 5) for v in change(image)[0, 0].numpy().tolist()])
print(transforms.Transpose()(image).shape, transforms.CenterCrop(3)(image)[0, 0].tolist())

print(transforms.RandomCrop(3)(image)[:, :, 0].tolist())
print(transforms.normalize(image.astype("float32"), [1.0, 2.0, 3.0], [2.0, 2.0, 2.0], "HWC")[0, 0].tolist())
print(transforms.to_tensor(image, "HWC").shape, transforms.to_tensor(image[:, :, 0]).shape)
