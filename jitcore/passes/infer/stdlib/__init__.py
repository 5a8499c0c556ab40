"""Models of functions of the standard library, and of NumPy's that call the user's: many are Python source, compiled as
the user's is."""
