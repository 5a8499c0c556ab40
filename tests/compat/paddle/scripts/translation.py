"""A Transformer learns to reverse sequences, made static; weights are saved, loaded and trained on as if never stopped."""

import os
import tempfile

import numpy as np
import paddle
import paddle.nn as nn
import paddle.nn.functional as F

paddle.seed(11)
np.random.seed(11)
paddle.set_default_dtype("float64")
WORDS, LENGTH, WIDTH = 8, 5, 8


class Reverser(nn.Layer):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, WIDTH)
        self.place = self.create_parameter([LENGTH, WIDTH])
        layer = nn.TransformerEncoderLayer(WIDTH, 2, 16, dropout=0.0, activation="gelu", normalize_before=True)
        self.encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(WIDTH))
        self.out = nn.Linear(WIDTH, WORDS)

    def forward(self, ids, mask=None):
        x = self.embed(ids) + self.place
        x = self.encoder(x, mask)
        return self.out(x)


def start(net):
    for k, param in enumerate(net.parameters()):
        if len(param.shape) > 1:
            param.set_value(np.sin(np.arange(param.size) * 0.7 + k).reshape(param.shape) * 0.3)


def batch(k):
    ids = (np.arange(6 * LENGTH).reshape(6, LENGTH) * (k + 3) + k) % WORDS
    return paddle.to_tensor(ids), paddle.to_tensor(ids[:, ::-1].copy())


def training(net):
    schedule = paddle.optimizer.lr.NoamDecay(d_model=WIDTH, warmup_steps=4, learning_rate=0.1)
    decay = [p.name for n, p in net.named_parameters() if not any(nd in n for nd in ["bias", "norm"])]
    optimizer = paddle.optimizer.AdamW(
        learning_rate=schedule,
        parameters=net.parameters(),
        weight_decay=0.02,
        apply_decay_param_fun=lambda name: name in decay,
        grad_clip=nn.ClipGradByGlobalNorm(1.0),
    )
    return optimizer, schedule


def train(net, optimizer, schedule, first, last):
    for k in range(first, last):
        ids, wanted = batch(k)
        logits = net(ids)
        loss = F.cross_entropy(logits, wanted, label_smoothing=0.1)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        schedule.step()
        print("step %d: %.8f %.8f" % (k, float(loss), optimizer.get_lr()))


net = Reverser()
start(net)
optimizer, schedule = training(net)
train(net, optimizer, schedule, 0, 3)
with tempfile.TemporaryDirectory() as folder:
    paddle.save(net.state_dict(), os.path.join(folder, "net.pdparams"))
    paddle.save(optimizer.state_dict(), os.path.join(folder, "net.pdopt"))
    train(net, optimizer, schedule, 3, 5)
    with paddle.utils.unique_name.guard():
        again = Reverser()
        again.set_state_dict(paddle.load(os.path.join(folder, "net.pdparams")))
        optimizer, schedule = training(again)
        optimizer.set_state_dict(paddle.load(os.path.join(folder, "net.pdopt")))
        train(again, optimizer, schedule, 3, 5)
print(bool(all((a == b).all() for a, b in zip(net.parameters(), again.parameters()))))

static = paddle.jit.to_static(Reverser())
start(static)
optimizer, schedule = training(static)
train(static, optimizer, schedule, 0, 3)
static.eval()
mask = paddle.tril(paddle.ones([LENGTH, LENGTH], dtype="bool"))
ids, _ = batch(1)
print(static(ids, mask)[0, 0].numpy().round(6).tolist())
print(static(ids[:2], mask).shape)
