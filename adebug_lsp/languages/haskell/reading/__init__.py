"""Opens a recorded run: the redex trail, its values and its tree."""
