"""Making, shaping, joining, indexing and ordering arrays."""
