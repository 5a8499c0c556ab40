"""Linear algebra: products, factorisations, solutions."""
