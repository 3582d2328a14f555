"""Answers questions without a person: a failing EUnit assertion, a reference version."""
