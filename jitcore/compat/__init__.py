"""Other frameworks' names for what jitcore has."""
