"""Executes code in a VM of its own: a reference version or a rule, given the recorded values."""
