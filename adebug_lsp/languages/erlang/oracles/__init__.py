"""Answers questions without a person: EUnit's assertion, a reference version, rules."""
