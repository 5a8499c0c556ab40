"""Whether source found for a function is what the function was compiled from.

The function is compiled again from its node and the two code objects compared; positions are left out, so moving a
function within its file by editing above it is noticed only by its line. Where an import hook rewrites modules
(pytest's assertions, for one), code differs from its source by right: then it must have the parameters, names,
constants, operators and lines of its source, and may have more. Where it has no name more, nothing was rewritten.
"""

from __future__ import annotations
import __future__

import ast
import dis
import inspect
import operator
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

_FEATURES = [getattr(__future__, name) for name in __future__.all_feature_names]
_FUTURE_FLAGS: int = reduce(operator.or_, [feature.compiler_flag for feature in _FEATURES])


_LOCALS = "<locals>."
_OPERATIONS = (
    "BINARY_",
    "BUILD_",
    "COMPARE_OP",
    "CONTAINS_OP",
    "FORMAT_",
    "GET_ITER",
    "IS_OP",
    "UNARY_",
    "YIELD_VALUE",
)
"""What instructions of operators begin with; but for those, rewriting may put others in their place."""


def agrees(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    code: CodeType,
    loader: object,
    class_name: str | None,
    imported: frozenset[str],
) -> bool:
    """Whether `code` was compiled from `node`, which stands in a class of that name (None: in no class).

    `loader`: what loaded its module, which may have rewritten it; None if nothing did.
    `imported`: `SourceFile.imported`, since CPython compiles `name.method()` otherwise for imported names.
    """
    if not _same_parameters(node, code, class_name):
        return False
    if loader is None or type(loader) is SourceFileLoader:
        return any(_same_code(code, again) for again in _compiled(node, code, class_name, imported))
    end = node.end_lineno or 0
    if not all(code.co_firstlineno <= line <= end for _, _, line in code.co_lines() if line is not None):
        return False
    return any(_has_all_of(code, again) for again in _compiled(node, code, class_name, imported))


def _has_all_of(code: CodeType, again: CodeType) -> bool:
    """Whether code that was perhaps rewritten captures what its source does, and has all its names, constants and
    operators. Where a hook added no name, it rewrote nothing: then the code is its source's."""
    if _kind(code) != _kind(again) or (_names(code) <= _names(again) and code.co_code != again.co_code):
        return False
    if again.co_freevars != code.co_freevars or not set(again.co_names) <= set(code.co_names):
        return False
    if not _operators(again) <= _operators(code):
        return False
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    values = [const for const in code.co_consts if not isinstance(const, CodeType)]
    for const in again.co_consts:
        if not isinstance(const, CodeType):
            if not any(_same_constant(const, value) for value in values):
                return False
        elif not any(const.co_name == made.co_name and _has_all_of(made, const) for made in inner):
            return False
    return True


def _kind(code: CodeType) -> int:
    return code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)


def _names(code: CodeType) -> set[str]:
    return {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}


def _operators(code: CodeType) -> Counter[tuple[str, str]]:
    operators = (i for i in dis.get_instructions(code) if i.opname.startswith(_OPERATIONS))
    return Counter((i.opname, i.argrepr or str(i.arg)) for i in operators)


def bare(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Any:
    """The function alone: without its decorators, defaults and annotations, which its code has no part in."""
    arguments = ast.arguments(
        posonlyargs=[_bare_argument(a) for a in node.args.posonlyargs],
        args=[_bare_argument(a) for a in node.args.args],
        vararg=_bare_argument(node.args.vararg) if node.args.vararg else None,
        kwonlyargs=[_bare_argument(a) for a in node.args.kwonlyargs],
        kw_defaults=[None] * len(node.args.kwonlyargs),
        kwarg=_bare_argument(node.args.kwarg) if node.args.kwarg else None,
        defaults=[],
    )
    if isinstance(node, ast.Lambda):
        return ast.copy_location(ast.Lambda(args=arguments, body=node.body), node)
    made: Any = type(node)(name=node.name, args=arguments, body=node.body, decorator_list=[], returns=None)
    made.type_params = []  # a field of its own from Python 3.12 on
    return ast.copy_location(made, node)


def _bare_argument(argument: ast.arg) -> ast.arg:
    return ast.copy_location(ast.arg(arg=argument.arg, annotation=None), argument)


def _same_parameters(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, code: CodeType, class_name: str | None
) -> bool:
    args = node.args
    counts = len(args.posonlyargs) + len(args.args), len(args.posonlyargs), len(args.kwonlyargs)
    if counts != (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount):
        return False
    if (args.vararg is not None, args.kwarg is not None) != (
        bool(code.co_flags & inspect.CO_VARARGS),
        bool(code.co_flags & inspect.CO_VARKEYWORDS),
    ):
        return False
    names = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    names += [a.arg for a in (args.vararg, args.kwarg) if a is not None]
    return list(code.co_varnames[: len(names)]) == [private_name(n, class_name) for n in names]


def private_name(name: str, class_name: str | None) -> str:
    """The name that `name` stands for in a class of that name: `__x` is `_Class__x`."""
    if class_name is None or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    stripped = class_name.lstrip("_")
    return f"_{stripped}{name}" if stripped else name


def _compiled(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    code: CodeType,
    class_name: str | None,
    imported: frozenset[str],
) -> Iterator[CodeType]:
    """The code objects of a function compiled anew, among functions that give it the closure it had."""
    function = bare(node)
    if isinstance(function, ast.Lambda):
        function = ast.copy_location(ast.Expr(value=function), node)
    declared: list[ast.stmt] = []
    bound = code.co_name if class_name is None else class_name
    if bound.isidentifier() and bound not in code.co_freevars:
        # what the function calls by its own name, or its class's, is not in its closure
        declared = [ast.copy_location(ast.Global(names=[bound]), node)]
    if class_name is not None:
        owner: Any = ast.ClassDef(name=class_name, bases=[], keywords=[], body=[function], decorator_list=[])
        owner.type_params = []
        function = ast.copy_location(owner, node)
    names = [name for name in code.co_freevars if name != "__class__"]
    parameters = [ast.copy_location(ast.arg(arg=name, annotation=None), node) for name in names]
    arguments = ast.arguments(
        posonlyargs=[], args=parameters, vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    around: Any = ast.FunctionDef(
        name=f"_{code.co_name}" if code.co_name.isidentifier() else "_",
        args=arguments, body=[*declared, function], decorator_list=[], returns=None,
    )  # fmt: skip
    around.type_params = []
    used = sorted(imported & _names_in(code))
    body: list[ast.stmt] = [ast.copy_location(around, node)]
    if used:
        imports = ast.Import(names=[ast.copy_location(ast.alias(name=name, asname=None), node) for name in used])
        body.insert(0, ast.copy_location(imports, node))
    module = ast.Module(body=body, type_ignores=[])
    flags = code.co_flags & _FUTURE_FLAGS
    stack = [compile(module, code.co_filename, "exec", flags=flags, dont_inherit=True)]
    for _ in range(2 if class_name is None else 3):
        stack = [const for outer in stack for const in outer.co_consts if isinstance(const, CodeType)]
    yield from (found for found in stack if found.co_name == code.co_name)


def _names_in(code: CodeType) -> set[str]:
    names = _names(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names


def _same_code(a: CodeType, b: CodeType) -> bool:
    return (
        a.co_code == b.co_code
        and a.co_names == b.co_names
        and a.co_varnames == b.co_varnames
        and a.co_freevars == b.co_freevars
        and a.co_cellvars == b.co_cellvars
        and len(a.co_consts) == len(b.co_consts)
        and all(map(_same_constant, a.co_consts, b.co_consts))
    )


def _same_constant(a: object, b: object) -> bool:
    if isinstance(a, CodeType):
        return isinstance(b, CodeType) and a.co_name == b.co_name and _same_code(a, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, str) and isinstance(b, str) and _LOCALS in a:  # the qualified name of a class inside
        return a.rpartition(_LOCALS)[2] == b.rpartition(_LOCALS)[2]
    # repr tells apart what == does not: 0.0 and -0.0, (1,) and (True,); a set has no order to its repr
    return a == b if isinstance(a, frozenset) else repr(a) == repr(b)
