"""Haskell: recorded by an engine of our own, which keeps the redex trail of a run."""
