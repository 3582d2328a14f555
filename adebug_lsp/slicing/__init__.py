"""Where a value came from: dependences over a run, as a language gives them, and what a mark leaves of the tree."""
