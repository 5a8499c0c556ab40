"""Backends: one folder each, exporting BACKEND (see `protocol`)."""

if __name__ != "jitcore.backends":
    raise ImportError("import jitcore.backends, not backends")
