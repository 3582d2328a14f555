"""Parses Erlang source into exact ranges; the compiler reports only where a node begins."""
