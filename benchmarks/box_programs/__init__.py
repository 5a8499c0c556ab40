"""Programs whose containers live while they run, what they are called with, and how they are written for Numba."""
