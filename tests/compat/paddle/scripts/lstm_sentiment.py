"""An LSTM in both directions says whether short reviews are kind: words as numbers, lengths, and a rate that falls."""

import numpy as np
import paddle
import paddle.nn as nn

paddle.seed(1)
np.random.seed(1)
paddle.set_default_dtype("float64")

good = [
    "a lovely film",
    "what a lovely warm story",
    "great cast and a great story",
    "i love this warm film",
    "great fun",
]
bad = ["a dull film", "what a dull cold story", "poor cast and a poor story", "i hate this cold film", "poor fun"]
texts = [(text.split(), 1) for text in good] + [(text.split(), 0) for text in bad]
words = sorted({word for text, _ in texts for word in text})
vocabulary = {"[PAD]": 0, "[UNK]": 1}
vocabulary.update({word: k + 2 for k, word in enumerate(words)})
longest = max(len(text) for text, _ in texts)


class Reviews(paddle.io.Dataset):
    def __init__(self, pairs):
        self.pairs = pairs

    def __getitem__(self, index):
        text, label = self.pairs[index]
        ids = [vocabulary.get(word, vocabulary["[UNK]"]) for word in text]
        padded = np.array(ids + [0] * (longest - len(ids)), dtype="int64")
        return padded, np.array(len(ids), dtype="int64"), np.array([label], dtype="int64")

    def __len__(self):
        return len(self.pairs)


class SentimentClassifier(nn.Layer):
    def __init__(self, hidden_size, vocab_size, embedding_size, class_num=2, num_steps=8, num_layers=1):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(vocab_size, embedding_size, padding_idx=0)
        self.lstm = nn.LSTM(embedding_size, hidden_size, num_layers=num_layers, direction="bidirectional")
        self.dropout = nn.Dropout(p=0.0)
        self.cls_fc = nn.Linear(2 * hidden_size, class_num)

    def forward(self, inputs, lengths):
        x = self.dropout(self.embedding(inputs))
        outputs, (last_hidden, last_cell) = self.lstm(x, sequence_length=lengths)
        both = paddle.concat([last_hidden[-2], last_hidden[-1]], axis=-1)
        return self.cls_fc(both)


model = SentimentClassifier(hidden_size=6, vocab_size=len(vocabulary), embedding_size=5, num_layers=2)
for k, param in enumerate(model.parameters()):
    values = np.cos(np.arange(param.size) * 0.9 + k).reshape(param.shape) * 0.4
    if k == 0:
        values[0] = 0
    param.set_value(values)

scheduler = paddle.optimizer.lr.ExponentialDecay(learning_rate=0.05, gamma=0.9)
clip = nn.ClipGradByGlobalNorm(clip_norm=1.0)
optimizer = paddle.optimizer.Adam(learning_rate=scheduler, parameters=model.parameters(), grad_clip=clip)
criterion = nn.CrossEntropyLoss()
loader = paddle.io.DataLoader(Reviews(texts), batch_size=5, shuffle=True)

for epoch in range(4):
    model.train()
    for step, (sentences, lengths, labels) in enumerate(loader):
        logits = model(sentences, lengths)
        loss = criterion(logits, labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_gradients()
        print("epoch %d, step %d, loss %.8f, lr %.6f" % (epoch, step, float(loss), optimizer.get_lr()))
    scheduler.step()

model.eval()
metric = paddle.metric.Accuracy()
for sentences, lengths, labels in paddle.io.DataLoader(Reviews(texts), batch_size=4):
    probs = nn.functional.softmax(model(sentences, lengths))
    metric.update(metric.compute(probs, labels))
    print(probs.numpy().round(6).tolist())
print("accuracy", float(metric.accumulate()))
print("padding", model.embedding.weight[0].numpy().tolist())
