"""Documents in order of their dates, found by binary search."""
