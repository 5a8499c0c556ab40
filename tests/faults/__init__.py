"""Fault injection: what the tests notice of compilers with a fault each."""
