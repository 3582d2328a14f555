"""What editors need of an Erlang text while it is typed: its outline."""
