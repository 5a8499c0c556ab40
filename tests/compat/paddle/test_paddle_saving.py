"""`paddle.save`, `paddle.load`: files that Paddle writes and reads; `paddle.jit`: compiled functions and models."""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import pytest

from jitcore.compat.paddle.jit import TranslatedLayer

PARAMETERS = Path(__file__).resolve().parent / "facts" / "linear.pdparams"
"""The `state_dict` of a Linear(2, 2), as Paddle 3.3.1 wrote it."""


def test_a_state_of_paddles_is_read() -> None:
    state = paddle.load(str(PARAMETERS))
    assert list(state) == ["weight", "bias"]
    assert [state[key].name for key in state] == ["linear_0.w_0", "linear_0.b_0"]
    assert state["weight"].tolist() == [[0.25, -0.5], [1.0, 2.0]]
    assert isinstance(state["weight"], paddle.Tensor)
    arrays = paddle.load(str(PARAMETERS), return_numpy=True)
    assert isinstance(arrays["bias"], np.ndarray)


def test_a_state_is_written_as_paddle_writes_it(tmp_path: Path) -> None:
    state = paddle.load(str(PARAMETERS))
    paddle.save(state, str(tmp_path / "made" / "again.pdparams"))
    own, known = (pickle.loads(file.read_bytes()) for file in (tmp_path / "made" / "again.pdparams", PARAMETERS))
    assert list(own) == list(known) == ["weight", "bias", "StructuredToParameterName@@"]
    assert own["StructuredToParameterName@@"] == known["StructuredToParameterName@@"]
    for key in ("weight", "bias"):
        assert type(own[key]) is np.ndarray
        assert (own[key].dtype, own[key].tolist()) == (known[key].dtype, known[key].tolist())


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    whole = {
        "a": [paddle.arange(6).reshape([2, 3]).T, 1, "s", np.ones(2)],
        "b": OrderedDict(c=(1, 2.5, None, True), d=2j),
        3: np.float32(1.5),
    }
    for protocol in (2, 3, 4):
        paddle.save(whole, str(tmp_path / "whole"), protocol=protocol)
        found = paddle.load(str(tmp_path / "whole"))
        assert found["a"][0].tolist() == [[0, 3], [1, 4], [2, 5]]
        assert found["a"][1:3] == [1, "s"]
        assert found["a"][3].tolist() == [1.0, 1.0]
        assert found["b"] == whole["b"]
        assert isinstance(found["b"], OrderedDict)
        assert found[3] == np.float32(1.5)
    buffer = io.BytesIO()
    paddle.save(paddle.to_tensor([True, False]), buffer)
    buffer.seek(0)
    assert paddle.load(buffer).tolist() == [True, False]


def test_a_state_with_more_than_tensors_is_a_state(tmp_path: Path) -> None:
    paddle.save({"w": paddle.ones([1]), "LR_Scheduler": {"last_epoch": 3}}, str(tmp_path / "o.pdopt"))
    found = paddle.load(str(tmp_path / "o.pdopt"))
    assert found["w"].item() == 1.0
    assert found["LR_Scheduler"] == {"last_epoch": 3}


def test_no_code_is_run_for_a_file(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "made"),)

    (tmp_path / "evil").write_bytes(pickle.dumps({"w": Evil()}))
    with pytest.raises(pickle.UnpicklingError, match="mkdir"):
        paddle.load(str(tmp_path / "evil"))
    assert not (tmp_path / "made").exists()
    (tmp_path / "objects").write_bytes(pickle.dumps(np.array([Evil()], object)))
    with pytest.raises(pickle.UnpicklingError, match="not read"):
        paddle.load(str(tmp_path / "objects"))


def test_damage_is_a_value_error(tmp_path: Path) -> None:
    data = PARAMETERS.read_bytes()
    for end in range(0, len(data) - 1, 7):
        (tmp_path / "cut").write_bytes(data[:end])
        with pytest.raises((ValueError, pickle.UnpicklingError)):
            paddle.load(str(tmp_path / "cut"))
    with pytest.raises(ValueError, match="not exists"):
        paddle.load(str(tmp_path / "none"))


def test_what_cannot_be_saved_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="filename is empty"):
        paddle.save({"a": 1}, f"{tmp_path}/")
    with pytest.raises(TypeError, match=r"the object\['f'\]\[0\] is of function"):
        paddle.save({"f": [lambda: 0]}, str(tmp_path / "f"))
    with pytest.raises(ValueError, match="protocol"):
        paddle.save(1, str(tmp_path / "f"), protocol=5)


# --- compiled functions, and models --------------------------------------------------------------------


def test_loops_of_the_run_are_compiled_with_gradients() -> None:
    @paddle.jit.to_static
    def grown(x: Any) -> Any:
        total = paddle.zeros([1], "float64")
        while total.sum() < 10:
            total = total + x.sum()
        return total

    x = paddle.to_tensor([1.0, 2.0], "float64", stop_gradient=False)
    y = grown(x)
    assert y.item() == 12.0
    y.backward()
    assert x.grad.tolist() == [4.0, 4.0]


def test_models_are_loaded_without_their_source(tmp_path: Path) -> None:
    weight = paddle.arange(6, dtype="float32").reshape([2, 3])

    @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([None, 2], "float32", "x")], full_graph=True)
    def product(x: Any) -> Any:
        return paddle.matmul(x, weight) + 1

    paddle.jit.save(product, str(tmp_path / "models" / "product"))
    loaded = paddle.jit.load(str(tmp_path / "models" / "product"))
    assert isinstance(loaded, TranslatedLayer)
    loaded.eval()
    for rows in (1, 3):
        x = paddle.ones([rows, 2])
        assert type(loaded(x)) is paddle.Tensor
        assert loaded(x).tolist() == product(x).tolist()
    with pytest.raises(TypeError, match="was exported for"):
        loaded(paddle.ones([2, 2], "float64"))


def test_tensors_stand_for_specs(tmp_path: Path) -> None:
    def twice(x: Any) -> Any:
        return x * 2

    with pytest.raises(ValueError, match="input_spec"):
        paddle.jit.save(twice, str(tmp_path / "twice"))
    paddle.jit.save(twice, str(tmp_path / "twice"), input_spec=[paddle.ones([3])])
    assert paddle.jit.load(str(tmp_path / "twice"))(paddle.ones([3])).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(ValueError, match="no exported model"):
        paddle.jit.load(str(tmp_path / "none"))


def test_what_is_compiled_can_be_called_line_by_line() -> None:
    lines: list[str] = []

    def told(x: Any) -> Any:
        lines.append("called")
        return x + 1

    paddle.jit.enable_to_static(False)
    try:
        assert paddle.jit.to_static(told)(paddle.ones([1])).item() == 2.0
    finally:
        paddle.jit.enable_to_static(True)
    assert lines == ["called"]
    with pytest.raises(TypeError, match="bool"):
        paddle.jit.enable_to_static(1)


def test_specs_say_what_they_are() -> None:
    spec = paddle.static.InputSpec([None, 3], "int64", "label")
    assert repr(spec) == "InputSpec(shape=(-1, 3), dtype=paddle.int64, name=label, stop_gradient=False)"
    assert spec.batch(4).shape == (4, -1, 3)
    assert spec.unbatch().shape == (-1, 3)
    assert paddle.static.InputSpec.from_tensor(paddle.ones([2, 3]), "k") == paddle.static.InputSpec([2, 3], name="k")
    assert paddle.static.InputSpec.from_numpy(np.ones(2)).dtype is paddle.float64
    with pytest.raises(TypeError, match="shape"):
        paddle.static.InputSpec(3)
    with pytest.raises(ValueError, match="integer"):
        paddle.static.InputSpec([2.5])
