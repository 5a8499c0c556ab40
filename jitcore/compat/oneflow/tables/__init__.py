"""The functions that OneFlow has, as modules."""
