"""Reductions, and statistics of samples."""
