"""Rewrites source so that it records itself: every rewritten module does the same as before, in the same order."""
