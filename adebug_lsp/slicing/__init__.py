"""Where a value came from: dependences over a run, slices of it, and the part of the tree that a mark leaves."""
