"""The spans of a run (activations, loops, iterations, tests), from the order of its records."""
