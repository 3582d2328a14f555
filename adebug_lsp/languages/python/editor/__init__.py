"""What editors need of a Python text while it is typed: its outline, parsed incrementally."""
