"""The C header of a library, and an example that calls it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.program import libraries as lib

_C_TYPES: Final = {
    "bool_": "uint8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t", "u8": "uint8_t",
    "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t", "f16": "uint16_t", "f32": "float", "f64": "double",
}  # fmt: skip
MAIN: Final = "call"
"""The name of the first model's function."""
_PRINTED: Final = {"f32": "%g", "f64": "%g"}

_HEADER: Final = """/* {name}: made by jitcore. Link with {object}, or with {shared}; both need the C library alone. */
#ifndef {guard}_H
#define {guard}_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {{
#endif

{counts}
/* What a call gives: all is well; no program is for arguments of these kinds, dtypes and shapes; an error was raised;
   an argument that is written to shares memory with another; the processor has none of the targets.
   {name}_error(model) is what is wrong, in words. */
enum {{ {guard}_OK = {OK}, {guard}_UNFIT = {UNFIT}, {guard}_FAILED = {FAILED}, {guard}_OVERLAP = {OVERLAP},
  {guard}_MACHINE = {MACHINE} }};

enum {{
  {guard}_KIND_BOOL = {BOOL},
  {guard}_KIND_INT = {INT},
  {guard}_KIND_FLOAT = {FLOAT},
  {guard}_KIND_ARRAY = {ARRAY}
}};

/* dtypes of arrays */
enum {{ {dtypes} }};

/* A number, or an array: the address of its first element, and for each axis the extent and the stride in bytes.
   What a call gives is given back with {name}_free. */
typedef struct {{
  int32_t kind;
  int32_t dtype;
  int32_t rank;
  int32_t reserved;
  union {{ int64_t i; double f; void *data; }} as;
  uint64_t owner;
  int64_t shape[{axes}];
  int64_t strides[{axes}];
}} {name}_value;

typedef struct {name}_model {name}_model;

/* A model with parameters of its own; NULL if there is no memory. One model is called by one thread at a time. */
{name}_model *{name}_new(void);
void {name}_delete({name}_model *model);

{functions}/* Functions whose names end in `_into` do the same, with arrays copied to the memory of the outputs as they
   are given: of the dtype and shape that the result
   has, with any strides. If one is not, that is {guard}_UNFIT, after the call. Nothing is to be given back.
   Memory of an input will do, unless another result is a view of that input. */
{into}const char *{name}_error(const {name}_model *model);
void {name}_free({name}_value *output);

/* Random numbers begin anew, as after jitcore.set_seed(key) in Python; a new model has a key of chance. */
void {name}_seed({name}_model *model, uint64_t key);

/* How many threads kernels may use, in all models; at first, as many as there are cores. */
void {name}_set_threads(int count);

static inline {name}_value {name}_int(int64_t i) {{
  {name}_value v;
  memset(&v, 0, sizeof v);
  v.kind = {guard}_KIND_INT;
  v.as.i = i;
  return v;
}}

static inline {name}_value {name}_float(double f) {{
  {name}_value v;
  memset(&v, 0, sizeof v);
  v.kind = {guard}_KIND_FLOAT;
  v.as.f = f;
  return v;
}}

/* An array whose elements of `size` bytes lie in order. */
static inline {name}_value {name}_array(void *data, int32_t dtype, int64_t size, int32_t rank, const int64_t *shape) {{
  {name}_value v;
  memset(&v, 0, sizeof v);
  v.kind = {guard}_KIND_ARRAY;
  v.dtype = dtype;
  v.rank = rank;
  v.as.data = data;
  for (int32_t k = rank; k-- > 0; size *= shape[k]) {{
    v.shape[k] = shape[k];
    v.strides[k] = size;
  }}
  return v;
}}

#ifdef __cplusplus
}}
#endif

#endif
"""


def header(library: lib.Library, outputs: Sequence[Sequence[str]]) -> str:
    """The header's text; `outputs` are what those of each function are, in words."""
    name, guard = library.name, library.name.upper()
    counts, functions, into = "", "", ""
    for function, told in zip(library.functions, outputs, strict=True):
        prefix = guard if function.name == MAIN else f"{guard}_{function.name.upper()}"
        counts += f"#define {prefix}_INPUTS {len(function.wanted)}\n#define {prefix}_OUTPUTS {len(told)}\n"
        lines = [f"   inputs[{k}]: {text}\n" for k, text in enumerate(function.wanted)]
        lines += [f"   outputs[{k}]: {text}\n" for k, text in enumerate(told)]
        parameters = f"({name}_model *model, const {name}_value *inputs, {name}_value *outputs)"
        functions += f"/*\n{''.join(lines)}*/\nint {name}_{function.name}{parameters};\n\n"
        into += f"int {name}_{function.name}_into{parameters};\n"
    return _HEADER.format(
        name=name,
        guard=guard,
        object=f"{library.name}.o",
        shared=f"lib{library.name}.so",
        counts=counts,
        functions=functions,
        into=into,
        dtypes=", ".join(f"{guard}_{d.name.rstrip('_').upper()} = {code}" for d, code in lib.DTYPE_CODES.items()),
        axes=lib.MOST_AXES,
        **{
            name: getattr(lib, name)
            for name in ("OK", "UNFIT", "FAILED", "OVERLAP", "MACHINE", "BOOL", "INT", "FLOAT", "ARRAY")
        },
    )


_ANY: Final = 2
"""What the example has for extents that may be anything."""


def example(library: lib.Library) -> str:
    """A program that calls the library with ones, and prints the first element of each result."""
    name, guard, case = library.name, library.name.upper(), library.cases[0]
    lines = [f'#include "{name}.h"', "#include <stdio.h>", "", "int main(void) {"]
    lines += [f"  {name}_model *model = {name}_new();", f"  {name}_value in[{guard}_INPUTS], out[{guard}_OUTPUTS];"]
    for k, argument in enumerate(case.arguments):
        if argument.kind != lib.ARRAY:
            made = f"{name}_float(1.0)" if argument.kind == lib.FLOAT else f"{name}_int(1)"
            lines.append(f"  in[{k}] = {made};")
            if argument.kind == lib.BOOL:
                lines.append(f"  in[{k}].kind = {guard}_KIND_BOOL;")
            continue
        assert argument.dtype is not None
        shape = [_ANY if n is None else n for n in argument.shape]
        count = 1
        for n in shape:
            count *= n
        c_type, dtype = _C_TYPES.get(argument.dtype.name, "uint8_t"), argument.dtype.name.rstrip("_").upper()
        scale = argument.dtype.itemsize if argument.dtype.name not in _C_TYPES else 1
        extents = ", ".join(map(str, shape)) or "0"
        lines += [
            f"  static {c_type} x{k}[{max(count, 1) * scale}];",
            f"  for (int i = 0; i < {count * scale}; i++) x{k}[i] = 1;",
            f"  int64_t shape{k}[] = {{{extents}}};",
            f"  in[{k}] = {name}_array(x{k}, {guard}_{dtype}, {argument.dtype.itemsize}, {len(shape)}, shape{k});",
        ]
    lines += [
        f"  int status = {name}_call(model, in, out);",
        f'  if (status != {guard}_OK) return printf("%s\\n", {name}_error(model)), status;',
    ]
    for k, output in enumerate(case.outputs):
        lines.append(f'  printf("output {k}: {_first(output, k, case)});')
        lines.append(f"  {name}_free(&out[{k}]);")
    return "\n".join([*lines, f"  {name}_delete(model);", "  return 0;", "}"]) + "\n"


def _first(output: lib.Outcome, k: int, case: lib.Case) -> str:
    """What `printf` is given for a result."""
    if isinstance(output, lib.Same):
        argument = case.arguments[output.argument]
        kind, dtype = argument.kind, argument.dtype
    else:
        kind, dtype = output.kind, output.dtype if isinstance(output, lib.Output) else None
    if kind == lib.FLOAT:
        return f'%g\\n", out[{k}].as.f'
    if kind != lib.ARRAY or dtype is None:
        return f'%lld\\n", (long long)out[{k}].as.i'
    if dtype.name in _PRINTED:
        return f'%g …\\n", (double)*({_C_TYPES[dtype.name]} *)out[{k}].as.data'
    return f'%lld …\\n", (long long)*({_C_TYPES.get(dtype.name, "uint8_t")} *)out[{k}].as.data'
