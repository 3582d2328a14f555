"""Answers questions without a person: the failing test's assertion, a reference version, rules."""
