"""Answers without a person: a reference version."""
