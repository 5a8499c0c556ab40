"""What was compiled as one page: source, graphs, kernels, LLVM and assembly side by side.

`page.of` makes it of what `runtime.records` kept; `jitcore view script.py` and `f.view()` show it. The page is one file
that asks the network for nothing, and what it shows of the user's (file names, docstrings, names) is text to it.
"""
