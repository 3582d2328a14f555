"""Python: `recorder` runs in the user's interpreter; all other packages read its recordings."""
