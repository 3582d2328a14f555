"""Costs of lazy programs: the profiler and the time equations of Silva's thesis (chapters 3 and 4)."""
