"""The micro-kernels of contractions: one register tile of c, and how a tile that is not whole is written.

A tile multiplies a packed row panel `a[k][rows]` by columns read through a table of offsets, `b[offsets[k] + …]`:
packed ones, or the operand itself where its columns lie in consecutive memory. Every element of c is one chain of
multiply-adds in the order of k, whatever the tile's shape, so results do not depend on which tile it falls into.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.llvm.contraction import tile_assembly
from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.backends.llvm.contraction.code import Code, Value
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule

_TILE_PARAMS = (
    ("i64", "kc"),
    ("ptr", "a"),
    ("ptr", "b"),
    ("ptr", "b_offsets"),
    ("ptr", "c"),
    ("ptr", "c_offsets"),
    ("i64", "accumulate"),
)
MOST_VECTORS: Final = 8
"""Of any tile: `Blocking.panel_vectors` asks for no more."""


def define_tiles(module: LLVMModule, shape: Blocking, target: Target) -> None:
    """The micro-kernels, `jc_tiles_<dtype>` (the table of them for `tile_kernel`) and `jc_write_<dtype>`.

    Row i of a tile goes to c + c_offsets[i]; its columns are consecutive there.
    """
    written = _in_assembly if tile_assembly.has_assembly(shape, target) else _micro_kernel
    table: list[str] = []
    for rows in range(1, shape.rows + 1):
        panel = shape.panel_vectors(rows)
        sizes = sorted({*range(1, shape.vectors + 1), *(v for v in (4, 8) if v <= panel)})
        for vectors in range(1, MOST_VECTORS + 1):
            size = next((v for v in sizes if v >= vectors), sizes[-1])
            name = f"jc_tile_{shape.suffix}_{rows}x{size}"
            table.append(name)
            if size == vectors:
                module.define(name, written(name, shape, rows, vectors))
    entries = ", ".join(f"ptr @{n}" for n in table)
    name = f"jc_tiles_{shape.suffix}"
    module.define(name, f"@{name} = internal constant [{len(table)} x ptr] [{entries}]\n")
    module.define(f"jc_write_{shape.suffix}", _write(shape))
    module.declare("declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)")
    kind = shape.vector
    if shape.fma:
        module.declare(f"declare {kind} @llvm.fma.{vector_name(shape)}({kind}, {kind}, {kind})")


def tile_kernel(f: Code, shape: Blocking, rows: Value, vectors: Value) -> Value:
    """The address of the micro-kernel for so many rows, and so many vectors of columns or a few more."""
    return f.word(f.value("ptr", f"@jc_tiles_{shape.suffix}"), (rows - 1) * MOST_VECTORS + vectors - 1, "ptr")


def tile_columns(f: Code, shape: Blocking, vectors: Value) -> Value:
    """How many columns the micro-kernel for so many vectors writes."""
    rounded = f.select(vectors <= shape.vectors, vectors, f.select(vectors <= 4, 4, MOST_VECTORS))
    return rounded * shape.lanes


def vector_name(shape: Blocking) -> str:
    """The vector type as the names of intrinsics have it."""
    return f"v{shape.lanes}f{shape.dtype.itemsize * 8}"


def _in_assembly(name: str, shape: Blocking, rows: int, vectors: int) -> str:
    params = ", ".join(t for t, _ in _TILE_PARAMS)
    return tile_assembly.micro_kernel(name, shape, rows, vectors) + f"declare void @{name}({params}) nounwind\n"


def _micro_kernel(name: str, shape: Blocking, rows: int, vectors: int) -> str:
    params = tuple((t + (" noalias" if n in "abc" else ""), n) for t, n in _TILE_PARAMS)
    f = Code(name, params)
    vector, lanes = shape.vector, shape.lanes
    sums = [[f.var("zeroinitializer", vector) for _ in range(vectors)] for _ in range(rows)]
    for i in range(rows):  # the tile's places in c are on their way while the sums are made
        f.do(f"call void @llvm.prefetch.p0(ptr {_row(f, shape, i)}, i32 1, i32 3, i32 1)")
    a = f.var(f.arg("a"), "ptr")
    with f.loop(f.arg("kc")) as k:
        row_panel = a.get()
        column = f.at(f.arg("b"), f.word(f.arg("b_offsets"), k), shape.element)
        columns = [f.load(vector, f.at(column, v, vector), shape.dtype.itemsize) for v in range(vectors)]
        for i in range(rows):
            factor = f.splat(f.load(shape.element, f.at(row_panel, i, shape.element)), lanes, shape.element)
            for v in range(vectors):
                sums[i][v].set(_multiply_add(f, shape, factor, columns[v], sums[i][v].get()))
        a.set(f.at(row_panel, rows, shape.element))

    def write(accumulate: bool) -> None:
        for i in range(rows):
            row = _row(f, shape, i)
            for v in range(vectors):
                place = f.at(row, v, vector)
                total = sums[i][v].get()
                if accumulate:
                    before = f.load(vector, place, shape.dtype.itemsize)
                    total = f.op(vector, f"fadd {vector} {before}, {total}")
                f.store(total, place, align=shape.dtype.itemsize)

    f.if_else(f.arg("accumulate").differs(0), lambda: write(True), lambda: write(False))
    f.ret()
    return f.text()


def _row(f: Code, shape: Blocking, i: int) -> Value:
    """Where row i of a tile begins in c."""
    return f.at(f.arg("c"), f.word(f.arg("c_offsets"), i), shape.element)


def _multiply_add(f: Code, shape: Blocking, factor: Value, column: Value, total: Value) -> Value:
    vector = shape.vector
    if shape.fma:
        return f.op(
            vector,
            f"call {vector} @llvm.fma.{vector_name(shape)}({vector} {factor}, {vector} {column}, {vector} {total})",
        )
    product = f.op(vector, f"fmul {vector} {factor}, {column}")
    return f.op(vector, f"fadd {vector} {total}, {product}")


def _write(shape: Blocking) -> str:
    """`jc_write(tile, stride, rows, columns, c, row_offsets, column_offsets, runs, accumulate)`.

    Writes a dense rows x columns buffer to c through offset tables, by runs of consecutive columns.
    """
    params = (("ptr", "tile"), ("i64", "stride"), ("i64", "rows"), ("i64", "columns"), ("ptr", "c"))
    tables = (("ptr", "row_offsets"), ("ptr", "column_offsets"), ("ptr", "runs"), ("i64", "accumulate"))
    f = Code(f"jc_write_{shape.suffix}", (*params, *tables))
    element, columns = shape.element, f.arg("columns")
    accumulate = f.arg("accumulate").differs(0)

    def move(kind: str, source: Value, place: Value) -> None:
        value = f.load(kind, source, shape.dtype.itemsize)
        before = f.load(kind, place, shape.dtype.itemsize)
        total = f.op(kind, f"fadd {kind} {before}, {value}")
        f.store(
            f.op(kind, f"select i1 {accumulate}, {kind} {total}, {kind} {value}"), place, align=shape.dtype.itemsize
        )

    with f.loop(f.arg("rows")) as i:
        source = f.at(f.arg("tile"), i * f.arg("stride"), element)
        row = f.at(f.arg("c"), f.word(f.arg("row_offsets"), i), element)
        j = f.var(0)
        with f.while_(lambda: j.get() < columns):
            start = j.get()
            length = f.word(f.arg("runs"), start).min(columns - start)
            here = f.at(source, start, element)
            place = f.at(row, f.word(f.arg("column_offsets"), start), element)
            whole = length // shape.lanes * shape.lanes
            with f.loop(whole, step=shape.lanes) as t:
                move(shape.vector, f.at(here, t, element), f.at(place, t, element))
            with f.loop(length, start=whole) as t:
                move(element, f.at(here, t, element), f.at(place, t, element))
            j.set(start + length)
    f.ret()
    return f.text()
