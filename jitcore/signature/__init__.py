"""What calls are given and give back, and what is looked at before: as data, for whoever makes code of it."""
