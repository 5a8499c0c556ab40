"""Looking into compiled functions: what was made for which calls, what runs how and where, and what it costs."""
