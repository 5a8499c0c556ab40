"""paddle.Model: fit with metrics, callbacks and a schedule; evaluate, predict, save, load, summary."""

import os
import tempfile

import numpy as np
import paddle
from paddle import nn
from paddle.metric import Accuracy

paddle.seed(7)
np.random.seed(7)
paddle.set_default_dtype("float64")


class Points(paddle.io.Dataset):
    def __init__(self, count):
        self.x = np.random.rand(count, 4)
        self.y = (self.x @ np.array([1.0, -2.0, 0.5, 1.5]) > 0.5).astype("int64")

    def __getitem__(self, index):
        return self.x[index], self.y[index]

    def __len__(self):
        return len(self.x)


class LossHistory(paddle.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.losses = []

    def on_train_batch_end(self, step, logs=None):
        self.losses.append(logs["loss"][0])

    def on_epoch_end(self, epoch, logs=None):
        print("\nepoch %d: %.8f acc %.4f" % (epoch, self.losses[-1], logs["acc"]))

    def on_eval_end(self, logs=None):
        print("evaluated: %.8f acc %.4f" % (logs["loss"][0], logs["acc"]))


def network():
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.BatchNorm1D(8), nn.Linear(8, 2))
    for k, param in enumerate(net.parameters()):
        if not param.stop_gradient:
            param.set_value(np.sin(np.arange(param.size) + k).reshape(param.shape) * 0.5)
    return net


train, test = Points(40), Points(12)
model = paddle.Model(network())
rate = paddle.optimizer.lr.CosineAnnealingDecay(learning_rate=0.05, T_max=20)
model.prepare(
    paddle.optimizer.Momentum(learning_rate=rate, parameters=model.parameters(), weight_decay=1e-3),
    nn.CrossEntropyLoss(),
    Accuracy(),
)
history = LossHistory()
model.fit(train, test, epochs=3, batch_size=8, verbose=0, callbacks=[history])
print(len(history.losses), "%.8f" % history.losses[0], "%.6f" % rate())
result = model.evaluate(test, batch_size=5, verbose=0)
print(sorted(result), "%.8f" % result["loss"][0], "%.4f" % result["acc"])
(outputs,) = model.predict(test, batch_size=5, stack_outputs=True, verbose=0)
print(outputs.shape, outputs[:2].round(7).tolist())
print([o.shape for o in model.predict(test, batch_size=5, verbose=0)[0]])

with tempfile.TemporaryDirectory() as folder:
    model.save(os.path.join(folder, "points"))
    print(sorted(os.listdir(folder)))
    other = paddle.Model(network())
    other.prepare(None, nn.CrossEntropyLoss(), Accuracy(topk=(1, 2)))
    other.load(os.path.join(folder, "points"))
    result = other.evaluate(test, batch_size=6, verbose=0)
    print({name: round(float(np.ravel(value)[0]), 7) for name, value in result.items()})

stopper = paddle.callbacks.EarlyStopping("loss", patience=1, verbose=1, save_best_model=False)
model.prepare(paddle.optimizer.SGD(10.0, parameters=model.parameters()), nn.CrossEntropyLoss(), Accuracy())
model.fit(train, test, epochs=6, batch_size=20, verbose=0, callbacks=[stopper], shuffle=False)
print(model.stop_training)
losses, metrics = model.train_batch([train.x[:8]], [train.y[:8]])
print([loss.shape for loss in losses], "%.4f" % metrics[0])
print({name: int(count) for name, count in model.summary((1, 4), dtype="float64").items()})
