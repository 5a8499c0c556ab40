"""MindSpore's operators, by its names and with its parameters (see `core.declarations`)."""
