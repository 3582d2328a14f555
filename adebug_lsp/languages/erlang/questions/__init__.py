"""Turns a run into questions: the tree and the behaviour of each node."""
