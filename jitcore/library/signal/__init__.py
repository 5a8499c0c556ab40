"""Signals: Fourier transforms, windows."""
