"""Erlang: records on a real BEAM, reads the recording, and asks about calls, processes and the code inside a call."""
