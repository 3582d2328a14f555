"""Parses Erlang source into exact ranges for what the compiler names only by where it begins."""
