"""The dependence graph of a run, and slices of it."""
