"""Runs Haskell by graph reduction: compiles to Python functions that record the redex trail."""
