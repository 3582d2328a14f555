"""What every execution of a run depended on, from which slices are taken."""
