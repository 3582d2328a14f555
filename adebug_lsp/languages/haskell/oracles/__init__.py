"""Answers questions without a person: a reference version, and the property of a failing test."""
