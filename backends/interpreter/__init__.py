"""What runs the stages slowly and surely: `anf` typed graphs, by the primitives' NumPy references, and `program`
program IR with its kernels, on a memory that knows every block. The oracles of all other backends."""
