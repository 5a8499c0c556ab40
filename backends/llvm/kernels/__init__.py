"""Kernels as LLVM text: loops over arrays, on vectors and threads."""
