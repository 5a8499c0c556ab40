"""Writes untyped graphs from desugared trees: one module for each kind of construct."""
