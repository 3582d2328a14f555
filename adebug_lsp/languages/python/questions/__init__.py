"""Turns a run into questions: the nodes of its tree, and the behaviour that each of them shows."""
