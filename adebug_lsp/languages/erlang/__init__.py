"""Erlang: records on a real BEAM, reads what it left, and asks about calls and what is inside them."""
