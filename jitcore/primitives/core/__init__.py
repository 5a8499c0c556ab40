"""What declarations of primitives are made of: the registry, rules of types and batches, promotion, samples."""
