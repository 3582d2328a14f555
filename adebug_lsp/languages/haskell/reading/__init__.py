"""Opens a recorded run: the redex trail, its values, its tree."""
