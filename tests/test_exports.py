"""Models that leave Python: what is written, what a process without the sources makes of it, and damaged files."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import pickle
import random
import shutil
import subprocess
import sys
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import InputSpec, Tensor, context, exports, nn, ops
from jitcore.backends import lookup
from jitcore.exports import ModelFileError, folders
from tests import export_programs
from tests.export_programs import CHANGING, PROGRAMS, told

_ELSEWHERE = """
import pickle, sys
from pathlib import Path
import numpy as np
import jitcore
from jitcore import Tensor
from typing import Any

root, source = Path(sys.argv[1]), sys.argv[2]
exec(source)
calls = pickle.loads((root / "calls").read_bytes())
made = {}
for name, args in calls.items():
    model = jitcore.load(root / name)
    made[name] = [told(model(*given)) for given in map(pickle.loads, args)]
(root / "made").write_bytes(pickle.dumps(made))
assert "tests.export_programs" not in sys.modules
"""


@functools.cache
def _exported(root: Path) -> Any:
    """What the programs give here, and what their models give in a process that has no sources."""
    calls: dict[str, list[bytes]] = {}
    here: dict[str, Any] = {}
    for name, (function, inputs, given) in PROGRAMS.items():
        jitcore.export(function, inputs, root / name)
        calls[name] = [pickle.dumps(args) for args in given]
        compiled = function if isinstance(function, nn.Cell) else jitcore.jit(function)
        here[name] = [told(compiled(*pickle.loads(args))) for args in calls[name]]
    (root / "calls").write_bytes(pickle.dumps(calls))
    text = Path(export_programs.__file__).read_text(encoding="utf-8")
    source = text[text.index("def told(") :]
    subprocess.run([sys.executable, "-c", _ELSEWHERE, str(root), source], check=True, cwd=root)
    return SimpleNamespace(root=root, here=here, there=pickle.loads((root / "made").read_bytes()))


@pytest.fixture(scope="module")
def _models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def elsewhere(_models: Path) -> Any:
    """See `_exported`, which runs once, with a test's settings."""
    return _exported(_models)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_bits_elsewhere(name: str, elsewhere: Any) -> None:
    assert elsewhere.there[name] == elsewhere.here[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_are_served_in_machine_code(name: str, elsewhere: Any) -> None:
    model = jitcore.load(elsewhere.root / name)
    _, _, calls = PROGRAMS[name]
    want = [told(model(*copy.deepcopy(args))) for args in calls]
    have = [told(model(*copy.deepcopy(args))) for args in calls]
    if name not in CHANGING:
        assert have == want == elsewhere.here[name]
    if not lookup("CPU").name.startswith("numpy"):
        assert sum(member.native_calls for member in model._members) >= 1


def test_a_loaded_model_has_parameters_of_its_own(elsewhere: Any) -> None:
    one, other = (jitcore.load(elsewhere.root / "counter") for _ in range(2))
    x = Tensor(np.ones(2, np.float32))
    for count in (1.0, 2.0, 3.0):
        assert one(x).asnumpy().tolist() == [count, count]
    assert other(x).asnumpy().tolist() == [1.0, 1.0]
    assert one.parameters["count"].asnumpy() == 3.0


def test_tied_parameters_are_written_once(elsewhere: Any) -> None:
    assert list(jitcore.load(elsewhere.root / "tied").parameters) == ["one"]


def test_parameters_have_their_names(elsewhere: Any) -> None:
    names = list(jitcore.load(elsewhere.root / "lenet").parameters)
    assert names[:2] == ["first.weight", "second.weight"]
    assert "dense.0.weight" in names


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_loaded_model_is_not_copied(copied: Any, elsewhere: Any) -> None:
    with pytest.raises(TypeError, match="the model LeNet is neither copied nor pickled"):
        copied(jitcore.load(elsewhere.root / "lenet"))


def test_arguments_by_name(elsewhere: Any) -> None:
    model = jitcore.load(elsewhere.root / "newton")
    assert model(a=2.0, tolerance=1e-12) == model(2.0, tolerance=1e-12) == model(2.0, 1e-12)
    for call, text in (
        (lambda: model(2.0), "missing 'tolerance'"),
        (lambda: model(2.0, 1.0, 3.0), "takes 2 positional arguments but 3 were given"),
        (lambda: model(2.0, a=1.0), "multiple values for argument 'a'"),
        (lambda: model(2.0, other=1.0), "unexpected keyword argument 'other'"),
    ):
        with pytest.raises(TypeError, match=text):
            call()


@pytest.mark.parametrize(
    ("name", "args", "text"),
    [
        ("lenet", (Tensor(np.ones((2, 1, 28, 27), np.float32)),), r"float32\[n, 1, 28, 28\].*float32\[2, 1, 28, 27\]"),
        ("lenet", (Tensor(np.ones((2, 1, 28, 28))),), "float64"),
        ("lenet", (np.ones((2, 1, 28, 28), np.float32),), "exported for"),
        ("lenet", ("text",), "called with .str."),
        ("newton", (2, 1e-3), r"called with \(int, float\)"),
        ("nested", ({"y": Tensor(np.ones(3, np.float32))}, (Tensor(np.ones(3, np.float32)), (2.0, 3))), "exported for"),
    ],
)
def test_other_calls_are_refused(name: str, args: tuple[Any, ...], text: str, elsewhere: Any) -> None:
    with pytest.raises(TypeError, match=text):
        jitcore.load(elsewhere.root / name)(*args)


def test_what_a_program_raises_is_of_the_users_line(elsewhere: Any) -> None:
    model = jitcore.load(elsewhere.root / "item")
    for _ in range(3):
        with pytest.raises(ValueError, match=r"^i is -1$") as raised:
            model(np.arange(3.0), -1)
        last = traceback.extract_tb(raised.value.__traceback__)[-1]
        assert (Path(last.filename).name, last.name) == ("export_programs.py", "item")
        with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
            model(np.arange(3.0), 7)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        jitcore.load(elsewhere.root / "solve")(np.zeros((2, 2)), np.ones((2, 1)))
    with pytest.raises(ValueError, match="size 3 is different from 2"):
        jitcore.load(elsewhere.root / "both")(np.ones((3, 2)), np.ones((3, 2)))


def test_gradients_of_a_loaded_model_are_never_wrong(elsewhere: Any) -> None:
    model = jitcore.load(elsewhere.root / "tied")
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    context.set_context(mode=context.PYNATIVE_MODE)
    with pytest.raises(TypeError, match="exported without its gradient"):
        jitcore.grad(lambda t: ops.reduce_sum(model(t) * t))(x)


def test_arrays_whose_elements_are_not_in_order(elsewhere: Any) -> None:
    model = jitcore.load(elsewhere.root / "both")
    x, y = np.arange(12.0).reshape(3, 4)[:, ::2], np.arange(6.0).reshape(3, 2).T
    for _ in range(3):
        with pytest.raises(ValueError, match="could not be broadcast"):
            model(x, y)
        np.testing.assert_array_equal(model(y[:, :2], x[:2].T)[1], y[:, :2] @ x[:2].T)
    with pytest.raises(TypeError, match="elements must lie in order"):
        jitcore.load(elsewhere.root / "in_place")(np.arange(6.0)[::2])


def test_nothing_of_the_users_folders_is_written(elsewhere: Any) -> None:
    for file in elsewhere.root.glob("*/*"):
        if file.suffix in (".ir", ".json"):
            assert "/" not in file.read_text().replace(" // ", ""), file


# --- what cannot be exported ----------------------------------------------------------------------------


class OwnError(Exception):
    pass


ATTRIBUTES = SimpleNamespace(count=0)
KEPT: list[float] = []


def raises_its_own(x):
    if x[0] > 0:
        raise OwnError("of the user's")
    return x


def changes_an_attribute(x):
    ATTRIBUTES.count = 3
    return x


def appends(x):
    KEPT.append(1.0)
    return x


def gives_a_list_of_the_outside(x):
    return x, KEPT


class Own:
    def __init__(self, held):
        self.held = held


def makes_an_object(x):
    return Own(x)


def gives_an_object(x):
    return x, ATTRIBUTES


def counts(x):
    found = {}
    for v in x:
        found[float(v)] = found.get(float(v), 0) + 1
    return found[0.0]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (counts, "keys, lengths or items the run says cannot leave Python"),
        (raises_its_own, "'OwnError' cannot leave Python"),
        (changes_an_attribute, "attributes, lists or dicts of the code outside"),
        (appends, "lists or dicts of the code outside"),
        (gives_a_list_of_the_outside, "list or dict of the code outside"),
        (gives_an_object, "result has an object in it that cannot leave Python"),
        (makes_an_object, "result has an object in it that cannot leave Python: an object of Own"),
    ],
)
def test_what_cannot_leave_python_is_refused_by_line(function: Any, text: str, tmp_path: Path) -> None:
    with pytest.raises(jitcore.source.CompileError, match=text) as raised:
        jitcore.export(function, InputSpec((3,), "float64", of=np.ndarray), tmp_path / "model")
    assert "cannot be exported" in str(raised.value)
    assert "test_exports.py" in str(raised.value)
    assert not (tmp_path / "model").exists()


def test_inputs_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="a shape is a tuple"):
        InputSpec("abc")
    with pytest.raises(TypeError, match="an extent is an int, a name, or None"):
        InputSpec((1.5,))  # pyright: ignore
    with pytest.raises(ValueError, match="not negative"):
        InputSpec((-2,))
    with pytest.raises(TypeError, match="Tensors or ndarrays"):
        InputSpec((2,), of=list)
    with pytest.raises(TypeError, match="functions and networks"):
        jitcore.export(3, InputSpec((2,)), tmp_path / "model")  # pyright: ignore
    with pytest.raises(ValueError, match="at most 4 different extents"):
        jitcore.export(lambda x: x, InputSpec((None,) * 5), tmp_path / "model")


# --- folders ----------------------------------------------------------------------------------------


def double(x):
    return x * 2.0 + 1.0


@pytest.fixture
def model(tmp_path: Path) -> Path:
    jitcore.export(double, InputSpec(("n",), "float64", of=np.ndarray), tmp_path / "model")
    return tmp_path / "model"


def test_a_model_takes_the_place_of_an_older_one(model: Path) -> None:
    jitcore.export(lambda x: x - 1.0, InputSpec(("n",), "float64", of=np.ndarray), model)
    assert jitcore.load(model)(np.ones(2)).tolist() == [0.0, 0.0]
    assert [p.name for p in model.parent.iterdir()] == ["model"]


def test_what_is_no_model_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("text")
    with pytest.raises(FileExistsError, match="no exported model"):
        jitcore.export(double, np.ones(3), tmp_path / "kept")
    assert (tmp_path / "kept" / "file").read_text() == "text"
    for path in (tmp_path / "kept", tmp_path / "nowhere"):
        with pytest.raises(ModelFileError, match="holds no exported model"):
            jitcore.load(path)


def resealed(model: Path, change: Any) -> None:
    """Change a manifest, and give it the checksums that fit."""
    told = json.loads((model / folders.MANIFEST).read_text())
    change(told)
    for name in told["files"]:
        data = (model / name).read_bytes() if (model / name).exists() else b""
        told["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    rest = {k: v for k, v in told.items() if k != "checksum"}
    told["checksum"] = hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
    (model / folders.MANIFEST).write_text(json.dumps(told))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda told: told.update(version=2), "of version 2 of the format"),
        (lambda told: told.update(format="other"), "of another program"),
        (lambda told: told["primitives"].update(multiply_all=1), "'multiply_all', which this jitcore has not"),
        (lambda told: told["primitives"].update(add=2), "version 2 of the operation 'add'"),
        (lambda told: told.update(dialects=["os"]), "Tensors of 'os'"),
        (lambda told: told["files"].update({"../../other": {}}), "no file of it"),
        (lambda told: told["programs"][0].update(result={"is": "os.system"}), "damaged"),
        (lambda told: told["programs"][0].update(result={"is": "class", "name": "eval"}), "damaged"),
        (lambda told: told["programs"][0].update(shapes=[["__import__('os')"]]), "damaged"),
        (lambda told: told["programs"][0]["inputs"].pop(), "damaged"),
        (lambda told: told["inputs"][0].pop("is"), "damaged"),
        (lambda told: told["inputs"][0].update({"is": "file"}), "damaged"),
        (lambda told: told["inputs"][0].update(dtype="float33"), "damaged"),
    ],
)
def test_manifests_that_fit_nothing(change: Any, text: str, model: Path) -> None:
    resealed(model, change)
    with pytest.raises(ModelFileError, match=text):
        jitcore.load(model)


@pytest.mark.parametrize("name", ["manifest.json", "program_0.ir", "program_1.ir", "constants.safetensors"])
def test_files_that_are_missing_or_cut(name: str, model: Path) -> None:
    data = (model / name).read_bytes()
    for damaged in (data[: len(data) // 2], b"", data + b" "):
        (model / name).write_bytes(damaged)
        if name == "manifest.json" and damaged == data + b" ":
            assert jitcore.load(model)(np.ones(1)).tolist() == [3.0]  # white space means nothing in JSON
            continue
        with pytest.raises(ModelFileError, match="model"):
            jitcore.load(model)
    (model / name).unlink()
    with pytest.raises(ModelFileError, match="model"):
        jitcore.load(model)


def mutated(data: bytes, choose: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(choose.choice((1, 1, 2, 5))):
        k = choose.randrange(len(made))
        match choose.randrange(5):
            case 0:
                made[k] = choose.randrange(256)
            case 1:
                made[k] ^= 1 << choose.randrange(8)
            case 2:
                made[k : k + choose.randrange(1, 20)] = b""
            case 3:
                made[k:k] = bytes(choose.randrange(32, 127) for _ in range(3))
            case _:
                made[k] = ord(choose.choice("0123456789-nf[](),.=_"))
        made = made or bytearray(b" ")
    return bytes(made)


@pytest.mark.parametrize("sealed", [False, True], ids=["as they are", "with checksums that fit"])
def test_mutated_files_are_refused_or_load(sealed: bool, model: Path) -> None:
    choose = random.Random(1)
    files = {p.name: p.read_bytes() for p in model.iterdir()}
    refused = 0
    for _ in range(300):
        name = choose.choice(sorted(files))
        (model / name).write_bytes(mutated(files[name], choose))
        if sealed and name != folders.MANIFEST:
            resealed(model, lambda told: None)
        try:
            loaded = jitcore.load(model)
        except ModelFileError:
            refused += 1
        else:
            assert isinstance(loaded, exports.LoadedFunction)
        for kept, data in files.items():
            (model / kept).write_bytes(data)
    assert refused > 200
    shutil.rmtree(model)


def test_arguments_are_known_by_the_names_of_what_is_behind_them(tmp_path: Path) -> None:
    class Kept:
        """Not the function's."""

        def both(self, a, b):
            """The product."""
            return a * b

    kept, given = Kept(), (np.float64(2.0), np.float64(3.0))
    for k, (function, doc) in enumerate(
        ((kept.both, "The product."), (jitcore.jit(kept.both), "The product."), (jitcore.grad(kept.both), ""))
    ):
        jitcore.export(function, given, tmp_path / str(k))
        model = jitcore.load(tmp_path / str(k))
        assert model.manifest["arguments"] == ["a", "b"]
        assert model.manifest["doc"] == doc
        assert model(b=given[1], a=given[0]) == (3.0 if k == 2 else 6.0)
