"""The terminal front end: one module for each command. Commands render text; `main` alone parses and prints errors."""
