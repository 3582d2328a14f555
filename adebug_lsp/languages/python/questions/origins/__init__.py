"""Where every part of every value came from: a model of what each expression and library function does with values."""
