"""Programs for every row of the language, a row a file: each must do compiled what it does in plain Python."""
