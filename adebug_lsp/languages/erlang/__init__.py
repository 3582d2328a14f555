"""Erlang: its source text, and what a real BEAM did."""
