"""Files of PyTorch's are read, those written are laid out as its are, and nothing but weights is made of them."""

from __future__ import annotations

import io
import os
import pickle
import pickletools
import zipfile
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from feeding import FACTS, saved

from jitcore.compat import torch as compat


@pytest.fixture(scope="module")
def torch() -> Any:
    compat.install()
    import torch as ours
    import torch.nn
    import torch.optim

    yield ours
    compat.uninstall()


def require_same(have: Any, want: Any, torch: Any) -> None:
    assert type(have) is type(want)
    if isinstance(want, torch.Tensor):
        assert (have.dtype, have.shape, have.requires_grad) == (want.dtype, want.shape, want.requires_grad)
        np.testing.assert_array_equal(have.detach().numpy(), want.detach().numpy())
    elif isinstance(want, dict):
        assert list(have) == list(want)
        for key in want:
            require_same(have[key], want[key], torch)
    elif isinstance(want, list | tuple):
        assert len(have) == len(want)
        for a, b in zip(have, want, strict=True):
            require_same(a, b, torch)
    else:
        assert have == want


def _written(obj: object, torch: Any) -> io.BytesIO:
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return file


def test_a_file_of_pytorchs(torch: Any) -> None:
    require_same(torch.load(FACTS / "saved.pt"), saved(torch), torch)


def test_a_file_of_ones_own(torch: Any, tmp_path: Path) -> None:
    torch.save(saved(torch), tmp_path / "own.pt")
    require_same(torch.load(tmp_path / "own.pt"), saved(torch), torch)
    require_same(torch.load(str(tmp_path / "own.pt"), map_location="cpu"), saved(torch), torch)


def test_the_layout_is_pytorchs(torch: Any, tmp_path: Path) -> None:
    torch.save(saved(torch), tmp_path / "saved.pt")
    theirs, ours = (zipfile.ZipFile(p) for p in (FACTS / "saved.pt", tmp_path / "saved.pt"))
    missing = {name for name in theirs.namelist() if "serialization_id" not in name} - set(ours.namelist())
    assert not missing
    for entry in ours.infolist():
        if "/data/" in entry.filename:
            start = entry.header_offset + 30 + len(entry.filename) + len(entry.extra)
            assert start % 64 == 0
            assert ours.read(entry) == theirs.read(entry.filename)
    names = [
        {arg for op, arg, _ in pickletools.genops(archive.read("saved/data.pkl")) if op.name == "GLOBAL"}
        for archive in (theirs, ours)
    ]
    assert names[0] == names[1]


def test_tensors_that_share_memory_do_so_afterwards(torch: Any) -> None:
    for loaded in (torch.load(FACTS / "saved.pt"), torch.load(_written(saved(torch), torch))):
        loaded["base"][1, 1] = 50
        assert int(loaded["row"][1]) == 50
        assert int(loaded["column"][1]) == 50


def test_training_goes_on_where_it_was_saved(torch: Any) -> None:
    def make() -> tuple[Any, Any]:
        w = torch.nn.Parameter(torch.ones(3))
        return w, torch.optim.Adam([w], lr=0.1)

    def step(w: Any, optimizer: Any) -> None:
        w.grad = torch.tensor([0.1, -0.2, 0.3])
        optimizer.step()

    w, optimizer = make()
    step(w, optimizer)
    loaded = torch.load(_written({"w": w.data, "optimizer": optimizer.state_dict()}, torch))
    again, other = make()
    again.data = loaded["w"]
    other.load_state_dict(loaded["optimizer"])
    step(w, optimizer)
    step(again, other)
    np.testing.assert_array_equal(again.detach().numpy(), w.detach().numpy())


# --- what is refused ----------------------------------------------------------------------------------


class _Command:
    def __reduce__(self) -> Any:
        return os.system, ("touch /tmp/jitcore-was-here",)


def test_what_is_more_than_weights_is_refused(torch: Any) -> None:
    for given in (FACTS / "module.pt", _written({"x": _Command()}, torch), _written(Path("x"), torch)):
        with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
            torch.load(given)
    assert not Path("/tmp/jitcore-was-here").exists()


def test_what_is_more_than_weights_is_made_for_those_who_ask(torch: Any) -> None:
    assert torch.load(_written(Path("x"), torch), weights_only=False) == Path("x")
    require_same(torch.load(_written(saved(torch), torch), weights_only=False), saved(torch), torch)


def _with_pickle(data: bytes) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a/data.pkl", data)
        archive.writestr("a/version", "3\n")
    file.seek(0)
    return file


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n}X\x01\x00\x00\x00aK\x01sb.",  # attributes of a function
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(K\x01K\x00)))tR.",  # no memory
        b"\x80\x02ctorch\n_rebuild\n.",
        b"\x80\x02cbuiltins\neval\nX\x01\x00\x00\x001\x85R.",
        b"\x80\x02X\x01\x00\x00\x00aQ.",  # a persistent id that is none
        b"\x80\x02(",
        b"",
    ],
)
def test_pickles_that_would_do_something_else_are_refused(data: bytes, torch: Any) -> None:
    with pytest.raises(pickle.UnpicklingError):
        torch.load(_with_pickle(data))


def test_containers_may_have_attributes(torch: Any) -> None:
    held = OrderedDict(a=1)
    held._metadata = {"version": 1}  # type: ignore[attr-defined]
    assert torch.load(_written(held, torch))._metadata == {"version": 1}
    assert torch.load(_written(Counter("aab"), torch)) == Counter("aab")


# --- damage -------------------------------------------------------------------------------------------


def test_a_file_that_is_cut_off_or_changed_is_a_clear_error(torch: Any) -> None:
    data = (FACTS / "saved.pt").read_bytes()
    for length in (0, 1, 10, 500, len(data) // 2, len(data) - 1):
        with pytest.raises(RuntimeError):
            torch.load(io.BytesIO(data[:length]))
    entry = zipfile.ZipFile(io.BytesIO(data)).getinfo("saved/data/0")
    header = data[entry.header_offset :][:30]
    place = entry.header_offset + 30 + len(entry.filename) + int.from_bytes(header[28:30], "little")
    changed = bytes([*data[:place], data[place] ^ 255, *data[place + 1 :]])
    with pytest.raises(RuntimeError, match=r"failed reading file data/0|Bad CRC"):
        torch.load(io.BytesIO(changed))


def test_other_files_are_told_apart(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="Invalid magic number"):
        torch.load(io.BytesIO(pickle.dumps(3)))
    with pytest.raises(RuntimeError, match=r"this is no file of torch\.save"):
        torch.load(io.BytesIO(b"hello"))
    with pytest.raises(FileNotFoundError):
        torch.load("/nowhere/at/all.pt")


def test_a_tensor_beyond_its_memory_is_refused(torch: Any) -> None:
    data = (FACTS / "saved.pt").read_bytes()
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            held = old.read(name)
            new.writestr(name, held[:-4] if name == "saved/data/0" else held)
    with pytest.raises(RuntimeError, match="data/0 has 20 bytes, not the 24"):
        torch.load(io.BytesIO(file.getvalue()))


def test_a_folder_that_is_missing(torch: Any, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"Parent directory .* does not exist"):
        torch.save(torch.ones(1), tmp_path / "none" / "x.pt")


def test_what_cannot_be_saved_leaves_the_old_file(torch: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.pt"
    torch.save(torch.ones(1), file)
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        torch.save({"x": lambda: None}, file)
    assert torch.load(file).tolist() == [1.0]
    assert [p.name for p in tmp_path.iterdir()] == ["x.pt"]


def test_memory_of_a_gpu_is_refused_where_there_is_none(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device"):
        torch.load(FACTS / "saved.pt", map_location="cuda:0")
