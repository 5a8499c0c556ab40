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


DEEP_SOURCE: dict[str, str] = {
    "lists": "[" * 5000 + "]" * 5000,
    "tuples": "(" * 5000 + "1" + ",)" * 5000,
    "minus": "-" * 5000 + "1",
    "a sum": "1" + " + 1" * 5000,
    "lists added": "[1]" + " + [1]" * 5000,
    "attributes": "x" + ".real" * 5000,
    "conditions": "1 if x else " * 5000 + "2",
    "calls": "abs(" * 5000 + "1" + ")" * 5000,
}


@pytest.mark.parametrize("inside", [False, True], ids=["outside", "inside"])
@pytest.mark.parametrize("name", DEEP_SOURCE)
def test_what_python_does_not_compile_ends_as_in_python(
    tmp_path: Path, name: str, inside: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "script.py"
    text = DEEP_SOURCE[name]
    around = f"def f(x):\n    return {text}\n" if inside else f"x = 1\ny = {text}\ndef f(x):\n    return y\n"
    file.write_text(
        f"from jitcore import jit\n@jit\n{around}" if inside else f"{around}\nfrom jitcore import jit\njit(f)(1)\n"
    )
    try:
        compile(file.read_text(), str(file), "exec")
    except (SyntaxError, RecursionError, MemoryError) as error:
        expected = type(error).__name__
    else:
        pytest.skip("this Python compiles it")
    for command in ("run", "dump"):
        assert main([command, str(file)]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert expected in captured.err.splitlines()[-1]
    assert main(["check", str(file)]) == (expected == "SyntaxError")
    assert ("syntax error" in capsys.readouterr().out) == (expected == "SyntaxError")


ODD_VALUES: dict[str, tuple[str, str, str]] = {
    "deep lists": ("v = 1\nfor _ in range(5000):\n    v = [v]\n", "len(v) + k", "2"),
    "deep dicts": ("v = 1\nfor _ in range(5000):\n    v = {'a': v}\n", "len(v) + k", "2"),
    "deep tuples": ("v = 1\nfor _ in range(90):\n    v = (v, 2)\n", "len(v) + k", "3"),
    "a list in itself": ("v = [1]\nv.append(v)\n", "len(v) + k", "3"),
    "a dict in itself": ("v = {1: 2}\nv['me'] = v\n", "len(v) + k", "3"),
    "in a tuple in itself": ("v = ([],)\nv[0].append(v)\n", "len(v[0]) + k", "2"),
    "two in each other": ("v, w = [1], {}\nv.append(w)\nw['v'] = v\n", "len(v) + len(w) + k", "4"),
    "an object of itself": ("class A: pass\nv = A()\nv.me, v.all = v, [v]\n", "len(v.me.all) + k", "2"),
    "one many times": ("v = [1]\nfor _ in range(40):\n    v = [v, v]\n", "len(v) + k", "3"),
    "a partial of itself": ("from functools import partial\nv = partial(len)\nv.me = v\n", "v([1, 2]) + k", "3"),
}


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize("given", [False, True], ids=["global", "argument"])
@pytest.mark.parametrize("name", ODD_VALUES)
def test_values_without_end_come_to_one(
    tmp_path: Path, name: str, given: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    before, expression, expected = ODD_VALUES[name]
    file = tmp_path / "script.py"
    parameters, arguments = ("v, k", "v, 1") if given else ("k", "1")
    file.write_text(
        f"from jitcore import jit\n{before}\n@jit\ndef f({parameters}):\n    return {expression}\n\nprint(f({arguments}))\n"
    )
    assert main(["run", str(file)]) == 0
    assert capsys.readouterr().out == f"{expected}\n"
    assert main(["dump", str(file)]) == 0
    shown = capsys.readouterr()
    assert "def f(" in shown.out
    assert shown.err.startswith(f"{expected}\n")
    assert main(["check", str(file)]) == 0
    assert "1 compiled function in 1 file checked" in capsys.readouterr().out


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


WAYS_OUT: dict[str, str] = {
    "print": "print('of the script')",
    "the first stdout": "sys.__stdout__.write('of the script\\n')",
    "a descriptor": "os.write(1, b'of the script\\n')",
    "a subprocess": "subprocess.run([sys.executable, '-c', 'print(\"of the script\")'])",
    "a shell": "os.system('echo of the script')",
    "at the end": "atexit.register(print, 'of the script')",
    "at the end, by a descriptor": "atexit.register(os.write, 1, b'of the script\\n')",
    "a forked child": "os.fork() or os._exit(os.write(1, b'of the script\\n') - 14)\nos.wait()",
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_a_script_s_output_stays_out_of_its_dump(way: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"""
import atexit, os, subprocess, sys
from jitcore import jit

{WAYS_OUT[way]}

@jit
def f(x):
    return x + 1

f(1.0)
{WAYS_OUT[way]}
""")
    done = subprocess.run(
        [sys.executable, "-m", "jitcore", "dump", str(script)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("# --- f (f64): opt ---")
    assert "of the script" not in done.stdout
    assert done.stderr.count("of the script") == 2


@pytest.mark.parametrize("closed", [">&-", "2>&-", "| head -c 10"])
def test_dumps_without_a_reader(closed: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from jitcore import jit\njit(lambda x: x + 1)(1.0)\nprint('of the script')\n")
    done = subprocess.run(
        f"{sys.executable} -m jitcore dump {script} {closed}", shell=True, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("way", WAYS_OUT)
def test_a_script_s_output_stays_out_of_its_dump_without_stderr(way: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    text = "import atexit, os, subprocess, sys\nfrom jitcore import jit\njit(lambda x: x + 1)(1.0)\n"
    script.write_text(text + WAYS_OUT[way])
    command = f"{sys.executable} -m jitcore dump {script} 2>&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("# --- _lambda_ (f64): opt ---")
    assert "of the script" not in done.stdout


@pytest.mark.parametrize(
    "closing",
    ["os.close(1)", "sys.stdout.close()", "sys.__stdout__.close()", "os.close(2)", "sys.stdout = None"],
)
def test_a_script_may_close_its_output(closing: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"import os, sys\nfrom jitcore import jit\njit(lambda x: x + 1)(1.0)\n{closing}\n")
    done = subprocess.run(
        [sys.executable, "-m", "jitcore", "dump", str(script)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("# --- _lambda_ (f64): opt ---")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("call", ["grad(cube)(1.0)", "vmap(cube)(np.ones(2))", "value_and_grad(cube)(1.0)"])
def test_a_dump_has_what_a_transform_was_made_of_by_its_name(call: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    text = "import numpy as np\nfrom jitcore import grad, value_and_grad, vmap\ndef cube(x): return x * x * x\n"
    script.write_text(text + call)
    done = subprocess.run(
        [sys.executable, "-m", "jitcore", "dump", "--function", "cube", str(script)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("# --- cube (f64")
