"""Programs and their kernels as machine code for this CPU, linked to the runtime support."""
