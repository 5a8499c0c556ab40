"""Elementwise functions: arithmetic, comparisons, mathematical functions, polynomials."""
