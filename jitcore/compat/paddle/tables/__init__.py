"""The functions that are declared, as modules."""
