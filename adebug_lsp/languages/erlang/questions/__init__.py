"""Turns a run into questions: which nodes there are, and what each of them shows."""
