"""LLVM in the process: text to object code, and object code into memory."""
