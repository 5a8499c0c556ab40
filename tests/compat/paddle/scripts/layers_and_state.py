"""What Layers know of themselves: names, parts, hooks, state, modes, containers, dtypes, gradients."""

import copy
import warnings

import numpy as np
import paddle
from paddle import nn

warnings.simplefilter("ignore")


class Block(nn.Layer):
    def __init__(self, width, name=None):
        super().__init__(name_scope=name)
        self.linear = nn.Linear(width, width, weight_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(0.5)))
        self.scale = self.create_parameter([1], default_initializer=nn.initializer.Constant(2.0))
        self.shift = self.add_parameter("moved", self.create_parameter([width], is_bias=True))
        self.register_buffer("count", paddle.zeros([1], dtype="int64"))
        self.register_buffer("hidden", paddle.ones([2]), persistable=False)
        self.table = paddle.arange(3)

    def forward(self, x):
        return self.linear(x) * self.scale + self.moved


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = nn.LayerList([Block(3), Block(3, "special")])
        self.parts = nn.LayerDict({"act": nn.ReLU(), "drop": nn.Dropout(0.5)})
        self.held = nn.ParameterList([self.create_parameter([2], attr=nn.initializer.Constant(1.0)) for _ in range(2)])
        self.add_sublayer("head", nn.Sequential(("first", nn.Linear(3, 2, bias_attr=False)), ("second", nn.Tanh())))
        self.none = nn.Linear(2, 2, bias_attr=False).bias

    def forward(self, x):
        for block in self.blocks:
            x = self.parts["act"](block(x))
        return self.head(self.parts["drop"](x)) + self.held[0] * self.held[1]


net = Net()
print(net)
print(net.full_name(), net.blocks[1].full_name())
for name, param in net.named_parameters():
    print(name, param.name, param.shape, param.stop_gradient, param.trainable)
print([name for name, _ in net.named_sublayers()])
print([type(layer).__name__ for layer in net.sublayers(include_self=True)])
print([name for name, _ in net.named_children()], len(list(net.children())))
print([(name, buffer.shape) for name, buffer in net.named_buffers()])
print(list(net.state_dict()))
print(len(net.parameters()), len(net.parameters(include_sublayers=False)), len(net.blocks[0].buffers()))
print(net.none, net.head[0].weight.name, net.head["first"].weight.shape)

# modes
print(net.training, net.parts["drop"].training)
net.eval()
print(net.training, net.parts["drop"].training)
x = paddle.to_tensor([[1.0, -2.0, 3.0]])
before = net(x)
print(before.shape, (net(x) == before).all().item())

# hooks
seen = []
handle = net.head.register_forward_pre_hook(lambda layer, inputs: seen.append(("pre", inputs[0].shape)))
post = net.head.register_forward_post_hook(lambda layer, inputs, output: output * 2)
doubled = net(x)
print(seen, bool((doubled != before).any()))
handle.remove()
post.remove()
print(bool((net(x) == before).all()), len(seen))

# state
state = net.state_dict()
other = Net()
other.eval()
for param in other.parameters():
    param.set_value(paddle.full(param.shape, 0.25))
print(other.set_state_dict(state), bool((other(x) == before).all()))
partly = {name: value for name, value in state.items() if "head" not in name}
partly["unknown"] = paddle.ones([1])
print(other.set_state_dict(partly))
print(other.set_dict({"held.0": np.ones(3, "float32")})[0][-2:])
by_name = {param.name: param for param in net.parameters()}
print(sorted(by_name)[:3])

# gradients
net.train()
loss = net.blocks[0](x).sum()
loss.backward()
print(net.blocks[0].scale.grad.numpy().tolist(), net.blocks[1].scale.grad)
net.clear_gradients()
print(net.blocks[0].scale.grad.numpy().tolist())
net.blocks[0].linear.weight.stop_gradient = True
(net.blocks[0](x) ** 2).sum().backward()
print(net.blocks[0].linear.weight.grad is None or float(net.blocks[0].linear.weight.grad.sum()))
print([p.name for p in net.blocks[0].parameters() if not p.stop_gradient])

# changes
names = []
net.apply(lambda layer: names.append(type(layer).__name__))
print(names)
net.to(dtype="float64")
print(net.head[0].weight.dtype, net.blocks[0].count.dtype, net(x.astype("float64")).dtype)
twin = copy.deepcopy(net)
twin.head[0].weight.set_value(paddle.zeros([3, 2], dtype="float64"))
print(float(net.head[0].weight.abs().sum()) > 0, float(twin.head[0].weight.abs().sum()))
blocks = nn.LayerList([nn.Linear(2, 2)])
blocks.append(nn.ReLU())
blocks.insert(0, nn.Tanh())
blocks.extend([nn.Sigmoid(), nn.GELU()])
del blocks[1]
blocks[0] = nn.ReLU6()
print([type(layer).__name__ for layer in blocks], len(blocks), type(blocks[-1]).__name__, len(blocks[1:3]))
words = nn.LayerDict([("a", nn.ReLU()), ("b", nn.Tanh())])
words["c"] = nn.Sigmoid()
words.update({"a": nn.GELU()})
print(list(words.keys()), type(words.pop("a")).__name__, "a" in words, len(words), [k for k, _ in words.items()])
for wrong in (
    lambda: net.add_parameter("a.b", None),
    lambda: net.add_parameter("head", net.held[0]),
    lambda: setattr(net.blocks[0], "scale", 3),
    lambda: nn.Layer()(x),
    lambda: nn.Linear(2, 2)(paddle.ones([1, 3])),
    lambda: nn.Embedding(3, 2, padding_idx=5),
):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__)

# shared weights, and Parameters of one's own
tied = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
tied[1].weight = tied[0].weight
print(len(tied.parameters()), len(tied.state_dict()))
own = paddle.create_parameter([2, 2], "float32", attr=paddle.ParamAttr(name="own", learning_rate=0.5))
print(own.name, own.optimize_attr, own.is_leaf, own.persistable)
vector = nn.utils.parameters_to_vector(tied.parameters())
print(vector.shape)
nn.utils.vector_to_parameters(vector * 0 + 1, tied.parameters())
print(float(tied[0].weight.sum()), float(tied[1].bias.sum()))
normed = nn.utils.weight_norm(nn.Linear(3, 2, weight_attr=nn.initializer.Constant(0.5)), dim=1)
print(sorted(name for name, _ in normed.named_parameters()), normed.weight_g.shape, normed(x).numpy().round(5).tolist())
(normed(x) ** 2).sum().backward()
print(normed.weight_g.grad.numpy().round(5).tolist())
nn.utils.remove_weight_norm(normed)
print(sorted(name for name, _ in normed.named_parameters()), normed(x).numpy().round(5).tolist())
linear = nn.Linear(2, 1, weight_attr=nn.initializer.Constant(1.0))
(linear(paddle.to_tensor([[3.0, 4.0]])) * 2).backward()
total = nn.utils.clip_grad_norm_(linear.parameters(), max_norm=1.0)
print("%.5f" % float(total), linear.weight.grad.numpy().round(4).tolist())
