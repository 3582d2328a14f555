"""Small pure programs to make mistakes in. Each has `INPUTS`: the name of a function and its arguments."""
