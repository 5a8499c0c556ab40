"""What programs run in: memory, threads, the context of a call, and reaching Python."""
