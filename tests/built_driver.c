/* Calls a library for C with what comes in on standard input, and writes what it gives. Compiled with
   -DNAME=net -DHEADER='"net.h"'. A call is: the inputs as values, each array followed by its bytes in order. An answer:
   the status, then the outputs likewise; or, of a call that failed, the length of the error's text and the text. */
#include HEADER
#include <stdio.h>
#include <stdlib.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OF(what) JOIN(NAME, what)

static const int SIZES[] = {0, SIZES_OF_DTYPES};

static int64_t bytes_of(const OF(_value) *v) {
  int64_t size = SIZES[v->dtype];
  for (int k = 0; k < v->rank; k++) size *= v->shape[k];
  return size;
}

static void write_elements(const OF(_value) *v, int axis, const char *at) {
  if (axis == v->rank) {
    fwrite(at, (size_t)SIZES[v->dtype], 1, stdout);
    return;
  }
  for (int64_t i = 0; i < v->shape[axis]; i++) write_elements(v, axis + 1, at + i * v->strides[axis]);
}

static int take(OF(_value) *v) {
  if (fread(v, sizeof *v, 1, stdin) != 1) return 0;
  if (v->kind == KIND_ARRAY) {
    int64_t size = bytes_of(v), stride = SIZES[v->dtype];
    v->as.data = malloc((size_t)size + 1);
    for (int k = v->rank; k-- > 0; stride *= v->shape[k]) v->strides[k] = stride;
    if (fread(v->as.data, 1, (size_t)size, stdin) != (size_t)size) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  OF(_model) *model = OF(_new)();
  OF(_value) in[INPUTS + 1], out[OUTPUTS + 1];
  if (argc > 1) OF(_set_threads)(atoi(argv[1]));
  if (argc > 2) OF(_seed)(model, (uint64_t)strtoll(argv[2], NULL, 10));
  for (;;) {
    for (int k = 0; k < INPUTS; k++) {
      if (!take(&in[k])) goto end;
    }
    int32_t status = OF(_call)(model, in, out);
    fwrite(&status, sizeof status, 1, stdout);
    if (status) {
      int32_t length = (int32_t)strlen(OF(_error)(model));
      fwrite(&length, sizeof length, 1, stdout);
      fwrite(OF(_error)(model), 1, (size_t)length, stdout);
    }
    for (int k = 0; k < OUTPUTS && !status; k++) {
      fwrite(&out[k], sizeof out[k], 1, stdout);
      if (out[k].kind == KIND_ARRAY) write_elements(&out[k], 0, out[k].as.data);
      OF(_free)(&out[k]);
    }
    for (int k = 0; k < INPUTS; k++) {
      if (in[k].kind == KIND_ARRAY) free(in[k].as.data);
    }
  }
end:
  OF(_delete)(model);
  return 0;
}
