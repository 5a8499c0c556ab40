"""Functions made of statements of another one: at the same lines, in the same scope, under the same name."""

from __future__ import annotations
import __future__

import ast
import operator
from collections.abc import Mapping, Sequence
from functools import reduce
from types import CellType, CodeType, FunctionType
from typing import Any, Final

from jitcore.frontend.fetch import Fetched, register
from jitcore.structs import dataclass

_FUTURE_FLAGS: Final[int] = reduce(
    operator.or_, [getattr(__future__, name).compiler_flag for name in __future__.all_feature_names]
)


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The function that others are made of, and where its source is."""

    function: Any
    fetched: Fetched
    node: ast.FunctionDef

    def derive(
        self, args: ast.arguments, body: Sequence[ast.stmt], extra: Mapping[str, CellType] | None = None
    ) -> FunctionType:
        """A function of these parameters and statements, with the name, globals and closure of the original.

        `extra` are further free variables. The frontend takes the tree for its source.
        """
        extra = extra if extra is not None else {}
        function: FunctionType = self.function
        original = function.__code__
        made: Any = ast.FunctionDef(
            name=self.node.name, args=args, body=list(body), decorator_list=[], returns=None, type_comment=None
        )
        made.type_params = []
        node = ast.copy_location(made, self.node)
        code = self._code(node, original, list(dict.fromkeys([*original.co_freevars, *extra])))
        code = code.replace(co_qualname=original.co_qualname)
        held = dict(zip(original.co_freevars, function.__closure__ or (), strict=True)) | dict(extra)
        derived = FunctionType(
            code, function.__globals__, function.__name__, None, tuple(held[name] for name in code.co_freevars)
        )
        derived.__qualname__ = function.__qualname__
        derived.__module__ = function.__module__
        register(derived, Fetched(node, self.fetched.file, self.fetched.class_name))
        return derived

    def _code(self, node: ast.FunctionDef, original: CodeType, free: Sequence[str]) -> CodeType:
        """The code of a function among functions that give it its closure, in a class of the name it had."""
        placed: ast.stmt = node
        declared: list[ast.stmt] = []
        owner = self.fetched.class_name
        if owner is not None:
            around: Any = ast.ClassDef(name=owner, bases=[], keywords=[], body=[node], decorator_list=[])
            around.type_params = []
            placed = ast.copy_location(around, node)
        name = owner if owner is not None else node.name
        if name not in free:  # what it means by that name is a global
            declared = [ast.copy_location(ast.Global(names=[name]), node)]
        parameters = [
            ast.copy_location(ast.arg(arg=name, annotation=None), node) for name in free if name != "__class__"
        ]
        outermost: Any = ast.FunctionDef(
            name="_", args=arguments(parameters), body=[*declared, placed], decorator_list=[], returns=None
        )
        outermost.type_params = []
        module = ast.Module(body=[ast.copy_location(outermost, node)], type_ignores=[])
        flags = original.co_flags & _FUTURE_FLAGS
        code = compile(module, original.co_filename, "exec", flags=flags, dont_inherit=True)
        for _ in range(2 if owner is None else 3):
            code = next(const for const in code.co_consts if isinstance(const, CodeType))
        return code


def arguments(parameters: Sequence[ast.arg]) -> ast.arguments:
    """Positional parameters alone."""
    return ast.arguments(
        posonlyargs=[], args=list(parameters), vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
