"""Static facts of a module before it is rewritten: scopes, definite assignment, calls that may change objects."""
