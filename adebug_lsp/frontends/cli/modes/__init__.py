"""Three ways to hold a session in a terminal: a screen with keys, plain lines, JSON lines."""
