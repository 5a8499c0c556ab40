"""What Paddle has about the process: seeds, default dtypes, devices, versions, flags and names."""

from __future__ import annotations

from collections.abc import Iterator

import paddle
import pytest


@pytest.fixture
def _float32() -> Iterator[None]:
    yield
    paddle.set_default_dtype("float32")


def test_random_numbers_are_repeated_by_a_seed() -> None:
    paddle.seed(11)
    state = paddle.get_rng_state()
    first = paddle.randn([3]).tolist()
    assert paddle.randn([3]).tolist() != first
    paddle.set_rng_state(state)
    assert paddle.randn([3]).tolist() == first
    paddle.seed(11)
    assert paddle.randn([3]).tolist() == first


def test_random_numbers_are_of_their_distributions() -> None:
    paddle.seed(3)
    drawn = paddle.uniform([4000], min=-2.0, max=3.0)
    assert -2.0 <= drawn.min().item() < -1.9
    assert 2.9 < drawn.max().item() < 3.0
    normal = paddle.normal(5.0, 2.0, [4000])
    assert abs(normal.mean().item() - 5.0) < 0.2
    assert abs(normal.std().item() - 2.0) < 0.2
    whole = paddle.randint(-1, 2, [1000])
    assert sorted(set(whole.tolist())) == [-1, 0, 1]
    assert whole.dtype is paddle.int64
    assert paddle.randint(3).shape == [1]
    assert sorted(paddle.randperm(6).tolist()) == [0, 1, 2, 3, 4, 5]
    chosen = paddle.multinomial(paddle.to_tensor([0.0, 1.0, 1.0]), 2)
    assert sorted(chosen.tolist()) == [1, 2]
    tossed = paddle.bernoulli(paddle.full([2000], 0.25))
    assert 0.2 < tossed.mean().item() < 0.3
    x = paddle.ones([1000])
    assert x.exponential_(2.0) is x
    assert abs(x.mean().item() - 0.5) < 0.1
    with pytest.raises(ValueError, match="low"):
        paddle.randint(5, 5)
    with pytest.raises(TypeError, match="dtype"):
        paddle.randn([2], "int32")


@pytest.mark.usefixtures("_float32")
def test_the_default_dtype_is_that_of_pythons_floats() -> None:
    assert paddle.get_default_dtype() == "float32"
    paddle.set_default_dtype("float64")
    assert paddle.get_default_dtype() == "float64"
    assert paddle.to_tensor(1.5).dtype is paddle.float64
    assert paddle.ones([1]).dtype is paddle.float64
    assert (paddle.to_tensor([1]) / 2).dtype is paddle.float64
    with pytest.raises(TypeError, match="int32"):
        paddle.set_default_dtype("int32")


def test_versions_and_devices() -> None:
    assert paddle.__version__.startswith("3.3.1")
    assert paddle.version.full_version == "3.3.1"
    paddle.utils.require_version("2.0", "3.9")
    with pytest.raises(Exception, match="VersionError"):
        paddle.utils.require_version("4.0")
    assert paddle.utils.try_import("math").sqrt(4) == 2
    with pytest.raises(ImportError, match="no_such_module_at_all"):
        paddle.utils.try_import("no_such_module_at_all")
    assert paddle.device.cuda.device_count() == 0
    assert paddle.device.get_device() == "cpu"


def test_flags_are_noted() -> None:
    paddle.set_flags({"FLAGS_check_nan_inf": True})
    assert paddle.get_flags(["FLAGS_check_nan_inf"]) == {"FLAGS_check_nan_inf": True}
    with pytest.raises(ValueError, match="FLAGS_none"):
        paddle.get_flags("FLAGS_none")


def test_names_are_numbered_anew_within_a_guard() -> None:
    names = paddle.utils.unique_name
    with names.guard():
        assert [names.generate("fc"), names.generate("fc"), names.generate("conv")] == ["fc_0", "fc_1", "conv_0"]
        with names.guard("inner_"):
            assert names.generate("fc") == "inner_fc_0"
        assert names.generate("fc") == "fc_2"


def test_printing_can_be_set() -> None:
    x = paddle.to_tensor([0.123456789, 2.5])
    try:
        paddle.set_printoptions(precision=2)
        assert repr(x).endswith("[0.12, 2.50])")
        paddle.set_printoptions(precision=3, sci_mode=True)
        assert repr(x).endswith("[1.235e-01, 2.500e+00])")
    finally:
        paddle.set_printoptions(precision=8, sci_mode=False)
    with pytest.raises(TypeError, match="precision"):
        paddle.set_printoptions(precision="many")


def test_limits_of_dtypes() -> None:
    assert paddle.iinfo("int8").max == 127
    assert repr(paddle.iinfo(paddle.uint8)) == "paddle.iinfo(min=0, max=255, bits=8, dtype=uint8)"
    assert paddle.finfo(paddle.float32).eps == 2.0**-23
    assert repr(paddle.finfo("float16")) == (
        "paddle.finfo(min=-65504, max=65504, eps=0.000976562, resolution=0.001, smallest_normal=6.10352e-05, "
        "tiny=6.10352e-05, bits=16, dtype=float16)"
    )
    with pytest.raises(ValueError, match="iinfo"):
        paddle.finfo("int32")
