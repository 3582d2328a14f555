"""Haskell's syntax: scanner, layout, grammar, and the tree with exact ranges."""
