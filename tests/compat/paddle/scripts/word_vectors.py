"""Word vectors by skip-grams and negative samples: words that are used alike come near one another."""

import random

import numpy as np
import paddle
from paddle.nn import Embedding

random.seed(5)
np.random.seed(5)
paddle.set_default_dtype("float64")

corpus = "the king rules the land the queen rules the land the dog chases the cat the cat chases the mouse".split() * 3
counts = {}
for word in corpus:
    counts[word] = counts.get(word, 0) + 1
ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
word2id = {word: k for k, (word, _) in enumerate(ordered)}
id2word = {k: word for word, k in word2id.items()}
ids = [word2id[word] for word in corpus]
print(word2id)


def build_data(ids, window=2, negatives=2):
    samples = []
    for centre, word in enumerate(ids):
        size = random.randint(1, window)
        for place in range(max(0, centre - size), min(len(ids), centre + size + 1)):
            if place == centre:
                continue
            samples.append((word, ids[place], 1.0))
            while len(samples) % (negatives + 1) != 0:
                other = random.randint(0, len(word2id) - 1)
                if other != ids[place]:
                    samples.append((word, other, 0.0))
    return samples


def build_batch(samples, batch_size, epochs):
    for _ in range(epochs):
        random.shuffle(samples)
        for start in range(0, len(samples) - batch_size + 1, batch_size):
            centre, target, label = zip(*samples[start : start + batch_size])
            yield np.array(centre).astype("int64"), np.array(target).astype("int64"), np.array(label)


class SkipGram(paddle.nn.Layer):
    def __init__(self, vocab_size, embedding_size, init_scale=0.1):
        super().__init__()
        first = np.random.uniform(-init_scale, init_scale, (vocab_size, embedding_size))
        second = np.random.uniform(-init_scale, init_scale, (vocab_size, embedding_size))
        self.embedding = Embedding(
            num_embeddings=vocab_size,
            embedding_dim=embedding_size,
            weight_attr=paddle.ParamAttr(name="centre_words", initializer=paddle.nn.initializer.Assign(first)),
        )
        self.embedding_out = Embedding(
            vocab_size,
            embedding_size,
            weight_attr=paddle.ParamAttr(name="context_words", initializer=paddle.nn.initializer.Assign(second)),
        )

    def forward(self, centre_words, target_words, label):
        centre = self.embedding(centre_words)
        target = self.embedding_out(target_words)
        similarity = paddle.sum(paddle.multiply(centre, target), axis=-1)
        pred = paddle.nn.functional.sigmoid(paddle.reshape(similarity, shape=[-1]))
        loss = paddle.nn.functional.binary_cross_entropy_with_logits(paddle.reshape(similarity, [-1]), label)
        return pred, loss.mean()


model = SkipGram(len(word2id), 6)
print([(name, p.name, p.shape) for name, p in model.named_parameters()])
adam = paddle.optimizer.Adam(learning_rate=0.02, parameters=model.parameters())
for step, (centre, target, label) in enumerate(build_batch(build_data(ids), 32, 3)):
    pred, loss = model(paddle.to_tensor(centre), paddle.to_tensor(target), paddle.to_tensor(label))
    loss.backward()
    adam.minimize(loss)
    model.clear_gradients()
    if step % 5 == 0:
        print("step %d / loss %.8f" % (step, float(loss)))

vectors = paddle.nn.functional.normalize(model.embedding.weight, axis=1)
near = paddle.matmul(vectors, vectors, transpose_y=True)
for word in ("king", "dog", "the"):
    values, places = paddle.topk(near[word2id[word]], k=3)
    print(word, [id2word[int(k)] for k in places.numpy()], values.numpy().round(6).tolist())
