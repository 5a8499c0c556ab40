import sys

import numpy as np
import oneflow as flow
import oneflow.nn as nn

model = nn.Sequential(nn.Linear(3, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
schedule = flow.optim.lr_scheduler.CosineDecayLR(optimizer, decay_steps=20, alpha=0.1)
loss_fn = nn.CrossEntropyLoss()


class TrainGraph(nn.Graph):
    def __init__(self):
        super().__init__()
        self.model = model
        self.add_optimizer(optimizer, lr_sch=schedule)

    def build(self, x, y):
        loss = loss_fn(self.model(x), y)
        loss.backward()
        return loss


graph = TrainGraph()
rng = np.random.default_rng(1)
batches = [
    (flow.tensor(rng.normal(size=(8, 3)).astype(np.float32)), flow.tensor(rng.integers(0, 2, 8))) for _ in range(8)
]
folder, resumed = sys.argv[1], len(sys.argv) > 2
if resumed:
    graph.load_state_dict(flow.load(folder))
else:
    for x, y in batches[:3]:
        graph(x, y)
    flow.save(graph.state_dict(), folder)
for x, y in batches[3:]:
    print(graph(x, y).item().hex())
