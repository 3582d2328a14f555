"""Measurements of adebug: what is searched, what it costs, and how that compares."""
