"""Containers and strings of the run, in boxes: what Python's operations do to them.

Once a program is found to need them (`Assumptions.boxes`) all lists, dicts, sets and strings that it makes live in
boxes (`primitives.ops.boxes`), whose identity is their address; tuples stay values and are put into boxes where a
container takes them. What a container may hold is a cell (`domain.cells`).
"""
