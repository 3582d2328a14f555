"""A newsletter: members, their topics, and who gets which issue."""
