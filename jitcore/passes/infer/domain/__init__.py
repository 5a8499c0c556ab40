"""The abstract domain: values, the heap, the forms that values of several paths have in common, and how they join.

Nothing here imports inference's other modules: what these know is declared here (`abstract`, `representations`).
"""
