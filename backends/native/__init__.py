"""What all code of LLVM stands on: its text, the engine that compiles and loads it, the disk, the host it runs in."""
