"""Elementary functions on vectors, as LLVM text."""
