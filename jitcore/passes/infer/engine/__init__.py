"""How a program is inferred: the state, attempts and their budget, loops, calls, recursion, `try` and transforms. It
knows the models by what is declared in `domain`, and by the registry (`models`)."""
