"""Editor features for Erlang sources: the outline."""
