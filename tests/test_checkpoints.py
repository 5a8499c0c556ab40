"""Checkpoints: what is saved comes back; damaged files are refused whole; saves that are killed leave nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from jitcore import Parameter, Tensor, nn, train
from jitcore.train import atomic_files, checkpoint_format

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def loaded(path: Path, **how: Any) -> dict[str, Any]:
    return {k: v.asnumpy() if isinstance(v, Parameter) else v for k, v in train.load_checkpoint(path, **how).items()}


def require_same(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert list(found) == list(wanted)
    for name, value in wanted.items():
        assert type(found[name]) is type(value), name
        if isinstance(value, np.ndarray):
            assert (found[name].dtype, found[name].shape) == (value.dtype.newbyteorder("="), value.shape), name
            np.testing.assert_array_equal(found[name], value)
        else:
            assert found[name] == value


def arrays() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    made: dict[str, Any] = {}
    for t in DTYPES:
        x = (rng.standard_normal((3, 4)) * 10).astype(t)
        made |= {f"{t}": x, f"{t}.rank 0": np.array(x[1, 1]), f"{t}.empty": x[:, :0], f"{t}.one": x[0, :1]}
        made |= {f"{t}.transposed": x.T, f"{t}.strided": x[::2, ::-1], f"{t}.big": x.astype(x.dtype.newbyteorder(">"))}
    made["special"] = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
    made["read only"] = np.ones(3)
    made["read only"].flags.writeable = False
    return made


def test_every_dtype_and_layout_comes_back(tmp_path: Path) -> None:
    wanted = arrays()
    train.save_checkpoint(wanted, tmp_path / "all")
    require_same(loaded(tmp_path / "all"), wanted)
    assert os.listdir(tmp_path) == ["all.ckpt"]


NAMES = [
    "allow_pickle", "file", "self", "args", "kwds", "name", "data", "__metadata__", "\\__metadata__", "\\\\__metadata__",
    "__metadata__.weight", "metadata", "", " ", "a/b", "../../up", "a.npy", "ключ", "重み", "a\nb", "\0", '"', "x" * 5000, "sha256",
    "count", "format", "names", "values", "complex",
]  # fmt: skip


def test_parameters_of_any_name(tmp_path: Path) -> None:
    wanted = {name: np.full(2, k, np.complex64 if k % 3 == 0 else np.float32) for k, name in enumerate(NAMES)}
    train.save_checkpoint(wanted, tmp_path / "named.ckpt")
    require_same(loaded(tmp_path / "named.ckpt"), wanted)
    for name in NAMES:
        train.save_checkpoint([{"name": name, "data": Tensor(wanted[name])}], tmp_path / "one.ckpt")
        require_same(loaded(tmp_path / "one.ckpt"), {name: wanted[name]})
        train.save_checkpoint({}, tmp_path / "value.ckpt", append_dict={name: "text"})
        require_same(loaded(tmp_path / "value.ckpt"), {name: "text"})


def test_other_values_come_back(tmp_path: Path) -> None:
    values = {
        "epoch": 3, "rate": 0.1, "done": True, "note": "a 'note'", "nothing": None, "tree": {"a": [1, "b", None]}, "nan": float("inf"),
        "list": [1, 2, 3], "words": ["a", "b"], "ragged": [[1], [2, 3]], "tuple": (1.5, 2.5), "scalar": np.float32(3), "large": 1 << 70,
    }  # fmt: skip
    wanted = {
        **values, "epoch": np.array(3), "rate": np.array(0.1), "done": np.array(True), "nan": np.array(np.inf),
        "list": np.array([1, 2, 3]), "tuple": np.array([1.5, 2.5]), "scalar": np.array(3, np.float32),
    }  # fmt: skip
    train.save_checkpoint({}, tmp_path / "x", append_dict=values)
    require_same(loaded(tmp_path / "x"), wanted)
    train.save_checkpoint(
        {"w": np.ones(2), "v": np.ones(3)}, tmp_path / "x", append_dict=values, choice_func=lambda n: n == "w"
    )
    require_same(loaded(tmp_path / "x"), {"w": np.ones(2), **wanted})
    require_same(loaded(tmp_path / "x", choice_func=lambda n: n == "note"), {"note": "a 'note'"})
    net = nn.Dense(2, 3)
    train.save_checkpoint(net, tmp_path / "net", append_dict={"note": "text", "epoch": 1})
    assert "note" in train.load_checkpoint(tmp_path / "net", net)


@pytest.mark.parametrize(
    ("saved", "values"),
    [({"x": object()}, {}), ({"x": np.array(["a"])}, {}), ({1: np.ones(2)}, {}), ({}, {"x": {1, 2}}), ({}, {"x": {"y": np.ones(2)}}),
     ({"x": np.array([object()])}, {}), ({"x": np.zeros(2, "M8[s]")}, {}), ({"x": np.zeros(2, np.longdouble)}, {})],
)  # fmt: skip
def test_what_cannot_be_saved_leaves_no_file(tmp_path: Path, saved: Any, values: Any) -> None:
    with pytest.raises(TypeError):
        train.save_checkpoint(saved, tmp_path / "x", append_dict=values)
    assert os.listdir(tmp_path) == []


def test_it_is_a_file_of_safetensors(tmp_path: Path) -> None:
    train.save_checkpoint({"w": np.ones((2, 3), np.float32)}, tmp_path / "x.ckpt", append_dict={"note": "text"})
    assert load_file(tmp_path / "x.ckpt")["w"].tolist() == [[1.0] * 3] * 2
    data = (tmp_path / "x.ckpt").read_bytes()
    told = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
    assert (told["count"], json.loads(told["values"]), len(told["sha256"])) == ("2", {"note": "text"}, 64)


def test_files_of_others_are_read(tmp_path: Path) -> None:
    save_file(
        {"w": np.arange(3.0), "\\__metadata__": np.ones(1)},
        tmp_path / "a.safetensors",
        metadata={"format": "pt", "by": "me"},
    )
    found = loaded(tmp_path / "a.safetensors")
    require_same(dict(sorted(found.items())), {"\\__metadata__": np.ones(1), "w": np.arange(3.0)})
    header = json.dumps({"w": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    data = len(header).to_bytes(8, "little") + header + bytes([0x80, 0x3F, 0x20, 0xC0])
    (tmp_path / "b.safetensors").write_bytes(data)
    require_same(loaded(tmp_path / "b.safetensors"), {"w": np.array([1.0, -2.5], np.float32)})
    (tmp_path / "c.safetensors").write_bytes(data.replace(b'"BF16", "shape": [2]', b'"F8_E4M3","shape":[4]'))
    with pytest.raises(ValueError, match=r"cannot be loaded"):
        train.load_checkpoint(tmp_path / "c.safetensors")


# --- damage -------------------------------------------------------------------------------------------------


def old_checkpoint(path: Path, content: dict[str, Any]) -> None:
    with path.open("wb") as file:
        np.savez(file, **content)


CONTENT: dict[str, Any] = {
    "first.weight": np.arange(12, dtype=np.float32).reshape(3, 4),
    "first.bias": np.arange(3, dtype=np.float16),
    "flag": np.array(True),
    "phase": np.array([1 + 2j, 3 - 4j]),
    "epoch": np.array(7),
}


def test_old_checkpoints_are_read(tmp_path: Path) -> None:
    old_checkpoint(tmp_path / "old.ckpt", CONTENT)
    require_same(loaded(tmp_path / "old.ckpt"), CONTENT)
    np.savez_compressed(tmp_path / "small.npz", **CONTENT)
    require_same(loaded(tmp_path / "small.npz"), CONTENT)


def flipped(data: bytes, rng: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


def moved(data: bytes, rng: random.Random) -> bytes:
    a, b = sorted(rng.randrange(len(data)) for _ in range(2))
    return rng.choice(
        (
            data[:a] + data[b:],
            data[:b] + data[a:],
            data[:a] + bytes(b - a) + data[b:],
            data[:a] + data[a:b][::-1] + data[b:],
        )
    )


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [
    flipped,
    moved,
    lambda data, rng: data[: rng.randrange(len(data))],
    lambda data, rng: data + rng.randbytes(rng.randrange(1, 40)),
    lambda data, rng: rng.randbytes(rng.randrange(40)),
]


@pytest.mark.parametrize("old", [False, True])
def test_what_is_damaged_loads_whole_or_is_refused(tmp_path: Path, old: bool) -> None:
    path, rng = tmp_path / "x.ckpt", random.Random(1)
    (old_checkpoint if old else lambda p, c: train.save_checkpoint(c, p))(path, CONTENT)
    data = path.read_bytes()
    refused = 0
    for n in range(400):
        path.write_bytes(DAMAGES[n % len(DAMAGES)](data, rng))
        try:
            found = loaded(path)
        except ValueError as error:
            assert str(path) in str(error)  # noqa: PT017
            assert "damaged" in str(error)  # noqa: PT017
            refused += 1
        else:
            require_same(found, CONTENT)
    assert refused > 280


def test_damage_that_the_digest_alone_tells(tmp_path: Path) -> None:
    path = tmp_path / "x.ckpt"
    train.save_checkpoint(CONTENT, path)
    data = path.read_bytes()
    for old, new in ((b'"count":"5"', b'"count":"4"'), (b"first.bias", b"first.bids"), (b'"version":"1"', b'"version":"2"'),
                     (b'"F16"', b'"I16"'), (b'"shape":[3,4]', b'"shape":[4,3]'), (b'"sha256"', b'"sha257"'), (data[-8:], bytes(8))):  # fmt: skip
        assert old in data
        path.write_bytes(data.replace(old, new))
        with pytest.raises(ValueError, match="damaged"):
            train.load_checkpoint(path)


def test_a_net_is_not_half_loaded(tmp_path: Path) -> None:
    net = nn.Dense(2, 3)
    train.save_checkpoint({n: p + 1 for n, p in net.parameters_dict().items()}, tmp_path / "x.ckpt")
    data = (tmp_path / "x.ckpt").read_bytes()
    (tmp_path / "x.ckpt").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    before = {n: p.asnumpy().tolist() for n, p in net.parameters_dict().items()}
    with pytest.raises(ValueError, match="damaged"):
        train.load_checkpoint(tmp_path / "x.ckpt", net)
    assert {n: p.asnumpy().tolist() for n, p in net.parameters_dict().items()} == before


@pytest.mark.parametrize(
    "text",
    [b"", b"nothing", b"PK", b"PK\3\4", b"\0" * 100, b"[" * 1000, b"\xff" * 8 + b"{}", b"\x02" + bytes(7) + b"{}" * 3],
)
def test_files_of_other_kinds(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "x.ckpt").write_bytes(text)
    with pytest.raises(ValueError, match=r"no checkpoint|damaged"):
        train.load_checkpoint(tmp_path / "x.ckpt")


# --- files --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="umask is POSIX's")
@pytest.mark.parametrize("unnamed", [True, False])
def test_files_have_the_mode_that_the_umask_leaves(
    tmp_path: Path, unnamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not unnamed:
        monkeypatch.setattr(atomic_files, "_UNNAMED", None)
    for mask in (0o022, 0o077, 0o002):
        before = os.umask(mask)
        try:
            train.save_checkpoint({"a": np.ones(2)}, tmp_path / "x.ckpt")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "x.ckpt").stat().st_mode) == 0o666 & ~mask
    assert os.listdir(tmp_path) == ["x.ckpt"]


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("unnamed", [True, False])
@pytest.mark.parametrize("when", ["fsync", "replace"])
def test_saves_that_are_killed(tmp_path: Path, unnamed: bool, when: str) -> None:
    script = (
        "import os, pathlib, signal, sys, numpy as np\n"
        "from jitcore.train import atomic_files, save_checkpoint\n"
        f"if not {unnamed}: atomic_files._UNNAMED = None\n"
        "def end(*_): os.kill(os.getpid(), signal.SIGKILL)\n"
        f"setattr({'os' if when == 'fsync' else 'pathlib.Path'}, {when!r}, end)\n"
        "save_checkpoint({'a': np.zeros(3)}, sys.argv[1])\n"
    )
    path = tmp_path / "x.ckpt"
    train.save_checkpoint({"a": np.ones(3)}, path)
    assert subprocess.run([sys.executable, "-c", script, path], check=False).returncode == -signal.SIGKILL
    if unnamed and when == "fsync" and atomic_files._UNNAMED is not None:
        assert os.listdir(tmp_path) == ["x.ckpt"]
    assert loaded(path)["a"].tolist() == [1.0] * 3
    mine = tmp_path / f"x.ckpt.{os.getpid()}.0a.partial"
    mine.touch()
    train.save_checkpoint({"a": np.zeros(3)}, path)
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, mine.name])  # a process that runs may be writing
    assert loaded(path)["a"].tolist() == [0.0] * 3


def test_disks_that_are_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, data: Any) -> int:
        raise OSError(28, "No space left on device")

    path = tmp_path / "x.ckpt"
    train.save_checkpoint({"a": np.ones(3)}, path)
    monkeypatch.setattr(os, "write", full)
    for unnamed in (atomic_files._UNNAMED, None):
        monkeypatch.setattr(atomic_files, "_UNNAMED", unnamed)
        with pytest.raises(OSError, match="No space"):
            train.save_checkpoint({"a": np.zeros(3)}, path)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == ["x.ckpt"]
    assert loaded(path)["a"].tolist() == [1.0] * 3


def test_folders_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        train.save_checkpoint({"a": np.ones(3)}, tmp_path / "none" / "x")


def test_saves_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "x.ckpt"
    threads = [threading.Thread(target=train.save_checkpoint, args=({"a": np.full(1000, k)}, path)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(loaded(path)["a"].tolist())) == 1
    assert os.listdir(tmp_path) == ["x.ckpt"]


def test_safetensors_is_imported_when_it_is_needed() -> None:
    code = "import sys, jitcore.train, jitcore.nn; sys.exit('safetensors' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert checkpoint_format.decode(checkpoint_format.encode({})) == {}
