"""Rebuilds recorded values as live objects, and compares live objects with recorded values."""
