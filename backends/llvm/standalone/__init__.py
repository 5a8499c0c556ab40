"""Programs as object files that need neither Python nor LLVM."""
