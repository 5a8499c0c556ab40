"""The command line: what it prints, its exit codes, and one line for a user's mistake."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitcore.cli import main

ROOT = Path(__file__).parent.parent

RECORDING = """
from jitcore.runtime.records import declare, record

def f(x):
    return x + 1

def g(x):
    return x * 2

declare(f)
declare(g)
record("f", f, "i64", {"anf": lambda: "anf of f\\n", "opt": lambda: "opt of f\\n", "llvm": lambda: "llvm of f\\n"})
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "script.py"
    file.write_text(RECORDING)
    return file


def test_dump_prints_the_optimised_graph_and_what_was_never_called(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dump", str(script)]) == 0
    out = capsys.readouterr().out
    assert "# --- f (i64): opt ---\nopt of f\n" in out
    assert "# --- g (never called): anf ---" in out
    assert "py_binary(x, 2, op='*')" in out


def test_dump_one_function_all_stages(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", str(script), "--function", "f", "--stage", "all"]) == 0
    assert capsys.readouterr().out == (
        "# --- f (i64): anf ---\nanf of f\n\n# --- f (i64): opt ---\nopt of f\n\n# --- f (i64): llvm ---\nllvm of f\n\n"
    )


def test_dump_into_a_folder(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "folder"
    assert main(["dump", "--stage", "all", "--function", "f", "-o", str(folder), str(script)]) == 0
    names = ["000_f.anf.ir", "000_f.llvm.ll", "000_f.opt.ir"]
    assert sorted(capsys.readouterr().out.splitlines()) == [str(folder / name) for name in names]
    assert sorted(file.name for file in folder.iterdir()) == names
    assert (folder / names[2]).read_text() == "opt of f\n"


def test_run_gives_the_script_its_arguments_name_and_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "beside.py").write_text("value = 7\n")
    file = tmp_path / "script.py"
    file.write_text("import sys, beside\nprint(__name__, sys.argv[1:], beside.value)\nsys.exit(3)\n")
    argv, modules = sys.argv[:], sys.modules["__main__"]
    assert main(["run", str(file), "a", "--flag"]) == 3
    assert capsys.readouterr().out == "__main__ ['a', '--flag'] 7\n"
    assert (sys.argv, sys.modules["__main__"]) == (argv, modules)
    del sys.modules["beside"]


def test_a_script_s_own_exception_is_shown_as_python_shows_it(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text("def f():\n    return 1 // 0\n\n\nf()\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command, "script.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )  # fmt: skip

    python, jitcore = run(), run("-m", "jitcore", "run")
    assert jitcore.returncode == 1
    assert jitcore.stderr.replace(str(tmp_path) + os.sep, "") == python.stderr.replace(str(tmp_path) + os.sep, "")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["dump", "nowhere.py"], 2, "jitcore: cannot read 'nowhere.py': No such file or directory"),
        (["run", "."], 2, "jitcore: cannot read '.': Is a directory"),
        (["dump", "--function", "h", "SCRIPT"], 1, "has no function 'h' that is compiled"),
        (["dump", "--function", "f", "--stage", "grad", "SCRIPT"], 1, "nothing in SCRIPT went through the stage 'grad'"),
        (["run", "--set", "mode", "SCRIPT"], 2, "jitcore: --set takes NAME=VALUE, not 'mode'"),
        (["run", "--set", "speed=1", "SCRIPT"], 2, "jitcore: --set speed=1: there is no setting 'speed'"),
        (["run", "--set", "dump=9", "SCRIPT"], 2, "jitcore: --set dump=9: the dump level is 0 to 4, not 9"),
        (["ops", "nothing"], 2, "jitcore: there is no primitive 'nothing'; `jitcore ops` lists them"),
    ],
)  # fmt: skip
def test_mistakes_give_one_line(
    script: Path, arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(script) if a == "SCRIPT" else a for a in arguments]) == code
    error = capsys.readouterr().err
    assert message.replace("SCRIPT", str(script)) in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["dump"], ["dump", "--stage", "none", "x.py"]])
def test_usage_errors(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: jitcore" in capsys.readouterr().err


def test_a_script_that_compiles_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "empty.py"
    file.write_text("")
    assert main(["dump", str(file)]) == 1
    assert capsys.readouterr().err == f"jitcore: nothing in {file} was compiled\n"


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names.index("infer") < names.index("inline") < names.index("dce") < names.index("plan")
    assert main(["ops"]) == 0
    assert "matmul(x, y)" in capsys.readouterr().out
    assert main(["ops", "int_floordiv"]) == 0
    assert "may raise:   ZeroDivisionError" in capsys.readouterr().out
