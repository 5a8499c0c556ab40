"""Functions of Paddle, by what they do."""
