"""PyTorch's functions over jitcore's library, a family a file; `declaring` has the tables they are in."""
