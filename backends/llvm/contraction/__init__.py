"""Matrix products and convolutions as LLVM text."""
