"""The terminal front end. Commands render text; only `main` parses arguments and prints errors."""
