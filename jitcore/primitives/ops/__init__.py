"""Declarations of primitives, a family a file: importing this package declares those of every file in its folder."""

from jitcore.discovery import modules_in

modules_in(__name__, __path__)
