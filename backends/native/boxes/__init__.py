"""The library of run-time containers and strings: written in a small subset of Python, compiled once a machine."""
