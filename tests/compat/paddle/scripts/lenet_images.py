"""LeNet learns to tell small drawn digits apart: datasets, transforms, a loop of one's own, and a file of weights."""

import os
import tempfile

import numpy as np
import paddle
import paddle.nn.functional as F
from paddle.io import DataLoader, Dataset
from paddle.vision.models import LeNet
from paddle.vision.transforms import Compose, Normalize, ToTensor

paddle.seed(33)
np.random.seed(33)
paddle.set_default_dtype("float64")


class Shapes(Dataset):
    """Crosses, frames and bars with noise, as images of bytes."""

    def __init__(self, count, transform):
        super().__init__()
        self.transform = transform
        self.labels = np.arange(count) % 3
        self.images = np.random.randint(0, 60, (count, 28, 28, 1)).astype("uint8")
        for image, label in zip(self.images, self.labels):
            if label == 0:
                image[13:15] = image[:, 13:15] = 220
            elif label == 1:
                image[4:24, [4, 23]] = image[[4, 23], 4:24] = 220
            else:
                image[:, 8:20:4] = 220

    def __getitem__(self, idx):
        return self.transform(self.images[idx]).astype("float64"), np.array([self.labels[idx]]).astype("int64")

    def __len__(self):
        return len(self.labels)


transform = Compose([ToTensor(), Normalize(mean=[0.5], std=[0.5], data_format="CHW")])
train_loader = DataLoader(Shapes(48, transform), batch_size=16, shuffle=True, drop_last=True)
test_loader = DataLoader(Shapes(12, transform), batch_size=6)

model = LeNet(num_classes=3)
for k, param in enumerate(model.parameters()):
    values = np.sin(np.arange(param.size) * 1.3 + k).reshape(param.shape)
    param.set_value((values * 0.15).astype("float64"))
print(model)

optim = paddle.optimizer.Adam(learning_rate=0.002, parameters=model.parameters(), weight_decay=1e-4)
for epoch in range(2):
    model.train()
    for batch_id, (x, y) in enumerate(train_loader()):
        predicts = model(x)
        loss = F.cross_entropy(predicts, y)
        acc = paddle.metric.accuracy(predicts, y)
        loss.backward()
        optim.step()
        optim.clear_grad()
        print(f"epoch: {epoch}, batch_id: {batch_id}, loss is: {loss.item():.8f}, acc is: {acc.item():.4f}")

model.eval()
accuracies, losses = [], []
for x, y in test_loader:
    with paddle.no_grad():
        predicts = model(x)
        losses.append(float(F.cross_entropy(predicts, y)))
        accuracies.append(float(paddle.metric.accuracy(predicts, y)))
print("[validation] accuracy/loss: {:.4f}/{:.8f}".format(np.mean(accuracies), np.mean(losses)))

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "lenet.pdparams")
    paddle.save(model.state_dict(), path)
    paddle.save(optim.state_dict(), os.path.join(folder, "lenet.pdopt"))
    again = LeNet(num_classes=3)
    again.set_state_dict(paddle.load(path))
    again.eval()
    print("kept:", bool((again(x) == model(x)).all()), len(paddle.load(os.path.join(folder, "lenet.pdopt"))))
