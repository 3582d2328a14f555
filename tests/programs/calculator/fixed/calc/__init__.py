"""A calculator: text to tokens, tokens to a tree, a tree to a number."""
