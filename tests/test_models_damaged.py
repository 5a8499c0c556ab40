"""Models whose files were changed, by chance and by hand: a clean error or a model that works, and no memory but their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz.model_files import sealed
from fuzz.run_model_files import run
from guarded_memory import Guarded, needs_guards

import jitcore
from jitcore import InputSpec
from jitcore.exports import ModelFileError, folders

ARRAY = InputSpec(("n",), "float64", of=np.ndarray)
OTHER = InputSpec(("m",), "float64", of=np.ndarray)


def joined(x, y):
    return x + y


def item(x, i):
    return x[i]


def head(x, k):
    return x[k:] + 1.0


def grown(n):
    made = []
    for k in range(n):
        made.append(k / 2)
    return made


def either(x, k):
    return x[0] if k > 0 else k


def power(x, k):
    y = x
    for _ in range(k):
        y = np.sin(y) * x
    return y.sum()


def rounded(x):
    return np.cbrt(x)


def described(k):
    return f"k={k}"


MODELS: dict[str, tuple[Callable[..., Any], Any]] = {
    "joined": (joined, (ARRAY, OTHER)),
    "item": (item, (ARRAY, 1)),
    "head": (head, (ARRAY, 1)),
    "grown": (grown, 3),
    "either": (either, (ARRAY, 1)),
    "power": (jitcore.value_and_grad(power), (ARRAY, 3)),
    "rounded": (rounded, ARRAY),
    "described": (described, 3),
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("models")
    for name, (function, inputs) in MODELS.items():
        jitcore.export(function, inputs, root / name)
    return root


def changed(model: Path, to: Path, change: Callable[[str], str], name: str = "program_0.ir") -> Path:
    """A model with another text in one of its files, and checksums that fit."""
    files = {p.name: p.read_bytes() for p in model.iterdir()}
    text = change(files[name].decode())
    assert text != files[name].decode()
    to.mkdir()
    for file, data in sealed({**files, name: text.encode()}).items():
        (to / file).write_bytes(data)
    return to


def without(pattern: str) -> Callable[[str], str]:
    return lambda text: re.sub(rf"    {pattern}.*\n", "", text)


def replaced(*pairs: tuple[str, str]) -> Callable[[str], str]:
    def change(text: str) -> str:
        for old, new in pairs:
            assert re.search(old, text), (old, text)
            text = re.sub(old, new, text)
        return text

    return change


class Ending:
    """Arrays that end where memory does."""

    def __init__(self) -> None:
        self._kept: list[Guarded] = []

    def __call__(self, array: Any) -> Any:
        self._kept.append(Guarded(array.nbytes))
        return self._kept[-1].array(array, True)


def _reading_the_other(text: str) -> str:
    """Of a union, its first member, whatever it holds."""
    name = re.search(r"    (\w+): union\[f64\[\(\)\], i64\] = cond", text)
    assert name is not None
    return text.replace(
        f"\n    return {name[1]}\n", f"\n    got: f64[()] = union_get({name[1]}, index=0)\n    return {name[1]}\n"
    )


def _pushing_a_part(text: str) -> str:
    """Of arrays, the first two elements are pushed."""
    found = re.search(r"stack_push\((\w+), (\w+)", text)
    assert found is not None
    line = next(line for line in text.split("\n") if found[0] in line)
    indent = line[: len(line) - len(line.lstrip())]
    part = f"{indent}part: f64[2] = view_index({found[2]}, spec=(('s', 0, 1, 2),))\n{indent}as_dim(2, symbol='d9')\n"
    part += f"{indent}short: f64[d9] = widen(part, shape=(d9,))\n"
    return text.replace(line, part + line.replace(found[0], f"stack_push({found[1]}, short"))


WIDE = 100_000

UNSAFE = {
    "extents that are not equal": (
        "joined", without("check_extents"), lambda at: (at(np.ones(WIDE)), at(np.ones(2))), "an extent of 100000 where 2 is"
    ),
    "an index that is not looked at": (
        "item",
        lambda text: without("check_index_1")(text).replace("check_index_1", "i"),
        lambda at: (at(np.ones(4)), 10**9),
        "an index of 1000000000 for an axis with size 4",
    ),
    "an index of another extent": (
        "item", replaced(("extent=n[0-9]+", "extent=100000")), lambda at: (at(np.ones(4)), WIDE - 1), "an index of 99999"
    ),
    "a slice past the end": (
        "head", replaced((r"\('s', [^,]+, 1, ", "('s', 100000, 1, ")), lambda at: (at(np.ones(4)), 1), "a slice from 100000 on"
    ),
    "a row that there is not": (
        "grown", replaced(("= put_row\\((room_[0-9]+), c, ", r"= put_row(\1, 1000000000, ")), lambda at: (3,), "an index of 1000000000"
    ),
    "more rows than there are": (
        "grown", replaced(("(return .*), for_1", r"\1, 1000000000")), lambda at: (3,), "1000000000 rows of a column"
    ),
    "a member that a union does not hold": (
        "either",
        _reading_the_other,
        lambda at: (at(np.ones(4)), 0),
        "member 0 of a union is read that holds 1",
    ),
    "what was not pushed": (
        "power", replaced((r"stack_push\(stack_1, ", "stack_push(stack_1, 3, ")), lambda at: (at(np.ones(4)), 2), "popped from a stack"
    ),
    "what was pushed with other extents": (
        "power",
        _pushing_a_part,
        lambda at: (at(np.ones(WIDE)), 2),
        "popped from a stack is not what was pushed",
    ),
    "a stack that is empty": (
        "power", replaced((r"(for_\(body, )int_select_1", r"\g<1>0")), lambda at: (at(np.ones(4)), 2), "popped an empty stack"
    ),
}  # fmt: skip


@needs_guards
@pytest.mark.parametrize("name", UNSAFE)
def test_programs_that_would_leave_their_memory(name: str, exported: Path, tmp_path: Path) -> None:
    model, change, args, message = UNSAFE[name]
    loaded = jitcore.load(changed(exported / model, tmp_path / "model", change))
    at = Ending()
    for _ in range(3):
        with pytest.raises((ValueError, IndexError), match=message):
            loaded(*args(at))


REFUSED = {
    "another dtype than arguments have": ("head", replaced(("f64", "f32")), "takes f32"),
    "more elements than arguments have": ("head", replaced((r"\bn[0-9]+", "100000")), "takes f64"),
    "arguments of one extent": ("joined", replaced((r"\bn[0-9]+", "n0")), "takes f64"),
    "another number than is given": ("item", replaced(("i: i64", "i: f64")), "damaged"),
    "functions of NumPy's that it is not for": ("rounded", replaced(("name='cbrt'", "name='fromfile'")), "damaged"),
    "memory by its address": (
        "item",
        lambda text: re.sub(r"    return.*", "    a: i64 = box_read(i, function='load', type=scalar[i64])\n    return x_1", text),
        "damaged",
    ),
    "methods of objects": (
        "item",
        lambda text: re.sub(r"    return.*", "    a: i64 = host_method(i, module='os.system', name='x', known=(), dtype=i64)\n    return x_1", text),
        "damaged",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_programs_that_do_not_fit(name: str, exported: Path, tmp_path: Path) -> None:
    model, change, message = REFUSED[name]
    with pytest.raises(ModelFileError, match=message):
        jitcore.load(changed(exported / model, tmp_path / "model", change))


@pytest.mark.parametrize(
    ("model", "change"),
    [
        ("item", lambda told: told["inputs"][0].update(dtype="int8")),
        ("item", lambda told: told["inputs"][0].update(shape=[])),
        ("item", lambda told: told["programs"][0].update(shapes=[["n0"], ["n1"]])),
        ("item", lambda told: told["programs"][0].update(shapes=[["7"]])),
        ("item", lambda told: told["programs"][0]["inputs"][0].update(category="tensor")),
        ("item", lambda told: told["programs"][0]["inputs"][0]["path"]["items"].__setitem__(1, 1)),
        ("item", lambda told: told["programs"][0]["inputs"][0]["path"]["items"].__setitem__(1, -2)),
        ("item", lambda told: told["programs"][0]["result"].update(index=1)),
        ("item", lambda told: told["programs"][0].update(result={"is": "ResultNumber", "index": 0})),
        ("item", lambda told: told["programs"][0].update(result={"is": "ResultInput", "index": 2})),
        ("joined", lambda told: told["programs"][0].update(shapes=[["n0"], ["n0"]])),
        ("grown", lambda told: told["programs"][0]["result"].update(key="text")),
        ("grown", lambda told: told["programs"][0]["result"].update(length=0)),
        ("described", lambda told: told["programs"][0]["result"].update(template="{0.__class__}")),
        ("described", lambda told: told["programs"][0]["result"].update(template="{0:99999999}")),
        ("item", lambda told: told.update(arguments=["x"])),
        ("item", lambda told: told.update(dialects=["another"])),
        ("item", lambda told: told.update(arguments=["x", "x"])),
    ],
)
def test_manifests_that_do_not_fit(model: str, change: Any, exported: Path, tmp_path: Path) -> None:
    def edited(text: str) -> str:
        told = json.loads(text)
        change(told)
        return json.dumps(told)

    with pytest.raises(ModelFileError, match=r"is damaged|has not"):
        jitcore.load(changed(exported / model, tmp_path / "model", edited, folders.MANIFEST))


@pytest.mark.parametrize("files", [None, [], "text", {"program_0.ir": 3}, {"\0": {}}, {"program_0.ir": {"bytes": 1}}])
def test_manifests_that_say_of_no_files(files: object, exported: Path, tmp_path: Path) -> None:
    told = json.loads((exported / "item" / folders.MANIFEST).read_text())
    told["files"] = files
    told["checksum"] = folders._checksum(told)
    (tmp_path / folders.MANIFEST).write_text(json.dumps(told))
    with pytest.raises(ModelFileError, match="is damaged"):
        jitcore.load(tmp_path)


@needs_guards
def test_models_changed_by_chance(tmp_path: Path) -> None:
    tally, failures = run(tmp_path, "three", seed=7, count=150, processes=1)
    assert failures == []
    assert tally["refused"] > 100
    assert tally["works"] > 0
