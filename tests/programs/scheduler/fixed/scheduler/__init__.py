"""A small scheduler: tasks wait in a queue and run by priority."""
