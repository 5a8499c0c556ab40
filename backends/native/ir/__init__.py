"""LLVM's text, written: modules, types and literals, vectors."""
