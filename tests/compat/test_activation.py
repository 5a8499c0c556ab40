"""How MindSpore's names come to mean jitcore: the command, the pytest plugin, install, settings, names that are missing."""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str, cwd: Path, code: int = 0) -> str:
    """Run Python on jitcore in a process of its own; what it printed."""
    made = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(cwd)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == code, made.stdout + made.stderr
    return made.stdout + made.stderr


def test_nothing_is_installed_unasked(tmp_path: Path) -> None:
    shown = run("-c", "import jitcore.compat.mindspore\nimport mindspore", cwd=tmp_path, code=1)
    assert "ModuleNotFoundError: No module named 'mindspore'" in shown


def test_a_script_runs(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("VALUE = 3\n")
    (tmp_path / "script.py").write_text(
        "import sys\nimport other\nimport mindspore as ms\nfrom mindspore import Tensor, jit\n"
        "@jit\ndef f(x):\n    return x * other.VALUE\n"
        "if __name__ == '__main__':\n    print(f(Tensor([1.0, 2.0])), sys.argv[1:])\n"
    )
    assert run("-m", "jitcore.compat.mindspore", "script.py", "--a", cwd=tmp_path) == "[3. 6.] ['--a']\n"
    assert "[3. 6.]" in run("-m", "jitcore.compat.mindspore", "-m", "script", cwd=tmp_path)
    assert (
        run(
            "-m",
            "jitcore.compat.mindspore",
            "-c",
            "import mindspore as m; print(m.ops.abs(m.Tensor(-1)))",
            cwd=tmp_path,
        )
        == "1\n"
    )
    assert "usage" in run("-m", "jitcore.compat.mindspore", cwd=tmp_path, code=2)
    assert "no file" in run("-m", "jitcore.compat.mindspore", "none.py", cwd=tmp_path, code=2)


def test_the_pytest_plugin(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import mindspore\n")
    (tmp_path / "test_it.py").write_text(
        "from mindspore import Tensor, context\nfrom mindspore.ops import NeighborExchange\n"
        "def test_sum():\n    assert (Tensor([1.0]) + 1) == 2\n"
        "def test_missing():\n    NeighborExchange(3, False, False)\n"
    )
    shown = run("-m", "pytest", "-q", "-p", "jitcore.compat.mindspore", "-p", "no:cacheprovider", cwd=tmp_path, code=1)
    assert "1 failed, 1 passed" in shown
    assert "mindspore.ops.NeighborExchange of MindSpore is not in jitcore" in shown


def test_uninstall(tmp_path: Path) -> None:
    shown = run(
        "-c",
        "from jitcore.compat import mindspore as m\nm.install(); m.install()\nimport mindspore.nn\nm.uninstall()\nimport mindspore",
        cwd=tmp_path, code=1,
    )  # fmt: skip
    assert "ModuleNotFoundError" in shown


def test_the_device_that_is_not_there_is_noticed_once(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "from mindspore import context\n"
        "context.set_context(mode=context.GRAPH_MODE, device_target='Ascend', device_id=1)\n"
        "context.set_context(device_target='GPU')\nprint(context.get_context('device_target'))\n"
    )
    shown = run("-m", "jitcore.compat.mindspore", "script.py", cwd=tmp_path)
    assert shown.count("CompatibilityNotice") == 1
    assert "script.py:2" in shown
    assert "CPU\n" in shown


def test_names_that_are_missing() -> None:
    import mindspore.nn as nn
    from mindspore import ops
    from mindspore.ops import NeighborExchange, operations

    assert not isinstance(3, NeighborExchange)
    with pytest.raises(NotImplementedError, match=r"mindspore\.ops\.NeighborExchange"):
        NeighborExchange()

    class Own(nn.FakeQuantWithMinMaxObserver):
        pass

    with pytest.raises(NotImplementedError, match=r"mindspore\.nn\.FakeQuantWithMinMaxObserver"):
        Own()
    with pytest.raises(ImportError):
        from mindspore.ops import NoSuchOperator  # noqa: F401
    with pytest.raises(AttributeError):
        _ = ops.no_such_operator
    with pytest.raises(ImportError):
        import mindspore.no_such_module  # noqa: F401
    assert not hasattr(ops, "no_such_operator")
    assert operations.Add is ops.Add


def test_a_missing_operator_raises_in_compiled_code() -> None:
    from mindspore import Tensor, jit, ops

    @jit
    def f(x):
        return ops.prompt_flash_attention(x)

    with pytest.raises(NotImplementedError, match="prompt_flash_attention"):
        f(Tensor([1.0]))


def test_internals_are_refused() -> None:
    from mindspore.parallel.shard import Layout

    with pytest.raises(NotImplementedError):
        Layout((2, 2), ("a", "b"))


@pytest.mark.parametrize(
    "line",
    [
        "import mindspore.dataset as ds",
        "from mindspore import log as logger",
        "from mindspore.nn.layer.basic import Dense",
        "from mindspore.nn.cell import Cell",
        "from mindspore.nn.wrap.cell_wrapper import WithLossCell",
        "from mindspore.nn.optim.momentum import Momentum",
        "from mindspore.nn.loss.loss import LossBase",
        "from mindspore.ops.primitive import constexpr, _primexpr, Primitive",
        "from mindspore.ops.operations import _inner_ops, _grad_ops as G",
        "from mindspore.ops.operations.math_ops import Add",
        "from mindspore.ops.function.math_func import add",
        "from mindspore.ops.composite import GradOperation, HyperMap, MultitypeFuncGraph",
        "from mindspore.ops.composite.multitype_ops.zeros_like_impl import zeros_like",
        "from mindspore.train import Model",
        "from mindspore.train.callback import LossMonitor, TimeMonitor, Callback",
        "from mindspore.train.serialization import save_checkpoint, load_checkpoint",
        "from mindspore.common.parameter import Parameter, ParameterTuple",
        "from mindspore.common.api import ms_function, jit, _pynative_executor",
        "from mindspore.common.tensor import Tensor",
        "from mindspore.common._register_for_tensor import tensor_operator_registry",
        "from mindspore import _checkparam as validator",
        "from mindspore.communication import init, get_rank",
        "from mindspore import mint",
        "from mindspore.ops.auto_generate import Add",
        "from mindspore._extends import cell_attr_register",
        "from mindspore.ops import PrimitiveWithInfer, prim_attr_register",
        "from mindspore.nn.probability import distribution as msd",
        "from mindspore.common.api import _pynative_executor; _pynative_executor.sync()",
        "import mindspore as ms; ms.runtime.synchronize(); ms.hal.synchronize()",
        "from mindspore import *",
        "from mindspore.ops import *",
        "from mindspore import Tensor, Parameter, context, set_seed, ms_memory_recycle, JitConfig, lazy_inline, COOTensor",
    ],
)
def test_imports(line: str) -> None:
    exec(line, {})


def test_settings() -> None:
    import mindspore as ms
    from mindspore import context

    before = context.get_context("jit_syntax_level")
    context.set_context(jit_syntax_level=context.COMPATIBLE)
    assert context.get_context("jit_syntax_level") == context.COMPATIBLE == ms.COMPATIBLE
    context.set_context(jit_syntax_level=ms.STRICT)
    assert context.get_context("jit_syntax_level") == 0
    context.set_context(jit_syntax_level=before)
    context.set_context(device_target="CPU", save_graphs=0, max_call_depth=500, enable_graph_kernel=False)
    assert context.get_context("max_call_depth") == 500
    with pytest.warns(UserWarning, match="enable_graph_kernel"):
        context.set_context(enable_graph_kernel=True)
    context.set_context(enable_graph_kernel=True)  # said once
    with pytest.raises(ValueError, match="no_such_setting"):
        context.set_context(no_such_setting=1)
    with pytest.raises(ValueError, match="no_such_setting"):
        context.get_context("no_such_setting")
    with pytest.raises(ValueError, match="precompile_only"):
        context.set_context(precompile_only=True)
    with pytest.raises(ValueError, match="device_target"):
        context.set_context(device_target="Abacus")


def test_jit_options() -> None:
    import mindspore as ms
    from mindspore import Tensor, jit, ms_function

    def f(x):
        return x + 1

    signature = (Tensor(shape=(None,), dtype=ms.float32),)
    for made in (
        jit(f),
        jit(fn=f, mode="PIJit"),
        jit(function=f, capture_mode="bytecode", jit_level="O1", dynamic=1, fullgraph=True, backend="ms_backend"),
        jit(input_signature=signature, hash_args=1, jit_config=ms.JitConfig(jit_level="O0"))(f),
        ms_function(f),
        ms_function(fn=f, input_signature=signature),
    ):
        assert made(Tensor([1.0])) == 2
    with pytest.raises(ValueError, match="jit_level"):
        jit(f, jit_level="O9")
    with pytest.raises(TypeError, match="Function f needs 1 positional argument, but got 0."):
        jit(f)()
    with pytest.raises(RuntimeError, match="Invalid backend name: nonesuch"):
        jit(f, backend="nonesuch")(Tensor([1.0]))


def test_jit_of_a_cell() -> None:
    import mindspore.nn as nn
    from mindspore import Tensor, jit

    class Net(nn.Cell):
        def construct(self, x, k=1):
            return x * 2 + k

    assert jit(Net())(Tensor([1.0]), k=3) == 5


def test_dtypes() -> None:
    import mindspore as ms
    from mindspore import dtype as mstype
    from mindspore.common import dtype as common

    assert str(ms.float32) == "Float32"
    assert mstype.int32 == ms.int32 != ms.int64
    assert common.float32 is mstype.float32
    assert (ms.half, ms.double, mstype.short) == (ms.float16, ms.float64, ms.int16)
    assert mstype.issubclass_(ms.float32, mstype.number)
    assert not mstype.issubclass_(ms.float32, mstype.int_)
    assert mstype.dtype_to_nptype(ms.float32).__name__ == "float32"


def test_seeds() -> None:
    import mindspore as ms

    ms.set_seed(7)
    assert ms.get_seed() == 7
    with pytest.raises(TypeError):
        ms.set_seed("7")
    with pytest.raises(ValueError, match="must be int and must >= 0"):
        ms.set_seed(-1)
