"""Neural networks: activations, convolution, pooling, normalisation, losses."""
