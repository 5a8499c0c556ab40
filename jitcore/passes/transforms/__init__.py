"""Graphs made of graphs: gradients (`grad`), tangents (`jvp`), batches (`vmap`). Inference applies them."""
