"""Sparse arrays and rows of several lengths."""
