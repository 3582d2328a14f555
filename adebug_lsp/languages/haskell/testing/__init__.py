"""Tests of Haskell programs: properties on generated arguments, and `main` with its expected output."""
