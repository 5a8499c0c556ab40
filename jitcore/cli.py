"""The command `jitcore`: run a script, print or explain what it compiled, check files, serve models, list primitives
and passes.

Exit codes: 0; 1 if the script ended in an exception (shown as Python shows it) or there was nothing to print; 2 for a
mistake on the command line.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib import metadata
from io import StringIO
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import Any, TextIO

from jitcore import config
from jitcore.check import command
from jitcore.runtime.callables import plain_function
from jitcore.runtime.records import STAGES, SUFFIXES, CompilationRecord, created, declared, keep_records
from jitcore.serve import command as serving
from jitcore.serve.errors import ServeError
from jitcore.structs import dataclass, field

_PROGRAM = "jitcore"
_NEVER_CALLED = "never called"


class UserError(Exception):
    """A mistake on the command line: one line, no traceback."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    options = _parser().parse_args(arguments)
    options.is_process = arguments is None
    try:
        code: int = options.run(options)
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
        return code
    except UserError as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
        return error.code
    except BrokenPipeError:  # the reader (`| head`) has seen enough
        sys.stderr.close()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM, description="Compile plain numerical Python to native code, and look at every stage of it."
    )
    parser.add_argument("--version", action="version", version=f"{_PROGRAM} {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    dump = _command(commands, "dump", _dump, "run a script and print the stages of what it compiled", _dump_epilog())
    dump.add_argument("--function", metavar="NAME", help="only the function of this name (or qualified name)")
    dump.add_argument("--stage", choices=[*STAGES, "all"], default="opt", help="what to print (default: %(default)s)")
    dump.add_argument(
        "-o", "--output", metavar="DIR", type=Path, help="write files into this folder instead of printing"
    )
    _script_arguments(dump, "*", "the script's own arguments (after -- where they begin with a dash)")

    explain = _command(
        commands, "explain", _explain, "run a script and say what it compiled, why, and how that runs",
        _settings_epilog(),
    )  # fmt: skip
    explain.add_argument("--function", metavar="NAME", help="only the function of this name (or qualified name)")
    explain.set_defaults(output=None)
    explain.add_argument("--json", action="store_true", help="print a list of what `explain().as_dict()` gives")
    _script_arguments(explain, "*", "the script's own arguments (after -- where they begin with a dash)")

    view = _command(
        commands, "view", _view, "run a script and show what it compiled as a page, all stages side by side",
        _settings_epilog(),
    )  # fmt: skip
    view.add_argument("--function", metavar="NAME", help="only the function of this name (or qualified name)")
    view.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write the page to this file instead of opening it"
    )
    _script_arguments(view, "*", "the script's own arguments (after -- where they begin with a dash)")

    run = _command(commands, "run", _run, "run a script as Python would", _settings_epilog())
    _script_arguments(run, argparse.REMAINDER, "the script's own arguments")

    check = _command(
        commands, "check", _check, "report what would be refused of files' compiled functions, without running them",
        command.EPILOG,
    )  # fmt: skip
    command.add_arguments(check)

    serve = _command(commands, "serve", _serve, "serve exported models over HTTP", serving.EPILOG)
    serving.add_arguments(serve)

    ops = _command(commands, "ops", _ops, "list the primitives, or describe some")
    ops.add_argument("names", nargs="*", metavar="NAME", help="describe these primitives")
    build = _command(commands, "build", _build, "make a library for C of a model that jitcore.export has written")
    build.add_argument(
        "models",
        metavar="model",
        nargs="+",
        type=Path,
        help="a model's folder; others are functions of the same handle",
    )
    build.add_argument("-o", "--output", metavar="DIR", type=Path, default=Path(), help="the folder for the library")
    build.add_argument(
        "--target",
        default="native",
        help="native, x86-64-v2, x86-64-v3, x86-64-v4 or aarch64; x86-64's, also several, with commas",
    )
    build.add_argument("--name", help="what the library's names begin with (default: the model's name)")
    build.add_argument("--wheel", action="store_true", help="write a Python wheel, too, which needs NumPy alone")
    _command(commands, "passes", _passes, "list the passes in the order they run")
    return parser


def _command(commands: Any, name: str, run: Any, help_: str, epilog: str = "") -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=help_, description=f"{help_[0].upper()}{help_[1:]}.", epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    command.set_defaults(run=run)
    return command


def _script_arguments(command: argparse.ArgumentParser, count: str, meaning: str) -> None:
    command.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[],
        help="a setting, as set_context and the environment take it"
    )  # fmt: skip
    command.add_argument("script", type=Path, help="the Python file")
    command.add_argument("arguments", nargs=count, metavar="...", help=meaning)


def _dump_epilog() -> str:
    return "stages:\n" + "\n".join(f"  {name:<9} {doc}" for name, doc in STAGES.items()) + "\n\n" + _settings_epilog()


def _settings_epilog() -> str:
    rows = [f"  {name:<17} {row.metadata['doc']} ({row.metadata['env']})" for name, row in config.FIELDS.items()]
    return "settings:\n" + "\n".join(rows)


def _version() -> str:
    try:
        return metadata.version(_PROGRAM)
    except metadata.PackageNotFoundError:
        return "(not installed)"


# --- libraries ----------------------------------------------------------------------------------------


def _build(options: argparse.Namespace) -> int:
    run = importlib.import_module("jitcore.build.command").run  # which loads LLVM
    try:
        run(options)
    except ValueError as error:
        raise UserError(str(error)) from None
    return 0


# --- running a script ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Finished:
    """How a script ended, and what it left behind."""

    code: int
    names: dict[str, Any] = field(default_factory=dict[str, Any])
    functions: tuple[Any, ...] = ()
    """The `CompiledFunction`s that it made, where they are asked for."""


def _run(options: argparse.Namespace) -> int:
    return _run_script(options).code


def _run_script(options: argparse.Namespace) -> _Finished:
    """Run a script as `python script` does; its exception is printed, without frames of ours."""
    script: Path = options.script
    _apply_settings(options.set)
    try:
        source = script.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {str(script)!r}: {error.strerror}") from None
    module = ModuleType("__main__")
    module.__dict__.update(__file__=str(script), __cached__=None)
    before = sys.argv, sys.path[0], sys.modules["__main__"]
    sys.argv = [str(script), *options.arguments]
    sys.path[0] = str(script.resolve().parent)
    sys.modules["__main__"] = module
    try:
        exec(compile(source, str(script), "exec", dont_inherit=True), module.__dict__)
    except SystemExit as error:
        return _Finished(_exit_code(error), module.__dict__)
    except KeyboardInterrupt:
        return _Finished(130, module.__dict__)
    except BaseException as error:
        traceback.print_exception(type(error), error, _from_script(error.__traceback__))
        return _Finished(1, module.__dict__)
    finally:
        sys.argv, sys.path[0], sys.modules["__main__"] = before
    return _Finished(0, module.__dict__)


def _apply_settings(assignments: Iterable[str]) -> None:
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise UserError(f"--set takes NAME=VALUE, not {assignment!r}")
        try:
            config.settings.update(**{name: value})
        except (config.UnknownSettingError, RuntimeError) as error:
            raise UserError(f"--set {assignment}: {error}") from None


def _exit_code(error: SystemExit) -> int:
    if error.code is None or isinstance(error.code, int):
        return error.code or 0
    print(error.code, file=sys.stderr)
    return 1


def _from_script(frames: TracebackType | None) -> TracebackType | None:
    """The traceback without the frame of this file that called the script."""
    return frames.tb_next if frames is not None and frames.tb_frame.f_code.co_filename == __file__ else frames


# --- dump -----------------------------------------------------------------------------------------------


def _dump(options: argparse.Namespace) -> int:
    with _beside(options) as out:
        finished, found = _compiled(options)
    chosen = [(record, stage) for record in found for stage in _stages(record, options.stage)]
    if not chosen and not finished.code:
        what = f"went through the stage {options.stage!r}" if found else "was compiled"
        raise UserError(f"nothing in {options.script} {what}", 1)
    if options.output is None:
        _print_stages(chosen, out)
    else:
        _write_stages(chosen, options.output)
    return finished.code


def _compiled(options: argparse.Namespace) -> tuple[_Finished, list[CompilationRecord]]:
    """Run a script: how it ended, and what it compiled, or declared, that is asked for."""
    with keep_records() as records:
        finished = _run_script(options)
        finished.functions = created()
        functions = declared()
    found = [*records, *_never_called(functions, records)]
    if options.function is not None:
        found = [r for r in found if _is_named(r.function, options.function)]
        named = plain_function(finished.names.get(options.function))
        if not found and named is not None:
            found = [_uncompiled(named)]
        if not found and not finished.code:
            raise UserError(f"{options.script} has no function {options.function!r} that is compiled", 1)
    return finished, found


@contextmanager
def _beside(options: argparse.Namespace) -> Generator[TextIO]:
    """Where the dump goes. What the script prints goes to stderr; in a process of its own, what it writes in any other
    way, too, up to the end of the process."""
    out: TextIO = sys.stdout or StringIO()  # None where it is closed
    if options.output is not None:
        yield out
        return
    with redirect_stdout(sys.stderr):
        yield _apart(out) if options.is_process else out


def _apart(out: TextIO) -> TextIO:
    """What the process's standard output was, which is stderr from here on; `out` if it is none."""
    try:
        if out.fileno() != 1:
            return out
    except (OSError, ValueError):
        return out
    out.flush()
    try:
        os.fstat(2)
    except OSError:  # it is closed: what goes there goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    made = os.fdopen(os.dup(1), "w", encoding=out.encoding, errors=out.errors)
    os.dup2(2, 1)
    return made


def _stages(record: CompilationRecord, wanted: str) -> list[str]:
    """The stages to show: of a function never called there are only the first, and the last of these stands for later
    ones."""
    if wanted != "all" and record.signature == _NEVER_CALLED and wanted not in record.texts:
        return ["anf"]
    return [stage for stage in STAGES if stage in record.texts and wanted in ("all", stage)]


def _never_called(
    functions: Iterable[Callable[..., Any]], records: Sequence[CompilationRecord]
) -> list[CompilationRecord]:
    """What was declared and not compiled; a derived function (a gradient) has no graph of its own before it is
    called."""
    compiled = {record.function for record in records}
    plain = (plain_function(function) for function in functions if function not in compiled)
    return [_uncompiled(function) for function in plain if function is not None and function not in compiled]


def _uncompiled(function: FunctionType) -> CompilationRecord:
    """The stages that need no arguments. Raises UserError if the function cannot be compiled."""
    from jitcore.source import CompileError

    try:
        return importlib.import_module("jitcore.view.recorded").uncompiled(function)
    except CompileError as error:
        raise UserError(str(error), 1) from None


def _is_named(function: Callable[..., Any], name: str) -> bool:
    return name in (function.__name__, function.__qualname__)


def _print_stages(chosen: Iterable[tuple[CompilationRecord, str]], out: TextIO) -> None:
    for record, stage in chosen:
        print(f"# --- {record.name} ({record.signature}): {stage} ---", file=out)
        print(record.texts[stage]().rstrip("\n"), end="\n\n", file=out)
    out.flush()


def _write_stages(chosen: Iterable[tuple[CompilationRecord, str]], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None
    numbers: dict[CompilationRecord, int] = {}
    for record, stage in chosen:
        number = numbers.setdefault(record, len(numbers))
        name = "".join(c if c.isalnum() or c in "._" else "_" for c in record.name)
        file = folder / f"{number:03}_{name}.{stage}{SUFFIXES[stage]}"
        file.write_text(record.texts[stage](), encoding="utf-8")
        print(file)


# --- explain --------------------------------------------------------------------------------------------


def _explain(options: argparse.Namespace) -> int:
    counting = importlib.import_module("jitcore.runtime.counting").counting  # which loads the compiler
    with keep_records(), counting(), _beside(options) as out:
        finished = _run_script(options)
        told = [f.explain() for f in created() if f.groups]
    if options.function is not None:
        names = ((one, one.as_dict()["name"]) for one in told)
        told = [one for one, name in names if options.function in (name, name.rpartition(".")[2])]
    if not told and not finished.code:
        what = "was compiled" if options.function is None else f"was compiled that is called {options.function!r}"
        raise UserError(f"nothing in {options.script} {what}", 1)
    print(json.dumps([one.as_dict() for one in told], indent=1) if options.json else "\n\n".join(told), file=out)
    out.flush()
    return finished.code


# --- view -----------------------------------------------------------------------------------------------


def _view(options: argparse.Namespace) -> int:
    finished, found = _compiled(options)
    if not found:
        if finished.code:
            return finished.code
        raise UserError(f"nothing in {options.script} was compiled", 1)
    called = {f.__jitcore_function__ for f in finished.functions if f.groups}
    found = [r for r in found if r.signature != _NEVER_CALLED or r.function not in called] or found
    page = importlib.import_module("jitcore.view.recorded").View(found, options.script.name, finished.functions)
    try:
        path = page.show() if options.output is None else page.save(options.output)
    except OSError as error:
        raise UserError(f"cannot write {str(error.filename)!r}: {error.strerror}") from None
    print(path)
    return finished.code


# --- check ----------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    try:
        return command.run(options)
    except command.CheckError as error:
        raise UserError(str(error)) from None


# --- serve ----------------------------------------------------------------------------------------------


def _serve(options: argparse.Namespace) -> int:
    try:
        return serving.run(options)
    except ServeError as error:
        raise UserError(str(error)) from None


# --- lists ----------------------------------------------------------------------------------------------


def _ops(options: argparse.Namespace) -> int:
    importlib.import_module("jitcore.primitives")
    from jitcore.primitives.core.registry import PRIMITIVES

    unknown = [name for name in options.names if name not in PRIMITIVES]
    if unknown:
        raise UserError(f"there is no primitive {unknown[0]!r}; `{_PROGRAM} ops` lists them")
    if not options.names:
        for name, primitive in sorted(PRIMITIVES.items()):
            print(f"{name + '(' + ', '.join(primitive.arguments) + ')':<32} {_first_line(primitive.doc)}")
    for name in options.names:
        primitive = PRIMITIVES[name]
        print(f"{name}({', '.join(primitive.arguments)})\n    {primitive.doc}")
        print(f"    computed as: {type(primitive.lowering).__name__}")
        print(f"    derivative:  {type(primitive.derivative).__name__}")
        print(f"    may raise:   {', '.join(primitive.effects.raises) or 'nothing'}")
    return 0


def _passes(options: argparse.Namespace) -> int:
    from jitcore.passes.pipeline import PASSES

    around = {
        name.rpartition(".")[2]: _first_line(importlib.import_module(f"jitcore.passes.{name}").__doc__)
        for name in ("infer", "transforms.grad", "transforms.jvp", "transforms.vmap", "plan")
    }
    plan = around.pop("plan")
    for name, doc in [*around.items(), *((p.name, p.doc) for p in PASSES), ("plan", plan)]:
        print(f"{name:<10} {doc}")
    return 0


def _first_line(doc: str | None) -> str:
    return (doc or "").strip().partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
