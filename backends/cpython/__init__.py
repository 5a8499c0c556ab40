"""Calls from Python and into it, made by native code through CPython's C API."""
