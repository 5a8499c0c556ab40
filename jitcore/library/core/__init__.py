"""What library functions are made with: marks, values, dtypes, places of indices, declarations of operators."""
