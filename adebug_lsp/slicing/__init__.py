"""Where a value came from: dependences over a run, and the part of the tree that a mark leaves."""
