"""Object code kept on disk, and what is linked of it."""
