"""Executes code in a separate VM: a reference version or a rule, with the recorded values."""
