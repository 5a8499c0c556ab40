"""DataLoaders, datasets and samplers do what PyTorch's do, by recorded facts."""

from __future__ import annotations

import json
import threading
import time
import warnings
from typing import Any

import pytest
from feeding import BATCHES, FACTS, REFUSED, batches, refusal

from jitcore.compat import torch as compat

RECORDED = json.loads((FACTS / "feeding.json").read_text())


@pytest.fixture(scope="module")
def torch() -> Any:
    compat.install()
    import torch as ours
    import torch.nn
    import torch.utils.data

    yield ours
    compat.uninstall()


@pytest.mark.parametrize("text", BATCHES)
def test_batches(text: str, torch: Any) -> None:
    assert json.loads(json.dumps(batches(torch, text))) == RECORDED[text]


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_is_refused_in_pytorchs_words(text: str, torch: Any) -> None:
    kind, words = refusal(torch, text)
    assert kind == RECORDED[text][0], words
    assert words[:50] == RECORDED[text][1][:50]


def _order(loader: Any) -> list[int]:
    return [int(i) for batch in loader for i in batch]


def test_shuffling_takes_each_sample_once_and_repeats_with_the_seed(torch: Any) -> None:
    loader = torch.utils.data.DataLoader(list(range(100)), batch_size=7, shuffle=True)
    torch.manual_seed(5)
    first, second = _order(loader), _order(loader)
    torch.manual_seed(5)
    assert _order(loader) == first
    assert first != second
    assert sorted(first) == list(range(100))


def test_a_generator_decides_on_the_order(torch: Any) -> None:
    def order() -> list[int]:
        generator = torch.Generator().manual_seed(3)
        return _order(torch.utils.data.DataLoader(list(range(50)), shuffle=True, generator=generator))

    torch.manual_seed(0)
    first = order()
    torch.manual_seed(1)
    assert order() == first


def test_random_splits(torch: Any) -> None:
    data = torch.utils.data
    parts = data.random_split(range(11), [0.5, 0.3, 0.2], generator=torch.Generator().manual_seed(1))
    assert [len(p) for p in parts] == [6, 3, 2]
    assert sorted(i for p in parts for i in p) == list(range(11))
    again = data.random_split(range(11), [6, 3, 2], generator=torch.Generator().manual_seed(1))
    assert [list(p) for p in parts] == [list(p) for p in again]


def test_samplers_of_chance(torch: Any) -> None:
    data = torch.utils.data
    assert len(list(data.RandomSampler(range(4), num_samples=9))) == 9
    assert set(data.RandomSampler(range(4), replacement=True, num_samples=200)) == {0, 1, 2, 3}
    assert sorted(data.SubsetRandomSampler([3, 5, 8])) == [3, 5, 8]
    drawn = list(data.WeightedRandomSampler([0.0, 1.0, 3.0], 400))
    assert set(drawn) == {1, 2}
    assert drawn.count(2) > drawn.count(1)
    assert len(data.WeightedRandomSampler([1.0, 1.0], 2, replacement=False)) == 2


def test_what_workers_raise_is_raised_where_the_batch_is_asked_for(torch: Any) -> None:
    class Failing(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return 6

        def __getitem__(self, k: int) -> int:
            if k == 3:
                raise KeyError("three")
            return k

    loader = iter(torch.utils.data.DataLoader(Failing(), batch_size=1, num_workers=2))
    assert [int(next(loader)) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="three"):
        next(loader)


def test_workers_work_at_the_same_time_and_in_order(torch: Any) -> None:
    working, most, lock = 0, 0, threading.Lock()

    class Slow(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return 8

        def __getitem__(self, k: int) -> int:
            nonlocal working, most
            with lock:
                working += 1
                most = max(most, working)
            time.sleep(0.05 if k % 2 else 0.01)
            with lock:
                working -= 1
            return k

    assert _order(torch.utils.data.DataLoader(Slow(), batch_size=1, num_workers=8)) == list(range(8))
    assert most > 1


def test_workers_begin_with_a_function_and_know_themselves(torch: Any) -> None:
    begun: list[int] = []

    class Asking(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return 4

        def __getitem__(self, k: int) -> int:
            worker = torch.utils.data.get_worker_info()
            assert worker.dataset is self
            return worker.id * 10 + worker.num_workers

    assert torch.utils.data.get_worker_info() is None
    loader = torch.utils.data.DataLoader(Asking(), num_workers=2, worker_init_fn=begun.append)
    assert _order(loader) == [2, 12, 2, 12]
    assert sorted(begun) == [0, 1]


def test_a_worker_that_takes_too_long_is_given_up(torch: Any) -> None:
    class Stuck(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return 1

        def __getitem__(self, k: int) -> int:
            time.sleep(0.5)
            return k

    with pytest.raises(RuntimeError, match=r"timed out after 0\.05 seconds"):
        next(iter(torch.utils.data.DataLoader(Stuck(), num_workers=1, timeout=0.05)))


def test_no_threads_stay_when_a_loop_is_left(torch: Any) -> None:
    loader = torch.utils.data.DataLoader(list(range(100)), num_workers=2)
    for batch in loader:
        assert int(batch) == 0
        break
    deadline = time.perf_counter() + 30
    while any("DataLoader worker" in t.name for t in threading.enumerate()) and time.perf_counter() < deadline:
        time.sleep(0.01)
    assert not any("DataLoader worker" in t.name for t in threading.enumerate())


def test_lengths(torch: Any) -> None:
    data = torch.utils.data
    assert len(data.DataLoader(list(range(10)), batch_size=3)) == 4
    assert len(data.DataLoader(list(range(10)), batch_size=3, drop_last=True)) == 3
    assert len(data.DataLoader(list(range(10)), batch_size=None)) == 10


def test_an_empty_part_is_warned_of(torch: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.utils.data.random_split(range(2), [0.9, 0.1])
    assert any("Length of split at index" in str(w.message) for w in caught)
