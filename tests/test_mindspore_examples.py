"""What programs in the manner of MindSpore's documentation print and get: `mint` against PyTorch, printed forms, layers made in passing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from array_comparison import program

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, Tensor, context, mint, nn, ops  # noqa: E402

torch = pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def _mode() -> Iterator[None]:
    compat.install()  # another test may have taken it away
    before = context.get_context("mode")
    yield
    context.set_context(mode=before)


# --- mint ---------------------------------------------------------------------------------------------

RNG = np.random.default_rng(11)


def floats(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


OPERANDS: dict[str, Any] = {
    "a": floats(3, 4), "b": floats(3, 4), "m": floats(4, 5), "sq": floats(3, 3) + 3 * np.eye(3, dtype=np.float32),
    "i": RNG.integers(0, 5, (3, 4)), "n": RNG.integers(0, 5, (3, 4)).astype(np.int32), "k": np.array([2, 0, 1]),
    "p": RNG.random((3, 4)).astype(np.float32), "at": RNG.integers(0, 3, (3, 4)), "v": floats(4), "w": floats(3),
    "image": floats(2, 4, 6, 6), "kernel": floats(3, 4, 3, 3), "turned": floats(4, 3, 3, 3), "row": floats(2, 4, 8),
    "filter": floats(3, 4, 3), "box": floats(1, 2, 4, 4, 4), "cube": floats(3, 2, 2, 2, 2), "label": np.array([1, 0, 3]),
}  # fmt: skip

FUNCTIONS = """
T.sum(n) | T.sum(a, dim=(0, 1), keepdim=True) | T.prod(n, 1) | T.mean(n, dtype=f32) | T.cumsum(n, dim=1) | T.count_nonzero(i)
T.max(a) | T.max(a, 1) | T.max(a, b) | T.min(a, -1) | T.min(i, n) | T.median(a) | T.median(a, 1) | T.std_mean(a, 1)
T.var_mean(a, dim=0, correction=0, keepdim=True) | T.norm(a, 1) | T.norm(a, p=3, dim=1, keepdim=True) | T.norm(a, dim=(0, 1))
T.equal(a, a) | T.equal(a, b) | T.allclose(a, a) | T.argsort(a, dim=0, descending=True) | T.sort(a, dim=1) | T.topk(a, 2)
T.flatten(image) | T.flatten(image, 1, 2) | T.select(a, 0, 1) | T.select(a, 1, -1) | T.index_add(a, 0, k, b, alpha=2)
T.scatter_add(a, 0, at, b) | T.diag(v) | T.diag(sq, 1) | T.meshgrid(v, w, indexing='ij') | T.clone(a) | T.linspace(1, 3, 4, dtype=f64)
T.bincount(k, weights=w) | T.bincount(k, minlength=5) | T.gather(a, 0, at) | T.unique(i, return_inverse=True) | T.transpose(a, 0, 1)
T.bernoulli(a * 0 + 1) | L.inv(sq) | L.norm(a, ord=1) | L.vector_norm(a, 3, dim=1) | L.matrix_norm(a, 'nuc') | S.log_softmax(a, 1)
F.conv1d(row, filter, w, 2, 1) | F.conv1d(row, filter, padding='same') | F.conv2d(image, kernel, w, stride=2, padding=(1, 0))
F.conv2d(image[0], kernel) | F.conv2d(image, kernel, padding='same') | F.conv3d(box, cube, None, 1, 1)
F.conv_transpose2d(image, turned, w, stride=2, padding=1, output_padding=1) | F.conv_transpose2d(image, turned, dilation=2)
F.avg_pool1d(row, 3, 2, 1) | F.avg_pool2d(image, 2) | F.avg_pool2d(image, 3, 2, 1, False, False) | F.avg_pool3d(box, 2)
F.batch_norm(image, v * 0, v * 0 + 1) | F.batch_norm(image, None, None, training=True) | F.leaky_relu(a) | F.one_hot(k, num_classes=4)
F.softmax(a, 0, dtype=f64) | F.log_softmax(a, dim=1) | F.smooth_l1_loss(a, b) | F.smooth_l1_loss(a, b, reduction='sum', beta=0.5)
F.kl_div(F.log_softmax(a, 1), p, reduction='sum') | F.kl_div(F.log_softmax(a, 1), F.log_softmax(b, 1), reduction='batchmean', log_target=True)
""".strip().splitlines()

LAYERS = """
N.GELU() | N.LeakyReLU(0.1) | N.Softplus(2, 1) | N.Softmax(dim=0) | N.LogSoftmax(1) | N.Hardswish() | N.Hardsigmoid() | N.SELU()
N.Hardshrink(0.3) | N.Softshrink(0.3) | N.LayerNorm(4) | N.LayerNorm((3, 4), eps=1e-3, elementwise_affine=False) | N.PReLU() @ a
N.GroupNorm(2, 4) | N.BatchNorm2d(4).eval() | N.MaxPool2d(2) | N.MaxPool2d(3, 2, 1, return_indices=True) | N.AvgPool2d(3, 2, 1) @ image
N.Unfold((2, 3), stride=2) | N.Dropout(0.0) @ image
N.AvgPool1d(2) | N.ZeroPad1d((1, 2)) | N.BatchNorm1d(4, affine=False).eval() @ row
N.AvgPool3d(2) | N.ZeroPad3d(1) | N.BatchNorm3d(2, track_running_stats=False) @ box
""".strip().splitlines()


def plain(value: Any) -> Any:
    """Arrays of Tensors, in lists for sequences."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Tensor):
        return value.asnumpy()
    return np.asarray(value.detach().numpy() if isinstance(value, torch.Tensor) else value)


def agree(got: Any, wanted: Any, text: str) -> None:
    if isinstance(wanted, list):
        assert len(got) == len(wanted), text
        for a, b in zip(got, wanted, strict=True):
            agree(a, b, text)
        return
    assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype), text
    np.testing.assert_allclose(got, wanted, rtol=2e-4, atol=1e-5, err_msg=text)


def theirs(text: str, names: list[str]) -> Any:
    scope = {"T": torch, "F": torch.nn.functional, "N": torch.nn, "L": torch.linalg, "S": torch.special}
    scope |= {"f32": torch.float32, "f64": torch.float64, **{k: torch.tensor(OPERANDS[k]) for k in names}}
    return plain(eval(text, scope))


OURS = {"T": mint, "F": mint.nn.functional, "N": mint.nn, "L": mint.linalg, "S": mint.special, "f32": ms.float32, "f64": ms.float64}  # fmt: skip


@pytest.mark.parametrize("line", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_functions_of_mint(line: str) -> None:
    names = list(OPERANDS)
    texts = [text.strip() for text in line.split(" | ")]
    wanted = [theirs(text, names) for text in texts]
    run = program(f"({', '.join(texts)},)", ", ".join(names), **OURS)
    operands = [Tensor(OPERANDS[k]) for k in names]
    for function in (run, ms.jit(run)):
        for text, a, b in zip(texts, function(*operands), wanted, strict=True):
            agree(plain(a), b, text)


@pytest.mark.parametrize("graph", [True, False], ids=["graph", "pynative"])
@pytest.mark.parametrize("line", LAYERS, ids=range(len(LAYERS)))
def test_layers_of_mint(line: str, graph: bool) -> None:
    context.set_context(mode=context.GRAPH_MODE if graph else context.PYNATIVE_MODE)
    line, _, operand = line.partition(" @ ")
    for text in (part.strip() for part in line.split(" | ")):
        wanted = theirs(f"{text}({operand or 'a'})", [operand or "a"])
        made = eval(text.replace(".eval()", ""), dict(OURS))
        agree(plain(made(Tensor(OPERANDS[operand or "a"]))), wanted, text)


def test_layers_of_mint_with_weights() -> None:
    x, image = Tensor(OPERANDS["a"]), Tensor(OPERANDS["image"])
    pairs = [
        (mint.nn.Linear(4, 5), torch.nn.Linear(4, 5), x),
        (mint.nn.Conv2d(4, 6, 3, 2, 1, groups=2), torch.nn.Conv2d(4, 6, 3, 2, 1, groups=2), image),
        (mint.nn.Conv2d(4, 3, 3, padding=1, padding_mode="reflect", bias=False),
         torch.nn.Conv2d(4, 3, 3, padding=1, padding_mode="reflect", bias=False), image),
        (mint.nn.ConvTranspose2d(4, 3, 3, 2, 1, 1), torch.nn.ConvTranspose2d(4, 3, 3, 2, 1, 1), image),
        (mint.nn.Embedding(5, 3, padding_idx=1), torch.nn.Embedding(5, 3, padding_idx=1), Tensor(OPERANDS["at"])),
    ]  # fmt: skip
    for ours, other, operand in pairs:
        for name, weight in other.named_parameters():
            getattr(ours, name).set_data(Tensor(weight.detach().numpy()))
        agree(plain(ours(operand)), plain(other(torch.tensor(operand.asnumpy()))), repr(ours))


def test_running_statistics_of_mint() -> None:
    ours, other = mint.nn.BatchNorm2d(4), torch.nn.BatchNorm2d(4)
    ours.set_train()
    image = OPERANDS["image"]
    for _ in range(2):
        agree(plain(ours(Tensor(image))), plain(other(torch.tensor(image))), "in training")
    agree(plain(ours.running_mean), plain(other.running_mean), "mean")
    agree(plain(ours.running_var), plain(other.running_var), "variance")
    assert int(ours.num_batches_tracked) == 2


def test_gradients_of_mint() -> None:
    x, w = OPERANDS["image"], OPERANDS["turned"]
    given = [torch.tensor(x, requires_grad=True), torch.tensor(w, requires_grad=True)]
    torch.nn.functional.avg_pool2d(torch.nn.functional.conv_transpose2d(*given, stride=2), 3).square().sum().backward()

    def loss(image: Any, weight: Any) -> Any:
        return mint.square(
            mint.nn.functional.avg_pool2d(mint.nn.functional.conv_transpose2d(image, weight, stride=2), 3)
        ).sum()

    for slopes in (ms.grad(loss, (0, 1)), ms.jit(ms.grad(loss, (0, 1)))):
        for got, want in zip(slopes(Tensor(x), Tensor(w)), given, strict=True):
            np.testing.assert_allclose(got.asnumpy(), want.grad.numpy(), rtol=1e-4, atol=1e-4)


# --- printed forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (lambda: [Tensor([1.5, -2.0], ms.float16)], "[Tensor(shape=[2], dtype=Float16, value= [ 1.5000e+00, -2.0000e+00])]"),
        (lambda: (Tensor([[1, 2]]),), "(Tensor(shape=[1, 2], dtype=Int64, value=\n[[1, 2]]),)"),
        (lambda: f"{Tensor(0.1)}|{Tensor(0.1):.3f}|{Tensor([1.5])}", "0.1|0.100|[1.5]"),
        (lambda: nn.MaxPool2d(2, 2), "MaxPool2d(kernel_size=2, stride=2, pad_mode=VALID)"),
        (lambda: nn.AvgPool2d((2, 3)), "AvgPool2d(kernel_size=(2, 3), stride=1, pad_mode=VALID)"),
        (lambda: nn.Dropout(keep_prob=0.8), "Dropout(keep_prob=0.8)"),
        (lambda: nn.Dense(2, 3, has_bias=False, activation="relu"),
         "Dense(\n  input_channels=2, output_channels=3, activation=ReLU()\n  (activation): ReLU()\n)"),
        (lambda: nn.Embedding(4, 2),
         "Embedding(vocab_size=4, embedding_size=2, use_one_hot=False, embedding_table=Parameter (name=embedding_table, "
         "shape=(4, 2), dtype=Float32, requires_grad=True), dtype=Float32, padding_idx=None)"),
    ],
    ids=range(8),
)  # fmt: skip
def test_printed_forms(made: Any, shown: str) -> None:
    assert str(made()) == shown


def test_text_of_a_number_in_compiled_code() -> None:
    def show(x: Any) -> str:
        return f"lr: {x}, {x:.2f}"

    assert show(Tensor(0.1)) == ms.jit(show)(Tensor(0.1)) == "lr: 0.1, 0.10"


# --- functions compiled within compiled ones, layers made in passing ----------------------------------


def test_jit_within_compiled_code() -> None:
    scale = 3.0

    def double(x: Any) -> Any:
        return x * 2

    @ms.jit
    def outer(x: Any) -> Any:
        @ms.jit(jit_level="O1")
        def inner(y: Any) -> Any:
            return y * scale + x

        return ms.jit(double)(x) + inner(x)

    assert outer(Tensor([1.0, 2.0])).asnumpy().tolist() == [6.0, 12.0]


def test_layers_made_in_passing_are_settled() -> None:
    def losses(x: Any, y: Any) -> Any:
        total = 0.0
        for beta in (0.5, 1.0):
            total = total + nn.SmoothL1Loss(beta)(x, y).sum()
        return total + nn.HuberLoss(delta=0.7)(x, y)

    x, y = Tensor([0.3, 2.0]), Tensor([0.0, 0.5])
    np.testing.assert_allclose(ms.jit(losses)(x, y).asnumpy(), losses(x, y).asnumpy(), rtol=1e-6)


def test_lists_of_lists_outside_are_known() -> None:
    block, pads = [2, 2], [[0, 0], [1, 1]]

    def split(x: Any) -> Any:
        return ops.space_to_batch_nd(x, block, pads)

    x = Tensor(np.arange(8.0).reshape(1, 1, 4, 2), ms.float32)
    np.testing.assert_array_equal(ms.jit(split)(x).asnumpy(), split(x).asnumpy())


# --- single operators and names -----------------------------------------------------------------------


def test_strided_views() -> None:
    x = Tensor(np.arange(8.0).reshape(2, 4), ms.float32)

    def view(x: Any) -> Any:
        return x.as_strided((2, 2), (1, 1)), ops.as_strided(x, (2, 2), (4, 2), 1)

    for f in (view, ms.jit(view)):
        first, second = f(x)
        assert (first.asnumpy().tolist(), second.asnumpy().tolist()) == ([[0, 1], [1, 2]], [[1, 3], [5, 7]])
    slope = ms.grad(lambda x: x.as_strided((2, 2), (1, 1)).sum())(x)
    assert slope.asnumpy().tolist() == [[1, 2, 1, 0], [0, 0, 0, 0]]


METHODS = """
a.sum(1, True) | a.max(dim=1) | a.max(dim=1, keepdim=True) | a.min(dim=0) | image.flatten(1, 2) | image.flatten(start_dim=2)
image.transpose(1, 2) | a.transpose(1, 0) | a.gather(0, at) | a.gather(dim=1, index=at) | a.add(b, alpha=2) | a.sub(b, alpha=2)
a.tile(dims=(2, 1)) | a.norm(p=1, dim=1) | sq.diag(1) | v.diag() | i.unique(return_inverse=True, return_counts=True)
""".strip().splitlines()


@pytest.mark.parametrize("line", METHODS, ids=range(len(METHODS)))
def test_methods_called_as_newer_versions_do(line: str) -> None:
    names = list(OPERANDS)
    texts = [text.strip() for text in line.split(" | ")]
    run = program(f"({', '.join(texts)},)", ", ".join(names))
    operands = [Tensor(OPERANDS[k]) for k in names]
    for function in (run, ms.jit(run)):
        for text, got in zip(texts, function(*operands), strict=True):
            agree(plain(got), theirs(text, names), text)


def test_methods_called_as_older_versions_do() -> None:
    x, places = Tensor(OPERANDS["a"]), Tensor(OPERANDS["k"])
    np.testing.assert_array_equal(x.gather(places, 0).asnumpy(), OPERANDS["a"][OPERANDS["k"]])
    np.testing.assert_array_equal(x.flatten(order="F").asnumpy(), OPERANDS["a"].flatten("F"))
    assert x.max(axis=1).shape == (3,)
    assert x.sum(0, ms.float64).dtype == ms.float64
    values, numbers = Tensor([2, 1, 2]).unique()
    assert (values.asnumpy().tolist(), numbers.asnumpy().tolist()) == ([2, 1], [0, 1, 0])


def test_regions_smaller_than_a_cell() -> None:
    image, regions = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[0, 0.2, 0.3, 0.2, 0.3]])
    aligned = ops.ROIAlign(2, 2, 0.5, 2)(image, regions)  # the end is one further on, by default
    np.testing.assert_allclose(aligned.asnumpy(), [[[[1.775, 2.025], [2.275, 2.525]]]], rtol=1e-6)


def test_names_of_other_versions() -> None:
    x = Tensor([1, 1, 2, 3, 3])
    runs, number, length = x.unique_consecutive(return_idx=True, return_counts=True, axis=None)
    assert [t.asnumpy().tolist() for t in (runs, number, length)] == [[1, 2, 3], [0, 0, 1, 2, 2], [2, 1, 2]]
    clipped = ops.clip_by_value([Tensor([1.0, 9.0])], 2, 5)
    assert isinstance(clipped, list)
    assert clipped[0].asnumpy().tolist() == [2.0, 5.0]
    assert issubclass(ms.train.Metric, nn.Metric)
    assert [ms.get_py_obj_dtype(v) for v in (1, True, Tensor([1.0]))] == [ms.int64, ms.bool_, ms.float32]


def test_seeds() -> None:
    ms.manual_seed(5)
    first = ops.rand(3).asnumpy()
    assert ms.initial_seed() == 5
    ms.manual_seed(5)
    assert ops.rand(3).asnumpy().tolist() == first.tolist()
    ms.set_seed(ms.seed() % 2**31)


def test_the_phase_of_a_cell() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
    assert [net.phase, net.set_train(False).phase, net.set_train().phase] == ["train", "predict", "train"]
    assert list(net.name_cells()) == ["0", "1"]


def test_parameters_of_a_cell_come_before_those_of_its_cells() -> None:
    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(2, 2, has_bias=False)
            self.scale = Parameter(Tensor([1.0]), "scale")

    assert [p.name for p in Scaled().trainable_params()] == ["scale", "dense.weight"]


def test_parameters_hold_what_programs_note_of_them() -> None:
    weight = Parameter(Tensor([1.0]), "w")
    assert (weight.sliced, weight.unique, weight.requires_aggr, weight.key) == (False, False, True, -1)
    weight.unique, weight.group = True, "bias"
    assert (weight.unique, weight.group) == (True, "bias")
    assert ms.jit(lambda: weight * 2)().asnumpy().tolist() == [2.0]


@pytest.mark.parametrize("text", ["F.relu_(a)", "F.elu_(a, 0.5)", "F.threshold_(a, 0.1, 2.0)"])
def test_functions_of_mint_in_place(text: str) -> None:
    wanted = theirs(text, ["a"])
    run = program(f"({text}, a)", "a", **OURS)
    for function in (run, ms.jit(run)):
        made, a = function(Tensor(OPERANDS["a"]))
        agree(plain(made), wanted, text)
        agree(plain(a), wanted, text)
