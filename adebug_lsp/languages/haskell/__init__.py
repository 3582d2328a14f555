"""Haskell behind the contract."""
