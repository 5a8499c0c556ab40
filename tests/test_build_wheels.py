"""Python wheels of models: what they compute in a process that has NumPy alone, what they refuse, what is in them."""

from __future__ import annotations

import base64
import copy
import hashlib
import importlib.util
import inspect
import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, nn
from jitcore.build import BuildError, build, elf, linking, wheels
from jitcore.cli import main
from jitcore.program import libraries as lib
from tests.built_libraries import ALL, leaves

pytestmark = pytest.mark.skipif(
    not (any(map(shutil.which, ("cc", "gcc", "clang"))) and sys.platform.startswith("linux")),
    reason="nothing links a library here",
)
SOURCE = Path(wheels.__file__).with_name("package") / "_library.py"
CALLED = ("lenet", "newton", "item", "nested_numbers", "in_place", "drawn", "both", "tabulated", "counter")
X, Y = (np.random.default_rng(4).standard_normal((6, n)).astype(np.float32) for n in (4, 2))


def package() -> Any:
    """The module that wheels have, without a library."""
    spec = importlib.util.spec_from_file_location("library_of_wheels", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def viewed(x: Any, n: int) -> Any:
    """The rows before the n-th, and the others.

    Both are views.
    """
    return {"first": x[:n], 2: (x[n:], x), "none": None}, [x[0] + n > 0.0, n]


def raising(n: int) -> int:
    if n == 0:
        raise RuntimeWarning
    if n == 1:
        raise UnicodeError("no (such) text: at all")
    return 10 // (n - 2)


def as_given(x: Any) -> Any:
    return x if x.shape[0] == 1 else x + 1.0


def plain(value: Any) -> Any:
    """A value with NumPy's arrays in the place of Tensors."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(map(plain, value))
    return value.asnumpy() if isinstance(value, Tensor) else value


BEGINNING = """
import sys
sys.modules |= dict.fromkeys(["jitcore", "llvmlite", "gast", "safetensors"])
import importlib, pickle, threading
import numpy as np

def call(module, function, *args):
    try:
        return getattr(importlib.import_module(module), function)(*args)
    except Exception as error:
        return error
"""


GUIDE = Path(__file__).parent.parent / "docs" / "LIBRARIES.md"


class Installed:
    """A folder that wheels are installed into, and processes that have it and NumPy alone."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.wheels: dict[str, Path] = {}

    def add(self, name: str, models: Any, **options: Any) -> None:
        built = build(models, self.root / "out", name=name, wheel=True, **options)
        assert built.wheel is not None
        self.wheels[name] = built.wheel

    def run(self, code: str, given: Any = None) -> Any:
        """What a program leaves in `made`."""
        program = f"{BEGINNING}\ngiven = pickle.load(sys.stdin.buffer)\n{textwrap.dedent(code)}"
        ended = subprocess.run(
            [sys.executable, "-c", f"{program}\npickle.dump(made, sys.stdout.buffer)"],
            input=pickle.dumps(given),
            env={**os.environ, "PYTHONPATH": str(self.root / "site")},
            cwd=self.root,
            capture_output=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr.decode()
        return pickle.loads(ended.stdout)

    def calls(self, *calls: tuple[Any, ...]) -> list[Any]:
        """What calls give in one process, each a module, a function, and arguments; or the exception."""
        return self.run("made = [call(*c) for c in given]", plain(list(calls)))


class Trained:
    """A network and a step of its optimiser."""

    def __init__(self) -> None:
        self.net = nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dense(8, 2))
        self.loss = nn.MSELoss()
        self.optimiser = nn.Adam(self.net.trainable_params(), 0.1)
        self.gradient = jitcore.value_and_grad(self.forward, None, self.optimiser.parameters)

    def forward(self, x: Any, y: Any) -> Any:
        return self.loss(self.net(x), y)

    def step(self, x: Any, y: Any) -> Any:
        """One step of training."""
        loss, gradients = self.gradient(x, y)
        self.optimiser(gradients)
        return loss


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What pip has installed of the wheels of some models."""
    made = Installed(tmp_path_factory.mktemp("wheels"))
    for name in CALLED:
        jitcore.export(*ALL[name][:2], made.root / name)
        made.add(name, made.root / name)
    for function, inputs in ((viewed, (np.ones((4, 3)), 2)), (raising, 1), (as_given, jitcore.InputSpec(("n",)))):
        jitcore.export(function, inputs, made.root / function.__name__)
        made.add(function.__name__, made.root / function.__name__)
    trained, given = Trained(), (Tensor(X), Tensor(Y))
    jitcore.export(trained.net, given[0], made.root / "net")
    jitcore.export(trained.step, given, made.root / "step")
    jitcore.export(trained.gradient, given, made.root / "gradient")
    made.add("trained", [made.root / n for n in ("net", "step", "gradient")])
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", made.root / "site", *made.wheels.values()], check=True)
    return SimpleNamespace(trained=trained, loaded=lambda n: jitcore.load(made.root / n), made=made)


def require_same(have: Any, want: Any) -> None:
    """The same numbers and arrays in the same containers."""
    assert type(have) is type(want)
    if isinstance(want, dict):
        assert list(have) == list(want)
        have, want = list(have.values()), list(want.values())
    if isinstance(want, list | tuple):
        assert len(have) == len(want)
        for a, b in zip(have, want, strict=True):
            require_same(a, b)
    elif isinstance(want, np.ndarray | np.generic):
        assert (have.dtype, have.shape) == (want.dtype, want.shape)
        np.testing.assert_array_equal(have, want)
    else:
        assert have == want


def copies(name: str) -> list[Any]:
    """The arguments of a program's calls, twice, none the same object."""
    return [copy.deepcopy(args) for _ in range(2) for args in ALL[name][2]]


def test_the_same_bits_as_in_python(installed: Any) -> None:
    names = [name for name in CALLED if name != "drawn"]
    calls = [(name, "call", *args) for name in names for args in copies(name)]
    found = iter(installed.made.calls(*calls))
    for name in names:
        model = installed.loaded(name)
        for args in copies(name):
            require_same(next(found), plain(model(*args)))


def test_training_steps_and_gradients_of_one_model(installed: Any) -> None:
    x, y = Tensor(X), Tensor(Y)
    trained, calls, want = installed.trained, [("trained", "call", X)], [trained_forward(installed, x)]
    for _ in range(4):
        calls += [("trained", "step", X, Y), ("trained", "gradient", X, Y), ("trained", "call", X)]
        want += [trained.step(x, y), trained.gradient(x, y), trained_forward(installed, x)]
    for have, wanted in zip(installed.made.calls(*calls), want, strict=True):
        require_same(leaves(have), leaves(wanted))
    code = """
    import trained
    first, second = trained.Model(), trained.Model()
    start = first(given[0])
    first.step(*given), first.step(y=given[1], x=given[0])
    made = [start, second(given[0]), trained.call(given[0]), first(given[0])]
    """
    start, second, shared, first = installed.made.run(code, (X, Y))
    require_same(second, start)
    require_same(shared, start)
    assert not np.array_equal(first, start)


def test_the_example_of_the_guide_runs(installed: Any) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    names = {"import net": "import drawn, trained as net", "net.seed": "drawn.seed"}  # which draws
    for name, here in names.items():
        assert name in example
        example = example.replace(name, here)
    installed.made.run(f"pixels, y = given\nx = pixels\n{example}\nmade = None", (X, Y))


def trained_forward(installed: Any, x: Any) -> Any:
    return installed.trained.net(x)


def test_errors_are_of_the_class_that_was_raised(installed: Any) -> None:
    found = installed.made.calls(
        ("item", "call", np.arange(4.0), 9),
        ("item", "call", np.arange(4.0), -1),
        ("item", "call", np.arange(4.0), 2),
        *(("raising", "call", n) for n in range(4)),
    )
    assert [type(e) for e in found[:2]] == [IndexError, ValueError]
    assert str(found[0]).startswith("index 9 is out of bounds for axis 0 with size 4 (export_programs.py, line")
    assert str(found[1]).startswith("i is -1 (export_programs.py, line")
    assert found[2] == 2.0
    assert [type(e) for e in found[3:]] == [RuntimeWarning, UnicodeError, ZeroDivisionError, int]
    assert str(found[3]).startswith("(test_build_wheels.py, line")
    assert str(found[4]).startswith("no (such) text: at all (test_build_wheels.py, line")
    assert found[6] == 10


@pytest.mark.parametrize(
    ("text", "cls", "message"),
    [
        ("ValueError: no (a.py, line 3)", ValueError, "no (a.py, line 3)"),
        ("KeyError (a.py, line 3)", KeyError, "'(a.py, line 3)'"),
        ("ValueError: two\nlines", ValueError, "two\nlines"),
        ("Unknown: no", RuntimeError, "Unknown: no"),
        ("print: no", RuntimeError, "print: no"),
        ("UnicodeDecodeError: no", RuntimeError, "UnicodeDecodeError: no"),
        ("a stack was empty", RuntimeError, "a stack was empty"),
        ("MemoryError: not enough memory", MemoryError, "not enough memory"),
    ],
)
def test_exceptions_of_texts(text: str, cls: type[Exception], message: str) -> None:
    made = package().exception_of(text)
    assert type(made) is cls
    assert str(made) == message


@pytest.mark.parametrize(
    ("call", "cls", "message"),
    [
        (("lenet", "call", np.ones((2, 1, 28, 28))), TypeError,
         "call(): x must be float32[n, 1, 28, 28], and is float64[2, 1, 28, 28]"),
        (("lenet", "call", np.ones((2, 1, 28, 27), np.float32)), TypeError, "and is float32[2, 1, 28, 27]"),
        (("lenet", "call", [1.0]), TypeError, "and is list"),
        (("lenet", "call"), TypeError, "call(): missing a required argument: 'x'"),
        (("lenet", "call", 1, 2), TypeError, "call(): too many positional arguments"),
        (("newton", "call", 2.0, 1), TypeError, "must be float, and is int"),
        (("newton", "call", 2.0, np.float64(1)), TypeError, "must be float, and is float64"),
        (("item", "call", np.arange(4.0), 2**63), OverflowError, "has more than 64 bits"),
        (("nested_numbers", "call", {"y": np.ones(3)}, (np.ones(3), (2.0, 3))), TypeError,
         "call(): named must be a dict {'x': float64[3]}, and is dict"),
        (("nested_numbers", "call", {"x": np.ones(3)}, (np.ones(3), (2.0, 3.0))), TypeError,
         "call(): pair[1][1] must be int, and is float"),
        (("drawn", "seed", -1), ValueError, "the key must be from 0 to 2**64 - 1"),
        (("lenet", "set_threads", 0), ValueError, "at least one thread"),
    ],
)  # fmt: skip
def test_wrong_arguments(call: tuple[Any, ...], cls: Any, message: str, installed: Any) -> None:
    (found,) = installed.made.calls(call)
    assert type(found) is cls, found
    assert message in str(found)


def test_arguments_are_written_to_and_given_back(installed: Any) -> None:
    code = """
    import in_place, viewed, as_given
    x = np.arange(3.0)
    same = in_place.call(x) is x
    y = np.arange(12.0).reshape(4, 3)
    named, _ = viewed.call(y, 1)
    own = [np.shares_memory(a, y) for a in (named["first"], named[2][0])]
    named["first"][0, 0] = 7.0
    z = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    other, flags = viewed.call(z, 1)
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    refused = [repr(call("in_place", "call", a)) for a in (fixed, np.arange(6.0)[::2], fixed.astype(">f8"))]
    made = [same, x, own, y[0, 0], named[2][1] is y, other, flags, refused, list(named)]
    one, two = np.ones(1, np.float32), np.ones(2, np.float32)
    made += [as_given.call(one) is one, as_given.call(two), as_given.call(two[::2]), as_given.call(one[:0])]
    """
    same, x, own, first, is_y, other, flags, refused, keys, is_one, *others = installed.made.run(code)
    assert same
    assert x.tolist() == [1.0, 2.0, 3.0]
    assert own == [True, True]
    assert first == 7.0
    assert is_y
    y = np.arange(12.0).reshape(4, 3)
    require_same(other, {"first": y[:1], 2: (y[1:], y), "none": None})
    assert [np.asarray(f).tolist() for f in flags] == [[True, True, True], 1]
    assert refused[0].startswith("ValueError('call() writes to an argument, which is read-only")
    assert "x must be float64[n], and is >f8[3]" in refused[2]
    assert refused[1].startswith("TypeError('call() writes to an argument, whose elements must lie in order")
    assert keys == ["first", 2, "none"]
    assert is_one
    assert [a.tolist() for a in others] == [[2.0, 2.0], [1.0], []]


def test_random_numbers_are_those_of_python(installed: Any) -> None:
    _, _, (args,) = ALL["drawn"]
    found = installed.made.calls(
        ("drawn", "call", *args), ("drawn", "seed", 9), *[("drawn", "call", *args)] * 2, ("lenet", "seed", 1)
    )
    jitcore.set_seed(9)
    model = installed.loaded("drawn")
    for have in found[2:4]:
        require_same(have, plain(model(*args)))
    assert not np.array_equal(found[0][0], found[2][0])
    assert isinstance(found[4], AttributeError)  # it draws nothing


def test_threads_share_a_model_or_have_their_own(installed: Any) -> None:
    code = """
    import lenet, counter, item
    calls, want = given
    found, errors, shared = [], [], counter.Model()
    def work(model):
        for _ in range(10):
            for args, wanted in zip(calls, want):
                found.append(model(*args).tobytes() == wanted.tobytes())
            shared(np.ones(2, np.float32))
            try:
                item.call(np.arange(4.0), 9)
            except IndexError as error:
                errors.append(str(error)[:7])
    threads = [threading.Thread(target=work, args=[m]) for m in (lenet.Model(), lenet.call, lenet.call)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    lenet.set_threads(1)
    one = lenet.call(*calls[0]).tobytes() == want[0].tobytes()
    made = found, errors, one, float(shared(np.ones(2, np.float32))[0] - counter.call(np.ones(2, np.float32))[0])
    """
    calls = plain(ALL["lenet"][2])
    want = [installed.loaded("lenet")(*args).asnumpy() for args in ALL["lenet"][2]]
    found, errors, one, counted = installed.made.run(code, (calls, want))
    assert found == [True] * (30 * len(calls))
    assert errors == ["index 9"] * 30
    assert one
    assert counted == 30.0


def test_memory_is_given_back(installed: Any) -> None:
    code = """
    import lenet, weakref
    from pathlib import Path
    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1])
    def work(count):
        for _ in range(count):
            lenet.Model()(given)
    work(50)
    before = resident()
    work(1000)
    kept = lenet.Model()(given)
    again = kept.copy()
    work(10)
    made = resident() - before, np.array_equal(kept, again)
    """
    pages, is_kept = installed.made.run(code, np.ones((16, 1, 28, 28), np.float32))
    assert pages < 500
    assert is_kept


def test_functions_say_what_they_take(installed: Any) -> None:
    code = """
    import inspect, copy, trained, viewed
    model = trained.Model()
    try:
        copy.copy(model)
    except TypeError as error:
        refused = str(error)
    made = (
        str(inspect.signature(trained.step)), str(inspect.signature(model.step)), trained.step.__doc__,
        viewed.call.__doc__, trained.__all__, refused, "numpy" in sys.modules, "jitcore.build" in sys.modules,
    )
    """
    one, other, step, doc, names, refused, *modules = installed.made.run(code)
    assert one == other == "(x, y)"
    assert step == "One step of training.\n\nx: float32[6, 4]\ny: float32[6, 2]"
    assert doc.startswith(f"{inspect.getdoc(viewed)}\n\nx: float64[4, 3]\nn: int")
    assert names == ["call", "step", "gradient", "Model", "set_threads"]
    assert "neither copied nor pickled" in refused
    assert modules == [True, False]


def test_what_is_in_a_wheel(installed: Any) -> None:
    path = installed.made.wheels["trained"]
    assert path.name.startswith("trained-0.1.0-py3-none-linux_")
    with zipfile.ZipFile(path) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist()}
    info = "trained-0.1.0.dist-info"
    assert set(files) == {
        *(f"trained/{n}" for n in ("__init__.py", "_library.py", "interface.json", "libtrained.so")),
        *(f"{info}/{n}" for n in ("METADATA", "WHEEL", "RECORD")),
    }
    record = [line.rsplit(",", 2) for line in files[f"{info}/RECORD"].decode().splitlines()]
    assert {name for name, _, _ in record} == set(files)
    for name, told, size in record:
        if name != f"{info}/RECORD":
            digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).decode().rstrip("=")
            assert (told, int(size)) == (f"sha256={digest}", len(files[name]))
    assert b"\nRequires-Dist: numpy\n" in files[f"{info}/METADATA"]
    assert b"\nRoot-Is-Purelib: false\nTag: py3-none-linux_" in files[f"{info}/WHEEL"]
    assert files["trained/_library.py"] == SOURCE.read_bytes()


def test_wheels_for_other_machines_are_for_a_glibc(installed: Any, tmp_path: Path) -> None:
    built = build(installed.made.root / "newton", tmp_path, target="x86-64-v2", wheel=True, name="Newton__a")
    assert built.wheel is not None
    assert built.shared is not None
    major, minor = max(elf.needs(built.shared.read_bytes()).glibc, (2, 17))
    assert built.wheel.name == f"newton_a-0.1.0-py3-none-manylinux_{major}_{minor}_x86_64.whl"
    again = build(installed.made.root / "newton", tmp_path / "again", target="x86-64-v2", wheel=True, name="Newton__a")
    assert again.wheel is not None
    assert again.wheel.read_bytes() == built.wheel.read_bytes()


def test_a_processor_that_a_wheel_is_not_for(installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if platform.machine() != "x86_64":
        pytest.skip("libraries for several targets are made on x86-64")
    jitcore.export(raising, 1, tmp_path / "raising")
    made = Installed(tmp_path)
    made.add("several", tmp_path / "raising", target="x86-64-v2,x86-64-v3,x86-64-v4")
    zipfile.ZipFile(made.wheels["several"]).extractall(tmp_path / "site")
    assert made.calls(("several", "call", 12)) == [1]
    monkeypatch.setenv("JITCORE_TARGET", "x86-64-v5")
    (error,) = made.calls(("several", "call", 12))
    assert type(error) is RuntimeError
    assert str(error).startswith("call(): this processor has none of x86-64-v2, x86-64-v3, x86-64-v4")


def test_what_a_library_needs(tmp_path: Path) -> None:
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))))
    (tmp_path / "a.c").write_text("#include <math.h>\ndouble f(double x) { return exp(x) + 1; }\n")
    library = tmp_path / "liba.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "a.c", "-lm"], check=True)
    found = elf.needs(library.read_bytes())
    told = subprocess.run(["readelf", "-d", "-V", library], capture_output=True, text=True, check=True).stdout
    assert found.libraries
    assert found.versions
    for name in found.libraries:
        assert f"[{name}]" in told
    for version in found.versions:
        assert f"Name: {version} " in told


def test_the_layout_is_that_of_c() -> None:
    names = ("BOOL", "INT", "FLOAT", "ARRAY", "OK", "UNFIT", "FAILED", "OVERLAP", "MOST_AXES")
    made = package()
    assert [getattr(made, name) for name in names] == [getattr(lib, name) for name in names]
    places = {"kind": lib.KIND, "dtype": lib.DTYPE, "rank": lib.RANK, "payload": lib.PAYLOAD, "owner": lib.OWNER}
    places |= {"shape": lib.SHAPE, "strides": lib.STRIDES}
    assert {name: getattr(made.Value, name).offset for name in places} == places


@pytest.mark.parametrize("name", ["numpy", "json", "class", "_net", "net_"])
def test_names_that_no_package_may_have(name: str, installed: Any, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=f"{name}.* --name"):
        build(installed.made.root / "newton", tmp_path / "out", name=name, wheel=True)
    assert not (tmp_path / "out").exists()


def folder_called(name: str) -> Callable[[Path], Any]:
    def made(root: Path) -> Any:
        jitcore.export(raising, 1, root / name)
        return [root / name] * 2

    return made


def constant(x: Any, what: Any) -> Any:
    return x + 1.0


def exported(function: Any, inputs: Any) -> Callable[[Path], Any]:
    def made(root: Path) -> Any:
        jitcore.export(function, inputs, root / "model")
        return root / "model"

    return made


@pytest.mark.parametrize(
    ("models", "text"),
    [
        (folder_called("Model"), "would be called 'Model'"),
        (folder_called("lock"), "would be called 'lock'"),
        (folder_called("_private"), "would be called '_private'"),
        (exported(constant, (Tensor([1.0]), b"x")), r"b'x' is in an argument|C is given"),
    ],
)
def test_what_a_wheel_has_not_is_refused(models: Any, text: str, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=text):
        build(models(tmp_path), tmp_path / "out", wheel=True, name="net")


def test_results_are_read_in_one_way(installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = iter([{"is": "number"}, {"is": "array", "scalar": False}])
    monkeypatch.setattr(wheels, "_result", lambda result: next(kinds))
    with pytest.raises(BuildError, match="made otherwise where an extent is 1"):
        build(installed.made.root / "as_given", tmp_path, wheel=True)


def test_without_a_linker_there_is_none(installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "linker", lambda machine: None)
    with pytest.raises(BuildError, match="a wheel has a shared library, but nothing here links for"):
        build(installed.made.root / "newton", tmp_path, wheel=True)


def test_the_command(installed: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(installed.made.root / "newton")
    assert main(["build", root, "-o", str(tmp_path), "--name", "root", "--wheel"]) == 0
    assert "root-0.1.0-py3-none-linux_" in capsys.readouterr().out
    assert main(["build", root, "-o", str(tmp_path), "--name", "json", "--wheel"]) == 2
    assert "there is a Python package json already" in capsys.readouterr().err
