"""Models of Python's types, protocols and statements. They know arrays by `domain.array_operations`."""
