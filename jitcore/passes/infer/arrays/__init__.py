"""Models of arrays: operators, attributes and NumPy's functions as calls of the library. They know Python's types by
`domain.abstract`."""
