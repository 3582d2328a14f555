"""Three modes of a session in a terminal: a screen with keys, plain lines, JSON lines."""
